"""Wrong codes of tables in the security log."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0015_at_table'),
    ]

    operations = [
        migrations.AlterField(
            model_name='competition',
            name='signatures',
            field=models.CharField(choices=[('none', 'no one'), ('four', 'all four players'), ('winner', 'the winner and one other player'), ('staff', 'a referee or staff member')], default='none', max_length=10, verbose_name='signed at the table by'),
        ),
        migrations.RemoveConstraint(
            model_name='securityevent',
            name='securityevent_kind_is_one_of_its_choices',
        ),
        migrations.AlterField(
            model_name='securityevent',
            name='kind',
            field=models.CharField(choices=[('failed', 'failed sign-in'), ('paused', 'sign-in paused'), ('allowed', 'sign-in allowed again'), ('sign_up', 'sign-up'), ('health', 'health check'), ('reset', 'new password requested'), ('granted', 'administrator’s rights given'), ('withdrawn', 'administrator’s rights removed'), ('code', 'wrong table code')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='securityevent',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['failed', 'paused', 'allowed', 'sign_up', 'health', 'reset', 'granted', 'withdrawn', 'code'])), name='securityevent_kind_is_one_of_its_choices', violation_error_message='Choose one of the listed values.'),
        ),
    ]
