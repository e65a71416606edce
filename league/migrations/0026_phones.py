"""The number of the browser that signed, and whether one phone may collect several signatures."""

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
        ('league', '0025_api'),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            model_name='competition',
            name='one_phone',
            field=models.BooleanField(default=True, verbose_name='one phone may collect several signatures'),
        ),
        migrations.AddField(
            model_name='signature',
            name='device',
            field=models.CharField(blank=True, max_length=32),
        ),
        migrations.AlterField(
            model_name='signature',
            name='how',
            field=models.CharField(choices=[('account', 'with their account'), ('phone', 'on their own phone'), ('shared', 'on one phone with another player'), ('staff', 'by staff')], max_length=10),
        ),
        migrations.RunPython(install, remove),
    ]
