"""The hands of tables, replayed from their logs, and their restrictions by the referees' record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import F, Q, QuerySet

from league.core.counted import shown_penalties, without_words
from league.models import Entrant, HandEntry, Penalty, Round, Seat, Table
from league.play.calls.queries import clock_of, finished_sheets
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.hand_log import LogEntry, TableGame, read_kept_log
from scoring.infractions import levels_in

CHOMBO = "chombo"  # level of penalty rules
RULES = "stage__division__rule_set__own_catalogue"  # with this a penalty's line costs no query


# --- the log


def entries_of(tables: Iterable[Table], *, with_people: bool = False) -> dict[int, list[HandEntry]]:
    """Return the logs of these tables by id. One query."""
    logs: dict[int, list[HandEntry]] = {table.pk: [] for table in tables}
    entries = HandEntry.objects.filter(table__in=logs).order_by("table_id", "number")
    if with_people:
        entries = entries.select_related("user", "player")
    for entry in entries:
        logs[entry.table_id].append(entry)
    return logs


def log_entries(entries: Iterable[HandEntry]) -> list[LogEntry]:
    return [LogEntry(entry.number, entry.kind, entry.facts, entry.target) for entry in entries]


def games_of(tables: Sequence[Table]) -> dict[int, TableGame]:
    """Return the games of tables that are loaded with their rules, by id. One query."""
    logs = entries_of(tables)
    return {table.pk: game_of(table, logs[table.pk]) for table in tables}


def table_game(table: Table) -> TableGame:
    return games_of([table])[table.pk]


def game_of(table: Table, entries: Sequence[HandEntry]) -> TableGame:
    noted = table.hand if not entries else ""
    return read_kept_log(log_entries(entries), table.rules, hand=noted)


def bell_at(table: Table) -> datetime | None:
    """Return when the time of the table's game ends, or None without a running clock. Queries: at most 2."""
    clock = clock_of(table, sees_results=True)
    return clock.ends if clock and clock.rests is None else None


def takes_hands(table: Table) -> bool:
    """Return whether the table has no result yet. One query."""
    return not finished_sheets().filter(table=table).exists()


def players_of(table: Table) -> dict[int, str]:
    """Return id → name of the players from east to north. One query."""
    seats = Seat.objects.filter(table=table).order_by("wind")
    return dict(seats.values_list("player_id", "player__name"))


# --- the referees' record


def standing_penalties() -> QuerySet[Penalty]:
    """Select penalties that restrict their hand. Requests of referees count too: a player who may be expelled
    does not win until the decision. Requests that the log of hands made are about hands that are over.
    """
    asked = Q(status=Penalty.Status.REQUESTED, logged_hand__isnull=True)
    return Penalty.objects.filter(Q(status=Penalty.Status.IN_FORCE) | asked, revoked_at__isnull=True)


def undecided_of_hands(table: Table) -> QuerySet[Penalty]:
    """Select the requests of the table's log of hands that no referee has decided."""
    asked = Penalty.objects.filter(table=table, logged_hand__isnull=False, revoked_at__isnull=True)
    return asked.filter(status=Penalty.Status.REQUESTED)


def penalties_of_hand(table: Table) -> QuerySet[Penalty]:
    return standing_penalties().filter(table=table, hand=table.hand)


def penalties_shown_in_hand(table: Table, *, public: bool) -> list[Penalty]:
    """Return the penalties of the current hand for this audience. A table with a result has none.

    The public learns of every ban on winning that it holds, also where it may not read what it is for.
    """
    return _of_hands_played(penalties_of_hand(table), public=public)


def penalties_in_hands_of(entrant: int, rounds: QuerySet[Round], *, public: bool) -> list[Penalty]:
    """Return what this audience learns of the entrant's penalties in the hands that these rounds play."""
    player = Entrant.objects.filter(pk=entrant).values("player")
    now = {"hand": F("table__hand"), "round__in": rounds.values("pk")}
    return _of_hands_played(standing_penalties().filter(player__in=player, **now), public=public)


def _of_hands_played(penalties: QuerySet[Penalty], *, public: bool) -> list[Penalty]:
    """Queries: 1, and 1 more for the public if there are any."""
    playing = penalties.filter(round__status=Round.Status.OPEN).exclude(table__sheets__is_current=True)
    waiting = playing.select_related("player", "table", "round", RULES).order_by("pk")
    every = list(waiting)
    if not public or not every:
        return every
    readable = {penalty.pk: penalty for penalty in shown_penalties(waiting, public=True)}
    bans = [penalty for penalty in every if penalty.win_ban and penalty.pk not in readable]
    bans.sort(key=lambda ban: ban.waits, reverse=True)  # what is in force rather than what waits
    once = {(ban.table_id, ban.player_id): without_words(ban) for ban in bans}
    return sorted([*readable.values(), *once.values()], key=lambda penalty: penalty.pk)


@dataclass(slots=True)
class Restrictions:
    """Restrictions of the seats in one hand by the referees' record. `chombo`: seats with one on record."""

    bans: set[int] = field(default_factory=set)
    dead: set[int] = field(default_factory=set)
    extra_tiles: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    chombo: set[int] = field(default_factory=set)

    def add(self, penalty: Penalty, seat: int) -> None:
        """Add a penalty. A request bans already, but pays nothing."""
        rules = penalty_rules_of(penalty.stage.division.rule_set).wording(penalty.infraction, penalty.level)
        levels = [rules.levels[code] for code in levels_in(penalty.level) if code in rules.levels]
        if penalty.win_ban:
            (self.dead if any(level.noten for level in levels) else self.bans).add(seat)
        if penalty.waits:
            return
        ruling = rules.ruling_of(penalty)
        if ruling and ruling.variant.unit == "tile" and ruling.variant.pay_each:
            self.extra_tiles[seat] += penalty.units
        if CHOMBO in (level.code for level in levels) or (ruling and ruling.variant.redeal):
            self.chombo.add(seat)


def restrictions_at(table: Table, players: Sequence[int]) -> dict[str, Restrictions]:
    """Return code → restrictions of that hand. `players`: ids from east to north. One query."""
    by_hand: dict[str, Restrictions] = {}
    penalties = standing_penalties().filter(table=table, player__in=players)
    for penalty in penalties.select_related(RULES):
        here = by_hand.setdefault(penalty.hand, Restrictions())
        here.add(penalty, players.index(penalty.player_id))
    return by_hand
