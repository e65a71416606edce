"""The race to the lines of a stage: its contestants, what is still to be played, and the kept chances.

A *contestant* is a player, or a team. A *line* is a rank at the end of the stage that decides something: the
cut, promotion, no relegation, the title. A stage has no race without `Competition.shows_chances`, without a
planned number of rounds, in free play, if only some games count, after its cut, and once its rounds are over.
"""

import json
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef

from league.core.memory import newest, release
from league.core.stages import stage_before, stages_of
from league.extras.needs.rules.chances import Chances, RoundToCome, Season, can_simulate, simulate
from league.extras.needs.rules.hanchan import Record
from league.extras.needs.words.race import CUT, NOT_RELEGATED, PROMOTION, PROMOTION_PLAY_OFF, STAYS, TITLE
from league.models import Competition, Round, Seat, Sheet, Stage, Table, TeamSeat
from league.play.bans.queries import banned_here
from league.play.calendar.queries.table_times import to_make_up
from league.play.results.queries.games import SEATED, games, substitutes, with_facts
from league.play.rounds.queries.rounds import players_by_stage
from league.play.substitutions.queries.adjustments import stage_adjustments
from league.ranking.seasons.queries import is_play_off, zones_of
from league.ranking.standings.queries.standings import Standings, standings_of
from league.ranking.teams.queries import team_standings
from scoring.promotion import DOWN, UP, Movement
from scoring.settlement import Four, needs_ending, settler
from scoring.standings import AVERAGE, SUBSTITUTE, Row, player_scores
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

    @cached_property
    def records(self) -> dict[int, Record]:
        return {
            contestant.pk: Record(contestant.row.total, contestant.row.places)
            for contestant in self.contestants
        }

    @cached_property
    def left(self) -> Counter[int]:
        """Return unit → number of hanchan to come at tables with seats."""
        return Counter(chain.from_iterable(self.tables.values()))

    def plays_again(self, pk: int) -> bool:
        units = {pk, *(unit for unit, team in self.season.team.items() if team == pk)}
        return any(not units.isdisjoint(round_.units) for round_ in self.season.rounds)

    def table_of(self, pk: int) -> Four | None:
        """Return the four units of a contestant's last hanchan, or None unless exactly this one is left."""
        if pk in self.season.team or any(round_.drawn for round_ in self.season.rounds):
            return None
        return next(four for four in self.tables.values() if pk in four) if self.left[pk] == 1 else None


def race_of(stage: Stage, *, public: bool, of_teams: bool = False) -> Race | None:
    """Return the race of a stage, cached by the competition's revision and its banned players."""
    competition = stage.competition
    if not competition.shows_chances or stage.planned_rounds is None:
        return None
    key = f"race:{release()}:{stage.pk}:{int(public)}:{int(of_teams)}"
    banned = _banned(competition)
    facts = (competition.seen_version(public=public), banned)
    found = newest(key, facts, _RaceMaker(stage, banned, public, of_teams).race)
    return replace(found, stage=stage) if found else None  # the one at hand


def races_of(competition: Competition, *, public: bool) -> list[Race]:
    """Return the races of all stages of which this audience may know, of players and of teams."""
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    kinds = (False, True) if competition.team_play != Competition.TeamPlay.NONE else (False,)
    found = (race_of(stage, public=public, of_teams=kind) for stage in stages for kind in kinds)
    return [race for race in found if race is not None]


def _banned(competition: Competition) -> tuple[int, ...]:
    """Return the players who may not play today. A ban of another competition raises no version here."""
    return tuple(sorted(banned_here(competition)))


class _Pending(NamedTuple):
    """A round that is not over: its id, and its tables without a result. It has none before it is seated."""

    round: int | None
    tables: Mapping[int, Four]


@dataclass(frozen=True)
class _RaceMaker:
    """Make the race of a stage for one audience, without banned players."""

    stage: Stage
    banned: Collection[int]
    public: bool
    of_teams: bool

    @property
    def competition(self) -> Competition:
        return self.stage.competition

    def race(self) -> Race | None:
        stage, pending = self.stage, self.pending()
        every = [choice.stage for choice in stages_of(self.competition, public=self.public)]
        if not pending or (self.of_teams and not stage.counts_for_teams) or not self.is_open(every):
            return None
        contestants = self.teams() if self.of_teams else self.players()
        lines = self.lines(every, len(contestants))
        if not lines or len(contestants) < 2:
            return None
        if self.of_teams and self.competition.crowns_teams:
            pending = self.with_teams(pending)
        season = self.season(contestants, pending)
        if not season.rounds or not season.results:
            return None
        tables = {pk: four for each in pending for pk, four in each.tables.items()}
        seed = zlib.crc32(f"{self.competition.slug}/{stage.slug}/{len(season.results)}".encode()) % 1_000_000
        return Race(stage, self.of_teams, contestants, lines, tables, season, seed)

    def is_open(self, every: Sequence[Stage]) -> bool:
        stage, numbers = self.stage, self.stage.numbers
        if stage.play == Stage.Play.OPEN or numbers.leaves_out or numbers.beyond == AVERAGE:
            return False
        cuts = (each for each in every if each.cut)
        return not is_play_off(stage) and all(stage_before(cut, every) != stage for cut in cuts)

    # Contestants

    def standings(self) -> Standings:
        return standings_of([self.stage], public=self.public)[self.stage.pk]

    def players(self) -> tuple[Contestant, ...]:
        active = self.not_banned(self.stage)
        return tuple(
            Contestant(line.row.player, line.player.label, line.player.entrant, line.row)
            for line in self.standings().rows
            if line.row.player in active
        )

    def not_banned(self, stage: Stage) -> set[int]:
        return set(players_by_stage([stage], self.competition)[stage.pk]).difference(self.banned)

    def teams(self) -> tuple[Contestant, ...]:
        return tuple(
            Contestant(line.team.pk, line.team.name, line.team.pk, line.row)
            for line in team_standings(self.stage, public=self.public).rows
        )

    # Lines

    def lines(self, every: Sequence[Stage], field: int) -> tuple[Line, ...]:
        division = self.stage.division_id
        stages = [each for each in every if each.division_id == division and not is_play_off(each)]
        cut = self.stage.planned_cut if self.of_teams == self.competition.crowns_teams else None
        found = [Line(CUT, cut)] if cut else [Line(TITLE, 1)] if stages[-1] == self.stage else []
        if not self.of_teams:
            found += [line for line in self.movement() if not cut or line.rank > cut]
        kept = {line.rank: line for line in reversed(found) if 0 < line.rank < field}
        return tuple(sorted(kept.values(), key=lambda line: line.rank))

    def movement(self) -> list[Line]:
        """Return promotion and relegation as ranks of the division's final order, as the numbers are today.

        Banned players are removed before a season ends, so they have no place in the order.
        """
        zones = zones_of(self.stage, public=self.public)
        if zones is None:
            return []
        counts = Counter(zones.kinds.values())
        movement = Movement.from_values(self.stage.division.movement)
        entered = Stage(pk=self.stage.pk, division_id=self.stage.division_id)  # without a cut: all of it
        up, down = counts[UP], len(self.not_banned(entered)) - counts[DOWN]
        return [
            *([Line(PROMOTION, up)] if up else []),
            *([Line(PROMOTION_PLAY_OFF, up + movement.up_play_off)] if movement.up_play_off else []),
            *([Line(STAYS, down - movement.down_play_off)] if movement.down_play_off else []),
            *([Line(NOT_RELEGATED, down)] if counts[DOWN] else []),
        ]

    # Rounds to come

    def pending(self) -> list[_Pending]:
        """Return the rounds to come of a stage with a planned number of rounds."""
        late = to_make_up(Table.objects.filter(round=OuterRef("pk")))
        waiting = Sheet.objects.filter(
            table__round=OuterRef("pk"), is_current=True, status=Sheet.Status.ENTERED
        ).exclude(status__in=self.competition.counted_statuses)
        in_order = Round.objects.filter(stage=self.stage).order_by("number")
        rounds = in_order.annotate(has_late=Exists(late) | Exists(waiting))
        known = [
            round_ for round_ in rounds if not self.public or round_.visibility != Round.Visibility.HIDDEN
        ]
        untold = {each.pk for each in known if self.public and each.visibility != Round.Visibility.RESULTS}
        open_ = [
            each.pk
            for each in known
            if each.status != Round.Status.CLOSED or each.has_late or each.pk in untold
        ]
        tables, over = self.tables(open_)
        found = []
        for pk in open_:
            left = {table: four for table, four in tables[pk].items() if pk in untold or table not in over}
            if left or not tables[pk]:
                found.append(_Pending(pk, left))
        more = max(0, (self.stage.planned_rounds or 0) - len(known))
        return found + [_Pending(None, {})] * more

    def tables(self, rounds: Sequence[int]) -> tuple[dict[int, dict[int, Four]], set[int]]:
        """Return round → table → its units, and the tables with a result that counts.

        A substitute's seat counts for no contestant. Its unit is the negative number of the player.
        """
        tables: dict[int, dict[int, Four]] = {pk: {} for pk in rounds}
        over: set[int] = set()
        if not rounds:
            return tables, over
        instead = substitutes(Seat.objects.filter(round__in=rounds))
        every = with_facts(Table.objects.filter(round__in=rounds))
        for pk, round_, *four, status in every.values_list("pk", "round", *SEATED, "now__status"):
            if None not in four:
                here = instead.get(pk, {})
                a, b, c, d = (-player if wind in here else player for wind, player in enumerate(four))
                tables[round_][pk] = a, b, c, d
            if status in self.competition.counted_statuses:
                over.add(pk)
        return tables, over

    def with_teams(self, pending: Sequence[_Pending]) -> list[_Pending]:
        """Replace players by teams: at tables with players, and in rounds whose teams alone are known."""
        columns = ("pk", "line_ups__player_id", "line_ups__team_id")
        named = {
            (round_, player): team
            for round_, player, team in self.stage.rounds.values_list(*columns)
            if player is not None
        }
        of = Membership(self.teams_of_players(), named)
        seats: dict[int, dict[int, list[int]]] = {}
        known = TeamSeat.objects.filter(round__stage=self.stage).order_by("table", "wind")
        known = known.exclude(round__visibility=Round.Visibility.HIDDEN)
        for round_, table, team in known.values_list("round_id", "table", "team_id"):
            seats.setdefault(round_, {}).setdefault(table, []).append(team)
        found = []
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

    def teams_of_players(self) -> dict[int, int]:
        entered = self.competition.entrants.filter(team__isnull=False, withdrawn_at__isnull=True)
        return {player: team or 0 for player, team in entered.values_list("player_id", "team_id")}

    # The simulation

    def season(self, contestants: Sequence[Contestant], pending: Sequence[_Pending]) -> Season:
        rules = self.stage.division.rules
        played = games(
            self.stage.pk,
            statuses=self.competition.counted_statuses,
            public=self.public,
            with_endings=needs_ending(rules),
            substitutes=stage_adjustments([self.stage.pk], public=self.public).substitutes,
        )
        places = {contestant.pk: contestant.row.places for contestant in contestants}
        team: Mapping[int, int] = {}
        units = list(places)
        if self.of_teams and not self.competition.crowns_teams:
            team = self.teams_of_players()
            places = {line.row.player: line.row.places for line in self.standings().rows}
            units = [player for player in places if player in team]
        drawn = RoundToCome(drawn=tuple(units), most=-(-len(played) // max(1, self.count_of_rounds())))
        rounds = [
            RoundToCome(tables=tuple(each.tables.values())) if each.tables else drawn for each in pending
        ]
        settle = settler(rules)
        return Season(
            totals={contestant.pk: contestant.row.total for contestant in contestants},
            places=places,
            results=[
                tuple(sorted((float(score) for _player, score in player_scores(game, settle)), reverse=True))
                for game in played
            ],
            rounds=[round_ for round_ in rounds if round_.units],
            team=team,
        )

    def count_of_rounds(self) -> int:
        """Return the number of rounds with results."""
        rounds = Round.objects.filter(stage=self.stage, tables__sheets__is_current=True)
        if self.public:
            rounds = rounds.filter(visibility=Round.Visibility.RESULTS)
        return rounds.distinct().count()


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
