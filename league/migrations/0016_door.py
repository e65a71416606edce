"""Wrong codes of tables among the events of security."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0015_at_table'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
