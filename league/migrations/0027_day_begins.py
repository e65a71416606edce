"""The hour at which a competition's day of play begins."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0026_phones")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            "competition",
            "day_begins",
            models.PositiveSmallIntegerField("hour at which the day of play begins", default=5),
        ),
        migrations.AddConstraint(
            "competition",
            models.CheckConstraint(
                condition=Q(day_begins__lte=12),
                name="day_begins_in_the_morning",
                violation_error_message="The day of play begins at an hour from 0 to 12.",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
