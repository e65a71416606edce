"""Rankings of a club and their periods in words."""

from datetime import date

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


def ranking_words(ranking: Ranking) -> str:
    kind, number = ranking.kind, ranking.number
    if kind == TOTAL and number:
        words = ngettext("Total of at least %(number)s game", "Total of at least %(number)s games", number)
    elif kind == AVERAGE and number > 1:
        words = ngettext(
            "Average of at least %(number)s game", "Average of at least %(number)s games", number
        )
    elif kind == BEST:
        words = ngettext("Best game", "Best %(number)s games", number)
    elif kind == RUN:
        words = _("Best %(number)s games in a row")
    else:
        words = {
            TOTAL: _("Total"),
            AVERAGE: _("Average"),
            GAMES: _("Most games"),
            POINTS: _("Highest points in one game"),
        }[kind]
    return words % {"number": number}
