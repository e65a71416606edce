"""The hand that a table plays, in words and as a choice. Its codes are those of ``scoring.hand_codes``."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.hand_codes import LETTERS, hand_code, hands_of
from scoring.rules import Rules

ROUND_WINDS = (
    pgettext_lazy("wind of the round", "East"),
    pgettext_lazy("wind of the round", "South"),
    pgettext_lazy("wind of the round", "West"),
    pgettext_lazy("wind of the round", "North"),
)


def hand_words(code: str) -> str:
    """ "East 1, honba 0" for "E1.0" in the reader's language; a code of another form as it is."""
    name, _dot, honba = code.partition(".")
    if len(name) < 2 or name[0] not in LETTERS or not honba:
        return code
    return _("%(hand)s, honba %(honba)s") % {"hand": hand_label(name), "honba": honba}


def hand_label(name: str) -> str:
    """ "East 1" for "E1": the hand without its honba."""
    return _("%(wind)s %(number)s") % {"wind": ROUND_WINDS[LETTERS.index(name[0])], "number": name[1:]}


def hand_choices(rules: Rules) -> list[tuple[str, str]]:
    """Every hand that these rules may play, ("E1", "East 1") in playing order, for a form."""
    names = [hand_code(name).partition(".")[0] for name in hands_of(rules)]
    return [(name, hand_label(name)) for name in names]
