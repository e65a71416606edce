"""Hands and penalties in words, and the properties by which a list of penalties is filtered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from league.core.counted import without_words
from league.core.messages import in_language
from league.core.numbers import number
from league.core.text import listed
from league.models import Penalty, Round, RuleSet, Stage, Table
from league.play.hands.words.names import hand_words
from league.rules.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
from scoring.infractions import Variant

# --- where: a table in its round


def where_words(stage: Stage, round_: Round | None = None, table: Table | None = None) -> str:
    """Return "Division A, Season, round 3, table 2", without round or table if they are None."""
    named: dict[str, object] = {"division": stage.division.name, "stage": stage.name}
    if round_ is None:
        return _("%(division)s, %(stage)s") % named
    named["round"] = round_.number
    if table is None:
        return _("%(division)s, %(stage)s, round %(round)s") % named
    named["table"] = table.number
    return _("%(division)s, %(stage)s, round %(round)s, table %(table)s") % named


# --- one penalty


def counts_words(penalty: Penalty, *, unlisted: Sequence[str] = ()) -> str:
    """Say when the penalty counts. ``unlisted``: players whom its standings leave out."""
    if unlisted:
        return unlisted_words(penalty.stage, unlisted)
    round_ = penalty.round
    if round_ is None or round_.visibility == Round.Visibility.RESULTS:
        return _("It counts at once.")
    return _("It counts when round %(round)s is published.") % {"round": round_.number}


def unlisted_words(stage: Stage, names: Iterable[str]) -> str:
    said = _(
        "Not in the standings of %(stage)s: %(names)s. A penalty there stays on record and changes no total."
    )
    return said % {"stage": where_words(stage), "names": listed(names)}


def win_ban_words(*, waits: bool) -> str:
    if waits:
        return _("Win ban for this hand, until the chief referee decides.")
    return _("Win ban for this hand.")


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
        ruling = self.rules.rulings.get(f"{penalty.infraction}.{penalty.condition}")
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

    @property
    def payment(self) -> str:
        variant = self._variant
        if variant is None or not variant.pay_each:
            return ""
        each = variant.pay_each * (self.penalty.units if variant.unit else 1)
        return _("Pays %(points)s points to each other player.") % {"points": number(each)}

    @property
    def redeal(self) -> bool:
        """Whether the rules deal the hand again."""
        return self._variant is not None and self._variant.redeal and self.penalty.table_id is not None

    @property
    def forfeits(self) -> bool:
        """Whether an organizer has a seat to forfeit."""
        return self._variant is not None and self._variant.forfeits and self.penalty.table_id is not None

    @property
    def ban(self) -> str:
        waits = self.penalty.waits and not self.penalty.is_of_hands  # the hand of a log is over
        return win_ban_words(waits=waits) if self.penalty.win_ban else ""

    @property
    def waiting(self) -> str:
        """Say whose decision a request awaits."""
        return _("awaiting a referee") if self.penalty.is_of_hands else _("awaiting the chief referee")

    @property
    def effects(self) -> list[str]:
        """Return sentences for what happens at the table: ban, restriction, payment, the hand."""
        if self.penalty.table_id is None:
            return []
        handling = in_language(self._variant.hand_handling) if self._variant else ""
        hand = _("Deal again.") if self.redeal else _("Hand: %(what)s.") % {"what": handling.rstrip(".。")}
        found = [self.ban] if self.ban else []
        restriction, payment = self.restriction.rstrip(".。"), self.payment
        found += [_("In this hand: %(what)s.") % {"what": restriction}] if restriction else []
        found += [payment] if payment else []
        return found + ([hand] if handling else [])

    @property
    def holds(self) -> list[str]:
        """Return the restrictions until the hand ends, except a ban on winning."""
        return [each for each in (self.restriction, self.payment) if each]

    @property
    def restriction(self) -> str:
        return in_language(self._variant.restriction) if self._variant else ""

    @property
    def _variant(self) -> Variant | None:
        penalty = self.penalty
        ruling = self.rules.rulings.get(f"{penalty.infraction}.{penalty.condition}")
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


# --- what a list of them is filtered and summed by

NOTHING = "-"  # the key of a penalty without an offence of the rules, or without a round


@dataclass(frozen=True)
class Dimension:
    """A property of penalties. ``everything`` labels the choice without a filter, ``key`` is in addresses."""

    label: Promise
    everything: Promise
    key: Callable[[Penalty], object]
    words: Callable[[PenaltyLine], str]


def _round_words(line: PenaltyLine) -> str:
    penalty = line.penalty
    return where_words(penalty.stage, penalty.round) if penalty.round else _("not tied to a round")


DIMENSIONS: Mapping[str, Dimension] = {
    "player": Dimension(
        gettext_lazy("Player"),
        gettext_lazy("everyone"),
        lambda penalty: penalty.player_id,
        lambda line: line.penalty.player.name,
    ),
    "level": Dimension(
        gettext_lazy("Level"),
        gettext_lazy("all levels"),
        lambda penalty: penalty.level or None,
        lambda line: line.level or _("no level"),
    ),
    "offence": Dimension(
        gettext_lazy("Offence and article"),
        gettext_lazy("all offences"),
        lambda penalty: penalty.infraction or None,
        lambda line: line.offence or _("in the referee’s own words"),
    ),
    "referee": Dimension(
        gettext_lazy("Referee"),
        gettext_lazy("all referees"),
        lambda penalty: penalty.created_by_id,
        lambda line: line.penalty.created_by.get_username() if line.penalty.created_by else "–",
    ),
    "round": Dimension(
        gettext_lazy("Round"), gettext_lazy("all rounds"), lambda penalty: penalty.round_id, _round_words
    ),
    "division": Dimension(
        gettext_lazy("Division"),
        gettext_lazy("all divisions"),
        lambda penalty: penalty.stage.division.slug,
        lambda line: line.penalty.stage.division.name,
    ),
    "state": Dimension(
        gettext_lazy("State"), gettext_lazy("all states"), penalty_state, lambda line: state_words(line.state)
    ),
}


def key_of(name: str, penalty: Penalty) -> str:
    key = DIMENSIONS[name].key(penalty)
    return NOTHING if key is None else str(key)


# --- the script


def script_words() -> dict[str, str]:
    return {
        "unsent": _("Not sent yet: {what}. It will be sent when you are back online."),
        "stopped": _("Not logged: {what}. {why}"),
        "refused": _("Not sent: {what}. You may have been signed out. Reload this page."),
        "sent": _("Logged: {what}."),
        "send": _("Send now"),
        "look": _("Review"),
        "reload": _("Reload page"),
        "discard": _("Discard"),
        "discard-sure": _("Discard this entry?"),
        "desk": _("Go to the desk"),
        "seconds": _("{seconds} s"),
    }
