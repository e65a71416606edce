"""Screens in the hall, and the award ceremony."""

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
        ('league', '0016_door'),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.CreateModel(
            name='Ceremony',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('places', models.PositiveSmallIntegerField()),
                ('revealed', models.PositiveIntegerField(default=0)),
                ('competition', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='ceremony', to='league.competition')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.stage')),
            ],
            options={
                'verbose_name_plural': 'ceremonies',
            },
        ),
        migrations.CreateModel(
            name='Screen',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60)),
                ('name', models.CharField(max_length=60, validators=[players.text.validate_visible], verbose_name='name')),
                ('shows', models.CharField(choices=[('blank', 'nothing'), ('clock', 'clock'), ('seats', 'seats'), ('standings', 'standings'), ('tables', 'live tables'), ('message', 'message')], default='seats', max_length=10)),
                ('text', models.CharField(blank=True, max_length=300, validators=[players.text.validate_visible], verbose_name='message')),
                ('by_name', models.BooleanField(default=False)),
                ('is_light', models.BooleanField(default=False)),
                ('version', models.PositiveIntegerField(default=1)),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='screens', to='league.competition')),
                ('division', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.division')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('competition', 'slug'), name='screen_slug_once_a_competition'), models.CheckConstraint(condition=models.Q(('shows__in', ['blank', 'clock', 'seats', 'standings', 'tables', 'message'])), name='screen_shows_is_one_of_its_choices', violation_error_message='Choose one of the listed values.')],
            },
        ),
        migrations.RunPython(install, remove),
    ]
