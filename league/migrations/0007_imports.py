"""Drafts of competitions, which imports write, and how far each import is."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0006_league_log'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            model_name='competition',
            name='is_draft',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name='ImportJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(null=True, unique=True)),
                ('fingerprint', models.CharField(blank=True, max_length=64)),
                ('replace', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('reading', 'Reading'), ('writing', 'Writing'), ('done', 'Done'), ('refused', 'Refused'), ('cancelled', 'Cancelled')], default='reading', max_length=10)),
                ('problems', models.JSONField(default=list)),
                ('stopped', models.BooleanField(default=False)),
                ('tables', models.PositiveIntegerField(default=0)),
                ('written', models.PositiveIntegerField(default=0)),
                ('cancel', models.BooleanField(default=False)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('seen_at', models.DateTimeField()),
                ('competition', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.competition')),
                ('league', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.league')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['reading', 'writing', 'done', 'refused', 'cancelled'])), name='importjob_status_is_one_of_its_choices', violation_error_message='Choose one of the listed values.')],
            },
        ),
        migrations.RunPython(install, remove),
    ]
