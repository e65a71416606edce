"""Game logs and names on services."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import players.text
from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0021_chances'),
        ('players', '0002_profiles'),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.CreateModel(
            name='GameLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('service', models.CharField(choices=[('tenhou', 'Tenhou'), ('mahjong_soul', 'Mahjong Soul')], max_length=20)),
                ('ref', models.CharField(blank=True, max_length=60)),
                ('digest', models.CharField(max_length=64)),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='game_logs', to='league.competition')),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='game_log', to='league.table')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('competition', 'digest'), name='game_once_a_competition', violation_error_message='This game is already saved.'), models.UniqueConstraint(condition=models.Q(('ref', ''), _negated=True), fields=('competition', 'service', 'ref'), name='game_id_once_a_competition', violation_error_message='This game is already saved.'), models.CheckConstraint(condition=models.Q(('service__in', ['tenhou', 'mahjong_soul'])), name='gamelog_service_is_one_of_its_choices', violation_error_message='Choose one of the listed values.')],
            },
        ),
        migrations.CreateModel(
            name='GameName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('service', models.CharField(choices=[('tenhou', 'Tenhou'), ('mahjong_soul', 'Mahjong Soul')], max_length=20)),
                ('name', models.CharField(max_length=60, validators=[players.text.validate_visible])),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='game_names', to='league.league')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='game_names', to='players.player')),
            ],
            options={
                'ordering': ['service', 'name'],
                'constraints': [models.UniqueConstraint(fields=('league', 'service', 'name'), name='game_name_once_a_league', violation_error_message='This name already belongs to a player.'), models.CheckConstraint(condition=models.Q(('service__in', ['tenhou', 'mahjong_soul'])), name='gamename_service_is_one_of_its_choices', violation_error_message='Choose one of the listed values.')],
            },
        ),
        migrations.RunPython(install, remove),
    ]
