"""What federations make of a tournament's places."""

from fractions import Fraction

from scoring.units import Score


def mers_base_rank(place: int, players: int) -> Score:
    """The base rank of a place in the EMA's ranking (MERS): 1000 for the winner, 0 for the last, in even
    steps (https://mahjong-europe.org/ranking/Basicsranking.html).

    Exact: the EMA's page drops decimals, others round. Raises ValueError for a place that does not exist, and
    for fewer than two players.
    """
    if not 1 <= place <= players or players < 2:
        raise ValueError(f"no place {place!r} among {players!r} players")
    return Fraction(1000 * (players - place), players - 1)
