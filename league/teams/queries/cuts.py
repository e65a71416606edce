"""The cut of teams from one stage to the next: planned before it is made, and told afterwards.

Teams stand where players do (``scoring.cuts``): cut by the ranks of the team standings, after which lots
decide, or chosen by hand. Whoever is in a team that goes on, and can go on, comes into the new stage with it.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.models import Entrant, Stage, TeamLots
from league.people.queries import PlayerInfo, TeamInfo, players_of
from league.stages.queries import (
    Changed,
    Decision,
    Draw,
    Unfinished,
    gone_players,
    made_from,
    qualified_players,
    unfinished_rounds,
)
from league.teams.queries.teams import TeamLine, TeamStandings, compute_team_standings, teams_of
from scoring.cuts import Cut, Terms, make_cut
from scoring.standings import LOTS
from scoring.teams import carried_half
from scoring.units import Score


@dataclass(frozen=True, slots=True)
class TeamCutLine:
    """A team before a cut: its row in the stage before (None: not in it), what it would bring in (tenths),
    its place in the cut (position 0 and no ``how`` for a team that is out), and who would go on with it.
    """

    info: TeamInfo
    row: TeamLine | None
    brought: Score = 0
    position: int = 0
    how: str = ""
    players: tuple[PlayerInfo, ...] = ()


@dataclass(frozen=True)
class TeamCutPlan:
    """A cut of teams before it is made: nothing is written. ``cut`` holds ids of teams; ``gone`` are teams of
    which nobody can go on.
    """

    source: Stage
    terms: Terms
    cut: Cut
    inside: tuple[TeamCutLine, ...]
    out: tuple[TeamCutLine, ...]
    teams: Mapping[int, TeamInfo]
    unfinished: tuple[Unfinished, ...]
    gone: frozenset[int]
    tables: int
    made: tuple[Stage, ...]  # from the same stage before

    @property
    def by_hand(self) -> bool:
        return bool(self.terms.picked)

    @property
    def players(self) -> list[PlayerInfo]:
        """Who goes on, team by team."""
        return [player for line in self.inside for player in line.players]

    @property
    def picked_and_gone(self) -> list[TeamInfo]:
        return self.named(team for team in self.terms.picked if team in self.gone)

    def named(self, teams: Iterable[int]) -> list[TeamInfo]:
        return [self.teams[team] for team in teams if team in self.teams]

    @property
    def fingerprint(self) -> str:
        """A short text that differs when others would be in, or bring in something else, or another cut was
        made meanwhile.
        """
        inside = [
            [line.info.pk, line.how, str(line.brought), [each.player for each in line.players]]
            for line in self.inside
        ]
        seen = [inside, [stage.pk for stage in self.made]]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def plan_team_cut(source: Stage, *, top: int, picked: Collection[int], carry: str) -> TeamCutPlan:
    """The cut of the ``top`` teams of the stage as the facts are now, hidden rounds included; lots decide
    after the tie-breaks of the competition. Teams that are ``picked`` go on in place of those by rank, in the
    order of their ranks; picked teams that are the best ones anyway are no choice.
    """
    ranked, teams = teams_with_lots(source), teams_of(source.division.competition)
    lines = {line.team.pk: line for line in ranked.rows}
    players = _going_on(source, ranked.rows)
    gone = frozenset(teams.keys() - players.keys())
    terms, cut = _cut(ranked.rows, top, _in_order(picked, ranked.rows), gone)

    def line(team: int, position: int = 0, how: str = "") -> TeamCutLine:
        row = lines.get(team)
        brought = _share(carry, row)
        return TeamCutLine(teams[team], row, brought, position, how, tuple(players.get(team, ())))

    return TeamCutPlan(
        source=source,
        terms=terms,
        cut=cut,
        inside=tuple(line(each.player, each.position, each.how) for each in cut.qualified),
        out=tuple(line(team) for team in cut.out),
        teams=teams,
        unfinished=tuple(unfinished_rounds(source)),
        gone=gone,
        tables=ranked.tables,
        made=made_from(source),
    )


def _cut(
    lines: Sequence[TeamLine], top: int, picked: tuple[int, ...], gone: Collection[int]
) -> tuple[Terms, Cut]:
    rows = [line.row for line in lines]
    terms = Terms(top=top)
    cut = make_cut(rows, terms, gone=gone)
    if not picked or (set(picked) == set(cut.players) and not cut.open):
        return terms, cut
    terms = Terms(top=0, picked=picked)
    return terms, make_cut(rows, terms, gone=gone)


def _in_order(picked: Collection[int], lines: Iterable[TeamLine]) -> tuple[int, ...]:
    """By rank; teams that are not in the stage come last."""
    ranked = [line.team.pk for line in lines if line.team.pk in picked]
    return (*ranked, *sorted(set(picked) - set(ranked)))


def _going_on(source: Stage, lines: Iterable[TeamLine]) -> dict[int, list[PlayerInfo]]:
    """Team → its players who can go on, of a team that is not in the stage all of them; without the teams of
    which nobody can.
    """
    competition = source.division.competition
    people, gone = players_of(competition), gone_players(competition)
    found = {line.team.pk: [each.player for each in line.members if each.here] for line in lines}
    others = Entrant.objects.filter(competition=competition).exclude(team=None).exclude(team__in=list(found))
    for team, player in others.order_by("pk").values_list("team_id", "player_id"):
        found.setdefault(team or 0, []).append(people[player])
    left = {team: [each for each in players if each.player not in gone] for team, players in found.items()}
    return {team: players for team, players in left.items() if players}


def _share(carry: str, line: TeamLine | None) -> Score:
    if line is None or carry == Stage.Carry.NONE:
        return 0
    return carried_half(line.row.total) if carry == Stage.Carry.HALF else line.row.total


def teams_with_lots(stage: Stage) -> TeamStandings:
    """The team standings of the stage for the staff, with recorded lots as the last tie-break."""
    asked = stage.division.competition.tie_breaks
    tie_breaks = [*(name for name in asked if name != LOTS), LOTS]
    return compute_team_standings(stage, public=False, tie_breaks=tie_breaks)


def equal_teams(stage: Stage) -> list[list[TeamLine]]:
    """The teams that share a rank in the stage after every tie-break and every draw of lots, best first."""
    shared: dict[int, list[TeamLine]] = {}
    for line in teams_with_lots(stage).rows:
        if line.row.tied:
            shared.setdefault(line.row.rank, []).append(line)
    return list(shared.values())


def team_draws_of(stage: Stage, teams: Mapping[int, TeamInfo]) -> tuple[Draw, ...]:
    """The lots drawn between teams in the stage, oldest first."""
    found = TeamLots.objects.filter(stage=stage).select_related("created_by").order_by("pk")
    return tuple(Draw(each, tuple(teams[team] for team in each.teams if team in teams)) for each in found)


# --- a cut that was made


@dataclass(frozen=True)
class TeamStory:
    """How the teams of a stage came into it. ``source`` is None where that stage is not known any more."""

    source: Stage | None
    by_hand: bool
    inside: tuple[TeamInfo, ...]
    decided: tuple[Decision, ...]
    gone: tuple[TeamInfo, ...]
    moved_up: tuple[TeamInfo, ...]
    draws: tuple[Draw, ...]


def team_story_of(stage: Stage, source: Stage | None) -> TeamStory | None:
    """How a cut of teams from ``source`` came about, as it was kept when it was made; None for a stage
    without one. Two queries.
    """
    cut = stage.team_cut
    if not cut:
        return None
    teams = teams_of(stage.division.competition)

    def named(ids: Iterable[int]) -> tuple[TeamInfo, ...]:
        return tuple(teams[team] for team in ids if team in teams)

    return TeamStory(
        source=source,
        by_hand=bool(cut["by_hand"]),
        inside=named(cut["in"]),
        decided=tuple(
            Decision(named(each["in"]), named(each["out"]), str(each["by"])) for each in cut["decided"]
        ),
        gone=named(cut["gone"]),
        moved_up=named(cut["moved_up"]),
        draws=team_draws_of(source, teams) if source else (),
    )


def teams_changed_since(stage: Stage, source: Stage) -> Changed | None:
    """Whether the same cut would give other players today: a result was corrected, somebody has left."""
    cut = stage.team_cut
    picked = cut["in"] if cut["by_hand"] else ()
    plan = plan_team_cut(source, top=cut["top"], picked=picked, carry=stage.carry)
    now = {each.player: each for each in plan.players}
    before = qualified_players(stage) or []
    people = players_of(source.division.competition)
    no_longer = tuple(people[player] for player in before if player not in now and player in people)
    instead = tuple(each for player, each in now.items() if player not in before)
    return Changed(no_longer, instead) if no_longer or instead else None
