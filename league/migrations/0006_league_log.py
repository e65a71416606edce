"""The log of a league, and the texts that entries of logs know by their digest."""

from typing import ClassVar

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers

KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("league", "0005_accounts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations: ClassVar = [
        migrations.RunPython(migrations.RunPython.noop, install),
        migrations.CreateModel(
            "LogText",
            [
                ("id", KEY),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("salt", models.CharField(blank=True, max_length=32)),
                ("text", models.TextField()),
                (
                    "league",
                    models.ForeignKey("league.League", django.db.models.deletion.CASCADE, related_name="+"),
                ),
            ],
        ),
        migrations.CreateModel(
            "LeagueEntry",
            [
                ("id", KEY),
                ("sequence", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
                ("action", models.CharField(max_length=60)),
                ("target", models.CharField(max_length=60)),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
                ("previous_hash", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
                (
                    "actor",
                    models.ForeignKey(
                        settings.AUTH_USER_MODEL,
                        django.db.models.deletion.PROTECT,
                        null=True,
                        related_name="+",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        "league.League", django.db.models.deletion.PROTECT, related_name="log_entries"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "league entries",
                "ordering": ["sequence"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("league", "sequence"), name="league_sequence_once_a_league"
                    )
                ],
            },
        ),
        migrations.RunPython(install, remove),
    ]
