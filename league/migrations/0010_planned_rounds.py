"""How many rounds a stage is to have."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("league", "0009_security_events_of_rights")]
    operations = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            model_name="stage",
            name="planned_rounds",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="number of rounds"),
        ),
        migrations.RunPython(install, remove),
    ]
