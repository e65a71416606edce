from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from league.core.counted import counted_adjustments
from league.core.stages import stages_of
from league.models import Adjustment, Division, Stage
from league.people.members.queries import PlayerInfo
from league.play.results.queries.games import round_scores
from league.play.substitutions.queries.adjustments import add_averages
from league.ranking.standings.queries.standings import Standings, StandingsRow, standings_of
from scoring.promotion import FinalPlace, final_order
from scoring.units import Score


@dataclass(frozen=True)
class StageRounds:
    """A stage that has begun. Its rounds are read on demand."""

    stage: Stage
    public: bool

    @cached_property
    def scores(self) -> Mapping[int, Mapping[int, Score]]:
        """Return round number → player → score. Free play has none."""
        return _scores_by_round(self.stage, public=self.public)

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        return tuple(sorted(self.scores))


@dataclass(frozen=True, slots=True)
class OverallRow:
    """A player with rank over all stages (None: unranked) and row in each stage (None: not in it)."""

    rank: int | None
    tied: bool
    player: PlayerInfo
    columns: tuple[StageRounds, ...]
    lines: tuple[StandingsRow | None, ...]

    @property
    def stages(self) -> tuple[tuple[tuple[Score | None, ...], Score | None], ...]:
        return tuple(
            (
                tuple(column.scores[number].get(self.player.player) for number in column.rounds),
                line.row.total if line else None,
            )
            for column, line in zip(self.columns, self.lines, strict=True)
        )

    @property
    def line(self) -> StandingsRow:
        return next(line for line in reversed(self.lines) if line)

    @property
    def total(self) -> Score:
        return self.line.row.total

    @property
    def newest_first(self) -> tuple[tuple[tuple[Score | None, ...], Score | None], ...]:
        return self.stages[::-1]


@dataclass(frozen=True)
class Overall:
    stages: tuple[StageRounds, ...]
    rows: tuple[OverallRow, ...]

    @property
    def podium(self) -> tuple[OverallRow, ...]:
        return tuple(row for row in self.rows if row.rank is not None and row.rank <= 3)


def overall(division: Division, *, public: bool) -> Overall:
    """Rank a division without its play-offs. About five queries, and some for the rounds of each stage."""
    every = [choice.stage for choice in stages_of(division.competition, public=public)]
    own = [each for each in every if each.division_id == division.pk and "play_off" not in each.cut]
    ranked = standings_of(own, public=public, every=every) if own else {}
    begun = [each for each in own if ranked[each.pk].tables]
    if not begun:
        return Overall((), ())
    order = order_of(begun, ranked)
    lines_by_stage = [{line.row.player: line for line in ranked[each.pk].rows} for each in begun]
    columns = tuple(StageRounds(each, public) for each in begun)
    rows = []
    for place in order:
        lines = tuple(by_player.get(place.player) for by_player in lines_by_stage)
        last = next(line for line in reversed(lines) if line)
        played = any(line.row.played for line in lines if line)
        rank = place.rank if played and not place.unranked else None
        rows.append(OverallRow(rank, place.tied, last.player, columns, lines))
    return Overall(columns, tuple(rows))


def order_of(stages: Sequence[Stage], ranked: Mapping[int, Standings]) -> tuple[FinalPlace, ...]:
    """Order the players. Those who left a later stage without a game keep their earlier place."""
    firsts = {index: each.cut["first"] for index, each in enumerate(stages) if each.cut.get("top")}
    places: list[list[FinalPlace]] = []
    for each in stages:
        known = {place.player for stage in places for place in stage}
        places_here = places_of(ranked[each.pk])
        gone = {line.row.player for line in ranked[each.pk].rows if line.row.gone}
        places.append([place for place in places_here if place.player not in known & gone])
    return final_order(places, firsts)


def places_of(ranked: Standings) -> list[FinalPlace]:
    rows = (line.row for line in ranked.rows)
    return [FinalPlace(row.player, row.rank, row.tied, row.unranked) for row in rows]


def _scores_by_round(stage: Stage, *, public: bool) -> Mapping[int, Mapping[int, Score]]:
    """Return round → player → score, including points for rounds not played. Free play has none."""
    if stage.play == Stage.Play.OPEN:
        return {}
    by_round: dict[int, dict[int, Score]] = {}
    for number, scores in round_scores(stage, public=public):
        by_round.setdefault(number, {}).update(scores)
    adjusted = counted_adjustments(
        Adjustment.objects.filter(stage=stage, round__isnull=False), public=public
    ).select_related("round")
    for each in add_averages(adjusted, public=public):
        if each.round is not None:
            scores = by_round.setdefault(each.round.number, {})
            scores[each.player_id] = scores.get(each.player_id, 0) + (each.score or 0)
    return by_round
