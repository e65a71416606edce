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


def share_of_sitting_out(out: Mapping[int, int], due: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """How often players sat out, and for what is `due` of them less than of others as much more. A round in
    which k of n players sit out makes k/n due of each of them. So players who come now and then sit out as
    often as others of their rounds, and those of full rounds owe nothing for them.
    """
    most = max(due.values(), default=Fraction())
    return {player: out.get(player, 0) + most - due[player] for player in due}
