"""The names by which a form asks for facts, and sentences on missing facts and wrong forms."""

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from league.core.text import listed

SINGLE: Final[Mapping[str, Promise]] = {
    "tournament": gettext_lazy("Name of the competition"),
    "short_name": gettext_lazy("Short name of the competition"),
    "division": gettext_lazy("Name of the division"),
    "league": gettext_lazy("Name of the league"),
    "venue": gettext_lazy("Venue"),
    "city": gettext_lazy("City"),
    "country": gettext_lazy("Country of the venue, two letters"),
    "country3": gettext_lazy("Country of the venue, three letters"),
    "first_day": gettext_lazy("First day"),
    "last_day": gettext_lazy("Last day"),
    "date": gettext_lazy("Last day as 31.12.2026"),
    "period": gettext_lazy("First and last day in English words"),
    "days": gettext_lazy("Number of days"),
    "participants": gettext_lazy("Number of players with a game"),
    "mers": gettext_lazy("MERS weight"),
    "rules": gettext_lazy("Rule set"),
}
PLAYER: Final[Mapping[str, Promise]] = {
    "player.place": gettext_lazy("Place in the ranking, shared by tied players"),
    "player.name": gettext_lazy("Name"),
    "player.first_name": gettext_lazy("First name"),
    "player.last_name": gettext_lazy("Last name in capitals"),
    "player.romanized": gettext_lazy("Romanized name"),
    "player.ema_number": gettext_lazy("EMA number, -1 without one"),
    "player.ema_member": gettext_lazy("1 for a player with an EMA number, 0 for others"),
    "player.country": gettext_lazy("Country of the player, two letters"),
    "player.country3": gettext_lazy("Country of the player, three letters"),
    "player.club": gettext_lazy("Club"),
    "player.team": gettext_lazy("Team"),
    "player.games": gettext_lazy("Games that count"),
    "player.firsts": gettext_lazy("Number of first places"),
    "player.seconds": gettext_lazy("Number of second places"),
    "player.thirds": gettext_lazy("Number of third places"),
    "player.fourths": gettext_lazy("Number of fourth places"),
    "player.penalty": gettext_lazy("Sum of the penalties"),
    "player.total": gettext_lazy("Total, for example 45.2"),
    "player.points": gettext_lazy("Total in whole points, for example 45200"),
}
TABLE: Final[Mapping[str, Promise]] = {
    "table.stage": gettext_lazy("Stage"),
    "table.round": gettext_lazy("Number of the round"),
    "table.date": gettext_lazy("Day of the table"),
    "table.number": gettext_lazy("Number of the table"),
    **{
        f"table.{wind}{end}": words
        for wind in ("east", "south", "west", "north")
        for end, words in (
            ("", gettext_lazy("Player in this seat")),
            ("_points", gettext_lazy("Points of this seat")),
            ("_score", gettext_lazy("Score of this seat")),
        )
    },
}
PENALTY: Final[Mapping[str, Promise]] = {
    "penalty.player": gettext_lazy("Name of the player"),
    "penalty.score": gettext_lazy("Score of the penalty, for example -20"),
    "penalty.level": gettext_lazy("Level"),
    "penalty.offence": gettext_lazy("Offence"),
    "penalty.reason": gettext_lazy("Remark of the referee"),
    "penalty.round": gettext_lazy("Number of the round"),
    "penalty.table": gettext_lazy("Number of the table"),
}
GROUPS: Final = (
    (pgettext_lazy("names in a form", "Once"), SINGLE),
    (pgettext_lazy("names in a form", "A row per player"), PLAYER),
    (pgettext_lazy("names in a form", "A row per table"), TABLE),
    (pgettext_lazy("names in a form", "A row per penalty"), PENALTY),
)
KNOWN: Final = frozenset(name for _title, names in GROUPS for name in names)

MISSING: Final[Mapping[str, Promise]] = {
    "short_name": gettext_lazy("The short name is missing. Enter it below."),
    "city": gettext_lazy("The city is missing. Enter it below."),
    "country": gettext_lazy("The country of the venue is missing. Enter it below."),
    "mers_weight": gettext_lazy("The MERS weight is missing. Enter it below."),
    "first_day": gettext_lazy("The day of the tournament is missing. Enter it in the settings."),
    "players": gettext_lazy("No player has a result yet."),
}


def missing_names(players: Iterable[str]) -> str:
    return _(
        "These players have one name: %(players)s. Enter first and last name as the romanized name, for "
        "example Anna BERG."
    ) % {"players": listed(players)}


def missing_countries(players: Iterable[str]) -> str:
    words = _("The country of these players is missing: %(players)s. Enter it in the list of players.")
    return words % {"players": listed(players)}


def wrong_number(player: str, number: str) -> str:
    sentence = _("EMA numbers have 8 digits, but %(player)s has “%(number)s”. Correct it.")
    return sentence % {"player": player, "number": number}


def form_problem(code: str, name: str, cell: str) -> str:
    sentences = {
        "unknown": _("“%(name)s” in %(cell)s is not a known name. The list below has all names."),
        "mixed": _("The row %(cell)s asks for players, tables or penalties together. Give each a row."),
        "none": _("No cell of this workbook has a name such as {{ tournament }}. Download the sample form."),
        "tall": _("The worksheet %(cell)s has too many rows. Delete the empty ones below the form."),
        "heavy": _("This workbook is too large when unpacked. Copy the form to a new one."),
        "broken": _("This file cannot be read. Save the form as an Excel workbook (.xlsx)."),
    }
    return sentences[code].replace("%(name)s", name).replace("%(cell)s", cell)


def place_words(place: int) -> str:
    """Return a place on a certificate: "1st place"."""
    endings = {
        1: pgettext("certificate", "%(place)sst place"),
        2: pgettext("certificate", "%(place)snd place"),
        3: pgettext("certificate", "%(place)srd place"),
    }
    usual = pgettext("certificate", "%(place)sth place")
    return (usual if place % 100 in (11, 12, 13) else endings.get(place % 10, usual)) % {"place": place}
