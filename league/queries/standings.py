"""Standings of a stage as one audience sees them, kept under the competition's revision."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.cache import cache

from league.models import Penalty, Stage
from league.queries.games import _games_by_stage
from league.queries.penalties import counted_penalties
from league.queries.people import PlayerInfo, _Entered, entrant_infos
from scoring.settlement import needs_ending
from scoring.standings import Game, Row, rank_players
from scoring.units import Score, half

CACHE_SECONDS = 24 * 3600
CODE = 1  # raise when what is kept in the cache changes its shape


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One row of the standings: the ranking and whose it is."""

    row: Row
    player: PlayerInfo


@dataclass(frozen=True)
class Standings:
    """The standings of one stage as one audience sees them."""

    stage: int
    rows: tuple[StandingsRow, ...]
    games: int
    tables: int


def standings(stage: Stage, *, public: bool) -> Standings:
    """The standings of a stage.

    ``public``: only rounds whose results are published, and no penalty of another round.
    """
    return standings_of([stage], public=public)[stage.pk]


def standings_of(
    stages: Sequence[Stage], *, public: bool, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Stage id → standings, for stages of one competition; in four queries, or three when ``every`` gives all
    stages of the competition (in order, as ``stages_of`` does). What was computed before is only read.
    """
    keys = {_standings_key(stage, public): stage for stage in stages}
    kept: dict[str, Standings] = cache.get_many(keys)
    missing = {key: stage for key, stage in keys.items() if key not in kept}
    if missing:
        made = _compute(list(missing.values()), public=public, every=every)
        fresh = {key: made[stage.pk] for key, stage in missing.items()}
        cache.set_many(fresh, CACHE_SECONDS)
        kept |= fresh
    return {keys[key].pk: found for key, found in kept.items()}


def _standings_key(stage: Stage, public: bool) -> str:
    competition = stage.division.competition
    return f"standings:{CODE}:{competition.pk}:{competition.revision}:{stage.pk}:{int(public)}"


def compute_standings(stage: Stage, *, public: bool) -> Standings:
    """The standings of a stage from the facts, whatever the cache holds: four queries at any size."""
    return _compute([stage], public=public)[stage.pk]


def _compute(
    stages: Sequence[Stage], *, public: bool, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Fetch first: the stages up to these, their games and penalties, the entrants. Then rank.

    A division's first stage lists everyone entered in it; a later one those who play in it.
    """
    competition = stages[0].division.competition
    if every is None:
        every = list(Stage.objects.filter(division__in={stage.division_id for stage in stages}))
    chains = {stage.pk: carried_chain(stage, every) for stage in stages}
    needed = list({each.pk: None for chain, _ in chains.values() for each in chain})
    played = _games_by_stage(
        needed,
        statuses=competition.counted_statuses,
        public=public,
        with_endings=any(needs_ending(stage.division.rules) for stage in stages),
    )
    penalties = _penalties_by_stage(needed, public=public)
    people = entrant_infos(competition)
    return {
        stage.pk: _rank(stage, *chains[stage.pk], played=played, penalties=penalties, people=people)
        for stage in stages
    }


def _rank(
    stage: Stage,
    chain: Sequence[Stage],
    from_the_start: bool,
    *,
    played: Mapping[int, Sequence[Game]],
    penalties: Mapping[int, Sequence[tuple[int, int]]],
    people: Mapping[int, _Entered],
) -> Standings:
    division, competition = stage.division, stage.division.competition
    rows: list[Row] = []
    carried: dict[int, Score] = {}
    for index, each in enumerate(chain):
        lists_all = index == 0 and from_the_start
        entrants = [p for p, info in people.items() if info.division == division.pk] if lists_all else []
        if index:
            carried = _carry(each.carry, rows, only=_players_of(played[each.pk]))
        rows = rank_players(
            played[each.pk],
            division.rules,
            entrants=entrants,
            penalties=penalties[each.pk],
            carried=carried,
            tie_breaks=competition.tie_breaks,
        )
    shown = tuple(StandingsRow(row=row, player=people[row.player].info) for row in rows)
    return Standings(
        stage=stage.pk, rows=shown, games=sum(r.row.games for r in shown), tables=len(played[stage.pk])
    )


def carried_chain(stage: Stage, every: Iterable[Stage]) -> tuple[list[Stage], bool]:
    """The stages whose points reach this one, oldest first, this one last; and whether they begin with the
    division's first. ``every``: at least the stages of its division.
    """
    same = sorted((s for s in every if s.division_id == stage.division_id), key=lambda s: (s.position, s.pk))
    until = same[: [s.pk for s in same].index(stage.pk) + 1]
    start = max((i for i, s in enumerate(until) if i == 0 or s.carry == Stage.Carry.NONE), default=0)
    return until[start:], start == 0


def _players_of(played: Iterable[Game]) -> set[int]:
    return {player for game in played for player in game[:4]}


def _carry(carry: str, rows: Iterable[Row], *, only: set[int]) -> dict[int, Score]:
    share = half if carry == Stage.Carry.HALF else _all
    return {row.player: share(row.total) for row in rows if row.player in only}


def _all(score: Score) -> Score:
    return score


def _penalties_by_stage(stages: Sequence[int], *, public: bool) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {stage: [] for stage in stages}
    counted = counted_penalties(Penalty.objects.filter(stage__in=stages), public=public)
    for stage, player, score in counted.values_list("stage_id", "player_id", "score"):
        found[stage].append((player, score))
    return found
