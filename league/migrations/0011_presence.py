"""Who came to an evening of open play."""

from typing import ClassVar

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0010_planned_rounds")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.CreateModel(
            "Presence",
            [
                ("id", models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    )),
                ("day", models.DateField(verbose_name="Day")),
                ("sat_out", models.PositiveSmallIntegerField(default=0)),
                ("left", models.BooleanField(default=False)),
                ("paid", models.BooleanField(default=False)),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presences",
                        to="league.entrant",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presences",
                        to="league.stage",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            "presence",
            models.UniqueConstraint(
                fields=["stage", "day", "entrant"],
                name="present_once_an_evening",
                violation_error_message='This player is already present.',
            ),
        ),
        migrations.RunPython(install, remove),
    ]
