"""The key of the tables' QR codes, and whether visitors call referees with them."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import league.models.competitions
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
            "table_key",
            models.CharField(
                default=league.models.competitions.new_token, editable=False, max_length=64
            ),
        ),
        migrations.AddField(
            "competition",
            "takes_calls",
            models.BooleanField(default=True, verbose_name="tables can call a referee"),
        ),
        migrations.RunPython(install, remove),
    ]
