"""Hands and penalties in words: one penalty for a page or a file, and what a list of them is filtered by."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from league.core.messages import in_language
from league.core.numbers import number
from league.models import Penalty, Round, RuleSet, Stage, Table
from league.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
from scoring.hand_codes import LETTERS, deal_of, first_deal, hands_of, is_known
from scoring.infractions import Variant
from scoring.rules import Rules

# --- where: the hand that a table plays, by the codes of ``scoring.hand_codes``; the table in its round

ROUND_WINDS = (
    pgettext_lazy("wind of the round", "East"),
    pgettext_lazy("wind of the round", "South"),
    pgettext_lazy("wind of the round", "West"),
    pgettext_lazy("wind of the round", "North"),
)


def hand_words(code: str) -> str:
    """ "East 1, honba 0" for "E1.0" in the reader's language; a code of another form as it is."""
    if not is_known(code):
        return _("hand unknown")
    name, _dot, honba = first_deal(code).partition(".")
    if len(name) < 2 or name[0] not in LETTERS or not honba:
        return code
    words = _("%(hand)s, honba %(honba)s") % {"hand": hand_label(name), "honba": honba}
    times = deal_of(code)
    if not times:
        return words
    if times == 1:
        return _("%(hand)s, dealt again") % {"hand": words}
    return _("%(hand)s, dealt again (%(times)s)") % {"hand": words, "times": times}


def hand_label(name: str) -> str:
    """ "East 1" for "E1": the hand without its honba."""
    return _("%(wind)s %(number)s") % {"wind": ROUND_WINDS[LETTERS.index(name[0])], "number": name[1:]}


def hand_choices(rules: Rules) -> list[tuple[str, str]]:
    """Every hand that these rules may play, ("E1", "East 1") in playing order, for a form."""
    return [(name, hand_label(name)) for name in hands_of(rules)]


def where_words(stage: Stage, round_: Round | None = None, table: Table | None = None) -> str:
    """ "Division A, Season, round 3, table 2", as far as it is known."""
    named: dict[str, object] = {"division": stage.division.name, "stage": stage.name}
    if round_ is None:
        return _("%(division)s, %(stage)s") % named
    named["round"] = round_.number
    if table is None:
        return _("%(division)s, %(stage)s, round %(round)s") % named
    named["table"] = table.number
    return _("%(division)s, %(stage)s, round %(round)s, table %(table)s") % named


# --- one penalty


def counts_words(penalty: Penalty) -> str:
    """When the public's standings have it: at once, or with the results of its round."""
    round_ = penalty.round
    if round_ is None or round_.visibility == Round.Visibility.RESULTS:
        return _("It counts at once.")
    return _("It counts when round %(round)s is published.") % {"round": round_.number}


REVOKED = "revoked"
STATES = (*Penalty.Status.values, REVOKED)


def state_words(state: str) -> str:
    """Whether a penalty counts, waits, was declined or revoked."""
    return {
        str(Penalty.Status.IN_FORCE): pgettext("penalty", "in force"),
        str(Penalty.Status.REQUESTED): _("awaiting the chief referee"),
        str(Penalty.Status.DECLINED): _("declined"),
        REVOKED: pgettext("penalty", "revoked"),
    }[state]


@dataclass(frozen=True)
class PenaltyLine:
    """A penalty in the words of the penalty ``rules`` by which it is read, in the reader's language."""

    penalty: Penalty
    rules: PenaltyRules

    @property
    def offence(self) -> str:
        return self.rules.offence(self.penalty.infraction)

    @property
    def article(self) -> str:
        """Where the rules speak of the offence."""
        return self.rules.article(self.penalty.infraction)

    @property
    def level(self) -> str:
        return level_name(self.penalty.level, self.rules)

    @property
    def asked(self) -> str:
        """The level that the rules asked for, where another one was given."""
        return level_name(self.penalty.suggested, self.rules)

    @property
    def condition(self) -> str:
        """The condition under which the offence was logged, as far as it is known."""
        penalty = self.penalty
        if penalty.condition is None:
            return self.rules.condition(penalty.infraction, penalty.level)
        ruling = self.rules.rulings.get(f"{penalty.infraction}.{penalty.condition}")
        return ruling.condition if ruling else ""

    @property
    def units(self) -> str:
        """ "3 minutes", where the rules count them."""
        penalty, variant = self.penalty, self._variant
        words = {
            "minute": ngettext("%(count)s minute", "%(count)s minutes", penalty.units),
            "tile": ngettext("%(count)s tile", "%(count)s tiles", penalty.units),
        }
        unit = words.get(variant.unit) if variant else None
        return unit % {"count": penalty.units} if unit else ""

    @property
    def payment(self) -> str:
        """What the player pays in the game, with what was counted; empty for nothing."""
        variant = self._variant
        if variant is None or not variant.pay_each:
            return ""
        each = variant.pay_each * (self.penalty.units if variant.unit else 1)
        return _("Pays %(points)s points to each other player.") % {"points": number(each)}

    @property
    def holds(self) -> list[str]:
        """What holds at the table until the hand ends, besides a ban on winning."""
        restriction = in_language(self._variant.restriction) if self._variant else ""
        return [each for each in (restriction, self.payment) if each]

    @property
    def _variant(self) -> Variant | None:
        penalty = self.penalty
        ruling = self.rules.rulings.get(f"{penalty.infraction}.{penalty.condition}")
        return ruling.variant if ruling else None

    @property
    def hand(self) -> str:
        """The hand in which it was given, also one that is not known; empty away from the tables."""
        return hand_words(self.penalty.hand) if self.penalty.table_id else ""

    @property
    def state(self) -> str:
        return str(self.penalty.status) if self.penalty.revoked_at is None else REVOKED


class Wordings:
    """The penalty rules by which several penalties are read, each made once."""

    def __init__(self, rule_sets: Iterable[RuleSet] = ()) -> None:
        self._by_rule_set = {rule_set.pk: penalty_rules_of(rule_set) for rule_set in rule_sets}

    def line(self, penalty: Penalty) -> PenaltyLine:
        """A rule set that was not given is fetched with the penalty's division."""
        division = penalty.stage.division
        if division.rule_set_id not in self._by_rule_set:
            self._by_rule_set[division.rule_set_id] = penalty_rules_of(division.rule_set)
        return PenaltyLine(penalty, self.rules(division.rule_set_id, penalty.infraction, penalty.level))

    def lines(self, penalties: Iterable[Penalty]) -> list[PenaltyLine]:
        return [self.line(penalty) for penalty in penalties]

    def any(self, level: str) -> PenaltyRules:
        """Rules that have this level, of those that were given."""
        having = (each for each in self._by_rule_set.values() if each.rank(level) >= 0)
        return next(having, PenaltyRules(None))

    def rules(self, rule_set: int, infraction: str, level: str) -> PenaltyRules:
        """In whose words a penalty of this rule set is read."""
        return self._by_rule_set[rule_set].wording(infraction, level)


def penalty_line(penalty: Penalty, rules: PenaltyRules) -> PenaltyLine:
    return PenaltyLine(penalty, rules.wording(penalty.infraction, penalty.level))


def penalty_lines(penalties: Iterable[Penalty], rule_set: RuleSet) -> list[PenaltyLine]:
    """These penalties of one rule set in words."""
    rules = penalty_rules_of(rule_set)
    return [penalty_line(penalty, rules) for penalty in penalties]


# --- a list of them, by what it is filtered and summed

NOTHING = "-"  # the key of what a penalty does not have: no offence of the rules, away from any round


@dataclass(frozen=True, slots=True)
class ListedPenalty:
    """One penalty as far as the list filters, sorts and sums it; ``score`` in tenths."""

    pk: int
    player: int
    level: str
    infraction: str
    score: int
    status: str
    revoked_at: datetime | None
    referee: int | None
    referee_name: str | None
    round: int | None
    round_number: int | None
    stage: int
    stage_name: str
    division: str
    division_name: str
    rule_set: int

    @property
    def state(self) -> str:
        return self.status if self.revoked_at is None else REVOKED

    @property
    def waits(self) -> bool:
        return self.state == Penalty.Status.REQUESTED

    @property
    def counts(self) -> bool:
        return self.state == Penalty.Status.IN_FORCE


@dataclass(frozen=True)
class ListWords:
    """What the list's penalties are called: ``names`` of players by id, and the penalty rules."""

    names: Mapping[int, str]
    wordings: Wordings

    def of(self, name: str, penalty: ListedPenalty) -> str:
        """What this penalty has in the dimension of this name, in the reader's language."""
        return DIMENSIONS[name].words(self, penalty)

    def rules(self, penalty: ListedPenalty) -> PenaltyRules:
        return self.wordings.rules(penalty.rule_set, penalty.infraction, penalty.level)

    def offence(self, penalty: ListedPenalty) -> str:
        if not penalty.infraction:
            return _("in the referee’s own words")
        return self.rules(penalty).offence(penalty.infraction)

    def round(self, penalty: ListedPenalty) -> str:
        if penalty.round is None:
            return _("not tied to a round")
        return _("%(division)s, %(stage)s, round %(round)s") % {
            "division": penalty.division_name,
            "stage": penalty.stage_name,
            "round": penalty.round_number,
        }


@dataclass(frozen=True)
class Dimension:
    """Something by which penalties are filtered and summed: its label, the choice that narrows nothing, the
    key that addresses use for it, and its words.
    """

    label: Promise
    everything: Promise
    key: Callable[[ListedPenalty], object]
    words: Callable[[ListWords, ListedPenalty], str]


DIMENSIONS: Mapping[str, Dimension] = {
    "player": Dimension(
        gettext_lazy("Player"),
        gettext_lazy("everyone"),
        lambda penalty: penalty.player,
        lambda words, penalty: words.names.get(penalty.player, "–"),
    ),
    "level": Dimension(
        gettext_lazy("Level"),
        gettext_lazy("all levels"),
        lambda penalty: penalty.level or None,
        lambda words, penalty: level_name(penalty.level, words.rules(penalty)) or _("no level"),
    ),
    "offence": Dimension(
        gettext_lazy("Offence and article"),
        gettext_lazy("all offences"),
        lambda penalty: penalty.infraction or None,
        ListWords.offence,
    ),
    "referee": Dimension(
        gettext_lazy("Referee"),
        gettext_lazy("all referees"),
        lambda penalty: penalty.referee,
        lambda _words, penalty: penalty.referee_name or "–",
    ),
    "round": Dimension(
        gettext_lazy("Round"), gettext_lazy("all rounds"), lambda penalty: penalty.round, ListWords.round
    ),
    "division": Dimension(
        gettext_lazy("Division"),
        gettext_lazy("all divisions"),
        lambda penalty: penalty.division,
        lambda _words, penalty: penalty.division_name,
    ),
    "state": Dimension(
        gettext_lazy("State"),
        gettext_lazy("all states"),
        lambda penalty: penalty.state,
        lambda _words, penalty: state_words(penalty.state),
    ),
}


def key_of(name: str, penalty: ListedPenalty) -> str:
    """By which key the list is asked for what this penalty has in a dimension."""
    key = DIMENSIONS[name].key(penalty)
    return NOTHING if key is None else str(key)


# --- the script


def script_words() -> dict[str, str]:
    """What the script of the desk and of the taps says, by name."""
    return {
        "unsent": _("Not sent yet: {what}. It will be sent when you are back online."),
        "stopped": _("Not logged: {what}. {why}"),
        "refused": _("Not sent: {what}. Reload this page; you may have been signed out."),
        "sent": _("Logged: {what}."),
        "send": _("Send now"),
        "look": _("Review"),
        "reload": _("Reload page"),
        "discard": _("Discard"),
        "discard-sure": _("Discard this entry?"),
        "desk": _("Go to the desk"),
        "seconds": _("{seconds} s"),
    }
