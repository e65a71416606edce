"""Team standings: members' games add up, and teams are ranked as players are.

A *named* player counts in one round for the team that named them. Source of the format: M.League (half of the
total carried over, players' penalties deducted from the team, a range of games per player, awards). Only a
carried half is rounded.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from typing import Final

from scoring.rules import Rules
from scoring.settlement import settler
from scoring.standings import NOTHING_ELSE, SUBSTITUTE, Game, Outside, Row, player_scores, rank_players
from scoring.units import Score

RoundGame = tuple[int, Game]  # the id of the round, and the game
Deduction = tuple[int, int | None, Score]  # player, the id of the round or None, tenths to add
Brought = tuple[int, Score, int]  # player, tenths, number of games

SEATS: Final = 4
TRIES: Final = 300  # random tables among which the best are proposed

# A rank of last season belongs to a player: it breaks no tie between teams.
OF_PLAYERS_ONLY: Final = frozenset({"previous_rank"})


@dataclass(frozen=True)
class Membership:
    """Teams of players: ``named`` (round, player) → team, or else ``now`` player → team."""

    now: Mapping[int, int]
    named: Mapping[tuple[int, int], int] = field(default_factory=dict)

    @cached_property
    def line_ups(self) -> Mapping[int, Mapping[int, int]]:
        line_ups_by_round: dict[int, dict[int, int]] = {}
        for (round_, player), team in self.named.items():
            line_ups_by_round.setdefault(round_, dict(self.now))[player] = team
        return line_ups_by_round

    def teams(self, round_: int | None) -> Mapping[int, int]:
        return self.now if round_ is None else self.line_ups.get(round_, self.now)

    def team(self, player: int, round_: int | None) -> int | None:
        return self.teams(round_).get(player)


def carried_half(total: Score) -> int:
    """Return half of a team's total in tenths, rounded up.

    Source: the final of M.League 2018 began with 140.9 of 281.7, but with −4.3 of −8.7 (mskj-star.com,
    mleague-result).
    """
    return math.floor(Fraction(total) / 2 + Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class MemberRow:
    team: int
    player: int
    row: Row


def games_of_teams(games: Iterable[RoundGame], members: Membership) -> list[Game]:
    """Return the games with teams in the seats. A seat without a team is `SUBSTITUTE`."""
    return list(_in_seats(games, members.teams))


def _in_seats(games: Iterable[RoundGame], whose: Callable[[int], Mapping[int, int]]) -> Iterator[Game]:
    """Replace players by ``whose(round)``. Written out for speed: 100 000 tables of a season come through."""
    no_team = (SUBSTITUTE,) * 4
    for round_, (a, b, c, d, east, south, west, north, ending) in games:
        of = whose(round_).get
        seats = (of(a, SUBSTITUTE), of(b, SUBSTITUTE), of(c, SUBSTITUTE), of(d, SUBSTITUTE))
        if seats != no_team:
            yield (*seats, east, south, west, north, ending)


def rank_teams(
    games: Sequence[RoundGame],
    rules: Rules,
    members: Membership,
    *,
    teams: Iterable[int],
    penalties: Iterable[Deduction] = (),
    adjustments: Iterable[Deduction] = (),
    brought: Iterable[Brought] = (),
    deducted: Iterable[tuple[int, Score]] = (),
    carried: Mapping[int, Score] = {},
    tie_breaks: Sequence[str],
    outside: Outside = NOTHING_ELSE,
) -> list[Row]:
    """Rank ``teams`` in one stage, best first. A row's `player` is the team. Raises ValueError for unknown
    tie-breaks.

    ``penalties`` and ``adjustments`` are of players. They count for the team of their round, or without a
    round for that of the player's last game here, or the present one. ``brought``: the adjustments
    that were carried in. ``deducted``: (team, negative tenths).
    """
    listed, penalties, adjustments = set(teams), list(penalties), list(adjustments)
    last = _last_teams(games, members, [*penalties, *adjustments])
    return rank_players(
        games_of_teams(games, members),
        rules,
        entrants=listed,
        penalties=[*_for_teams(penalties, members, last), *_whole(deducted)],
        adjustments=_for_teams(adjustments, members, last),
        brought=[
            (team, score, games)
            for player, tenths, games in brought
            for team, score in _for_teams([(player, None, tenths)], members, last)
        ],
        carried={team: score for team, score in carried.items() if team in listed},
        tie_breaks=[name for name in tie_breaks if name not in OF_PLAYERS_ONLY],
        outside=outside,
        without=_strangers(members, listed),
    )


def _whole(deducted: Iterable[tuple[int, Score]]) -> list[tuple[int, int]]:
    return [(team, int(score)) for team, score in deducted]


def _strangers(members: Membership, listed: set[int]) -> set[int]:
    return {*members.now.values(), *members.named.values()} - listed


def _last_teams(
    games: Sequence[RoundGame], members: Membership, deductions: Iterable[Deduction]
) -> dict[int, int]:
    last_teams: dict[int, int] = {}
    may_have = members.now.keys() | {player for _round, player in members.named}
    wanted = {player for player, round_, _ in deductions if round_ is None and player in may_have}
    for round_, game in reversed(games):
        if not wanted:
            break
        for player in wanted.intersection(game[:4]):
            team = members.team(player, round_)
            if team is not None:
                last_teams[player] = team
                wanted.remove(player)
    return last_teams


def _for_teams(
    deductions: Iterable[Deduction], members: Membership, last: Mapping[int, int]
) -> list[tuple[int, int]]:
    team_deductions = []
    for player, round_, tenths in deductions:
        at_once = members.team(player, round_)
        team = last.get(player, at_once) if round_ is None else at_once
        if team is not None:
            team_deductions.append((team, int(tenths)))
    return team_deductions


RoundScore = tuple[int | None, int, Score]  # the id of the round or None, the team, tenths


def team_scores(
    games: Sequence[RoundGame],
    rules: Rules,
    members: Membership,
    *,
    penalties: Iterable[Deduction] = (),
    adjustments: Iterable[Deduction] = (),
    deducted: Iterable[tuple[int, Score]] = (),
) -> tuple[list[RoundScore], list[RoundScore]]:
    """Return all that `rank_teams` adds up: the scores of games, and everything else."""
    settle = settler(rules)
    besides = [*penalties, *adjustments]
    last = _last_teams(games, members, besides)
    played: list[RoundScore] = []
    for round_, game in games:
        teams = members.teams(round_)
        for player, score in player_scores(game, settle):
            if player in teams:
                played.append((round_, teams[player], score))
    others: list[RoundScore] = [
        (round_, team, score)
        for player, round_, tenths in besides
        for team, score in _for_teams([(player, round_, tenths)], members, last)
    ]
    return played, [*others, *((None, team, score) for team, score in deducted)]


def rank_members(
    games: Sequence[RoundGame],
    rules: Rules,
    members: Membership,
    *,
    penalties: Iterable[Deduction] = (),
    adjustments: Iterable[Deduction] = (),
    brought: Iterable[Brought] = (),
) -> list[MemberRow]:
    """Return each player's results per team, best total first, including members without a game."""
    pairs = list(dict.fromkeys((team, player) for player, team in members.now.items()))
    number = {pair: index for index, pair in enumerate(pairs)}

    def numbered(player: int, round_: int | None, team: int | None) -> int | None:
        if team is None:
            return None
        if (team, player) not in number:
            number[team, player] = len(pairs)
            pairs.append((team, player))
        return number[team, player]

    for round_, game in games:
        if round_ in members.line_ups:
            for player in game[:4]:
                numbered(player, round_, members.team(player, round_))
    numbers = {
        round_: {player: number[team, player] for player, team in teams.items() if (team, player) in number}
        for round_, teams in members.line_ups.items()
    }
    now = {player: number[team, player] for player, team in members.now.items()}
    penalties, adjustments = list(penalties), list(adjustments)
    last = _last_teams(games, members, [*penalties, *adjustments])
    rows = rank_players(
        _in_seats(games, lambda round_: numbers.get(round_, now)),
        rules,
        entrants=list(number.values()),
        penalties=_for_members(penalties, members, last, numbered),
        adjustments=_for_members(adjustments, members, last, numbered),
        brought=[
            (pair, score, games)
            for player, tenths, games in brought
            for pair, score in _for_members([(player, None, tenths)], members, last, numbered)
        ],
        tie_breaks=(),
    )
    return [MemberRow(*pairs[row.player], row) for row in rows]


def _for_members(
    deductions: Iterable[Deduction],
    members: Membership,
    last: Mapping[int, int],
    numbered: Callable[[int, int | None, int | None], int | None],
) -> list[tuple[int, int]]:
    member_deductions = []
    for player, round_, tenths in deductions:
        for team, whole in _for_teams([(player, round_, tenths)], members, last):
            pair = numbered(player, round_, team)
            if pair is not None:
                member_deductions.append((pair, whole))
    return member_deductions


# --- least and most hanchan


@dataclass(frozen=True, slots=True)
class Share:
    """A member's games, those ``missing`` to the minimum, and those ``left`` to the maximum if any."""

    hanchan: int
    missing: int
    left: int | None


def share_of(hanchan: int, *, least: int | None, most: int | None) -> Share:
    left = None if most is None else max(0, most - hanchan)
    return Share(hanchan, max(0, (least or 0) - hanchan), left)


# --- awards


@dataclass(frozen=True, slots=True)
class Award:
    """An award with its winners. ``value``: tenths, points, a share of games, or a number of firsts."""

    name: str
    players: tuple[int, ...]
    value: Score


def awards(rows: Iterable[Row], *, least: int = 0) -> list[Award]:
    """Return the awards of M.League. Those for score and avoidance need the ``least`` number of games."""
    played = [row for row in rows if row.games]
    enough = [row for row in played if row.games >= least]
    kinds: list[tuple[str, list[Row], Callable[[Row], Score | None]]] = [
        ("score", enough, lambda row: row.total),
        ("best_points", played, lambda row: row.best_points),
        ("avoidance", enough, lambda row: 1 - Fraction(row.places.fourth, row.games)),
        ("tops", played, lambda row: row.places.first or None),
    ]
    return [award for name, those, value in kinds for award in _award(name, those, value)]


def _award(name: str, rows: Iterable[Row], value: Callable[[Row], Score | None]) -> list[Award]:
    worths = [(worth, row.player) for row in rows if (worth := value(row)) is not None]
    if not worths:
        return []
    best = max(worth for worth, _player in worths)
    return [Award(name, tuple(player for worth, player in worths if worth == best), best)]


# --- teams at tables


def seats_by_team(tables: Mapping[int, Sequence[int]]) -> dict[int, list[tuple[int, int]]]:
    """Return team → its seats (table, wind) by table. The first named player sits at the first."""
    seats: dict[int, list[tuple[int, int]]] = {}
    for table, four in sorted(tables.items()):
        for wind, team in enumerate(four):
            seats.setdefault(team, []).append((table, wind))
    return seats


def fill_tables(
    tables: Mapping[int, Sequence[int]], line_ups: Mapping[int, Sequence[int]]
) -> dict[int, list[int | None]]:
    """Replace teams at tables by their players, or None for seats without a named player."""
    players_at: dict[int, list[int | None]] = {table: [None] * len(four) for table, four in tables.items()}
    for team, seats in seats_by_team(tables).items():
        for (table, wind), player in zip(seats, line_ups.get(team, ()), strict=False):
            players_at[table][wind] = player
    return players_at


def propose_tables(
    teams: Sequence[int], history: Sequence[Sequence[int]], *, tables: int, seed: int
) -> dict[int, list[int]]:
    """Propose tables of four teams from ``history``: fewest games first, rare opponents, winds by need."""
    chance = random.Random(seed)  # noqa: S311 - a draw that can be repeated, no secret
    played = Counter(team for four in history for team in four)
    line = sorted(chance.sample(sorted(teams), len(teams)), key=lambda team: played[team])
    line = line[: min(tables, len(teams) // SEATS) * SEATS]
    met = Counter(frozenset(pair) for four in history for pair in combinations(four, 2))
    best = min((_shuffled(line, chance) for _ in range(TRIES)), key=lambda fours: _meetings(fours, met))
    sat = Counter((team, wind) for four in history for wind, team in enumerate(four))
    return {number: _by_need(four, sat, chance) for number, four in enumerate(best, 1)}


def _shuffled(line: Sequence[int], chance: random.Random) -> list[list[int]]:
    mixed = chance.sample(line, len(line))
    return [mixed[first : first + SEATS] for first in range(0, len(mixed), SEATS)]


def _meetings(fours: Iterable[Sequence[int]], met: Mapping[frozenset[int], int]) -> int:
    """Sum squares, so that a second meeting costs more than a first one."""
    return sum(met[frozenset(pair)] ** 2 for four in fours for pair in combinations(four, 2))


def _by_need(four: Sequence[int], sat: Mapping[tuple[int, int], int], chance: random.Random) -> list[int]:
    orders = list(permutations(chance.sample(four, len(four))))
    return list(min(orders, key=lambda o: sum(sat[team, wind] ** 2 for wind, team in enumerate(o))))
