"""Messages that leave the server later."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0017_screens'),
    ]

    operations = [
        migrations.CreateModel(
            name='Outgoing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('push', 'Push'), ('mail', 'Mail'), ('webhook', 'Webhook')], max_length=10)),
                ('key', models.CharField(max_length=200, unique=True)),
                ('stream', models.CharField(blank=True, max_length=100)),
                ('address', models.CharField(blank=True, max_length=2000)),
                ('payload', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('given_up_at', models.DateTimeField(blank=True, null=True)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('competition', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.competition')),
            ],
            options={
                'verbose_name_plural': 'outgoing messages',
                'ordering': ['pk'],
                'indexes': [models.Index(condition=models.Q(('given_up_at', None), ('sent_at', None)), fields=['due_at'], name='outgoing_by_due'), models.Index(condition=models.Q(('given_up_at', None), ('sent_at', None)), fields=['stream'], name='outgoing_by_stream')],
                'constraints': [models.CheckConstraint(condition=models.Q(('sent_at', None), ('given_up_at', None), _connector='OR'), name='outgoing_is_sent_or_given_up'), models.CheckConstraint(condition=models.Q(('kind__in', ['push', 'mail', 'webhook'])), name='outgoing_kind_is_one_of_its_choices', violation_error_message='Choose one of the listed values.')],
            },
        ),
    ]
