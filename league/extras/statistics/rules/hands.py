"""Statistics of hands of a player, from games of `scoring.hanchan`. `docs/statistics.md` defines each number.

A hand is asked questions, which it answers with yes, no, or None if its log does not say. Only answers count,
so that an unknown fact is never a zero. Hands that are dealt again and a referee's corrections do not count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Final

from scoring.hanchan import RON, TSUMO, ExhaustiveDraw, Game, GameStep, Nagashi, Ron, Scores, Tsumo
from scoring.hanchan.game import CHOMBO, RULED
from scoring.payments import HAND, LIABILITY, NAGASHI

_OF_A_WIN: Final = (HAND, LIABILITY, NAGASHI)  # without honba and deposits

RATES: Final = ("won", "dealt_in", "riichi", "called", "drawn", "tsumo", "dama", "tenpai")
AMOUNTS: Final = ("gain", "win_points", "loss_points")
AFTER: Final = ("riichi", "called")  # the hands of which some numbers are counted again
_QUESTIONS: Final = (  # (question, of the hands with yes to this one, or of all)
    *((rate, "") for rate in RATES),
    *((rate, after) for after in AFTER for rate in ("won", "dealt_in", "drawn")),
    *((amount, "") for amount in AMOUNTS),
    *(("gain", after) for after in AFTER),
)
_INDEX: Final = {question: index for index, question in enumerate(_QUESTIONS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatHand:
    """One hand as its player had it. `gain`: points of the whole hand, with riichi, honba and deposits.

    `win_points`, `loss_points`: the payments for the hand value alone, if the player won or dealt in.
    """

    won: bool | None
    dealt_in: bool | None
    riichi: bool | None
    called: bool | None
    drawn: bool | None
    tsumo: bool | None  # None unless won
    dama: bool | None  # None unless won
    tenpai: bool | None  # None unless drawn
    gain: int
    win_points: int | None
    loss_points: int | None
    yaku: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of the hands that answer a question."""

    count: int
    of: int

    @property
    def share(self) -> Fraction | None:
        return Fraction(self.count, self.of) if self.of else None


@dataclass(frozen=True, slots=True)
class HandStatistics:
    """A player's hands, summed up. `longest_dealership`: the most hands dealt in a row, without those dealt
    again. `yaku`: wins with each yaku, of the `wins_with_yaku`, whose yaku are recorded.
    """

    hands: int = 0
    longest_dealership: int = 0
    wins_with_yaku: int = 0
    yaku: Mapping[str, int] = field(default_factory=dict)
    sums: Sequence[int] = (0,) * len(_QUESTIONS)  # the answers to `_QUESTIONS`, and how many there are
    answers: Sequence[int] = (0,) * len(_QUESTIONS)

    def rate(self, question: str, among: str = "") -> Rate:
        """Return how many hands answer one of `RATES` with yes, of all or of those with yes to `among`."""
        index = _INDEX[question, among]
        return Rate(self.sums[index], self.answers[index])

    def mean(self, amount: str, among: str = "") -> Fraction | None:
        """Return the average of one of `AMOUNTS`, in points."""
        return self.rate(amount, among).share


def add_statistics(parts: Iterable[HandStatistics]) -> HandStatistics:
    """Add up the statistics of a player's games."""
    every = list(parts)
    if len(every) < 2:
        return next(iter(every), HandStatistics())
    yaku: Counter[str] = Counter()
    for each in every:
        yaku.update(each.yaku)
    return HandStatistics(
        hands=sum(each.hands for each in every),
        longest_dealership=max(each.longest_dealership for each in every),
        wins_with_yaku=sum(each.wins_with_yaku for each in every),
        yaku=dict(yaku),
        sums=tuple(map(sum, zip(*(each.sums for each in every), strict=True))),
        answers=tuple(map(sum, zip(*(each.answers for each in every), strict=True))),
    )


def hand_statistics(games: Iterable[tuple[Game, int]]) -> HandStatistics:
    """Count the hands of a player in these games, each with the player's seat."""
    return add_statistics(_of_game(game, seat) for game, seat in games)


def _of_game(game: Game, seat: int) -> HandStatistics:
    counted = [step for step in game.steps if not _is_void(step, game)]
    hands = [_seat_hand(step, seat) for step in counted]
    sums, answers = [0] * len(_QUESTIONS), [0] * len(_QUESTIONS)
    for index, (question, among) in enumerate(_QUESTIONS):
        for hand in hands:
            answer = getattr(hand, question)
            if answer is not None and (not among or getattr(hand, among)):
                sums[index] += answer
                answers[index] += 1
    turns = groupby(counted, key=lambda step: (step.name.round_wind, step.name.number))
    known = [hand.yaku for hand in hands if hand.yaku is not None]
    return HandStatistics(
        hands=len(hands),
        longest_dealership=max(
            (sum(step.dealer == seat for step in of_turn) for _turn, of_turn in turns), default=0
        ),
        wins_with_yaku=len(known),
        yaku=dict(Counter(name for yaku in known for name in set(yaku))),
        sums=tuple(sums),
        answers=tuple(answers),
    )


def _is_void(step: GameStep, game: Game) -> bool:
    return step.result == RULED or (step.result == CHOMBO and game.rules.after_chombo == "replay")


def _seat_hand(step: GameStep, seat: int) -> SeatHand:
    outcome = step.hand.outcome
    won, riichi, dealt_in = _won(step, seat), _riichi(step, seat), _dealt_in(step, seat)
    called = _called(step, seat, riichi=bool(riichi))
    drawn = None if won is None else isinstance(outcome, ExhaustiveDraw | Nagashi) and not step.winners
    return SeatHand(
        won=won,
        dealt_in=dealt_in,
        riichi=riichi,
        called=called,
        drawn=drawn,
        tsumo=_tsumo(step) if won else None,
        dama=_dama(riichi, called) if won else None,
        tenpai=_tenpai(step, seat),
        gain=step.changes[seat],
        win_points=_points(step, payee=seat) if won and not isinstance(outcome, Scores) else None,
        loss_points=_points(step, payer=seat) if dealt_in else None,
        yaku=_yaku(step, seat) if won else None,
    )


def _won(step: GameStep, seat: int) -> bool | None:
    """Return None for a hand of which only the scores are known and no winner."""
    if isinstance(step.hand.outcome, Scores) and not step.winners:
        return None
    return seat in step.winners


def _dealt_in(step: GameStep, seat: int) -> bool | None:
    match step.hand.outcome:
        case Ron(loser=loser):
            return seat == loser and bool(step.winners)
        case Scores(win=win):
            is_certain = win == TSUMO or (win == RON and seat in step.winners)
            return False if is_certain else None
    return False


def _riichi(step: GameStep, seat: int) -> bool | None:
    """Return whether a riichi stood. A hand of scores alone does not say that there was none."""
    if any(riichi.seat == seat for riichi in step.hand.standing_riichi):
        return True
    return None if isinstance(step.hand.outcome, Scores) else False


def _called(step: GameStep, seat: int, *, riichi: bool) -> bool | None:
    """Return None if the calls of the hand are not recorded. Riichi needs a closed hand."""
    if step.hand.called is None:
        return False if riichi else None
    return seat in step.hand.called


def _yaku(step: GameStep, seat: int) -> tuple[str, ...] | None:
    match step.hand.outcome:
        case Ron(wins=wins):
            return next(win.yaku for win in wins if win.winner == seat)
        case Tsumo(win=win):
            return win.yaku
    return None


def _tsumo(step: GameStep) -> bool | None:
    match step.hand.outcome:
        case Scores(win=win):
            return None if win is None else win == TSUMO
        case outcome:
            return isinstance(outcome, Tsumo | Nagashi)


def _dama(riichi: bool | None, called: bool | None) -> bool | None:
    if riichi or called:
        return False
    return None if riichi is None or called is None else True


def _tenpai(step: GameStep, seat: int) -> bool | None:
    match step.hand.outcome:
        case ExhaustiveDraw() | Nagashi() as draw:
            return seat in draw.tenpai or seat in draw.hidden
    return None


def _points(step: GameStep, *, payer: int | None = None, payee: int | None = None) -> int:
    return sum(
        transfer.points
        for transfer in step.transfers
        if transfer.reason in _OF_A_WIN
        and (transfer.payee == payee if payer is None else transfer.payer == payer)
    )
