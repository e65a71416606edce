"""Tie-breaks in words."""

from django.utils.translation import gettext_lazy

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
