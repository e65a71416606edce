"""Promotion and relegation in the standings, in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Division
from scoring.promotion import DOWN, LEAVES, PLAY_OFF, STAYS, UP

SIGNS = {UP: "▲", DOWN: "▼", PLAY_OFF: "◆"}


def kind_words(kind: str) -> str:
    return {
        UP: _("promoted"),
        DOWN: _("relegated"),
        STAYS: _("stays"),
        PLAY_OFF: _("play-off"),
        LEAVES: _("leaves"),
    }[kind]


def zone_words(kind: str) -> str:
    return _("withdrawn") if kind == LEAVES else kind_words(kind)


@dataclass(frozen=True, slots=True)
class Zones:
    kinds: Mapping[int, str]  # player → kind of move, without those who stay
    above: Division | None
    below: Division | None
    vacancies: bool  # a player left, so that other numbers move than the settings say


def zone_notes(zones: Zones) -> list[tuple[str, str]]:
    """Return (sign, sentence) for each zone of the standings."""
    sentences = {
        UP: _("promoted to %(division)s if the season ended now")
        % {"division": zones.above.name if zones.above else ""},
        PLAY_OFF: _("in the play-off if the season ended now"),
        DOWN: _("relegated to %(division)s if the season ended now")
        % {"division": zones.below.name if zones.below else ""},
    }
    found = [
        (f"{SIGNS[kind]} {kind_words(kind)}", words)
        for kind, words in sentences.items()
        if kind in zones.kinds.values()
    ]
    if zones.vacancies:
        found.append(("", _("Players left, so the numbers differ from the settings.")))
    return found
