"""The check that the penalties of a competition add up to what its standings deduct."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from league.core.stages import stages_of
from league.models import Competition
from league.penalties.queries.penalties import PlayerSum, player_sums
from league.standings.queries.standings import standings_of
from scoring.units import Score


@dataclass(frozen=True, slots=True)
class Difference:
    """A player for whom the penalties and the standings do not agree, in tenths."""

    player: int
    listed: int
    deducted: Score


@dataclass(frozen=True, slots=True)
class Check:
    """Do the penalties of a competition add up to what its standings deduct? Sums in tenths."""

    listed: int
    deducted: Score
    differences: tuple[Difference, ...]

    @property
    def fits(self) -> bool:
        return not self.differences


def standings_check(competition: Competition, *, public: bool) -> Check:
    """Do the penalties that count for this audience add up to what it sees deducted?"""
    return checked(player_sums(competition, public=public), standings_deduct(competition, public=public))


def standings_deduct(competition: Competition, *, public: bool) -> dict[int, Score]:
    """Player → what the standings of all stages add to their scores as penalties, in tenths."""
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    ranked = standings_of(stages, public=public, every=stages).values() if stages else ()
    taken: defaultdict[int, Score] = defaultdict(int)
    for line in (line for each in ranked for line in each.rows):
        taken[line.row.player] += line.row.penalty
    return dict(taken)


def checked(sums: Iterable[PlayerSum], deducted: Mapping[int, Score]) -> Check:
    """Hold the penalties' sums against what the standings deduct: player → tenths."""
    listed = {each.player: each.sum for each in sums}
    both = [(player, listed.get(player, 0), deducted.get(player, 0)) for player in {*listed, *deducted}]
    return Check(
        listed=sum(listed.values()),
        deducted=sum(deducted.values()),
        differences=tuple(Difference(*each) for each in sorted(both) if each[1] != each[2]),
    )
