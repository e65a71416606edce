"""Which rounds a change of a competition's days leaves on other days, and where they would go."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q

from league.core.changes import canonical
from league.models import Competition, Round, Sheet, Stage

Days = tuple[date | None, date | None]  # first and last day of a competition


@dataclass(frozen=True, slots=True)
class RoundMove:
    """A round, with its day and the end of its window after the move. A round with a score sheet stays."""

    round: Round
    day: date
    until: date | None
    stays: bool
    outside: bool  # of the new days, if the round stays where it is


@dataclass(frozen=True, slots=True)
class Moves:
    """The rounds whose days a change of the competition's days puts in question, by `days`."""

    days: int
    rounds: tuple[RoundMove, ...]

    @property
    def movable(self) -> tuple[RoundMove, ...]:
        return tuple(round_ for round_ in self.rounds if not round_.stays)

    @property
    def mark(self) -> str:
        """Return a digest of the rounds and their days, which a form carries."""
        facts = [
            [round_.round.pk, str(round_.round.date), str(round_.round.until), round_.stays]
            for round_ in self.rounds
        ]
        return hashlib.sha256(canonical([self.days, facts]).encode()).hexdigest()[:16]


def find_moves(competition: Competition, *, before: Days, after: Days) -> Moves | None:
    """Return the rounds with a day that the change concerns, or None if it concerns none.

    A new first day concerns every round with a day. A new last day alone concerns the rounds after it.
    """
    (first_was, last_was), (first, last) = (_whole(competition, days) for days in (before, after))
    if first is None or first_was is None:
        return None
    moves_first = first != first_was
    if not moves_first and (last is None or last_was is None or last >= last_was):
        return None
    shift = first - first_was if moves_first or last is None or last_was is None else last - last_was
    later = Q() if moves_first else Q(date__gt=last) | Q(until__gt=last)
    played = Exists(Sheet.objects.current().filter(table__round=OuterRef("pk")))
    dated = (
        Round.objects.of(competition).filter(later, date__isnull=False).exclude(stage__play=Stage.Play.OPEN)
    )
    ordered = (
        dated.annotate(is_played=played)
        .select_related("stage__division")
        .order_by("stage__division__position", "stage__position", "stage_id", "number")
    )
    rounds = tuple(_moves_of(ordered, shift, first, last))
    return Moves(shift.days, rounds) if any(not round_.stays for round_ in rounds) else None


def _whole(competition: Competition, days: Days) -> Days:
    """Return both days. A tournament without a last day has one day."""
    first, last = days
    return first, last or (first if competition.kind == Competition.Kind.EVENT else None)


def _moves_of(rounds: Iterable[Any], shift: timedelta, first: date, last: date | None) -> Iterator[RoundMove]:
    for round_ in rounds:
        ends = round_.until or round_.date
        outside = round_.date < first or (last is not None and ends > last)
        until = round_.until + shift if round_.until else None
        yield RoundMove(round_, round_.date + shift, until, round_.is_played, outside)
