"""Who was there and sat out, and averages for it that follow the results."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("league", "0011_presence"), ("players", "0001_initial")]
    operations = [
        migrations.RunPython(remove, install),
        migrations.CreateModel(
            name="SittingOut",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.deletion.PROTECT, related_name="+", to="players.player"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE, related_name="sitting_out", to="league.round"
                    ),
                ),
            ],
            options={"ordering": ["pk"], "verbose_name_plural": "sitting out"},
        ),
        migrations.AddConstraint(
            model_name="sittingout",
            constraint=models.UniqueConstraint(fields=["round", "player"], name="sits_out_once_a_round"),
        ),
        migrations.AlterField(
            model_name="adjustment", name="score", field=models.IntegerField(null=True)
        ),
        migrations.AddConstraint(
            model_name="adjustment",
            constraint=models.CheckConstraint(
                condition=models.Q(score__isnull=False) | models.Q(kind="sat_out", round__isnull=False),
                name="average_for_sitting_out_a_round",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
