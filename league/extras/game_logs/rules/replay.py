"""A logged game under a rule set: what differs, and its hands if every one of them can be replayed."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from league.extras.game_logs.rules.log import EXHAUSTIVE, NAGASHI, GameLog, LoggedHand, LoggedWin
from scoring.hanchan import Game, Hand, IllegalHand, new_game, play
from scoring.hanchan.course import HandName
from scoring.hanchan.facts import PASSED, WON, Abort, ExhaustiveDraw, Nagashi, Outcome, Riichi, Ron, Tsumo
from scoring.hanchan.problems import HanchanProblem
from scoring.payments import MANGAN, HandValue, Liability, Win, hand_value, limit_value, yakuman_value
from scoring.rules import Rules
from scoring.yaku import YAKU

START, SETTINGS = "start_points", ("red_fives", "open_tanyao", "game_length")
REFUSED, PAYMENT, NEXT, EARLIER, LATER = "refused", "payment", "next", "earlier", "later"
_COURSE = attrgetter("turn", "honba", "deposits")  # of a game, and of a logged hand


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a game and a rule set: of the settings named first, or of a hand.

    `hand`: its name under the rule set, if the difference is one of a hand. `problems`: why the rule set
    refuses it. `logged` and `ruled`: the two values of a setting.
    """

    code: str
    hand: HandName | None = None
    problems: tuple[HanchanProblem, ...] = ()
    logged: object = None
    ruled: object = None

    @property
    def is_fatal(self) -> bool:
        """Return whether no score sheet under this rule set can hold the result."""
        return self.code == START


@dataclass(frozen=True, slots=True)
class Replayed:
    """The game if all hands agree with their points. Otherwise the first difference."""

    game: Game | None = None
    difference: Difference | None = None


def differences(log: GameLog, rules: Rules) -> list[Difference]:
    """Compare what the log says of its settings, and the points at the start."""
    found = []
    if set(log.start_points) != {rules.start_points}:
        found.append(Difference(START, logged=log.start_points[0], ruled=rules.start_points))
    for code in SETTINGS:
        logged, ruled = getattr(log, code), getattr(rules, code)
        if logged is not None and logged != ruled:
            found.append(Difference(code, logged=logged, ruled=ruled))
    return found


def replay_log(log: GameLog, rules: Rules) -> Replayed:
    """Play the hands under the rules, and compare points, deposits, dealer and honba with the log."""
    if any(difference.is_fatal for difference in differences(log, rules)):
        return Replayed()
    game = new_game(rules)
    for logged, following in zip(log.hands, (*log.hands[1:], None), strict=True):
        if game.over:
            return Replayed(difference=Difference(EARLIER, game.last_step.name))
        found = _played(game, logged, following)
        if isinstance(found, Difference):
            return Replayed(difference=found)
        game = found
    if not game.over:
        return Replayed(difference=Difference(LATER, game.last_step.name))
    return Replayed(game)


def seems_unfinished(log: GameLog, replayed: Replayed) -> bool:
    """Return whether the end of the game is missing: the file says so, or the rules would go on.

    If neither the file nor the rules tell, a game may end in its last round, or when someone has no points
    left.
    """
    if log.ended is not None or replayed.game is not None:
        return log.ended is False
    if replayed.difference is not None and replayed.difference.code == LATER:
        return True
    last = 7 if log.game_length == "half" else 3
    return log.last_hand.turn < last and min(log.points) >= 0


def _played(game: Game, logged: LoggedHand, following: LoggedHand | None) -> Game | Difference:
    """Play the reading of the hand that leads to the points and the hand after it."""
    difference = Difference(REFUSED, game.name)
    for hand in _readings(logged, game.rules):
        try:
            after = play(game, hand)
        except IllegalHand as illegal:
            difference = Difference(REFUSED, game.name, illegal.problems)
            continue
        if after.points != logged.after:
            difference = Difference(PAYMENT, game.name)
        elif following and not after.over and _COURSE(after) != _COURSE(following):
            difference = Difference(NEXT, game.name)
        else:
            return after
    return difference


def _readings(logged: LoggedHand, rules: Rules) -> Iterator[Hand]:
    """Yield the hands that the log may mean. Only draws without payments have two."""
    try:
        outcomes = [_win(logged, rules)] if logged.wins else list(_draws(logged))
    except ValueError:  # a value that the rules do not have
        return
    riichi = tuple(Riichi(seat, WON if seat == logged.won_on else PASSED) for seat in logged.riichi)
    for outcome in outcomes:
        yield Hand(outcome=outcome, riichi=riichi, called=logged.called)


def _draws(logged: LoggedHand) -> Iterator[Outcome]:
    if logged.draw == NAGASHI:
        seats = tuple(seat for seat, change in enumerate(logged.changes) if change > 0)
        unknown = [logged.riichi, (*logged.riichi, logged.turn % 4)]
        for tenpai in unknown if logged.tenpai is None else [logged.tenpai]:
            yield Nagashi(seats, tenpai=tuple(set(tenpai)))
    elif logged.draw == EXHAUSTIVE:
        yield from map(ExhaustiveDraw, [(), (0, 1, 2, 3)] if logged.tenpai is None else [logged.tenpai])
    else:
        yield Abort(logged.draw)


def _win(logged: LoggedHand, rules: Rules) -> Outcome:
    dealer = logged.turn % 4
    wins = tuple(
        Win(win.winner, _value(win, rules, dealer=dealer), _liable(win), win.yaku) for win in logged.wins
    )
    loser = logged.wins[0].loser
    return Tsumo(wins[0]) if loser is None else Ron(wins, loser)


def _value(win: LoggedWin, rules: Rules, *, dealer: int) -> HandValue:
    if win.is_yakuman:
        return yakuman_value(win.points // (48_000 if win.winner == dealer else 32_000), rules)
    try:
        return hand_value(win.han, win.fu, rules)
    except ValueError:  # mangan of fewer than five han, whose fu the log leaves out
        if win.fu is not None or win.han not in (3, 4):
            raise
        return limit_value(MANGAN, rules)


def _liable(win: LoggedWin) -> tuple[Liability, ...]:
    if win.liable is None:
        return ()
    named = [code for code in win.yaku or () if code in ("daisangen", "daisuushii", "suukantsu")]
    yakuman = [code for code in named if YAKU[code].yakuman]
    return (Liability(win.liable, yakuman[0]),) if yakuman else ()
