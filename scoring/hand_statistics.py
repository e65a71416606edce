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


@dataclass(frozen=True, slots=True)
class HandNotes:
    """Facts that a `Hand` lacks, by seat: whether it called a tile, and its yaku if it won.

    A seat that is missing is not known.
    """

    called: Mapping[int, bool] = field(default_factory=dict)
    yaku: Mapping[int, Sequence[str]] = field(default_factory=dict)


NO_NOTES: Final = HandNotes()


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
    """A player's hands. `longest_dealership`: the most hands dealt in a row, without those dealt again."""

    hands: tuple[SeatHand, ...]
    longest_dealership: int = 0

    def rate(self, question: str, among: str = "") -> Rate:
        """Return how many hands answer `question` with yes, of all or of those with yes to `among`."""
        answers = [answer for hand in self._among(among) if (answer := getattr(hand, question)) is not None]
        return Rate(sum(answers), len(answers))

    def mean(self, amount: str, among: str = "") -> Fraction | None:
        """Return the average of `gain`, `win_points` or `loss_points`, in points."""
        amounts = [points for hand in self._among(among) if (points := getattr(hand, amount)) is not None]
        return Fraction(sum(amounts), len(amounts)) if amounts else None

    @property
    def yaku(self) -> Counter[str]:
        """Return in how many wins each yaku was, of the wins whose yaku are known."""
        return Counter(name for hand in self.hands for name in set(hand.yaku or ()))

    def _among(self, question: str) -> Iterable[SeatHand]:
        return [hand for hand in self.hands if not question or getattr(hand, question)]


def hand_statistics(
    games: Iterable[tuple[Game, int]], notes: Mapping[int, Sequence[HandNotes]] | None = None
) -> HandStatistics:
    """Count the hands of a player in these games, each with the player's seat.

    `notes`: index of the game → notes of its steps. Raises ValueError if a game has another number of steps.
    """
    hands: list[SeatHand] = []
    longest = 0
    for index, (game, seat) in enumerate(games):
        of_game = (notes or {}).get(index) or (NO_NOTES,) * len(game.steps)
        known = zip(game.steps, of_game, strict=True)
        counted = [(step, note) for step, note in known if not _is_void(step, game)]
        hands += [_seat_hand(step, seat, note) for step, note in counted]
        turns = groupby(counted, key=lambda each: (each[0].name.round_wind, each[0].name.number))
        dealt = [sum(step.dealer == seat for step, _note in of_turn) for _turn, of_turn in turns]
        longest = max([longest, *dealt])
    return HandStatistics(tuple(hands), longest)


def _is_void(step: GameStep, game: Game) -> bool:
    return step.result == RULED or (step.result == CHOMBO and game.rules.after_chombo == "replay")


def _seat_hand(step: GameStep, seat: int, notes: HandNotes) -> SeatHand:
    outcome = step.hand.outcome
    won, riichi, called = _won(step, seat), _riichi(step, seat), notes.called.get(seat)
    dealt_in = _dealt_in(step, seat)
    called = False if riichi and called is None else called  # riichi needs a closed hand
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
        yaku=tuple(notes.yaku[seat]) if won and seat in notes.yaku else None,
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
        each.points
        for each in step.transfers
        if each.reason in _OF_A_WIN and (each.payee == payee if payer is None else each.payer == payer)
    )
