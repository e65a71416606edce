"""The end of a season as the standings are now: promotion, relegation, and what prevents the end.

A division's final order is that of its stages together (`scoring.promotion.final_order`). A *play-off* is a
stage of the upper of two divisions. `play_off` in its `cut` names the lower one.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from league.core.stages import with_unpublished_results
from league.models import Competition, Division, Entrant, Round, Stage
from league.people.members.queries import PlayerInfo, players_of
from league.ranking.stages.queries import Unfinished, infos_of, ranked_with_lots_of, unfinished_in
from league.ranking.standings.queries.overall import order_of, places_of
from league.ranking.standings.queries.standings import Standings, standings_of
from league.ranking.standings.words import Zones
from scoring.promotion import (
    PLAY_OFF,
    STAYS,
    FinalPlace,
    Move,
    Movement,
    PlayOff,
    Season,
    Standing,
    end_season,
    ranks_through,
)
from scoring.units import Score


class MoveLine(NamedTuple):
    info: PlayerInfo
    move: Move
    rank: int | None  # None: unranked
    tied: bool
    total: Score
    to: Division | None  # next season


class DivisionEnd(NamedTuple):
    division: Division
    lines: tuple[MoveLine, ...]  # best first
    players: int
    next_players: int  # with the places of undecided play-offs

    @property
    def counts(self) -> Counter[str]:
        """Count the players by their kind of move (`scoring.promotion`)."""
        return Counter(line.move.kind for line in self.lines)


class PlayOffEnd(NamedTuple):
    play_off: PlayOff
    upper: Division
    lower: Division
    players: tuple[PlayerInfo, ...]
    stage: Stage | None
    others: bool  # the stage has other players than those who would play today


@dataclass(frozen=True)
class SeasonEnd:
    """The end of the season as the facts are now. Nothing is written.

    `homeless`: players without a division. `open`: players who need a draw of lots, with their stage.
    """

    competition: Competition
    season: Season
    divisions: tuple[DivisionEnd, ...]
    play_offs: tuple[PlayOffEnd, ...]
    open: tuple[tuple[Stage, tuple[PlayerInfo, ...]], ...]
    unfinished: tuple[tuple[Stage, tuple[Unfinished, ...]], ...]
    unpublished: tuple[Round, ...]
    homeless: tuple[PlayerInfo, ...]
    tables: int
    previous_ranks: Mapping[int, int] = field(default_factory=dict)

    @property
    def to(self) -> dict[int, Division]:
        lines = (line for end in self.divisions for line in end.lines)
        return {line.info.player: line.to for line in lines if line.to is not None}

    @property
    def fingerprint(self) -> str:
        """Return a text that differs if a move, its reason, a rank, or the divisions change."""
        seen = [
            [[m.player, m.kind, m.to, m.why] for m in self.season.moves],
            sorted(self.previous_ranks.items()),
            [info.player for info in self.homeless],
            [end.division.pk for end in self.divisions],
        ]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class SeasonFacts:
    """The input of `end_of`. `played`: the results of play-offs by the index of the upper division."""

    competition: Competition
    divisions: Sequence[Division]
    stages: Sequence[Stage]
    ranked: Mapping[int, Standings]
    standings: Sequence[Standing]
    played: Mapping[int, Sequence[FinalPlace]]
    play_offs: Mapping[int, Stage]

    @cached_property
    def people(self) -> Mapping[int, PlayerInfo]:
        return players_of(self.competition)

    @cached_property
    def unfinished(self) -> tuple[tuple[Stage, tuple[Unfinished, ...]], ...]:
        rounds_by_stage = unfinished_in(self.stages)
        return tuple(
            (stage, tuple(rounds_by_stage[stage.pk])) for stage in self.stages if rounds_by_stage[stage.pk]
        )


def season_end(competition: Competition, by_hand: Mapping[int, int | None] | None = None) -> SeasonEnd:
    """Compute the organizer's end of the season. `by_hand`: player → division, or None if they leave."""
    return end_of(season_facts(competition), by_hand or {})


def season_facts(competition: Competition) -> SeasonFacts:
    stages = stages_of_competition(competition)
    return _facts(competition, stages, ranked_with_lots_of(stages, every=stages), public=False)


def end_of(facts: SeasonFacts, by_hand: Mapping[int, int | None]) -> SeasonEnd:
    indices = {division.pk: index for index, division in enumerate(facts.divisions)}
    hand = {player: None if to is None else indices[to] for player, to in by_hand.items()}
    season = end_season(facts.standings, played=facts.played, by_hand=hand)
    return SeasonEnd(
        competition=facts.competition,
        season=season,
        divisions=_ends(facts, season),
        play_offs=tuple(_play_off(facts, play_off) for play_off in season.play_offs),
        open=tuple(
            (stage, infos_of(_equal_in(facts.ranked[stage.pk], players), facts.people))
            for index, players in season.open
            for stage in [_stage_of_draw(facts, index, players)]
        ),
        unfinished=facts.unfinished,
        unpublished=tuple(unpublished_results(facts.competition)),
        homeless=_homeless(facts.competition, facts.people),
        tables=sum(each.tables for each in facts.ranked.values()),
        previous_ranks=ranks_through(facts.standings),
    )


def end_under(facts: SeasonFacts, movements: Mapping[int, Movement]) -> SeasonEnd:
    """Return the end of the season under these movements (by division).

    Before the first result, players count as ranked in the order of the list.
    """
    begun = any(each.tables for each in facts.ranked.values())
    standings = [
        replace(
            standing,
            movement=movements.get(division.pk, standing.movement),
            places=standing.places
            if begun
            else tuple(FinalPlace(place.player, rank) for rank, place in enumerate(standing.places, 1)),
        )
        for division, standing in zip(facts.divisions, facts.standings, strict=True)
    ]
    return end_of(replace(facts, standings=standings), {})


def stages_of_competition(competition: Competition) -> list[Stage]:
    stages = Stage.objects.of(competition)
    stages = stages.order_by("division__position", "division_id", "position", "pk")
    return list(stages.with_rules())


# --- facts


def _facts(
    competition: Competition, stages: Sequence[Stage], ranked: Mapping[int, Standings], *, public: bool
) -> SeasonFacts:
    divisions = list(Division.objects.filter(competition=competition))
    play_offs = {
        index: play_off
        for index, each in enumerate(divisions)
        if (play_off := _play_off_of(each, stages)) is not None
    }
    over = _select_over([*play_offs.values()], public=public)
    members = _members(competition)
    return SeasonFacts(
        competition=competition,
        divisions=divisions,
        stages=stages,
        ranked=ranked,
        standings=[_standing(division, stages, ranked, members) for division in divisions],
        played={
            index: places_of(ranked[stage.pk])
            for index, stage in play_offs.items()
            if ranked[stage.pk].tables and stage.pk in over
        },
        play_offs=play_offs,
    )


def _members(competition: Competition) -> dict[int, tuple[int, bool]]:
    entered = Entrant.objects.filter(competition=competition, is_substitute=False, division__isnull=False)
    rows = entered.order_by("pk").values_list("player", "division", "withdrawn_at")
    return {player: (division, at is not None) for player, division, at in rows if division}


def _select_over(play_offs: Sequence[Stage], *, public: bool) -> set[int]:
    over = {pk for pk, rounds in unfinished_in(play_offs).items() if not rounds}
    return over - with_unpublished_results(over) if public and over else over


def _standing(
    division: Division,
    stages: Iterable[Stage],
    ranked: Mapping[int, Standings],
    members: Mapping[int, tuple[int, bool]],
) -> Standing:
    own = [stage for stage in stages if stage.division_id == division.pk and not is_play_off(stage)]
    begun = [stage for index, stage in enumerate(own) if index == 0 or ranked[stage.pk].tables]
    order = order_of(begun, ranked)
    known = {place.player for place in order}
    order = (*order, *(FinalPlace(p, len(order) + 1, unranked=True) for p in members if p not in known))
    here = {player for player, (home, has_left) in members.items() if home == division.pk and not has_left}
    gone = {player for player, (home, has_left) in members.items() if home == division.pk and has_left}
    return Standing(
        places=tuple(place for place in order if place.player in here),
        gone=tuple(place.player for place in order if place.player in gone),
        movement=Movement.from_values(division.movement),
    )


def is_play_off(stage: Stage) -> bool:
    return "play_off" in stage.cut


def _play_off_of(upper: Division, stages: Iterable[Stage]) -> Stage | None:
    own_play_offs = [stage for stage in stages if stage.division_id == upper.pk and is_play_off(stage)]
    return own_play_offs[-1] if own_play_offs else None


def unpublished_results(competition: Competition) -> list[Round]:
    with_results = Round.objects.of(competition).filter(tables__sheets__is_current=True)
    hidden = with_results.exclude(visibility=Round.Visibility.RESULTS).distinct()
    ordered = hidden.order_by("stage__division__position", "stage__position", "number", "pk")
    return list(ordered.select_related("stage__division"))


def _homeless(competition: Competition, people: Mapping[int, PlayerInfo]) -> tuple[PlayerInfo, ...]:
    entrants = Entrant.objects.playing().filter(competition=competition, division=None, is_substitute=False)
    return infos_of(entrants.order_by("pk").values_list("player", flat=True), people)


# --- lines


def _ends(facts: SeasonFacts, season: Season) -> tuple[DivisionEnd, ...]:
    totals = _totals(facts)
    sizes = _sizes(season, len(facts.divisions))
    ends = []
    for index, (division, standing) in enumerate(zip(facts.divisions, facts.standings, strict=True)):
        ranks = {place.player: None if place.unranked else place.rank for place in standing.places}
        counts = Counter(ranks.values())
        lines = tuple(
            MoveLine(
                info=facts.people[move.player],
                move=move,
                rank=(rank := ranks.get(move.player)),
                tied=rank is not None and counts[rank] > 1,
                total=totals.get(move.player, 0),
                to=None if move.to is None else facts.divisions[move.to],
            )
            for move in season.moves
            if move.division == index
        )
        ends.append(DivisionEnd(division, lines, standing.players, sizes[index]))
    return tuple(ends)


def _sizes(season: Season, divisions: int) -> list[int]:
    """Return the players of each division next season. Undecided play-offs count with their places."""
    sizes = list(season.sizes(divisions))
    waiting = {move.player for move in season.moves if move.kind == PLAY_OFF}
    for play_off in season.play_offs:
        if waiting.issuperset(play_off.players):
            sizes[play_off.upper] += play_off.places
            sizes[play_off.upper + 1] += len(play_off.players) - play_off.places
    return sizes


def _totals(facts: SeasonFacts) -> dict[int, Score]:
    """Map each player to the total of their last stage before play-offs."""
    return {
        line.row.player: line.row.total
        for stage in facts.stages
        if not is_play_off(stage)
        for line in facts.ranked[stage.pk].rows
    }


def _play_off(facts: SeasonFacts, play_off: PlayOff) -> PlayOffEnd:
    stage = facts.play_offs.get(play_off.upper)
    inside = set(stage.qualified.values_list("player_id", flat=True)) if stage else set()
    return PlayOffEnd(
        play_off=play_off,
        upper=facts.divisions[play_off.upper],
        lower=facts.divisions[play_off.upper + 1],
        players=infos_of(play_off.players, facts.people),
        stage=stage,
        others=stage is not None and inside != set(play_off.players),
    )


def _equal_in(ranked: Standings, players: Sequence[int]) -> list[int]:
    shared = {line.row.rank for line in ranked.rows if line.row.player in players}
    return [line.row.player for line in ranked.rows if line.row.rank in shared]


def _stage_of_draw(facts: SeasonFacts, index: int, players: Sequence[int]) -> Stage:
    """Return the play-off if these players all played it, or else their newest common stage."""
    play_off = facts.play_offs.get(index)
    if play_off is not None and set(players) <= {p.player for p in facts.played.get(index, ())}:
        return play_off
    own = [s for s in facts.stages if s.division_id == facts.divisions[index].pk and not is_play_off(s)]
    inside = [
        s for s in own if not s.cut or set(players) <= set(s.qualified.values_list("player_id", flat=True))
    ]
    return (inside or own)[-1]


# --- zones of a standings page


def zones_of(stage: Stage, *, public: bool) -> Zones | None:
    """Return the zones of the stage's division, or None without movement or results."""
    competition = stage.competition
    if is_play_off(stage) or not Movement.from_values(stage.division.movement).moves_anybody:
        return None
    stages = stages_of_competition(competition)
    ranked = standings_of(stages, public=public, every=stages)
    facts = _facts(competition, stages, ranked, public=public)
    index = next(i for i, division in enumerate(facts.divisions) if division.pk == stage.division_id)
    season = end_season(facts.standings, played=facts.played)
    if season.problems or not any(ranked[s.pk].tables for s in stages if s.division_id == stage.division_id):
        return None
    moves = [move for move in season.moves if move.division == index]
    return Zones(
        kinds={move.player: move.kind for move in moves if move.kind != STAYS},
        above=facts.divisions[index - 1] if index else None,
        below=facts.divisions[index + 1] if index + 1 < len(facts.divisions) else None,
        vacancies=any(move.why in ("spared", "vacancy") for move in moves),
    )


def moves_under(competition: Competition, replaced: Mapping[int, Standings]) -> dict[int, str]:
    """Map each player to their kind of move (`scoring.promotion`) under these standings of stages."""
    stages = stages_of_competition(competition)
    divisions = {stage.division for stage in stages}
    if not any(Movement.from_values(division.movement).moves_anybody for division in divisions):
        return {}
    ranked = {**standings_of(stages, public=False, every=stages), **replaced}
    facts = _facts(competition, stages, ranked, public=False)
    season = end_season(facts.standings, played=facts.played)
    return {} if season.problems else {move.player: move.kind for move in season.moves}


def play_off_source(upper: Division) -> Stage:
    own = [stage for stage in Stage.objects.filter(division=upper) if not is_play_off(stage)]
    return own[-1]
