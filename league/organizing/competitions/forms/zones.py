"""The field for a time zone."""

from functools import cache
from typing import Any

from django import forms

from league.models.competitions import NOT_CITIES, time_zones, validate_timezone, zone_city
from players.text import tidy

# Cities that share the time zone of another one, and names of cities in Chinese and Japanese.
OTHER_CITIES = {
    "香港": "Asia/Hong_Kong",
    "澳門": "Asia/Macau",
    "澳门": "Asia/Macau",
    "台北": "Asia/Taipei",
    "臺北": "Asia/Taipei",
    "beijing": "Asia/Shanghai",
    "北京": "Asia/Shanghai",
    "上海": "Asia/Shanghai",
    "guangzhou": "Asia/Shanghai",
    "廣州": "Asia/Shanghai",
    "广州": "Asia/Shanghai",
    "shenzhen": "Asia/Shanghai",
    "深圳": "Asia/Shanghai",
    "東京": "Asia/Tokyo",
    "东京": "Asia/Tokyo",
    "osaka": "Asia/Tokyo",
    "大阪": "Asia/Tokyo",
    "首爾": "Asia/Seoul",
    "首尔": "Asia/Seoul",
    "ソウル": "Asia/Seoul",
    "新加坡": "Asia/Singapore",
    "シンガポール": "Asia/Singapore",
    "washington": "America/New_York",
    "san francisco": "America/Los_Angeles",
    "munich": "Europe/Berlin",
    "milan": "Europe/Rome",
    "barcelona": "Europe/Madrid",
}


@cache
def zones_by_city() -> dict[str, str]:
    """Return the time zone of each city. Two zones of one city are two names of one zone."""
    cities = [name for name in time_zones() if "/" in name and name.partition("/")[0] not in NOT_CITIES]
    return {zone_city(name): name for name in sorted(cities, reverse=True)}


class ZoneField(forms.CharField):
    """A time zone, found by its city or its name, with or without underscores."""

    default_validators = [validate_timezone]

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"list": "zones", "autocomplete": "off"})
        super().__init__(**{"max_length": 60, "widget": widget, **options})

    @property
    def zones(self) -> list[tuple[str, str]]:
        """Return (city, zone) of the cities to search."""
        return sorted(zones_by_city().items())

    def prepare_value(self, value: object) -> str:
        typed = str(value or "")
        city = zone_city(typed)
        return city if self.to_python(city) == typed else typed.replace("_", " ")

    def to_python(self, value: object) -> str:
        typed = tidy(super().to_python(value) or "")
        folded = typed.casefold().replace("_", " ")
        named = {name.casefold().replace("_", " "): name for name in time_zones()}
        cities = {city.casefold(): name for city, name in zones_by_city().items()}
        return named.get(folded) or cities.get(folded) or OTHER_CITIES.get(folded) or typed.replace(" ", "_")
