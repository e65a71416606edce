from typing import Any

from django.db import models
from django.db.migrations.autodetector import MigrationAutodetector

APART = {"verbose_name", "help_text", "choices", "validators"}  # of a field, which no database knows


class DatabaseChanges(MigrationAutodetector):
    """Finds what a database has to change. Other words or choices of a field need no migration."""

    def deep_deconstruct(self, obj: Any) -> Any:
        parts = super().deep_deconstruct(obj)
        if not isinstance(obj, models.Field):
            return parts
        path, arguments, options = parts
        return path, arguments, {name: value for name, value in options.items() if name not in APART}
