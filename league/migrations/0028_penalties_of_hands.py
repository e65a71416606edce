"""The hand in a table's log that implied a penalty."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0027_day_begins")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField("penalty", "logged_hand", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddConstraint(
            "penalty",
            models.CheckConstraint(
                condition=models.Q(("logged_hand__isnull", True), ("table__isnull", False), _connector="OR"),
                name="penalty_of_a_logged_hand_has_its_table",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
