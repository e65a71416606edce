"""Score sheets, signatures and hands that come from the tables."""

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers
import django.db.models.deletion
import players.text
from django.conf import settings
from django.db import migrations, models


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0014_rankings'),
        ('players', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.CreateModel(
            name='HandEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('key', models.UUIDField()),
                ('kind', models.CharField(choices=[('hand', 'hand'), ('correct', 'hand corrected'), ('insert', 'forgotten hand'), ('remove', 'hand removed'), ('riichi', 'riichi'), ('step', 'next hand'), ('name', 'current hand'), ('start', 'points at the start')], max_length=10)),
                ('target', models.PositiveIntegerField(blank=True, null=True)),
                ('facts', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'hand entries',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('east', models.IntegerField()),
                ('south', models.IntegerField()),
                ('west', models.IntegerField()),
                ('north', models.IntegerField()),
                ('sticks', models.PositiveIntegerField(default=0)),
                ('last_dealer', models.PositiveSmallIntegerField(choices=[(0, 'East'), (1, 'South'), (2, 'West'), (3, 'North')], default=3)),
                ('named', models.CharField(default='----', max_length=4)),
                ('east_chips', models.IntegerField(default=0)),
                ('south_chips', models.IntegerField(default=0)),
                ('west_chips', models.IntegerField(default=0)),
                ('north_chips', models.IntegerField(default=0)),
                ('number', models.PositiveIntegerField()),
                ('is_current', models.BooleanField(default=True)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Signature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('wind', models.PositiveSmallIntegerField(choices=[(0, 'East'), (1, 'South'), (2, 'West'), (3, 'North')], null=True)),
                ('agrees', models.BooleanField(default=True)),
                ('how', models.CharField(choices=[('account', 'with their account'), ('phone', 'on their own phone'), ('shared', 'on a phone of the table'), ('staff', 'by staff')], max_length=10)),
                ('points', models.JSONField(blank=True, default=list)),
                ('reason', models.CharField(blank=True, max_length=300, validators=[players.text.validate_visible])),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='competition',
            name='release',
            field=models.CharField(choices=[('hand', 'when the organizer publishes the round'), ('complete', 'as soon as all tables of the round are in'), ('at_once', 'at once, table by table')], default='hand', max_length=10, verbose_name='results are published'),
        ),
        migrations.AddField(
            model_name='competition',
            name='shows_hands',
            field=models.BooleanField(default=False, verbose_name='visitors see the points during play'),
        ),
        migrations.AddField(
            model_name='competition',
            name='signatures',
            field=models.CharField(choices=[('none', 'nobody'), ('four', 'all four players'), ('winner', 'the winner and one other player'), ('staff', 'a referee or staff member')], default='none', max_length=10, verbose_name='signed at the table by'),
        ),
        migrations.AddField(
            model_name='competition',
            name='signed_counts',
            field=models.BooleanField(default=False, verbose_name='signed score sheets count at once'),
        ),
        migrations.AddField(
            model_name='competition',
            name='takes_sheets',
            field=models.BooleanField(default=True, verbose_name='tables can enter their score sheets'),
        ),
        migrations.AddConstraint(
            model_name='competition',
            constraint=models.CheckConstraint(condition=models.Q(('signatures__in', ['none', 'four', 'winner', 'staff'])), name='competition_signatures_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='competition',
            constraint=models.CheckConstraint(condition=models.Q(('release__in', ['hand', 'complete', 'at_once'])), name='competition_release_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddField(
            model_name='handentry',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='handentry',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hand_entries', to='league.table'),
        ),
        migrations.AddField(
            model_name='handentry',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='proposal',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='sheet',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='proposal', to='league.sheet'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='league.table'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='signature',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='signature',
            name='proposal',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signatures', to='league.proposal'),
        ),
        migrations.AddField(
            model_name='signature',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='handentry',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='hand_entry_number_once_a_table', violation_error_message='Someone else saved this table a moment ago.'),
        ),
        migrations.AddConstraint(
            model_name='handentry',
            constraint=models.UniqueConstraint(fields=('table', 'key'), name='hand_entry_key_once_a_table', violation_error_message='This hand is already saved.'),
        ),
        migrations.AddConstraint(
            model_name='handentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['correct', 'insert', 'remove']), ('target__isnull', False), ('target__lt', models.F('number'))), models.Q(models.Q(('kind__in', ['correct', 'insert', 'remove']), _negated=True), ('target__isnull', True)), _connector='OR'), name='hand_entry_names_an_earlier_one'),
        ),
        migrations.AddConstraint(
            model_name='handentry',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['hand', 'correct', 'insert', 'remove', 'riichi', 'step', 'name', 'start'])), name='handentry_kind_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='proposal_number_once_a_table', violation_error_message='Someone else saved this table a moment ago.'),
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('table',), name='one_current_proposal_a_table', violation_error_message='This table already has a current score sheet.'),
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.CheckConstraint(condition=models.Q(('last_dealer__in', [0, 1, 2, 3])), name='proposal_last_dealer_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.UniqueConstraint(condition=models.Q(('agrees', True)), fields=('proposal', 'wind'), name='seat_signs_once', violation_error_message='This seat has already signed.'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('how', 'staff'), _negated=True), ('user__isnull', False), _connector='OR'), name='staff_sign_by_name'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.CheckConstraint(condition=models.Q(('wind__in', [0, 1, 2, 3])), name='signature_wind_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['account', 'phone', 'shared', 'staff'])), name='signature_how_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
        migrations.RunPython(install, remove),
    ]
