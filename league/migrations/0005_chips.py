"""The chips that a seat won or lost."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Q
from django.db.models.lookups import Exact

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0004_fees_and_guests")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        *(
            migrations.AddField("sheet", f"{wind}_chips", models.IntegerField(default=0))
            for wind in ("east", "south", "west", "north")
        ),
        migrations.AddConstraint(
            "sheet",
            models.CheckConstraint(
                condition=Q(
                    Exact(F("east_chips") + F("south_chips") + F("west_chips") + F("north_chips"), 0)
                ),
                name="chips_sum_to_zero",
                violation_error_message="Chips must sum to zero.",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
