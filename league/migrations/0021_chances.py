"""Whether a competition shows chances, and how many qualify from a stage."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0020_webhooks'),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            model_name='competition',
            name='shows_chances',
            field=models.BooleanField(default=True, verbose_name='show marks and chances'),
        ),
        migrations.AddField(
            model_name='stage',
            name='planned_cut',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='places that qualify'),
        ),
        migrations.RunPython(install, remove),
    ]
