"""Team standings, line-ups and missing line-ups, for one audience.

A hanchan counts for the team named by its round's line-up, or else for the player's present team
(`scoring.teams`). Only a division's first stage, the regular season, limits the hanchan of a player.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import NamedTuple

from django.db.models import Q, QuerySet

from league.core.counted import counted_adjustments, counted_penalties
from league.core.memory import newest, release
from league.core.rounds import seating
from league.core.stages import Secrets, secrets_of, stage_before, stages_of
from league.models import (
    Adjustment,
    Competition,
    Division,
    Entrant,
    LineUp,
    Penalty,
    Round,
    Seat,
    Stage,
    StageEntrant,
    Table,
    Team,
    TeamPenalty,
    TeamSeat,
)
from league.people.members.queries import PlayerInfo, candidates, players_of
from league.play.results.queries.games import GAME, as_games, counted_tables, substitutes
from league.play.substitutions.queries.adjustments import add_averages
from league.ranking.standings.queries.stages import newest_with_results, ranked_line
from league.ranking.standings.queries.standings import lots_by_stage
from scoring.settlement import needs_ending
from scoring.standings import LOTS, SUBSTITUTE, Outside, Row
from scoring.teams import (
    Brought,
    Deduction,
    Membership,
    RoundGame,
    RoundScore,
    Share,
    carried_half,
    fill_tables,
    games_of_teams,
    rank_members,
    rank_teams,
    seats_by_team,
    share_of,
    team_scores,
)
from scoring.units import Score


@dataclass(frozen=True, slots=True)
class MemberLine:
    player: PlayerInfo
    row: Row
    here: bool  # in the team today
    share: Share | None = None  # of the stage's games, on the page of the team


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A row of the standings. `deducted`: the team's own penalties. `row.penalty`: its players' too."""

    team: Team
    row: Row
    deducted: Score
    members: tuple[MemberLine, ...]


@dataclass(frozen=True)
class TeamStandings:
    stage: int
    rows: tuple[TeamLine, ...]
    tables: int  # with results that count


def teams_of(competition: Competition) -> dict[int, Team]:
    return {team.pk: team for team in Team.objects.filter(competition=competition).order_by("pk")}


# --- standings


def team_standings(stage: Stage, *, public: bool, every: Sequence[Stage] | None = None) -> TeamStandings:
    """Return the team standings of a stage, cached under the competition's revision. `public`: only rounds
    with published results. `every`: all stages of its division, if at hand.
    """
    competition = stage.competition
    key = f"teams:{release()}:{stage.pk}:{int(public)}"
    return newest(
        key,
        competition.seen_version(public=public),
        lambda: compute_team_standings(stage, public=public, every=every),
    )


def team_ranking(
    competition: Competition, *, public: bool, division: str | None = None
) -> Sequence[TeamLine]:
    """Return the newest standings of teams, or nothing before a result. `division`: a slug."""
    choices = [
        stage
        for stage in stages_of(competition, public=public)
        if stage.stage.counts_for_teams and division in (None, stage.stage.division.slug)
    ]
    newest_stage = newest_with_results(choices)
    if newest_stage is None:
        return ()
    ranked = team_standings(newest_stage, public=public, every=[choice.stage for choice in choices])
    return ranked.rows if ranked.tables else ()


def compute_team_standings(
    stage: Stage,
    *,
    public: bool,
    every: Sequence[Stage] | None = None,
    tie_breaks: Sequence[str] | None = None,
) -> TeamStandings:
    """Compute the standings in a fixed number of queries. `tie_breaks` replaces the competition's."""
    same = list(Stage.objects.filter(division=stage.division_id) if every is None else every)
    same = [each for each in same if each.division_id == stage.division_id and each.counts_for_teams]
    asked = stage.competition.tie_breaks if tie_breaks is None else tie_breaks
    secret = secrets_of(same, with_lots=LOTS in asked) if public else Secrets()
    if stage.pk in secret.stages or not stage.counts_for_teams:
        return TeamStandings(stage.pk, (), 0)
    chain, from_start = ranked_line(stage, same, asked)
    facts = _facts(stage.division, [each.pk for each in chain], public=public)
    # a draw for a cut decides only there, unless lots are a tie-break of the competition
    stay = LOTS in stage.competition.tie_breaks
    drawn_in = {each.pk for each in chain if stay or each == stage} - secret.lots
    lots = lots_by_stage(drawn_in, of_teams=True) if LOTS in asked else {}
    rows: list[Row] = []
    for index, each in enumerate(chain):
        listed = facts.listed(each, whole_division=index == 0 and from_start, before=rows)
        rows = rank_teams(
            facts.games[each.pk],
            stage.division.rules,
            facts.members,
            teams=listed,
            penalties=facts.penalties[each.pk],
            adjustments=facts.adjustments[each.pk],
            brought=facts.brought[each.pk],
            deducted=[*facts.deducted[each.pk].items()],
            carried=_carried(each.carry, rows),
            tie_breaks=asked,
            outside=Outside(preliminary={row.player: row.rank for row in rows}, lots=lots.get(each.pk, ())),
        )
    return TeamStandings(stage.pk, tuple(_lines(stage, rows, facts)), facts.tables[stage.pk])


def scores_of_teams(stage: Stage, *, public: bool) -> tuple[list[RoundScore], list[RoundScore]]:
    """Return all that the standings of a stage sum, without points carried over. See `team_scores`."""
    facts = _facts(stage.division, [stage.pk], public=public)
    return team_scores(
        facts.games[stage.pk],
        stage.division.rules,
        facts.members,
        penalties=facts.penalties[stage.pk],
        adjustments=facts.adjustments[stage.pk],
        deducted=[*facts.deducted[stage.pk].items()],
    )


def _carried(carry: str, rows: Iterable[Row]) -> dict[int, Score]:
    if carry == Stage.Carry.NONE:
        return {}
    return {row.player: carried_half(row.total) if carry == Stage.Carry.HALF else row.total for row in rows}


@dataclass(frozen=True)
class _TeamFacts:
    people: Mapping[int, PlayerInfo]
    teams: Mapping[int, Team]
    members: Membership
    divisions: Mapping[int, set[int | None]]  # team → the divisions of its members
    qualified: Mapping[int, set[int]]  # stage → players who came through its cut
    games: Mapping[int, list[RoundGame]]
    tables: Mapping[int, int]  # stage → how many tables count
    penalties: Mapping[int, list[Deduction]]
    adjustments: Mapping[int, list[Deduction]]
    brought: Mapping[int, list[Brought]]  # stage → those of its adjustments that were carried in
    deducted: Mapping[int, Counter[int]]  # stage → team → tenths

    def listed(self, stage: Stage, *, whole_division: bool, before: Iterable[Row]) -> set[int]:
        """Return a stage's teams: qualified by a cut, in a first stage with a member in the division, else
        playing.
        """
        if stage.cut:
            return {
                team
                for player in self.qualified[stage.pk]
                if (team := self.members.team(player, None)) is not None
            }
        seated = games_of_teams(self.games[stage.pk], self.members)
        playing = {team for game in seated for team in game[:4]} - {SUBSTITUTE}
        own = set(self.deducted[stage.pk])
        if whole_division:
            here = {team for team, divisions in self.divisions.items() if stage.division_id in divisions}
            return playing | own | here
        return playing | own or {row.player for row in before}


def _facts(division: Division, stages: Sequence[int], *, public: bool) -> _TeamFacts:
    competition = division.competition
    entered = Entrant.objects.filter(competition=competition, team__isnull=False)
    now: dict[int, int] = {}
    divisions: dict[int, set[int | None]] = {}
    for player, team, plays_in in entered.values_list("player_id", "team_id", "division_id"):
        if team is not None:
            now[player] = team
            divisions.setdefault(team, set()).add(plays_in)
    named = LineUp.objects.filter(round__stage__in=stages).values_list("round_id", "player_id", "team_id")
    members = Membership(now, {(round_, player): team for round_, player, team in named})
    qualified: dict[int, set[int]] = {stage: set() for stage in stages}
    came = StageEntrant.objects.filter(stage__in=stages).values_list("stage_id", "player_id")
    for stage, player in came:
        qualified[stage].add(player)
    adjustments = _adjustments(stages, public=public)
    played_tables = counted_tables(stages, statuses=competition.counted_statuses, public=public)
    if now or members.named:
        games = _games(division, stages, played_tables)
        tables = {each: len(played) for each, played in games.items()}
    else:  # no one plays for a team: the games need not be read
        games = {each: [] for each in stages}
        tables = {each: played_tables.filter(round__stage=each).count() for each in stages}
    return _TeamFacts(
        people=players_of(competition),
        teams=teams_of(competition),
        members=members,
        divisions=divisions,
        qualified=qualified,
        games=games,
        tables=tables,
        penalties=_by_stage(
            stages, counted_penalties(Penalty.objects.filter(stage__in=stages), public=public).order_by("pk")
        ),
        adjustments=_by_stage(stages, adjustments),
        brought=_brought(stages, adjustments),
        deducted=_deducted(stages),
    )


def _games(division: Division, stages: Sequence[int], tables: QuerySet[Table]) -> dict[int, list[RoundGame]]:
    by_stage: dict[int, list[RoundGame]] = {stage: [] for stage in stages}
    instead = substitutes(Seat.objects.filter(round__stage__in=stages))
    with_endings = needs_ending(division.rules)
    columns = (*GAME[with_endings], "pk", "round_id", "round__stage_id")
    rows = list(tables.order_by("round__number", "number").values_list(*columns))
    played = as_games(rows, instead, with_endings=with_endings)
    for (*_facts, round_, stage), game in zip(rows, played, strict=True):
        by_stage[stage].append((round_, game))
    return by_stage


def _adjustments(stages: Sequence[int], *, public: bool) -> list[Adjustment]:
    adjustments = counted_adjustments(Adjustment.objects.filter(stage__in=stages), public=public)
    return add_averages(adjustments.select_related("round").order_by("pk"), public=public)


def _by_stage(
    stages: Iterable[int], deductions: Iterable[Penalty | Adjustment]
) -> dict[int, list[Deduction]]:
    sums: dict[int, list[Deduction]] = {stage: [] for stage in stages}
    for deduction in deductions:
        sums[deduction.stage_id].append((deduction.player_id, deduction.round_id, deduction.score or 0))
    return sums


def _brought(stages: Iterable[int], adjustments: Iterable[Adjustment]) -> dict[int, list[Brought]]:
    found: dict[int, list[Brought]] = {stage: [] for stage in stages}
    for each in adjustments:
        if each.kind == Adjustment.Kind.CARRIED_IN:
            found[each.stage_id].append((each.player_id, each.score or 0, each.games or 0))
    return found


def _deducted(stages: Iterable[int]) -> dict[int, Counter[int]]:
    by_stage = {stage: Counter[int]() for stage in stages}
    in_force = TeamPenalty.objects.filter(stage__in=by_stage, revoked_at__isnull=True).order_by("pk")
    for stage, team, score in in_force.values_list("stage_id", "team_id", "score"):
        by_stage[stage][team] += score
    return by_stage


def _lines(stage: Stage, rows: Iterable[Row], facts: _TeamFacts) -> Iterable[TeamLine]:
    members = rank_members(
        facts.games[stage.pk],
        stage.division.rules,
        facts.members,
        penalties=facts.penalties[stage.pk],
        adjustments=facts.adjustments[stage.pk],
        brought=facts.brought[stage.pk],
    )
    by_team: dict[int, list[MemberLine]] = {}
    for member in members:
        here = facts.members.now.get(member.player) == member.team
        did = member.row.games or member.row.penalty or member.row.adjusted
        if did or (here and (not stage.cut or member.player in facts.qualified[stage.pk])):
            by_team.setdefault(member.team, []).append(
                MemberLine(facts.people[member.player], member.row, here)
            )
    own = facts.deducted[stage.pk]
    for row in rows:
        yield TeamLine(facts.teams[row.player], row, own[row.player], tuple(by_team.get(row.player, ())))


def team_finder(competition: Competition) -> Callable[[int, int], str]:
    """Return a function of a round's and a player's id that names their team, or "". Queries: 2."""
    entered = Entrant.objects.filter(competition=competition, team__isnull=False)
    named = LineUp.objects.of(competition)
    now = dict(entered.values_list("player_id", "team__name"))
    then = {(rnd, who): name for rnd, who, name in named.values_list("round_id", "player_id", "team__name")}
    return lambda round_, player: then.get((round_, player)) or now.get(player) or ""


# --- shares of the hanchan


@dataclass(frozen=True, slots=True)
class MemberShare:
    player: PlayerInfo
    share: Share
    withdrawn: bool = False


def limits_of(stage: Stage, every: Iterable[Stage] | None = None) -> tuple[int | None, int | None]:
    """Return the least and most hanchan of a player for the team in this stage. Only the regular season has
    limits. `every`: all stages of its division, if at hand.
    """
    if stage_before(stage, Stage.objects.filter(division=stage.division_id) if every is None else every):
        return None, None
    competition = stage.competition
    return competition.least_hanchan, competition.most_hanchan


def hanchan_of_team(team: Team, stage: Stage, *, but: Round | None = None) -> dict[int, int]:
    """Count the rounds of the stage in which each player sits for the team or is named by it, except `but`.
    In a seated round only the seats count.
    """
    rounds = Round.objects.filter(stage=stage)
    if but is not None:
        rounds = rounds.exclude(pk=but.pk)
    named = set(LineUp.objects.filter(round__in=rounds).values_list("round_id", "player_id", "team_id"))
    whose = {(round_, player): of for round_, player, of in named}
    now = set(team.members.values_list("player_id", flat=True))
    seats = Seat.objects.filter(round__in=rounds, stands_for__isnull=True)
    concerned = Q(player__in=now) | Q(player__in={player for _r, player, of in named if of == team.pk})
    sits = set(seats.filter(concerned).values_list("round_id", "player_id"))
    seated = set(seats.order_by().values_list("round_id", flat=True).distinct())
    parts = {
        (round_, player)
        for round_, player in sits
        if whose.get((round_, player), team.pk if player in now else None) == team.pk
    } | {(round_, player) for round_, player, of in named if of == team.pk and round_ not in seated}
    return Counter(player for _round, player in parts)


def shares_of(team: Team, stage: Stage, *, but: Round | None = None) -> list[MemberShare]:
    least, most = limits_of(stage)
    games, people = hanchan_of_team(team, stage, but=but), players_of(team.competition)
    members = team.members.order_by("pk").values_list("player_id", "withdrawn_at")
    return [
        MemberShare(people[player], share_of(games.get(player, 0), least=least, most=most), gone is not None)
        for player, gone in members
    ]


# --- all teams


def members_by_team(competition: Competition) -> dict[int | None, list[PlayerInfo]]:
    """Map each team to its members, and None to the active players without a team."""
    team_of = dict(competition.entrants.values_list("player_id", "team_id"))
    members: dict[int | None, list[PlayerInfo]] = {}
    for player, each in candidates(competition).items():
        own = team_of.get(player)
        if own is not None or not each.withdrawn:
            members.setdefault(own, []).append(each.info)
    return members


# --- line-ups


@dataclass(frozen=True, slots=True)
class LineUpState:
    team: Team
    tables: tuple[int, ...]
    named: tuple[PlayerInfo, ...]

    @property
    def missing(self) -> int:
        return max(0, len(self.tables) - len(self.named))


def team_tables(round_: Round) -> dict[int, list[int]]:
    return {table: four for (_n, table), four in fours_at(TeamSeat.objects.filter(round=round_)).items()}


def team_history(round_: Round) -> list[list[int]]:
    seats = TeamSeat.objects.filter(round__stage=round_.stage_id).exclude(round=round_)
    return [four for four in fours_at(seats).values() if len(four) == 4]


def fours_at(seats: QuerySet[TeamSeat]) -> dict[tuple[int, int], list[int]]:
    """Map (round number, table number) to the teams of these seats, east first."""
    fours: dict[tuple[int, int], list[int]] = {}
    ordered = seats.order_by("round__number", "table", "wind")
    for number, table, team in ordered.values_list("round__number", "table", "team_id"):
        fours.setdefault((number, table), []).append(team)
    return fours


def rounds_without_teams(stage: Stage, *, again: bool = False) -> list[Round]:
    """List planned rounds without seats. `again`: also rounds with teams but without line-ups."""
    rounds = Round.objects.filter(stage=stage, status=Round.Status.PLANNED, tables=None)
    missing = {"line_ups": None} if again else {"team_seats": None}
    return list(rounds.filter(**missing).distinct().order_by("number"))


def rounds_to_unseat(stage: Stage) -> list[Round]:
    """List planned rounds with teams, but without line-ups and seats."""
    rounds = Round.objects.filter(stage=stage, status=Round.Status.PLANNED, tables=None, line_ups=None)
    return list(rounds.exclude(team_seats=None).distinct().order_by("number"))


class TeamTableSeat(NamedTuple):
    wind: int
    team: Team
    named: PlayerInfo | None
    sits: PlayerInfo | None


class TeamTable(NamedTuple):
    number: int
    seats: list[TeamTableSeat]
    as_named: bool  # the players sit as their teams named them


def round_tables(round_: Round) -> list[TeamTable]:
    competition, tables, there = round_.competition, team_tables(round_), seating(round_)
    people, teams = players_of(competition), teams_of(competition)
    return [
        TeamTable(
            number,
            [
                TeamTableSeat(wind, teams[team], people.get(one or 0), people.get(other or 0))
                for wind, (team, one, other) in enumerate(
                    zip_longest(tables[number], named, there.get(number, ())[:4])
                )
            ],
            as_named=there.get(number) == named,
        )
        for number, named in fill_tables(tables, line_ups_of(round_)).items()
    ]


def line_ups_of(round_: Round) -> dict[int, list[int]]:
    line_ups: dict[int, list[int]] = {}
    named = LineUp.objects.filter(round=round_).order_by("pk")
    for team, player in named.values_list("team_id", "player_id"):
        line_ups.setdefault(team, []).append(player)
    return line_ups


def line_up_states(round_: Round) -> list[LineUpState]:
    competition = round_.competition
    people, teams, named = players_of(competition), teams_of(competition), line_ups_of(round_)
    seats = seats_by_team(team_tables(round_))
    return [
        LineUpState(
            teams[team],
            tuple(table for table, _wind in seats[team]),
            tuple(people[player] for player in named.get(team, ())),
        )
        for team in teams
        if team in seats
    ]


def is_seated(round_: Round) -> bool:
    return Seat.objects.filter(round=round_).exists()


def is_late(round_: Round, *, now: datetime) -> bool:
    return _is_past(round_, now) or is_seated(round_)


def _is_past(round_: Round, now: datetime) -> bool:
    past = round_.line_ups_until is not None and now > round_.line_ups_until
    return past or round_.status == Round.Status.CLOSED


class CaptainRound(NamedTuple):
    round: Round
    tables: int
    named: int
    late: bool  # or seated: the captain can no longer choose

    @property
    def is_missing(self) -> bool:
        return self.named < self.tables and not self.late


def rounds_of_captain(team: int, *, now: datetime) -> list[CaptainRound]:
    """List the rounds with a seat of the team. Rounds with players to name come first, past rounds last."""
    seats, named = (
        Counter(rows.filter(team=team).values_list("round_id", flat=True))
        for rows in (TeamSeat.objects, LineUp.objects)
    )
    seated = set(Seat.objects.filter(round__in=seats).order_by().values_list("round_id", flat=True))
    seated_rounds = Round.objects.filter(pk__in=seats).with_competition()
    rounds = [
        CaptainRound(round_, seats[round_.pk], named[round_.pk], round_.pk in seated or _is_past(round_, now))
        for round_ in seated_rounds.order_by("stage__position", "stage_id", "number")
    ]
    coming = [round_ for round_ in rounds if not round_.late]
    coming.sort(key=lambda each: not each.is_missing)
    return coming + [round_ for round_ in reversed(rounds) if round_.late]


def line_ups_by_round(team: Team, stage: Stage, *, public: bool) -> dict[Round, list[PlayerInfo]]:
    """Return the team's line-ups in the stage, newest first.

    The public sees a line-up once the round's seating is published and players are seated.
    """
    line_ups = LineUp.objects.filter(team=team, round__stage=stage, round__in=team.seats.values("round"))
    if public:
        seated = Seat.objects.filter(round__stage=stage).values("round")
        line_ups = line_ups.exclude(round__visibility=Round.Visibility.HIDDEN).filter(round__in=seated)
    people = players_of(team.competition)
    by_round: dict[Round, list[PlayerInfo]] = {}
    for each in line_ups.select_related("round").order_by("-round__number", "pk"):
        by_round.setdefault(each.round, []).append(people[each.player_id])
    return by_round


# --- penalties of teams


def stages_with(team: Team, stages: Iterable[Stage]) -> list[Stage]:
    """Return those of the stages whose standings list the team: through a cut comes who has a player in it.

    Queries: 1.
    """
    every = list(stages)
    own = Entrant.objects.filter(team=team, competition=team.competition_id).values("player")
    came = StageEntrant.objects.filter(stage__in=every, player__in=own).values_list("stage", flat=True)
    listed = set(came)
    return [stage for stage in every if not stage.cut or stage.pk in listed]


def team_penalties(team: Team, *, stages: Iterable[Stage]) -> list[TeamPenalty]:
    """Return the team's penalties in these stages, newest first, with revoked ones."""
    related = ("team", "stage__division", "created_by", "revoked_by")
    return list(team.penalties.filter(stage__in=list(stages)).select_related(*related).order_by("-pk"))
