"""Which hand comes next, and when and why a game ends."""

import pytest

from scoring.hanchan import Abort, Chombo, Hand, HandName, hand_name, new_game, play
from scoring.hanchan.course import expected_minutes
from scoring.payments import limit_value, yakuman_value
from scoring.rules import SETTINGS, Rules
from tests.scoring.hanchan_logs import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after,
    at_turn,
    draw,
    riichi,
    ron,
    rules_with,
    tsumo,
)


def names(*winds: int, first: int = 1) -> list[tuple[int, int]]:
    return [(wind, number) for wind in winds for number in range(first, first + 4)]


def played_out(rules: Rules, *, most: int = 40) -> tuple[list[tuple[int, int]], str | None]:
    """The hands of a game in which no one is ever tenpai, and why it ended; at most so many."""
    game = new_game(rules)
    while not game.over and len(game.steps) < most:
        game = play(game, draw())
    return [(step.name.round_wind, step.name.number) for step in game.steps], game.over


# Lengths


@pytest.mark.parametrize(
    ("length", "hands"),
    [
        ("east", names(EAST)),  # 东风战, EMA 2016 2.11
        ("half", names(EAST, SOUTH)),  # 半庄, HKMA 半莊結束 §1
        ("full", names(EAST, SOUTH, WEST, NORTH)),  # 一庄, EMA 2016 2.11
        ("east_north", names(EAST, NORTH)),  # 东北战, Kanto 游戏长度
        ("east_east", names(EAST, EAST)),  # 东东战, Kanto 游戏长度
        ("each_hand", [(EAST, 1)]),  # 每局清算, Kanto 游戏长度
    ],
)
def test_a_game_has_the_hands_of_its_length(length, hands):
    assert played_out(rules_with(game_length=length)) == (hands, "length")


def test_a_hand_is_called_by_wind_number_and_honba():
    """Kanto 局: 东二局3本场 is the second deal of the east wind after the dealer stayed three times."""
    rules = rules_with()

    game = after(rules, draw(), *[draw(SOUTH)] * 2)

    assert game.name == HandName(round_wind=EAST, number=2, honba=3)
    assert game.dealer == SOUTH
    assert hand_name(6, 1, rules) == HandName(round_wind=SOUTH, number=3, honba=1)


def test_a_draw_with_a_noten_dealer_of_east_2_is_followed_by_east_3_with_one_honba():
    """TNT 风家、本场."""
    rules = rules_with()
    east_2 = after(rules, tsumo(SOUTH))
    assert east_2.name == HandName(EAST, 2, 0)

    assert play(east_2, draw(WEST)).name == HandName(EAST, 3, 1)


# Who deals next, and honba


@pytest.mark.parametrize(
    ("hand", "renchan", "expected"),
    [
        (tsumo(EAST), "tenpai", (EAST, 3)),  # HKMA 和了 §4: the dealer wins
        (ron(EAST, WEST), "win", (EAST, 3)),
        (tsumo(WEST), "tenpai", (SOUTH, 0)),  # HKMA 本場 §1: another player wins
        (ron(SOUTH, EAST), "win", (SOUTH, 0)),
        (draw(EAST, WEST), "tenpai", (EAST, 3)),  # EMA 2016 2.9, HKMA 流局 §6
        (draw(EAST, WEST), "win", (SOUTH, 3)),  # only a win lets the dealer repeat
        (draw(SOUTH), "tenpai", (SOUTH, 3)),
        (draw(SOUTH), "win", (SOUTH, 3)),
        (Hand(outcome=Abort("kyuushu_kyuuhai")), "tenpai", (EAST, 3)),  # Kanto 途中流局
        (Hand(outcome=Abort("kyuushu_kyuuhai")), "win", (EAST, 3)),
    ],
)
def test_the_outcome_says_who_deals_next_and_with_how_many_honba(hand, renchan, expected):
    rules = rules_with(renchan=renchan, abortive_draws=["kyuushu_kyuuhai"])
    game = after(rules, *[tsumo(EAST)] * 2)
    assert (game.dealer, game.honba) == (EAST, 2)

    game = play(game, hand)

    assert (game.dealer, game.honba) == expected


# The end: target and extension


@pytest.mark.parametrize(
    ("length", "winds", "hands"),
    [
        ("half", 1, names(EAST, SOUTH, WEST)),  # 西入, Kanto 游戏的结束
        ("half", 2, names(EAST, SOUTH, WEST, NORTH)),  # 北入
        ("half", 3, names(EAST, SOUTH, WEST, NORTH, EAST)),  # 东入
        ("east", 1, names(EAST, SOUTH)),  # 南入
        ("full", 1, names(EAST, SOUTH, WEST, NORTH, EAST)),
        ("east_north", 1, names(EAST, NORTH, EAST)),
        ("east_east", 1, [*names(EAST, EAST), *names(EAST, first=5)]),  # 东五局至东八局
        ("east_east", 2, [*names(EAST, EAST), *names(EAST, first=5), *names(EAST, first=9)]),  # 乃至东十二局
    ],
)
@pytest.mark.parametrize("extension", ["sudden_death", "full_wind"])
def test_an_extension_that_no_player_decides_ends_after_its_winds(extension, length, winds, hands):
    rules = rules_with(game_length=length, extension=extension, target_points=30000, extension_winds=winds)

    assert played_out(rules) == (hands, "length")


def test_an_extension_without_limit_goes_on_until_it_is_decided():
    rules = rules_with(extension="full_wind", target_points=30000, extension_winds=None)

    hands, over = played_out(rules, most=60)

    assert (hands[8:24], over) == (names(WEST, NORTH, EAST, SOUTH), None)


@pytest.mark.parametrize(
    ("extension", "target", "expected"),
    [
        ("none", None, (SOUTH, 4, "length")),  # HKMA 簡則 §1
        ("sudden_death", 30000, (WEST, 2, "target")),  # TNT 一位必要; Kanto's option
        ("full_wind", 30000, (WEST, 4, "length")),  # Kanto 游戏的结束: the wind is played to its end
        ("sudden_death", 33000, (WEST, 2, "target")),  # exactly as many are enough
        ("sudden_death", 33100, (WEST, 4, "length")),
    ],
)
def test_reaching_the_target_in_west_2_ends_the_game_as_the_extension_says(extension, target, expected):
    rules = rules_with(extension=extension, target_points=target, honba=0)
    game = new_game(rules)
    while not game.over:
        # 8000 points in West 2, all else without points
        hand = tsumo(NORTH, limit_value("mangan", rules)) if game.turn == 9 else draw()
        game = play(game, hand)

    last = game.steps[-1]
    assert (last.name.round_wind, last.name.number, last.over) == expected


@pytest.mark.parametrize(("target", "over"), [(33000, "length"), (33100, None)])
def test_the_extension_follows_when_the_first_has_less_than_the_target_after_the_last_hand(target, over):
    """TNT 一位必要."""
    rules = rules_with(extension="sudden_death", target_points=target, honba=0)

    game = play(at_turn(7, rules), tsumo(EAST, limit_value("mangan", rules)))

    assert (max(game.points), game.over) == (33000, over)


def test_the_target_ends_an_extension_also_when_the_dealer_would_repeat():
    rules = rules_with(extension="sudden_death", target_points=30000)
    assert play(at_turn(8, rules), tsumo(EAST, limit_value("mangan", rules))).over == "target"


def test_the_target_does_not_end_a_game_before_its_last_hand():
    rules = rules_with(extension="sudden_death", target_points=30000)
    assert play(at_turn(6, rules), tsumo(EAST, yakuman_value(1, rules))).over is None


def test_deposits_on_the_table_do_not_count_for_the_target():
    rules = rules_with(extension="sudden_death", target_points=26100)

    game = play(at_turn(7, rules), draw(EAST, SOUTH, WEST, riichi=riichi(EAST)))

    assert (max(game.points), game.deposits, game.over) == (26000, 1000, None)


# The end: agari-yame and the dealer of the last hand


@pytest.mark.parametrize(
    ("hand", "agari_yame", "over"),
    [
        (tsumo(NORTH), True, "agari_yame"),
        (tsumo(NORTH), False, None),  # HKMA 半莊結束 §5: only when the dealer does not repeat
        (draw(NORTH), True, "agari_yame"),  # 学生連盟: the dealer is first, by a win or tenpai
        (draw(NORTH), False, None),
        (draw(), True, "length"),
        (draw(SOUTH), False, "length"),
        (Hand(outcome=Abort("suufon_renda")), True, None),  # no result of the last hand
    ],
)
def test_a_leading_dealer_who_repeats_in_the_last_hand_ends_the_game_by_agari_yame(hand, agari_yame, over):
    rules = rules_with(agari_yame=agari_yame, abortive_draws=["suufon_renda"])

    assert play(at_turn(7, rules), hand).over == over


def test_a_dealer_who_does_not_lead_goes_on():
    rules = rules_with(agari_yame=True, honba=0)
    south_4 = after(rules, tsumo(WEST, yakuman_value(1, rules)), *[draw()] * 6)
    assert south_4.name == HandName(SOUTH, 4, 6)

    assert play(south_4, tsumo(NORTH)).over is None


@pytest.mark.parametrize(
    ("tie_rule", "over"), [("split", "agari_yame"), ("last_dealer", "agari_yame"), ("seat", None)]
)
def test_a_dealer_who_shares_the_lead_leads_unless_the_seats_decide(tie_rule, over):
    """TNT 位次 counts ties from the dealer, Tenhou from the first dealer; split shares the first place."""
    rules = rules_with(agari_yame=True, tie_rule=tie_rule)
    south_4 = at_turn(7, rules)

    game = play(south_4, draw(WEST, NORTH))

    assert game.points == (23500, 23500, 26500, 26500)
    assert game.over == over


@pytest.mark.parametrize(("target", "over"), [(37000, "agari_yame"), (37100, None)])
def test_agari_yame_needs_the_target_where_an_extension_could_follow(target, over):
    rules = rules_with(agari_yame=True, extension="sudden_death", target_points=target, honba=0)

    game = play(at_turn(7, rules), tsumo(NORTH, limit_value("mangan", rules)))

    assert (game.points[NORTH], game.over) == (37000, over)


def test_agari_yame_needs_no_target_in_the_last_hand_of_the_last_wind():
    rules = rules_with(agari_yame=True, extension="sudden_death", target_points=30000, extension_winds=1)
    west_4 = at_turn(11, rules)
    assert west_4.name.round_wind == WEST

    assert play(west_4, draw(NORTH)).over == "agari_yame"


def test_agari_yame_does_not_end_a_game_before_its_last_hand():
    assert play(at_turn(3, rules_with(agari_yame=True)), tsumo(NORTH)).over is None


@pytest.mark.parametrize(
    ("hand", "repeats", "expected"),
    [
        (tsumo(NORTH), True, (None, SOUTH)),  # オーラス1本场
        (tsumo(NORTH), False, ("length", SOUTH)),  # 部分规则下该局不允许庄家连庄
        (draw(NORTH), False, ("length", SOUTH)),
        (Hand(outcome=Abort("suufon_renda")), False, (None, SOUTH)),  # broken off: played again
    ],
)
def test_the_dealer_repeats_the_last_hand_only_where_the_rules_allow_it(hand, repeats, expected):
    """Kanto 半庄."""
    rules = rules_with(all_last_renchan=repeats, abortive_draws=["suufon_renda"])

    game = play(at_turn(7, rules), hand)

    assert (game.over, game.name.round_wind) == expected


def test_without_a_repeat_in_the_last_hand_the_extension_follows():
    rules = rules_with(all_last_renchan=False, extension="full_wind", target_points=90000)

    assert play(at_turn(7, rules), tsumo(NORTH)).name.round_wind == WEST


# The end: bust


@pytest.mark.parametrize(
    ("bust", "start", "over"),
    [
        (True, 8000, None),  # at zero, not below (Tenhou トビ)
        (True, 7900, "bust"),
        (False, 7900, None),  # HKMA 半莊結束 §2: 負點續行
    ],
)
def test_a_player_below_zero_ends_the_game_where_bust_is_played(bust, start, over):
    rules = rules_with(bust=bust, start_points=start, return_points=start, oka="auto", uma=[10, 5, -5, -10])

    assert after(rules, ron(SOUTH, WEST, limit_value("mangan", rules))).over == over


def test_a_deposit_may_be_what_takes_a_player_below_zero():
    rules = rules_with(bust=True, start_points=900, return_points=900, oka="auto", uma=[10, 5, -5, -10])

    game = after(rules, draw(EAST, SOUTH, WEST, NORTH, riichi=riichi(SOUTH)))

    assert (game.points, game.over) == ((900, -100, 900, 900), "bust")


# The end: time


def minutes_of(*minutes: int | None) -> list[Hand]:
    return [draw(minutes=each) for each in minutes]


@pytest.mark.parametrize(
    ("extra_hands", "minutes", "over"),
    [
        (1, (59,), None),
        (1, (59, 61), None),  # finished, and one more follows
        (1, (60,), None),
        (1, (59, 61, 70), "time"),  # HKMA B: 60 minutes and one hand
        (1, (59, 61, None), "time"),
        (0, (59, 61), "time"),
        (2, (61, 62, 63), "time"),  # 最高位戦, WOC: the hand and more
        (2, (61, 62), None),
        (0, (None, None), None),  # no one looked at the clock
    ],
)
def test_after_the_time_the_hand_is_finished_and_the_extra_hands_are_played(extra_hands, minutes, over):
    assert after(rules_with(minutes=60, extra_hands=extra_hands), *minutes_of(*minutes)).over == over


def test_without_a_time_limit_the_clock_ends_no_game():
    assert after(rules_with(minutes=None), *minutes_of(60, 600)).over is None


def test_a_hand_that_is_dealt_again_does_not_count_as_an_extra_hand():
    """The hand is finished only by a deal that counts."""
    rules = rules_with(minutes=60, extra_hands=1)
    void = Hand(outcome=Chombo((SOUTH,)), minutes=61)

    once = after(rules, void, draw())
    twice = after(rules, void, draw(), void)

    assert (once.late, once.over) == (0, None)
    assert (twice.late, twice.over) == (0, None)
    assert play(twice, draw()).over == "time"


def test_the_length_is_the_reason_when_time_and_game_end_together():
    assert after(rules_with(game_length="east", minutes=60), *minutes_of(10, 20, 30, 61)).over == "length"


def test_the_time_ends_a_game_that_would_go_on_to_an_extension():
    rules = rules_with(minutes=60, extension="sudden_death", target_points=30000)

    assert play(at_turn(7, rules), draw(minutes=60)).over == "time"


def test_a_game_by_hand_takes_longer_than_at_an_automatic_table():
    assert expected_minutes("half", automatic=True) == (40, 50)
    assert expected_minutes("half", automatic=False) == (60, 70)


@pytest.mark.parametrize("length", ["east_north", "east_east", "each_hand"])
def test_lengths_without_an_estimate_have_no_minutes(length):
    assert length in SETTINGS["game_length"].choices
    assert expected_minutes(length, automatic=True) is None
