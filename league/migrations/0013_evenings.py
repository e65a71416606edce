"""Evenings with a table fee of their own, and the day of payment."""

from datetime import date
from typing import Any, ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


def keep_fees(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each evening the fees of the players who came last, and the newest those of its stage."""
    found: dict[tuple[int, date], dict[bool, Any]] = {}
    rows = apps.get_model("league", "Presence").objects.order_by("day", "pk")
    newest = dict(rows.values_list("stage_id", "day"))
    facts = ("stage_id", "day", "stage__fee", "stage__guest_fee", "entrant__is_guest", "fee")
    for stage, day, usual, usual_of_guests, is_guest, fee in rows.values_list(*facts):
        fees = found.setdefault((stage, day), {False: usual, True: usual_of_guests})
        if day != newest[stage]:
            fees[is_guest] = fee
    evenings = apps.get_model("league", "Evening").objects
    for (stage, day), fees in found.items():
        evenings.create(stage_id=stage, day=day, fee=fees[False], guest_fee=fees[True])


def _fee() -> models.DecimalField:
    return models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0012_notice")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField("presence", "paid_on", models.DateField(null=True, blank=True)),
        migrations.RunPython(install, remove),
        migrations.CreateModel(
            "evening",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(verbose_name="Day")),
                ("fee", _fee()),
                ("guest_fee", _fee()),
                ("stage", models.ForeignKey("league.stage", models.CASCADE, related_name="evenings")),
            ],
            {"ordering": ["day"]},
        ),
        migrations.AddConstraint(
            "evening",
            models.UniqueConstraint(
                fields=["stage", "day"],
                name="evening_once_a_day",
                violation_error_message="This day already has an evening.",
            ),
        ),
        migrations.RunPython(keep_fees, migrations.RunPython.noop),
    ]
