from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import takewhile
from typing import Final

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery

from league.core.rounds import seats_with_players
from league.models import Appointment, Competition, Consent, Round, Seat, Sheet, Stage, Table
from players.models import Player
from scoring.hanchan.course import expected_minutes
from scoring.rules import Rules

MINUTES = 90  # of a hanchan, where neither rules nor sources say how long it takes
PROPOSED: Final = Appointment.Kind.PROPOSED
POSTPONED: Final = Appointment.Kind.POSTPONED
SET: Final = Appointment.Kind.SET
UNDECIDED: Final = (PROPOSED, Appointment.Kind.MADE_UP)  # these do not decide when a table meets


def hanchan_minutes(rules: Rules) -> int:
    """Return the rules' time limit, or else the usual maximum of such a game."""
    if rules.minutes is not None:
        return rules.minutes
    _least, most = expected_minutes(rules.game_length, automatic=False) or (MINUTES, MINUTES)
    return most


# --- one table


@dataclass(frozen=True, slots=True)
class TimeProposal:
    appointment: Appointment
    agreed: tuple[Player, ...]
    declined: tuple[Player, ...]
    missing: tuple[Player, ...]  # without an answer


@dataclass(frozen=True, slots=True)
class Postponement:
    """A table's newest postponement, and the decision before it, if any."""

    newest: Appointment
    before: Appointment | None

    @property
    def former_time(self) -> datetime | None:
        """Return the time before the postponement, or None if the table was to play with its round."""
        return self.before.meets_at if self.before else None


@dataclass(frozen=True, slots=True)
class TableTimes:
    """A table's appointments. `span`: the first and last allowed day, or None if any day is allowed.
    `postponement`: set while the table waits to be made up.
    """

    table: Table
    span: tuple[date, date] | None
    history: tuple[Appointment, ...]
    proposals: tuple[TimeProposal, ...]
    postponement: Postponement | None
    has_sheet: bool

    @property
    def postponed(self) -> Appointment | None:
        return self.postponement.newest if self.postponement else None

    @property
    def decided(self) -> Appointment | None:
        return next((each for each in reversed(self.history) if each.kind not in UNDECIDED), None)

    @property
    def taken_back(self) -> frozenset[int]:
        return frozenset(
            each.pk
            for index, each in enumerate(self.history)
            if each.kind == SET and not each.reason and postponement_in(self.history[:index])
        )

    @property
    def may_be_restored(self) -> bool:
        return self.postponement is not None and self.table.round.status != Round.Status.CLOSED

    @property
    def is_window(self) -> bool:
        return self.table.round.until is not None or self.postponed is not None

    @property
    def is_open_play(self) -> bool:
        return self.table.round.stage.play == Stage.Play.OPEN

    @property
    def may_change(self) -> bool:
        if self.has_sheet or self.is_open_play:
            return False
        return self.postponed is not None or self.table.round.status != Round.Status.CLOSED

    @property
    def is_shown(self) -> bool:
        return bool(self.history) or self.table.meets_at is not None or (self.may_change and self.is_window)


def times_of(table: Table, *, sees_results: bool = True) -> TableTimes:
    """Return the table's appointments. Queries: 4.

    Without `sees_results` the answer does not reveal whether the table has a result.
    """
    consents = Prefetch("consents", Consent.objects.order_by("pk"))
    appointments = (
        Appointment.objects.filter(table=table).select_related("created_by").prefetch_related(consents)
    )
    if not sees_results:
        appointments = appointments.exclude(kind=Appointment.Kind.MADE_UP)
    history = tuple(appointments.order_by("pk"))
    has_sheet = sees_results and Sheet.objects.current().filter(table=table).exists()
    postponement = None if has_sheet else postponement_in(history)
    seats = Seat.objects.filter(table=table).select_related("player").order_by("wind")
    players = tuple(seat.player for seat in seats)
    return TableTimes(
        table=table,
        span=None if postponement else span_of(table.round),
        history=history,
        proposals=()
        if has_sheet
        else tuple(_proposal(open_proposal, players) for open_proposal in open_proposals(history)),
        postponement=postponement,
        has_sheet=has_sheet,
    )


def span_of(round_: Round) -> tuple[date, date] | None:
    if round_.date is None:
        return None
    return round_.date, round_.until or round_.date


def postponement_in(history: Iterable[Appointment]) -> Postponement | None:
    """Return the postponement after these appointments, oldest first. It lasts through all new times until
    the organizer sets a time that is not a postponement. `to_make_up` asks the database for the same.
    """
    postponement: Postponement | None = None
    last: Appointment | None = None
    for each in history:
        if each.kind == POSTPONED:
            postponement = Postponement(each, postponement.before if postponement else last)
        elif each.kind == SET:
            postponement = None
        if each.kind not in UNDECIDED:
            last = each
    return postponement


def open_proposals(history: Sequence[Appointment]) -> list[Appointment]:
    return [*takewhile(lambda each: each.kind == PROPOSED, reversed(history))][::-1]


def _proposal(appointment: Appointment, players: Iterable[Player]) -> TimeProposal:
    answers = {consent.player_id: consent.declined for consent in appointment.consents.all()}
    agreed, declined, missing = (
        tuple(player for player in players if answers.get(player.pk) is answer)
        for answer in (False, True, None)
    )
    return TimeProposal(appointment, agreed, declined, missing)


def awaited_answers(players: Mapping[int, int], *, now: datetime) -> list[tuple[Appointment, int]]:
    """Return the proposed times that wait for an answer of these players, each with the player, by time.

    `players`: competition → player. Queries: 1, or 0 without players.
    """
    if not players:
        return []
    competition, mine = "table__round__stage__division__competition", Q(pk=None)
    for here, player in players.items():
        answers = Consent.objects.filter(appointment=OuterRef("pk"), player=player)
        mine |= Q(~Exists(answers), **{competition: here, "table__seats__player": player})
    later = Appointment.objects.filter(table=OuterRef("table"), pk__gt=OuterRef("pk")).exclude(kind=PROPOSED)
    sheets = Sheet.objects.current().filter(table=OuterRef("table"))
    late = Q(table__in=to_make_up(Table.objects.all()).values("pk"))
    proposals = Appointment.objects.filter(
        mine, ~Exists(later), ~Exists(sheets), kind=PROPOSED, meets_at__gt=now
    )
    proposals = proposals.filter(
        ~Q(table__round__status=Round.Status.CLOSED) | late, **{f"{competition}__finished_at": None}
    )
    proposals = proposals.exclude(table__round__visibility=Round.Visibility.HIDDEN)
    awaited = proposals.with_competition().order_by("meets_at", "pk")
    return [(each, players[each.table.competition.pk]) for each in awaited]


def busy_players(table: Table, meets_at: datetime) -> list[tuple[Player, Table]]:
    """Return the players of this table who sit at another table at that time, with that table. Queries: 1.

    Two tables overlap if one begins before the other is over (`hanchan_minutes`).
    """
    length = timedelta(minutes=hanchan_minutes(table.rules))
    here = Seat.objects.filter(table=table).values("player")
    seats = Seat.objects.of(table.competition).exclude(table=table)
    seats = seats.filter(
        player__in=here, table__meets_at__gt=meets_at - length, table__meets_at__lt=meets_at + length
    )
    seats = seats.select_related("player", "table__round").order_by("table__meets_at", "player__name", "pk")
    return [(seat.player, seat.table) for seat in seats]


# --- what is to be made up


def to_make_up(tables: QuerySet[Table]) -> QuerySet[Table]:
    sheets = Sheet.objects.current().filter(table=OuterRef("pk"))
    return tables.alias(newest=last_decision()).filter(~Exists(sheets), newest=POSTPONED)


def last_decision() -> Subquery:
    """Return the kind of a table's newest decision: `POSTPONED`, `SET` or None."""
    last = Appointment.objects.filter(table=OuterRef("pk"), kind__in=(POSTPONED, SET)).order_by("-pk")
    return Subquery(last.values("kind")[:1])


def is_to_make_up(table: Table) -> bool:
    return to_make_up(Table.objects.filter(pk=table.pk)).exists()


def waiting_tables(competition: Competition) -> QuerySet[Table]:
    """Return the tables to be made up, the earliest time first, then the longest wait. Queries: 3.

    The newest postponement is the first of their `appointments`.
    """
    tables = to_make_up(Table.objects.of(competition))
    postponed = Prefetch("appointments", Appointment.objects.filter(kind=POSTPONED).order_by("-pk"))
    tables = tables.select_related("round__stage__division").prefetch_related(seats_with_players(), postponed)
    return tables.order_by(F("meets_at").asc(nulls_last=True), "pk")
