"""The hand that a table plays, in words. Its code is one of ``scoring.hand_codes``."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.hand_codes import LETTERS, deal_of, first_deal, hands_of, is_known
from scoring.rules import Rules

ROUND_WINDS = (
    pgettext_lazy("wind of the round", "East"),
    pgettext_lazy("wind of the round", "South"),
    pgettext_lazy("wind of the round", "West"),
    pgettext_lazy("wind of the round", "North"),
)


def hand_words(code: str) -> str:
    """Translate "E1.0" to "East 1, honba 0". A code of another form stays as it is."""
    if not is_known(code):
        return _("hand unknown")
    name, _dot, honba = first_deal(code).partition(".")
    if len(name) < 2 or not name.startswith(tuple(LETTERS)) or not honba:
        return code
    words = _("%(hand)s, honba %(honba)s") % {"hand": hand_label(name), "honba": honba}
    times = deal_of(code)
    if not times:
        return words
    if times == 1:
        return _("%(hand)s, dealt again") % {"hand": words}
    return _("%(hand)s, dealt again (%(times)s)") % {"hand": words, "times": times}


def short_hand_words(code: str) -> str:
    """Translate "E1.0" to "East 1 · 0", for a card on the desk."""
    name, _dot, honba = first_deal(code).partition(".")
    if not is_known(code) or not honba:
        return hand_words(code)
    return f"{hand_label(name)} · {honba}{' ↻' if deal_of(code) else ''}"


def hand_label(name: str) -> str:
    """Translate "E1" to "East 1"."""
    letter, number = name[:1], name[1:]
    return _("%(wind)s %(number)s") % {"wind": ROUND_WINDS[LETTERS.index(letter)], "number": number}


def hand_choices(rules: Rules) -> list[tuple[str, str]]:
    return [(name, hand_label(name)) for name in hands_of(rules)]
