"""Sentences for the codes that ``scoring`` speaks in: what is wrong, and what to do."""

from collections.abc import Callable, Mapping

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from league.core.numbers import minus_sign, number
from league.core.text import sentences
from league.models import Seat
from scoring.checks import STICK, SheetProblem
from scoring.rules import Rules

WIND_NAMES = tuple(Seat.Wind.labels)


def _sum_short(params: Mapping[str, int]) -> str:
    sentence = _("%(missing)s missing: the four scores make %(sum)s, not %(total)s.") % {
        "missing": number(params["missing"]),
        "sum": number(params["sum"]),
        "total": number(params["total"]),
    }
    return sentences([sentence, _deposit_hint(params["missing"])]) if params.get("deposits") else sentence


def _deposit_hint(missing: int) -> str:
    if missing == STICK:
        return _("A riichi stick on the table?")
    return _("%(count)s riichi sticks on the table?") % {"count": missing // STICK}


_SHEET: dict[str, Callable[[Mapping[str, int]], str]] = {
    "missing_points": lambda p: _("Type this score."),
    "not_hundreds": lambda p: (
        _("Points are multiples of 100: %(points)s is not.") % {"points": number(p["points"])}
    ),
    "sum_short": _sum_short,
    "sum_over": lambda p: (
        _("%(excess)s too much: the four scores make %(sum)s, not %(total)s.")
        % {"excess": number(p["excess"]), "sum": number(p["sum"]), "total": number(p["total"])}
    ),
    "typed_in_points": lambda p: _("Type scores in hundreds: 287 for 28,700."),
    "sticks_negative": lambda p: _("Riichi deposits cannot be negative."),
    "sticks_not_thousands": lambda p: _("Riichi deposits are multiples of 1,000."),
    "very_high": lambda p: _("%(points)s is unusually high. Is it right?") % {"points": number(p["points"])},
    "very_low": lambda p: _("%(points)s is unusually low. Is it right?") % {"points": number(p["points"])},
    "all_at_start": lambda p: _("All four have the starting points. Was this hanchan played?"),
    "many_sticks": lambda p: (
        _("%(points)s in riichi deposits left on the table is a lot. Is it right?")
        % {"points": number(p["sticks"])}
    ),
}


def sheet_problem(problem: SheetProblem) -> str:
    """One problem of a score sheet as a sentence, with the seat in front where it belongs to one."""
    sentence = _SHEET[problem.code](problem.params)
    if problem.seat is None:
        return sentence
    return _("%(wind)s: %(sentence)s") % {"wind": WIND_NAMES[problem.seat], "sentence": sentence}


def in_language(names: Mapping[str, str]) -> str:
    """The name in the reader's language, else English, else any; one Chinese stands in for the other."""
    language = (get_language() or "en").lower()
    near = {"zh-hans": ("zh-hant",), "zh-hant": ("zh-hans",)}.get(language, ())
    for code in (language, *near, "en", "zh-hant"):
        if code in names:
            return names[code]
    return next(iter(names.values()), "")


def _signed(tenths: int) -> str:
    """Tenths as rule books write place points: +50, −7.5; ▲ for minus in Chinese and Japanese."""
    sign = minus_sign() if tenths < 0 else "+" if tenths > 0 else ""
    whole, tenth = divmod(abs(tenths), 10)
    return f"{sign}{whole}.{tenth}" if tenth else f"{sign}{whole}"


def rules_summary(rules: Rules) -> str:
    """Start, return and place points in one line: 30,000 / 35,000 · +50/+10/−10/−30."""
    points = f"{number(rules.start_points)} / {number(rules.return_points)}"
    if rules.floating_uma is not None:
        return _("%(points)s · floating uma") % {"points": points}
    first, *others = rules.uma
    places = "/".join(_signed(tenths) for tenths in (first + rules.oka, *others))
    return _("%(points)s · %(places)s") % {"points": points, "places": places}


_TIE_BREAKS = {
    "penalty": (
        gettext_lazy("Fewer penalties"),
        gettext_lazy("Whoever lost less in penalties stands higher."),
    ),
    "average_place": (
        gettext_lazy("Better average place"),
        gettext_lazy("Whoever placed better on average stands higher."),
    ),
    "firsts": (
        gettext_lazy("More first places"),
        gettext_lazy("Whoever won more hanchan stands higher."),
    ),
    "seconds": (
        gettext_lazy("More second places"),
        gettext_lazy("Whoever came second more often stands higher."),
    ),
    "lasts": (
        gettext_lazy("Fewer fourth places"),
        gettext_lazy("Whoever came last less often stands higher."),
    ),
    "best_points": (
        gettext_lazy("Best raw points"),
        gettext_lazy("Whoever had the most points at the end of one hanchan stands higher."),
    ),
    "best_score": (
        gettext_lazy("Best score"),
        gettext_lazy("Whoever had the best score of one hanchan, uma included, stands higher."),
    ),
    "head_to_head": (
        gettext_lazy("Head to head"),
        gettext_lazy(
            "Whoever scored more in the hanchan in which all of the equal players sat at one table stands"
            " higher. If they never did, the next tie-break decides."
        ),
    ),
    "last_round": (
        gettext_lazy("Newest hanchan"),
        gettext_lazy("Whoever had the better score in their newest hanchan, uma included, stands higher."),
    ),
    "preliminary_rank": (
        gettext_lazy("Rank in the stage before"),
        gettext_lazy("Whoever ranked higher in the stage before stands higher."),
    ),
    "previous_rank": (
        gettext_lazy("Rank of last season"),
        gettext_lazy("Whoever ranked higher last season stands higher; who did not play then comes after."),
    ),
    "seat_order": (
        gettext_lazy("Seat order"),
        gettext_lazy(
            "Whoever sat nearer to east at the start of their newest hanchan stands higher: east, south,"
            " west, north."
        ),
    ),
    "lots": (
        gettext_lazy("Drawing lots"),
        gettext_lazy(
            "Lots are drawn, once, and the draw is recorded. Until then those who are equal share the rank."
        ),
    ),
}


def tie_break_label(name: str) -> str:
    """A tie-break in a few words."""
    return str(_TIE_BREAKS[name][0])


def tie_break_explanation(name: str) -> str:
    """A tie-break in one sentence."""
    return str(_TIE_BREAKS[name][1])
