"""Problems of a rule set in sentences with a remedy. A test walks all problem codes."""

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.numbers import number, number_tenths
from league.core.text import listed
from league.rules.rule_sets.kinds import KINDS
from league.rules.rule_sets.words.settings import choice_words, setting_label
from scoring.rules import SETTINGS, RuleProblem


def _label(problem: RuleProblem) -> str:
    return setting_label(problem.setting) if problem.setting in SETTINGS else problem.setting


def _type(problem: RuleProblem) -> str:
    return _("“%(setting)s” must be %(expected)s.") % {
        "setting": _label(problem),
        "expected": KINDS[problem.params["kind"]].expected,
    }


def _unsigned(tenths: int) -> str:
    return number_tenths(tenths).removeprefix("+")


def _between(written: Callable[[int], str]) -> Callable[[RuleProblem], str]:
    def sentence(problem: RuleProblem) -> str:
        least, most, value = (written(problem.params[name]) for name in ("least", "most", "value"))
        return _("“%(setting)s” must be between %(least)s and %(most)s, not %(value)s.") % {
            "setting": _label(problem),
            "least": least,
            "most": most,
            "value": value,
        }

    return sentence


def _step(problem: RuleProblem) -> str:
    return _("“%(setting)s” must be a multiple of %(step)s, not %(value)s.") % {
        "setting": _label(problem),
        "step": number(problem.params["step"]),
        "value": number(problem.params["value"]),
    }


def _choice(problem: RuleProblem) -> str:
    return _("“%(setting)s” cannot be “%(value)s”. Choose one of: %(choices)s.") % {
        "setting": _label(problem),
        "value": problem.params["value"],
        "choices": listed(problem.params["choices"]),
    }


def _unbalanced_problem(problem: RuleProblem) -> str:
    values = {"difference": number_tenths(problem.params["difference"])}
    if "row" in problem.params:
        values["count"] = str(problem.params["row"])
        return (
            _(
                "Uma and oka do not balance starting and return points when %(count)s of the four are at or "
                "above the starting points: the scores would sum to %(difference)s, not 0. Change one of "
                "them, or tick the house rule."
            )
            % values
        )
    return (
        _(
            "Uma and oka do not balance starting and return points: the scores of every table would sum "
            "to %(difference)s, not 0. Change one of them, or tick the house rule."
        )
        % values
    )


def _target_reached(problem: RuleProblem) -> str:
    return _(
        "All players start with %(start)s, so one always has %(target)s or more and an extension "
        "never begins. Raise the target points, or choose no extension."
    ) % {"target": number(problem.params["target_points"]), "start": number(problem.params["start_points"])}


def _chombo_timing(problem: RuleProblem) -> str:
    if problem.params["chombo_timing"] == "in_game":
        return _(
            "A chombo during the game must be a payment. Choose a reverse mangan or points to each other "
            "player, or deduct it from the total."
        )
    return _(
        "A chombo paid during the game cannot be deducted from the total. Choose “as a payment in "
        "the game”, or a deduction such as -20."
    )


def _says(sentence: str | Promise) -> Callable[[RuleProblem], str]:
    return lambda problem: str(sentence) % {"setting": _label(problem), **problem.params}


_PROBLEMS: Final[Mapping[str, Callable[[RuleProblem], str]]] = {
    "unknown": _says(gettext_lazy("Unknown setting “%(setting)s”. Remove it or correct its name.")),
    "missing": _says(gettext_lazy("“%(setting)s” has no value. Enter one.")),
    "type": _type,
    "range": _between(number),
    "score_range": _between(_unsigned),
    "step": _step,
    "choice": _choice,
    "repeated": _says(gettext_lazy("“%(setting)s” has a duplicate. List each value once.")),
    "tenth": _says(
        gettext_lazy(
            "“%(setting)s” needs numbers with at most one decimal, for example 30 or 7.5, not “%(value)s”."
        )
    ),
    "four_numbers": _says(
        gettext_lazy("“%(setting)s” needs four numbers, one for each place, not %(count)s.")
    ),
    "floating_rows": _says(
        gettext_lazy("“%(setting)s” needs at least one row, and at most one per number of players.")
    ),
    "floating_count": _says(
        gettext_lazy(
            "“%(setting)s” needs rows for 0 to 4 players at or above the starting points, not "
            "for “%(value)s”."
        )
    ),
    "positive_chombo": _says(
        gettext_lazy("“%(setting)s” is a deduction. Enter a negative number such as -20, not %(value)s.")
    ),
    "unbalanced": _unbalanced_problem,
    "target_missing": _says(
        gettext_lazy("An extension needs target points. Enter them, or choose no extension.")
    ),
    "target_reached": _target_reached,
    "extension_of_one_hand": _says(
        gettext_lazy(
            "When every hand is its own game, there is nothing to extend. Choose no extension, or "
            "another length."
        )
    ),
    "length_of_one_hand": _says(
        gettext_lazy(
            "When every hand is its own game, the score cannot follow the length. Switch one of them off."
        )
    ),
    "agari_yame_without_repeat": _says(
        gettext_lazy(
            "Agari-yame ends a last hand that the dealer would repeat. Allow the dealer to repeat the "
            "last hand, or switch agari-yame off."
        )
    ),
    "extra_hands_without_time": _says(
        gettext_lazy("Hands after time is up need a time limit. Enter the minutes, or set these hands to 0.")
    ),
    "kan_ura_dora": _says(
        gettext_lazy(
            "Ura dora under kan dora need both kan dora and ura dora. Switch both on, or switch this one off."
        )
    ),
    "limit_of_one_yakuman": _says(
        gettext_lazy(
            "A hand counts at most one yakuman here, so a limit has no effect. Leave the limit empty, or "
            "allow double or several yakuman."
        )
    ),
    "nagashi_as_tsumo": _says(
        gettext_lazy(
            "Nagashi mangan is not played, so it cannot count as a tsumo win. Switch it on, or this "
            "setting off."
        )
    ),
    "chombo_timing": _chombo_timing,
}


def rule_problem(problem: RuleProblem) -> str:
    return _PROBLEMS[problem.code](problem)


def not_played(values: Mapping[str, object]) -> str | None:
    """Return why no competition can play these JSON-shaped values, with the remedy, or None if it can."""
    if values.get("chombo_timing") != "before_uma":
        return None
    return _(
        "A competition cannot deduct a chombo before places and uma. Deductions by referees "
        "come off the total. Choose “%(after)s” or “%(paid)s”."
    ) % {name: choice_words("chombo_timing", choice) for name, choice in _TIMINGS_PLAYED.items()}


_TIMINGS_PLAYED: Final = {"after": "after_uma", "paid": "in_game"}
