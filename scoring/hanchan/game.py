from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.hanchan.course import HandName, PlayedTurn, hand_name, next_turn, turn_of
from scoring.hanchan.facts import (
    PASSED,
    Abort,
    Chombo,
    ExhaustiveDraw,
    Hand,
    Malformed,
    Nagashi,
    Ron,
    Ruling,
    Scores,
    Tsumo,
)
from scoring.hanchan.problems import HanchanProblem, problem, problems_of
from scoring.payments import (
    DEPOSIT,
    DEPOSITS,
    SCORES,
    Payment,
    Transfer,
    Win,
    pay_chombo,
    pay_draw,
    pay_extra_tiles,
    pay_nagashi,
    pay_noten_riichi,
    pay_win,
    winners_of,
)
from scoring.rules import Rules
from scoring.settlement import SEATS, Four

WIN, DRAW, NAGASHI, ABORT, CHOMBO = "win", "draw", "nagashi", "abort", "chombo"
UNSEEN, RULED = "unseen", "ruled"  # only the scores are known
RESULTS: Final = (WIN, DRAW, NAGASHI, ABORT, CHOMBO, UNSEEN, RULED)
FIRST: Final = HandName(0, 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStep:
    """A played hand. `result` is one of `RESULTS`. `points` and `deposits` are those after it. `over`: one of
    `ENDINGS`.
    """

    hand: Hand
    name: HandName
    dealer: int
    result: str
    before: Four
    transfers: tuple[Transfer, ...]
    points: Four
    deposits: int
    winners: tuple[int, ...]
    chombo: tuple[int, ...]
    dealer_repeats: bool
    over: str | None

    @property
    def changes(self) -> Four:
        """Return each seat's gain in points, including its own riichi."""
        return Payment(self.transfers).changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game after its `steps`. `turn` and `honba` are of the next hand, or the last if `over`. `late`: hands
    since time ran out.
    """

    rules: Rules
    points: Four
    deposits: int = 0
    turn: int = 0
    honba: int = 0
    late: int | None = None
    over: str | None = None
    steps: tuple[GameStep, ...] = ()

    @property
    def hands(self) -> tuple[Hand, ...]:
        return tuple(step.hand for step in self.steps)

    @property
    def beginning(self) -> "Game":
        if not self.steps:
            return self
        first = self.steps[0]
        deposits = self.rules.total_points - sum(first.before)
        return new_game(self.rules, at=first.name, points=first.before, deposits=deposits)

    @property
    def last_step(self) -> GameStep:
        """Return the last played hand. Raises IndexError without one."""
        return self.steps[-1]

    @property
    def dealer(self) -> int:
        return self.turn % 4

    @property
    def name(self) -> HandName:
        return hand_name(self.turn, self.honba, self.rules)

    @property
    def last_dealer(self) -> int:
        """Return the dealer at settlement (TNT 位次)."""
        return self.last_step.dealer if self.steps else 0

    @property
    def is_last_in_time(self) -> bool:
        """Return whether the time is up and no hand follows this one."""
        return self.late is not None and self.late + 1 >= self.rules.extra_hands

    @property
    def minutes(self) -> int:
        return max((step.hand.minutes or 0 for step in self.steps), default=0)

    @property
    def chombo(self) -> Four:
        """Return each seat's number of chombo. Whether they cost score depends on `Rules.chombo`."""
        seats = [seat for step in self.steps for seat in step.chombo]
        east, south, west, north = (seats.count(seat) for seat in SEATS)
        return east, south, west, north

    def as_values(self) -> list[dict[str, Any]]:
        return [hand.as_values() for hand in self.hands]


class IllegalHand(ValueError):
    """An impossible hand: its problems, its `index` in the log, and the `game` before it."""

    def __init__(self, problems: tuple[HanchanProblem, ...], game: Game) -> None:
        self.problems = problems
        self.game = game
        self.index = len(game.steps)
        reasons = "; ".join(f"{each.code} {dict(each.params)}" for each in problems)
        super().__init__(f"hand {self.index}: {reasons}")


def new_game(rules: Rules, *, at: HandName = FIRST, points: Four | None = None, deposits: int = 0) -> Game:
    """Begin a game. Raises ValueError for an impossible hand, or if points and deposits do not add up."""
    start = rules.start_points
    points = points or (start, start, start, start)
    if deposits < 0 or at.honba < 0 or sum(points) + deposits != rules.total_points:
        raise ValueError(f"no such game: {points!r}, {deposits!r} points of deposits, {at!r}")
    return Game(rules=rules, points=points, deposits=deposits, turn=turn_of(at, rules), honba=at.honba)


def check(game: Game, hand: Hand) -> tuple[HanchanProblem, ...]:
    if game.over is not None:
        return (problem("game_over", why=game.over),)
    return tuple(problems_of(hand, game.points, game.minutes, game.rules))


def play(game: Game, hand: Hand) -> Game:
    """Play one more hand. Raises IllegalHand."""
    if problems := check(game, hand):
        raise IllegalHand(problems, game)
    return _after(game, hand, _result(game, hand))


def replay(beginning: Rules | Game, hands: Iterable[Hand]) -> Game:
    """Play a log from the start or from this game on. Raises IllegalHand at the first impossible hand."""
    game = beginning if isinstance(beginning, Game) else new_game(beginning)
    for hand in hands:
        game = play(game, hand)
    return game


def foresee(game: Game, hand: Hand) -> tuple[PlayedTurn, int]:
    """Return the turn and the deposits after a hand that might be played. The hand is not checked."""
    result = _result(game, hand)
    payment = _payment(game, hand, result)
    return _played(game, hand, result, payment), game.deposits + payment.deposits


def undo(game: Game) -> Game:
    """Return the game without its last hand. Raises ValueError if it has none."""
    if not game.steps:
        raise ValueError("no hand was played yet")
    return replay(game.beginning, game.hands[:-1])


def correct(game: Game, index: int, hand: Hand) -> Game:
    """Replace a hand and replay the later ones. Raises IllegalHand if one is now impossible, or
    IndexError.
    """
    hands = list(game.hands)
    if not 0 <= index < len(hands):
        raise IndexError(f"no hand was played at {index!r}")
    hands[index] = hand
    return replay(game.beginning, hands)


def insert(game: Game, index: int, hand: Hand) -> Game:
    """Put a forgotten hand before the one at `index` and replay the later ones. Raises as `correct`."""
    hands = list(game.hands)
    if not 0 <= index <= len(hands):
        raise IndexError(f"no hand can be put at {index!r}")
    hands.insert(index, hand)
    return replay(game.beginning, hands)


def remove(game: Game, index: int) -> Game:
    """Remove a hand that was not played and replay the later ones. Raises as `correct`."""
    hands = list(game.hands)
    if not 0 <= index < len(hands):
        raise IndexError(f"no hand was played at {index!r}")
    del hands[index]
    return replay(game.beginning, hands)


def from_values(beginning: Rules | Game, values: Iterable[object]) -> Game:
    """Replay a log in the JSON shape of `Game.as_values`. Raises IllegalHand."""
    game = replay(beginning, ())
    for each in values:
        try:
            hand = Hand.from_values(each)
        except Malformed as malformed:
            raise IllegalHand((problem("malformed", place=malformed.place),), game) from malformed
        game = play(game, hand)
    return game


# What follows from a hand


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """The rule set's view of a hand. `earned`: the dealer repeats for a win or tenpai."""

    kind: str
    transfers: tuple[Transfer, ...] = ()
    winners: tuple[int, ...] = ()
    chombo: tuple[int, ...] = ()
    repeats: bool
    earned: bool = False
    honba: int
    void: bool = False


def _result(game: Game, hand: Hand) -> _Result:
    match hand.outcome:
        case Ron(wins, loser):
            return _pay_win(game, hand, wins, loser)
        case Tsumo(win):
            return _pay_win(game, hand, (win,), None)
        case ExhaustiveDraw() as draw:
            return _exhaustive_draw(game, draw)
        case Nagashi() as draw:
            return _nagashi(game, hand, draw)
        case Abort():
            return _aborted(game)
        case Chombo(seats):
            return _fouled(game, seats)
        case Scores() as scores:
            return _unseen(game, scores)
        case Ruling(points):
            moved = _moved(game, points)
            return _Result(kind=RULED, transfers=moved, repeats=True, honba=game.honba, void=True)


def _pay_win(game: Game, hand: Hand, wins: Sequence[Win], loser: int | None) -> _Result:
    """Pay a win. Only a winning dealer repeats, with one more honba (HKMA 本場 §1)."""
    winners = tuple(wins) if loser is None else winners_of(wins, loser, game.rules)
    if not winners:
        return _aborted(game)
    laid = _laid(hand, game.rules)
    payment = pay_win(
        wins,
        loser=loser,
        dealer=game.dealer,
        honba=game.honba,
        deposits=game.deposits + DEPOSIT * len(laid),
        riichi=laid,
        rules=game.rules,
    )
    return _after_win(game, WIN, payment, tuple(win.winner for win in winners))


def _after_win(game: Game, kind: str, payment: Payment, winners: tuple[int, ...]) -> _Result:
    """Pass the deal without renchan even if the dealer wins, without honba (Umaoka's choice)."""
    dealer_won = game.rules.renchan != "none" and game.dealer in winners
    return _Result(
        kind=kind,
        transfers=payment.transfers,
        winners=winners,
        repeats=dealer_won,
        earned=dealer_won,
        honba=game.honba + 1 if dealer_won else 0,
    )


def _exhaustive_draw(game: Game, draw: ExhaustiveDraw) -> _Result:
    """Add one honba after an exhaustive draw. A tenpai dealer stays, unless `renchan` needs a win."""
    return _without_win(game, DRAW, draw, pay_draw(draw.tenpai, game.rules))


def _nagashi(game: Game, hand: Hand, draw: Nagashi) -> _Result:
    """Treat nagashi mangan as a draw or self-draw (Kanto 荒牌平局, EMA 2016 5.3)."""
    laid = DEPOSIT * len(_laid(hand, game.rules))
    payment = pay_nagashi(
        draw.seats,
        dealer=game.dealer,
        honba=game.honba,
        deposits=game.deposits + laid,
        rules=game.rules,
    )
    if game.rules.nagashi_as_tsumo:
        return _after_win(game, NAGASHI, payment, draw.seats)
    return _without_win(game, NAGASHI, draw, payment)


def _without_win(game: Game, kind: str, draw: ExhaustiveDraw | Nagashi, payment: Payment) -> _Result:
    offenders = draw.noten_riichi
    if offenders and _riichi_voids(game.rules):
        return _fouled(game, offenders)
    stays = game.rules.renchan == "tenpai" and game.dealer in draw.tenpai
    return _Result(
        kind=kind,
        transfers=(*payment.transfers, *_paid_for_riichi(game, offenders)),
        chombo=() if game.rules.noten_riichi is not None else offenders,
        repeats=stays,
        earned=stays,
        honba=game.honba + 1,
    )


def _riichi_voids(rules: Rules) -> bool:
    """Return whether riichi without tenpai voids the hand like a chombo.

    It does not if it has its own price (TNT 诈立), or if a chombo with few tiles keeps the hand valid (HKMA
    罰則 B-I, C-III).
    """
    return rules.noten_riichi is None and not rules.redeal_tiles


def _paid_for_riichi(game: Game, offenders: tuple[int, ...]) -> tuple[Transfer, ...]:
    payments = [pay_noten_riichi(seat, dealer=game.dealer, rules=game.rules) for seat in offenders]
    return tuple(transfer for payment in payments for transfer in payment.transfers)


def _aborted(game: Game) -> _Result:
    """Keep the dealer and deposits, and add one honba (Kanto 途中流局)."""
    return _Result(kind=ABORT, repeats=True, honba=game.honba + 1)


def _fouled(game: Game, seats: tuple[int, ...]) -> _Result:
    """End a hand by chombo. A redeal leaves only its payments: same dealer and honba, deposits returned.

    Sources: EMA 2025, TNT 诈和, HKMA 罰則 C-III. Otherwise it is a draw with one more honba: the dealer stays
    (`draw`, Kanto 途中流局) or passes (`rotate`, the beginners' guide 庄家).
    """
    payments = [pay_chombo(seat, dealer=game.dealer, rules=game.rules) for seat in seats]
    void = game.rules.after_chombo == "replay"
    return _Result(
        kind=CHOMBO,
        transfers=tuple(transfer for payment in payments for transfer in payment.transfers),
        chombo=seats,
        repeats=game.rules.after_chombo != "rotate",
        honba=game.honba if void else game.honba + 1,
        void=void,
    )


def _unseen(game: Game, scores: Scores) -> _Result:
    """Take the scores as they are. Honba grow unless another player than the dealer won."""
    stays = scores.dealer_repeats
    honba = 0 if scores.winners and not stays else game.honba + 1
    return _Result(
        kind=UNSEEN,
        transfers=_moved(game, scores.points),
        winners=scores.winners,
        repeats=stays,
        earned=stays,
        honba=honba if scores.honba is None else scores.honba,
    )


def _moved(game: Game, points: Four) -> tuple[Transfer, ...]:
    """Return the differences as transfers to and from the deposits, because the payers are unknown."""
    gains = [after - before for before, after in zip(game.points, points, strict=True)]
    lost = [Transfer(seat, None, -gain, SCORES) for seat, gain in enumerate(gains) if gain < 0]
    return (*lost, *(Transfer(None, seat, gain, SCORES) for seat, gain in enumerate(gains) if gain > 0))


def _laid(hand: Hand, rules: Rules) -> tuple[int, ...]:
    """Return who paid for riichi. A called tile may be free (beginners' guide, 立直时的点数变化)."""
    return tuple(
        each.seat for each in hand.standing_riichi if each.tile == PASSED or rules.deposit_when_called
    )


def _besides(game: Game, hand: Hand) -> tuple[Transfer, ...]:
    payments = [
        pay_extra_tiles(seat, tiles, game.rules) for seat, tiles in enumerate(hand.extra_tiles) if tiles
    ]
    payments += [pay_chombo(foul.seat, dealer=game.dealer, rules=game.rules) for foul in hand.fouls]
    return tuple(transfer for payment in payments for transfer in payment.transfers)


def _after(game: Game, hand: Hand, result: _Result) -> Game:
    payment = _payment(game, hand, result)
    played = _played(game, hand, result, payment)
    points, late = played.points, played.late
    following = next_turn(played, game.rules)
    over = following if isinstance(following, str) else None
    step = GameStep(
        hand=hand,
        name=game.name,
        dealer=game.dealer,
        result=result.kind,
        before=game.points,
        transfers=payment.transfers,
        points=points,
        deposits=game.deposits + payment.deposits,
        winners=result.winners,
        chombo=tuple(sorted((*result.chombo, *(foul.seat for foul in hand.fouls)))),
        dealer_repeats=result.repeats,
        over=over,
    )
    return Game(
        rules=game.rules,
        points=points,
        deposits=step.deposits,
        turn=game.turn if isinstance(following, str) else following,
        honba=game.honba if over else result.honba,
        late=late,
        over=over,
        steps=(*game.steps, step),
    )


def _payment(game: Game, hand: Hand, result: _Result) -> Payment:
    if result.kind in (UNSEEN, RULED):  # the scores hold all payments
        return Payment(result.transfers)
    laid = () if result.void else _laid(hand, game.rules)
    bets = tuple(Transfer(seat, None, DEPOSIT, DEPOSITS) for seat in laid)
    return Payment((*bets, *_besides(game, hand), *result.transfers))


def _played(game: Game, hand: Hand, result: _Result, payment: Payment) -> PlayedTurn:
    return PlayedTurn(
        turn=game.turn,
        points=_add_points(game.points, payment.changes),
        void=result.void,
        repeats=result.repeats,
        earned=result.earned,
        late=_late(game, hand, result),
    )


def _add_points(points: Four, changes: Four) -> Four:
    east, south, west, north = (before + gained for before, gained in zip(points, changes, strict=True))
    return east, south, west, north


def _late(game: Game, hand: Hand, result: _Result) -> int | None:
    """Return how many hands were played since time ran out. Void hands do not count."""
    if result.void:
        return game.late
    if game.late is not None:
        return game.late + 1
    limit = game.rules.minutes
    rang = hand.bell or any(step.hand.bell for step in game.steps)
    ran_out = limit is not None and (rang or max(game.minutes, hand.minutes or 0) >= limit)
    return 0 if ran_out else None
