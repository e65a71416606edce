"""The cut: who of a stage (players or teams) goes on, in which order, and what decided between equals.

*Rows* are the standings, with `LOTS` as last tie-break. *Gone* and *unranked* players make room for the next.
*Wild cards* go to the best of the others by one metric. Players *picked* by hand go on besides. Positions
count in this order. Until lots separate equal players, they are in `Cut.open`, and no one may be seated.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.standings import METRICS, Row, better_first
from scoring.units import Score

RANK, WILD_CARD, HAND, TEAM = "rank", "wild_card", "hand", "team"
DEFAULT_WILD_CARDS: Final = "best_score"
# The default, then values of points, then values of places, which is the order in menus.
WILD_CARD_METRICS: Final = tuple(
    sorted(
        (name for name, metric in METRICS.items() if metric.wild_cards),
        key=lambda name: (name != DEFAULT_WILD_CARDS, METRICS[name].of_places),
    )
)
BY_RANK: Final = "rank"  # decided between wild cards of one value


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a cut: places from `first`, wild cards, picked players. `head_starts`: tenths by position.

    Raises ValueError for negative numbers, an unknown metric, and a duplicate pick.
    """

    top: int
    first: int = 1
    wild_cards: int = 0
    wild_card_by: str = DEFAULT_WILD_CARDS
    picked: tuple[int, ...] = ()
    head_starts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.top < 0 or self.first < 1 or self.wild_cards < 0:
            raise ValueError(f"no cut: {self}")
        if self.wild_card_by not in WILD_CARD_METRICS:
            raise ValueError(f"no metric of wild cards: {self.wild_card_by!r}")
        if len(set(self.picked)) < len(self.picked):
            raise ValueError(f"picked twice: {self.picked}")

    @property
    def size(self) -> int:
        return self.top + self.wild_cards + len(self.picked)


@dataclass(frozen=True, slots=True)
class Qualified:
    player: int
    position: int
    how: str
    head_start: int


@dataclass(frozen=True, slots=True)
class Equals:
    """Equal players across a line, best first, and the tie-break that decided, or `BY_RANK`."""

    inside: tuple[int, ...]
    outside: tuple[int, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut. `moved_up`: players in place of those `gone`. `open`: groups who have to draw lots."""

    qualified: tuple[Qualified, ...]
    out: tuple[int, ...]
    gone: tuple[int, ...]
    moved_up: tuple[int, ...]
    decided: tuple[Equals, ...]
    open: tuple[tuple[int, ...], ...]

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(each.player for each in self.qualified)

    @classmethod
    def of(cls, players: Iterable[int], how: str) -> "Cut":
        qualified = tuple(Qualified(player, position, how, 0) for position, player in enumerate(players, 1))
        return cls(qualified, out=(), gone=(), moved_up=(), decided=(), open=())


def make_cut(
    rows: Sequence[Row],
    terms: Terms,
    *,
    gone: Collection[int] = (),
    measures: Mapping[int, Score | None] | None = None,
) -> Cut:
    """Cut through `rows`. `measures`: values of the wild cards' metric."""
    unpicked = [row for row in rows if row.player not in terms.picked]
    able = [row for row in unpicked if row.player not in gone and not row.unranked]
    unranked = [row for row in unpicked if row.player not in gone and row.unranked]
    start, end = terms.first - 1, terms.first - 1 + terms.top
    ranked, others = able[start:end], able[end:]
    wild, left = _wild_cards(others, terms, measures or {})
    had_a_place = [row.player for row in unpicked[start:end]]
    players = [(row.player, RANK) for row in ranked] + [(row.player, WILD_CARD) for row in wild]
    players += [(player, HAND) for player in terms.picked]
    return Cut(
        qualified=tuple(
            Qualified(player, position, how, _head_start(terms, position))
            for position, (player, how) in enumerate(players, 1)
        ),
        out=tuple(row.player for row in (*able[:start], *left, *unranked)),
        gone=tuple(player for player in had_a_place if player in gone),
        moved_up=tuple(row.player for row in ranked if row.player not in had_a_place),
        decided=(
            *_at_the_line(rows, able, start, upwards=True),
            *_at_the_line(rows, able, end, upwards=False),
            *_between_wild_cards(wild, left, measures or {}),
        ),
        open=tuple(_undecided(rows, able, [*ranked, *wild])),
    )


def _head_start(terms: Terms, position: int) -> int:
    return terms.head_starts[position - 1] if position <= len(terms.head_starts) else 0


def _wild_cards(
    others: Sequence[Row], terms: Terms, measures: Mapping[int, Score | None]
) -> tuple[list[Row], list[Row]]:
    """Return wild cards, best first, and the others. The better rank wins ties. A wild card needs a game."""
    played = [row for row in others if row.games]
    # Sorting is stable: rows are in the order of their ranks.
    best = sorted(played, key=lambda row: better_first(terms.wild_card_by, measures.get(row.player)))
    given = best[: terms.wild_cards]
    return given, [row for row in others if row not in given]


def _at_the_line(rows: Sequence[Row], able: Sequence[Row], line: int, *, upwards: bool) -> Iterator[Equals]:
    """Yield who is equal across the line above `able[line]`. `upwards`: players above it are out."""
    if not 0 < line < len(able) or not _equal_totals(able[line - 1], able[line]):
        return
    if able[line - 1].rank == able[line].rank:
        return  # nothing has decided yet
    equal = [row for row in able if _equal_totals(row, able[line])]
    above = tuple(row.player for row in equal if row.rank < able[line].rank)
    below = tuple(row.player for row in equal if row.rank >= able[line].rank)
    between = rows[rows.index(able[line - 1]) + 1 : rows.index(able[line]) + 1]
    by = next(row.decided_by for row in between if row.decided_by)
    assert by is not None
    yield Equals(inside=below, outside=above, by=by) if upwards else Equals(above, below, by)


def _equal_totals(one: Row, other: Row) -> bool:
    return (one.total, one.games == 0, one.unranked) == (other.total, other.games == 0, other.unranked)


def _between_wild_cards(
    wild: Sequence[Row], left: Sequence[Row], measures: Mapping[int, Score | None]
) -> Iterator[Equals]:
    if not wild:
        return
    last = wild[-1]
    value = measures.get(last.player)
    outside = [
        row for row in left if row.games and measures.get(row.player) == value and row.rank > last.rank
    ]
    if outside:
        inside = tuple(row.player for row in wild if measures.get(row.player) == value)
        yield Equals(inside, tuple(row.player for row in outside), BY_RANK)


def _undecided(rows: Sequence[Row], able: Sequence[Row], inside: Sequence[Row]) -> Iterator[tuple[int, ...]]:
    """Yield players who share a rank across the cut, with gone ones: draws must include all of a rank."""
    for rank in sorted({row.rank for row in inside if row.tied}):
        if sum(row.rank == rank for row in able) > 1:
            yield tuple(sorted(row.player for row in rows if row.rank == rank))


def draw_lots(players: Collection[int], seed: int) -> tuple[int, ...]:
    order = sorted(set(players))
    random.Random(seed).shuffle(order)  # noqa: S311 - a draw that can be repeated, no secret
    return tuple(order)


# --- tables of a final ---

# Rows: hanchan; columns: winds from east. Everyone has every wind once in four hanchan, and each of the
# others as the next player once or twice.
_FOUR: Final = ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))
# Of five the one whose turn it is sits out; these are the others, by how far from them they are. In five
# hanchan everyone has every wind once and each of the others as the next player once.
_FIVE: Final = ((1, 2, 4, 3), (2, 4, 3, 1), (4, 3, 1, 2), (3, 1, 2, 4))

Hanchan = tuple[tuple[int, int, int, int], ...]  # tables of four players, east first


def evenly_seated(players: int, hanchan: int) -> bool:
    """Return whether everyone plays equally often. Five players need 5, 10, 15, … games."""
    return players > 0 and (players % 4 == 0 or (players == 5 and hanchan % 5 == 0))


def final_tables(players: Sequence[int], hanchan: int, seed: int) -> tuple[Hanchan, ...]:
    """Seat players by position for each hanchan, always the same four at a table (`snake`). One of five sits
    out in turn.

    Winds are drawn with `seed` for the first hanchan, and change so that everyone has each once in four (of
    five players: in five). Raises ValueError unless `evenly_seated`.
    """
    if not evenly_seated(len(players), hanchan):
        raise ValueError(f"{len(players)} players in {hanchan} hanchan do not play equally often")
    chance = random.Random(seed)  # noqa: S311 - a draw that can be repeated, no secret
    if len(players) == 5:
        order = chance.sample(list(players), 5)
        return tuple((_without_one(order, number),) for number in range(hanchan))
    tables = [chance.sample(table, 4) for table in snake(players)]
    return tuple(tuple(_turned(table, number) for table in tables) for number in range(hanchan))


def snake(players: Sequence[int]) -> list[list[int]]:
    """Distribute players by position to equal tables: 1-4-5-8 and 2-3-6-7 of eight."""
    count = len(players) // 4
    tables: list[list[int]] = [[] for _ in range(count)]
    for row in range(4):
        there = range(count) if row % 2 == 0 else range(count - 1, -1, -1)
        for index, table in enumerate(there):
            tables[table].append(players[row * count + index])
    return tables


def _turned(table: Sequence[int], number: int) -> tuple[int, int, int, int]:
    east, south, west, north = (table[seat] for seat in _FOUR[number % 4])
    return east, south, west, north


def _without_one(order: Sequence[int], number: int) -> tuple[int, int, int, int]:
    steps = _FIVE[number // 5 % 4]
    east, south, west, north = (order[(number + step) % 5] for step in steps)
    return east, south, west, north
