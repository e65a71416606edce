"""Compare every score and rank of a played division under its rules and under other rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from django.db.models import Q

from league.core.stages import stage_before
from league.models import Division, RuleSet, Seat, Sheet, Stage, Table
from league.people.members.queries import PlayerInfo, players_of
from league.play.results.queries.games import (
    NO_SUBSTITUTE,
    SHEET,
    late_seats,
    read_sheet,
    substitutes,
    with_facts,
)
from league.ranking.seasons.queries import moves_under
from league.ranking.standings.queries.overall import order_of
from league.ranking.standings.queries.standings import Standings, compute_standings
from scoring.checks import ERROR, SheetProblem, check_sheet
from scoring.promotion import STAYS
from scoring.rules import Rules
from scoring.settlement import Ending, SeatResult, needs_ending, settle_ending
from scoring.units import Score


@dataclass(frozen=True, slots=True)
class SeatChange:
    player: PlayerInfo
    before: SeatResult
    after: SeatResult

    @property
    def changed(self) -> bool:
        return (self.before.place, self.before.score) != (self.after.place, self.after.score)


@dataclass(frozen=True, slots=True)
class TableChange:
    """A table under both rules. ``problems``: why the new rules make its sheet impossible."""

    pk: int
    stage: int
    round: int
    number: int
    seats: tuple[SeatChange, ...]
    problems: tuple[SheetProblem, ...]

    @property
    def changed(self) -> bool:
        return any(seat.changed for seat in self.seats)


@dataclass(frozen=True, slots=True)
class RankChange:
    player: PlayerInfo
    rank_before: int | None  # None: unranked
    rank_after: int | None
    total_before: Score
    total_after: Score

    @property
    def moved(self) -> bool:
        return self.rank_before != self.rank_after

    @property
    def changed(self) -> bool:
        return self.moved or self.total_before != self.total_after


@dataclass(frozen=True, slots=True)
class StageChange:
    """A stage with its ranks in the new order, and its tables in playing order."""

    stage: Stage
    ranks: tuple[RankChange, ...]
    tables: tuple[TableChange, ...]

    @property
    def changed_tables(self) -> list[TableChange]:
        return [table for table in self.tables if table.changed]

    @property
    def changed_ranks(self) -> list[RankChange]:
        return [line for line in self.ranks if line.changed]


@dataclass(frozen=True, slots=True)
class CutChange:
    """A cut by rank that the new rules would change. It stays as it is."""

    stage: Stage
    out: tuple[PlayerInfo, ...]
    inside: tuple[PlayerInfo, ...]


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A player's rank over all stages (None: unranked), or promotion and relegation."""

    player: PlayerInfo
    before: int | str | None
    after: int | str | None


@dataclass(frozen=True, slots=True)
class Effect:
    """The changes under the new rules.

    ``places``: set if the division has several stages. ``needs_ending``: the new rules need the last dealer
    or sashiuma, which the sheets lack.
    """

    stages: tuple[StageChange, ...]
    other_start: bool
    needs_ending: bool
    cuts: tuple[CutChange, ...] = ()
    places: tuple[PlaceChange, ...] = ()
    moves: tuple[PlaceChange, ...] = ()

    @property
    def _tables(self) -> list[TableChange]:
        return [table for stage in self.stages for table in stage.tables]

    @property
    def impossible(self) -> list[TableChange]:
        return [table for table in self._tables if table.problems]

    @property
    def tables(self) -> int:
        return len(self._tables)

    @property
    def changed_tables(self) -> int:
        return sum(table.changed for table in self._tables)

    @property
    def scores(self) -> int:
        return sum(s.before.score != s.after.score for table in self._tables for s in table.seats)

    @property
    def ranks(self) -> int:
        return sum(line.moved for stage in self.stages for line in stage.ranks)

    @property
    def nothing(self) -> bool:
        totals = any(line.changed for stage in self.stages for line in stage.ranks)
        return not self.changed_tables and not totals


def effect_of(division: Division, to: RuleSet) -> Effect:
    """Compare all rounds, hidden ones included.

    Void sheets have no score. Unconfirmed sheets are settled too. In the ranks they count as the competition
    says.
    """
    before, after = division.rules, to.rules
    stages = list(Stage.objects.filter(division=division).order_by("position", "pk"))
    tables = list(_tables(division, before, after))
    other = copy(division)
    other.rule_set = to
    old, new = ({stage.pk: _standings(stage, each) for stage in stages} for each in (division, other))
    people = {line.player.player: line.player for ranked in new.values() for line in ranked.rows}
    return Effect(
        stages=tuple(_stage(stage, old[stage.pk], new[stage.pk], tables) for stage in stages),
        other_start=_other_start(division, after),
        needs_ending=needs_ending(replace(after, chip_value=None)) and not needs_ending(before),
        cuts=tuple(_cut_changes(stages, old, new)),
        places=tuple(_place_changes(stages, old, new, people)),
        moves=tuple(_move_changes(division, old, new, people)),
    )


Ranked = Mapping[int, Standings]  # by stage


def _cut_changes(stages: Sequence[Stage], old: Ranked, new: Ranked) -> Iterator[CutChange]:
    for stage in stages:
        source = stage_before(stage, stages)
        if source is None or not stage.cut.get("top"):
            continue
        first, top = stage.cut["first"], stage.cut["top"]
        was, would = (
            {line.player for line in ranked[source.pk].rows if first <= line.row.rank < first + top}
            for ranked in (old, new)
        )
        if was != would:
            yield CutChange(stage, _by_name(was - would), _by_name(would - was))


def _by_name(players: Iterable[PlayerInfo]) -> tuple[PlayerInfo, ...]:
    return tuple(sorted(players, key=lambda info: (info.name, info.player)))


def _place_changes(
    stages: Sequence[Stage], old: Ranked, new: Ranked, people: Mapping[int, PlayerInfo]
) -> Iterator[PlaceChange]:
    begun = [stage for stage in stages if new[stage.pk].tables and "play_off" not in stage.cut]
    if len(begun) < 2:
        return
    was = {place.player: None if place.unranked else place.rank for place in order_of(begun, old)}
    for place in order_of(begun, new):
        rank = None if place.unranked else place.rank
        if rank != was.get(place.player):
            yield PlaceChange(people[place.player], was.get(place.player), rank)


def _move_changes(
    division: Division, old: Ranked, new: Ranked, people: Mapping[int, PlayerInfo]
) -> Iterator[PlaceChange]:
    was, would = (moves_under(division.competition, ranked) for ranked in (old, new))
    for player, kind in would.items():
        if player in people and kind != was.get(player):
            yield PlaceChange(people[player], was.get(player, STAYS), kind)


def _other_start(division: Division, rules: Rules) -> bool:
    sheets = Sheet.objects.filter(table__round__stage__division=division)
    return sheets.exclude(total=rules.total_points).exists()


def _tables(division: Division, before: Rules, after: Rules) -> Iterator[TableChange]:
    """Yield every table with a sheet that is not void, in playing order. Queries: 3."""
    people = players_of(division.competition)
    instead = substitutes(Seat.objects.filter(round__stage__division=division))
    found = with_facts(Table.objects.filter(round__stage__division=division))
    settled = Q(now__status__in=[Sheet.Status.ENTERED, Sheet.Status.CONFIRMED])  # see counted_tables
    rows = found.filter(settled).order_by(
        "round__stage__position", "round__stage_id", "round__number", "number"
    )
    columns = ("pk", "round__stage_id", "round__number", "number", *SHEET)
    for pk, stage, round_, number, *facts in rows.values_list(*columns):
        late = late_seats(instead.get(pk, NO_SUBSTITUTE))
        players, points, ending = read_sheet(facts, late=late)
        yield TableChange(
            pk=pk,
            stage=stage,
            round=round_,
            number=number,
            seats=_seats([people[player] for player in players], points, ending, (before, after)),
            problems=_problems(points, ending, after),
        )


def _seats(
    players: Sequence[PlayerInfo],
    points: Sequence[int],
    ending: Ending,
    before_and_after: tuple[Rules, Rules],
) -> tuple[SeatChange, ...]:
    old, new = (settle_ending(points, ending, rules) for rules in before_and_after)
    return tuple(SeatChange(*seat) for seat in zip(players, old, new, strict=True))


def _problems(points: Sequence[int], ending: Ending, rules: Rules) -> tuple[SheetProblem, ...]:
    return tuple(each for each in check_sheet(points, ending.sticks, rules) if each.level == ERROR)


def _stage(stage: Stage, old: Standings, new: Standings, tables: Sequence[TableChange]) -> StageChange:
    ranks = {row.player.player: row.row for row in old.rows}
    lines = (
        RankChange(
            player=row.player,
            rank_before=ranks[row.player.player].shown_rank,
            rank_after=row.row.shown_rank,
            total_before=ranks[row.player.player].total,
            total_after=row.row.total,
        )
        for row in new.rows
    )
    return StageChange(stage, tuple(lines), tuple(table for table in tables if table.stage == stage.pk))


def _standings(stage: Stage, division: Division) -> Standings:
    under = copy(stage)
    under.division = division
    return compute_standings(under, public=False)
