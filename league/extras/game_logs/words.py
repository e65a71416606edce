"""Sentences about game logs."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.text import labelled, sentences
from league.extras.game_logs.rules import Difference
from league.play.hands.words.names import hand_words
from league.play.hands.words.problems import hanchan_problem
from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.words.settings import setting_label
from scoring.hand_codes import hand_code

UNREADABLE: Final[Mapping[str, Promise]] = {
    "empty": _("This file is empty. Save the game from the service again."),
    "unknown": _(
        "This is not a game log. Choose files of Tenhou (mjlog) or in the format of tenhou.net/6 (JSON)."
    ),
    "large": _("This file unpacks to more than 1 MB, which no game needs. Choose the file of one game."),
    "damaged": _("A part of this game log is missing or wrong. Save it from the service again."),
    "three_players": _("This is a game of three players. Only games of four can be read."),
    "not_whole": _("This game log does not begin with east 1. Save the whole game."),
    "points": _("The points of this game log do not follow from its hands. Save it from the service again."),
    "chips": _(
        "The chips of this game log do not sum to zero or do not follow from its hands. Save it from the "
        "service again."
    ),
}
_REPLAYED: Final[Mapping[str, Promise]] = {
    "payment": _("the payments differ from the rule set"),
    "next": _("under the rule set another hand, or another honba or deposit, would follow"),
    "earlier": _("under the rule set the game would end here"),
    "later": _("under the rule set the game would continue"),
    "refused": _("the rule set has no such hand"),
}


def difference_words(difference: Difference) -> str:
    """Return what differs from the rule set: a setting, or the first such hand."""
    if difference.hand is None:
        rule = {
            "label": setting_label(difference.code),
            "logged": setting_value(difference.code, difference.logged),
            "ruled": setting_value(difference.code, difference.ruled),
        }
        return gettext("%(label)s. In the game: %(logged)s. In the rule set: %(ruled)s.") % rule
    if difference.problems:
        why = sentences(hanchan_problem(problem) for problem in difference.problems)
    else:
        why = gettext("%(why)s.") % {"why": _REPLAYED[difference.code]}
    return labelled(hand_words(hand_code(difference.hand)), why)
