"""A notice of the organizer to visitors."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import players.text
from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0011_misconduct")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            "competition",
            "notice",
            models.CharField(
                "notice", max_length=300, blank=True, default="", validators=[players.text.validate_visible]
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "competition", "notice_until", models.DateField("notice until", null=True, blank=True)
        ),
        migrations.RunPython(install, remove),
    ]
