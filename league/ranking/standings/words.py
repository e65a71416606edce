"""Numbers of games that count, rankings, tie-breaks, promotion and relegation in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.text import sentences
from league.models import Division, Stage
from scoring import rankings
from scoring.promotion import DOWN, LEAVES, PLAY_OFF, STAYS, UP
from scoring.rankings import Ranking
from scoring.standings import ALL, AVERAGE, BEST, FIRST, RUN, Numbers, Row


def total_notes(stage: Stage, lines: Sequence[Any], *, of_teams: bool = False) -> list[str]:
    """Return sentences about points that are not from tables of the stage, and about games that count."""
    notes = []
    if any(line.row.carries_in for line in lines):
        notes.append(
            _(
                "† Carried in from a list without tables. These points count for the total and the number of "
                "games, not for places."
            )
        )
    if stage.carry == Stage.Carry.HALF:
        notes.append(_("“Carried over” is half of the total of the previous stage."))
    elif stage.carry == Stage.Carry.ALL:
        notes.append(_("“Carried over” is the total of the previous stage."))
    if of_teams:
        return notes
    if any(line.head_start for line in lines):
        notes.append(_("It includes the head start from the cut."))
    if words := numbers_words(stage.numbers):
        notes.append(sentences(words))
    return notes


def numbers_words(numbers: Numbers) -> list[str]:
    words = []
    if numbers.valid:
        valid = ngettext(
            "Players with fewer than %(count)s game are listed last, unranked.",
            "Players with fewer than %(count)s games are listed last, unranked.",
            numbers.valid,
        )
        words.append(valid % {"count": numbers.valid})
    if numbers.standard is not None:
        words.append(_beyond(numbers.beyond) % {"count": numbers.standard})
        if numbers.beyond != ALL:
            words.append(_("Penalties, points for rounds not played, and points carried over count in full."))
    return words


def _beyond(rule: str) -> str:
    return {
        ALL: _("Standard number of games: %(count)s. Games beyond it also count."),
        FIRST: _("Of more games than %(count)s, only the first %(count)s count."),
        BEST: _("Of more games than %(count)s, only the best %(count)s count."),
        RUN: _("Of more games than %(count)s, only the best %(count)s in a row count."),
        AVERAGE: _("Of more games than %(count)s, the average times %(count)s counts."),
    }[rule]


def unranked_words(row: Row) -> str:
    if row.gone or (row.unplayed and not row.missing):
        return _("unranked: no game")
    valid = row.played + row.missing
    return _("unranked: %(played)s of %(valid)s games") % {"played": row.played, "valid": valid}


def counted_words(row: Row) -> str:
    return _("%(counted)s of %(played)s games count") % {"counted": row.games, "played": row.played}


def period_words(year: int, quarter: int | None, month: int | None) -> str:
    if month is not None:
        return date_format(date(year, month, 1), "YEAR_MONTH_FORMAT")
    if quarter is not None:
        return _("%(year)s, quarter %(quarter)s") % {"year": year, "quarter": quarter}
    return str(year)


def ranking_words(ranking: Ranking) -> str:
    kind, number = ranking.kind, ranking.number
    if kind == rankings.TOTAL and number:
        words = ngettext("Total of at least %(number)s game", "Total of at least %(number)s games", number)
    elif kind == rankings.AVERAGE and number > 1:
        words = ngettext(
            "Average of at least %(number)s game", "Average of at least %(number)s games", number
        )
    elif kind == rankings.BEST:
        words = ngettext("Best game", "Best %(number)s games", number)
    elif kind == rankings.RUN:
        words = _("Best %(number)s games in a row")
    else:
        words = {
            rankings.TOTAL: _("Total"),
            rankings.AVERAGE: _("Average"),
            rankings.GAMES: _("Most games"),
            rankings.POINTS: _("Highest points in one game"),
        }[kind]
    return words % {"number": number}


_TIE_BREAKS = {
    "penalty": (
        gettext_lazy("Fewer penalties"),
        gettext_lazy("The player with fewer penalty points ranks higher."),
    ),
    "average_place": (
        gettext_lazy("Better average place"),
        gettext_lazy("The player with the better average place ranks higher."),
    ),
    "firsts": (
        gettext_lazy("More first places"),
        gettext_lazy("The player with more first places ranks higher."),
    ),
    "seconds": (
        gettext_lazy("More second places"),
        gettext_lazy("The player with more second places ranks higher."),
    ),
    "lasts": (
        gettext_lazy("Fewer fourth places"),
        gettext_lazy("The player with fewer fourth places ranks higher."),
    ),
    "best_points": (
        gettext_lazy("Best raw points"),
        gettext_lazy("The player with the most points at the end of a game ranks higher."),
    ),
    "best_score": (
        gettext_lazy("Best score"),
        gettext_lazy("The player with the best score in a game, including uma, ranks higher."),
    ),
    "head_to_head": (
        gettext_lazy("Head to head"),
        gettext_lazy(
            "The player with the higher score in games where all tied players met at one table ranks "
            "higher. If they never met, the next tie-break decides."
        ),
    ),
    "last_round": (
        gettext_lazy("Latest game"),
        gettext_lazy("The player with the better score in their latest game, including uma, ranks higher."),
    ),
    "preliminary_rank": (
        gettext_lazy("Rank in the previous stage"),
        gettext_lazy("The player with the better rank in the previous stage ranks higher."),
    ),
    "previous_rank": (
        gettext_lazy("Rank of last season"),
        gettext_lazy(
            "The player with the better rank last season ranks higher. Players without such a "
            "rank come after."
        ),
    ),
    "seat_order": (
        gettext_lazy("Seat order"),
        gettext_lazy(
            "The player who sat closer to East at the start of their latest game ranks higher: East, "
            "South, West, North."
        ),
    ),
    "lots": (
        gettext_lazy("Drawing lots"),
        gettext_lazy(
            "Lots are drawn once, and the draw is recorded. Until then tied players share the rank."
        ),
    ),
}


def tie_break_label(name: str) -> str:
    label, _explanation = _TIE_BREAKS[name]
    return str(label)


def tie_break_explanation(name: str) -> str:
    _label, explanation = _TIE_BREAKS[name]
    return str(explanation)


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
    notes = [
        (f"{SIGNS[kind]} {kind_words(kind)}", words)
        for kind, words in sentences.items()
        if kind in zones.kinds.values()
    ]
    if zones.vacancies:
        notes.append(("", _("Players left, so the numbers differ from the settings.")))
    return notes
