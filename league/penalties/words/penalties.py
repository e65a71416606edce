"""Penalties in words: one of them for a page or a file, what the keys of a list are called, and what of them
another catalogue lacks.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.models import Competition, Division, Penalty, RuleSet
from league.penalties.queries.list import REVOKED, Fact
from league.penalties.words.hands import hand_words
from league.penalty_rules.queries import named_by_penalties
from league.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
from league.people.queries import PlayerInfo


@dataclass(frozen=True)
class Line:
    """A penalty as a page shows it. ``asked``: the level that the book asked for, where it was not given."""

    penalty: Penalty
    player: PlayerInfo | None
    offence: str
    condition: str
    article: str
    level: str
    asked: str
    units: str
    hand: str

    @property
    def state(self) -> str:
        return REVOKED if self.penalty.revoked_at is not None else str(self.penalty.status)


class Books:
    """The books of these rule sets, each read once."""

    def __init__(self, rule_sets: Iterable[RuleSet]) -> None:
        self.by_id = {rule_set.pk: penalty_rules_of(rule_set) for rule_set in rule_sets}

    @classmethod
    def of(cls, competition: Competition) -> "Books":
        found = RuleSet.objects.filter(divisions__competition=competition).distinct()
        return cls(found.select_related("own_catalogue"))

    def line(self, penalty: Penalty, player: PlayerInfo | None) -> Line:
        """A penalty in the reader's language."""
        code = penalty.infraction
        book = self.by_id[penalty.stage.division.rule_set_id].wording(code, penalty.level)
        return Line(
            penalty=penalty,
            player=player,
            offence=book.offence(code),
            condition=condition_of(penalty, book),
            article=book.article(code),
            level=level_name(penalty.level, book),
            asked=level_name(penalty.suggested, book),
            units=_units(penalty, book),
            hand=hand_words(penalty.hand),
        )


def condition_of(penalty: Penalty, book: PenaltyRules) -> str:
    """Under which condition the offence was logged, as far as it is known."""
    if penalty.condition is None:
        return book.condition(penalty.infraction, penalty.level)
    ruling = book.rulings.get(f"{penalty.infraction}.{penalty.condition}")
    return ruling.condition if ruling else ""


def _units(penalty: Penalty, book: PenaltyRules) -> str:
    """ "3 minutes", where the book counts them."""
    ruling = book.rulings.get(f"{penalty.infraction}.{penalty.condition}")
    words = {
        "minute": ngettext("%(count)s minute", "%(count)s minutes", penalty.units),
        "tile": ngettext("%(count)s tile", "%(count)s tiles", penalty.units),
    }
    unit = words.get(ruling.variant.unit) if ruling else None
    return unit % {"count": penalty.units} if unit else ""


def with_facts(found: QuerySet[Penalty]) -> QuerySet[Penalty]:
    """With everything that a line shows."""
    related = ("stage__division", "round", "table", "created_by", "revoked_by", "decided_by")
    return found.select_related(*related)


@dataclass(frozen=True)
class Words:
    """What the keys of the list are called, in the reader's language."""

    people: Mapping[int, PlayerInfo]
    books: Books

    def of(self, name: str, fact: Fact) -> str:
        namings: Mapping[str, Callable[[Fact], str]] = {
            "player": self.player,
            "level": self.level,
            "offence": self.offence,
            "referee": lambda fact: fact.referee_name or "–",
            "round": self.round,
            "division": lambda fact: fact.division_name,
            "state": lambda fact: state_words(fact.state),
        }
        return namings[name](fact)

    def player(self, fact: Fact) -> str:
        info = self.people.get(fact.player)
        return info.name if info else "–"

    def level(self, fact: Fact) -> str:
        return level_name(fact.level, self._book(fact)) or _("no level")

    def offence(self, fact: Fact) -> str:
        if not fact.infraction:
            return _("in the referee’s own words")
        return self._book(fact).offence(fact.infraction)

    def article(self, fact: Fact) -> str:
        return self._book(fact).article(fact.infraction)

    def _book(self, fact: Fact) -> PenaltyRules:
        return self.books.by_id[fact.rule_set].wording(fact.infraction, fact.level)

    def round(self, fact: Fact) -> str:
        where = {"division": fact.division_name, "stage": fact.stage_name, "round": fact.round_number}
        if fact.round is None:
            return _("away from any round")
        return _("%(division)s, %(stage)s, round %(round)s") % where


def state_words(state: str) -> str:
    """Whether a penalty counts, waits, was declined or revoked."""
    return {
        str(Penalty.Status.IN_FORCE): pgettext("penalty", "in force"),
        str(Penalty.Status.REQUESTED): _("waits for the chief referee"),
        str(Penalty.Status.DECLINED): _("declined"),
        REVOKED: pgettext("penalty", "revoked"),
    }[state]


# --- another catalogue


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """An offence or a level that logged penalties name and another catalogue lacks, or calls otherwise.
    ``then``: what it is called with that one; empty if as before.
    """

    name: str
    then: str
    penalties: int


def left_behind(division: Division, to: RuleSet) -> list[LeftBehind]:
    """What the division's penalties name and the catalogue of ``to`` lacks. Each penalty counts once: for its
    offence, or for its levels where those alone are lacking. One query.
    """
    now, then = penalty_rules_of(division.rule_set), penalty_rules_of(to)
    counts: dict[tuple[str, str], int] = {}
    for each in named_by_penalties(division):
        books = now.wording(each.infraction, each.level), then.wording(each.infraction, each.level)
        if _differs(now, then, each.infraction, ""):
            before, after = (book.offence(each.infraction) for book in books)
        elif _differs(now, then, "", each.level):
            before, after = (level_name(each.level, book) for book in books)
        else:
            continue
        counts[before, after] = counts.get((before, after), 0) + each.penalties
    return [LeftBehind(old, "" if old == new else new, count) for (old, new), count in counts.items()]


def _differs(now: PenaltyRules, then: PenaltyRules, infraction: str, level: str) -> bool:
    names = now.names(infraction, level)
    return names is not None and names != then.names(infraction, level)
