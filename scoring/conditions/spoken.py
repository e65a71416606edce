from collections.abc import Mapping
from typing import NamedTuple

from scoring.conditions.last_hand import REACHED, Conditions, Stretch

ANY_WIN, TSUMO, RON = "any_win", "tsumo", "ron"


class Part(NamedTuple):
    """A way that suffices. `values`: () for every value. `losers`: () for every discarder."""

    kind: str
    values: tuple[Stretch, ...] = ()
    losers: tuple[int, ...] = ()


def spoken(found: Conditions) -> tuple[Part, ...]:
    """Return the player's own wins that reach the goal, in the order in which players say them.

    A self-draw comes first, then the ron that suffices from everybody, then what suffices from some players
    (直撃). Returns () if no win reaches the goal.
    """
    enough = {
        way.loser: tuple(span.stretch for span in spans if span.outcome.code == REACHED)
        for way, spans in found.wins.items()
        if way.winner == found.seat
    }
    if all(_is_all(values) for values in enough.values()):
        return (Part(ANY_WIN),)
    drawn = enough.pop(None)
    tsumo = [Part(TSUMO, _short(drawn))] if drawn else []
    return (*tsumo, *_rons({loser: values for loser, values in enough.items() if loser is not None}))


_Values = tuple[Stretch, ...]


def _is_all(values: _Values) -> bool:
    return any(each.is_all for each in values)


def _short(values: _Values) -> _Values:
    return () if _is_all(values) else values


def _rons(enough: Mapping[int, _Values]) -> tuple[Part, ...]:
    alike: dict[_Values, list[int]] = {}
    for loser, values in enough.items():
        alike.setdefault(values, []).append(loser)
    general = next((each for each in alike if each and all(_within(each, other) for other in alike)), None)
    parts = [] if general is None else [Part(RON, _short(general))]
    apart = [(values, losers) for values, losers in alike.items() if values and values != general]
    return (*parts, *(Part(RON, _short(values), tuple(losers)) for values, losers in apart))


def _within(values: _Values, others: _Values) -> bool:
    """Return whether every value of the first is one of the others."""
    return all(
        any(other.first.base <= each.first.base and each.last.base <= other.last.base for other in others)
        for each in values
    )
