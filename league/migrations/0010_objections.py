"""Messages of players, and the time for objections."""

from typing import ClassVar

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

from league.models import triggers


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(schema_editor.connection, apps)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(schema_editor.connection)


KINDS = [
    ("referee", "call"),
    ("objection", "objection"),
    ("late", "late"),
    ("absent", "cannot come"),
]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("players", "0001_initial"), ("league", "0009_declined")]
    operations: ClassVar = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            "competition",
            "objection_minutes",
            models.PositiveSmallIntegerField(default=30, verbose_name="minutes for objections"),
        ),
        migrations.AddField("call", "kind", models.CharField(choices=KINDS, default="referee", max_length=10)),
        migrations.AddField(
            "call",
            "player",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="players.player",
            ),
        ),
        migrations.RemoveConstraint("call", "one_open_call_a_table"),
        migrations.AddConstraint(
            "call",
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(closed_at__isnull=True, kind="referee"),
                name="one_open_call_a_table",
                violation_error_message="A referee has already been called to this table.",
            ),
        ),
        migrations.AddConstraint(
            "call",
            models.UniqueConstraint(
                fields=["table", "kind", "player"],
                condition=Q(closed_at__isnull=True),
                name="one_open_message_a_player",
                violation_error_message="Staff already have this message.",
            ),
        ),
        migrations.AddConstraint(
            "call",
            models.CheckConstraint(
                condition=Q(("kind__in", [kind for kind, _label in KINDS])),
                name="call_kind_is_one_of_its_choices",
                violation_error_message="Choose one of the listed values.",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
