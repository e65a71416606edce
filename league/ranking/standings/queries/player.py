"""A player's total, step by step. The scores of the steps sum to the total of the standings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet, Sum

from league.core.counted import counted_adjustments, counted_penalties, lists_penalties, shown_penalties
from league.core.stages import StageChoice
from league.models import Adjustment, Competition, Entrant, Penalty, Round, Seat, Sheet, Stage, Table
from league.models.play import FORFEITED, sheet_state
from league.people.members.queries import PlayerInfo, players_of
from league.play.results.queries.games import (
    NO_SUBSTITUTE,
    SHEET,
    ByWind,
    late_seats,
    read_sheet,
    substitutes,
    with_facts,
)
from league.play.substitutions.queries.adjustments import add_averages
from league.ranking.standings.queries.standings import RankWithout, StandingsRow, rank_without, standings_of
from scoring.rules import Rules
from scoring.settlement import SeatResult, settle_ending
from scoring.standings import Numbers, counting
from scoring.units import Score

GAMES_FOR_RATES = 5  # below that, one game moves a rate by more than 20 %

CARRIED_IN = Adjustment.Kind.CARRIED_IN


@dataclass(frozen=True, slots=True)
class OwnGame:
    """One table of a player. ``seat`` and those of the opponents are None without a visible result.

    ``as_substitute``: it counts for no player. ``stands_for``: the owner of the seat, if any. ``beyond``: it
    exceeds the number of games that count.
    """

    stage: int
    round: int
    round_number: int
    date: date | None
    table: int
    table_number: int
    status: str  # scheduled, entered, confirmed, void or forfeited
    counts: bool
    wind: int
    seat: SeatResult | None
    opponents: list[tuple[int, PlayerInfo | None, SeatResult | None]]
    as_substitute: bool = False
    stands_for: PlayerInfo | None = None
    beyond: bool = False

    @property
    def bonus(self) -> Score | None:
        return None if self.seat is None else self.seat.uma + self.seat.oka


@dataclass(frozen=True, slots=True)
class TotalStep:
    """A change of the total, in tenths, and the total after it.

    It is a game, a penalty, an adjustment (with the substitute who played), the average of ``averaged`` games
    instead of their sum, or otherwise what was carried over. ``penalties``: number of a stage's penalties in
    one step, 0 if hidden.
    """

    score: Score
    total: Score
    game: OwnGame | None = None
    penalty: Penalty | None = None
    penalties: int | None = None
    adjustment: Adjustment | None = None
    substitute: Entrant | None = None
    averaged: int = 0
    rank_without: RankWithout | None = None  # in the stage, without this penalty or these penalties


class Rates(NamedTuple):
    """Shares of a player's games: firsts, firsts or seconds, all but fourths (一位率, 連對率, 避四率)."""

    first: Fraction
    top_two: Fraction
    avoids_fourth: Fraction


@dataclass(frozen=True, slots=True)
class StageRecord:
    """A player in one stage. ``waiting`` tables and ``off`` penalties do not count (yet).

    Without a row of the standings no penalty counts.
    """

    stage: Stage
    row: StandingsRow | None
    ranked: int  # how many players the standings list
    steps: tuple[TotalStep, ...]
    waiting: tuple[OwnGame, ...]  # newest first
    off: tuple[Penalty, ...]

    @property
    def game_scores(self) -> list[Score]:
        return [step.score for step in self.steps if step.game is not None]

    @property
    def best(self) -> Score | None:
        return max(self.game_scores, default=None)

    @property
    def worst(self) -> Score | None:
        return min(self.game_scores, default=None)

    @property
    def rates(self) -> Rates | None:
        """Return None until the player has ``GAMES_FOR_RATES``."""
        if self.row is None or self.row.row.games < GAMES_FOR_RATES:
            return None
        first, second, _third, fourth = self.row.row.places
        games = self.row.row.games
        return Rates(Fraction(first, games), Fraction(first + second, games), Fraction(games - fourth, games))


def player_records(
    entrant: Entrant, competition: Competition, stages: Sequence[StageChoice], *, public: bool
) -> list[StageRecord]:
    """Return the stages in which the player has a table, a penalty or a rank, newest first. 10 queries."""
    games = own_games(entrant, competition, stages, public=public)
    of_player = Penalty.objects.filter(competition=competition, player=entrant.player_id)
    penalties = list(
        shown_penalties(of_player, public=public)
        .select_related("round", "table")
        .order_by("created_at", "pk")
    )
    merged = {} if lists_penalties(competition, public=public) else _sum_penalties(of_player, competition)
    adjusted = _adjustments(entrant, [choice.stage.pk for choice in stages], public=public)
    touched = {game.stage for game in games} | {penalty.stage_id for penalty in penalties} | merged.keys()
    touched |= {step.adjustment.stage_id for step in adjusted if step.adjustment}
    mine = [c.stage for c in stages if c.stage.pk in touched or c.stage.division_id == entrant.division_id]
    ranked = standings_of(mine, public=public, every=[c.stage for c in stages]) if mine else {}
    records = []
    for stage in mine:
        row = next((r for r in ranked[stage.pk].rows if r.row.player == entrant.player_id), None)
        if row is not None or stage.pk in touched:
            records.append(
                _record(
                    stage,
                    row,
                    len(ranked[stage.pk].rows),
                    [game for game in games if game.stage == stage.pk],
                    [penalty for penalty in penalties if penalty.stage_id == stage.pk],
                    [s for s in adjusted if s.adjustment and s.adjustment.stage_id == stage.pk],
                    merged.get(stage.pk),
                )
            )
    return [_with_ranks(record, public=public) for record in records[::-1]]


def _with_ranks(record: StageRecord, *, public: bool) -> StageRecord:
    """Add to the steps of penalties the rank that the player would have without them."""
    if record.row is None:
        return record
    steps = []
    for step in record.steps:
        if step.penalty or step.penalties is not None:
            score = int(step.score) if step.penalty else None
            rank = rank_without(record.stage, record.row, score, public=public) if step.score else None
            step = replace(step, rank_without=rank)
        steps.append(step)
    return replace(record, steps=tuple(steps))


def _record(
    stage: Stage,
    row: StandingsRow | None,
    ranked: int,
    games: Sequence[OwnGame],
    penalties: Sequence[Penalty],
    adjusted: Sequence[TotalStep],
    merged: TotalStep | None,
) -> StageRecord:
    in_force = [penalty for penalty in penalties if penalty.counts and row is not None]
    games = _apply_numbers(games, stage.numbers)
    played = [game for game in games if game.counts]
    steps = _steps(row.row.carried if row else 0, played, in_force, adjusted, merged if row else None)
    return StageRecord(
        stage=stage,
        row=row,
        ranked=ranked,
        steps=_add_average(steps, row),
        waiting=tuple(game for game in reversed(games) if not game.counts),
        off=tuple(penalty for penalty in penalties if penalty not in in_force),
    )


def _apply_numbers(games: Sequence[OwnGame], numbers: Numbers) -> list[OwnGame]:
    counting_games = [game for game in games if game.counts]
    counting_indexes = counting([game.seat.score for game in counting_games if game.seat], numbers)
    beyond = {game.table for index, game in enumerate(counting_games) if index not in counting_indexes}
    return [replace(game, counts=False, beyond=True) if game.table in beyond else game for game in games]


def _add_average(steps: tuple[TotalStep, ...], row: StandingsRow | None) -> tuple[TotalStep, ...]:
    if row is None or not row.row.averaged:
        return steps
    total = steps[-1].total + row.row.averaged
    return (*steps, TotalStep(row.row.averaged, total, averaged=row.row.games))


def _sum_penalties(of_player: QuerySet[Penalty], competition: Competition) -> dict[int, TotalStep]:
    """Return stage id → one step for all public penalties, as far as the competition shows them."""
    counts_shown = competition.penalties_shown == Competition.PenaltiesShown.COUNTS
    in_force = counted_penalties(of_player, public=True).order_by().values("stage")
    sums = in_force.annotate(count=Count("pk"), sum=Sum("score")).values_list("stage", "count", "sum")
    return {
        stage: TotalStep(score, 0, penalties=count if counts_shown else 0)
        for stage, count, score in sums
        if counts_shown or score
    }


def _adjustments(entrant: Entrant, stages: Sequence[int], *, public: bool) -> list[TotalStep]:
    """Return the adjustments that count, with substitutes. Without any, one query."""
    mine = Adjustment.objects.filter(player=entrant.player_id, stage__in=stages)
    in_force = counted_adjustments(mine, public=public).select_related("round").order_by("pk")
    averaged = add_averages(in_force, public=public)
    if not averaged:
        return []
    seats = Seat.objects.filter(stands_for=entrant.player_id, round__in=[each.round_id for each in averaged])
    entered = Entrant.objects.filter(competition=entrant.competition_id).select_related("player")
    who = {each.player_id: each for each in entered.filter(player__in=seats.values("player"))}
    sat = {round_: who.get(player) for round_, player in seats.values_list("round_id", "player_id")}
    return [
        TotalStep(
            each.score or 0, 0, adjustment=each, substitute=sat.get(each.round_id) if each.round_id else None
        )
        for each in averaged
    ]


def _steps(
    carried: Score,
    games: Sequence[OwnGame],
    penalties: Sequence[Penalty],
    adjusted: Sequence[TotalStep],
    merged: TotalStep | None,
) -> tuple[TotalStep, ...]:
    """Put everything of a round together, in playing order. Points carried in come first, what belongs to no
    such round last.
    """
    changes = [TotalStep(carried, 0)] if carried else []
    first = [step for step in adjusted if step.adjustment and step.adjustment.kind == CARRIED_IN]
    changes += first
    in_rounds = [(game.round_number, game.round, _step_of(game)) for game in games]
    for step in adjusted:
        assert step.adjustment is not None
        if step.adjustment.round is not None:
            in_rounds.append((step.adjustment.round.number, step.adjustment.round.pk, step))
    rounds = sorted({(number, pk) for number, pk, _ in in_rounds})
    for _, here in rounds:
        changes += [step for _, pk, step in in_rounds if pk == here]
        changes += [
            TotalStep(penalty.score, 0, penalty=penalty) for penalty in penalties if penalty.round_id == here
        ]
    seen = {pk for _, pk in rounds}
    changes += [
        step for step in adjusted if step.adjustment and step.adjustment.round is None and step not in first
    ]
    changes += [
        TotalStep(penalty.score, 0, penalty=penalty) for penalty in penalties if penalty.round_id not in seen
    ]
    changes += [] if merged is None else [merged]
    steps: list[TotalStep] = []
    total: Score = 0
    for change in changes:
        total += change.score
        steps.append(replace(change, total=total))
    return tuple(steps)


def _step_of(game: OwnGame) -> TotalStep:
    assert game.seat is not None
    return TotalStep(game.seat.score, 0, game=game)


_FACTS = (
    *("pk", "number", "round_id", "round__number", "round__date", "round__visibility", "round__stage_id"),
    *("now__status", "now__version", *SHEET),
)


def own_games(
    entrant: Entrant, competition: Competition, stages: Iterable[StageChoice], *, public: bool
) -> list[OwnGame]:
    """Return the player's tables in playing order. The public sees no hidden rounds and results."""
    order = [choice.stage.pk for choice in stages]
    rules = {choice.stage.pk: choice.stage.division.rules for choice in stages}
    tables = with_facts(Table.objects.filter(seats__player=entrant.player_id, round__stage__in=order))
    if public:
        tables = tables.exclude(round__visibility=Round.Visibility.HIDDEN)
    facts = list(tables.order_by("round__number", "number").values_list(*_FACTS))
    people = players_of(competition) if facts else {}
    tables_played = [table for table, *_facts in facts]
    instead = substitutes(Seat.objects.filter(table__in=tables_played)) if facts else {}
    games = [
        _game(
            entrant,
            fact,
            rules,
            people,
            competition.counted_statuses,
            instead=instead.get(table, NO_SUBSTITUTE),
            public=public,
        )
        for table, fact in zip(tables_played, facts, strict=True)
    ]
    return sorted(games, key=lambda game: order.index(game.stage))


def _game(
    entrant: Entrant,
    fact: Sequence[Any],
    rules: Mapping[int, Rules],
    people: Mapping[int, PlayerInfo],
    counted_statuses: Sequence[str],
    *,
    instead: ByWind,
    public: bool,
) -> OwnGame:
    pk, number, round_pk, round_number, day, visibility, stage, status, version, *sheet = fact
    four, points, ending = read_sheet(sheet, late=late_seats(instead))
    seats: Sequence[SeatResult | None] = (None,) * 4
    if status is None or (public and visibility != Round.Visibility.RESULTS):
        status = "scheduled"
    else:
        status = sheet_state(status, version)
        hides = (FORFEITED, Sheet.Status.VOID) if public else (FORFEITED,)
        if status not in hides:
            seats = settle_ending(points, ending, rules[stage])
    wind = four.index(entrant.player_id)
    mine = instead.get(wind)
    return OwnGame(
        stage=stage,
        round=round_pk,
        round_number=round_number,
        date=day,
        table=pk,
        table_number=number,
        status=status,
        counts=status in counted_statuses and mine is None and not entrant.is_substitute,
        wind=wind,
        seat=seats[wind],
        opponents=[(at, people.get(four[at]), seats[at]) for at in range(4) if at != wind],
        as_substitute=mine is not None or entrant.is_substitute,
        stands_for=people.get(mine.stands_for) if mine else None,
    )
