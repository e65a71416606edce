"""Forms of federations, logos, facts for reports, and pictures for streams."""

import django.core.validators
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
        ('league', '0023_registration'),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.CreateModel(
            name='FederationForm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, validators=[players.text.validate_visible], verbose_name='name')),
                ('content', models.BinaryField()),
                ('changed_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Logo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.BinaryField()),
                ('changed_at', models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='screen',
            name='screen_shows_is_one_of_its_choices',
        ),
        migrations.AddField(
            model_name='competition',
            name='city',
            field=models.CharField(blank=True, max_length=60, validators=[players.text.validate_visible], verbose_name='city'),
        ),
        migrations.AddField(
            model_name='competition',
            name='country',
            field=models.CharField(blank=True, max_length=2, validators=[django.core.validators.RegexValidator('^[A-Z]{2}$', 'Enter the country as two capital letters (ISO 3166), for example HK or JP.')], verbose_name='country'),
        ),
        migrations.AddField(
            model_name='competition',
            name='mers_weight',
            field=models.DecimalField(blank=True, decimal_places=1, max_digits=3, null=True, verbose_name='MERS weight'),
        ),
        migrations.AddField(
            model_name='competition',
            name='short_name',
            field=models.CharField(blank=True, max_length=40, validators=[players.text.validate_visible], verbose_name='short name'),
        ),
        migrations.AddField(
            model_name='screen',
            name='is_clear',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='screen',
            name='table',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='screen',
            name='shows',
            field=models.CharField(choices=[('blank', 'nothing'), ('clock', 'clock'), ('seats', 'seats'), ('standings', 'standings'), ('tables', 'live tables'), ('message', 'message'), ('stream', 'table for a stream')], default='seats', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='screen',
            constraint=models.CheckConstraint(condition=models.Q(('shows__in', ['blank', 'clock', 'seats', 'standings', 'tables', 'message', 'stream'])), name='screen_shows_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddField(
            model_name='federationform',
            name='league',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='forms', to='league.league'),
        ),
        migrations.AddField(
            model_name='logo',
            name='league',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='logo', to='league.league'),
        ),
        migrations.AddConstraint(
            model_name='federationform',
            constraint=models.UniqueConstraint(fields=('league', 'name'), name='form_name_once_a_league', violation_error_message='This league already has a form with this name.'),
        ),
        migrations.RunPython(install, remove),
    ]
