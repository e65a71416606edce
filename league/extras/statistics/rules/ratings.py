"""Ratings of players: MERS of the European Mahjong Association, and openskill."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final

from openskill.models import BradleyTerryFull

from league.extras.statistics.rules.sheets import SettledGame
from scoring.federations import mers_base_rank
from scoring.standings import SUBSTITUTE
from scoring.units import rounded

# --- MERS

LEAST_RESULTS: Final = 2
PADDED_TO: Final = 5
BEST: Final = 4
HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class MersResult:
    """A result: the base of a place, 0 to 1000, and the weight of its tournament at its age."""

    base: int
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Mers:
    """A rating and its two parts: the mean of most results, and of the best four."""

    part_a: Fraction
    part_b: Fraction
    results: int

    @property
    def rating(self) -> Fraction:
        """Return the mean of the parts, which EMA's example takes with one decimal."""
        return Fraction(rounded(10 * self.part_a) + rounded(10 * self.part_b), 20)


def mers_base(place: int, players: int) -> int:
    return rounded(mers_base_rank(place, players)) if players > 1 else 0


def mers_age(ended: date, today: date) -> Fraction:
    """Return the share of its weight that a tournament keeps: all for a year, half for another one."""
    return Fraction(_years_after(ended, 1) >= today) / 2 + Fraction(_years_after(ended, 2) >= today) / 2


def _years_after(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # 29 February
        return date(day.year + years, 3, 1)


def mers(results: Iterable[MersResult]) -> Mers | None:
    """Rate a player by the results that still have a weight. Return None for fewer than two."""
    known = [result for result in results if result.weight > 0]
    if len(known) < LEAST_RESULTS:
        return None
    padding = [MersResult(0, Fraction(1))] * (PADDED_TO - len(known))
    best = sorted([*known, *padding], key=lambda result: (-result.base, -result.weight))
    counted = math.ceil(PADDED_TO + Fraction(8, 10) * max(len(known) - PADDED_TO, 0))
    return Mers(_mean(best[:counted]), _mean(best[:BEST]), len(known))


def _mean(results: Sequence[MersResult]) -> Fraction:
    weights = sum((result.weight for result in results), Fraction(0))
    return sum((result.base * result.weight for result in results), Fraction(0)) / weights


# --- openskill

_MODEL: Final = BradleyTerryFull()
DEVIATIONS: Final = 3  # below the mean: a new player does not begin above players who have proved more


@dataclass(frozen=True, slots=True)
class Skill:
    """An estimate of a player's strength and its standard deviation, after so many games."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0

    @property
    def rating(self) -> float:
        return self.mu - DEVIATIONS * self.sigma


NEW: Final = Skill()


def rate_games(games: Iterable[SettledGame], before: Mapping[int, Skill]) -> dict[int, Skill]:
    """Return the skills after these games. Equal places are ties, and substitutes are left out.

    The model is Bradley–Terry with full pairing. It compares each player with each other one at the table and
    treats the first and the fourth place alike. Plackett–Luce would draw places one after the other from the
    first on, so that who wins says more than who comes last.
    """
    known = {player: _MODEL.rating(mu=each.mu, sigma=each.sigma) for player, each in before.items()}
    count = {player: each.games for player, each in before.items()}
    for game in games:
        seats = [seat for seat, player in enumerate(game.players) if player != SUBSTITUTE]
        if len(seats) < 2:
            continue
        players = [game.players[seat] for seat in seats]
        teams = [[known.get(player) or _MODEL.rating()] for player in players]
        rated = _MODEL.rate(teams, ranks=[float(game.places[seat]) for seat in seats])
        for player, (skill,) in zip(players, rated, strict=True):
            known[player] = skill
            count[player] = count.get(player, 0) + 1
    return {player: Skill(skill.mu, skill.sigma, count[player]) for player, skill in known.items()}
