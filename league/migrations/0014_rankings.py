"""The rankings of a stage that are shown first."""

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
    dependencies: ClassVar = [("league", "0013_evenings")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField("stage", "rankings", models.CharField(blank=True, max_length=120)),
        migrations.RunPython(install, remove),
    ]
