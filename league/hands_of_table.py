"""Which hand a table plays, in words: "East 1, honba 0" for the code "E1.0" (see ``scoring.hand_codes``)."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.hand_codes import read_hand_code
from scoring.hanchan import HandName

ROUND_WINDS: Final[tuple[Promise, ...]] = (
    pgettext_lazy("wind of the round", "East"),
    pgettext_lazy("wind of the round", "South"),
    pgettext_lazy("wind of the round", "West"),
    pgettext_lazy("wind of the round", "North"),
)


def hand_words(code: str) -> str:
    """ "South 4, honba 2" in the reader's language; empty for no code, and what is none as it stands."""
    try:
        name = read_hand_code(code)
    except ValueError:
        return code
    words = {"hand": deal_words(name), "honba": name.honba}
    return _("%(hand)s, honba %(honba)s") % words


def deal_words(name: HandName) -> str:
    """ "South 4": the hand without its honba."""
    return _("%(wind)s %(number)s") % {"wind": ROUND_WINDS[name.round_wind], "number": name.number}
