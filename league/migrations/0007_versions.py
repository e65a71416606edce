"""Versions of competitions, rounds and tables, which changes raise."""

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
    dependencies: ClassVar = [("league", "0006_typed_sheets")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        *(
            migrations.AddField(model, "version", models.PositiveBigIntegerField(default=1, editable=False))
            for model in ("competition", "round", "table")
        ),
        migrations.RunPython(install, remove),
    ]
