"""Who dealt last, and who named whom: for rule sets that break ties from the last dealer, or have sashiuma."""

from typing import ClassVar

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0002_audit_triggers")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="sheet",
            name="last_dealer",
            field=models.PositiveSmallIntegerField(
                choices=[(0, "East"), (1, "South"), (2, "West"), (3, "North")], default=3
            ),
        ),
        migrations.AddField(
            model_name="sheet",
            name="named",
            field=models.CharField(default="----", max_length=4),
        ),
        migrations.AddConstraint(
            model_name="sheet",
            constraint=models.CheckConstraint(
                condition=Q(("last_dealer__gte", 0), ("last_dealer__lte", 3)),
                name="last_dealer_is_one_of_four",
                violation_error_message="The last dealer is East, South, West or North.",
            ),
        ),
    ]
