"""The players who let visitors read the page of all their competitions."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("players", "0001_initial")]
    operations: ClassVar = [
        # Nullable, so that SQLite does not make the table anew, which triggers of the league name.
        migrations.AddField(
            "player",
            "profile_since",
            models.DateTimeField("public profile since", blank=True, editable=False, null=True),
        ),
    ]
