"""Who sits where, as lists show it: a round by table or by name, and the rounds that one player has ahead.

A division's *current* round is its first seated one that is not closed, or its last one when all are closed.
Callers give only rounds that their reader may see.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.core.search import folded, matches, sort_key
from league.core.stages import secret_stages
from league.models import Competition, Round, Seat, Sheet, SittingOut, Stage, Table
from league.people.queries import PlayerInfo, players_of
from league.rounds.queries import players_by_stage


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat of a list. ``player``: who sits there, as a substitute for ``stands_for``; None if they are
    no longer entered. ``done``: the table's result is in.
    """

    table: Table
    wind: int
    player: PlayerInfo | None
    stands_for: PlayerInfo | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table of a list with its seats from east to north."""

    table: Table
    seats: tuple[ListedSeat, ...]


@dataclass(frozen=True, slots=True)
class SeatingList:
    """One round: its tables by number, and who sits out in this round."""

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
        """The seats in the order of the players' names, as this reader reads them."""
        return sorted((s for s in self.seats if s.player), key=lambda s: name_order(s.player, reads_han))


def name_order(player: PlayerInfo | None, reads_han: bool) -> tuple[str, str, int]:
    """The place of a name in a list: by its letters, romanized for those who cannot read it."""
    if player is None:
        return "", "", 0
    own, romanized = sort_key(player.name), sort_key(player.romanized)
    return (own, romanized, player.player) if reads_han else (romanized or own, own, player.player)


# --- rounds


def seated_rounds(rounds: QuerySet[Round]) -> list[Round]:
    """Those of these rounds that have a table, by division, stage and number; one query."""
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
    """For each division its current round and those after it; ``rounds`` as ``seated_rounds`` gives them."""
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
    """The seating of each of these rounds of one competition: four queries at any size, and up to three more
    after a cut. ``public``: leaves out who sits out where that would tell of unpublished results. ``only``:
    leaves out tables without any of these players, and other players who sit out.
    """
    people = players_of(competition) if people is None else people
    sheets = Sheet.objects.filter(table=OuterRef("pk"), is_current=True).exclude(status=Sheet.Status.VOID)
    tables = Table.objects.filter(round__in=[each.pk for each in rounds]).prefetch_related("seats")
    if only is not None:
        theirs = Seat.objects.filter(Q(player__in=only) | Q(stands_for__in=only))
        tables = tables.filter(pk__in=theirs.values("table"))
    by_round: dict[int, list[ListedTable]] = {each.pk: [] for each in rounds}
    for table in tables.annotate(done=Exists(sheets)).order_by("round_id", "number", "pk"):
        by_round[table.round_id].append(_list_table(table, people, done=table.done))
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
    """Round → who was there and had no seat."""
    found: dict[int, set[int]] = {each.pk: set() for each in rounds}
    for round_, player in SittingOut.objects.filter(round__in=found).values_list("round_id", "player_id"):
        found[round_].add(player)
    return found


def _playing(stages: Iterable[Stage], competition: Competition, *, public: bool) -> dict[int, list[int]]:
    """Stage → the players who play in it: entered in its division, or through its cut; without those
    withdrawn and substitutes. For the public none of a stage that would tell of unpublished results.
    """
    found = {stage.pk: stage for stage in stages}
    playing = players_by_stage(found.values(), competition)
    secret = _secret(found.values(), competition) if public else ()
    return {pk: [] if pk in secret else players for pk, players in playing.items()}


def _secret(stages: Iterable[Stage], competition: Competition) -> Collection[int]:
    """No query where no stage has a cut; else two."""
    if not any(stage.cut for stage in stages):
        return ()
    return secret_stages(list(Stage.objects.filter(division__competition=competition)))


# --- one player


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A round as one player sees it: their ``seat`` and the others at the table by wind; or ``instead``, the
    seat in which a substitute sits for them; or neither: they sit out.
    """

    round: Round
    seat: ListedSeat | None = None
    table: tuple[ListedSeat, ...] = field(default=())
    instead: ListedSeat | None = None

    @property
    def sits_out(self) -> bool:
        return self.seat is None and self.instead is None


def own_rounds(player: int, lists: Iterable[SeatingList]) -> list[OwnRound]:
    """The rounds in which this player has a seat, has a substitute, or sits out."""
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


def find_named(text: str, people: Iterable[PlayerInfo]) -> list[PlayerInfo]:
    """Those whose name, in any of its scripts, holds every word of ``text``; whole names first."""
    asked = folded(text)
    close = asked.replace(" ", "")
    found = [
        info
        for info in people
        if matches(asked, folded(f"{info.name} {info.romanized}"))
        or close in folded(f"{info.name}|{info.romanized}").replace(" ", "")
    ]
    return sorted(found, key=lambda info: asked not in (folded(info.name), folded(info.romanized)))
