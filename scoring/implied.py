"""The offences in a log of hands that no payment covers: chombo that cost score, bans, dead hands.

A chombo that is paid in the game is in the points already. A foul is a chombo after which the hand went on.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scoring.hanchan import Chombo, GameStep, Hand
from scoring.hand_log import TableGame
from scoring.rules import Rules

CHOMBO, FOUL, NOTEN_RIICHI = "chombo", "foul", "noten_riichi"
DEAD_HAND, WIN_BAN, EXTRA_TILES = "dead_hand", "win_ban", "extra_tiles"
COSTLY: Final = (CHOMBO, FOUL, NOTEN_RIICHI)  # each costs the rule set's chombo
# The offences as penalty rules may name them, the nearest first.
NAMED_AS: Final = {
    CHOMBO: (CHOMBO,),
    FOUL: (FOUL, CHOMBO),
    NOTEN_RIICHI: (NOTEN_RIICHI, CHOMBO),
    DEAD_HAND: (DEAD_HAND, WIN_BAN),
    WIN_BAN: (WIN_BAN, DEAD_HAND),
    EXTRA_TILES: (EXTRA_TILES, WIN_BAN, DEAD_HAND),
}


@dataclass(frozen=True, slots=True)
class Offence:
    """An offence of `seat` in a hand. `number`: of the hand in its log. `hand`: code. `units`: tiles."""

    number: int
    hand: str
    seat: int
    kind: str
    units: int = 1


def chombo_costs(rules: Rules) -> int:
    """Return the deduction of a chombo in tenths, or 0 if it is paid in the game or costs nothing."""
    return -(rules.chombo.score or 0)


def offences_of(table: TableGame) -> list[Offence]:
    """Return what the hands of a table imply, in their order."""
    if table.game is None:
        return []
    costs, steps = chombo_costs(table.game.rules), table.game.steps
    return [
        offence
        for number, code, step in zip(table.numbers, table.codes, steps, strict=True)
        for offence in (
            *(_chombo_in(step, number, code) if costs else ()),
            *_bans_in(step.hand, number, code),
        )
    ]


def _chombo_in(step: GameStep, number: int, code: str) -> Iterator[Offence]:
    fouls = [foul.seat for foul in step.hand.fouls]
    kind = CHOMBO if isinstance(step.hand.outcome, Chombo) else NOTEN_RIICHI
    for seat in sorted((Counter(step.chombo) - Counter(fouls)).elements()):
        yield Offence(number, code, seat, kind)
    for seat in fouls:
        yield Offence(number, code, seat, FOUL)


def _bans_in(hand: Hand, number: int, code: str) -> Iterator[Offence]:
    for seat in hand.dead_hands:
        yield Offence(number, code, seat, DEAD_HAND)
    for seat in hand.win_bans:
        yield Offence(number, code, seat, WIN_BAN)
    for seat, tiles in enumerate(hand.extra_tiles):
        if tiles and seat not in hand.dead_hands and seat not in hand.win_bans:
            yield Offence(number, code, seat, EXTRA_TILES, units=tiles)
