from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from league.extras.needs.rules.goals import ENOUGH, REACHED
from league.extras.needs.rules.last_hand import Conditions, Span, Stretch

ANY_WIN, TSUMO, RON = "any_win", "tsumo", "ron"
_Values = tuple[Stretch, ...]


class Part(NamedTuple):
    """A way that suffices. `values`: () for every value. `losers`: () for every discarder.

    `shares`: some values only lead to a shared place or rank. `alone`: those that do not.
    """

    kind: str
    values: _Values = ()
    losers: tuple[int, ...] = ()
    shares: bool = False
    alone: _Values = ()


class _Enough(NamedTuple):
    """The values that suffice, and those that do without a shared place or rank."""

    values: _Values
    alone: _Values

    @property
    def is_all(self) -> bool:
        return _is_all(self.values)

    def part(self, kind: str, losers: Iterable[int] = ()) -> Part:
        shares = self.values != self.alone
        return Part(
            kind, () if self.is_all else self.values, tuple(losers), shares, self.alone if shares else ()
        )


def spoken(found: Conditions) -> tuple[Part, ...]:
    """Return the player's own wins that reach the goal, in the order in which players say them.

    A self-draw comes first, then the ron that suffices from everybody, then what suffices from some players
    (直撃). Returns () if no win reaches the goal.
    """
    enough = {way.loser: _enough(spans) for way, spans in found.wins.items() if way.winner == found.seat}
    if all(_is_all(each.alone) for each in enough.values()):
        return (Part(ANY_WIN),)
    drawn = enough.pop(None)
    tsumo = [drawn.part(TSUMO)] if drawn.values else []
    return (*tsumo, *_rons({loser: each for loser, each in enough.items() if loser is not None}))


def _enough(spans: Iterable[Span]) -> _Enough:
    own = tuple(spans)
    alone = tuple(span.stretch for span in own if span.outcome.code == REACHED)
    return _Enough(tuple(_joined(own)), alone)


def _joined(spans: Iterable[Span]) -> Iterable[Stretch]:
    """Yield the stretches that suffice. A shared place and one alone can follow each other."""
    for is_enough, some in groupby(spans, key=lambda span: span.outcome.code in ENOUGH):
        if is_enough:
            stretches = [each.stretch for each in some]
            first, last = stretches[0], stretches[-1]
            yield Stretch(first.first, last.last, first.from_bottom, last.to_top)


def _is_all(values: _Values) -> bool:
    return any(each.is_all for each in values)


def _rons(enough: Mapping[int, _Enough]) -> tuple[Part, ...]:
    alike: dict[_Enough, list[int]] = {}
    for loser, each in enough.items():
        alike.setdefault(each, []).append(loser)
    general = next(
        (each for each in alike if each.values and all(_within(each, other) for other in alike)), None
    )
    parts = [] if general is None else [general.part(RON)]
    apart = [(each, losers) for each, losers in alike.items() if each.values and each != general]
    return (*parts, *(each.part(RON, losers) for each, losers in apart))


def _within(one: _Enough, other: _Enough) -> bool:
    """Return whether the other has every value of the first."""
    return _lies_in(one.values, other.values) and _lies_in(one.alone, other.alone)


def _lies_in(values: _Values, others: _Values) -> bool:
    return all(
        any(other.first.base <= each.first.base and each.last.base <= other.last.base for other in others)
        for each in values
    )
