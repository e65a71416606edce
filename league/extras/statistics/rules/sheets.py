"""Statistics of settled games: a player's own, head to head, and records.

Every game with a result counts, also a game beyond the standard number, but not for a substitute. A game is
*settled* once. Everything else counts its places, scores (tenths) and points (`docs/statistics.md`).
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations
from operator import attrgetter
from typing import Any, Final, NamedTuple

from scoring.rules import Rules
from scoring.settlement import Four, FourScores, settler
from scoring.standings import AVERAGE, BEST, RUN, SUBSTITUTE, Game, Numbers, Places, average_score
from scoring.units import Score

LEAST_FOR_MARGIN: Final = 20  # games; the normal approximation needs some
NORMAL_95: Final = Fraction(196, 100)
LEAST_FOR_RECORD: Final = 10  # games of a record that is an average

FIRSTS, TOP_TWO, NO_FOURTH, FOURTHS = "firsts", "top_two", "no_fourth", "fourths"
STREAKS: Final = {  # of places, one byte each
    FIRSTS: re.compile(rb"\x01+"),
    TOP_TWO: re.compile(rb"[\x01\x02]+"),
    NO_FOURTH: re.compile(rb"[\x01-\x03]+"),
    FOURTHS: re.compile(rb"\x04+"),
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


class PlayedSeat(NamedTuple):
    wind: int
    points: int
    place: int
    score: Score


@dataclass(frozen=True)
class PlayerStatistics:
    """One player's `seats`, of each game, oldest first."""

    seats: tuple[PlayedSeat, ...]

    @property
    def games(self) -> int:
        return len(self.seats)

    @cached_property
    def places(self) -> Places:
        places = [seat.place for seat in self.seats]
        return Places(places.count(1), places.count(2), places.count(3), places.count(4))

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
        return sum(seat.score for seat in self.seats)

    @property
    def average_score(self) -> Fraction | None:
        return self._per_game(self.total)

    @property
    def average_points(self) -> Fraction | None:
        return self._per_game(sum(seat.points for seat in self.seats))

    @property
    def first(self) -> Fraction | None:
        return self._per_game(self.places.first)

    @property
    def top_two(self) -> Fraction | None:
        """Return the share of first and second places (連対率)."""
        return self._per_game(self.places.first + self.places.second)

    @property
    def avoidance(self) -> Fraction | None:
        """Return the share of games without fourth place (ラス回避率)."""
        return self._per_game(self.games - self.places.fourth)

    @property
    def busts(self) -> int:
        """Return how many games ended with less than 0 points (トビ)."""
        return sum(seat.points < 0 for seat in self.seats)

    @property
    def bust_rate(self) -> Fraction | None:
        return self._per_game(self.busts)

    @property
    def best(self) -> int | None:
        """Return the index of the game with the best score. Of equal scores the earlier counts."""
        return max(range(self.games), key=lambda index: (self.seats[index].score, -index), default=None)

    @property
    def worst(self) -> int | None:
        return min(range(self.games), key=lambda index: (self.seats[index].score, index), default=None)

    @cached_property
    def _sequence(self) -> bytes:
        return bytes(seat.place for seat in self.seats)

    def streak(self, kind: str) -> Streak | None:
        """Return the longest streak, the earlier of equal ones. None if no game belongs to it."""
        return longest_streak(kind, self._sequence)

    def current_streak(self, kind: str) -> int:
        """Return the length of the streak that ends with the newest game, or 0."""
        runs = STREAKS[kind].finditer(self._sequence)
        return next((run.end() - run.start() for run in runs if run.end() == self.games), 0)

    def from_wind(self, wind: int) -> "PlayerStatistics":
        return PlayerStatistics(tuple(seat for seat in self.seats if seat.wind == wind))

    def _per_game(self, amount: Score) -> Fraction | None:
        return Fraction(amount) / self.games if self.games else None


def _root_rounded_up(square: Fraction) -> int:
    root = math.isqrt(square.numerator // square.denominator)
    return root if root * root == square else root + 1


def longest_streak(kind: str, places: bytes) -> Streak | None:
    """Return the first of the longest runs in a sequence of places, one byte each."""
    runs = STREAKS[kind].finditer(places)
    spans = [(run.end() - run.start(), -run.start()) for run in runs]
    length, start = max(spans, default=(0, 0))
    return Streak(length, -start, length - start - 1) if length else None


def statistics_of(games: Iterable[SettledGame], player: int) -> PlayerStatistics:
    """Count the games in which the player sits, in the order of `games`."""
    return PlayerStatistics(
        tuple(
            PlayedSeat(wind, game.points[wind], game.places[wind], game.scores[wind])
            for game in games
            for wind, seated in enumerate(game.players)
            if seated == player
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
        own_place, other_place = places
        own_score, other_score = scores
        self.games += 1
        self.ahead += own_place < other_place
        self.behind += own_place > other_place
        self.difference += own_score - other_score


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


@dataclass(frozen=True, slots=True)
class _Own:
    """One player's games, places and scores."""

    games: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[Score, ...]


def records_of(games: Sequence[SettledGame]) -> list[Record]:
    """Return the records of `games` in playing order. Players with an equal value share the record.

    Averages need `LEAST_FOR_RECORD` games, and a streak two.
    """
    seats: defaultdict[int, list[tuple[int, int, Score]]] = defaultdict(list)
    for index, game in enumerate(games):
        for player, place, score in zip(game.players, game.places, game.scores, strict=True):
            seats[player].append((index, place, score))
    seats.pop(SUBSTITUTE, None)
    every = {player: _Own(*zip(*own, strict=True)) for player, own in seats.items()}
    of_games = [
        *(record for kind in _GAME_VALUES for record in _game_records(kind, games)),
        *_lead_records(games),
    ]
    return [
        *sorted(of_games, key=lambda record: OF_A_GAME.index(record.kind)),
        *(record for kind in OF_A_PLAYER for record in _player_records(kind, every)),
        *(record for kind in OF_A_STREAK for record in _streak_records(kind, every)),
    ]


def _game_records(kind: str, games: Sequence[SettledGame]) -> list[Record]:
    """Find the record of an amount. Only the games that hold it are read seat by seat."""
    read, pick = _GAME_VALUES[kind]
    amounts = [read(game) for game in games]
    tops = [pick(amount) for amount in amounts]
    for index, game in enumerate(games):
        if SUBSTITUTE in game.players:
            tops[index] = pick(_of_players(game, amounts[index]), default=None)
    best = pick((top for top in tops if top is not None), default=None)
    return [
        Record(kind, best, games[index].players[seat], (index,))
        for index, top in enumerate(tops)
        if best is not None and top == best
        for seat, value in enumerate(amounts[index])
        if value == best and games[index].players[seat] != SUBSTITUTE
    ]


def _of_players(game: SettledGame, values: Sequence[Score]) -> Iterable[Score]:
    """Leave out the amounts of substitutes."""
    return [value for player, value in zip(game.players, values, strict=True) if player != SUBSTITUTE]


def _lead_records(games: Sequence[SettledGame]) -> list[Record]:
    leads = [_lead(game) for game in games]
    found = []
    for kind, pick in ((LARGEST_LEAD, max), (CLOSEST_WIN, min)):
        best = pick((lead for lead in leads if lead is not None), default=None)
        found += [
            Record(kind, best, games[index].players[games[index].places.index(1)], (index,))
            for index, lead in enumerate(leads)
            if best is not None and lead == best
        ]
    return found


def _lead(game: SettledGame) -> Score | None:
    """Return the lead of the first place over the second. None for a substitute, and unless one seat alone is
    first.
    """
    if game.places.count(1) != 1:
        return None
    seat = game.places.index(1)
    *_others, second, first = sorted(game.points)
    return first - second if game.points[seat] == first and game.players[seat] != SUBSTITUTE else None


_GAME_VALUES: Final[Mapping[str, tuple[Callable[[SettledGame], Sequence[Score]], Any]]] = {
    HIGHEST_POINTS: (attrgetter("points"), max),
    HIGHEST_SCORE: (attrgetter("scores"), max),
    LOWEST_POINTS: (attrgetter("points"), min),
}
_PLAYER_VALUES: Final[Mapping[str, tuple[Callable[[_Own], Score], int]]] = {  # and the games needed
    MOST_GAMES: (lambda own: len(own.games), 1),
    MOST_FIRSTS: (lambda own: own.places.count(1), 1),
    BEST_AVERAGE: (lambda own: Fraction(sum(own.scores)) / len(own.scores), LEAST_FOR_RECORD),
    BEST_AVERAGE_PLACE: (lambda own: -Fraction(sum(own.places), len(own.places)), LEAST_FOR_RECORD),
}


def _player_records(kind: str, every: Mapping[int, _Own]) -> list[Record]:
    read, least = _PLAYER_VALUES[kind]
    values = {player: read(own) for player, own in every.items() if len(own.games) >= least}
    best: Score = max(values.values(), default=0)
    shown = -best if kind == BEST_AVERAGE_PLACE else best
    return [Record(kind, shown, player) for player, value in values.items() if best and value == best]


def _streak_records(kind: str, every: Mapping[int, _Own]) -> list[Record]:
    longest = {player: longest_streak(kind, bytes(own.places)) for player, own in every.items()}
    best = max((streak.length for streak in longest.values() if streak), default=0)
    return [
        Record(kind, best, player, (every[player].games[streak.first], every[player].games[streak.last]))
        for player, streak in longest.items()
        if streak and streak.length == best > 1
    ]


# --- running totals


def running_totals(scores: Sequence[Score], numbers: Numbers) -> list[Score]:
    """Return the sum after each game, as far as games count under `numbers` (valid and standard number)."""
    if numbers.standard is None:
        return list(accumulate(scores))
    standard, sums, counted = numbers.standard, list[Score](), list[Score]()
    total: Score = 0
    for index, score in enumerate(scores):
        if index < standard or not numbers.leaves_out:
            total += score
            counted.append(score)
        elif numbers.beyond == BEST and score > min(counted):
            total += score - min(counted)
            counted.remove(min(counted))
            counted.append(score)
        elif numbers.beyond == RUN:
            total = max(total, sum(scores[index - standard + 1 : index + 1]))
        averages = numbers.beyond == AVERAGE and index >= standard
        sums.append(average_score(total, index + 1, standard) if averages else total)
    return sums
