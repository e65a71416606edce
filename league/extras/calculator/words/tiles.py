"""Accessible names of tiles."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

_SUITED: Final[Mapping[str, Promise]] = {
    "m": gettext_lazy("%(number)s of characters"),
    "p": gettext_lazy("%(number)s of circles"),
    "s": gettext_lazy("%(number)s of bamboo"),
}
_HONOURS: Final[tuple[Promise, ...]] = (
    pgettext_lazy("tile", "East wind"),
    pgettext_lazy("tile", "South wind"),
    pgettext_lazy("tile", "West wind"),
    pgettext_lazy("tile", "North wind"),
    pgettext_lazy("tile", "White dragon"),
    pgettext_lazy("tile", "Green dragon"),
    pgettext_lazy("tile", "Red dragon"),
)


def tile_name(tile: str) -> str:
    """Return a name such as “5 of circles, red” for 0p."""
    number, suit = int(tile[0]), tile[1]
    if suit == "z":
        return str(_HONOURS[number - 1])
    name = str(_SUITED[suit]) % {"number": number or 5}
    return name if number else _("%(tile)s, red") % {"tile": name}
