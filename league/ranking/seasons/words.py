from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Division, Round
from scoring.promotion import (
    BY_HAND,
    BY_RANK,
    DOWN,
    LEAVES,
    PLAY_OFF,
    PLAYED,
    SPARED,
    STAYS,
    UP,
    VACANCY,
    WITHDRAWN,
    MovementProblem,
)
from scoring.standings import ALL, AVERAGE, BEST, FIRST, Numbers, Row


def numbers_words(numbers: Numbers) -> list[str]:
    found = []
    if numbers.valid:
        valid = ngettext(
            "Players with fewer than %(count)s game are listed last, unranked.",
            "Players with fewer than %(count)s games are listed last, unranked.",
            numbers.valid,
        )
        found.append(valid % {"count": numbers.valid})
    if numbers.standard is not None:
        found.append(_beyond(numbers.beyond) % {"count": numbers.standard})
        if numbers.beyond != ALL:
            found.append(_("Penalties, points for rounds not played, and points carried over count in full."))
    return found


def _beyond(rule: str) -> str:
    return {
        ALL: _("Standard number of games: %(count)s. Games beyond it also count."),
        FIRST: _("Of more games than %(count)s, only the first %(count)s count."),
        BEST: _("Of more games than %(count)s, only the best %(count)s count."),
        AVERAGE: _("Of more games than %(count)s, the average times %(count)s counts."),
    }[rule]


def unranked_words(row: Row) -> str:
    if row.gone or (row.unplayed and not row.missing):
        return _("unranked: no game")
    valid = row.played + row.missing
    return _("unranked: %(played)s of %(valid)s games") % {"played": row.played, "valid": valid}


def counted_words(row: Row) -> str:
    return _("%(counted)s of %(played)s games count") % {"counted": row.games, "played": row.played}


# --- who goes up and down


def problem_words(problem: MovementProblem, divisions: Sequence[Division]) -> str:
    upper = divisions[problem.division]
    lower = divisions[problem.division + 1] if problem.division + 1 < len(divisions) else upper
    names = {"division": upper.name, "lower": lower.name, "asked": problem.asked, "there": problem.there}
    sentence = {
        "nothing_above": _("%(division)s is the highest division and cannot have promotion."),
        "nothing_below": _("%(division)s is the lowest division and cannot have relegation."),
        "more_than_there_are": _(
            "%(division)s has too few players: %(there)s, but %(asked)s would move or enter a play-off."
        ),
        "nobody_to_come_up": _(
            "%(division)s has too few ranked players: %(there)s, but %(asked)s would be promoted or "
            "enter the play-off."
        ),
        "play_off_alone": _("A play-off between %(division)s and %(lower)s needs players of both."),
    }[problem.code]
    return sentence % names


def round_words(round_: Round) -> str:
    return _("%(division)s, %(stage)s, round %(number)s") % {
        "division": round_.stage.division.name,
        "stage": round_.stage.name,
        "number": round_.number,
    }


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


def why_words(why: str) -> str:
    return {
        BY_RANK: "",
        VACANCY: _("for a vacant place above"),
        SPARED: _("not relegated: another player left"),
        PLAYED: _("decided by the play-off"),
        BY_HAND: _("by hand"),
        WITHDRAWN: _("withdrawn"),
    }[why]


SIGNS = {UP: "▲", DOWN: "▼", PLAY_OFF: "◆"}


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
