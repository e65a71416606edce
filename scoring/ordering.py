"""A function that finds the order of four numbers with as few comparisons as possible, and adds what each
place is worth.

A season of 100 000 tables spends its time on the order of four points, so the comparisons are written out as
one decision tree: binary insertion of south, west and north into the order so far, ties included, with the
answer of each of the 75 possible orders as constants in its leaf. The tree is generated, as
`collections.namedtuple` generates its methods, because nobody could proofread 75 leaves by hand. Nothing but
numbers and the names below goes into the source.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

Four = tuple[int, int, int, int]
FourScores = tuple[int | Fraction, int | Fraction, int | Fraction, int | Fraction]

_NAMES: Final = ("east", "south", "west", "north")


def compile_order(
    answer: Callable[[Four], tuple[Four, Sequence[int | Fraction]]], special: Callable[..., Any] | None
) -> Callable[[int, int, int, int, int], tuple[Four, FourScores]]:
    """A function (east, south, west, north, sticks) → (places, scores in tenths), for points in hundreds.

    `answer` is asked once for each order, with an example of four points: it gives the places, and what is
    added to each seat's points / 100. `special` answers for the function whenever there are sticks; None when
    sticks change nothing.
    """
    constants: dict[str, Any] = {"special": special}
    lines = ["def settle_in_order(east, south, west, north, sticks):"]
    if special is not None:
        lines += [" if sticks:", "  return special(east, south, west, north, sticks)"]
    lines += _insert([["east"]], ["south", "west", "north"], 1, answer, constants)
    exec("\n".join(lines), constants)  # noqa: S102  generated from numbers and our own names only
    function: Callable[[int, int, int, int, int], tuple[Four, FourScores]] = constants["settle_in_order"]
    return function


def _insert(
    order: list[list[str]],
    waiting: list[str],
    depth: int,
    answer: Callable[[Four], Any],
    constants: dict[str, Any],
) -> list[str]:
    """The lines that find where the next waiting seat belongs in `order` (highest first, tied seats
    together).
    """
    if not waiting:
        return [" " * depth + _leaf(order, answer, constants)]
    seat, *rest = waiting

    def between(low: int, high: int, depth: int) -> list[str]:
        if low == high:
            return _insert([*order[:low], [seat], *order[low:]], rest, depth, answer, constants)
        middle = (low + high) // 2
        level = order[middle][0]
        tied = [*order[:middle], [*order[middle], seat], *order[middle + 1 :]]
        pad = " " * depth
        return [
            f"{pad}if {seat} > {level}:",
            *between(low, middle, depth + 1),
            f"{pad}elif {seat} < {level}:",
            *between(middle + 1, high, depth + 1),
            f"{pad}else:",
            *_insert(tied, rest, depth + 1, answer, constants),
        ]

    return between(0, len(order), depth)


def _leaf(order: list[list[str]], answer: Callable[[Four], Any], constants: dict[str, Any]) -> str:
    level = {seat: 100 * (len(order) - index) for index, group in enumerate(order) for seat in group}
    places, worth = answer((level["east"], level["south"], level["west"], level["north"]))
    scores = (
        f"{name} // 100 + {_constant(each, constants)}" for name, each in zip(_NAMES, worth, strict=True)
    )
    return f"return {tuple(places)!r}, ({', '.join(scores)})"


def _constant(value: int | Fraction, constants: dict[str, Any]) -> str:
    if isinstance(value, int):
        return repr(value)
    name = f"exact_{len(constants)}"
    constants[name] = value
    return name
