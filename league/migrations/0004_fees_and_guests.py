"""Table fees of evenings, and who is a guest."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


def _fee(*name: str) -> models.DecimalField:
    return models.DecimalField(*name, max_digits=8, decimal_places=2, null=True, blank=True)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0003_place_and_days")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField("stage", "fee", _fee("table fee")),
        migrations.AddField("stage", "guest_fee", _fee("table fee of guests")),
        migrations.AddField("presence", "fee", _fee()),
        migrations.AddField("entrant", "is_guest", models.BooleanField("guest", default=False)),
        migrations.RunPython(install, remove),
    ]
