"""Whether a score sheet was typed, which the log knew."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A sheet has the time of its entry in the log, which names the table."""
    entries = apps.get_model("league", "AuditEntry").objects.filter(action="result.record")
    typed = set(entries.values_list("target", "at"))
    sheets = apps.get_model("league", "Sheet").objects.all()
    facts = sheets.values_list("pk", "table", "entered_at")
    found = [pk for pk, table, at in facts if (f"table:{table}", at) in typed]
    for first in range(0, len(found), 500):
        sheets.filter(pk__in=found[first : first + 500]).update(is_typed=True)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0005_chips")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField("sheet", "is_typed", models.BooleanField(default=False)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(install, remove),
    ]
