"""The security log says who is given or loses the rights of an administrator."""

from typing import ClassVar

from django.db import migrations, models
from django.db.models import Q

KIND = {
    "failed": "failed sign-in",
    "paused": "sign-in paused",
    "allowed": "sign-in allowed again",
    "sign_up": "sign-up",
    "health": "health check",
    "reset": "new password requested",
    "granted": 'administrator’s rights given',
    "withdrawn": 'administrator’s rights removed',
}
NAME = "securityevent_kind_is_one_of_its_choices"


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0008_import_removes")]
    operations: ClassVar = [
        migrations.RemoveConstraint("securityevent", NAME),
        migrations.AlterField(
            "securityevent", "kind", models.CharField(choices=list(KIND.items()), max_length=10)
        ),
        migrations.AddConstraint(
            "securityevent",
            models.CheckConstraint(
                condition=Q(kind__in=list(KIND)),
                name=NAME,
                violation_error_message='Choose one of the listed values.',
            ),
        ),
    ]
