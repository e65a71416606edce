"""The offences in a log of hands, and the requests about them, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.core.numbers import number_tenths
from league.models import Penalty
from league.play.hands.words.names import hand_words
from league.rules.penalty_rules.words.rulings import PenaltyRules
from scoring.implied import CHOMBO, DEAD_HAND, EXTRA_TILES, FOUL, NOTEN_RIICHI, WIN_BAN

OFFENCES: dict[str, str | Promise] = {
    CHOMBO: gettext_lazy("Chombo"),
    FOUL: gettext_lazy("Chombo, the hand continued"),
    NOTEN_RIICHI: gettext_lazy("Riichi without tenpai"),
    DEAD_HAND: pgettext_lazy("log of hands", "Dead hand"),
    WIN_BAN: pgettext_lazy("log of hands", "Win ban"),
    EXTRA_TILES: pgettext_lazy("log of hands", "Too many tiles"),
}


def offence_words(kind: str) -> str:
    return str(OFFENCES[kind])


def request_words(penalty: Penalty, rules: PenaltyRules) -> str:
    """Return "Bob, East 1, honba 0: C-III Wrong win (−25.0)"."""
    offence = rules.offence(penalty.infraction) or penalty.reason
    who = {"name": penalty.player.name, "hand": hand_words(penalty.hand), "offence": offence}
    if not penalty.score:
        return _("%(name)s, %(hand)s: %(offence)s") % who
    return _("%(name)s, %(hand)s: %(offence)s (%(score)s)") % {
        **who,
        "score": number_tenths(penalty.score),
    }


def asked_words(penalty: Penalty, rules: PenaltyRules, *, limit: str) -> str:
    """Say what a request waits for. `limit`: the lowest level that the chief referee decides, or empty."""
    request = {"request": request_words(penalty, rules)}
    if limit and rules.reaches(penalty.level, limit):
        return _("%(request)s. The chief referee decides.") % request
    return _("%(request)s. A referee decides.") % request


def withdrawn_words(penalty: Penalty, rules: PenaltyRules) -> str:
    return _("%(request)s. The request to the referee is withdrawn.") % {
        "request": request_words(penalty, rules)
    }


def stray_words(penalty: Penalty, rules: PenaltyRules) -> str:
    """Say that a decided penalty stays without its hand."""
    return _("%(request)s. A referee has confirmed it, so it stays. Call a referee if it is wrong.") % {
        "request": request_words(penalty, rules)
    }
