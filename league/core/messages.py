"""Sentences for the codes of `scoring`: the problem and its remedy."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.core.numbers import minus_sign, number
from league.core.text import clauses, sentences
from league.models import Seat
from scoring.checks import STICK, SheetProblem
from scoring.rules import Rules
from scoring.units import WINDS

WIND_NAMES = tuple(Seat.Wind.labels)


def _sum_short(params: Mapping[str, int]) -> str:
    sentence = _("%(missing)s missing: the four scores sum to %(sum)s, not %(total)s.") % {
        "missing": number(params["missing"]),
        "sum": number(params["sum"]),
        "total": number(params["total"]),
    }
    return sentences([sentence, _deposit_hint(params["missing"])]) if params.get("deposits") else sentence


def _deposit_hint(missing: int) -> str:
    if missing == STICK:
        return _("Is a riichi stick left on the table?")
    return _("Are %(count)s riichi sticks left on the table?") % {"count": missing // STICK}


def _differs(params: Mapping[str, int]) -> str:
    ends = {
        "points": clauses(number(params[wind]) for wind in WINDS),
        "sticks": number(params["sticks"]),
    }
    sentence = _("The recorded hands end at %(points)s, with %(sticks)s in riichi deposits.") % ends
    if "dealer" not in params:
        return sentence
    dealer = _("Dealer of their last hand: %(wind)s.") % {"wind": WIND_NAMES[params["dealer"]]}
    return sentences([sentence, dealer])


_SHEET: dict[str, Callable[[Mapping[str, int]], str]] = {
    "missing_points": lambda p: _("Enter this score."),
    "not_hundreds": lambda p: (
        _("Points must be multiples of 100, not %(points)s.") % {"points": number(p["points"])}
    ),
    "sum_short": _sum_short,
    "sum_over": lambda p: (
        _("%(excess)s too much: the four scores sum to %(sum)s, not %(total)s.")
        % {"excess": number(p["excess"]), "sum": number(p["sum"]), "total": number(p["total"])}
    ),
    "typed_in_points": lambda p: _("Enter scores in hundreds: 287 for 28,700."),
    "sticks_negative": lambda p: _("Riichi deposits cannot be negative."),
    "sticks_not_thousands": lambda p: _("Riichi deposits must be multiples of 1,000."),
    "very_high": lambda p: (
        _("%(points)s is unusually high. Is it correct?") % {"points": number(p["points"])}
    ),
    "very_low": lambda p: _("%(points)s is unusually low. Is it correct?") % {"points": number(p["points"])},
    "all_at_start": lambda p: _("All four have the starting points. Was this game played?"),
    "differs_from_hands": _differs,
    "before_the_end": lambda p: _("By the recorded hands this game has not ended."),
    "many_sticks": lambda p: (
        _("%(points)s in riichi deposits is unusually high. Is it correct?") % {"points": number(p["sticks"])}
    ),
}


def sheet_problem(problem: SheetProblem, names: Sequence[object] = WIND_NAMES) -> str:
    """Return the sentence. `names`: the seats in words, or else their starting winds."""
    sentence = _SHEET[problem.code](problem.params)
    if problem.seat is None:
        return sentence
    return _("%(wind)s: %(sentence)s") % {"wind": names[problem.seat], "sentence": sentence}


def chips_problem(chips: Iterable[int]) -> str:
    return _("Chips must sum to zero, not %(sum)s.") % {"sum": number(sum(chips))}


def in_language(names: Mapping[str, str]) -> str:
    """Return the name in the reader's language, or the other Chinese script, English, any."""
    language = (get_language() or "en").lower()
    near = {"zh-hans": ("zh-hant",), "zh-hant": ("zh-hans",)}.get(language, ())
    for code in (language, *near, "en", "zh-hant"):
        if code in names:
            return names[code]
    return next(iter(names.values()), "")


def _signed_tenths(tenths: int) -> str:
    """Write place points as rule books do: +50, −7.5, with ▲ for minus in Chinese and Japanese."""
    sign = minus_sign() if tenths < 0 else "+" if tenths > 0 else ""
    whole, tenth = divmod(abs(tenths), 10)
    return f"{sign}{whole}.{tenth}" if tenth else f"{sign}{whole}"


def rules_summary(rules: Rules) -> str:
    """Return start, return and place points: 30,000 / 35,000 · +50/+10/−10/−30."""
    points = f"{number(rules.start_points)} / {number(rules.return_points)}"
    if rules.floating_uma is not None:
        return _("%(points)s · floating uma") % {"points": points}
    first, *others = rules.uma
    places = "/".join(_signed_tenths(tenths) for tenths in (first + rules.oka, *others))
    return _("%(points)s · %(places)s") % {"points": points, "places": places}
