"""Weights and base ranks of tournaments in the ranking of the European Mahjong Association (MERS)."""

from dataclasses import dataclass
from fractions import Fraction

from scoring.units import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The facts that decide a tournament's weight (EMA, Mahjong European Ranking System 2018, “Weight”)."""

    players: int
    countries: int
    days: int
    qualification: bool = False

    @property
    def weight(self) -> Fraction:
        size = Fraction(int(self.players > 40) + int(self.players > 80), 2)
        reach = Fraction(int(self.countries > 5) + int(self.countries > 10), 2)
        return min(max(self.days, 1), 3) + size + reach + int(self.qualification)


def mers_base_rank(place: int, players: int) -> Score:
    """Return the exact base rank in the EMA's ranking (MERS), from 1000 for the winner to 0. Raises
    ValueError.

    Source: https://mahjong-europe.org/ranking/Basicsranking.html, which drops decimals.
    """
    if not 1 <= place <= players or players < 2:
        raise ValueError(f"no place {place!r} among {players!r} players")
    return Fraction(1000 * (players - place), players - 1)
