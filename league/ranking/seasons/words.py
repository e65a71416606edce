from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.models import Division, Round
from scoring.promotion import BY_HAND, BY_RANK, PLAYED, SPARED, VACANCY, WITHDRAWN, MovementProblem


def problem_words(problem: MovementProblem, divisions: Sequence[Division]) -> str:
    upper = divisions[problem.division]
    lower = divisions[problem.division + 1] if problem.division + 1 < len(divisions) else upper
    names = {"division": upper.name, "lower": lower.name, "asked": problem.asked, "there": problem.there}
    sentence = {
        "nothing_above": _("%(division)s is the highest division and cannot have promotion."),
        "nothing_below": _("%(division)s is the lowest division and cannot have relegation."),
        "more_than_there_are": _(
            "%(division)s has too few players: %(there)s, but %(asked)s would move or enter a play-off."
        ),
        "nobody_to_come_up": _(
            "%(division)s has too few ranked players: %(there)s, but %(asked)s would be promoted or "
            "enter the play-off."
        ),
        "play_off_alone": _("A play-off between %(division)s and %(lower)s needs players of both."),
    }[problem.code]
    return sentence % names


def round_words(round_: Round) -> str:
    return _("%(division)s, %(stage)s, round %(number)s") % {
        "division": round_.stage.division.name,
        "stage": round_.stage.name,
        "number": round_.number,
    }


def why_words(why: str) -> str:
    return {
        BY_RANK: "",
        VACANCY: _("for a vacant place above"),
        SPARED: _("not relegated: another player left"),
        PLAYED: _("decided by the play-off"),
        BY_HAND: _("by hand"),
        WITHDRAWN: _("withdrawn"),
    }[why]
