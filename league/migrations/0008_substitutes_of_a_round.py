"""An index of the few seats in which a substitute sits."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0007_seating_stages_and_people")]

    operations = [
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                fields=["round"],
                condition=models.Q(stands_for__isnull=False),
                name="substitutes_of_a_round",
            ),
        )
    ]
