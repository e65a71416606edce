"""The cut from one stage to the next, of players or of teams: planned before it is made, shown afterwards.

Teams are cut as players are (``scoring.cuts``): by the ranks of the team standings, after which lots decide,
or chosen by hand. The members of a team who can go on come into the new stage with it.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.db.models import Count, Exists, OuterRef, Q

from league.bans.queries import banned_here
from league.calendar.queries.table_times import to_make_up
from league.core.stages import stage_before
from league.models import (
    Competition,
    Division,
    Entrant,
    Lots,
    Round,
    Sheet,
    Stage,
    StageEntrant,
    Table,
)
from league.people.queries import PlayerInfo, TeamInfo, players_of
from league.results.queries import games
from league.rounds.queries import qualified_by_stage
from league.standings.queries.standings import Standings, compute_standings_of
from league.substitutions.queries.adjustments import stage_adjustments
from league.teams.queries import compute_team_standings, teams_of
from scoring.cuts import Cut, Terms, make_cut
from scoring.settlement import needs_ending
from scoring.standings import LOTS, Row, measure
from scoring.teams import carried_half
from scoring.units import Score, half


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A round that a cut would come too early for. ``why``: planned, open, make_up (a postponed table is to
    come) or confirm (sheets wait for it).
    """

    round: Round
    why: str


def unfinished_rounds(stage: Stage) -> list[Unfinished]:
    """The rounds of the stage whose results may still come or change; one query."""
    return unfinished_in([stage])[stage.pk]


def unfinished_in(stages: Sequence[Stage]) -> dict[int, list[Unfinished]]:
    """Stage → its unfinished rounds, of stages of one competition; one query, none for no stage."""
    found: dict[int, list[Unfinished]] = {stage.pk: [] for stage in stages}
    for each, why in _unfinished({stage.pk: stage for stage in stages}) if stages else ():
        found[each.stage_id].append(Unfinished(each, why))
    return found


def _unfinished(stages: Mapping[int, Stage]) -> Iterator[tuple[Round, str]]:
    waiting = Q(tables__sheets__is_current=True, tables__sheets__status=Sheet.Status.ENTERED)
    to_come = to_make_up(Table.objects.filter(round=OuterRef("pk")))
    missing = Table.objects.filter(round=OuterRef("pk")).exclude(sheets__is_current=True)
    found = Round.objects.filter(stage__in=stages).annotate(
        waiting=Count("tables__sheets", filter=waiting), to_come=Exists(to_come), missing=Exists(missing)
    )
    for each in found:
        stage = stages[each.stage_id]
        confirming = stage.division.competition.counting == Competition.Counting.CONFIRMED
        # A table of open play is not closed: it is finished with its sheet.
        closed = each.status == Round.Status.CLOSED or (stage.play == Stage.Play.OPEN and not each.missing)
        if why := _why(each, closed, each.to_come, each.waiting if confirming else 0):
            yield each, why


def _why(round_: Round, closed: bool, to_come: bool, waiting: int) -> str:
    if not closed:
        return str(round_.status)
    if to_come:
        return "make_up"
    return "confirm" if waiting else ""


T = TypeVar("T")
Info = PlayerInfo | TeamInfo


@dataclass(frozen=True, slots=True)
class CutLine:
    """A player or a team before a cut: the row of the stage before (None: not in it), what they would bring
    in (head start included, tenths), their place in the cut (position 0 and no ``how``: out), and the players
    who would go on.
    """

    info: Info
    row: Row | None
    brought: Score = 0
    position: int = 0
    how: str = ""
    players: tuple[PlayerInfo, ...] = ()


@dataclass(frozen=True)
class CutPlan:
    """A cut before it is made: nothing is written. Ids are those of players, or of teams: ``known`` are all
    in the competition. A team is ``gone`` when none of its players can go on.
    """

    source: Stage
    of_teams: bool
    terms: Terms
    cut: Cut
    inside: tuple[CutLine, ...]
    out: tuple[CutLine, ...]
    known: Mapping[int, Info]
    people: Mapping[int, PlayerInfo]
    unfinished: tuple[Unfinished, ...]
    gone: frozenset[int]
    tables: int
    made: tuple[Stage, ...]  # from the same stage before

    @property
    def players(self) -> list[PlayerInfo]:
        """Who goes on, in the order of the positions."""
        return [player for line in self.inside for player in line.players]

    @property
    def picked_and_gone(self) -> tuple[Info, ...]:
        return infos_of((one for one in self.terms.picked if one in self.gone), self.known)

    @property
    def fingerprint(self) -> str:
        """A short text that differs when others would be in, or bring in something else, or another cut was
        made since.
        """
        inside = [
            [line.info.pk, line.how, str(line.brought), [each.player for each in line.players]]
            for line in self.inside
        ]
        seen = [inside, [stage.pk for stage in self.made]]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def infos_of(ids: Iterable[object], known: Mapping[int, T]) -> tuple[T, ...]:
    """What is known of these players or teams, in their order; without those that are not known."""
    return tuple(known[one] for one in ids if isinstance(one, int) and one in known)


@dataclass(frozen=True, slots=True)
class _Field:
    """Who may be cut: ``rows`` best first with lots as the last tie-break, the players who can go on by id,
    and what brings in half of a total.
    """

    known: Mapping[int, Info]
    rows: Sequence[Row]
    tables: int
    players: Mapping[int, Sequence[PlayerInfo]]
    halve: Callable[[Score], Score]


def plan_cut(source: Stage, terms: Terms, carry: str, *, of_teams: bool = False) -> CutPlan:
    """The cut from ``source`` as the facts are now, hidden rounds included; lots decide after the tie-breaks
    of the competition. ``carry`` is what the new stage would bring in (``Stage.Carry``).

    Teams that are picked go on in place of those by rank, in the order of their ranks, with all their players
    who can go on; where the picked teams are those by rank anyway, the pick is ignored. Picked ones who
    were removed since are left out.
    """
    people = players_of(source.division.competition)
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
        unfinished=tuple(unfinished_rounds(source)),
        gone=gone,
        tables=field.tables,
        made=tuple(each for each in stages_of_division(source.division) if each.cut.get("from") == source.pk),
    )


def _players_in(stage: Stage, people: Mapping[int, PlayerInfo], able: Mapping[int, PlayerInfo]) -> _Field:
    ranked = ranked_with_lots(stage)
    rows = [line.row for line in ranked.rows]
    return _Field(people, rows, ranked.tables, {player: [info] for player, info in able.items()}, half)


def _teams_in(stage: Stage, people: Mapping[int, PlayerInfo], able: Mapping[int, PlayerInfo]) -> _Field:
    """Of a team in the stage its members who are listed there can go on, of another team all members."""
    competition = stage.division.competition
    ranked = compute_team_standings(stage, public=False, tie_breaks=_with_lots(competition))
    found = {line.team.pk: [each.player.player for each in line.members if each.here] for line in ranked.rows}
    others = Entrant.objects.filter(competition=competition).exclude(team=None).exclude(team__in=list(found))
    for team, player in others.order_by("pk").values_list("team_id", "player_id"):
        found.setdefault(team or 0, []).append(player)
    going_on = {
        team: [able[player] for player in players if player in able] for team, players in found.items()
    }
    return _Field(
        teams_of(competition),
        [line.row for line in ranked.rows],
        ranked.tables,
        {team: players for team, players in going_on.items() if players},
        carried_half,
    )


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
    """The standings of the stage for the staff, with recorded lots as the last tie-break."""
    return ranked_with_lots_of([stage])[stage.pk]


def ranked_with_lots_of(
    stages: Sequence[Stage], *, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Stage → the same, for stages of one competition; in queries whose number does not grow. ``every``: all
    of its stages, if they are at hand.
    """
    if not stages:
        return {}
    tie_breaks = _with_lots(stages[0].division.competition)
    return compute_standings_of(stages, public=False, every=every, tie_breaks=tie_breaks)


def _with_lots(competition: Competition) -> list[str]:
    return [*(name for name in competition.tie_breaks if name != LOTS), LOTS]


def gone_players(stage: Stage) -> frozenset[int]:
    """Who cannot go on: withdrawn (an expelled player is), or banned and the ban not waived."""
    competition = stage.division.competition
    withdrawn = Entrant.objects.filter(competition=competition, withdrawn_at__isnull=False)
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
        statuses=source.division.competition.counted_statuses,
        public=False,
        with_endings=needs_ending(rules),
        substitutes=stage_adjustments([source.pk], public=False).substitutes,
    )
    return measure(played, rules, terms.wild_card_by, source.numbers)


def qualified_players(stage: Stage) -> list[int] | None:
    """Who came through the stage's cut, in the order of their positions; None for a stage without one."""
    return list(qualified_by_stage([stage])[stage.pk]) if stage.cut else None


# --- lots


@dataclass(frozen=True, slots=True)
class LotsDraw:
    """A draw of lots, its players (or teams) in the order in which they were drawn."""

    lots: Lots
    players: tuple[Info, ...]


def draws_of(stage: Stage, known: Mapping[int, Info], *, of_teams: bool = False) -> tuple[LotsDraw, ...]:
    """The lots drawn in the stage, oldest first, between players or between teams."""
    found = Lots.objects.filter(stage=stage).prefetch_related("drawn").order_by("pk")
    return tuple(
        LotsDraw(lots, infos_of(lots.drawn_ids, known)) for lots in found if lots.of_teams == of_teams
    )


def equal_rows(stage: Stage, *, of_teams: bool = False) -> list[list[Row]]:
    """The players (or teams) who share a rank in the stage after every tie-break and every draw of lots, best
    first.
    """
    if of_teams:
        tie_breaks = _with_lots(stage.division.competition)
        rows = [line.row for line in compute_team_standings(stage, public=False, tie_breaks=tie_breaks).rows]
    else:
        rows = [line.row for line in ranked_with_lots(stage).rows]
    shared: dict[int, list[Row]] = {}
    for row in rows:
        if row.tied:
            shared.setdefault(row.rank, []).append(row)
    return list(shared.values())


# --- a cut that was made


@dataclass(frozen=True, slots=True)
class Decision:
    """Players or teams who were equal, some of them in and some out, and the code of what decided."""

    inside: tuple[Info, ...]
    outside: tuple[Info, ...]
    by: str


@dataclass(frozen=True)
class CutStory:
    """How the players of a stage came into it, or its ``teams`` (chosen ``by_hand`` or by rank). ``source``
    is None where that stage was deleted.
    """

    stage: Stage
    source: Stage | None
    decided: tuple[Decision, ...]
    gone: tuple[Info, ...]
    moved_up: tuple[Info, ...]
    draws: tuple[LotsDraw, ...]
    entrants: tuple[tuple[StageEntrant, PlayerInfo], ...] = ()
    teams: tuple[Info, ...] = ()
    by_hand: bool = False

    @property
    def head_starts(self) -> bool:
        return any(entrant.head_start for entrant, _info in self.entrants)


def story_of(stage: Stage, every: Sequence[Stage]) -> CutStory | None:
    """How a cut came about, as it was kept when it was made; None for a stage without one. Three queries."""
    if not stage.cut:
        return None
    people = players_of(stage.division.competition)
    entrants = tuple((entrant, people[entrant.player_id]) for entrant in stage.qualified.all())
    return _story(stage, stage_before(stage, every), stage.cut, people, entrants=entrants)


def team_story_of(stage: Stage, source: Stage | None) -> CutStory | None:
    """The same of a cut of teams from ``source``; None for a stage without one. Two queries."""
    cut = stage.team_cut
    if not cut:
        return None
    teams = teams_of(stage.division.competition)
    return _story(
        stage,
        source,
        cut,
        teams,
        of_teams=True,
        teams=infos_of(cut["in"], teams),
        by_hand=bool(cut["by_hand"]),
    )


def _story(
    stage: Stage,
    source: Stage | None,
    kept: Mapping[str, Any],
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
            for each in kept.get("decided", ())
        ),
        gone=infos_of(kept.get("gone", ()), known),
        moved_up=infos_of(kept.get("moved_up", ()), known),
        draws=draws_of(source, known, of_teams=of_teams) if source else (),
        **more,
    )


def results_in(stage: Stage) -> bool:
    """Was a score sheet ever entered in this stage, void ones included?"""
    return Sheet.objects.filter(table__round__stage=stage).exists()


def terms_of(stage: Stage) -> Terms:
    """The terms under which the stage's cut was made."""
    if kept := stage.team_cut:
        return Terms(top=kept["top"], picked=tuple(kept["in"]) if kept["by_hand"] else ())
    cut = stage.cut
    entrants = stage.qualified.order_by("position")
    return Terms(
        top=cut.get("top", 0),
        first=cut.get("first", 1),
        wild_cards=cut.get("wild_cards", 0),
        wild_card_by=cut.get("wild_card_by", Terms.__dataclass_fields__["wild_card_by"].default),
        picked=tuple(cut.get("picked", ())),
        head_starts=tuple(entrants.values_list("head_start", flat=True)),
    )


@dataclass(frozen=True, slots=True)
class Changed:
    """Who is in a cut and would not be today, and the other way round."""

    no_longer: tuple[PlayerInfo, ...]
    instead: tuple[PlayerInfo, ...]


def changed_since(stage: Stage, source: Stage) -> Changed | None:
    """Whether the same cut would give other players today: a result was corrected, a player has left."""
    plan = plan_cut(source, terms_of(stage), stage.carry, of_teams=bool(stage.team_cut))
    before, now = qualified_players(stage) or [], [each.player for each in plan.players]
    no_longer = infos_of((player for player in before if player not in now), plan.people)
    instead = infos_of((player for player in now if player not in before), plan.people)
    return Changed(no_longer, instead) if no_longer or instead else None


def stages_of_division(division: Division) -> list[Stage]:
    """The stages of a division in order, with what their standings need."""
    found = Stage.objects.filter(division=division).select_related(
        "division__competition", "division__rule_set"
    )
    return list(found.order_by("position", "pk"))


def seats_in(stage: Stage) -> int:
    """How many tables are seated in the stage."""
    return Table.objects.filter(round__stage=stage).count()
