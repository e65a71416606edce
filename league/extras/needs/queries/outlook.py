"""Statements on the end of a stage: through or out, proven or practically decided."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from league.extras.needs.queries.race import Contestant, Line, Race
from league.extras.needs.rules import MISSED, RANK, REACHED, Goal
from league.extras.needs.rules.chances import Chances
from league.extras.needs.rules.hanchan import (
    DEPENDS,
    LastHanchan,
    Reach,
    Record,
    is_provable,
    outcome_of_finished,
    outcome_of_hanchan,
    reach_of,
)
from league.extras.needs.words.race import PRACTICAL, PROVEN
from league.models import Stage


class Outlook(NamedTuple):
    """`outcome`: `REACHED`, `MISSED` or `DEPENDS`. `inside`: the number of simulated `ends` that reach it."""

    outcome: str
    kind: str = ""
    inside: int = 0
    ends: int = 0

    @property
    def otherwise(self) -> int:
        """Return the number of simulated ends against the outcome."""
        return self.ends - self.inside if self.outcome == REACHED else self.inside


def goal_of(line: Line) -> Goal:
    """A shared rank is not enough at a line, because lots would decide."""
    return Goal(RANK, line.rank, alone=True)


def can_prove(race: Race) -> bool:
    """Return whether totals change by games of known tables alone."""
    season, known = race.season, race.records.keys()
    if any(round_.drawn for round_ in season.rounds) or season.team or not known >= race.left.keys():
        return False
    if any(contestant.row.missing for contestant in race.contestants) or not is_provable(
        race.stage.division.rules
    ):
        return False
    return race.stage.sit_out == Stage.SitOut.NOTHING or known == race.left.keys()


def last_hanchan(race: Race, pk: int) -> tuple[LastHanchan, int] | None:
    """Return the last hanchan of a contestant, and their seat, or None if it is not the last or unknown."""
    four = race.table_of(pk) if can_prove(race) else None
    if four is None or any(race.table_of(each) != four for each in four):
        return None
    east, south, west, north = (race.records[each] for each in four)
    others, reaches = _others(race, four)
    last = LastHanchan(
        rules=race.stage.division.rules,
        seats=(east, south, west, north),
        elsewhere=tuple(others),
        reaches=tuple(reaches),
        tie_breaks=tuple(race.stage.competition.tie_breaks),
    )
    return last, four.index(pk)


def outlook(race: Race, pk: int, line: Line, chances: Chances | None) -> Outlook:
    """Return the strongest statement on a contestant and a line."""
    outcome = _proven(race, pk, line)
    kind, inside, ends = "" if outcome == DEPENDS else PROVEN, 0, 0
    if chances and pk in chances.within and line.rank in chances.lines:
        inside, ends = chances.within[pk][chances.lines.index(line.rank)], chances.ends
        if not kind and (decided := chances.decided(pk, line.rank)) is not None:
            outcome, kind = REACHED if decided else MISSED, PRACTICAL
    return Outlook(outcome, kind, inside, ends)


def _proven(race: Race, pk: int, line: Line) -> str:
    if pk not in race.records or not can_prove(race):
        return DEPENDS
    if not race.left[pk]:
        others, reaches = _others(race, (pk,))
        names = race.stage.competition.tie_breaks
        return outcome_of_finished(race.records[pk], others, reaches, names, goal_of(line))
    found = last_hanchan(race, pk) if race.stage.division.rules.bust else None
    return outcome_of_hanchan(*found, goal_of(line)) if found else DEPENDS


def _others(race: Race, without: Collection[int]) -> tuple[list[Record], list[Reach]]:
    """Return the records of the finished others, and the reaches of those who still play.

    A contestant without a game is below all others.
    """
    others = {pk: record for pk, record in race.records.items() if pk not in without}
    finished = [record for pk, record in others.items() if not race.left[pk] and any(record.places)]
    rules = race.stage.division.rules
    return finished, [reach_of(others[pk].total, race.left[pk], rules) for pk in others if race.left[pk]]


def marks_of(race: Race, chances: Chances | None) -> Iterator[tuple[Contestant, Line, Outlook]]:
    """Yield contestant, line and statement for the standings.

    They are the tightest line that is reached and the widest that is missed, or else the first line.
    """
    for contestant in race.contestants:
        found = [(line, outlook(race, contestant.pk, line, chances)) for line in race.lines]
        reached = [(line, said) for line, said in found if said.outcome == REACHED][:1]
        missed = [(line, said) for line, said in found if said.outcome == MISSED][-1:]
        for line, said in [*reached, *missed] or found[:1]:
            yield contestant, line, said
