"""The race to the lines of a stage: its contestants, what is still to be played, and the kept chances.

A *contestant* is a player, or a team. A *line* is a rank at the end of the stage that decides something: the
cut, promotion, no relegation, the title. A stage has no race without `Competition.shows_chances`, without a
planned number of rounds, in free play, if only some games count, after its cut, and once its rounds are over.
"""

import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef

from league.bans.queries import banned_here
from league.calendar.queries.table_times import to_make_up
from league.core.memory import newest, release
from league.core.stages import stage_before, stages_of
from league.models import Competition, Round, Seat, Sheet, Stage, Table, TeamSeat
from league.needs.words.race import CUT, NOT_RELEGATED, PROMOTION, PROMOTION_PLAY_OFF, STAYS, TITLE
from league.results.queries import SEATED, games, substitutes, with_facts
from league.rounds.queries import players_by_stage
from league.seasons.queries import is_play_off, zones_of
from league.standings.queries.standings import standings_of
from league.substitutions.queries.adjustments import stage_adjustments
from league.teams.queries import team_standings
from scoring.chances import Chances, RoundToCome, Season, can_simulate, simulate
from scoring.promotion import DOWN, UP, Movement
from scoring.settlement import Four, needs_ending, settler
from scoring.standings import AVERAGE, SUBSTITUTE, Game, Row
from scoring.teams import Membership

LAST_ROUNDS: Final = 3  # in which the standings have marks


class Line(NamedTuple):
    kind: str
    rank: int


class Contestant(NamedTuple):
    """`page`: the number in the address of the player or team."""

    pk: int
    name: str
    page: int
    row: Row


@dataclass(frozen=True)
class Race:
    """The end of a stage, for one audience.

    `tables`: the tables with seats that are still to be played, with their units. `season`: the input of the
    simulation.
    """

    stage: Stage
    of_teams: bool
    contestants: tuple[Contestant, ...]
    lines: tuple[Line, ...]
    tables: Mapping[int, Four]
    season: Season
    seed: int

    @property
    def rounds_left(self) -> int:
        return len(self.season.rounds)

    @property
    def is_near_its_end(self) -> bool:
        return self.rounds_left <= LAST_ROUNDS

    def contestant(self, pk: int) -> Contestant | None:
        return next((each for each in self.contestants if each.pk == pk), None)

    def plays_again(self, pk: int) -> bool:
        units = {pk, *(unit for unit, team in self.season.team.items() if team == pk)}
        seats = (four for each in self.season.rounds for four in (each.drawn, *each.tables))
        return any(not units.isdisjoint(four) for four in seats)

    def table_of(self, pk: int) -> Four | None:
        """Return the four units of a contestant's last hanchan, or None unless exactly this one is left."""
        if pk in self.season.team or any(each.drawn for each in self.season.rounds):
            return None
        own = [four for four in self.tables.values() if pk in four]
        return own[0] if len(own) == 1 else None


def race_of(stage: Stage, *, public: bool, of_teams: bool = False) -> Race | None:
    """Return the race of a stage, cached by the competition's revision and its banned players."""
    competition = stage.division.competition
    if not competition.shows_chances or stage.planned_rounds is None:
        return None
    key = f"race:{release()}:{stage.pk}:{int(public)}:{int(of_teams)}"
    banned = _banned(competition)
    facts = (competition.seen_version(public=public), banned)
    found = newest(key, facts, lambda: _race(stage, banned, public=public, of_teams=of_teams))
    return replace(found, stage=stage) if found else None  # the one at hand


def races_of(competition: Competition, *, public: bool) -> list[Race]:
    """Return the races of all stages of which this audience may know, of players and of teams."""
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    kinds = (False, True) if competition.team_play != Competition.TeamPlay.NONE else (False,)
    found = (race_of(stage, public=public, of_teams=each) for stage in stages for each in kinds)
    return [race for race in found if race is not None]


def _banned(competition: Competition) -> tuple[int, ...]:
    """Return the players who may not play today. A ban of another competition raises no version here."""
    return tuple(sorted(banned_here(competition)))


def _race(stage: Stage, banned: Collection[int], *, public: bool, of_teams: bool) -> Race | None:
    competition = stage.division.competition
    pending = _pending(stage, public=public)
    every = [choice.stage for choice in stages_of(competition, public=public)]
    if not pending or (of_teams and not stage.counts_for_teams) or not _is_open(stage, every):
        return None
    contestants = _teams(stage, public) if of_teams else _players(stage, banned, public)
    lines = _lines(stage, every, banned, len(contestants), public=public, of_teams=of_teams)
    if not lines or len(contestants) < 2:
        return None
    season, tables = _season(stage, contestants, pending, public=public, of_teams=of_teams)
    if not season.rounds or not season.results:
        return None
    seed = zlib.crc32(f"{competition.slug}/{stage.slug}/{len(season.results)}".encode()) % 1_000_000
    return Race(stage, of_teams, contestants, lines, tables, season, seed)


def _is_open(stage: Stage, every: Sequence[Stage]) -> bool:
    numbers = stage.numbers
    if stage.play == Stage.Play.OPEN or is_play_off(stage) or numbers.leaves_out or numbers.beyond == AVERAGE:
        return False
    return not any(each.cut and stage_before(each, every) == stage for each in every)


# --- contestants


def _players(stage: Stage, banned: Collection[int], public: bool) -> tuple[Contestant, ...]:
    active = set(players_by_stage([stage], stage.division.competition)[stage.pk]).difference(banned)
    return tuple(
        Contestant(line.row.player, line.player.name, line.player.entrant, line.row)
        for line in standings_of([stage], public=public)[stage.pk].rows
        if line.row.player in active
    )


def _teams(stage: Stage, public: bool) -> tuple[Contestant, ...]:
    return tuple(
        Contestant(line.team.pk, line.team.name, line.team.pk, line.row)
        for line in team_standings(stage, public=public).rows
    )


# --- lines


def _lines(
    stage: Stage,
    every: Sequence[Stage],
    banned: Collection[int],
    field: int,
    *,
    public: bool,
    of_teams: bool,
) -> tuple[Line, ...]:
    crowns_teams = stage.division.competition.crowns_teams
    cut = stage.planned_cut if of_teams == crowns_teams else None
    later = [each for each in every if each.division_id == stage.division_id and not is_play_off(each)]
    is_last = later[-1] == stage
    found = [Line(CUT, cut)] if cut else [Line(TITLE, 1)] if is_last else []
    if not of_teams:
        found += [line for line in _movement(stage, banned, public=public) if not cut or line.rank > cut]
    kept = {line.rank: line for line in reversed(found) if 0 < line.rank < field}
    return tuple(sorted(kept.values(), key=lambda line: line.rank))


def _movement(stage: Stage, banned: Collection[int], *, public: bool) -> list[Line]:
    """Return promotion and relegation as ranks of the division's final order, as the numbers are today.

    Banned players are removed before a season ends, so they have no place in the order.
    """
    zones = zones_of(stage, public=public)
    if zones is None:
        return []
    counts = Counter(zones.kinds.values())
    movement = Movement.from_values(stage.division.movement)
    entered = Stage(pk=stage.pk, division_id=stage.division_id)  # without a cut: all of the division
    players = players_by_stage([entered], stage.division.competition)[stage.pk]
    up, down = counts[UP], len(set(players).difference(banned)) - counts[DOWN]
    return [
        *([Line(PROMOTION, up)] if up else []),
        *([Line(PROMOTION_PLAY_OFF, up + movement.up_play_off)] if movement.up_play_off else []),
        *([Line(STAYS, down - movement.down_play_off)] if movement.down_play_off else []),
        *([Line(NOT_RELEGATED, down)] if counts[DOWN] else []),
    ]


# --- what is still to be played


class _Pending(NamedTuple):
    """A round that is not over: its id, and its tables without a result. It has none before it is seated."""

    round: int | None
    tables: Mapping[int, Four]


def _pending(stage: Stage, *, public: bool) -> list[_Pending]:
    """Return the rounds to come of a stage with a planned number of rounds."""
    statuses = stage.division.competition.counted_statuses
    late = to_make_up(Table.objects.filter(round=OuterRef("pk")))
    waiting = Sheet.objects.filter(
        table__round=OuterRef("pk"), is_current=True, status=Sheet.Status.ENTERED
    ).exclude(status__in=statuses)
    rounds = Round.objects.filter(stage=stage).order_by("number")
    rounds = rounds.annotate(has_late=Exists(late) | Exists(waiting))
    known = [each for each in rounds if not public or each.visibility != Round.Visibility.HIDDEN]
    untold = {each.pk for each in known if public and each.visibility != Round.Visibility.RESULTS}
    open_ = [
        each.pk for each in known if each.status != Round.Status.CLOSED or each.has_late or each.pk in untold
    ]
    tables, over = _tables_of(open_, statuses)
    found = []
    for pk in open_:
        left = {table: four for table, four in tables[pk].items() if pk in untold or table not in over}
        if left or not tables[pk]:
            found.append(_Pending(pk, left))
    more = max(0, (stage.planned_rounds or 0) - len(known))
    return found + [_Pending(None, {})] * more


def _tables_of(
    rounds: Sequence[int], statuses: Collection[str]
) -> tuple[dict[int, dict[int, Four]], set[int]]:
    """Return round → table → its units, and the tables with a result that counts.

    A substitute's seat counts for no contestant. Its unit is the negative number of the player.
    """
    tables: dict[int, dict[int, Four]] = {pk: {} for pk in rounds}
    over: set[int] = set()
    if not rounds:
        return tables, over
    instead = substitutes(Seat.objects.filter(round__in=rounds))
    columns = ("pk", "round", *SEATED, "now__status")
    for pk, round_, *four, status in with_facts(Table.objects.filter(round__in=rounds)).values_list(*columns):
        if None not in four:
            here = instead.get(pk, {})
            a, b, c, d = (-player if wind in here else player for wind, player in enumerate(four))
            tables[round_][pk] = a, b, c, d
        if status in statuses:
            over.add(pk)
    return tables, over


def _season(
    stage: Stage,
    contestants: Sequence[Contestant],
    pending: Sequence[_Pending],
    *,
    public: bool,
    of_teams: bool,
) -> tuple[Season, dict[int, Four]]:
    competition = stage.division.competition
    played = games(
        stage.pk,
        statuses=competition.counted_statuses,
        public=public,
        with_endings=needs_ending(stage.division.rules),
        substitutes=stage_adjustments([stage.pk], public=public).substitutes,
    )
    places = {each.pk: each.row.places for each in contestants}
    team: Mapping[int, int] = {}
    units: Collection[int] = places
    if of_teams and not competition.crowns_teams:
        team = _teams_of_players(competition)
        rows = standings_of([stage], public=public)[stage.pk].rows
        places = {line.row.player: line.row.places for line in rows}
        units = [player for player in places if player in team]
    elif of_teams:
        pending = _seats_of_teams(stage, pending)
    drawn = RoundToCome(drawn=tuple(units), most=_usual_tables(stage, played, public=public))
    rounds = [RoundToCome(tables=tuple(each.tables.values())) if each.tables else drawn for each in pending]
    tables = {pk: four for each in pending for pk, four in each.tables.items()}
    season = Season(
        totals={each.pk: each.row.total for each in contestants},
        places=places,
        results=_results(stage, played),
        rounds=[each for each in rounds if each.tables or each.drawn],
        team=team,
    )
    return season, tables


def _usual_tables(stage: Stage, played: Sequence[Game], *, public: bool) -> int:
    rounds = Round.objects.filter(stage=stage, tables__sheets__is_current=True)
    if public:
        rounds = rounds.filter(visibility=Round.Visibility.RESULTS)
    return -(-len(played) // max(1, rounds.distinct().count()))


def _results(stage: Stage, played: Iterable[Game]) -> list[tuple[float, float, float, float]]:
    settle = settler(stage.division.rules)
    scores = (sorted(map(float, settle(*game[4:])[1]), reverse=True) for game in played)
    return [(first, second, third, fourth) for first, second, third, fourth in scores]


def _teams_of_players(competition: Competition) -> dict[int, int]:
    entered = competition.entrants.filter(team__isnull=False, withdrawn_at__isnull=True)
    return {player: team or 0 for player, team in entered.values_list("player_id", "team_id")}


def _seats_of_teams(stage: Stage, pending: Sequence[_Pending]) -> list[_Pending]:
    """Replace players by teams: at tables with players, and in rounds whose teams alone are known."""
    now = _teams_of_players(stage.division.competition)
    named = {
        (round_, player): team
        for round_, player, team in stage.rounds.values_list("pk", "line_ups__player_id", "line_ups__team_id")
        if player is not None
    }
    seats: dict[int, dict[int, list[int]]] = {}
    known = TeamSeat.objects.filter(round__stage=stage).exclude(round__visibility=Round.Visibility.HIDDEN)
    for round_, table, team in known.order_by("table", "wind").values_list("round_id", "table", "team_id"):
        seats.setdefault(round_, {}).setdefault(table, []).append(team)
    of, found = Membership(now, named), []
    for each in pending:
        teams, planned = of.teams(each.round), seats.get(each.round or 0, {})
        tables = {}
        for pk, four in each.tables.items():
            a, b, c, d = (teams.get(player, SUBSTITUTE) for player in four)
            tables[pk] = a, b, c, d
        if not tables and all(len(four) == 4 for four in planned.values()):
            tables = {-number: (a, b, c, d) for number, (a, b, c, d) in planned.items()}
        found.append(_Pending(each.round, tables))
    return found


# --- chances


def chances_of(race: Race) -> Chances | None:
    """Simulate the rest of the stage, or return None if too few tables are played."""
    if not can_simulate(race.season):
        return None
    return simulate(race.season, [line.rank for line in race.lines], seed=race.seed)


def write_chances(competition: Competition, *, public: bool) -> bytes:
    """Return the chances of all races as JSON, which `read_chances` reads."""
    found = {
        name_of(race): asdict(chances) | {"within": list(chances.within.items())}
        for race in races_of(competition, public=public)
        if (chances := chances_of(race))
    }
    return json.dumps(found).encode()


def read_chances(content: bytes) -> dict[str, Chances]:
    return {
        name: Chances(
            seed=each["seed"],
            ends=each["ends"],
            lines=tuple(each["lines"]),
            within={pk: tuple(counts) for pk, counts in each["within"]},
        )
        for name, each in json.loads(content).items()
    }


def name_of(race: Race) -> str:
    return f"{race.stage.pk}{'t' if race.of_teams else 'p'}"


def kept_facts(competition: Competition, *, public: bool) -> tuple[object, ...]:
    """Return all that the kept chances depend on, for `league.core.kept_files`."""
    return ("chances", competition.seen_version(public=public), _banned(competition))
