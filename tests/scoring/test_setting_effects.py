"""Every setting of a rule set changes a result: a settlement, a payment, a hand, a game, or a refusal.

Each effect below is one result under rule sets that differ in that setting alone, with what it is for each
value. Points in points, scores in tenths; seats 0 to 3, east to north.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from league.extras.calculator.rules import (
    CONCEALED,
    NoWin,
    Situation,
    Valued,
    evaluate,
    forbidden_discards,
    is_tenpai,
    may_kan_after_riichi,
    parse_hand,
)
from scoring.fouls import settle_with_chombo
from scoring.hanchan import (
    Abort,
    Chombo,
    ExhaustiveDraw,
    Foul,
    Game,
    Hand,
    Nagashi,
    Riichi,
    Ron,
    Tsumo,
    check,
    new_game,
    play,
)
from scoring.hanchan.facts import CALLED
from scoring.payments import (
    Liability,
    Win,
    hand_value,
    pay_chombo,
    pay_draw,
    pay_extra_tiles,
    pay_nagashi,
    pay_win,
    yakuman_value,
)
from scoring.presets import resolve
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.settlement import NORTH, Ending, settle, settle_ending

EAST, SOUTH, WEST = range(3)

Run = Callable[[Rules], object]


class Effect(NamedTuple):
    run: Run
    expected: list[tuple[object, object]]  # the setting's value → the result
    others: dict[str, object]  # the other settings, the same for every value


EFFECTS: dict[str, Effect] = {}


def effect(setting: str, *expected: tuple[object, object], **others: object) -> Callable[[Run], Run]:
    """The function below is run under each value of `setting` and has to give what is expected for it."""

    def keep(run: Run) -> Run:
        assert setting not in EFFECTS
        EFFECTS[setting] = Effect(run, list(expected), others)
        return run

    return keep


def cases() -> Iterator[Any]:
    for setting, one in EFFECTS.items():
        for value, expected in one.expected:
            yield pytest.param(setting, value, expected, id=f"{setting} {value}")


def result(setting: str, value: object) -> object:
    """What the effect gives under this value; the codes of the problems when that is not a rule set."""
    one = EFFECTS[setting]
    try:
        rules = resolve("mleague", {**one.others, setting: value})
    except RulesError as refused:
        return [problem.code for problem in refused.problems]
    return one.run(rules)


# What the effects are made of


def scores(rules: Rules, *points: int) -> list[object]:
    return [seat.score for seat in settle(points, rules)]


def places(rules: Rules, *points: int) -> list[int]:
    return [seat.place for seat in settle(points, rules, last_dealer=NORTH)]


def paid(rules: Rules, *wins: Win, loser: int | None = None, **more: Any) -> tuple[int, ...]:
    table = {"dealer": EAST, "honba": 0, "deposits": 0, **more}
    return pay_win(wins, loser=loser, rules=rules, **table).changes


def win(winner: int, rules: Rules, han: int = 1, fu: int = 30) -> Win:
    return Win(winner, hand_value(han, fu, rules))


def yakuman(winner: int, rules: Rules, multiples: int, *liable: Liability) -> Win:
    return Win(winner, yakuman_value(multiples, rules), liable)


NOTEN = Hand(outcome=ExhaustiveDraw())


def draws(rules: Rules, count: int) -> Game:
    """A game of so many hands in which no one was tenpai, or of as many as it lasts."""
    game = new_game(rules)
    while game.over is None and len(game.steps) < count:
        game = play(game, NOTEN)
    return game


def ron(rules: Rules, winner: int, loser: int, han: int = 1, **facts: Any) -> Hand:
    return Hand(outcome=Ron((win(winner, rules, han),), loser=loser), **facts)


def tsumo(rules: Rules, winner: int, han: int = 1, **facts: Any) -> Hand:
    return Hand(outcome=Tsumo(win(winner, rules, han)), **facts)


def problems(game: Game, hand: Hand) -> list[str]:
    return [problem.code for problem in check(game, hand)]


def evaluated(rules: Rules, text: str, tile: str, **facts: Any) -> Valued | NoWin:
    situation = {"seat_wind": 1, "round_wind": 0, "tsumo": False, **facts}
    return evaluate(parse_hand(text, win=tile), Situation(**situation), rules)


def valued(rules: Rules, text: str, tile: str, **facts: Any) -> Valued:
    found = evaluated(rules, text, tile, **facts)
    assert isinstance(found, Valued)
    return found


def codes(rules: Rules, text: str, tile: str, **facts: Any) -> object:
    """The yaku and dora of the best reading, with their han or multiples; or why the hand does not win."""
    found = evaluated(rules, text, tile, **facts)
    if isinstance(found, Valued):
        return {each.code: each.han or each.yakuman for each in found.best.yaku}
    return [reason.code for reason in found.reasons]


# Settlement


@effect("start_points", (25000, (25000,) * 4), (30000, (30000,) * 4), unbalanced=True)
def start_points(rules: Rules) -> object:
    return new_game(rules).points


@effect("return_points", (25000, [650, 150, -150, -450]), (30000, [600, 100, -200, -500]), unbalanced=True)
@effect("uma", ([30, 10, -10, -30], [600, 100, -200, -500]), ([20, 10, -10, -20], [500, 100, -200, -400]))
@effect("oka", (20, [600, 100, -200, -500]), (0, [400, 100, -200, -500]), unbalanced=True)
@effect("floating_uma", (None, [600, 100, -200, -500]), ({"2": [8, 4, -4, -8]}, [380, 40, -140, -280]))
@effect("unbalanced", (False, ["unbalanced"]), (True, [600, 200, -200, -500]), uma=[30, 20, -10, -30])
@effect("score_by_length", (False, [600, 100, -200, -500]), (True, [300, 50, -100, -250]), game_length="east")
def usual_scores(rules: Rules) -> object:
    return scores(rules, 40000, 30000, 20000, 10000)


@effect("tie_rule", ("split", [1, 3, 3, 1]), ("seat", [1, 3, 4, 2]), ("last_dealer", [2, 3, 4, 1]))
def tie_rule(rules: Rules) -> object:
    return places(rules, 30000, 20000, 20000, 30000)


@effect(
    "split_remainder",
    ("first_dealer", [4, 3, 3, 0]),
    ("drop", [3, 3, 3, 0]),
    ("exact", ["10/3", "10/3", "10/3", 0]),
)
def split_remainder(rules: Rules) -> object:
    shares = [seat.sticks for seat in settle((30000, 30000, 30000, 9000), rules, sticks=1000)]
    return [share if isinstance(share, int) else str(share) for share in shares]


@effect(
    "rounding",
    ("none", ([5, -94, -305], [4, -94, -305])),
    ("half_down", ([0, -90, -310], [0, -90, -310])),
    ("half_up", ([10, -90, -300], [0, -90, -300])),
    ("down", ([0, -100, -310], [0, -100, -310])),
    ("up", ([10, -90, -300], [10, -90, -300])),
    ("half_away", ([10, -90, -310], [0, -90, -310])),
    uma=[0, 0, 0, 0],
)
def rounding(rules: Rules) -> object:
    # The lower three places: 30 500 or 30 400, 20 600 and -500 points, above a return of 30 000.
    return scores(rules, 49400, 30500, 20600, -500)[1:], scores(rules, 49500, 30400, 20600, -500)[1:]


@effect("leftover_sticks", ("first", [10, 0, 0, 0]), ("nobody", [0, 0, 0, 0]))
def leftover_sticks(rules: Rules) -> object:
    return [seat.sticks for seat in settle((39000, 30000, 20000, 10000), rules, sticks=1000)]


@effect("sashiuma", (None, [600, 100, -200, -500]), (5, [650, 100, -200, -550]), (10, [700, 100, -200, -600]))
def sashiuma(rules: Rules) -> object:
    ending = Ending(sashiuma=((EAST, NORTH),))
    return [seat.score for seat in settle_ending((40000, 30000, 20000, 10000), ending, rules)]


@effect(
    "chip_value",
    (None, [(600, 0), (100, 0), (-200, 0), (-500, 0)]),
    (0, [(600, 5), (100, -1), (-200, 0), (-500, -4)]),
    (2.5, [(725, 5), (75, -1), (-200, 0), (-600, -4)]),
)
def chip_value(rules: Rules) -> object:
    ending = Ending(chips=(5, -1, 0, -4))
    seats = settle_ending((40000, 30000, 20000, 10000), ending, rules)
    return [(seat.score, seat.chips) for seat in seats]


@effect("substituted_score", (None, None), (-30, -300), (0, 0))
def substituted_score(rules: Rules) -> object:
    return rules.substituted_score


# The game


@effect(
    "game_length",
    ("east", (4, (0, 4))),
    ("half", (8, (1, 4))),
    ("full", (16, (3, 4))),
    ("east_north", (8, (3, 4))),
    ("east_east", (8, (0, 4))),
    ("each_hand", (1, (0, 1))),
)
def game_length(rules: Rules) -> object:
    steps = draws(rules, 20).steps
    return len(steps), (steps[-1].name.round_wind, steps[-1].name.number)


@effect(
    "extension",
    ("none", ("length", 8)),
    ("sudden_death", ("target", 9)),
    ("full_wind", ("length", 12)),
    target_points=30000,
)
def extension(rules: Rules) -> object:
    game = draws(rules, 8)
    if game.over is None:
        game = play(game, ron(rules, SOUTH, NORTH, han=5))
    while game.over is None:
        game = play(game, NOTEN)
    return game.over, len(game.steps)


@effect("target_points", (30000, "target"), (36000, None), extension="sudden_death")
def target_points(rules: Rules) -> object:
    game = play(draws(rules, 8), ron(rules, SOUTH, NORTH, han=5))
    assert game.points[SOUTH] == 25000 + 8000 + 8 * 300
    return game.over


@effect("extension_winds", (1, 12), (2, 16), (None, 30), extension="full_wind", target_points=30000)
def extension_winds(rules: Rules) -> object:
    return len(draws(rules, 30).steps)


@effect("bust", (False, None), (True, "bust"))
def bust(rules: Rules) -> object:
    return play(new_game(rules), Hand(outcome=Ron((yakuman(SOUTH, rules, 1),), loser=NORTH))).over


@effect("agari_yame", (False, None), (True, "agari_yame"))
@effect("all_last_renchan", (False, "length"), (True, None))
def over_after_north_wins_last(rules: Rules) -> object:
    return play(draws(rules, 7), tsumo(rules, NORTH)).over


@effect("renchan", ("tenpai", [EAST, EAST]), ("win", [SOUTH, EAST]), ("none", [SOUTH, SOUTH]))
def renchan(rules: Rules) -> object:
    """The next dealer after a tenpai hand and after a win of the dealer."""
    hands = Hand(outcome=ExhaustiveDraw(tenpai=(EAST,))), tsumo(rules, EAST)
    return [play(new_game(rules), hand).dealer for hand in hands]


@effect("minutes", (None, None), (60, "time"))
def minutes(rules: Rules) -> object:
    return play(new_game(rules), Hand(outcome=ExhaustiveDraw(), minutes=61)).over


@effect("extra_hands", (0, 1), (1, 2), (2, 3), minutes=60)
def extra_hands(rules: Rules) -> object:
    game = play(new_game(rules), Hand(outcome=ExhaustiveDraw(), minutes=61))
    while game.over is None:
        game = play(game, NOTEN)
    return len(game.steps)


# The hand


@effect(
    "red_fives",
    (0, (["red_fives"], ["red_fives"])),
    (3, ({"riichi": 1, "pinfu": 1, "tanyao": 1, "aka_dora": 1}, ["red_fives"])),
    (
        4,
        (
            {"riichi": 1, "pinfu": 1, "tanyao": 1, "aka_dora": 1},
            {"riichi": 1, "pinfu": 1, "tanyao": 1, "aka_dora": 2},
        ),
    ),
)
def red_fives(rules: Rules) -> object:
    one = codes(rules, "234m456m340p55p678s", "6m", riichi=1)
    return one, codes(rules, "234m456m340p05p678s", "6m", riichi=1)


@effect("open_tanyao", (False, ["no_yaku", "open_tanyao"]), (True, {"tanyao": 1}))
def open_tanyao(rules: Rules) -> object:
    return codes(rules, "234m345p66s678s(234s)", "5p")


@effect("atozuke", (False, ["kataagari", "first_call"]), (True, {"haku": 1}))
def atozuke(rules: Rules) -> object:
    # It waits on 9p and haku, and only haku is a yaku.
    return codes(rules, "234567m99p555z(234s)", "5z")


@effect("kuikae", ("forbidden", {"3s", "6s"}), ("allowed", set()))
def kuikae(rules: Rules) -> object:
    return set(forbidden_discards("6s", ("4s", "5s"), rules))


@effect("ippatsu", (False, {"riichi": 1}), (True, {"riichi": 1, "ippatsu": 1}))
def ippatsu(rules: Rules) -> object:
    return codes(rules, "123m456m123p99p345s", "4s", riichi=1, ippatsu=True)


@effect("ura_dora", (False, {"riichi": 1}), (True, {"riichi": 1, "ura_dora": 2}), kan_ura_dora=False)
def ura_dora(rules: Rules) -> object:
    return codes(rules, "123m456m123p99p345s", "4s", riichi=1, dora=("1z",), ura=("8p",))


KAN = ("123m456m99p345s[1111p]", "4s")
INDICATORS = {"riichi": 1, "dora": ("1z", "8p"), "ura": ("2z", "8p")}


@effect("kan_dora", (False, {"riichi": 1}), (True, {"riichi": 1, "dora": 2}), kan_ura_dora=False)
@effect("kan_ura_dora", (False, {"riichi": 1, "dora": 2}), (True, {"riichi": 1, "dora": 2, "ura_dora": 2}))
def kan_with_indicators(rules: Rules) -> object:
    return codes(rules, *KAN, **INDICATORS)


@effect("kiriage_mangan", (False, (1920, 1920)), (True, (2000, 2000)))
def kiriage_mangan(rules: Rules) -> object:
    return hand_value(4, 30, rules).base, hand_value(3, 60, rules).base


@effect("counted_yakuman", ("none", (6000, "sanbaiman")), ("yakuman", (8000, "counted_yakuman")))
def counted_yakuman(rules: Rules) -> object:
    value = hand_value(13, 30, rules)
    return value.base, value.limit


@effect("double_yakuman", (False, {"kokushi_13": 1}), (True, {"kokushi_13": 2}))
def double_yakuman(rules: Rules) -> object:
    return codes(rules, "19m19p19s12345677z", "7z")


@effect("composite_yakuman", (False, 8000), (True, 16000))
def composite_yakuman(rules: Rules) -> object:
    return valued(rules, "11z(555z)(666z)(777z)(222z)", "1z").best.value.base


@effect("yakuman_limit", (None, 3 * 8000), (2, 2 * 8000), (1, 8000))
def yakuman_limit(rules: Rules) -> object:
    # Daisuushii, tsuuiisou and four closed triplets.
    return valued(rules, "111222333444z55z", "4z", tsumo=True).best.value.base


@effect("kokushi_ankan_ron", (False, ["concealed_kan"]), (True, {"kokushi": 1}))
def kokushi_ankan_ron(rules: Rules) -> object:
    return codes(rules, "19m19p199s1234567z", "7z", chankan=CONCEALED)


def pao(**parts: object) -> dict[str, object]:
    usual = {"tsumo": "liable", "ron": "half", "honba": "liable", "composite": "own", "several": "each"}
    return {"yaku": ["daisangen", "daisuushii"], **usual, **parts}


@effect(
    "pao",
    (pao(yaku=[]), (-96300, 96300, 0, 0)),
    (pao(), (-64000, 96300, -16000, -16300)),
    (pao(ron="liable"), (-32000, 96300, -32000, -32300)),
    (pao(honba="discarder"), (-64300, 96300, -16000, -16000)),
    (pao(honba="half"), (-64200, 96300, -16000, -16100)),
    (pao(composite="whole"), (-48000, 96300, -16000, -32300)),
    (pao(several="first"), (-80000, 96300, 0, -16300)),
)
def liability(rules: Rules) -> object:
    """Three yakuman, of which north made the first sure and west the second."""
    both = Liability(NORTH, "daisangen"), Liability(WEST, "daisuushii")
    return paid(rules, yakuman(SOUTH, rules, 3, *both), loser=EAST, honba=1)


@effect("daiminkan_pao", (False, (-500, 1100, -300, -300)), (True, (0, 1100, -1100, 0)))
def daiminkan_pao(rules: Rules) -> object:
    return paid(rules, Win(SOUTH, hand_value(1, 30, rules), (Liability(WEST, "rinshan"),)))


@effect(
    "renhou", ("none", (480, 2)), ("mangan", (2000, None)), ("five_han", (2000, 5)), ("yakuman", (8000, None))
)
def renhou(rules: Rules) -> object:
    """Basic points and han of pinfu and tanyao by ron before the first draw."""
    value = valued(rules, "234567m234p67p88s5p", "5p", first_turn=True).best.value
    return value.base, value.han


@effect("double_wind_pair_fu", (2, 40), (4, 50))
def double_wind_pair_fu(rules: Rules) -> object:
    return valued(rules, "11z567p789s(222m)(5555z)", "9s", seat_wind=0).best.fu


@effect("sequences_fu", ("counted", (30, 40, 30)), ("fixed", (20, 20, 30)))
def sequences_fu(rules: Rules) -> object:
    """Pinfu by ron, riichi on a closed wait, and an open hand."""
    hands = ("234567m234p67p88s5p", "5p"), ("123m456p678s1355s", "2s"), ("234m567p68s88p(345m)", "7s")
    return tuple(valued(rules, *hand, riichi="(" not in hand[0]).best.fu for hand in hands)


@effect("local_yaku", ([], {"toitoi": 2}), (["sanrenkou"], {"toitoi": 2, "sanrenkou": 2}))
def local_yaku(rules: Rules) -> object:
    return codes(rules, "333s88p(222s)(444s)(999m)", "8p")


# Payments


@effect(
    "multiple_ron",
    ("head_bump", ((-2000, 2000, 0, 0), (-2000, 2000, 0, 0))),
    ("double", ((-3000, 2000, 1000, 0), (-3000, 2000, 1000, 0))),
    ("triple", ((-3000, 2000, 1000, 0), (-4000, 2000, 1000, 1000))),
    ("triple_aborts", ((-3000, 2000, 1000, 0), (0, 0, 0, 0))),
)
def multiple_ron(rules: Rules) -> object:
    first, *others = win(SOUTH, rules, han=2), win(WEST, rules), win(NORTH, rules)
    return paid(rules, first, others[0], loser=EAST), paid(rules, first, *others, loser=EAST)


@effect(
    "multi_ron_bonus",
    ("first", (-2300, 1300, 1000, 0)),
    ("all", (-2600, 1300, 1300, 0)),
    multiple_ron="triple",
)
def multi_ron_bonus(rules: Rules) -> object:
    return paid(rules, win(SOUTH, rules), win(WEST, rules), loser=EAST, honba=1)


@effect(
    "multi_ron_sticks",
    ("first", (-2000, 4000, 1000, 0)),
    ("own_back", (-2000, 3000, 2000, 0)),
    multiple_ron="triple",
)
def multi_ron_sticks(rules: Rules) -> object:
    two = win(SOUTH, rules), win(WEST, rules)
    return paid(rules, *two, loser=EAST, deposits=3000, riichi=(EAST, WEST))


@effect(
    "honba",
    (0, ((-1000, 1000, 0, 0), (-500, 1100, -300, -300))),
    (300, ((-1600, 1600, 0, 0), (-700, 1700, -500, -500))),
    (1500, ((-4000, 4000, 0, 0), (-1500, 4100, -1300, -1300))),
)
def honba(rules: Rules) -> object:
    return tuple(paid(rules, win(SOUTH, rules), loser=loser, honba=2) for loser in (EAST, None))


@effect(
    "honba_on_yakuman",
    (False, ((-32000, 32000, 0, 0), (-1600, 1600, 0, 0))),
    (True, ((-32600, 32600, 0, 0), (-1600, 1600, 0, 0))),
)
def honba_on_yakuman(rules: Rules) -> object:
    hands = yakuman(SOUTH, rules, 1), win(SOUTH, rules)
    return tuple(paid(rules, hand, loser=EAST, honba=2) for hand in hands)


# Draws


@effect("noten_payment", (3000, (3000, -1000, -1000, -1000)), (0, (0, 0, 0, 0)))
def noten_payment(rules: Rules) -> object:
    return pay_draw((EAST,), rules).changes


ABORTS = ("kyuushu_kyuuhai", "suufon_renda", "suukaikan", "suucha_riichi")


@effect(
    "abortive_draws", ([], []), *(([reason], [reason]) for reason in ABORTS), (list(ABORTS), list(ABORTS))
)
def abortive_draws(rules: Rules) -> object:
    """Which of the four the rule set lets end a hand."""
    riichi = tuple(Riichi(seat) for seat in range(4))
    return [
        reason
        for reason in ABORTS
        if "abort"
        not in problems(
            new_game(rules), Hand(outcome=Abort(reason), riichi=riichi if reason == "suucha_riichi" else ())
        )
    ]


@effect("nagashi_mangan", (False, ["nagashi"]), (True, []))
def nagashi_mangan(rules: Rules) -> object:
    return problems(new_game(rules), Hand(outcome=Nagashi((SOUTH,))))


@effect(
    "nagashi_as_tsumo",
    (False, ((-4000, 8000, -2000, -2000), 0)),
    (True, ((-4100, 9300, -2100, -2100), -1000)),
    nagashi_mangan=True,
)
def nagashi_as_tsumo(rules: Rules) -> object:
    moved = pay_nagashi((SOUTH,), dealer=EAST, honba=1, deposits=1000, rules=rules)
    return moved.changes, moved.deposits


@effect("hidden_tenpai", (False, ["hidden"]), (True, []))
def hidden_tenpai(rules: Rules) -> object:
    return problems(new_game(rules), Hand(outcome=ExhaustiveDraw(hidden=(SOUTH,))))


@effect("keishiki_tenpai", (False, (True, False)), (True, (True, True)))
def keishiki_tenpai(rules: Rules) -> object:
    """Whether a hand with a yaku and one without are tenpai."""
    hands = "234m345p66s67s(234s)", "123m345p66s67s(234s)"
    situation = Situation(seat_wind=1, round_wind=0, tsumo=False)
    return tuple(is_tenpai(parse_hand(text), rules, situation) for text in hands)


@effect("junkara_tenpai", (False, (True, False)), (True, (True, True)))
def junkara_tenpai(rules: Rules) -> object:
    """Whether a wait on tiles that others may have and one on four that the player has are tenpai."""
    hands = "123m456p789s12m99s", "123m456p789s9m(999m)"
    return tuple(is_tenpai(parse_hand(text), rules) for text in hands)


# Riichi


@effect("riichi_below_1000", (False, ["riichi_below_1000"]), (True, []))
def riichi_below_1000(rules: Rules) -> object:
    game = play(new_game(rules), ron(rules, SOUTH, NORTH, han=11))
    game = play(game, Hand(outcome=ExhaustiveDraw(tenpai=(EAST, SOUTH, WEST))))
    assert game.points[NORTH] < 1000
    return problems(game, Hand(outcome=ExhaustiveDraw(tenpai=(NORTH,)), riichi=(Riichi(NORTH),)))


@effect("tiles_for_riichi", (0, [0, 1, 2, 3, 4]), (1, [1, 2, 3, 4]), (4, [4]))
def tiles_for_riichi(rules: Rules) -> object:
    """With how many live tiles left riichi may be declared."""
    declared = {
        tiles: Hand(outcome=ExhaustiveDraw(tenpai=(SOUTH,)), riichi=(Riichi(SOUTH, live_tiles=tiles),))
        for tiles in range(5)
    }
    return [tiles for tiles, hand in declared.items() if not problems(new_game(rules), hand)]


@effect("deposit_when_called", (False, 0), (True, 1000))
def deposit_when_called(rules: Rules) -> object:
    called = Hand(outcome=ExhaustiveDraw(tenpai=(SOUTH,)), riichi=(Riichi(SOUTH, CALLED),))
    return play(new_game(rules), called).deposits


@effect("riichi_kan", ("waits", [True, True, False]), ("shape", [True, False, False]))
def riichi_kan(rules: Rules) -> object:
    """A fourth 3s to a triplet, to one that may be part of three sequences, and to one that makes waits."""
    hands = ("123m456p333s13m99p", "333444555s13m99p", "123m456p678m2333s")
    return [may_kan_after_riichi(parse_hand(text), "3s", rules) for text in hands]


IN_GAME = {"chombo": "reverse_mangan", "chombo_timing": "in_game"}


@effect(
    "noten_riichi", (None, ((4000, 2000, -8000, 2000), 0)), (1000, ((4000, 0, -5000, 0), 1000)), **IN_GAME
)
def noten_riichi(rules: Rules) -> object:
    drawn = ExhaustiveDraw((EAST,), noten_riichi=(WEST,))
    game = play(new_game(rules), Hand(outcome=drawn, riichi=(Riichi(WEST),)))
    return game.steps[0].changes, game.deposits


# Fouls


@effect(
    "chombo",
    ("reverse_mangan", (4000, -8000, 2000, 2000)),
    ({"each": 4000}, (4000, -12000, 4000, 4000)),
    chombo_timing="in_game",
)
def chombo(rules: Rules) -> object:
    return pay_chombo(SOUTH, dealer=EAST, rules=rules).changes


def test_a_chombo_may_cost_points_in_the_game_and_a_score_after_it():
    rules = resolve("ema-2016", {"chombo": {"reverse_mangan": True, "score": -20}})

    settled, without = (
        settle_with_chombo((30000, 36000, 32000, 22000), (0, chombo, 0, 0), rules)[1].score
        for chombo in (1, 0)
    )

    assert pay_chombo(SOUTH, dealer=EAST, rules=rules).changes == (4000, -8000, 2000, 2000)
    assert settled == without - 200
    assert Rules.from_values(rules.as_values()) == rules


@effect(
    "chombo_timing",
    ("after_uma", [300, 80, -180, -400]),
    ("before_uma", [-500, 480, 20, -200]),
    ("in_game", ["chombo_timing"]),
    chombo=-20,
)
def chombo_timing(rules: Rules) -> object:
    return [seat.score for seat in settle_with_chombo((30000, 28000, 22000, 20000), (1, 0, 0, 0), rules)]


@effect("after_chombo", ("replay", (EAST, 0, 0)), ("draw", (EAST, 1, 1000)), ("rotate", (SOUTH, 1, 1000)))
def after_chombo(rules: Rules) -> object:
    game = play(new_game(rules), Hand(outcome=Chombo((WEST,)), riichi=(Riichi(SOUTH),)))
    return game.dealer, game.honba, game.deposits


@effect("redeal_tiles", (0, ([], ["hand_is_void"])), (20, (["hand_goes_on"], [])))
def redeal_tiles(rules: Rules) -> object:
    """Whether a chombo with 19 tiles left may void the hand, and whether the hand may go on."""
    game = new_game(rules)
    void = Hand(outcome=Chombo((WEST,), live_tiles=19))
    return problems(game, void), problems(
        game, Hand(outcome=ExhaustiveDraw(), fouls=(Foul(WEST, live_tiles=19),))
    )


@effect("extra_tile_payment", (0, (0, 0, 0, 0)), (1000, (2000, 2000, -6000, 2000)))
def extra_tile_payment(rules: Rules) -> object:
    return pay_extra_tiles(WEST, 2, rules).changes


# The tests


@pytest.mark.parametrize(("setting", "value", "expected"), list(cases()))
def test_the_setting_has_its_effect(setting, value, expected):
    assert result(setting, value) == expected


def test_every_setting_has_an_effect():
    assert set(EFFECTS) == set(SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS)
def test_each_value_has_a_result_of_its_own(setting):
    results = [expected for _, expected in EFFECTS[setting].expected]

    assert len(results) >= 2
    assert all(one not in results[:number] for number, one in enumerate(results))


@pytest.mark.parametrize(
    "setting", [name for name, one in SETTINGS.items() if one.kind in ("choice", "yes_no")]
)
def test_every_choice_of_a_setting_is_tried(setting):
    choices = SETTINGS[setting].choices or (False, True)

    assert [value for value, _ in EFFECTS[setting].expected] == list(choices)
