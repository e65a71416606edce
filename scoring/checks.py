from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from scoring.hanchan import Game
from scoring.payments import DEPOSIT
from scoring.rules import LAST_DEALER, Rules
from scoring.settlement import Ending
from scoring.units import WINDS

HUNDRED: Final = 100
STICK: Final = DEPOSIT
VERY_HIGH: Final = 80_000  # seen, but rarer than a slip of the finger
VERY_LOW: Final = -30_000
MANY_STICKS: Final = 4_000
# A shortage up to here, in whole sticks, may be riichi sticks on the table.
STICKS_MISSED_AT_MOST: Final = 10_000

Level = Literal["error", "warning"]
ERROR: Final = "error"
WARNING: Final = "warning"


@dataclass(frozen=True, slots=True)
class SheetProblem:
    """A problem. `seat` is its wind, or None for the whole sheet. Params are in points.

    Errors: `missing_points`, `not_hundreds` (points), `sum_short` (missing, sum, sticks, total, deposits=1 if
    the shortage may be riichi sticks), `sum_over` (excess, sum, sticks, total), `typed_in_points` (sum,
    total), `sticks_negative` (sticks), `sticks_not_thousands` (sticks). Warnings: `very_high`, `very_low`
    (points, limit), `all_at_start` (start), `many_sticks` (sticks, limit), and those of `check_hands`:
    `differs_from_hands` (the hands' points, sticks and dealer), `before_the_end` (hands).
    """

    code: str
    level: Level
    seat: int | None
    params: Mapping[str, int]


def check_sheet(points: Sequence[int | None], sticks: int, rules: Rules) -> tuple[SheetProblem, ...]:
    problems = [*_seat_errors(points), *_stick_errors(sticks)]
    typed = [number for number in points if number is not None]
    if len(typed) == len(points):
        problems += _sum_errors(sum(typed), sticks, rules.total_points)
    if any(problem.code == "typed_in_points" for problem in problems):
        return tuple(problems)  # everything would look very high too
    return (*problems, *_warnings(points, sticks, rules))


def check_hands(points: Sequence[int | None], ending: Ending, game: Game | None) -> tuple[SheetProblem, ...]:
    """Compare a sheet with the hands that its table kept. Without a hand there is nothing to compare."""
    if game is None or not game.steps:
        return ()
    dealer = {"dealer": game.last_dealer} if game.rules.tie_rule == LAST_DEALER else {}
    same = (tuple(points), ending.sticks) == (game.points, game.deposits)
    same = same and (not dealer or ending.last_dealer == game.last_dealer)
    kept = dict(zip(WINDS, game.points, strict=True)) | {"sticks": game.deposits} | dealer
    differs = SheetProblem("differs_from_hands", WARNING, None, kept)
    early = SheetProblem("before_the_end", WARNING, None, {"hands": len(game.steps)})
    return (*([] if same else [differs]), *([] if game.over else [early]))


def _seat_errors(points: Sequence[int | None]) -> Iterator[SheetProblem]:
    for seat, number in enumerate(points):
        if number is None:
            yield SheetProblem("missing_points", ERROR, seat, {})
        elif number % HUNDRED:
            yield SheetProblem("not_hundreds", ERROR, seat, {"points": number})


def _stick_errors(sticks: int) -> Iterator[SheetProblem]:
    if sticks < 0:
        yield SheetProblem("sticks_negative", ERROR, None, {"sticks": sticks})
    elif sticks % STICK:
        yield SheetProblem("sticks_not_thousands", ERROR, None, {"sticks": sticks})


def _sum_errors(points: int, sticks: int, total: int) -> Iterator[SheetProblem]:
    if points and points == HUNDRED * (total - sticks):
        yield SheetProblem("typed_in_points", ERROR, None, {"sum": points, "total": total})
        return
    params = {"sum": points, "sticks": sticks, "total": total}
    missing = total - points - sticks
    if missing > 0:
        deposits = {"deposits": 1} if missing % STICK == 0 and missing <= STICKS_MISSED_AT_MOST else {}
        yield SheetProblem("sum_short", ERROR, None, {"missing": missing, **params, **deposits})
    elif missing < 0:
        yield SheetProblem("sum_over", ERROR, None, {"excess": -missing, **params})


def _warnings(points: Sequence[int | None], sticks: int, rules: Rules) -> Iterator[SheetProblem]:
    for seat, number in enumerate(points):
        if number is not None and number > VERY_HIGH:
            yield SheetProblem("very_high", WARNING, seat, {"points": number, "limit": VERY_HIGH})
        elif number is not None and number < VERY_LOW:
            yield SheetProblem("very_low", WARNING, seat, {"points": number, "limit": VERY_LOW})
    if all(number == rules.start_points for number in points):
        yield SheetProblem("all_at_start", WARNING, None, {"start": rules.start_points})
    if sticks > MANY_STICKS:
        yield SheetProblem("many_sticks", WARNING, None, {"sticks": sticks, "limit": MANY_STICKS})
