"""Rankings of a club, their periods, and tie-breaks in words."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

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
    return str(_TIE_BREAKS[name][0])


def tie_break_explanation(name: str) -> str:
    return str(_TIE_BREAKS[name][1])
