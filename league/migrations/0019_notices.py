"""Channels of notices, and invitations of players."""

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
        ('league', '0018_outbox'),
        ('players', '0002_profiles'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            model_name='invitation',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='players.player', verbose_name='linked player'),
        ),
        migrations.CreateModel(
            name='Channel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('push', 'Push'), ('mail', 'Mail')], max_length=10)),
                ('address', models.CharField(max_length=1000)),
                ('p256dh', models.CharField(blank=True, max_length=100)),
                ('auth', models.CharField(blank=True, max_length=40)),
                ('browser', models.CharField(blank=True, max_length=60)),
                ('language', models.CharField(max_length=10)),
                ('site', models.CharField(max_length=300)),
                ('created_at', models.DateTimeField()),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='channels', to='league.entrant')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='channels', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='outgoing',
            name='channel',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.channel'),
        ),
        migrations.AddConstraint(
            model_name='channel',
            constraint=models.UniqueConstraint(fields=('entrant', 'kind', 'address'), name='channel_once_a_player'),
        ),
        migrations.AddConstraint(
            model_name='channel',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'mail'), ('user__isnull', False)), models.Q(models.Q(('kind', 'mail'), _negated=True), ('confirmed_at__isnull', False)), _connector='OR'), name='channel_of_an_account_or_a_browser'),
        ),
        migrations.AddConstraint(
            model_name='channel',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['push', 'mail'])), name='channel_kind_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.RunPython(install, remove),
    ]
