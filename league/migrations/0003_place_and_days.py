"""The place and the days of a competition, and when it was finished."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import players.text
from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0002_triggers")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            "competition",
            "place",
            models.CharField(
                "venue", max_length=120, blank=True, default="", validators=[players.text.validate_visible]
            ),
            preserve_default=False,
        ),
        migrations.AddField("competition", "first_day", models.DateField("first day", null=True, blank=True)),
        migrations.AddField("competition", "last_day", models.DateField("last day", null=True, blank=True)),
        migrations.AddField(
            "competition", "finished_at", models.DateTimeField(null=True, blank=True, editable=False)
        ),
        migrations.AddConstraint(
            "competition",
            models.CheckConstraint(
                condition=models.Q(last_day__isnull=True)
                | models.Q(first_day__isnull=False, last_day__gte=models.F("first_day")),
                name="last_day_not_before_the_first",
                violation_error_message="The last day must not be before the first day.",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
