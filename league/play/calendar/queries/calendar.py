"""The calendar: matchdays by month, and the days of one player.

A matchday is all rounds of a stage that have the same day or window. Rounds of free play are in none.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby, pairwise
from operator import attrgetter

from django.db.models import Exists, OuterRef, Prefetch, Q

from league.core.stages import stages_of
from league.core.text import listed, spans
from league.core.zones import day_of
from league.models import (
    Appointment,
    AuditEntry,
    Competition,
    Entrant,
    Round,
    Seat,
    Sheet,
    Stage,
    StageEntrant,
    Table,
    Team,
    TeamSeat,
)
from league.people.members.queries import PlayerInfo, players_of
from league.play.calendar.queries.open_play import DayCount
from league.play.calendar.queries.table_times import UNDECIDED, Postponement, postponement_in

WEEK, USUAL_DAYS = 7, 8
MOST_ROUNDS = 200  # planned at once
MOST_INTERVAL = 366
ROWS_READ = 1000  # of rounds of the league's earlier competitions

# --- days to plan


@dataclass(frozen=True, slots=True)
class Matchdays:
    """Days to plan: the first one, the days from one to the next, and their number."""

    first: date
    every: int
    count: int


def propose_matchdays(stage: Stage, today: date) -> Matchdays:
    """Return matchdays from the first day of the competition, or after the stage's last one, to its last day.

    Their interval is that of the stage's days, else that of the league's newest competition that has one,
    else a week, or a day in a tournament. Queries: at most 2.
    """
    competition = stage.competition
    days = sorted({day for day in stage.rounds.values_list("date", flat=True) if day})
    usual = 1 if competition.kind == Competition.Kind.EVENT else WEEK
    every = _interval_of(days) or _interval_of_league(competition) or usual
    first = days[-1] + timedelta(days=every) if days else competition.first_day or today
    last = competition.last_day
    count = (last - first).days // every + 1 if last and last >= first else USUAL_DAYS
    return Matchdays(first, every, min(count, MOST_ROUNDS))


def _interval_of(days: Sequence[date]) -> int | None:
    """Return the most usual number of days from one of these days to the next."""
    gaps = Counter((later - day).days for day, later in pairwise(days))
    usual = gaps.most_common(1)
    return usual[0][0] if usual and usual[0][0] <= MOST_INTERVAL else None


def _interval_of_league(competition: Competition) -> int | None:
    others = Round.objects.filter(
        stage__division__competition__league=competition.league_id,
        stage__division__competition__kind=competition.kind,
        stage__play=Stage.Play.ROUNDS,
        date__isnull=False,
    ).exclude(stage__division__competition=competition)
    rows = others.order_by("-stage__division__competition", "date")
    found = rows.values_list("stage__division__competition", "date").distinct()[:ROWS_READ]
    for _competition, same in groupby(found, key=lambda row: row[0]):
        if every := _interval_of([day for _pk, day in same if day]):
            return every
    return None


# --- the calendar


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table with a time of its own, or postponed without one (`at` None), or restored from these."""

    table: Table
    players: tuple[PlayerInfo | None, ...]
    at: datetime | None
    place: str
    postponed: bool
    was: date | None  # of a postponed table: the day on which it was to be played
    why: str  # the reason of its postponement
    sequence: int  # how often its time was decided
    since: datetime | None  # when it was decided last
    played: bool

    @property
    def is_apart(self) -> bool:
        return self.at is not None or self.postponed

    def has(self, player: int) -> bool:
        return any(info is not None and info.player == player for info in self.players)


@dataclass(frozen=True, slots=True)
class TeamFour:
    """Four teams, east first, who meet at this table in these rounds (numbers) of a day."""

    rounds: tuple[int, ...]
    table: int
    teams: tuple[Team, ...]

    @property
    def numbers(self) -> str:
        return listed(spans(self.rounds))


@dataclass(frozen=True, slots=True)
class MatchDay:
    stage: Stage
    first: date
    until: date | None
    rounds: tuple[Round, ...]  # by number
    visible: frozenset[int]  # the rounds whose tables this audience may see
    seated: frozenset[int]  # the visible rounds that have tables
    changes: int = 0  # of the dates
    since: datetime | None = None  # the last change
    fours: tuple[TeamFour, ...] = ()  # the teams that meet in visible rounds

    @property
    def last(self) -> date:
        return self.until or self.first

    @property
    def only_staff(self) -> bool:
        return not any(
            round_.visibility != Round.Visibility.HIDDEN
            or (round_.announced and round_.status == Round.Status.PLANNED)
            for round_ in self.rounds
        )


@dataclass(frozen=True)
class Calendar:
    days: tuple[MatchDay, ...]
    meetings: tuple[Meeting, ...]

    def of_division(self, division: int) -> "Calendar":
        return Calendar(
            tuple(day for day in self.days if day.stage.division_id == division),
            tuple(m for m in self.meetings if m.table.round.stage.division_id == division),
        )


def calendar_of(competition: Competition, *, public: bool) -> Calendar:
    """Return matchdays and tables with a time of their own. Queries: 8, and 1 more if teams name line-ups.

    The public sees only the days of an announced planned round, and nothing else of hidden rounds.
    """
    stages = {choice.stage.pk: choice.stage for choice in stages_of(competition, public=public)}
    seated_rounds = Exists(Table.objects.filter(round=OuterRef("pk")))
    in_rounds = Round.objects.exclude(stage__play=Stage.Play.OPEN)
    rounds = in_rounds.filter(stage__in=stages).annotate(seated=seated_rounds)
    if public:
        announced = Q(status=Round.Status.PLANNED, announced=True)
        rounds = rounds.filter(announced | ~Q(visibility=Round.Visibility.HIDDEN))
    ordered = list(rounds.order_by("date", "stage__division__position", "stage__position", "number", "pk"))
    for round_ in ordered:
        round_.stage = stages[round_.stage_id]
    visible = {r.pk: r for r in ordered if not public or r.visibility != Round.Visibility.HIDDEN}
    seated = frozenset(pk for pk, r in visible.items() if getattr(r, "seated", False))
    changes, teams = _changes_of(competition), _teams_of(competition, visible)
    days = _matchdays(ordered, frozenset(visible), seated, changes, teams)
    return Calendar(tuple(days), tuple(_meetings(competition, visible)))


def _changes_of(competition: Competition) -> dict[int, tuple[int, datetime]]:
    entries = AuditEntry.objects.filter(competition=competition, action="round.dates")
    changes: dict[int, tuple[int, datetime]] = {}
    for entry in entries.order_by("sequence").only("target", "at"):
        count, _at = changes.get(entry.target_pk, (0, None))
        changes[entry.target_pk] = (count + 1, entry.at)
    return changes


RoundTeams = Mapping[int, Mapping[int, Sequence[Team]]]  # round → table number → teams


def _teams_of(competition: Competition, rounds: Iterable[int]) -> RoundTeams:
    if competition.team_play != Competition.TeamPlay.LINE_UPS:
        return {}
    seats = TeamSeat.objects.filter(round__in=rounds).select_related("team").order_by("table", "wind")
    teams: dict[int, dict[int, list[Team]]] = defaultdict(lambda: defaultdict(list))
    for seat in seats:
        teams[seat.round_id][seat.table].append(seat.team)
    return teams


def _fours(rounds: Iterable[Round], teams: RoundTeams) -> Iterator[TeamFour]:
    same: dict[tuple[int, frozenset[int]], tuple[Sequence[Team], list[int]]] = {}
    for round_ in rounds:
        for table, four in teams.get(round_.pk, {}).items():
            key = table, frozenset(team.pk for team in four)
            _teams, numbers = same.setdefault(key, (four, []))
            numbers.append(round_.number)
    for (table, _four), (teams_there, numbers) in same.items():
        yield TeamFour(tuple(numbers), table, tuple(teams_there))


def _matchdays(
    rounds: Iterable[Round],
    visible: frozenset[int],
    seated: frozenset[int],
    changes: Mapping[int, tuple[int, datetime]],
    teams: RoundTeams,
) -> Iterator[MatchDay]:
    dated = [round_ for round_ in rounds if round_.date is not None]
    dated.sort(key=lambda r: (r.date, r.stage.division.position, r.stage.position, r.stage_id, str(r.until)))
    for (_date, _stage, until), group in groupby(dated, key=attrgetter("date", "stage_id", "until")):
        same = tuple(sorted(group, key=attrgetter("number", "pk")))
        moved = [changes[each.pk] for each in same if each.pk in changes]
        first = same[0]
        assert first.date is not None
        yield MatchDay(
            stage=first.stage,
            first=first.date,
            until=until,
            rounds=same,
            visible=visible & {each.pk for each in same},
            seated=seated & {each.pk for each in same},
            changes=max((count for count, _at in moved), default=0),
            since=max((at for _count, at in moved), default=None),
            fours=tuple(_fours(same, teams)),
        )


def _meetings(competition: Competition, rounds: Mapping[int, Round]) -> Iterator[Meeting]:
    # Tables made up are left out, because they reveal a result, which may be hidden.
    decided = Appointment.objects.exclude(kind__in=UNDECIDED).order_by("pk")
    has_decisions = Exists(decided.filter(table=OuterRef("pk")))
    here = Table.objects.of(competition).filter(round__in=rounds.keys())
    tables = here.filter(Q(meets_at__isnull=False) | has_decisions).annotate(
        played=Exists(Sheet.objects.current().filter(table=OuterRef("pk")))
    )
    seats, appointments = Prefetch("seats", Seat.objects.order_by("wind")), Prefetch("appointments", decided)
    people: Mapping[int, PlayerInfo] | None = None
    for table in tables.prefetch_related(seats).prefetch_related(appointments).order_by("pk"):
        people = players_of(competition) if people is None else people
        table.round = rounds[table.round_id]
        yield _meeting(table, people)


def _meeting(table: Table, people: Mapping[int, PlayerInfo]) -> Meeting:
    history = list(table.appointments.all())
    newest = history[-1] if history else None
    postponement = postponement_in(history)
    shows_results = table.round.visibility != Round.Visibility.SEATING
    return Meeting(
        table=table,
        players=tuple(people.get(seat.player_id) for seat in table.seats.all()),
        at=table.meets_at,
        place=newest.place if newest else "",
        postponed=postponement is not None,
        was=_was(table, postponement) if postponement else None,
        why=postponement.newest.reason if postponement else "",
        sequence=len(history),
        since=newest.created_at if newest else None,
        played=bool(getattr(table, "played", False)) and shows_results,
    )


def _was(table: Table, postponement: Postponement) -> date | None:
    """Return the day planned for a postponed table: its time before, or else its round's day."""
    if postponement.former_time is None:
        return table.round.date
    return day_of(table.competition, postponement.former_time)


# --- one player


def seats_of_player(calendar: Calendar, player: int) -> dict[int, Seat]:
    """Map the visible rounds to the player's seat, with all seats of its table. Queries: 2."""
    visible = {pk for day in calendar.days for pk in day.visible}
    four = Prefetch("table__seats", Seat.objects.select_related("player"))
    seats = Seat.objects.filter(player=player, round__in=visible).select_related("round", "table")
    return {seat.round_id: seat for seat in seats.prefetch_related(four)}


def calendar_of_player(calendar: Calendar, entrant: Entrant) -> Calendar:
    """Keep the stages for which this player is entered or qualified, or in which they have a seat."""
    player = entrant.player_id
    every = {day.stage.pk for day in calendar.days}
    seats = Seat.objects.filter(player=player, round__in=[pk for day in calendar.days for pk in day.visible])
    stages = set(seats.order_by().values_list("round__stage", flat=True).distinct())
    came = StageEntrant.objects.filter(player=player, stage__in=every).values_list("stage", flat=True)
    stages |= set(came)
    days = tuple(
        day
        for day in calendar.days
        if day.stage.pk in stages or (day.stage.division_id == entrant.division_id and not day.stage.cut)
    )
    meetings = tuple(m for m in calendar.meetings if m.has(player))
    return Calendar(() if entrant.withdrawn_at else days, meetings)


# --- by month


@dataclass(frozen=True, slots=True)
class CalendarLine:
    """A line of the calendar: a matchday, a table, a table that was planned for this day, or free play."""

    day: date
    matchday: MatchDay | None = None
    meeting: Meeting | None = None
    was: Meeting | None = None
    open_play: DayCount | None = None


Month = tuple[date, list[tuple[date, list[CalendarLine]]]]  # its first day; the lines by day


def months_of(
    calendar: Calendar, open_play: Iterable[DayCount], competition: Competition, today: date
) -> tuple[list[Month], list[Month]]:
    """Return past lines, newest first, and coming ones, by month. An open window is still coming."""
    by_day: dict[date, list[CalendarLine]] = defaultdict(list)
    for line in _lines(calendar, open_play, competition):
        by_day[line.day].append(line)
    ends = {
        day: max([day, *(line.matchday.last for line in lines if line.matchday)])
        for day, lines in by_day.items()
    }
    past = sorted((day for day, end in ends.items() if end < today), reverse=True)
    return _by_month(past, by_day), _by_month(sorted(ends.keys() - set(past)), by_day)


def _by_month(days: Iterable[date], lines: Mapping[date, list[CalendarLine]]) -> list[Month]:
    months = groupby(days, key=lambda day: day.replace(day=1))
    return [(first, [(day, lines[day]) for day in same]) for first, same in months]


def _lines(
    calendar: Calendar, open_play: Iterable[DayCount], competition: Competition
) -> Iterator[CalendarLine]:
    for day in calendar.days:
        yield CalendarLine(day.first, matchday=day)
    for meeting in sorted(calendar.meetings, key=lambda m: (m.at is None, m.at, m.table.pk)):
        if meeting.at is not None:
            yield CalendarLine(day_of(competition, meeting.at), meeting=meeting)
        if meeting.was is not None:
            yield CalendarLine(meeting.was, was=meeting)
    for played in open_play:
        yield CalendarLine(played.day, open_play=played)
