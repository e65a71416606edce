"""All penalties of a competition, as the list filters and sums them: the facts of each in one query."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from league.core.counted import shown_penalties
from league.models import Competition, Penalty

REVOKED = "revoked"
NOTHING = "-"  # the key of what a penalty does not have: no offence of the book, away from any round
STATES = (*Penalty.Status.values, REVOKED)


@dataclass(frozen=True, slots=True)
class Fact:
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

    def key(self, name: str) -> str:
        """What the list is asked for under this name, to find this penalty among others."""
        return _KEYS[name](self)


_KEYS: Mapping[str, Callable[[Fact], str]] = {
    "player": lambda fact: str(fact.player),
    "level": lambda fact: fact.level or NOTHING,
    "offence": lambda fact: fact.infraction or NOTHING,
    "referee": lambda fact: NOTHING if fact.referee is None else str(fact.referee),
    "round": lambda fact: NOTHING if fact.round is None else str(fact.round),
    "division": lambda fact: fact.division,
    "state": lambda fact: fact.state,
}
DIMENSIONS = tuple(_KEYS)

_FIELDS = (
    *("pk", "player_id", "level", "infraction", "score", "status", "revoked_at"),
    *("created_by_id", "created_by__username", "round_id", "round__number"),
    *("stage_id", "stage__name", "stage__division__slug", "stage__division__name"),
    "stage__division__rule_set_id",
)


def penalty_facts(competition: Competition, *, public: bool) -> list[Fact]:
    """The penalties that this audience reads one by one, newest first. One query."""
    shown = shown_penalties(Penalty.objects.filter(competition=competition), public=public)
    return [Fact(*row) for row in shown.order_by("-created_at", "-pk").values_list(*_FIELDS)]


def filtered(facts: Iterable[Fact], wanted: Mapping[str, str]) -> list[Fact]:
    """Those whose keys are the wanted ones: name of a dimension → key."""
    return [fact for fact in facts if all(fact.key(name) == key for name, key in wanted.items())]


@dataclass(frozen=True, slots=True)
class Sum:
    """What penalties with something in common add up to. ``first`` is one of them, ``score`` (tenths) the sum
    of those that count.
    """

    first: Fact
    listed: int
    counted: int
    score: int

    @property
    def others(self) -> int:
        """How many of them do not count."""
        return self.listed - self.counted


def sums_by(facts: Iterable[Fact], what: Callable[[Fact], Hashable]) -> list[Sum]:
    """The penalties in groups of the same ``what``, whichever lost most first."""
    groups: dict[Hashable, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(what(fact), []).append(fact)
    sums = [sum_of(group) for group in groups.values()]
    return sorted(sums, key=lambda each: (each.score, -each.counted, -each.listed))


def sum_of(facts: list[Fact]) -> Sum:
    """What these penalties, one at least, add up to."""
    counting = [fact.score for fact in facts if fact.counts]
    return Sum(facts[0], len(facts), len(counting), sum(counting))
