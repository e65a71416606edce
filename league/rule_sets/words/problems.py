"""What is wrong with a rule set, in sentences that say what to do. A test walks all problem codes."""

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.numbers import number, number_tenths
from league.core.text import listed
from league.rule_sets.words.settings import setting_label
from league.rule_sets.words.values import KINDS
from scoring.rules import SETTINGS, RuleProblem


def _label(problem: RuleProblem) -> str:
    return setting_label(problem.setting) if problem.setting in SETTINGS else problem.setting


def _type(problem: RuleProblem) -> str:
    return _("“%(setting)s” must be %(expected)s.") % {
        "setting": _label(problem),
        "expected": KINDS[problem.params["kind"]].expected,
    }


def _unsigned(tenths: int) -> str:
    """An amount in tenths without a plus: 10.0."""
    return number_tenths(tenths).removeprefix("+")


def _between(written: Callable[[int], str]) -> Callable[[RuleProblem], str]:
    """A value outside its bounds, all three as `written` writes them."""

    def sentence(problem: RuleProblem) -> str:
        least, most, value = (written(problem.params[name]) for name in ("least", "most", "value"))
        return _("“%(setting)s” must lie between %(least)s and %(most)s; %(value)s does not.") % {
            "setting": _label(problem),
            "least": least,
            "most": most,
            "value": value,
        }

    return sentence


def _step(problem: RuleProblem) -> str:
    return _("“%(setting)s” must be a multiple of %(step)s; %(value)s is not.") % {
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
                "Uma and oka do not balance start and return when %(count)s of the four are at or above the"
                " start: such a table would sum to %(difference)s instead of 0. Change one of them, or tick"
                " that the club plays so."
            )
            % values
        )
    return (
        _(
            "Uma and oka do not balance start and return: every table would sum to %(difference)s instead of"
            " 0. Change one of them, or tick that the club plays so."
        )
        % values
    )


def _target_reached(problem: RuleProblem) -> str:
    return _(
        "Somebody always has %(target)s points or more, as everybody starts with %(start)s: no extension"
        " would begin. Raise the points that end the game, or choose no extension."
    ) % {
        "target": number(problem.params["target_points"]),
        "start": number(problem.params["start_points"]),
    }


def _chombo_timing(problem: RuleProblem) -> str:
    if problem.params["chombo_timing"] == "in_game":
        return _(
            "A chombo counted in the game must be a payment: choose a reverse mangan or points to each other"
            " player, or count it off the total."
        )
    return _(
        "A chombo paid in the game cannot be counted off the total: choose “as a payment in the game”, or"
        " make it a deduction such as -20."
    )


def _says(sentence: str | Promise) -> Callable[[RuleProblem], str]:
    """A sentence with the setting's name, and the problem's parameters as they are."""
    return lambda problem: str(sentence) % {"setting": _label(problem), **problem.params}


_PROBLEMS: Final[Mapping[str, Callable[[RuleProblem], str]]] = {
    "unknown": _says(gettext_lazy("“%(setting)s” is no setting of a rule set. Remove it or mend its name.")),
    "missing": _says(gettext_lazy("“%(setting)s” has no value. Give it one.")),
    "type": _type,
    "range": _between(number),
    "score_range": _between(_unsigned),
    "step": _step,
    "choice": _choice,
    "repeated": _says(gettext_lazy("“%(setting)s” names the same thing twice. Name each once.")),
    "tenth": _says(
        gettext_lazy(
            "“%(setting)s” takes numbers with at most one decimal, for example 30 or 7.5; “%(value)s” is not."
        )
    ),
    "four_numbers": _says(
        gettext_lazy("“%(setting)s” needs four numbers, one for each place; there are %(count)s.")
    ),
    "floating_rows": _says(
        gettext_lazy("“%(setting)s” needs at least one row, and only one row for each number of players.")
    ),
    "floating_count": _says(
        gettext_lazy(
            "“%(setting)s” has rows for 0 to 4 players at or above the start; “%(value)s” is none of them."
        )
    ),
    "positive_chombo": _says(
        gettext_lazy(
            "“%(setting)s” takes points away: write it as a negative number such as -20, not %(value)s."
        )
    ),
    "unbalanced": _unbalanced_problem,
    "target_missing": _says(
        gettext_lazy("An extension needs the points that end the game: fill them in, or choose no extension.")
    ),
    "target_reached": _target_reached,
    "extension_of_one_hand": _says(
        gettext_lazy(
            "Where every hand is a game of its own, there is nothing to extend: choose no extension, or"
            " another length of the game."
        )
    ),
    "length_of_one_hand": _says(
        gettext_lazy(
            "Where every hand is a game of its own, the score cannot follow the length of the game: switch"
            " one of them off."
        )
    ),
    "agari_yame_without_repeat": _says(
        gettext_lazy(
            "Agari-yame ends a last hand that the dealer would repeat: let the dealer repeat the last hand,"
            " or switch agari-yame off."
        )
    ),
    "extra_hands_without_time": _says(
        gettext_lazy(
            "Hands after the time is up need a time limit: fill in the minutes, or set these hands to 0."
        )
    ),
    "kan_ura_dora": _says(
        gettext_lazy(
            "Ura dora under kan dora need both kan dora and ura dora: switch both on, or this one off."
        )
    ),
    "limit_of_one_yakuman": _says(
        gettext_lazy(
            "A hand counts one yakuman at most, so a limit changes nothing: leave the limit empty, or allow"
            " double yakuman or several yakuman in one hand."
        )
    ),
    "nagashi_as_tsumo": _says(
        gettext_lazy(
            "Nagashi mangan is not played, so it cannot count as a tsumo win: switch it on, or this one off."
        )
    ),
    "chombo_timing": _chombo_timing,
}


def rule_problem(problem: RuleProblem) -> str:
    """One problem of a rule set as a sentence that says what to do."""
    return _PROBLEMS[problem.code](problem)
