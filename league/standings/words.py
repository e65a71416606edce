from collections.abc import Callable
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.rankings import AVERAGE, BEST, GAMES, POINTS, RUN, TOTAL, Ranking


def period_words(year: int, quarter: int | None, month: int | None) -> str:
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
    return _WORDS[ranking.kind](ranking.number)
