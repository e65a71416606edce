"""How many disputes, photographs and calls an import may remove."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0007_imports")]
    operations: ClassVar = [
        migrations.AddField("importjob", "removes", models.PositiveIntegerField(null=True)),
    ]
