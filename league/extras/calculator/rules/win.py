from collections.abc import Iterator
from dataclasses import dataclass

from league.extras.calculator.rules.hand import TileHand
from league.extras.calculator.rules.sakizuke import sakizuke_problems
from league.extras.calculator.rules.shapes import LOCAL, count_hand, scattered_code, shapes_of
from league.extras.calculator.rules.situation import CONCEALED, Situation, problems_of
from league.extras.calculator.rules.tiles import HandProblem
from league.extras.calculator.rules.value import RENHOU, Reading, dora_han, may_count, readings_of
from scoring.rules import Rules


@dataclass(frozen=True, slots=True)
class Valued:
    readings: tuple[Reading, ...]

    @property
    def best(self) -> Reading:
        return self.readings[0]


@dataclass(frozen=True, slots=True)
class NoWin:
    reasons: tuple[HandProblem, ...]


def evaluate(hand: TileHand, situation: Situation, rules: Rules) -> Valued | NoWin:
    """Value the hand, or return why it cannot win. Furiten is separate (`is_furiten`).

    Codes of tiles: `no_winning_tile`, `melds` (count, most), `tile_count` (count, expected without melds),
    `five_of_a_tile` (tile, count with indicators), `red_fives` and `plain_fives` (tile, count, most),
    `indicators` (kind, count, most), `chankan_tile` (tile). Codes of facts: `situation.CONTRADICTIONS`. Then
    `not_complete`, `concealed_kan` (only kokushi may rob one: the beginners' guide, not EMA and HKMA), and
    `no_yaku` with `open_tanyao`, `closed_only` (yaku), `yaku_not_played` (yaku), `only_dora` (han). Without
    atozuke also those of `sakizuke_problems`.
    """
    problems = tuple(problems_of(hand, situation, rules))
    if problems:
        return NoWin(problems)
    readings = readings_of(hand, situation, rules)
    if not readings:
        return NoWin(tuple(_lacks(hand, situation, rules)))
    valued = Valued(tuple(readings))
    if situation.chankan == CONCEALED and not _may_rob_concealed(valued.best, rules):
        return NoWin((HandProblem("concealed_kan"),))
    if not rules.atozuke and (problems := tuple(sakizuke_problems(hand, situation, rules))):
        return NoWin(problems)
    return valued


def _may_rob_concealed(best: Reading, rules: Rules) -> bool:
    return rules.kokushi_ankan_ron and any(each.code in ("kokushi", "kokushi_13") for each in best.yaku)


def _lacks(hand: TileHand, situation: Situation, rules: Rules) -> Iterator[HandProblem]:
    tiles = count_hand(hand)
    shapes = list(shapes_of(tiles, situation))
    if not shapes and scattered_code(tiles, situation) is None:
        yield HandProblem("not_complete")
        return
    yield HandProblem("no_yaku")
    codes = dict.fromkeys(code for shape in shapes for code in shape.codes)
    if "tanyao" in codes:
        yield HandProblem("open_tanyao")
    for code in codes:
        if code != "tanyao" and not may_count(code, rules, closed=tiles.closed):
            yield HandProblem("closed_only", {"yaku": code})
    local = [code for code, holds in LOCAL.items() if any(holds(shape, situation) for shape in shapes)]
    local += filter(None, [scattered_code(tiles, situation)])
    if situation.first_turn and not situation.tsumo:
        local.append(RENHOU)
    for code in local:
        if code not in rules.local_yaku and may_count(code, rules, closed=tiles.closed):
            yield HandProblem("yaku_not_played", {"yaku": code})
    if han := sum(dora_han(tiles, situation, rules)):
        yield HandProblem("only_dora", {"han": han})
