"""Rankings of a club, their periods, and tie-breaks in words."""

from collections.abc import Callable
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.rankings import AVERAGE, BEST, GAMES, POINTS, RUN, TOTAL, Ranking


def period_words(year: int, quarter: int | None, month: int | None) -> str:
    """A year, a quarter or a month, as the language writes it."""
    if month is not None:
        return date_format(date(year, month, 1), "YEAR_MONTH_FORMAT")
    if quarter is not None:
        return _("%(year)s, quarter %(quarter)s") % {"year": year, "quarter": quarter}
    return str(year)


def _total(number: int) -> str:
    if not number:
        return _("Total")
    return ngettext("Total of at least %(number)s game", "Total of at least %(number)s games", number) % {
        "number": number
    }


def _average(number: int) -> str:
    if number < 2:
        return _("Average")
    return ngettext("Average of at least %(number)s game", "Average of at least %(number)s games", number) % {
        "number": number
    }


def _best(number: int) -> str:
    return ngettext("Best game", "Best %(number)s games", number) % {"number": number}


def _run(number: int) -> str:
    return _("Best %(number)s games in a row") % {"number": number}


_WORDS: Final[dict[str, Callable[[int], str]]] = {
    TOTAL: _total,
    AVERAGE: _average,
    BEST: _best,
    RUN: _run,
    GAMES: lambda number: _("Most games"),
    POINTS: lambda number: _("Highest points in one game"),
}


def ranking_words(ranking: Ranking) -> str:
    """What is ranked, as the title of the ranking."""
    return _WORDS[ranking.kind](ranking.number)


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
            "The player with the better rank last season ranks higher; players without one come after."
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
    """A tie-break in a few words."""
    return str(_TIE_BREAKS[name][0])


def tie_break_explanation(name: str) -> str:
    """A tie-break in one sentence."""
    return str(_TIE_BREAKS[name][1])
