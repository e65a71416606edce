"""Who sits out where the players are more than the seats: those who did so least often, and no one twice in a
row if that can be. A plan that follows this from round to round is fair wherever it ends.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction


def choose_sitting_out(
    drawn: Sequence[int],
    count: int,
    *,
    sat_out: Mapping[int, Fraction | int],
    beside: Collection[int] = (),
    last: Collection[int] = (),
) -> list[int]:
    """`count` of the `drawn` players, in whose order equal ones are chosen. `sat_out`: how often before (see
    `share_of_sitting_out`). `beside`: who sits out in the round before or after. `last`: who sits out only
    when all others have.
    """
    turn = sorted(drawn, key=lambda p: (p in beside, sat_out.get(p, 0), p in last))
    return turn[:count]


def share_of_sitting_out(out: Mapping[int, int], there: Mapping[int, int]) -> dict[int, Fraction]:
    """How often players sat out, of the rounds in which they were `there`; for every round less than who was
    there most often, as much more as a player sat out in a round on average. So players who come now and then
    sit out in the same share of their rounds as the others.
    """
    most, rounds = max(there.values(), default=0), sum(there.values())
    average = Fraction(sum(out.values()), rounds or 1)
    return {player: out.get(player, 0) + average * (most - there[player]) for player in there}
