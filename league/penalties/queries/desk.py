"""The referee's desk: what waits for a referee, and what was logged a moment ago.

Everything is fetched in a number of queries that does not grow with tables, penalties or players.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from league.calls.queries import finished_sheets
from league.core.counted import shown_penalties
from league.core.rounds import hand_at
from league.models import Competition, Dispute, Penalty, Role, Round, Seat, Table
from league.open_play.queries import to_be_played
from league.penalties.queries.referee import UNDO, active_bans, bans_at
from players.models import Player

NEWEST = 8


@dataclass(frozen=True)
class TableLine:
    """A table that is being played. ``banned``: the players who may not win its hand; ``mine``: whoever reads
    this plays there; ``done``: its sheet is entered.
    """

    table: Table
    seats: tuple[Player, ...]
    hand: str
    banned: tuple[Player, ...]
    disputed: bool
    mine: bool
    done: bool


@dataclass(frozen=True)
class Banned:
    """The bans on winning of one table's hand."""

    table: Table
    hand: str
    penalties: tuple[Penalty, ...]


def open_tables(
    rounds: Iterable[Round], bans: Collection[Penalty], own: Collection[int]
) -> dict[int, list[TableLine]]:
    """Round id → its tables by number. ``bans``: those that hold now; ``own``: whom the reader plays as."""
    sheets = finished_sheets().filter(table=OuterRef("pk"))
    disputes = Dispute.objects.filter(table=OuterRef("pk"), closed_at__isnull=True)
    found = Table.objects.filter(round__in=[each.pk for each in rounds]).order_by("round_id", "number", "pk")
    found = found.annotate(done=Exists(sheets), disputed=Exists(disputes)).prefetch_related("seats__player")
    banned = defaultdict(list)
    for penalty in bans:
        banned[penalty.table_id].append(penalty.player)
    lines: dict[int, list[TableLine]] = defaultdict(list)
    for table in found:
        seats = tuple(seat.player for seat in table.seats.all())
        line = TableLine(
            table=table,
            seats=seats,
            hand=hand_at(table),
            banned=tuple(dict.fromkeys(banned[table.pk])),
            disputed=table.disputed,
            mine=any(player.pk in own for player in seats),
            done=table.done,
        )
        lines[table.round_id].append(line)
    return lines


def bans_by_table(competition: Competition) -> list[Banned]:
    """Who may not win, table by table. One query."""
    found: dict[int, Banned] = {}
    for penalty in active_bans(competition):
        table, round_ = penalty.table, penalty.round
        if table is None or round_ is None:
            continue
        table.round = round_  # fetched with the penalty, not with its table
        before = found.get(table.pk, Banned(table=table, hand=hand_at(table), penalties=()))
        found[table.pk] = replace(before, penalties=(*before.penalties, penalty))
    return list(found.values())


def bans_shown(table: Table, *, public: bool) -> list[Penalty]:
    """Who may not win the hand that this table plays, for this audience; nobody once its result is in."""
    playing = bans_at(table).filter(round__status=Round.Status.OPEN)
    waiting = playing.exclude(table__sheets__is_current=True)
    return list(shown_penalties(waiting, public=public).select_related("player").order_by("pk"))


def own_players(user_id: int, competition: Competition) -> set[int]:
    """The players that this person is in this competition."""
    found = Role.objects.filter(user=user_id, competition=competition, player__isnull=False)
    return {player for player in found.values_list("player", flat=True) if player is not None}


def newest_penalties(competition: Competition) -> list[Penalty]:
    """The penalties logged last, revoked and requested ones too, newest first."""
    found = _shown(Penalty.objects.filter(competition=competition))
    return list(found.order_by("-created_at", "-pk")[:NEWEST])


def just_logged(competition: Competition, user_id: int, now: datetime) -> list[tuple[Penalty, timedelta]]:
    """What this person may still take back, newest first, and for how long; one penalty for each act."""
    since = now - UNDO
    found = Penalty.objects.filter(competition=competition, created_by=user_id, revoked_at__isnull=True)
    penalties = _shown(found.filter(created_at__gte=since)).order_by("-created_at", "pk")
    acts = {penalty.together or penalty.pk: penalty for penalty in reversed(penalties)}
    return [(penalty, min(penalty.created_at - since, UNDO)) for penalty in reversed(acts.values())]


def tables_numbered(number: int, rounds: QuerySet[Round]) -> list[Table]:
    """The tables of this number among these rounds: those of open rounds, else the newest one."""
    found = Table.objects.filter(number=number, round__in=to_be_played(rounds).values("pk"))
    tables = list(found.select_related("round__stage__division__competition").order_by("-round_id"))
    opened = [table for table in tables if table.round.status == Round.Status.OPEN]
    return opened or tables[:1]


def most_tables(competition: Competition) -> int:
    """The highest number of a table in this competition; 0 before anybody is seated."""
    found = Table.objects.filter(round__stage__division__competition=competition)
    return found.order_by("-number").values_list("number", flat=True).first() or 0


def seated(table: Table) -> list[Player]:
    """The players of a table by wind."""
    seats = Seat.objects.filter(table=table).select_related("player").order_by("wind")
    return [seat.player for seat in seats]


def _shown(found: QuerySet[Penalty]) -> QuerySet[Penalty]:
    related = ("stage__division__rule_set__own_catalogue", "round", "table", "player", "created_by")
    return found.select_related(*related)
