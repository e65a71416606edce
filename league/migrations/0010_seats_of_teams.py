"""The team of an invited captain, why a team penalty was revoked, and where teams sit before players do."""

import django.db.models.deletion
import players.text
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0009_calendar_teams_and_drafts"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="team",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="league.team",
                verbose_name="team",
            ),
        ),
        migrations.AddField(
            model_name="teampenalty",
            name="revoke_reason",
            field=models.CharField(blank=True, max_length=300, validators=[players.text.validate_visible]),
        ),
        migrations.CreateModel(
            name="TeamSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table", models.PositiveIntegerField(verbose_name="table")),
                (
                    "wind",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "East"), (1, "South"), (2, "West"), (3, "North")], verbose_name="wind"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="team_seats",
                        to="league.round",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="league.team"
                    ),
                ),
            ],
            options={
                "ordering": ["table", "wind"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "table", "wind"), name="team_seat_once_a_table"),
                    models.UniqueConstraint(fields=("round", "table", "team"), name="team_once_a_table"),
                ],
            },
        ),
    ]
