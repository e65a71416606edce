"""Lists of who sits where: a round by table or by name, and the coming rounds of one player.

A division's *current* round is its first seated one that is not closed, or its last one if all are closed.
Callers pass only rounds that their reader may see.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from league.core.search import sort_key
from league.core.stages import secret_stages
from league.models import Competition, Round, Seat, Sheet, SittingOut, Stage, Table
from league.people.members.queries import PlayerInfo, players_of
from league.play.calendar.queries.table_times import to_make_up
from league.play.rounds.queries.rounds import players_by_stage
from players.folding import has_name, name_keys


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat of a list. ``player`` is None if no longer entered, and may substitute for ``stands_for``."""

    table: Table
    wind: int
    player: PlayerInfo | None
    stands_for: PlayerInfo | None = None
    done: bool = False  # the table's result is entered


@dataclass(frozen=True, slots=True)
class ListedTable:
    table: Table
    seats: tuple[ListedSeat, ...]


@dataclass(frozen=True, slots=True)
class SeatingList:
    round: Round
    tables: tuple[ListedTable, ...]
    sitting_out: tuple[PlayerInfo, ...] = ()

    @property
    def seats(self) -> list[ListedSeat]:
        return [seat for table in self.tables for seat in table.seats]

    @property
    def substitutes(self) -> list[ListedSeat]:
        return [seat for seat in self.seats if seat.stands_for is not None]

    def by_name(self, *, reads_han: bool) -> list[ListedSeat]:
        return sorted((s for s in self.seats if s.player), key=lambda s: name_order(s.player, reads_han))


def name_order(player: PlayerInfo | None, reads_han: bool) -> tuple[str, str, int]:
    """Return the sort key of a name. Readers without Chinese characters get the romanized name."""
    if player is None:
        return ("", "", 0)
    own, romanized = sort_key(player.name), sort_key(player.romanized)
    return (own, romanized, player.player) if reads_han else (romanized or own, own, player.player)


class GridSeat(NamedTuple):
    table: int
    wind: int


class GridRow(NamedTuple):
    """A player and their seat in each round, None without one. ``table``: its number."""

    player: PlayerInfo
    seats: list[GridSeat | None]


def grid(rounds: Sequence[Iterable[tuple[PlayerInfo, int, int]]], *, reads_han: bool) -> list[GridRow]:
    """Return the table and wind of each player in each round, by name, of (player, table, wind) per round."""
    rows: dict[int, GridRow] = {}
    for at, seats in enumerate(rounds):
        for player, table, wind in seats:
            row = rows.setdefault(player.player, GridRow(player, [None] * len(rounds)))
            row.seats[at] = GridSeat(table, wind)
    return sorted(rows.values(), key=lambda row: name_order(row.player, reads_han))


# --- rounds


def seated_rounds(rounds: QuerySet[Round]) -> list[Round]:
    """Return the rounds that have a table, by division, stage and number. Queries: 1."""
    seated = rounds.filter(Exists(Table.objects.filter(round=OuterRef("pk"))))
    return list(
        seated.order_by(
            "stage__division__position",
            "stage__division_id",
            "stage__position",
            "stage_id",
            "number",
        )
    )


def from_current(rounds: Sequence[Round]) -> list[list[Round]]:
    found = []
    for _, group in groupby(rounds, key=lambda each: each.stage.division_id):
        mine = list(group)
        going = (i for i, each in enumerate(mine) if each.status != Round.Status.CLOSED)
        found.append(mine[next(going, len(mine) - 1) :])
    return found


def seating_lists(
    rounds: Sequence[Round],
    competition: Competition,
    *,
    public: bool,
    people: Mapping[int, PlayerInfo] | None = None,
    only: Collection[int] | None = None,
) -> list[SeatingList]:
    """Return the seating of each of these rounds. Queries: 4, and up to 3 more after a cut.

    ``public``: hides unpublished results, and who sits out if that would reveal them. ``only``: tables with
    any of these players, and of those who sit out only them.
    """
    people = players_of(competition) if people is None else people
    sheets = Sheet.objects.current().filter(table=OuterRef("pk")).exclude(status=Sheet.Status.VOID)
    tables = Table.objects.filter(round__in=[each.pk for each in rounds]).prefetch_related("seats")
    if only is not None:
        theirs = Seat.objects.filter(Q(player__in=only) | Q(stands_for__in=only))
        tables = tables.filter(pk__in=theirs.values("table"))
    by_round: dict[int, list[ListedTable]] = {each.pk: [] for each in rounds}
    visible = {each.pk for each in rounds if not public or each.visibility == Round.Visibility.RESULTS}
    for table in tables.annotate(done=Exists(sheets)).order_by("round_id", "number", "pk"):
        done = table.done and table.round_id in visible
        by_round[table.round_id].append(_list_table(table, people, done=done))
    playing = _playing([each.stage for each in rounds], competition, public=public)
    out = _sitting_out(rounds)
    return [
        SeatingList(
            each,
            tuple(by_round[each.pk]),
            _without_seat(
                [
                    player
                    for player in playing[each.stage_id]
                    if player in out[each.pk] and (only is None or player in only)
                ],
                by_round[each.pk],
                people,
            ),
        )
        for each in rounds
    ]


def _list_table(table: Table, people: Mapping[int, PlayerInfo], *, done: bool) -> ListedTable:
    return ListedTable(
        table,
        tuple(
            ListedSeat(
                table,
                seat.wind,
                people.get(seat.player_id),
                people.get(seat.stands_for_id) if seat.stands_for_id else None,
                done,
            )
            for seat in table.seats.all()
        ),
    )


def _without_seat(
    playing: Iterable[int], tables: Iterable[ListedTable], people: Mapping[int, PlayerInfo]
) -> tuple[PlayerInfo, ...]:
    seats = [seat for table in tables for seat in table.seats]
    seated = {player.player for seat in seats for player in (seat.player, seat.stands_for) if player}
    return tuple(people[player] for player in playing if player not in seated and player in people)


def _sitting_out(rounds: Sequence[Round]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {each.pk: set() for each in rounds}
    for round_, player in SittingOut.objects.filter(round__in=found).values_list("round_id", "player_id"):
        found[round_].add(player)
    return found


def _playing(stages: Iterable[Stage], competition: Competition, *, public: bool) -> dict[int, list[int]]:
    """Return stage → its players. ``public``: none if that would reveal unpublished results."""
    found = {stage.pk: stage for stage in stages}
    playing = players_by_stage(found.values(), competition)
    secret: Collection[int] = ()
    if public and any(stage.cut for stage in found.values()):
        secret = secret_stages(list(Stage.objects.of(competition)))
    return {pk: [] if pk in secret else players for pk, players in playing.items()}


# --- one player


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A player's round: the own ``seat``, a substitute's seat (``instead``), or neither."""

    round: Round
    seat: ListedSeat | None = None
    table: tuple[ListedSeat, ...] = field(default=())
    instead: ListedSeat | None = None

    @property
    def sits_out(self) -> bool:
        return self.seat is None and self.instead is None


def own_rounds(player: int, lists: Iterable[SeatingList]) -> list[OwnRound]:
    return [own for each in lists if (own := _own(player, each)) is not None]


def _own(player: int, listed: SeatingList) -> OwnRound | None:
    for table in listed.tables:
        for seat in table.seats:
            if seat.player and seat.player.player == player:
                return OwnRound(listed.round, seat=seat, table=table.seats)
            if seat.stands_for and seat.stands_for.player == player:
                return OwnRound(listed.round, table=table.seats, instead=seat)
    out = any(info.player == player for info in listed.sitting_out)
    return OwnRound(listed.round) if out else None


def coming_rounds(players: Mapping[Competition, int], *, most: int) -> list[OwnRound]:
    """Return each player's next table that visitors may see, the earliest first. Queries: 2, and 1 per table.

    `players`: the player in each competition. Tables of open rounds precede the others.
    """
    mine = Q(pk=None)
    for competition, player in players.items():
        seats = Seat.objects.of(competition).filter(player=player)
        mine |= Q(pk__in=seats.values("table"))
    tables = Table.objects.filter(mine, ~Exists(Sheet.objects.current().filter(table=OuterRef("pk"))))
    late = Q(pk__in=to_make_up(Table.objects.filter(mine)).values("pk"))
    coming = tables.filter(~Q(round__status=Round.Status.CLOSED) | late)
    coming = coming.exclude(round__visibility=Round.Visibility.HIDDEN)
    order = (F("meets_at").asc(nulls_last=True), F("round__date").asc(nulls_last=True), "round__number", "pk")
    in_order = coming.with_competition().order_by(*order)
    next_tables: dict[Competition, Table] = {}
    open_first = sorted(in_order.prefetch_related("seats"), key=lambda t: t.round.status != Round.Status.OPEN)
    for table in open_first:
        next_tables.setdefault(table.competition, table)
    found = []
    for competition, table in list(next_tables.items())[:most]:
        seated = {pk for seat in table.seats.all() for pk in (seat.player_id, seat.stands_for_id) if pk}
        people = players_of(competition, seated)
        listed = SeatingList(table.round, (_list_table(table, people, done=False),))
        found += own_rounds(players[competition], [listed])
    return found


def find_named(text: str, people: Iterable[PlayerInfo]) -> list[PlayerInfo]:
    """Return people whose name contains every word of ``text`` in any script, whole names first."""
    asked = name_keys(text)
    found = [info for info in people if has_name(text, info.name, info.romanized)]
    return sorted(found, key=lambda info: not asked & (name_keys(info.name) | name_keys(info.romanized)))
