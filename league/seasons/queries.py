"""The end of a season: who goes up and down, as the standings are now, and what keeps it from ending.

A division's order at the end is that of its stages together (``scoring.promotion.final_order``). A *play-off*
is a stage of the upper one of two divisions, with players of both, chosen by hand in its cut; ``play_off`` in
its ``cut`` names the lower division.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from league.core.stages import with_unpublished_results
from league.models import Competition, Division, Entrant, Round, Stage
from league.people.queries import PlayerInfo, players_of
from league.seasons.words import Zones
from league.stages.queries import Unfinished, infos_of, ranked_with_lots_of, unfinished_in
from league.standings.queries.overall import order_of, places_of
from league.standings.queries.standings import Standings, standings_of
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


@dataclass(frozen=True, slots=True)
class MoveLine:
    """What becomes of a player: their rank (None: unranked) and total at the end, and their division then."""

    info: PlayerInfo
    move: Move
    rank: int | None
    total: Score
    to: Division | None


@dataclass(frozen=True, slots=True)
class DivisionEnd:
    """A division at the end: its players best first, and how many it has now and next season, the places of
    play-offs that are not decided counted.
    """

    division: Division
    movement: Movement
    lines: tuple[MoveLine, ...]
    players: int
    next_players: int


@dataclass(frozen=True, slots=True)
class PlayOffEnd:
    """A play-off: its players, and the stage in which it is played, if that was made; ``others`` says that
    the stage was made with other players than those who would play today.
    """

    play_off: PlayOff
    upper: Division
    lower: Division
    players: tuple[PlayerInfo, ...]
    stage: Stage | None
    others: bool


@dataclass(frozen=True)
class SeasonEnd:
    """The end of the season as the facts are now; nothing is written. ``homeless`` are entered in no
    division, ``open`` are the players between whom lots must be drawn, with the stage in which they are.
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
        """Player → division of next season, for everyone who has one."""
        lines = (line for end in self.divisions for line in end.lines)
        return {line.info.player: line.to for line in lines if line.to is not None}

    @property
    def fingerprint(self) -> str:
        """A short text that differs when a player would go elsewhere, for another reason or with another
        rank, or when the divisions or the players without one change.
        """
        seen = [
            [[m.player, m.kind, m.to, m.why] for m in self.season.moves],
            sorted(self.previous_ranks.items()),
            [info.player for info in self.homeless],
            [end.division.pk for end in self.divisions],
        ]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def season_end(competition: Competition, by_hand: Mapping[int, int | None] | None = None) -> SeasonEnd:
    """The end of the season for the organizer: hidden rounds and lots that were drawn count. ``by_hand``:
    player → division (None: leaves).
    """
    return end_of(season_facts(competition), by_hand or {})


def season_facts(competition: Competition) -> "SeasonFacts":
    """What the end of the season is made of."""
    stages = stages_of_competition(competition)
    ranked, unfinished = ranked_with_lots_of(stages, every=stages), unfinished_in(stages)
    over = [pk for pk, found in unfinished.items() if not found]
    facts = _facts(competition, stages, ranked, over=over)
    return SeasonFacts(competition, facts, ranked, unfinished, players_of(competition))


def end_of(found: "SeasonFacts", by_hand: Mapping[int, int | None]) -> SeasonEnd:
    """The end of the season, see ``season_end``."""
    competition, facts, ranked, people = found.competition, found.season, found.ranked, found.people
    indices = {division.pk: index for index, division in enumerate(facts.divisions)}
    hand = {player: None if to is None else indices[to] for player, to in by_hand.items()}
    season = end_season(facts.standings, played=facts.played, by_hand=hand)
    return SeasonEnd(
        competition=competition,
        season=season,
        divisions=_ends(facts, season, ranked, people),
        play_offs=tuple(_play_off(facts, each, people) for each in season.play_offs),
        open=tuple(
            (stage, infos_of(_equal_in(ranked[stage.pk], players), people))
            for index, players in season.open
            for stage in [_stage_of_draw(facts, index, players)]
        ),
        unfinished=tuple(
            (stage, tuple(rounds)) for stage in facts.stages if (rounds := found.unfinished[stage.pk])
        ),
        unpublished=tuple(unpublished_results(competition)),
        homeless=_homeless(competition, people),
        tables=sum(each.tables for each in ranked.values()),
        previous_ranks=ranks_through(facts.standings),
    )


def stages_of_competition(competition: Competition) -> list[Stage]:
    """All stages in order, with what their standings need; one query."""
    found = Stage.objects.filter(division__competition=competition)
    return list(
        found.select_related("division__competition", "division__rule_set").order_by(
            "division__position", "division_id", "position", "pk"
        )
    )


# --- facts


@dataclass(frozen=True, slots=True)
class _SeasonFacts:
    """The divisions in order with their stages, standings at the end, and the results of play-offs (by the
    index of the upper division). ``ranks``: player → rank that is shown.
    """

    divisions: Sequence[Division]
    stages: Sequence[Stage]
    standings: Sequence[Standing]
    played: Mapping[int, Sequence[FinalPlace]]
    play_offs: Mapping[int, Stage]


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """All that is read for the end of a season: from it ``end_of`` computes each end that is asked for."""

    competition: Competition
    season: _SeasonFacts
    ranked: Mapping[int, Standings]
    unfinished: Mapping[int, Sequence[Unfinished]]
    people: Mapping[int, PlayerInfo]


def _facts(
    competition: Competition,
    stages: Sequence[Stage],
    ranked: Mapping[int, Standings],
    *,
    over: Collection[int],
) -> _SeasonFacts:
    """``over``: the stages of which every round is played, for the public published; asked of play-offs."""
    divisions = list(Division.objects.filter(competition=competition))
    play_offs = {
        index: found
        for index, each in enumerate(divisions)
        if (found := _play_off_of(each, stages)) is not None
    }
    members = _members(competition)
    return _SeasonFacts(
        divisions=divisions,
        stages=stages,
        standings=[_standing(each, stages, ranked, members) for each in divisions],
        played={
            index: places_of(ranked[stage.pk])
            for index, stage in play_offs.items()
            if ranked[stage.pk].tables and stage.pk in over
        },
        play_offs=play_offs,
    )


def _members(competition: Competition) -> dict[int, tuple[int, bool]]:
    """Player → their division, and whether they withdrew; substitutes are in none."""
    entered = Entrant.objects.filter(competition=competition, is_substitute=False, division__isnull=False)
    found = entered.order_by("pk").values_list("player", "division", "withdrawn_at")
    return {player: (division, at is not None) for player, division, at in found if division}


def _select_over(play_offs: Sequence[Stage], *, public: bool) -> set[int]:
    """Those whose every round is played, and for the public published; no query without play-offs."""
    over = {pk for pk, found in unfinished_in(play_offs).items() if not found}
    return over - with_unpublished_results(over) if public and over else over


def _standing(
    division: Division,
    stages: Iterable[Stage],
    ranked: Mapping[int, Standings],
    members: Mapping[int, tuple[int, bool]],
) -> Standing:
    own = [stage for stage in stages if stage.division_id == division.pk and not is_play_off(stage)]
    begun = [stage for stage in own if ranked[stage.pk].tables or stage is own[0]]
    order = order_of(begun, ranked)
    known = {place.player for place in order}
    order = (*order, *(FinalPlace(p, len(order) + 1, unranked=True) for p in members if p not in known))
    here = [place for place in order if members.get(place.player, (0, False))[0] == division.pk]
    return Standing(
        places=tuple(place for place in here if not members[place.player][1]),
        gone=tuple(place.player for place in here if members[place.player][1]),
        movement=Movement.from_values(division.movement),
    )


def is_play_off(stage: Stage) -> bool:
    return "play_off" in stage.cut


def _play_off_of(upper: Division, stages: Iterable[Stage]) -> Stage | None:
    """The newest play-off under this division."""
    found = [stage for stage in stages if stage.division_id == upper.pk and is_play_off(stage)]
    return found[-1] if found else None


def unpublished_results(competition: Competition) -> list[Round]:
    """Rounds with results that the public does not see yet."""
    found = Round.objects.filter(stage__division__competition=competition, tables__sheets__is_current=True)
    hidden = found.exclude(visibility=Round.Visibility.RESULTS).distinct()
    ordered = hidden.order_by("stage__division__position", "stage__position", "number", "pk")
    return list(ordered.select_related("stage__division"))


def _homeless(competition: Competition, people: Mapping[int, PlayerInfo]) -> tuple[PlayerInfo, ...]:
    found = Entrant.objects.filter(
        competition=competition, division=None, withdrawn_at=None, is_substitute=False
    )
    return infos_of(found.order_by("pk").values_list("player", flat=True), people)


# --- lines


def _ends(
    facts: _SeasonFacts, season: Season, ranked: Mapping[int, Standings], people: Mapping[int, PlayerInfo]
) -> tuple[DivisionEnd, ...]:
    totals = _totals(facts, ranked)
    sizes = _sizes(season, len(facts.divisions))
    found = []
    for index, (division, standing) in enumerate(zip(facts.divisions, facts.standings, strict=True)):
        ranks = {place.player: None if place.unranked else place.rank for place in standing.places}
        lines = tuple(
            MoveLine(
                info=people[move.player],
                move=move,
                rank=ranks.get(move.player),
                total=totals.get(move.player, 0),
                to=None if move.to is None else facts.divisions[move.to],
            )
            for move in season.moves
            if move.division == index
        )
        found.append(DivisionEnd(division, standing.movement, lines, standing.players, sizes[index]))
    return tuple(found)


def _sizes(season: Season, divisions: int) -> list[int]:
    """How many play in each division next season: of a play-off so many as it is about."""
    sizes = list(season.sizes(divisions))
    waiting = {move.player for move in season.moves if move.kind == PLAY_OFF}
    for each in season.play_offs:
        if waiting.issuperset(each.players):
            sizes[each.upper] += each.places
            sizes[each.upper + 1] += len(each.players) - each.places
    return sizes


def _totals(facts: _SeasonFacts, ranked: Mapping[int, Standings]) -> dict[int, Score]:
    """Player → total of the last stage of their division in which they were, play-offs apart."""
    return {
        line.row.player: line.row.total
        for stage in facts.stages
        if not is_play_off(stage)
        for line in ranked[stage.pk].rows
    }


def _play_off(facts: _SeasonFacts, play_off: PlayOff, people: Mapping[int, PlayerInfo]) -> PlayOffEnd:
    stage = facts.play_offs.get(play_off.upper)
    inside = set(stage.qualified.values_list("player_id", flat=True)) if stage else set()
    return PlayOffEnd(
        play_off=play_off,
        upper=facts.divisions[play_off.upper],
        lower=facts.divisions[play_off.upper + 1],
        players=infos_of(play_off.players, people),
        stage=stage,
        others=stage is not None and inside != set(play_off.players),
    )


def _equal_in(ranked: Standings, players: Sequence[int]) -> list[int]:
    """All who share the rank of these players in a stage: lots are drawn between all of them."""
    shared = {line.row.rank for line in ranked.rows if line.row.player in players}
    return [line.row.player for line in ranked.rows if line.row.rank in shared]


def _stage_of_draw(facts: _SeasonFacts, index: int, players: Sequence[int]) -> Stage:
    """The newest stage of the division in which these players are equal, that of the play-off if they all
    played it.
    """
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
    """The zones of the stage's division; None without movement, before the first result, and where what is
    asked for cannot be.
    """
    competition = stage.division.competition
    if is_play_off(stage) or not Movement.from_values(stage.division.movement).moves_anybody:
        return None
    stages = stages_of_competition(competition)
    ranked = standings_of(stages, public=public, every=stages)
    over = _select_over([each for each in stages if is_play_off(each)], public=public)
    facts = _facts(competition, stages, ranked, over=over)
    index = next(i for i, division in enumerate(facts.divisions) if division.pk == stage.division_id)
    season = end_season(facts.standings, played=facts.played)
    if season.problems or not any(ranked[s.pk].tables for s in stages if s.division_id == stage.division_id):
        return None
    moves = [move for move in season.moves if move.division == index]
    return Zones(
        kinds={move.player: move.kind for move in moves if move.kind != STAYS},
        movement=facts.standings[index].movement,
        above=facts.divisions[index - 1] if index else None,
        below=facts.divisions[index + 1] if index + 1 < len(facts.divisions) else None,
        vacancies=any(move.why in ("spared", "vacancy") for move in moves),
    )


def moves_under(competition: Competition, replaced: Mapping[int, Standings]) -> dict[int, str]:
    """Player → what becomes of them (``scoring.promotion``), with these standings in place of those of their
    stages; empty where no one moves or what is asked for cannot be.
    """
    stages = stages_of_competition(competition)
    divisions = {stage.division for stage in stages}
    if not any(Movement.from_values(division.movement).moves_anybody for division in divisions):
        return {}
    ranked = {**standings_of(stages, public=False, every=stages), **replaced}
    over = _select_over([each for each in stages if is_play_off(each)], public=False)
    facts = _facts(competition, stages, ranked, over=over)
    season = end_season(facts.standings, played=facts.played)
    return {} if season.problems else {move.player: move.kind for move in season.moves}


def play_off_source(upper: Division) -> Stage:
    """The stage that a play-off under this division follows on: its last one besides play-offs."""
    own = [stage for stage in Stage.objects.filter(division=upper) if not is_play_off(stage)]
    return own[-1]
