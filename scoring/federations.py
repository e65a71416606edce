from fractions import Fraction

from scoring.units import Score


def mers_base_rank(place: int, players: int) -> Score:
    """Return the exact base rank in the EMA's ranking (MERS), from 1000 for the winner to 0. Raises
    ValueError.

    Source: https://mahjong-europe.org/ranking/Basicsranking.html, which drops decimals.
    """
    if not 1 <= place <= players or players < 2:
        raise ValueError(f"no place {place!r} among {players!r} players")
    return Fraction(1000 * (players - place), players - 1)
