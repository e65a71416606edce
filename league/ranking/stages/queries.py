"""Plan the cut of players or teams from one stage to the next, and read how it was made.

Teams are cut like players (`scoring.cuts`). Their members who can go on come into the new stage with them.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from django.db.models import Count, Exists, OuterRef, Q

from league.core.stages import stage_before
from league.models import Competition, Division, Entrant, Lots, Round, Sheet, Stage, StageEntrant, Table, Team
from league.people.members.queries import PlayerInfo, players_of
from league.play.bans.queries import banned_here
from league.play.calendar.queries.table_times import to_make_up
from league.play.results.queries.games import games
from league.play.rounds.queries.rounds import qualified_by_stage
from league.play.substitutions.queries.adjustments import stage_adjustments
from league.ranking.standings.queries.standings import Standings, compute_standings_of
from league.ranking.teams.queries import TeamStandings, compute_team_standings, teams_of
from scoring.cuts import Cut, Terms, make_cut
from scoring.settlement import needs_ending
from scoring.standings import LOTS, Row, measure
from scoring.teams import carried_half
from scoring.units import Score, half


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A round that prevents a cut.

    `why`: planned, open, make_up (a postponed table is missing), confirm (sheets need confirmation) or empty
    (closed without a sheet).
    """

    round: Round
    why: str


def unfinished_rounds(stage: Stage) -> list[Unfinished]:
    return unfinished_in([stage])[stage.pk]


def unfinished_in(stages: Sequence[Stage]) -> dict[int, list[Unfinished]]:
    """Map stages to their rounds with results that may still come or change. Queries: at most 1."""
    by_stage: dict[int, list[Unfinished]] = {stage.pk: [] for stage in stages}
    for each, why in _unfinished({stage.pk: stage for stage in stages}) if stages else ():
        by_stage[each.stage_id].append(Unfinished(each, why))
    return by_stage


def _unfinished(stages: Mapping[int, Stage]) -> Iterator[tuple[Round, str]]:
    waiting = Q(tables__sheets__is_current=True, tables__sheets__status=Sheet.Status.ENTERED)
    to_come = to_make_up(Table.objects.filter(round=OuterRef("pk")))
    missing = Table.objects.filter(round=OuterRef("pk")).exclude(sheets__is_current=True)
    rounds = Round.objects.filter(stage__in=stages).annotate(
        waiting=Count("tables__sheets", filter=waiting),
        to_come=Exists(to_come),
        missing=Exists(missing),
        entered=Exists(Sheet.objects.current().filter(table__round=OuterRef("pk"))),
    )
    for round_ in rounds:
        stage = stages[round_.stage_id]
        confirming = stage.competition.counting == Competition.Counting.CONFIRMED
        # A round of free play stays open. Its sheet ends it.
        closed = round_.status == Round.Status.CLOSED or (
            stage.play == Stage.Play.OPEN and not round_.missing
        )
        if not closed:
            yield round_, str(round_.status)
        elif round_.to_come or (confirming and round_.waiting):
            yield round_, "make_up" if round_.to_come else "confirm"
        elif round_.missing and not round_.entered:
            yield round_, "empty"


T = TypeVar("T")
Info = PlayerInfo | Team


@dataclass(frozen=True, slots=True)
class CutLine:
    info: Info
    row: Row | None  # of the stage before, unless they did not play in it
    brought: Score = 0  # with the head start
    position: int = 0  # 0: out
    how: str = ""
    players: tuple[PlayerInfo, ...] = ()  # who would go on


@dataclass(frozen=True)
class CutPlan:
    """A cut before it is made, with ids of players or of teams. `gone`: teams none of whose players can go
    on. `unfinished` and `made` are read when they are asked for.
    """

    source: Stage
    of_teams: bool
    terms: Terms
    cut: Cut
    inside: tuple[CutLine, ...]
    out: tuple[CutLine, ...]
    known: Mapping[int, Info]
    people: Mapping[int, PlayerInfo]
    gone: frozenset[int]
    tables: int

    @cached_property
    def unfinished(self) -> list[Unfinished]:
        return unfinished_rounds(self.source)

    @cached_property
    def made(self) -> list[Stage]:
        """Return the stages that were already cut from the same stage."""
        every = stages_of_division(self.source.division)
        return [stage for stage in every if stage.cut.get("from") == self.source.pk]

    @property
    def players(self) -> list[PlayerInfo]:
        return [player for line in self.inside for player in line.players]

    @property
    def picked_and_gone(self) -> tuple[Info, ...]:
        return infos_of((one for one in self.terms.picked if one in self.gone), self.known)

    @property
    def fingerprint(self) -> str:
        """Return a text that differs for another cut."""
        inside = [
            [line.info.pk, line.how, str(line.brought), [player.player for player in line.players]]
            for line in self.inside
        ]
        seen = [inside, [stage.pk for stage in self.made]]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def infos_of(ids: Iterable[object], known: Mapping[int, T]) -> tuple[T, ...]:
    return tuple(known[one] for one in ids if isinstance(one, int) and one in known)


@dataclass(frozen=True, slots=True)
class _Field:
    """The candidates of a cut.

    `rows`: best first, with lots as the last tie-break. `players`: those who can go on, by id. `halve`: the
    rounding of a half total.
    """

    known: Mapping[int, Info]
    rows: Sequence[Row]
    tables: int
    players: Mapping[int, Sequence[PlayerInfo]]
    halve: Callable[[Score], Score]


def plan_cut(source: Stage, terms: Terms, carry: str, *, of_teams: bool = False) -> CutPlan:
    """Plan the cut from `source` with hidden rounds. Lots decide after the competition's tie-breaks.

    Picked teams replace those by rank, in the order of their ranks. A pick of the same teams is ignored, and
    removed picks are left out. `carry`: what the new stage would bring in (`Stage.Carry`).
    """
    people = players_of(source.competition)
    out = gone_players(source)
    able = {player: info for player, info in people.items() if player not in out}
    field = _teams_in(source, people, able) if of_teams else _players_in(source, people, able)
    gone = frozenset(field.known.keys() - field.players.keys())
    terms = replace(terms, picked=tuple(one for one in terms.picked if one in field.known))
    if of_teams:
        terms, cut = _cut_teams(field.rows, terms, gone)
    else:
        cut = make_cut(field.rows, terms, gone=gone, measures=_measures(source, terms))
    rows = {row.player: row for row in field.rows}

    def line(one: int, position: int = 0, how: str = "", head_start: int = 0) -> CutLine:
        row = rows.get(one)
        brought = _share(carry, row, field.halve) + head_start
        return CutLine(field.known[one], row, brought, position, how, tuple(field.players.get(one, ())))

    return CutPlan(
        source=source,
        of_teams=of_teams,
        terms=terms,
        cut=cut,
        inside=tuple(line(each.player, each.position, each.how, each.head_start) for each in cut.qualified),
        out=tuple(line(one) for one in cut.out),
        known=field.known,
        people=people,
        gone=gone,
        tables=field.tables,
    )


def _players_in(stage: Stage, people: Mapping[int, PlayerInfo], able: Mapping[int, PlayerInfo]) -> _Field:
    ranked = ranked_with_lots(stage)
    rows = [line.row for line in ranked.rows]
    return _Field(people, rows, ranked.tables, {player: [info] for player, info in able.items()}, half)


def _teams_in(stage: Stage, people: Mapping[int, PlayerInfo], able: Mapping[int, PlayerInfo]) -> _Field:
    competition = stage.competition
    ranked = _ranked_teams(stage)
    members_by_team = {
        line.team.pk: [member.player.player for member in line.members if member.here] for line in ranked.rows
    }
    others = (
        Entrant.objects.filter(competition=competition)
        .exclude(team=None)
        .exclude(team__in=list(members_by_team))
    )
    for team, player in others.order_by("pk").values_list("team_id", "player_id"):
        members_by_team.setdefault(team or 0, []).append(player)
    players = {team: infos_of(members, able) for team, members in members_by_team.items()}
    rows = [line.row for line in ranked.rows]
    going_on = {team: members for team, members in players.items() if members}
    return _Field(teams_of(competition), rows, ranked.tables, going_on, carried_half)


def _cut_teams(rows: Sequence[Row], terms: Terms, gone: Collection[int]) -> tuple[Terms, Cut]:
    picked = set(terms.picked)
    terms = Terms(top=terms.top)
    cut = make_cut(rows, terms, gone=gone)
    if not picked or (picked == set(cut.players) and not cut.open):
        return terms, cut
    ranked = [row.player for row in rows if row.player in picked]
    terms = Terms(top=0, picked=(*ranked, *sorted(picked - set(ranked))))
    return terms, make_cut(rows, terms, gone=gone)


def ranked_with_lots(stage: Stage) -> Standings:
    """Return the staff's standings of the stage, with recorded lots as the last tie-break."""
    return ranked_with_lots_of([stage])[stage.pk]


def ranked_with_lots_of(
    stages: Sequence[Stage], *, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Rank stages of one competition in a fixed number of queries. `every`: all its stages, if at hand."""
    if not stages:
        return {}
    tie_breaks = _with_lots(stages[0].competition)
    return compute_standings_of(stages, public=False, every=every, tie_breaks=tie_breaks)


def _with_lots(competition: Competition) -> list[str]:
    return [*(name for name in competition.tie_breaks if name != LOTS), LOTS]


def gone_players(stage: Stage) -> frozenset[int]:
    """Return the players who cannot go on: withdrawn, expelled, or banned without a waiver."""
    competition = stage.competition
    withdrawn = Entrant.objects.withdrawn().filter(competition=competition)
    return frozenset(withdrawn.values_list("player_id", flat=True)) | banned_here(competition).keys()


def _share(carry: str, row: Row | None, halve: Callable[[Score], Score]) -> Score:
    if row is None or carry == Stage.Carry.NONE:
        return 0
    return halve(row.total) if carry == Stage.Carry.HALF else row.total


def _measures(source: Stage, terms: Terms) -> dict[int, Score | None]:
    if not terms.wild_cards:
        return {}
    rules = source.division.rules
    played = games(
        source.pk,
        statuses=source.competition.counted_statuses,
        public=False,
        with_endings=needs_ending(rules),
        substitutes=stage_adjustments([source.pk], public=False).substitutes,
    )
    return measure(played, rules, terms.wild_card_by, source.numbers)


def qualified_players(stage: Stage) -> list[int] | None:
    return list(qualified_by_stage([stage])[stage.pk]) if stage.cut else None


# --- lots


LotsDraw = tuple[Lots, tuple[Info, ...]]  # the players (or teams) in the order of the draw


def draws_of(stage: Stage, known: Mapping[int, Info], *, of_teams: bool = False) -> list[LotsDraw]:
    draws = Lots.objects.filter(stage=stage).prefetch_related("drawn").order_by("pk")
    return [(lots, infos_of(lots.drawn_ids, known)) for lots in draws if lots.of_teams == of_teams]


def equal_rows(stage: Stage, *, of_teams: bool = False) -> list[list[Row]]:
    """Group the players (or teams) who share a rank after every tie-break and every draw, best first."""
    ranked = _ranked_teams(stage) if of_teams else ranked_with_lots(stage)
    shared: dict[int, list[Row]] = {}
    for line in ranked.rows:
        if line.row.tied:
            shared.setdefault(line.row.rank, []).append(line.row)
    return list(shared.values())


def _ranked_teams(stage: Stage) -> TeamStandings:
    tie_breaks = _with_lots(stage.competition)
    return compute_team_standings(stage, public=False, tie_breaks=tie_breaks)


# --- a cut that was made


@dataclass(frozen=True, slots=True)
class Decision:
    """Tied players or teams, some in and some out, and the code of the tie-break."""

    inside: tuple[Info, ...]
    outside: tuple[Info, ...]
    by: str


class Qualifier(NamedTuple):
    entrant: StageEntrant
    info: PlayerInfo


@dataclass(frozen=True)
class CutStory:
    """The origin of a stage's players, or of its `teams`. `source` is None if that stage was deleted."""

    stage: Stage
    source: Stage | None
    decided: tuple[Decision, ...]
    gone: tuple[Info, ...]
    moved_up: tuple[Info, ...]
    draws: Sequence[LotsDraw]
    entrants: tuple[Qualifier, ...] = ()
    teams: tuple[Info, ...] = ()
    by_hand: bool = False

    @property
    def head_starts(self) -> bool:
        return any(qualifier.entrant.head_start for qualifier in self.entrants)


def story_of(stage: Stage, every: Sequence[Stage]) -> CutStory | None:
    """Return the record of the stage's cut, or None without a cut. Queries: 3."""
    if not stage.cut:
        return None
    people = players_of(stage.competition)
    entrants = tuple(Qualifier(entrant, people[entrant.player_id]) for entrant in stage.qualified.all())
    return _story(stage, stage_before(stage, every), stage.cut, people, entrants=entrants)


def team_story_of(stage: Stage, source: Stage | None) -> CutStory | None:
    """Return the record of the cut of teams from `source`, or None without one. Queries: 2."""
    if not (cut := stage.team_cut):
        return None
    known = teams_of(stage.competition)
    teams = infos_of(cut["in"], known)
    return _story(stage, source, cut, known, of_teams=True, teams=teams, by_hand=bool(cut["by_hand"]))


def _story(
    stage: Stage,
    source: Stage | None,
    cut: Mapping[str, Any],
    known: Mapping[int, Info],
    *,
    of_teams: bool = False,
    **more: Any,
) -> CutStory:
    return CutStory(
        stage=stage,
        source=source,
        decided=tuple(
            Decision(infos_of(each["in"], known), infos_of(each["out"], known), str(each["by"]))
            for each in cut.get("decided", ())
        ),
        gone=infos_of(cut.get("gone", ()), known),
        moved_up=infos_of(cut.get("moved_up", ()), known),
        draws=draws_of(source, known, of_teams=of_teams) if source else [],
        **more,
    )


def results_in(stage: Stage) -> bool:
    return Sheet.objects.filter(table__round__stage=stage).exists()


def terms_of(stage: Stage) -> Terms:
    if of_teams := stage.team_cut:
        return Terms(top=of_teams["top"], picked=tuple(of_teams["in"]) if of_teams["by_hand"] else ())
    head_starts = tuple(stage.qualified.order_by("position").values_list("head_start", flat=True))
    terms = {name: stage.cut[name] for name in ("first", "wild_cards", "wild_card_by") if name in stage.cut}
    picked = tuple(stage.cut.get("picked", ()))
    return Terms(top=stage.cut.get("top", 0), picked=picked, head_starts=head_starts, **terms)


@dataclass(frozen=True, slots=True)
class ChangedCut:
    """A stage whose cut would differ today. `no_longer`: the players who would be out. `instead`: the players
    who would be in.
    """

    stage: Stage
    no_longer: tuple[PlayerInfo, ...]
    instead: tuple[PlayerInfo, ...]


def changed_since(stage: Stage, source: Stage) -> ChangedCut | None:
    """Return how the same cut made today would differ, after corrected results or withdrawals."""
    plan = plan_cut(source, terms_of(stage), stage.carry, of_teams=bool(stage.team_cut))
    before, now = qualified_players(stage) or [], [player.player for player in plan.players]
    no_longer = infos_of((player for player in before if player not in now), plan.people)
    instead = infos_of((player for player in now if player not in before), plan.people)
    return ChangedCut(stage, no_longer, instead) if no_longer or instead else None


def changed_cuts(stages: Sequence[Stage]) -> list[ChangedCut]:
    """Return the changed cuts among all stages of some divisions. Queries: 10 for each cut of players."""
    sources = {stage: stage_before(stage, stages) for stage in stages if stage.cut}
    changed = (changed_since(stage, source) for stage, source in sources.items() if source)
    return [each for each in changed if each]


def stages_of_division(division: Division) -> list[Stage]:
    return list(Stage.objects.filter(division=division).order_by("position", "pk").with_rules())
