"""Statistics of settled games: a player's own, head to head, and records.

Every game with a result counts, also a game beyond the standard number, but not for a substitute. A game is
*settled* once. Everything else counts its places, scores (tenths) and points (`docs/statistics.md`).
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple

from scoring.rules import Rules
from scoring.settlement import Four, FourScores, settler
from scoring.standings import AVERAGE, BEST, FIRST, SUBSTITUTE, Game, Numbers, average_score
from scoring.units import Score

LEAST_FOR_MARGIN: Final = 20  # games; the normal approximation needs some
NORMAL_95: Final = Fraction(196, 100)
LEAST_FOR_RECORD: Final = 10  # games of a record that is an average

FIRSTS, TOP_TWO, NO_FOURTH, FOURTHS = "firsts", "top_two", "no_fourth", "fourths"
STREAKS: Final[Mapping[str, Collection[int]]] = {
    FIRSTS: {1},
    TOP_TWO: {1, 2},
    NO_FOURTH: {1, 2, 3},
    FOURTHS: {4},
}


class SettledGame(NamedTuple):
    """A table from east to north. Seats that count for no player have `SUBSTITUTE`."""

    players: Four
    points: Four
    places: Four
    scores: FourScores


def settle_games(games: Iterable[Game], rules: Rules) -> list[SettledGame]:
    settle = settler(rules)
    found = []
    for a, b, c, d, east, south, west, north, ending in games:
        places, scores = settle(east, south, west, north, ending)
        found.append(SettledGame((a, b, c, d), (east, south, west, north), places, scores))
    return found


# --- one player


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive games. `first` and `last` are indices of the player's games."""

    length: int
    first: int
    last: int


@dataclass(frozen=True)
class PlayerStatistics:
    """One player's `seats`: (wind, points, place, score) of each game, oldest first."""

    seats: tuple[tuple[int, int, int, Score], ...]

    @property
    def games(self) -> int:
        return len(self.seats)

    @cached_property
    def places(self) -> Four:
        every = [place for _wind, _points, place, _score in self.seats]
        return every.count(1), every.count(2), every.count(3), every.count(4)

    @property
    def average_place(self) -> Fraction | None:
        return self._per_game(sum(place * count for place, count in enumerate(self.places, 1)))

    @property
    def margin(self) -> Fraction | None:
        """Return half of the 95 % interval of the average place, in hundredths rounded up.

        It is 1.96 standard errors, from the sample variance. None below `LEAST_FOR_MARGIN` games.
        """
        if self.games < LEAST_FOR_MARGIN or self.average_place is None:
            return None
        squares = sum(count * (place - self.average_place) ** 2 for place, count in enumerate(self.places, 1))
        hundredths = NORMAL_95**2 * squares / (self.games - 1) / self.games * 100**2
        return Fraction(_root_rounded_up(hundredths), 100)

    @property
    def total(self) -> Score:
        return sum(score for _wind, _points, _place, score in self.seats)

    @property
    def average_score(self) -> Fraction | None:
        return self._per_game(self.total)

    @property
    def average_points(self) -> Fraction | None:
        return self._per_game(sum(points for _wind, points, _place, _score in self.seats))

    @property
    def first(self) -> Fraction | None:
        return self._per_game(self.places[0])

    @property
    def top_two(self) -> Fraction | None:
        """Return the share of first and second places (連対率)."""
        return self._per_game(self.places[0] + self.places[1])

    @property
    def avoidance(self) -> Fraction | None:
        """Return the share of games without fourth place (ラス回避率)."""
        return self._per_game(self.games - self.places[3])

    @property
    def busts(self) -> int:
        """Return how many games ended with less than 0 points (トビ)."""
        return sum(points < 0 for _wind, points, _place, _score in self.seats)

    @property
    def bust_rate(self) -> Fraction | None:
        return self._per_game(self.busts)

    @property
    def best(self) -> int | None:
        """Return the index of the game with the best score. Of equal scores the earlier counts."""
        return max(range(self.games), key=lambda index: (self.seats[index][3], -index), default=None)

    @property
    def worst(self) -> int | None:
        return min(range(self.games), key=lambda index: (self.seats[index][3], index), default=None)

    def streak(self, kind: str) -> Streak | None:
        """Return the longest streak, the earlier of equal ones. None if no game belongs to it."""
        runs = self._runs(STREAKS[kind])
        return max(runs, key=lambda run: (run.length, -run.first), default=None)

    def current_streak(self, kind: str) -> int:
        runs = self._runs(STREAKS[kind])
        return runs[-1].length if runs and runs[-1].last == self.games - 1 else 0

    def from_wind(self, wind: int) -> "PlayerStatistics":
        return PlayerStatistics(tuple(seat for seat in self.seats if seat[0] == wind))

    def _runs(self, places: Collection[int]) -> list[Streak]:
        runs: list[Streak] = []
        for index, (_wind, _points, place, _score) in enumerate(self.seats):
            if place not in places:
                continue
            if runs and runs[-1].last == index - 1:
                runs[-1] = Streak(runs[-1].length + 1, runs[-1].first, index)
            else:
                runs.append(Streak(1, index, index))
        return runs

    def _per_game(self, amount: Score) -> Fraction | None:
        return Fraction(amount) / self.games if self.games else None


def _root_rounded_up(square: Fraction) -> int:
    root = math.isqrt(square.numerator // square.denominator)
    return root if root * root == square else root + 1


def statistics_of(games: Iterable[SettledGame], player: int) -> PlayerStatistics:
    """Count the games in which the player sits, in the order of `games`."""
    return PlayerStatistics(
        tuple(
            (wind, game.points[wind], game.places[wind], game.scores[wind])
            for game in games
            for wind, each in enumerate(game.players)
            if each == player
        )
    )


# --- head to head


@dataclass(slots=True)
class HeadToHead:
    """A player's games against an opponent. `difference`: the player's scores minus the opponent's."""

    games: int = 0
    ahead: int = 0
    behind: int = 0
    difference: Score = 0

    @property
    def average(self) -> Fraction:
        return Fraction(self.difference) / self.games

    @property
    def reverse(self) -> "HeadToHead":
        return HeadToHead(self.games, self.behind, self.ahead, -self.difference)

    def add(self, places: tuple[int, int], scores: tuple[Score, Score]) -> None:
        self.games += 1
        self.ahead += places[0] < places[1]
        self.behind += places[0] > places[1]
        self.difference += scores[0] - scores[1]


def opponents_of(games: Iterable[SettledGame], player: int) -> dict[int, HeadToHead]:
    """Return opponent → head to head."""
    found: dict[int, HeadToHead] = {}
    for game in games:
        if player not in game.players:
            continue
        own = game.players.index(player)
        for seat, other in enumerate(game.players):
            if seat != own and other != SUBSTITUTE:
                against = found.setdefault(other, HeadToHead())
                against.add((game.places[own], game.places[seat]), (game.scores[own], game.scores[seat]))
    return found


def meetings(games: Iterable[SettledGame], players: Collection[int]) -> dict[tuple[int, int], HeadToHead]:
    """Return (player, opponent) → head to head, both ways, among `players` alone."""
    wanted = set(players) - {SUBSTITUTE}
    found: dict[tuple[int, int], HeadToHead] = {}
    for game in games:
        seats = [seat for seat, player in enumerate(game.players) if player in wanted]
        for a, b in combinations(seats, 2):
            if game.players[a] > game.players[b]:
                a, b = b, a
            pair = game.players[a], game.players[b]
            against = found.setdefault(pair, HeadToHead())
            against.add((game.places[a], game.places[b]), (game.scores[a], game.scores[b]))
    return found | {(b, a): against.reverse for (a, b), against in found.items()}


# --- records

HIGHEST_POINTS, HIGHEST_SCORE, LOWEST_POINTS = "highest_points", "highest_score", "lowest_points"
LARGEST_LEAD, CLOSEST_WIN = "largest_lead", "closest_win"
MOST_GAMES, MOST_FIRSTS = "most_games", "most_firsts"
BEST_AVERAGE, BEST_AVERAGE_PLACE = "best_average", "best_average_place"
OF_A_GAME: Final = (HIGHEST_POINTS, HIGHEST_SCORE, LARGEST_LEAD, CLOSEST_WIN, LOWEST_POINTS)
OF_A_PLAYER: Final = (MOST_GAMES, MOST_FIRSTS, BEST_AVERAGE, BEST_AVERAGE_PLACE)
OF_A_STREAK: Final = (FIRSTS, TOP_TWO, NO_FOURTH)


@dataclass(frozen=True, slots=True)
class Record:
    """A record and everyone who holds it. `games`: indices of the game, or of a streak's first and last."""

    kind: str
    value: Score
    player: int
    games: tuple[int, ...] = ()


def records_of(games: Sequence[SettledGame]) -> list[Record]:
    """Return the records of `games` in playing order. Players with an equal value share the record.

    Averages need `LEAST_FOR_RECORD` games, and a streak two.
    """
    own: dict[int, list[tuple[int, int]]] = {}  # player → (game, seat)
    for index, game in enumerate(games):
        for seat, player in enumerate(game.players):
            if player != SUBSTITUTE:
                own.setdefault(player, []).append((index, seat))
    statistics = {
        player: PlayerStatistics(
            tuple((s, games[i].points[s], games[i].places[s], games[i].scores[s]) for i, s in seats)
        )
        for player, seats in own.items()
    }
    return [
        *(record for kind in OF_A_GAME for record in _game_records(kind, games)),
        *(record for kind in OF_A_PLAYER for record in _player_records(kind, statistics)),
        *(record for kind in OF_A_STREAK for record in _streak_records(kind, statistics, own)),
    ]


def _game_records(kind: str, games: Sequence[SettledGame]) -> list[Record]:
    found: list[tuple[Score, int, int]]
    if kind in (LARGEST_LEAD, CLOSEST_WIN):
        found = [
            (game.points[w] - game.points[s], i, w) for i, game in enumerate(games) for w, s in _top(game)
        ]
    else:
        of_scores = kind == HIGHEST_SCORE
        found = [
            (value, index, seat)
            for index, game in enumerate(games)
            for seat, value in enumerate(game.scores if of_scores else game.points)
        ]
    held = [each for each in found if games[each[1]].players[each[2]] != SUBSTITUTE]
    if not held:
        return []
    best = (min if kind in (CLOSEST_WIN, LOWEST_POINTS) else max)(value for value, _index, _seat in held)
    return [Record(kind, best, games[i].players[seat], (i,)) for value, i, seat in held if value == best]


def _top(game: SettledGame) -> list[tuple[int, int]]:
    """Return the seats of the first and second place unless two share the first."""
    if game.places.count(1) != 1 or 2 not in game.places:
        return []
    return [(game.places.index(1), game.places.index(2))]


_PLAYER_VALUES: Final[Mapping[str, tuple[Callable[[PlayerStatistics], Score | None], bool]]] = {
    MOST_GAMES: (lambda own: own.games, False),
    MOST_FIRSTS: (lambda own: own.places[0] or None, False),
    BEST_AVERAGE: (lambda own: own.average_score, True),
    BEST_AVERAGE_PLACE: (lambda own: None if own.average_place is None else -own.average_place, True),
}


def _player_records(kind: str, statistics: Mapping[int, PlayerStatistics]) -> list[Record]:
    read, is_average = _PLAYER_VALUES[kind]
    values: dict[int, Score] = {
        player: value
        for player, own in statistics.items()
        if (own.games >= LEAST_FOR_RECORD or not is_average) and (value := read(own)) is not None
    }
    best: Score = max(values.values(), default=0)
    return [
        Record(kind, -best if kind == BEST_AVERAGE_PLACE else best, player)
        for player, value in values.items()
        if value == best
    ]


def _streak_records(
    kind: str, statistics: Mapping[int, PlayerStatistics], own: Mapping[int, Sequence[tuple[int, int]]]
) -> list[Record]:
    longest = {player: streak for player, each in statistics.items() if (streak := each.streak(kind))}
    best = max((streak.length for streak in longest.values()), default=0)
    return [
        Record(kind, best, player, (own[player][streak.first][0], own[player][streak.last][0]))
        for player, streak in longest.items()
        if streak.length == best > 1
    ]


# --- running totals


def running_totals(scores: Sequence[Score], numbers: Numbers) -> list[Score]:
    """Return the sum after each game, as far as games count under `numbers` (valid and standard number)."""
    standard, total, sums = numbers.standard, Fraction(0), list[Score]()
    counted: list[Score] = []
    for index, score in enumerate(scores):
        if standard is None or index < standard or numbers.beyond not in (FIRST, BEST):
            total += score
            counted.append(score)
        elif numbers.beyond == BEST and score > min(counted):
            total += score - min(counted)
            counted.remove(min(counted))
            counted.append(score)
        averages = numbers.beyond == AVERAGE and standard is not None and index >= standard
        shown = average_score(total, index + 1, standard or 1) if averages else total
        sums.append(int(shown) if shown == int(shown) else shown)
    return sums
