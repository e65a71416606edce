"""Whether the public sees the days of a hidden round that is planned."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("league", "0003_table_codes")]
    operations = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            model_name="round",
            name="announced",
            field=models.BooleanField(default=False, verbose_name='dates visible to visitors'),
        ),
        migrations.RunPython(install, remove),
    ]
