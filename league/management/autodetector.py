from typing import Any

from django.db import models
from django.db.migrations import Migration
from django.db.migrations.autodetector import MigrationAutodetector

from league.models.trigger_steps import add_steps

APART = {"verbose_name", "help_text", "choices", "validators"}  # of a field, which no database knows


class DatabaseChanges(MigrationAutodetector):
    """Finds what a database has to change. Other words or choices of a field need no migration.

    Each migration removes the triggers before it changes tables, and installs them again.
    """

    def changes(self, *args: Any, **options: Any) -> dict[str, list[Migration]]:
        changes: dict[str, list[Migration]] = super().changes(*args, **options)
        for migrations in changes.values():
            for migration in migrations:
                add_steps(migration)
        return changes

    def deep_deconstruct(self, obj: Any) -> Any:
        parts = super().deep_deconstruct(obj)
        if not isinstance(obj, models.Field):
            return parts
        path, arguments, options = parts
        return path, arguments, {name: value for name, value in options.items() if name not in APART}
