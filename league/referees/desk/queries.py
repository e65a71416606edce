"""Reads for the referee's desk. Their number does not grow with tables, penalties or players."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, F, OuterRef, QuerySet

from league.core.access import organized_by
from league.core.rounds import seats_with_players
from league.models import Competition, Dispute, Penalty, Role, Round, Table
from league.play.calls.queries import calls_of, finished_sheets, in_play
from league.play.hands.offences import settle_log
from league.play.hands.queries import RULES, standing_penalties, table_game
from league.play.hands.words.penalties import PenaltyLine, Wordings
from league.referees.penalties.queries.penalties import with_facts
from league.referees.penalties.queries.referee import UNDO

NEWEST = 8
REFEREES = (Role.Kind.CHIEF, Role.Kind.REFEREE)


def open_tables(rounds: Iterable[Round]) -> dict[int, list[Any]]:
    """Return round id → its tables by number, annotated with ``done`` and ``disputed``."""
    sheets = finished_sheets().filter(table=OuterRef("pk"))
    disputes = Dispute.objects.filter(table=OuterRef("pk"), closed_at__isnull=True)
    in_order = Table.objects.filter(round__in=[round_.pk for round_ in rounds]).order_by(
        "round_id", "number", "pk"
    )
    with_marks = in_order.annotate(done=Exists(sheets), disputed=Exists(disputes))
    tables: dict[int, list[Any]] = defaultdict(list)
    for table in with_marks.prefetch_related(seats_with_players()):
        tables[table.round_id].append(table)
    return tables


def penalties_in_hand(competition: Competition) -> list[Penalty]:
    """Return the penalties of the current hands in open rounds, by table. One query."""
    now = {"hand": F("table__hand"), "round__status": Round.Status.OPEN}
    standing = standing_penalties().filter(competition=competition, **now)
    waiting = standing.exclude(table__sheets__is_current=True)
    related = waiting.select_related("player", "table", "round", "created_by", RULES)
    return list(related.order_by("round__number", "table__number", "player__name", "pk"))


def bans_by_table(competition: Competition) -> dict[Table, list[PenaltyLine]]:
    """Return the penalties that restrict a player in the hand that a table plays. One query."""
    lines_by_table: dict[Table, list[PenaltyLine]] = {}
    wordings = Wordings()
    for penalty in penalties_in_hand(competition):
        line, table, round_ = wordings.line(penalty), penalty.table, penalty.round
        if table is None or round_ is None or not line.at_table.until_the_end:
            continue
        table.round, round_.stage = round_, penalty.stage  # fetched with the penalty, not with its table
        lines_by_table.setdefault(table, []).append(line)
    return lines_by_table


def requests(competition: Competition) -> QuerySet[Penalty]:
    waiting = {"status": Penalty.Status.REQUESTED, "revoked_at__isnull": True}
    return _penalties(competition).filter(**waiting).order_by("created_at", "pk")


def strays_of(competition: Competition) -> list[Penalty]:
    """Return penalties in force that the log of hands of their open table no longer has.

    Queries: 1 without such a penalty of a log, otherwise 2 for each table.
    """
    linked = _penalties(competition).filter(logged_hand__isnull=False, revoked_at__isnull=True)
    linked = linked.filter(status=Penalty.Status.IN_FORCE, round__status=Round.Status.OPEN)
    tables = {each.table for each in linked.select_related("table__round__stage__division__rule_set")}
    strays = {entry.pk for table in tables if table for entry in settle_log(table, table_game(table)).strays}
    return [each for each in linked if each.pk in strays]


def newest_penalties(competition: Competition) -> list[Penalty]:
    return list(_penalties(competition).order_by("-created_at", "-pk")[:NEWEST])


def just_logged(competition: Competition, user_id: int, now: datetime) -> list[tuple[Penalty, timedelta]]:
    """Return what this person may still undo and for how long: one penalty per act, newest first."""
    since = now - UNDO
    mine = {"created_by": user_id, "revoked_at__isnull": True, "logged_hand": None}
    penalties = _penalties(competition).filter(**mine, created_at__gte=since)
    newest = reversed(penalties.order_by("-created_at", "pk"))
    acts = {penalty.together or penalty.pk: penalty for penalty in newest}
    return [(penalty, min(penalty.created_at - since, UNDO)) for penalty in reversed(acts.values())]


def chief_competitions(user: User | AnonymousUser) -> list[Competition]:
    """Return the competitions in play whose organizer or chief referee the user is, by name."""
    return list(organized_by(user, in_play(), Role.Kind.CHIEF).order_by("name", "pk"))


def day_counts(competitions: Sequence[Competition]) -> dict[str, int] | None:
    """Count calls, requests and disputes that are open in these competitions. None without a competition."""
    if not competitions:
        return None
    asked = Penalty.objects.filter(status=Penalty.Status.REQUESTED, revoked_at__isnull=True)
    return {
        "calls": len(calls_of(*competitions)),
        "requests": asked.filter(competition__in=competitions).count(),
        "disputes": Dispute.objects.filter(competition__in=competitions, closed_at__isnull=True).count(),
    }


def _penalties(competition: Competition) -> QuerySet[Penalty]:
    return with_facts(Penalty.objects.filter(competition=competition)).select_related(RULES)
