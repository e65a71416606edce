"""What a penalty means at the table, in the same sentences on every page, in messages and in files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from django.utils.translation import gettext as _

from league.core.messages import in_language
from league.core.numbers import number
from league.rules.penalty_rules.words.rulings import PenaltyRules
from scoring.infractions import Level, Names, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable:
    """Sentences in the reader's language, in the order of reading. Empty where there is nothing to say.

    ``ban``, ``restriction`` and ``payment`` bind the player until the hand ends. ``judged``: the entry by
    which the rules judge the offence. ``hand``: what becomes of the hand, or of a forfeited game.
    """

    judged: str = ""
    ban: str = ""
    restriction: str = ""
    payment: str = ""
    hand: str = ""
    expulsion: str = ""

    @property
    def sentences(self) -> list[str]:
        return [words for field in fields(self) if (words := getattr(self, field.name))]

    @property
    def until_the_end(self) -> list[str]:
        return [words for words in (self.ban, self.restriction, self.payment) if words]


def at_table(
    rules: PenaltyRules,
    levels: Sequence[str],
    variant: Variant | None,
    *,
    in_hand: bool,
    win_ban: bool,
    waits: bool = False,
    units: int = 0,
) -> AtTable:
    """Say what the levels of a penalty and the condition of its offence mean.

    ``variant``: None for a penalty without a condition. ``in_hand``: a hand is played that it can touch.
    ``waits``: the chief referee decides. ``units``: tiles or minutes, 0 while they are not known.
    """
    known = [rules.levels[code] for code in levels if code in rules.levels]
    expels = any(level.expels for level in known)
    expulsion = ""
    if expels and waits:
        expulsion = _("Expels the player if the chief referee approves.")
    elif expels:
        expulsion = _("Expelled from the competition. Next: the player’s seats, and a ban.")
    if variant is None:
        return AtTable(ban=_ban_words(known, waits=waits) if win_ban and in_hand else "", expulsion=expulsion)
    pattern = _("Game: %(what)s.") if variant.forfeits else _("Hand: %(what)s.")
    hand = _sentence(pattern, variant.hand_handling) if in_hand or variant.forfeits else ""
    judged = _("Judged as %(offence)s.") % {"offence": variant.judged_as} if variant.judged_as else ""
    payment = _payment_words(variant, units) if in_hand or not variant.pay_each else ""
    if not in_hand:
        return AtTable(judged=judged, payment=payment, hand=hand, expulsion=expulsion)
    return AtTable(
        judged=judged,
        ban=_ban_words(known, waits=waits) if win_ban else "",
        restriction=_sentence(_("In this hand: %(what)s."), variant.restriction),
        payment=payment,
        hand=hand,
        expulsion=expulsion,
    )


def ban_name(rules: PenaltyRules, levels: Sequence[str]) -> str:
    """Return "Dead hand" for levels that forbid more than the win (EMA 2016, 5.2, and WRC 2025, 12.2)."""
    dead = _dead_hand(rules.levels[code] for code in levels if code in rules.levels)
    return in_language(dead.names) if dead else _("Win ban")


def _dead_hand(levels: Iterable[Level]) -> Level | None:
    return next((level for level in levels if level.noten), None)


def _ban_words(levels: Iterable[Level], *, waits: bool) -> str:
    if dead := _dead_hand(levels):
        words = {"level": in_language(dead.names), "what": in_language(dead.meaning)}
        if waits:
            return _("%(level)s until the chief referee decides: %(what)s.") % words
        return _("%(level)s: %(what)s.") % words
    if waits:
        return _("Win ban for this hand, until the chief referee decides.")
    return _("Win ban for this hand.")


def _payment_words(variant: Variant, units: int) -> str:
    is_counted = bool(variant.unit and units)
    if variant.pay_each and (is_counted or not variant.payment):
        each = variant.pay_each * (units if is_counted else 1)
        return _("Pays %(points)s points to each other player.") % {"points": number(each)}
    return _sentence(_("Payment: %(what)s."), variant.payment)


def _sentence(pattern: str, texts: Names) -> str:
    words = in_language(texts).rstrip(".。")
    return pattern % {"what": words} if words else ""
