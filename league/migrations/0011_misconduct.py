"""Whether visitors read what misconduct a penalty was for."""

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
    dependencies: ClassVar = [("league", "0010_objections")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            "competition",
            "names_misconduct",
            models.BooleanField(default=False, verbose_name="visitors read what misconduct it was"),
        ),
        migrations.RunPython(install, remove),
    ]
