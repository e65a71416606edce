"""The referee's desk: what waits for a referee, the tables that are being played, what was logged last.

The number of queries does not grow with tables, penalties or players.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Exists, Max, OuterRef, QuerySet

from league.calls.queries import finished_sheets
from league.core.rounds import seats_with_players
from league.models import Competition, Dispute, Division, Penalty, Round, Table
from league.open_play.queries import to_be_played
from league.penalties.queries.penalties import RULES, with_facts
from league.penalties.queries.referee import UNDO, penalties_in_hand
from league.penalties.words import Wordings
from players.models import Player

NEWEST = 8


@dataclass(frozen=True)
class DeskTable:
    """A table that is being played. ``banned``: the players who may not win its hand; ``mine``: the reader
    plays there; ``done``: its sheet is entered.
    """

    table: Table
    seats: tuple[Player, ...]
    banned: tuple[Player, ...]
    disputed: bool
    mine: bool
    done: bool


@dataclass(frozen=True)
class HandBans:
    """What holds in one table's hand: bans on winning, and what else the rules restrict."""

    table: Table
    penalties: tuple[Penalty, ...]


def open_tables(
    rounds: Iterable[Round], bans: Collection[Penalty], own: Collection[int]
) -> dict[int, list[DeskTable]]:
    """Round id → its tables by number. ``bans``: those in force now; ``own``: the reader's players."""
    sheets = finished_sheets().filter(table=OuterRef("pk"))
    disputes = Dispute.objects.filter(table=OuterRef("pk"), closed_at__isnull=True)
    found = Table.objects.filter(round__in=[each.pk for each in rounds]).order_by("round_id", "number", "pk")
    found = found.annotate(done=Exists(sheets), disputed=Exists(disputes))
    found = found.prefetch_related(seats_with_players())
    banned = defaultdict(list)
    for penalty in bans:
        banned[penalty.table_id].append(penalty.player)
    tables: dict[int, list[DeskTable]] = defaultdict(list)
    for table in found:
        seats = tuple(seat.player for seat in table.seats.all())
        line = DeskTable(
            table=table,
            seats=seats,
            banned=tuple(dict.fromkeys(banned[table.pk])),
            disputed=table.disputed,
            mine=any(player.pk in own for player in seats),
            done=table.done,
        )
        tables[table.round_id].append(line)
    return tables


def bans_by_table(competition: Competition) -> list[HandBans]:
    """What holds in the hands that are played, table by table. One query."""
    found: dict[int, HandBans] = {}
    wordings = Wordings()
    for penalty in penalties_in_hand(competition):
        table, round_ = penalty.table, penalty.round
        if table is None or round_ is None or not (penalty.win_ban or wordings.line(penalty).holds):
            continue
        table.round, round_.stage = round_, penalty.stage  # fetched with the penalty, not with its table
        before = found.get(table.pk, HandBans(table=table, penalties=()))
        found[table.pk] = replace(before, penalties=(*before.penalties, penalty))
    return list(found.values())


def requests(competition: Competition) -> QuerySet[Penalty]:
    """Penalties that wait for the chief referee, oldest first."""
    waiting = {"status": Penalty.Status.REQUESTED, "revoked_at__isnull": True}
    return _penalties(competition).filter(**waiting).order_by("created_at", "pk")


def newest_penalties(competition: Competition) -> list[Penalty]:
    """The penalties logged last, revoked and requested ones too, newest first."""
    return list(_penalties(competition).order_by("-created_at", "-pk")[:NEWEST])


def just_logged(competition: Competition, user_id: int, now: datetime) -> list[tuple[Penalty, timedelta]]:
    """What this person may still take back, newest first, and for how long; one penalty for each act."""
    since = now - UNDO
    found = _penalties(competition).filter(created_by=user_id, revoked_at__isnull=True, created_at__gte=since)
    newest = reversed(found.order_by("-created_at", "pk"))
    acts = {penalty.together or penalty.pk: penalty for penalty in newest}
    return [(penalty, min(penalty.created_at - since, UNDO)) for penalty in reversed(acts.values())]


def _penalties(competition: Competition) -> QuerySet[Penalty]:
    return with_facts(Penalty.objects.filter(competition=competition)).select_related(RULES)


# --- the codes on the tables


def tables_numbered(number: int, rounds: QuerySet[Round]) -> list[Table]:
    """The tables of this number among these rounds: those of open rounds, else the newest one."""
    found = Table.objects.filter(number=number, round__in=to_be_played(rounds).values("pk"))
    tables = list(found.select_related("round__stage__division__competition").order_by("-round_id"))
    opened = [table for table in tables if table.round.status == Round.Status.OPEN]
    return opened or tables[:1]


def most_tables(competition: Competition) -> list[tuple[Division, int]]:
    """The divisions that have been seated, each with its highest number of a table."""
    found = Division.objects.filter(competition=competition, stages__rounds__tables__isnull=False)
    counted = found.annotate(most=Max("stages__rounds__tables__number")).order_by("position", "pk")
    return [(division, division.most) for division in counted]
