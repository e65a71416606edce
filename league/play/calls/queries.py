"""Open calls, the tables behind codes, and the time left. A table's clock is paused during a dispute and gets
its time back.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from league.core.counted import shown_penalties
from league.core.door import round_code, session_of
from league.models import Call, Claim, Competition, Dispute, Division, Penalty, Round, Sheet, Table
from players.models import Player

# --- calls

ON_CALL = (Call.Kind.REFEREE, Call.Kind.OBJECTION)  # to which a referee comes


def in_play() -> QuerySet[Competition]:
    opened = Round.objects.open()
    return Competition.objects.filter(pk__in=opened.values("stage__division__competition"))


def calls_of(*competitions: Competition) -> list[Call]:
    """Return open calls and objections, accepted ones last, for `templates/calls/_open.html`. One query."""
    calls = _open_calls(competitions, *ON_CALL)
    return sorted(calls, key=lambda call: call.taken_by_id is not None)


def _open_calls(competitions: Iterable[Competition], *kinds: Call.Kind) -> QuerySet[Call]:
    waiting = Call.objects.filter(kind__in=kinds, closed_at__isnull=True)
    waiting = waiting.filter(table__round__stage__division__competition__in=competitions)
    related = waiting.with_competition().select_related("taken_by", "created_by", "player")
    return related.order_by("created_at", "pk")


def messages_of(competition: Competition) -> list[Call]:
    """Return open messages of players who are late or cannot come, for `templates/calls/_open.html`.

    A table with a score sheet, or of a closed round, no longer waits for them. One query.
    """
    sheets = Sheet.objects.current().filter(table=OuterRef("table"))
    messages = _open_calls([competition], Call.Kind.LATE, Call.Kind.ABSENT)
    return list(messages.filter(~Exists(sheets)).exclude(table__round__status=Round.Status.CLOSED))


def own_messages(table: Table, player: Player) -> list[Call]:
    """Return the messages of a player about this table, the newest first. One query."""
    return list(Call.objects.filter(table=table, player=player).order_by("-created_at", "-pk"))


def objections_until(table: Table, *, public: bool) -> datetime | None:
    """Return the end of the time for objections to the newest score sheet or penalty. Queries: 2.

    None before the first one. What a ruling entered takes no objection (HKMA 罰則總則: 最終裁決不得異議).
    `public`: so that it does not tell visitors of an unpublished score sheet or penalty.
    """
    minutes = table.competition.objection_minutes
    if not minutes or (public and table.round.visibility != Round.Visibility.RESULTS):
        return None
    sheets = Sheet.objects.filter(table=table, is_current=True, dispute=None)
    listed = shown_penalties(Penalty.objects.filter(table=table, dispute=None), public=public)
    times = [*sheets.values_list("entered_at", flat=True), *listed.values_list("created_at", flat=True)]
    return max(times) + timedelta(minutes=minutes) if times else None


def message_kinds(table: Table, *, public: bool, now: datetime) -> tuple[list[Call.Kind], datetime | None]:
    """Return what a player of the table can tell the staff now, and ``objections_until``. Queries: 3."""
    kinds = []
    is_played = not public or table.round.visibility == Round.Visibility.RESULTS
    is_played = is_played and finished_sheets().filter(table=table).exists()
    if table.round.status != Round.Status.CLOSED and not is_played:
        kinds += [Call.Kind.LATE, Call.Kind.ABSENT]
    until = objections_until(table, public=public)
    return kinds + [Call.Kind.OBJECTION] * bool(until and now < until), until


def open_call(table: Table) -> Call | None:
    waiting = Call.objects.filter(table=table, kind=Call.Kind.REFEREE, closed_at__isnull=True)
    return waiting.select_related("taken_by").first()


# --- phones that say whose they are


def claimed_twice(tables: Iterable[Table]) -> dict[int, dict[int, datetime]]:
    """Return table → player → when the last of several phones said that it is theirs. One query."""
    claims = Claim.objects.filter(table__in=[table.pk for table in tables]).values("table", "player")
    several: dict[int, dict[int, datetime]] = {}
    for line in claims.annotate(phones=Count("pk"), last=Max("at")).filter(phones__gt=1).order_by():
        several.setdefault(line["table"], {})[line["player"]] = line["last"]
    return several


# --- the tables behind codes


def numbered_tables(number: int, rounds: QuerySet[Round]) -> QuerySet[Table]:
    """Select the tables with this number, the newest first."""
    tables = Table.objects.filter(number=number, round__in=rounds.values("pk"))
    return tables.with_rules().order_by("-round_id")


def tables_numbered(number: int, rounds: QuerySet[Round]) -> list[Table]:
    """Return the tables with this number in open rounds, or else the newest one."""
    tables = list(numbered_tables(number, rounds))
    opened = [table for table in tables if table.round.status == Round.Status.OPEN]
    return opened or tables[:1]


def most_tables(competition: Competition) -> list[tuple[Division, int]]:
    """Return each seated division with its greatest number of a table."""
    divisions = Division.objects.filter(competition=competition, stages__rounds__tables__isnull=False)
    divisions = divisions.annotate(most=Max("stages__rounds__tables__number")).order_by("position", "pk")
    return [(division, division.most) for division in divisions]


def tables_to_type(competitions: QuerySet[Competition]) -> list[tuple[Division, int]]:
    """Return the divisions' numbers of tables, whose codes can be typed. Queries: 2."""
    divisions = Division.objects.filter(competition__in=competitions.values("pk"))
    division_by_pk = {division.pk: division for division in divisions.select_related("competition")}
    tables = Table.objects.filter(round__stage__division__in=list(division_by_pk))
    numbers = tables.values_list("round__stage__division", "number")
    return [(division_by_pk[pk], number) for pk, number in numbers.order_by("number").distinct()]


def round_codes(rounds: QuerySet[Round]) -> dict[Round, str]:
    """Return the codes of open rounds, by division. Rounds of one day of free play have one code, and the
    newest stands for them. For staff and their screens only. One query.
    """
    opened = rounds.filter(status=Round.Status.OPEN).select_related("stage__division__competition")
    opened = opened.order_by("stage__division__position", "stage__division_id", "-date", "-pk")
    sessions: dict[tuple[object, ...], Round] = {}
    for round_ in opened:
        sessions.setdefault(session_of(round_), round_)
    return {round_: round_code(round_) for round_ in sessions.values()}


# --- the clock


@dataclass(frozen=True, slots=True)
class Clock:
    """``ends``: the end of the time unless the clock is paused again. ``rests``: seconds left at the pause,
    or None. ``extra``: seconds added for lost time. ``hands_after``: hands played after the end.
    """

    ends: datetime
    rests: int | None
    extra: int
    hands_after: int

    @property
    def extra_minutes(self) -> int:
        return -(-self.extra // 60)

    @property
    def rests_minutes(self) -> int:
        """Round down to whole minutes, at least 0."""
        return max(0, self.rests or 0) // 60


def clock_of(table: Table, *, sees_results: bool) -> Clock | None:
    """Return the table's clock, or None if the round is not open, its clock is not started, or the table is
    done.

    Readers who do not see results see the clock go on, because it must not tell that a sheet is in.
    """
    if not has_clock(table.round) or table.round.clock_started_at is None:
        return None
    if sees_results and finished_sheets().filter(table=table).exists():
        return None
    pauses = Dispute.objects.filter(table=table, paused_at__isnull=False, resumed_at__isnull=True)
    return _clock(table.round, table.extra_seconds, pauses.values_list("paused_at", flat=True).first())


def round_clock(round_: Round, *, sees_results: bool) -> tuple[Clock, list[tuple[Table, Clock]]] | None:
    """Return the round's clock and the tables with another one. At most three queries."""
    if not has_clock(round_) or round_.clock_started_at is None:
        return None
    pauses = Dispute.objects.filter(table__round=round_, paused_at__isnull=False, resumed_at__isnull=True)
    resting = dict(pauses.values_list("table_id", "paused_at"))
    finished = finished_sheets().filter(table__round=round_).values_list("table_id", flat=True)
    done = set(finished) if sees_results else set()
    others = [
        (table, _clock(round_, table.extra_seconds, resting.get(table.pk)))
        for table in Table.objects.filter(round=round_).order_by("number")
        if table.pk not in done and (table.extra_seconds or table.pk in resting)
    ]
    return _clock(round_, 0, None), others


def has_clock(round_: Round) -> bool:
    """Return whether the round is open and has a time limit."""
    return round_.status == Round.Status.OPEN and round_.minutes is not None


def _clock(round_: Round, extra: int, paused_at: datetime | None) -> Clock:
    started, minutes = round_.clock_started_at, round_.minutes
    assert started is not None
    assert minutes is not None
    ends = started + timedelta(minutes=minutes, seconds=extra)
    rests = None if paused_at is None else int((ends - max(paused_at, started)).total_seconds())
    return Clock(ends=ends, rests=rests, extra=extra, hands_after=round_.rules.extra_hands)


def finished_sheets() -> QuerySet[Sheet]:
    """Select the current sheets that are not void: their tables have finished."""
    return Sheet.objects.current().exclude(status=Sheet.Status.VOID)
