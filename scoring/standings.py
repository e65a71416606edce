"""Standings: settled tables and penalties become ranked rows, for pages, files, seating and cuts.

A *game* is one table as nine values, a *tally* one player's sums. An *adjustment* is points without a table.
*Total* is score + penalty + adjusted + carried, in tenths. Each tie-break divides the groups that the one
before left equal. Players still equal share a rank (1, 2, 2, 4). Players below the valid number of games are
*unranked* and come last. Numbers are exact. The order of games matters only for `last`, the newest game and
games beyond the standard number.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from scoring.rules import Rules
from scoring.settlement import Ending, Settler, settler
from scoring.units import Score, rounded

# Player ids east, south, west, north; their points; the whole ending, or the deposits alone.
Game = tuple[int, int, int, int, int, int, int, int, Ending | int]

SUBSTITUTE: Final = -1  # the id, in a game, of every player whose seat counts for no one


class Places(NamedTuple):
    """A player's numbers of first, second, third and fourth places."""

    first: int = 0
    second: int = 0
    third: int = 0
    fourth: int = 0


LAST_GAMES: Final = 5

ALL, FIRST, BEST, RUN, AVERAGE = "all", "first", "best", "run", "average"
BEYOND: Final = (ALL, FIRST, BEST, RUN, AVERAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The valid and the standard number of games (有效場數, 標準場數), and the rule for games beyond the
    standard.

    In class A of the HKMA's league they are 6 and 16 (立直麻雀聯賽最新安排, hkmahjong.org, 2025-04), without
    a rule for what goes beyond. `RUN`: the best sum of consecutive games. `AVERAGE`: the mean of all times
    the standard. Raises ValueError for impossible values.
    """

    valid: int = 0
    standard: int | None = None
    beyond: str = ALL

    def __post_init__(self) -> None:
        if self.valid < 0 or (self.standard is not None and self.standard < 1) or self.beyond not in BEYOND:
            raise ValueError(f"no numbers of hanchan: {self}")

    @property
    def leaves_out(self) -> bool:
        return self.standard is not None and self.beyond in (FIRST, BEST, RUN)


EVERY_HANCHAN: Final = Numbers()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings. Scores in tenths, points in points. The rank of the `unranked` orders them
    only.
    """

    player: int
    rank: int
    tied: bool  # shares its rank
    games: int  # that count
    score: Score
    penalty: Score
    carried: Score
    total: Score
    places: Places
    place_sum: int
    best_points: int | None
    last: tuple[tuple[int, Score], ...]  # (place, score) of the last five games, newest last
    decided_by: str | None  # the tie-break that put this row below the one above; None when the total did
    adjusted: Score = 0  # for absence, a substitute, sitting out
    beyond: int = 0  # hanchan that do not count: beyond the standard number
    missing: int = 0  # hanchan to the valid number
    averaged: Score = 0  # what taking the average of all hanchan changed in the score
    chips: int = 0  # won or lost; the score has their value
    history: tuple[tuple[int, Score], ...] = ()  # (place, score) of every game, oldest first, if asked for
    gone: bool = False  # left without a game
    unplayed: bool = False  # without a game while others have played: listed below them, without a rank
    brought: Score = 0  # the part of `adjusted` that was carried in
    brought_games: int = 0  # its games, whose tables are not known

    @property
    def average_place(self) -> Fraction | None:
        return _average_place(self)

    @property
    def played(self) -> int:
        """Return the number of all games, including games that do not count or have no table."""
        return self.games + self.beyond + self.brought_games

    @property
    def has_result(self) -> bool:
        """Return whether there is a game or points."""
        return bool(self.played or self.total)

    @property
    def carries_in(self) -> bool:
        """Return whether points or games come from a list without tables."""
        return bool(self.brought or self.brought_games)

    @property
    def unranked(self) -> bool:
        return self.missing > 0 or self.gone

    @property
    def shown_rank(self) -> int | None:
        return None if self.unranked or self.unplayed else self.rank


@dataclass(slots=True)
class Tally:
    """The sums of one player. Scores in tenths. `deducted` is never negative."""

    player: int
    score: Score = 0
    places: Places = Places()  # noqa: RUF009 - never changes
    best_points: int | None = None
    best_score: Score | None = None
    penalty: Score = 0
    deducted: Score = 0
    carried: Score = 0
    adjusted: Score = 0
    last: list[tuple[int, Score]] = field(default_factory=list)  # newest first
    history: list[tuple[int, Score]] = field(default_factory=list)  # oldest first; empty unless asked for
    beyond: int = 0
    missing: int = 0
    averaged: Score = 0
    chips: int = 0
    brought: Score = 0
    brought_games: int = 0

    @property
    def games(self) -> int:
        return sum(self.places)

    @property
    def place_sum(self) -> int:
        first, second, third, fourth = self.places
        return first + 2 * second + 3 * third + 4 * fourth

    @property
    def total(self) -> Score:
        return self.score + self.penalty + self.adjusted + self.carried


@dataclass(frozen=True, slots=True)
class Metric:
    """A tie-break by a value of each player alone, None without games.

    `column`: key of the value in sheets that recalculate the standings, or "" without such a column.
    `of_places`: the value follows from places alone. `wild_cards`: cuts offer it for wild cards.
    """

    name: str
    value: Callable[[Tally], Score | None]
    more_is_better: bool
    column: str
    of_places: bool
    wild_cards: bool

    def keys(self, tallies: Sequence[Tally], facts: "Facts") -> Mapping[int, Score]:
        return {tally.player: self.key(tally) for tally in tallies}

    def key(self, tally: Tally) -> Score:
        """Return a sort key, smaller for the better rank. All players need games, or none."""
        value = self.value(tally)
        if value is None:
            return 0
        return -value if self.more_is_better else value


def player_scores(game: Game, settle: Settler) -> Iterator[tuple[int, Score]]:
    """Return (player, tenths) for each seat of a game."""
    _places, scores = settle(*game[4:])
    return zip(game[:4], scores, strict=True)


def _average_place(of: Row | Tally) -> Fraction | None:
    return Fraction(of.place_sum, of.games) if of.games else None


def _last_score(tally: Tally) -> Score | None:
    return next((score for _place, score in tally.last), None)


@dataclass(frozen=True, slots=True)
class Outside:
    """Facts beyond the games. `lots`: the players of each draw, first drawn first."""

    preliminary: Mapping[int, int] = field(default_factory=dict)
    previous: Mapping[int, int] = field(default_factory=dict)
    lots: Sequence[Sequence[int]] = ()


NOTHING_ELSE: Final = Outside()


class Facts:
    """The games for comparisons, looked up only for ties."""

    def __init__(self, games: Sequence[Game], rules: Rules, outside: Outside) -> None:
        self.games = games
        self.outside = outside
        self._rules = rules

    def scores(self, game: Game) -> Mapping[int, Score]:
        return dict(player_scores(game, settler(self._rules)))

    @cached_property
    def games_of(self) -> Mapping[int, list[int]]:
        indices: dict[int, list[int]] = {}
        for index, game in enumerate(self.games):
            for player in game[:4]:
                indices.setdefault(player, []).append(index)
        return indices


@dataclass(frozen=True, slots=True)
class Comparison:
    """A tie-break that looks at equal players together: a sort key for each, smaller for the better rank."""

    name: str
    compare: Callable[[Sequence[int], Facts], Mapping[int, Score]]

    def keys(self, tallies: Sequence[Tally], facts: Facts) -> Mapping[int, Score]:
        return self.compare([tally.player for tally in tallies], facts)


TieBreak = Metric | Comparison
_UNRANKED: Final = 10**9  # after everyone who has a rank


def _head_to_head(players: Sequence[int], facts: Facts) -> Mapping[int, Score]:
    """Sum the scores of games in which all of them met. More than four players have none."""
    common = set.intersection(*(set(facts.games_of.get(player, ())) for player in players))
    keys: dict[int, Score] = dict.fromkeys(players, 0)
    for index in common:
        scores = facts.scores(facts.games[index])
        for player in players:
            keys[player] -= scores[player]
    return keys


def _seat_order(players: Sequence[int], facts: Facts) -> Mapping[int, Score]:
    newest = {player: max(facts.games_of[player]) for player in players if player in facts.games_of}
    return {
        player: facts.games[newest[player]].index(player) if player in newest else 0 for player in players
    }


def _preliminary_rank(players: Sequence[int], facts: Facts) -> Mapping[int, Score]:
    return {player: facts.outside.preliminary.get(player, _UNRANKED) for player in players}


def _previous_rank(players: Sequence[int], facts: Facts) -> Mapping[int, Score]:
    return {player: facts.outside.previous.get(player, _UNRANKED) for player in players}


def _lots(players: Sequence[int], facts: Facts) -> Mapping[int, Score]:
    """Return the order of the first draw that included all of them."""
    for draw in facts.outside.lots:
        if set(players) <= set(draw):
            return {player: draw.index(player) for player in players}
    return dict.fromkeys(players, 0)


TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    tie_break.name: tie_break
    for tie_break in (
        Metric(
            "penalty",
            lambda tally: tally.deducted,
            more_is_better=False,
            column="deductions",
            of_places=False,
            wild_cards=False,
        ),
        Metric(
            "average_place",
            _average_place,
            more_is_better=False,
            column="average_place",
            of_places=True,
            wild_cards=True,
        ),
        Metric(
            "firsts",
            lambda tally: tally.places.first,
            more_is_better=True,
            column="firsts",
            of_places=True,
            wild_cards=True,
        ),
        Metric(
            "seconds",
            lambda tally: tally.places.second,
            more_is_better=True,
            column="seconds",
            of_places=True,
            wild_cards=False,
        ),
        Metric(
            "lasts",
            lambda tally: tally.places.fourth,
            more_is_better=False,
            column="fourths",
            of_places=True,
            wild_cards=False,
        ),
        Metric(
            "best_points",
            lambda tally: tally.best_points,
            more_is_better=True,
            column="best_points",
            of_places=False,
            wild_cards=True,
        ),
        Metric(
            "best_score",
            lambda tally: tally.best_score,
            more_is_better=True,
            column="best_score",
            of_places=False,
            wild_cards=True,
        ),
        Comparison("head_to_head", _head_to_head),
        Metric(
            "last_round",
            _last_score,
            more_is_better=True,
            column="",  # no sheet says which game was the last
            of_places=False,
            wild_cards=True,
        ),
        Comparison("preliminary_rank", _preliminary_rank),
        Comparison("previous_rank", _previous_rank),
        Comparison("seat_order", _seat_order),
        Comparison("lots", _lots),
    )
}
METRICS: Final[Mapping[str, Metric]] = {
    name: tie_break for name, tie_break in TIE_BREAKS.items() if isinstance(tie_break, Metric)
}
LOTS: Final = "lots"
DEFAULT_TIE_BREAKS: Final = ("average_place", "firsts", "best_points")


def validate_tie_breaks(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names as a tuple. Raises ValueError for an unknown or duplicate name."""
    unknown = [name for name in names if name not in TIE_BREAKS]
    if isinstance(names, str) or unknown:
        raise ValueError(f"unknown tie-breaks {unknown or names!r}; known are {', '.join(TIE_BREAKS)}")
    if len(set(names)) != len(names):
        raise ValueError(f"a tie-break comes twice: {list(names)!r}")
    return tuple(names)


def rank_players(
    games: Iterable[Game],
    rules: Rules,
    *,
    entrants: Iterable[int] = (),
    penalties: Iterable[tuple[int, int]] = (),
    adjustments: Iterable[tuple[int, Score]] = (),
    brought: Iterable[tuple[int, Score, int]] = (),
    without: Iterable[int] = (),
    carried: Mapping[int, Score] = {},
    tie_breaks: Sequence[str] = DEFAULT_TIE_BREAKS,
    outside: Outside = NOTHING_ELSE,
    numbers: Numbers = EVERY_HANCHAN,
    with_history: bool = False,
) -> list[Row]:
    """Rank the players of `games` (in playing order) under `rules`, best first. Raises ValueError for unknown
    tie-breaks.

    Penalties and adjustments are (player, tenths to add). Lists all players of these facts and all
    `entrants`, except `without` and `SUBSTITUTE`. `numbers`: a game that does not count adds nothing for its
    player but counts for the others. Penalties, adjustments and carried points always count. `brought`: those
    of the adjustments that were carried in, with their number of games. `with_history`: rows have all games,
    which takes three times as long.
    """
    named = [TIE_BREAKS[name] for name in validate_tie_breaks(tie_breaks)]
    played, beyond = leave_out(list(games), rules, numbers)
    tallies = _tally_games(played, rules)
    if with_history:
        _add_history(tallies, played, rules)
    for player in entrants:
        tallies.setdefault(player, Tally(player))
    for player, tenths in penalties:
        tally = tallies.setdefault(player, Tally(player))
        tally.penalty += tenths
        tally.deducted += max(0, -tenths)
    for player, score in adjustments:
        tallies.setdefault(player, Tally(player)).adjusted += score
    for player, score, count in brought:
        tally = tallies.setdefault(player, Tally(player))
        tally.brought += score
        tally.brought_games += count
    for player, score in carried.items():
        tallies.setdefault(player, Tally(player)).carried = score
    for player in without:
        tallies.pop(player, None)
    if numbers != EVERY_HANCHAN:
        _apply_numbers(tallies, numbers, beyond)
    rows = _rank_tallies(tallies.values(), named, Facts(played, rules, outside))
    if not with_history:
        return rows
    return [replace(row, history=tuple(tallies[row.player].history)) for row in rows]


def measure(
    games: Iterable[Game], rules: Rules, name: str, numbers: Numbers = EVERY_HANCHAN
) -> dict[int, Score | None]:
    """Return player → value of the metric `name`. Raises ValueError unless it is a `Metric`."""
    metric = METRICS.get(name)
    if metric is None:
        raise ValueError(f"no metric of a player alone: {name!r}")
    played, _ = leave_out(list(games), rules, numbers)
    tallies = _tally_games(played, rules)
    return {player: metric.value(tally) for player, tally in tallies.items()}


def better_first(name: str, value: Score | None) -> tuple[bool, Score]:
    """Return a sort key for values of `measure`, smaller for the better one. No value comes last."""
    metric = METRICS.get(name)
    if value is None or metric is None:
        return True, 0
    return False, -value if metric.more_is_better else value


# --- valid and standard numbers of hanchan


def counting(scores: Sequence[Score], numbers: Numbers) -> frozenset[int]:
    """Return the indices of one player's games that count. Of equal scores or sums the earlier is better."""
    every = range(len(scores))
    if numbers.standard is None or not numbers.leaves_out:
        return frozenset(every)
    if numbers.beyond == BEST:  # sorting is stable: the earlier one stays in front
        every_by_score = sorted(every, key=lambda index: -scores[index])
        return frozenset(every_by_score[: numbers.standard])
    if numbers.beyond == RUN:
        sums = run_sums(scores, numbers.standard)
        first = sums.index(max(sums))
        return frozenset(every[first : first + numbers.standard])
    return frozenset(every[: numbers.standard])


def run_sums(scores: Sequence[Score], length: int) -> list[Score]:
    """Return the sum of each `length` consecutive games, or of all games if there are fewer."""
    return [sum(scores[at : at + length]) for at in range(max(1, len(scores) - length + 1))]


def leave_out(
    games: list[Game], rules: Rules, numbers: Numbers
) -> tuple[list[Game], Mapping[int, frozenset[int]]]:
    """Replace players by `SUBSTITUTE` in games that do not count for them. Also return these indices."""
    if not numbers.leaves_out:
        return games, {}
    own = _games_beyond(games, numbers.standard or 0)
    scores = own if numbers.beyond == FIRST else _scores_of(own, games, rules)
    out: dict[int, frozenset[int]] = {}
    for player, indices in own.items():
        counting_places = counting(scores[player], numbers)
        out[player] = frozenset(index for place, index in enumerate(indices) if place not in counting_places)
    left = list(games)
    for player, indices_out in out.items():
        for index in indices_out:
            left[index] = _without(player, left[index])
    return left, out


def _games_beyond(games: Sequence[Game], standard: int) -> Mapping[int, list[int]]:
    own: dict[int, list[int]] = {}
    for index, game in enumerate(games):
        for player in game[:4]:
            own.setdefault(player, []).append(index)
    own.pop(SUBSTITUTE, None)
    return {player: indices for player, indices in own.items() if len(indices) > standard}


def _scores_of(
    players: Collection[int], games: Iterable[Game], rules: Rules
) -> Mapping[int, Sequence[Score]]:
    settle = settler(rules)
    scores_of: dict[int, list[Score]] = {player: [] for player in players}
    for game in games:
        for player, score in player_scores(game, settle):
            if player in scores_of:
                scores_of[player].append(score)
    return scores_of


def _without(player: int, game: Game) -> Game:
    a, b, c, d, east, south, west, north, sticks = game
    if a == player:
        a = SUBSTITUTE
    elif b == player:
        b = SUBSTITUTE
    elif c == player:
        c = SUBSTITUTE
    else:
        d = SUBSTITUTE
    return a, b, c, d, east, south, west, north, sticks


def _apply_numbers(
    tallies: Mapping[int, Tally], numbers: Numbers, beyond: Mapping[int, frozenset[int]]
) -> None:
    for player, tally in tallies.items():
        tally.beyond = len(beyond.get(player, ()))
        tally.missing = max(0, numbers.valid - tally.games - tally.beyond - tally.brought_games)
        if numbers.beyond == AVERAGE and numbers.standard is not None and tally.games > numbers.standard:
            averaged = average_score(tally.score, tally.games, numbers.standard)
            tally.averaged = averaged - tally.score
            tally.score = averaged


def average_score(score: Score, games: int, standard: int) -> int:
    """Return the mean times `standard` in whole tenths. An exact half rounds away from zero."""
    return rounded(Fraction(score) * standard / games)


# Indices in the list of one player's running sums. The number of each place stands at the index of the place.
_SCORE: Final = 0
_BEST_POINTS: Final = 5
_BEST_SCORE: Final = 6
_NONE_YET: Final = -(10**9)


class _Sums(dict[int, list[Any]]):
    def __missing__(self, player: int) -> list[Any]:
        sums: list[Any] = [0, 0, 0, 0, 0, _NONE_YET, _NONE_YET]
        self[player] = sums
        return sums


def _tally_games(games: Sequence[Game], rules: Rules) -> dict[int, Tally]:
    """Tally each player. Written out on lists for speed: a season of 100 000 tables spends its time here."""
    settle = settler(rules)
    players = _Sums()
    for a, b, c, d, east, south, west, north, sticks in games:
        (a_place, b_place, c_place, d_place), (a_score, b_score, c_score, d_score) = settle(
            east, south, west, north, sticks
        )
        sums = players[a]
        sums[_SCORE] += a_score
        sums[a_place] += 1
        if east > sums[_BEST_POINTS]:
            sums[_BEST_POINTS] = east
        if a_score > sums[_BEST_SCORE]:
            sums[_BEST_SCORE] = a_score
        sums = players[b]
        sums[_SCORE] += b_score
        sums[b_place] += 1
        if south > sums[_BEST_POINTS]:
            sums[_BEST_POINTS] = south
        if b_score > sums[_BEST_SCORE]:
            sums[_BEST_SCORE] = b_score
        sums = players[c]
        sums[_SCORE] += c_score
        sums[c_place] += 1
        if west > sums[_BEST_POINTS]:
            sums[_BEST_POINTS] = west
        if c_score > sums[_BEST_SCORE]:
            sums[_BEST_SCORE] = c_score
        sums = players[d]
        sums[_SCORE] += d_score
        sums[d_place] += 1
        if north > sums[_BEST_POINTS]:
            sums[_BEST_POINTS] = north
        if d_score > sums[_BEST_SCORE]:
            sums[_BEST_SCORE] = d_score
    players.pop(SUBSTITUTE, None)
    tallies = {
        player: Tally(
            player, score=score, places=Places(*places), best_points=best_points, best_score=best_score
        )
        for player, (score, *places, best_points, best_score) in players.items()
    }
    _add_last_games(tallies, games, rules)
    if rules.chip_value is not None:
        _add_chips(tallies, games)
    return tallies


def _add_last_games(tallies: Mapping[int, Tally], games: Sequence[Game], rules: Rules) -> None:
    settle = settler(rules)
    waiting = {player: (tally.last, min(LAST_GAMES, tally.games)) for player, tally in tallies.items()}
    for game in reversed(games):
        if waiting.keys().isdisjoint(game[:4]):
            continue
        places, scores = settle(*game[4:])
        for player, place, score in zip(game[:4], places, scores, strict=True):
            if player in waiting:
                last, wanted = waiting[player]
                last.append((place, score))
                if len(last) == wanted:
                    del waiting[player]
        if not waiting:
            return


def _add_chips(tallies: Mapping[int, Tally], games: Iterable[Game]) -> None:
    for *players, _east, _south, _west, _north, ending in games:
        if isinstance(ending, Ending):
            for player, chips in zip(players, ending.chips, strict=True):
                if player != SUBSTITUTE:
                    tallies[player].chips += chips


def _add_history(tallies: Mapping[int, Tally], games: Iterable[Game], rules: Rules) -> None:
    settle = settler(rules)
    for game in games:
        for player, place, score in zip(game[:4], *settle(*game[4:]), strict=True):
            if player != SUBSTITUTE:
                tallies[player].history.append((place, score))


def _rank_tallies(tallies: Iterable[Tally], tie_breaks: Sequence[TieBreak], facts: Facts) -> list[Row]:
    def standing(tally: Tally) -> tuple[bool, bool, Score]:
        # Without a game there are no best points: to count the games takes longer.
        idle = tally.best_points is None and not tally.brought_games
        return idle, tally.missing > 0, -tally.total

    rows: list[Row] = []
    order = sorted(((standing(tally), tally) for tally in tallies), key=itemgetter(0))
    for _, group in groupby(order, key=itemgetter(0)):
        rows += _equal_totals([tally for _, tally in group], tie_breaks, facts, above=len(rows))
    if not any(row.played for row in rows):
        return rows
    return [row if row.played else replace(row, unplayed=True) for row in rows]


def _equal_totals(
    tallies: list[Tally], tie_breaks: Sequence[TieBreak], facts: Facts, *, above: int
) -> list[Row]:
    """Return rows below `above` better ones. Only here are tie-breaks computed."""
    if len(tallies) == 1:
        (tally,) = tallies
        return [_row(tally, rank=above + 1, tied=False, decided_by=None)]
    rows: list[Row] = []
    for shared, decided_by in _divided(tallies, tie_breaks, facts):
        rank = above + len(rows) + 1
        for index, tally in enumerate(shared):
            rows.append(
                _row(tally, rank=rank, tied=len(shared) > 1, decided_by=None if index else decided_by)
            )
    return rows


def _divided(
    tallies: list[Tally], tie_breaks: Sequence[TieBreak], facts: Facts
) -> Iterator[tuple[list[Tally], str | None]]:
    """Group players tied on every criterion, best first, each with the criterion that separates it."""
    if len(tallies) == 1 or not tie_breaks:
        yield sorted(tallies, key=lambda tally: tally.player), None
        return
    first, *others = tie_breaks
    keys = first.keys(tallies, facts)

    def key(tally: Tally) -> Score:
        return keys[tally.player]

    for index, (_, equal) in enumerate(groupby(sorted(tallies, key=key), key=key)):
        for part, (shared, decided_by) in enumerate(_divided(list(equal), others, facts)):
            yield shared, first.name if index and not part else decided_by


def _row(tally: Tally, *, rank: int, tied: bool, decided_by: str | None) -> Row:
    """Build the row by position for speed."""
    first, second, third, fourth = tally.places
    return Row(
        tally.player,
        rank,
        tied,
        first + second + third + fourth,
        tally.score,
        tally.penalty,
        tally.carried,
        tally.total,
        tally.places,
        first + 2 * second + 3 * third + 4 * fourth,
        tally.best_points,
        tuple(tally.last[::-1]),
        decided_by,
        tally.adjusted,
        tally.beyond,
        tally.missing,
        tally.averaged,
        tally.chips,
        brought=tally.brought,
        brought_games=tally.brought_games,
    )
