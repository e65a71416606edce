"""Registration for a competition."""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import players.text
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
        ('league', '0022_game_logs'),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.CreateModel(
            name='KnownNumber',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=40, validators=[players.text.validate_visible])),
                ('name', models.CharField(max_length=250, validators=[players.text.validate_visible])),
                ('country', models.CharField(blank=True, max_length=2, validators=[django.core.validators.RegexValidator('^[A-Z]{2}$', 'Enter the country as two capital letters (ISO 3166), for example HK or JP.')])),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Registrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, validators=[players.text.validate_visible])),
                ('romanized', models.CharField(blank=True, max_length=120, validators=[players.text.validate_visible])),
                ('email', models.EmailField(max_length=254)),
                ('language', models.CharField(max_length=10)),
                ('country', models.CharField(blank=True, max_length=2, validators=[django.core.validators.RegexValidator('^[A-Z]{2}$', 'Enter the country as two capital letters (ISO 3166), for example HK or JP.')])),
                ('club', models.CharField(blank=True, max_length=120, validators=[players.text.validate_visible])),
                ('number', models.CharField(blank=True, max_length=40, validators=[players.text.validate_visible])),
                ('phone', models.CharField(blank=True, max_length=40, validators=[players.text.validate_visible])),
                ('answer', models.CharField(blank=True, max_length=500, validators=[players.text.validate_visible])),
                ('created_at', models.DateTimeField()),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('waits_since', models.DateTimeField(blank=True, null=True)),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('declined_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('paid_on', models.DateField(blank=True, null=True)),
                ('paid', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                ('note', models.CharField(blank=True, max_length=300, validators=[players.text.validate_visible])),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('division', models.SlugField(max_length=60)),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('places', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('has_waiting_list', models.BooleanField(default=True)),
                ('is_moderated', models.BooleanField(default=False)),
                ('club', models.CharField(choices=[('no', 'not asked'), ('optional', 'optional'), ('required', 'required')], default='optional', max_length=10)),
                ('country', models.CharField(choices=[('no', 'not asked'), ('optional', 'optional'), ('required', 'required')], default='optional', max_length=10)),
                ('number', models.CharField(choices=[('no', 'not asked'), ('optional', 'optional'), ('required', 'required')], default='no', max_length=10)),
                ('phone', models.CharField(choices=[('no', 'not asked'), ('optional', 'optional'), ('required', 'required')], default='no', max_length=10)),
                ('question', models.CharField(blank=True, max_length=200, validators=[players.text.validate_visible])),
                ('fee', models.CharField(blank=True, max_length=120, validators=[players.text.validate_visible])),
                ('payment', models.TextField(blank=True)),
                ('shows_registrants', models.BooleanField(default=True)),
                ('terms', models.TextField(blank=True)),
                ('privacy', models.TextField(blank=True)),
                ('kept_until', models.DateField()),
                ('languages', models.JSONField(default=list)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='securityevent',
            name='securityevent_kind_is_one_of_its_choices',
        ),
        migrations.AlterField(
            model_name='securityevent',
            name='kind',
            field=models.CharField(choices=[('failed', 'failed sign-in'), ('paused', 'sign-in paused'), ('allowed', 'sign-in allowed again'), ('sign_up', 'sign-up'), ('health', 'health check'), ('reset', 'new password requested'), ('granted', 'administrator’s rights given'), ('withdrawn', 'administrator’s rights removed'), ('code', 'wrong table code'), ('entry', 'registration for a competition')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='securityevent',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['failed', 'paused', 'allowed', 'sign_up', 'health', 'reset', 'granted', 'withdrawn', 'code', 'entry'])), name='securityevent_kind_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddField(
            model_name='knownnumber',
            name='competition',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='known_numbers', to='league.competition'),
        ),
        migrations.AddField(
            model_name='registrant',
            name='entrant',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='registrants', to='league.entrant'),
        ),
        migrations.AddField(
            model_name='registration',
            name='competition',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registrations', to='league.competition'),
        ),
        migrations.AddField(
            model_name='registrant',
            name='registration',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registrants', to='league.registration'),
        ),
        migrations.AddConstraint(
            model_name='knownnumber',
            constraint=models.UniqueConstraint(fields=('competition', 'number'), name='known_number_once'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.UniqueConstraint(fields=('competition', 'division'), name='one_registration_a_division'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.CheckConstraint(condition=models.Q(('closes_at__isnull', True), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='registration_closes_after_it_opens', violation_error_message='Registration must close after it opens.'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.CheckConstraint(condition=models.Q(('places', 0), _negated=True), name='registration_has_places'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.CheckConstraint(condition=models.Q(('club__in', ['no', 'optional', 'required'])), name='registration_club_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.CheckConstraint(condition=models.Q(('country__in', ['no', 'optional', 'required'])), name='registration_country_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.CheckConstraint(condition=models.Q(('number__in', ['no', 'optional', 'required'])), name='registration_number_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.CheckConstraint(condition=models.Q(('phone__in', ['no', 'optional', 'required'])), name='registration_phone_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='registrant',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), models.F('name'), models.F('registration'), condition=models.Q(('withdrawn_at__isnull', True)), name='person_registered_once'),
        ),
        migrations.AddConstraint(
            model_name='registrant',
            constraint=models.CheckConstraint(condition=models.Q(('accepted_at__isnull', True), ('confirmed_at__isnull', False), _connector='OR'), name='accepted_registrant_is_confirmed'),
        ),
        migrations.RunPython(install, remove),
    ]
