from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, groupby
from typing import Final, NamedTuple, TypeVar

from league.extras.needs.rules.goals import ENOUGH, MISSED, Goal, Stakes, judge_of
from scoring.hanchan import ExhaustiveDraw, Game, Hand, PlayedTurn, Riichi, Ron, Tsumo, foresee, next_turn
from scoring.hanchan import Outcome as HandOutcome
from scoring.payments import HandValue, Win, winners_of
from scoring.rules import Rules
from scoring.score_table import possible_values
from scoring.settlement import SEATS, Ending, Four, FourScores, Settler, settler

GOES_ON = "goes_on"
TENPAI: Final = tuple(some for size in range(5) for some in combinations(SEATS, size))


class Way(NamedTuple):
    """A way to win. `loser`: the discarder, or None for a self-draw."""

    winner: int
    loser: int | None = None


WAYS: Final = tuple(Way(winner, loser) for winner in SEATS for loser in (None, *SEATS) if loser != winner)


class Worth(NamedTuple):
    """Basic points and every hand value that has them."""

    base: int
    values: tuple[HandValue, ...]

    @property
    def value(self) -> HandValue:
        """Return the first of the values, for what depends on the points alone."""
        return self.values[0]


class After(NamedTuple):
    """The table after a hand. `over`: one of `ENDINGS`, or None with the `turn` of the next hand.

    Places and scores are those of a game that ends here.
    """

    points: Four
    over: str | None
    turn: int
    places: Four
    scores: FourScores


class Outcome(NamedTuple):
    """`REACHED`, `SHARED`, `MISSED` or `GOES_ON`, with the turn of the next hand."""

    code: str
    turn: int | None = None


class Stretch(NamedTuple):
    """Consecutive worths. `from_bottom`, `to_top`: no smaller, no larger hand exists."""

    first: Worth
    last: Worth
    from_bottom: bool
    to_top: bool

    @property
    def is_all(self) -> bool:
        return self.from_bottom and self.to_top


class Reason(NamedTuple):
    """A stretch after which the game is over by one of `ENDINGS`."""

    ending: str
    stretch: Stretch


class Span(NamedTuple):
    """A stretch with one outcome. `reasons`: why the game is over, for every value of the stretch."""

    outcome: Outcome
    stretch: Stretch
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class LastHand:
    """A hand about to be decided, with the seats in riichi besides those whose deposits are on the table.

    `wins` has one result per worth, in their order. `draws` has the possible sets of tenpai players: a player
    in riichi is tenpai.
    """

    game: Game
    riichi: tuple[int, ...] = ()

    @cached_property
    def wins(self) -> Mapping[Way, tuple[After, ...]]:
        return {way: tuple(self.after(_won(way, worth)) for worth in worths_of(self, way)) for way in WAYS}

    @cached_property
    def draws(self) -> Mapping[tuple[int, ...], After]:
        possible = (some for some in TENPAI if {*self.riichi} <= {*some})
        return {tenpai: self.after(ExhaustiveDraw(tenpai)) for tenpai in possible}

    @property
    def rules(self) -> Rules:
        return self.game.rules

    def after(self, outcome: HandOutcome) -> After:
        return self.settled(*self.foresee(outcome))

    def foresee(self, outcome: HandOutcome) -> tuple[PlayedTurn, int]:
        """Return the hand as played, and the deposits that are left."""
        return foresee(self.game, Hand(outcome=outcome, riichi=tuple(map(Riichi, sorted(self.riichi)))))

    def settled(self, played: PlayedTurn, deposits: int) -> After:
        following = next_turn(played, self.rules)
        over = following if isinstance(following, str) else None
        turn = following if isinstance(following, int) else played.turn
        ending = Ending(deposits, self.game.dealer)
        return After(played.points, over, turn, *self._settle(*played.points, ending))

    @cached_property
    def _settle(self) -> Settler:
        return settler(self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Needs of `seat`. `wins`: spans that cover all values, cheapest first."""

    seat: int
    wins: Mapping[Way, tuple[Span, ...]]
    draws: Mapping[tuple[int, ...], Outcome]


def conditions(hand: LastHand, seat: int, goal: Goal, stakes: Stakes) -> Conditions:
    judge = _judge(judge_of(goal, seat, stakes))
    return Conditions(
        seat=seat,
        wins={way: _spans(worths_of(hand, way), found, judge) for way, found in hand.wins.items()},
        draws={tenpai: judge(after) for tenpai, after in hand.draws.items()},
    )


def worths_of(hand: LastHand, way: Way) -> tuple[Worth, ...]:
    return worths(hand.rules, way.loser is None)


@lru_cache(maxsize=256)
def worths(rules: Rules, tsumo: bool) -> tuple[Worth, ...]:
    """Return all that a win can be worth under these rules, cheapest first."""
    values = possible_values(rules, tsumo=tsumo)
    return tuple(Worth(base, tuple(some)) for base, some in groupby(values, key=lambda value: value.base))


def _won(way: Way, worth: Worth) -> HandOutcome:
    win = Win(way.winner, worth.value)
    return Tsumo(win) if way.loser is None else Ron((win,), way.loser)


def _judge(code_of: Callable[[Four, FourScores], str]) -> Callable[[After], Outcome]:
    decided = {code: Outcome(code) for code in (*ENOUGH, MISSED)}

    def judge(after: After) -> Outcome:
        if after.over is None:
            return Outcome(GOES_ON, after.turn)
        return decided[code_of(after.places, after.scores)]

    return judge


def _spans(
    worths: Sequence[Worth], found: Sequence[After], judge: Callable[[After], Outcome]
) -> tuple[Span, ...]:
    endings = [after.over for after in found]
    return tuple(
        Span(
            outcome,
            _stretch(worths, first, last),
            tuple(
                Reason(ending, _stretch(worths, first + start, first + end))
                for ending, start, end in runs(endings[first : last + 1])
                if ending
            ),
        )
        for outcome, first, last in runs([judge(after) for after in found])
    )


def _stretch(worths: Sequence[Worth], first: int, last: int) -> Stretch:
    return Stretch(worths[first], worths[last], first == 0, last == len(worths) - 1)


Key = TypeVar("Key", bound=Hashable)


def runs(keys: Iterable[Key]) -> Iterator[tuple[Key, int, int]]:
    """Yield each run of equal keys with the indices of its first and last."""
    at = 0
    for key, same in groupby(keys):
        size = sum(1 for _ in same)
        yield key, at, at + size - 1
        at += size


# Two wins on one tile


class Block(NamedTuple):
    """Consecutive worths of the first winner, and what they lead to for each worth of the second."""

    stretch: Stretch
    second: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleRon:
    """Two wins on the discard of `loser`. `first`: the player who asks, if a winner, or else the nearest."""

    first: int
    second: int
    loser: int
    blocks: tuple[Block, ...]


def double_rons(hand: LastHand, loser: int, seat: int, goal: Goal, stakes: Stakes) -> tuple[DoubleRon, ...]:
    """Return what every two wins on a discard of `loser` lead to, or () if the rules pay only one winner."""
    judge = _judge(judge_of(goal, seat, stakes))
    every = worths(hand.rules, tsumo=False)
    others = sorted((each for each in SEATS if each != loser), key=lambda each: (each - loser) % 4)
    found = []
    least = every[0]
    for near, far in combinations(others, 2):
        both = [Win(near, least.value), Win(far, least.value)]
        if len(winners_of(both, loser, hand.rules)) < 2:
            return ()
        grid = _two_wins(hand, near, far, loser, every)
        first, second = (far, near) if seat == far else (near, far)
        rows = grid if first == near else list(zip(*grid, strict=True))
        spans = [tuple(span._replace(reasons=()) for span in _spans(every, row, judge)) for row in rows]
        blocks = tuple(Block(_stretch(every, start, end), same) for same, start, end in runs(spans))
        found.append(DoubleRon(first=first, second=second, loser=loser, blocks=blocks))
    return tuple(found)


def _two_wins(
    hand: LastHand, near: int, far: int, loser: int, every: Sequence[Worth]
) -> list[tuple[After, ...]]:
    """Return a row per worth of the nearer winner, with a result per worth of the farther one.

    Payments of two wins add up, but honba pass on from a yakuman that is paid without them (TNT chapter 5).
    So the farther win is paid once beside a plain hand and once beside a yakuman.
    """

    def paid(one: Worth, other: Worth) -> tuple[PlayedTurn, int]:
        wins = Win(near, one.value), Win(far, other.value)
        return hand.foresee(Ron(wins, loser))

    beside = {bool(worth.value.yakuman): worth for worth in reversed(every)}
    added = {
        kind: _gains([played.points for played, _deposits in (paid(worth, other) for other in every)])
        for kind, worth in beside.items()
    }
    rows = []
    least = every[0]
    for worth in every:
        played, deposits = paid(worth, least)
        east, south, west, north = played.points
        rows.append(
            tuple(
                hand.settled(_with_points(played, (east + e, south + s, west + w, north + n)), deposits)
                for e, s, w, n in added[bool(worth.value.yakuman)]
            )
        )
    return rows


def _gains(points: Sequence[Four]) -> list[Four]:
    """Return the differences from the first."""
    a, b, c, d = points[0]
    return [(e - a, s - b, w - c, n - d) for e, s, w, n in points]


def _with_points(played: PlayedTurn, points: Four) -> PlayedTurn:
    """Return the turn with other points. `dataclasses.replace` takes three times as long."""
    return PlayedTurn(
        turn=played.turn,
        points=points,
        void=played.void,
        repeats=played.repeats,
        earned=played.earned,
        late=played.late,
    )
