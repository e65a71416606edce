"""Choice of the players who sit out: fewest times so far, and not twice in a row if possible."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction


def choose_sitting_out(
    drawn_order: Sequence[int],
    count: int,
    *,
    sat_out: Mapping[int, Fraction | int],
    beside: Collection[int] = (),
    last: Collection[int] = (),
) -> list[int]:
    """Choose in order. `beside`: players out in a neighbouring round. `last`: players only after others."""
    turn = sorted(drawn_order, key=lambda p: (p in beside, sat_out.get(p, 0), p in last))
    return turn[:count]


def share_of_sitting_out(out: Mapping[int, int], due: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return how often players sat out, corrected by their share `due`.

    A round in which k of n players sit out makes k/n due for each. So occasional players sit out as often as
    others of their rounds.
    """
    most = max(due.values(), default=Fraction())
    return {player: out.get(player, 0) + most - due[player] for player in due}
