"""Penalties in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.core.counted import without_words
from league.models import Penalty, RuleSet
from league.play.hands.words.names import hand_words
from league.rules.penalty_rules.words.at_table import AtTable, at_table, ban_name
from league.rules.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
from scoring.infractions import Variant, levels_in

REVOKED = "revoked"
STATES = (*Penalty.Status.values, REVOKED)


def penalty_state(penalty: Penalty) -> str:
    return str(penalty.status) if penalty.revoked_at is None else REVOKED


def state_words(state: str) -> str:
    return {
        str(Penalty.Status.IN_FORCE): pgettext("penalty", "in force"),
        str(Penalty.Status.REQUESTED): _("awaiting the chief referee"),
        str(Penalty.Status.DECLINED): _("declined"),
        REVOKED: pgettext("penalty", "revoked"),
    }[state]


@dataclass(frozen=True)
class PenaltyLine:
    """A penalty and the penalty rules whose words describe it, in the reader's language.

    ``is_veiled``: the reader learns level and effect, not the offence.
    """

    penalty: Penalty
    rules: PenaltyRules
    is_veiled: bool = False

    @property
    def offence(self) -> str:
        if self.is_veiled:
            return _("offence not shown")
        return self.rules.offence(self.penalty.infraction)

    @property
    def article(self) -> str:
        """Return the article of the offence, or that of the level which the log of hands implied."""
        level = self.rules.levels.get(self.penalty.level)
        if level and self.penalty.is_of_hands and not self.penalty.infraction:
            return level.article
        return self.rules.article(self.penalty.infraction)

    @property
    def level(self) -> str:
        return level_name(self.penalty.level, self.rules)

    @property
    def asked(self) -> str:
        return level_name(self.penalty.suggested, self.rules)

    @property
    def condition(self) -> str:
        penalty = self.penalty
        if penalty.condition is None:
            return self.rules.condition(penalty.infraction, penalty.level)
        ruling = self.rules.ruling_of(penalty)
        return ruling.condition if ruling else ""

    @property
    def units(self) -> str:
        penalty, variant = self.penalty, self._variant
        words = {
            "minute": ngettext("%(count)s minute", "%(count)s minutes", penalty.units),
            "tile": ngettext("%(count)s tile", "%(count)s tiles", penalty.units),
        }
        unit = words.get(variant.unit) if variant else None
        return unit % {"count": penalty.units} if unit else ""

    @cached_property
    def at_table(self) -> AtTable:
        return self.means(in_hand=self.penalty.table_id is not None)

    def means(self, *, in_hand: bool) -> AtTable:
        """Say what the penalty means. ``in_hand``: a hand was played that it can touch."""
        penalty = self.penalty
        return at_table(
            self.rules,
            levels_in(penalty.level),
            self._variant,
            in_hand=in_hand,
            win_ban=penalty.win_ban,
            waits=penalty.waits and not penalty.is_of_hands,  # the hand of a log is over
            units=penalty.units,
        )

    @property
    def ban_name(self) -> str:
        """Return "Dead hand" or "Win ban", or "" for a penalty that bans nothing."""
        return ban_name(self.rules, levels_in(self.penalty.level)) if self.penalty.win_ban else ""

    @property
    def redeal(self) -> bool:
        """Whether the rules deal the hand again."""
        return self._variant is not None and self._variant.redeal and self.penalty.table_id is not None

    @property
    def expels(self) -> bool:
        return self.rules.expels(self.penalty.level) and not self.penalty.waits

    @property
    def forfeits(self) -> bool:
        """Whether an organizer has a seat to forfeit."""
        return self._variant is not None and self._variant.forfeits and self.penalty.table_id is not None

    @property
    def waiting(self) -> str:
        """Say whose decision a request awaits."""
        return _("awaiting a referee") if self.penalty.is_of_hands else _("awaiting the chief referee")

    @property
    def _variant(self) -> Variant | None:
        ruling = self.rules.ruling_of(self.penalty)
        return ruling.variant if ruling else None

    @property
    def hand(self) -> str:
        """Return the hand or "hand unknown". Away from the tables return ""."""
        return hand_words(self.penalty.hand) if self.penalty.table_id else ""

    @property
    def state(self) -> str:
        return penalty_state(self.penalty)


class Wordings:
    def __init__(self, rule_sets: Iterable[RuleSet] = ()) -> None:
        self._by_rule_set = {rule_set.pk: penalty_rules_of(rule_set) for rule_set in rule_sets}

    def line(self, penalty: Penalty) -> PenaltyLine:
        """Costs a query if the rule set is neither known nor selected with the penalty."""
        division = penalty.stage.division
        if division.rule_set_id not in self._by_rule_set:
            self._by_rule_set[division.rule_set_id] = penalty_rules_of(division.rule_set)
        return penalty_line(penalty, self._by_rule_set[division.rule_set_id])

    def lines(self, penalties: Iterable[Penalty]) -> list[PenaltyLine]:
        return [self.line(penalty) for penalty in penalties]

    def any(self, level: str) -> PenaltyRules:
        """Return known rules that have this level, or else empty ones."""
        having = (each for each in self._by_rule_set.values() if each.rank(level) >= 0)
        return next(having, PenaltyRules(None))


def penalty_line(penalty: Penalty, rules: PenaltyRules) -> PenaltyLine:
    known = rules.wording(penalty.infraction, penalty.level)
    if getattr(penalty, "is_veiled", False) and known.is_misconduct(penalty.infraction):
        return PenaltyLine(without_words(penalty), known, is_veiled=True)
    return PenaltyLine(penalty, known)


def penalty_lines(penalties: Iterable[Penalty], rule_set: RuleSet) -> list[PenaltyLine]:
    rules = penalty_rules_of(rule_set)
    return [penalty_line(penalty, rules) for penalty in penalties]
