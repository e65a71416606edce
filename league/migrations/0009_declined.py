"""Times that players declined."""

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
    dependencies: ClassVar = [("league", "0008_kept_files")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField("consent", "declined", models.BooleanField(default=False)),
        migrations.RunPython(install, remove),
    ]
