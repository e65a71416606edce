"""The field for a time zone."""

from typing import Any

from django import forms

from league.models.competitions import time_zones, validate_timezone
from players.text import tidy

NOT_CITIES = ("Etc", "SystemV", "US", "Canada", "Brazil", "Chile", "Mexico", "posix")


class ZoneField(forms.CharField):
    """A time zone, found by its name or its city, with or without underscores."""

    default_validators = [validate_timezone]

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"list": "zones", "autocomplete": "off"})
        super().__init__(**{"max_length": 60, "widget": widget, **options})

    @property
    def zones(self) -> list[str]:
        """Return the names to search, as people write them."""
        named = (name.replace("_", " ") for name in time_zones())
        return sorted(name for name in named if "/" in name and name.partition("/")[0] not in NOT_CITIES)

    def prepare_value(self, value: object) -> str:
        return str(value or "").replace("_", " ")

    def to_python(self, value: object) -> str:
        typed = tidy(super().to_python(value) or "").replace(" ", "_")
        names = [name for name in time_zones() if name.casefold() == typed.casefold()]
        cities = [name for name in time_zones() if name.casefold().endswith(f"/{typed.casefold()}")]
        matching = names or cities
        return matching[0] if len(matching) == 1 else typed
