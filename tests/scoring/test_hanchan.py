"""What one hand does to points, deposits and honba; undo, correction, and the log as it is stored."""

import json
from typing import Any

import pytest

from scoring.hanchan import (
    SANCHAHOU,
    Abort,
    Chombo,
    ExhaustiveDraw,
    Foul,
    Game,
    GameStep,
    HanchanProblem,
    Hand,
    HandName,
    IllegalHand,
    Nagashi,
    Riichi,
    Ron,
    Ruling,
    Scores,
    Tsumo,
    check,
    correct,
    from_values,
    insert,
    new_game,
    play,
    remove,
    replay,
    undo,
)
from scoring.hanchan.course import hand_name, turn_of
from scoring.payments import HandValue, Liability, Transfer, Win, hand_value, limit_value, yakuman_value
from scoring.presets import resolve
from scoring.settlement import settle
from tests.scoring.hanchan_logs import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after,
    draw,
    riichi,
    ron,
    rules_with,
    tsumo,
    win,
)
from tests.scoring.rule_sets import hkma

PLAIN = rules_with()


def gains(game: Game) -> tuple[int, int, int, int]:
    """What the last hand changed."""
    return game.steps[-1].changes


def table(game: Game) -> tuple[tuple[int, int, int, int], int, int, int]:
    """Points, deposits, dealer, honba."""
    return game.points, game.deposits, game.dealer, game.honba


# A win


def test_a_step_tells_the_whole_hand():
    rules = rules_with(start_points=30000, return_points=30000, oka=0)
    hand = tsumo(SOUTH, limit_value("mangan", rules), riichi=riichi(WEST, SOUTH))
    game = after(rules, hand)

    assert game.steps == (
        GameStep(
            hand=hand,
            name=HandName(EAST, 1, 0),
            dealer=EAST,
            result="win",
            before=(30000, 30000, 30000, 30000),
            transfers=(
                Transfer(SOUTH, None, 1000, "deposits"),
                Transfer(WEST, None, 1000, "deposits"),
                Transfer(EAST, SOUTH, 4000, "hand"),
                Transfer(WEST, SOUTH, 2000, "hand"),
                Transfer(NORTH, SOUTH, 2000, "hand"),
                Transfer(None, SOUTH, 2000, "deposits"),
            ),
            points=(26000, 39000, 27000, 28000),
            deposits=0,
            winners=(SOUTH,),
            chombo=(),
            dealer_repeats=False,
            over=None,
        ),
    )
    assert gains(game) == (-4000, 9000, -3000, -2000)


def test_ema_example_of_a_self_draw_with_three_honba_and_two_riichi():
    """EMA 2016 4.3.5: 8000 for the hand, 2000 of riichi and 900 of honba, 10 900 in all."""
    rules = resolve("ema-2016")
    game = after(rules, *[draw(EAST)] * 3)
    before = game.points
    game = play(game, tsumo(SOUTH, hand_value(5, 20, rules), riichi=riichi(EAST, WEST)))

    gained = [now - was for now, was in zip(game.points, before, strict=True)]
    assert gained == [-4300 - 1000, 10900, -2300 - 1000, -2300]
    assert table(game)[1:] == (0, SOUTH, 0)


def test_each_honba_adds_300_points():
    """The beginners' guide 点数计算, HKMA 本場 §3."""
    one = after(PLAIN, draw(EAST), ron(SOUTH, WEST))
    two = after(PLAIN, draw(EAST), draw(EAST), tsumo(SOUTH))

    assert gains(one) == (0, 1000 + 300, -1000 - 300, 0)
    assert gains(two) == (-500 - 200, 1100 + 600, -300 - 200, -300 - 200)


@pytest.mark.parametrize(
    ("multiple_ron", "winners", "result", "dealer", "honba"),
    [
        ("head_bump", (WEST,), "win", SOUTH, 0),  # HKMA 簡則 §31: the dealer did not win
        ("double", (WEST, NORTH), "win", SOUTH, 0),
        ("triple", (WEST, NORTH, EAST), "win", EAST, 1),  # the guide, 立直
        ("triple_aborts", (), "abort", EAST, 1),  # Kanto 三家荣和: no points
    ],
)
def test_who_wins_of_three_on_one_tile_decides_who_deals_next(multiple_ron, winners, result, dealer, honba):
    rules = rules_with(multiple_ron=multiple_ron)
    three = Hand(outcome=Ron((win(EAST), win(WEST), win(NORTH)), SOUTH), riichi=riichi(WEST))

    game = after(rules, three)

    step = game.steps[-1]
    assert (step.winners, step.result) == (winners, result)
    assert (game.dealer, game.honba) == (dealer, honba)
    assert game.deposits == (0 if winners else 1000)


def test_three_wins_that_abort_the_hand_may_be_written_down_without_their_values():
    rules = rules_with(multiple_ron="triple_aborts")

    named = after(rules, Hand(outcome=Abort(SANCHAHOU), riichi=(Riichi(SOUTH, "won"),)))

    assert table(named) == ((25000, 25000, 25000, 25000), 0, EAST, 1)


@pytest.mark.parametrize(
    ("sticks", "expected"),
    [
        ("first", (0, -2000 - 1000, 1000 + 2000, 0)),  # the guide 点数计算: the nearest takes all
        ("own_back", (0, -2000 - 1000, 1000 + 1000, 0 + 1000)),  # EMA 2016 3.12
    ],
)
def test_riichi_of_several_winners_go_to_the_nearest_or_back(sticks, expected):
    rules = rules_with(multiple_ron="triple", multi_ron_sticks=sticks)
    both = Hand(outcome=Ron((win(NORTH), win(WEST)), SOUTH), riichi=riichi(NORTH, SOUTH))

    game = after(rules, both)

    north = 1000 - 1000  # the hand less the own riichi
    assert gains(game) == (expected[0], expected[1], expected[2], north + expected[3])


def test_who_is_liable_pays_and_the_discarder_loses_half():
    """HKMA 點數授受法 §6."""
    rules = rules_with()
    liability = Liability(EAST, "daisangen")
    yakuman = yakuman_value(1, rules)

    assert gains(after(rules, tsumo(SOUTH, yakuman, liability))) == (-32000, 32000, 0, 0)
    assert gains(after(rules, ron(SOUTH, WEST, yakuman, liability))) == (-16000, 32000, -16000, 0)


@pytest.mark.parametrize(("several", "payer"), [("first", WEST), ("each", None)])
def test_the_order_in_which_players_became_liable_is_a_fact(several, payer):
    """HKMA 點數授受法 §5, 包先不包後."""
    pao = {"yaku": ["daisangen", "daisuushii"], "tsumo": "liable", "ron": "half", "honba": "half"}
    rules = rules_with(pao={**pao, "several": several})
    first_west = (Liability(WEST, "daisuushii"), Liability(EAST, "daisangen"))

    game = after(rules, tsumo(SOUTH, yakuman_value(2, rules), *first_west))

    paid_by_east = -gains(game)[EAST]
    assert paid_by_east == (32000 if payer is None else 16000)


# Riichi


@pytest.mark.parametrize(
    ("declared", "when_called", "deposits"),
    [
        (Riichi(SOUTH), True, 1000),
        (Riichi(SOUTH, "called"), True, 1000),  # EMA 2016 3.12: the next tile is turned instead
        (Riichi(SOUTH, "called"), False, 0),  # the guide, 立直时的点数变化
        (Riichi(SOUTH), False, 1000),
    ],
)
def test_a_riichi_costs_1000_unless_its_tile_was_called_and_the_rule_set_takes_none_then(
    declared, when_called, deposits
):
    game = after(rules_with(deposit_when_called=when_called), draw(SOUTH, riichi=(declared,)))

    assert game.deposits == deposits
    assert game.points == (24000, 28000 - deposits, 24000, 24000)


def test_a_riichi_whose_tile_is_won_with_is_none():
    """EMA 2016 3.12, HKMA 立直 §9."""
    game = after(PLAIN, ron(WEST, SOUTH, riichi=(Riichi(SOUTH, "won"), Riichi(NORTH))))

    assert gains(game) == (0, -1000, 1000 + 1000, -1000)


def test_deposits_wait_for_the_next_win():
    """HKMA 流局 §5."""
    waiting = after(PLAIN, draw(EAST, SOUTH, riichi=riichi(EAST, SOUTH)))
    assert waiting.deposits == 2000

    assert gains(play(waiting, ron(WEST, NORTH))) == (0, 0, 1000 + 300 + 2000, -1000 - 300)


def test_who_has_less_than_1000_may_declare_where_the_rule_set_says_so():
    """HKMA 簡則 §19; the guide and Tenhou want 1000."""
    poor = {"start_points": 900, "return_points": 900, "oka": 0}
    hand = draw(EAST, SOUTH, WEST, NORTH, riichi=riichi(SOUTH))

    assert after(rules_with(riichi_below_1000=True, **poor), hand).points[SOUTH] == -100
    refused = HanchanProblem("riichi_below_1000", {"seat": SOUTH, "points": 900})
    assert check(new_game(rules_with(riichi_below_1000=False, **poor)), hand) == (refused,)


def test_exactly_1000_points_are_enough_for_riichi():
    """The guide 立直: 大于等于1000点."""
    rules = rules_with(riichi_below_1000=False, start_points=1000, return_points=1000, oka=0)

    assert after(rules, draw(SOUTH, riichi=riichi(SOUTH))).points[SOUTH] == 3000


@pytest.mark.parametrize(
    ("least", "tiles", "accepted"),
    [(4, 4, True), (4, 3, False), (1, 1, True), (1, 0, False), (0, 0, True), (4, None, True)],
)
def test_riichi_needs_live_tiles(least, tiles, accepted):
    """EMA 2016 3.12: four; HKMA 簡則 §20: one."""
    game = new_game(rules_with(tiles_for_riichi=least))

    assert (check(game, draw(SOUTH, riichi=(Riichi(SOUTH, live_tiles=tiles),))) == ()) == accepted


# Draws


@pytest.mark.parametrize(
    ("tenpai", "expected"),
    [
        ((), (0, 0, 0, 0)),
        ((WEST,), (-1000, -1000, 3000, -1000)),
        ((EAST, WEST), (1500, -1500, 1500, -1500)),
        ((EAST, WEST, NORTH), (1000, -3000, 1000, 1000)),
        ((EAST, SOUTH, WEST, NORTH), (0, 0, 0, 0)),
    ],
)
def test_noten_pay_3000_in_all(tenpai, expected):
    """EMA 2016 3.14."""
    assert gains(after(PLAIN, draw(*tenpai))) == expected


def test_a_tenpai_hand_kept_closed_counts_as_noten_where_that_is_allowed():
    """HKMA 流局 §2, the guide 荒牌流局; EMA 2016 3.14 has it shown."""
    hidden = Hand(outcome=ExhaustiveDraw(tenpai=(SOUTH,), hidden=(EAST,)))

    game = after(rules_with(hidden_tenpai=True), hidden)

    assert (gains(game), game.dealer) == ((-1000, 3000, -1000, -1000), SOUTH)
    refused = (HanchanProblem("hidden", {"seat": EAST}),)
    assert check(new_game(rules_with(hidden_tenpai=False)), hidden) == refused


def test_nagashi_mangan_is_a_draw():
    """The guide 流局满贯: the deposits stay, one honba more, and the dealer stays who is tenpai."""
    rules = rules_with(nagashi_mangan=True)
    hand = Hand(outcome=Nagashi((SOUTH,), tenpai=(EAST,)), riichi=riichi(EAST))

    game = after(rules, draw(EAST), hand)

    assert gains(game) == (-4000 - 1000, 8000, -2000, -2000)
    assert table(game)[1:] == (1000, EAST, 2)


@pytest.mark.parametrize(("seat", "dealer", "honba"), [(SOUTH, SOUTH, 0), (EAST, EAST, 2)])
def test_nagashi_mangan_may_count_as_a_self_draw(seat, dealer, honba):
    """Kanto 荒牌平局: no exhaustive draw but a win, with honba and deposits, no matter who was tenpai."""
    rules = rules_with(nagashi_mangan=True, nagashi_as_tsumo=True)
    hand = Hand(outcome=Nagashi((seat,), tenpai=(EAST,)), riichi=riichi(EAST))

    game = after(rules, draw(EAST), hand)

    value = 8000 if seat == SOUTH else 12000
    own_riichi = 1000 if seat == EAST else 0
    assert gains(game)[seat] == value + 300 + 1000 - own_riichi
    assert table(game)[1:] == (0, dealer, honba)


@pytest.mark.parametrize("reason", ["kyuushu_kyuuhai", "suufon_renda", "suukaikan", "suucha_riichi"])
def test_an_abortive_draw_leaves_the_deal_and_the_deposits_and_adds_a_honba(reason):
    """Kanto 途中流局, the guide 牌规流局, TNT 流局."""
    rules = rules_with(abortive_draws=[reason])
    declared = riichi(EAST, SOUTH, WEST, NORTH) if reason == "suucha_riichi" else riichi(WEST)

    game = after(rules, Hand(outcome=Abort(reason), riichi=declared))

    assert table(game)[1:] == (1000 * len(declared), EAST, 1)
    assert check(new_game(PLAIN), Hand(outcome=Abort(reason), riichi=declared)) == (
        HanchanProblem("abort", {"reason": reason}),
    )


# Fouls


@pytest.mark.parametrize(
    ("after_chombo", "expected"),
    [
        ("replay", (0, EAST, 1)),  # EMA 2025, TNT 诈和: same hand and honba, this hand's deposits back
        ("draw", (1000, EAST, 2)),  # Kanto 途中流局: the dealer stays
        ("rotate", (1000, SOUTH, 2)),  # the guide 违例流局: the dealer passes, one honba more
    ],
)
def test_a_chombo_ends_the_hand_as_the_rule_set_says(after_chombo, expected):
    rules = rules_with(after_chombo=after_chombo)

    game = after(rules, draw(EAST), Hand(outcome=Chombo((WEST,)), riichi=riichi(NORTH)))

    assert table(game)[1:] == expected
    assert (game.chombo, game.steps[-1].result) == ((0, 0, 1, 0), "chombo")


@pytest.mark.parametrize(
    ("chombo", "timing", "expected"),
    [
        (-20, "after_uma", (0, 0, 0, 0)),  # EMA 2016 5.3: off the score, not the points
        ("reverse_mangan", "in_game", (4000, 2000, -8000, 2000)),  # EMA 2025 3.4.6
        ({"each": 4000}, "in_game", (4000, 4000, -12000, 4000)),  # TNT 诈和
    ],
)
def test_a_chombo_is_paid_in_the_game_or_only_counted(chombo, timing, expected):
    rules = rules_with(chombo=chombo, chombo_timing=timing)

    game = after(rules, Hand(outcome=Chombo((WEST,))))

    assert (gains(game), game.chombo) == (expected, (0, 0, 1, 0))


@pytest.mark.parametrize(("tiles", "void"), [(20, True), (19, False)])
def test_with_few_tiles_left_a_hand_goes_on_after_a_chombo(tiles, void):
    """HKMA 罰則 C-III: dealt again with 20 tiles or more; with fewer played on, the offender under a ban."""
    start = new_game(hkma())
    ended = Hand(outcome=Chombo((WEST,), live_tiles=tiles))
    went_on = tsumo(SOUTH, fouls=(Foul(WEST, live_tiles=tiles),))

    assert [check(start, hand) == () for hand in (ended, went_on)] == [void, not void]
    game = play(start, ended if void else went_on)
    assert game.chombo == (0, 0, 1, 0)
    assert game.dealer == (EAST if void else SOUTH)


def test_the_referee_may_let_a_hand_go_on_though_enough_tiles_are_left():
    """HKMA 罰則 C-III, 裁判認為不應該洗牌重配的理由."""
    hand = tsumo(SOUTH, fouls=(Foul(WEST, live_tiles=40, referee=True),))

    assert after(hkma(), hand).chombo == (0, 0, 1, 0)


def test_a_chombo_paid_in_the_game_is_paid_also_when_the_hand_goes_on():
    rules = rules_with(chombo={"each": 4000}, chombo_timing="in_game", redeal_tiles=20)

    game = after(rules, ron(SOUTH, NORTH, fouls=(Foul(WEST, live_tiles=3),)))

    assert gains(game) == (4000, 1000 + 4000, -12000, -1000 + 4000)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        # EMA 2016 5.3: as a chombo; the hand is void
        ({}, ((0, 0, 0, 0), 0, EAST, 0, (0, 0, 1, 0))),
        # TNT 诈立: 1000 to each besides the noten payment; the deposit is lost
        ({"noten_riichi": 1000}, ((0, 4000, -5000, 0), 1000, SOUTH, 1, (0, 0, 0, 0))),
        # HKMA 罰則 B-I, C-III: a chombo with no tiles left, so that the draw counts
        ({"redeal_tiles": 20}, ((-1000, 3000, -2000, -1000), 1000, SOUTH, 1, (0, 0, 1, 0))),
    ],
)
def test_a_riichi_without_tenpai_shows_at_an_exhaustive_draw(settings, expected):
    rules = rules_with(**settings)

    drawn = ExhaustiveDraw(tenpai=(SOUTH,), noten_riichi=(WEST,))

    game = after(rules, Hand(outcome=drawn, riichi=riichi(WEST)))

    assert (gains(game), *table(game)[1:], game.chombo) == expected


def test_a_riichi_without_tenpai_is_not_looked_at_when_another_player_wins():
    """EMA 2016 5.3."""
    assert after(PLAIN, tsumo(SOUTH, riichi=riichi(WEST))).chombo == (0, 0, 0, 0)


def test_a_riichi_without_tenpai_shows_at_nagashi_mangan_too_unless_that_is_a_win():
    hand = Hand(outcome=Nagashi((SOUTH,), noten_riichi=(WEST,)), riichi=riichi(WEST))

    assert after(rules_with(nagashi_mangan=True), hand).chombo == (0, 0, 1, 0)
    as_win = rules_with(nagashi_mangan=True, nagashi_as_tsumo=True)
    unseen = Hand(outcome=Nagashi((SOUTH,)), riichi=riichi(WEST))
    assert after(as_win, hand).chombo == after(as_win, unseen).chombo == (0, 0, 0, 0)
    own_price = rules_with(nagashi_mangan=True, noten_riichi=1000)
    assert gains(after(own_price, hand)) == (-4000 + 1000, 8000 + 1000, -2000 - 1000 - 3000, -2000 + 1000)


def test_a_dead_hand_is_noten_and_its_riichi_no_chombo():
    """EMA 2016 5.2 and 5.3."""
    game = after(PLAIN, draw(SOUTH, riichi=riichi(WEST), dead_hands=(WEST,)))

    assert (gains(game), game.chombo) == ((-1000, 3000, -2000, -1000), (0, 0, 0, 0))


def test_a_win_ban_takes_no_tenpai_away():
    """HKMA 3級: 和了禁止, and nothing of tenpai."""
    assert gains(after(hkma(), draw(SOUTH, win_bans=(SOUTH,)))) == (-1000, 3000, -1000, -1000)


@pytest.mark.parametrize(
    ("payment", "expected"), [(1000, (2000, -6000 - 1000, 2000 + 1000, 2000)), (0, (0, -1000, 1000, 0))]
)
def test_each_tile_too_many_is_paid_to_each(payment, expected):
    """HKMA 罰則 A-X 大相公; here two tiles, and a ron beside it."""
    rules = rules_with(extra_tile_payment=payment)

    assert gains(after(rules, ron(WEST, SOUTH, extra_tiles=(0, 2, 0, 0)))) == expected


def test_tiles_too_many_are_paid_though_the_hand_is_dealt_again():
    """HKMA 罰則 A-X: 於發現當刻."""
    game = after(hkma(), Hand(outcome=Chombo((WEST,)), extra_tiles=(1, 0, 0, 0)))

    assert gains(game) == (-3000, 1000, 1000, 1000)


def test_several_may_commit_a_chombo_in_one_hand():
    rules = rules_with(chombo={"each": 4000}, chombo_timing="in_game")

    drawn = ExhaustiveDraw(noten_riichi=(SOUTH, WEST))

    game = after(rules, Hand(outcome=drawn, riichi=riichi(SOUTH, WEST)))

    assert (gains(game), game.chombo) == ((8000, -8000, -8000, 8000), (0, 1, 1, 0))


# A game that begins with another hand than East 1


def test_a_game_begins_with_any_hand_by_its_name():
    game = new_game(PLAIN, at=HandName(1, 3, 2), points=(31_000, 20_000, 28_000, 20_000), deposits=1000)

    played = play(game, tsumo(WEST))

    assert (game.name, game.dealer, game.honba) == (HandName(1, 3, 2), WEST, 2)
    assert (played.name, played.deposits) == (HandName(1, 3, 3), 0)
    assert undo(played) == game == played.beginning
    assert correct(played, 0, draw()).name == HandName(1, 4, 3)
    assert from_values(game, played.as_values()) == played


def test_every_hand_that_a_game_reaches_can_be_its_first():
    """East 1 of a game of two east winds is the first of the two."""
    longest = {"extension": "full_wind", "target_points": 90_000, "extension_winds": None}
    for length in ("east", "half", "full", "east_north", "east_east"):
        rules = rules_with(game_length=length, **longest)
        names = [hand_name(turn, 0, rules) for turn in range(24)]
        assert [hand_name(turn_of(name, rules), 0, rules) for name in names] == names


@pytest.mark.parametrize(
    "first",
    [
        {"at": HandName(2, 1, 0)},  # west, where no extension follows
        {"at": HandName(0, 5, 0)},
        {"at": HandName(0, 1, -1)},
        {"deposits": 1000},  # of no one
        {"points": (25_000, 25_000, 25_000, 26_000), "deposits": -1000},
    ],
)
def test_a_game_that_cannot_have_come_so_far_is_refused(first):
    with pytest.raises(ValueError, match="no such"):
        new_game(PLAIN, **first)


# Undo, correction, and what goes on to the settlement


LOG = (
    draw(EAST, SOUTH, riichi=riichi(SOUTH)),
    ron(WEST, EAST),
    tsumo(SOUTH, HandValue(base=2000, limit="mangan")),
    draw(minutes=25),
)


def test_a_game_is_the_replay_of_its_hands():
    game = after(PLAIN, *LOG)

    assert game == replay(PLAIN, LOG)
    assert game.hands == LOG


def test_undo_takes_the_last_hand_back():
    assert undo(after(PLAIN, *LOG)) == after(PLAIN, *LOG[:-1])


def test_undo_takes_back_the_hand_that_ended_a_game():
    rules = rules_with(game_length="each_hand")
    assert after(rules, tsumo(SOUTH)).over == "length"

    assert undo(after(rules, tsumo(SOUTH))) == new_game(rules)


def test_there_is_nothing_to_undo_before_the_first_hand():
    with pytest.raises(ValueError, match="no hand was played"):
        undo(new_game(PLAIN))


def test_a_correction_plays_all_later_hands_again():
    corrected = correct(after(PLAIN, *LOG), 1, ron(WEST, SOUTH))

    assert corrected == after(PLAIN, LOG[0], ron(WEST, SOUTH), *LOG[2:])
    assert corrected != after(PLAIN, *LOG)


def test_a_correction_says_at_which_later_hand_the_log_is_no_longer_possible():
    rules = rules_with(riichi_below_1000=False, start_points=8000, return_points=8000, oka=0)
    declared = draw(WEST, riichi=riichi(WEST))
    game = after(rules, ron(SOUTH, EAST), draw(), declared, draw())

    with pytest.raises(IllegalHand) as refused:
        correct(game, 0, ron(SOUTH, WEST, limit_value("mangan", rules)))

    assert refused.value.index == 2
    assert refused.value.problems == (HanchanProblem("riichi_below_1000", {"seat": WEST, "points": 0}),)
    assert refused.value.game == after(rules, ron(SOUTH, WEST, limit_value("mangan", rules)), draw())


def test_a_correction_may_end_the_game_before_its_later_hands():
    rules = rules_with(bust=True)
    game = after(rules, ron(SOUTH, EAST), draw())

    with pytest.raises(IllegalHand) as refused:
        correct(game, 0, ron(SOUTH, EAST, yakuman_value(1, rules)))

    assert (refused.value.index, refused.value.problems) == (
        1,
        (HanchanProblem("game_over", {"why": "bust"}),),
    )


@pytest.mark.parametrize("index", [-1, 4])
def test_only_a_played_hand_can_be_corrected(index):
    with pytest.raises(IndexError):
        correct(after(PLAIN, *LOG), index, draw())


def test_a_game_that_is_over_takes_no_further_hand_and_keeps_its_last_dealer():
    rules = rules_with(game_length="east")
    game = after(rules, *[tsumo(EAST)] * 2, *[draw()] * 4)

    assert (game.over, game.name, game.last_dealer) == ("length", HandName(EAST, 4, 5), NORTH)
    assert check(game, draw()) == (HanchanProblem("game_over", {"why": "length"}),)
    with pytest.raises(IllegalHand, match="game_over"):
        play(game, draw())


def test_the_last_dealer_is_who_dealt_the_hand_that_was_played_last():
    game = after(PLAIN, draw(), draw())

    assert (game.last_dealer, game.dealer) == (SOUTH, WEST)
    assert new_game(PLAIN).last_dealer == EAST


def test_deposits_left_go_to_the_first_in_the_settlement():
    """HKMA 半莊結束 §4: 1000 points of three who share the first place are 400/300/300."""
    rules = hkma(game_length="each_hand")
    game = after(rules, draw(EAST, SOUTH, WEST, riichi=riichi(NORTH), dead_hands=(NORTH,)))
    assert game.points == (31000, 31000, 31000, 26000)

    seats = settle(game.points, rules, sticks=game.deposits, last_dealer=game.last_dealer)

    assert [seat.sticks for seat in seats] == [4, 3, 3, 0]


def test_the_last_dealer_goes_first_among_equals_in_the_settlement():
    """TNT 位次: counted from the dealer at settlement."""
    rules = rules_with(tie_rule="last_dealer", game_length="east")
    game = after(rules, *[draw()] * 4)

    seats = settle(game.points, rules, sticks=game.deposits, last_dealer=game.last_dealer)

    assert [seat.place for seat in seats] == [2, 3, 4, 1]


# The log as it is stored


STORED: dict[str, Any] = {
    "outcome": {
        "kind": "ron",
        "wins": [
            {
                "winner": 1,
                "value": {"base": 2000, "han": 4, "fu": 40, "limit": "mangan", "yakuman": 0},
                "liable": [],
            },
            {
                "winner": 3,
                "value": {"base": 8000, "han": None, "fu": None, "limit": "yakuman", "yakuman": 1},
                "liable": [{"player": 0, "yaku": "daisangen", "yakuman": None}],
            },
        ],
        "loser": 2,
    },
    "riichi": [{"seat": 2, "tile": "won", "live_tiles": 20}],
    "fouls": [{"seat": 0, "live_tiles": None, "referee": True}],
    "win_bans": [0],
    "dead_hands": [],
    "extra_tiles": [1, 0, 0, 0],
    "minutes": 33,
    "bell": False,
}


def test_a_hand_has_a_json_shape():
    mangan = HandValue(base=2000, han=4, fu=40, limit="mangan")
    yakuman = HandValue(base=8000, limit="yakuman", yakuman=1)
    hand = Hand(
        outcome=Ron((Win(1, mangan), Win(3, yakuman, (Liability(0, "daisangen"),))), 2),
        riichi=(Riichi(2, "won", 20),),
        fouls=(Foul(0, referee=True),),
        win_bans=(0,),
        extra_tiles=(1, 0, 0, 0),
        minutes=33,
    )

    assert hand.as_values() == STORED
    assert Hand.from_values(json.loads(json.dumps(STORED))) == hand


@pytest.mark.parametrize(
    "outcome",
    [
        Tsumo(win(1)),
        ExhaustiveDraw((0, 2), (3,), (1,)),
        Nagashi((1,), (0,), (2,), (3,)),
        Abort("suukaikan"),
        Chombo((2, 3), 44),
    ],
)
def test_every_outcome_comes_back_from_its_json_shape(outcome):
    hand = Hand(outcome=outcome)

    assert Hand.from_values(json.loads(json.dumps(hand.as_values()))) == hand


def test_what_has_a_default_may_be_left_out_of_the_json_shape():
    assert Hand.from_values({"outcome": {"kind": "draw"}}) == draw()


def test_a_log_comes_back_as_the_same_game():
    game = after(PLAIN, *LOG)

    assert from_values(PLAIN, json.loads(json.dumps(game.as_values()))) == game


@pytest.mark.parametrize(
    ("values", "place"),
    [
        (None, ""),
        ([], ""),
        ({}, "outcome"),
        ({"outcome": None}, "outcome.kind"),
        ({"outcome": {"kind": "tea"}}, "outcome.kind"),
        ({"outcome": {"kind": ["ron"]}}, "outcome.kind"),
        ({"outcome": {"kind": "draw"}, "tea": 1}, "tea"),
        ({"outcome": {"kind": "draw", "tenpai": "01"}}, "outcome.tenpai"),
        ({"outcome": {"kind": "draw", "tenpai": [0, True]}}, "outcome.tenpai.1"),
        ({"outcome": {"kind": "ron", "loser": 1}}, "outcome.wins"),
        ({"outcome": {"kind": "ron", "loser": 1, "wins": [{"winner": 0}]}}, "outcome.wins.0.value"),
        (
            {"outcome": {"kind": "tsumo", "win": {"winner": 0, "value": {"base": 2.5}}}},
            "outcome.win.value.base",
        ),
        ({"outcome": {"kind": "abort", "reason": 9}}, "outcome.reason"),
        ({"outcome": {"kind": "draw"}, "extra_tiles": [1, 0, 0]}, "extra_tiles"),
        ({"outcome": {"kind": "draw"}, "fouls": [{"seat": 1, "referee": "yes"}]}, "fouls.0.referee"),
        ({"outcome": {"kind": "draw"}, "minutes": "30"}, "minutes"),
    ],
)
def test_a_stored_hand_that_is_none_is_refused_with_its_place(values, place):
    good = draw().as_values()

    with pytest.raises(IllegalHand) as refused:
        from_values(PLAIN, [good, values])

    assert refused.value.index == 1
    assert refused.value.problems == (HanchanProblem("malformed", {"place": place}),)
    assert refused.value.game == after(PLAIN, draw())


# Hands of which not everything is known


def test_a_forgotten_discarder_leaves_the_scores_the_winner_and_the_next_hand():
    game = after(rules_with(), draw(EAST))
    known = Scores((24_000, 28_000, 24_000, 24_000), dealer_repeats=False, winners=(SOUTH,), win="ron")

    played = play(game, Hand(outcome=known, riichi=riichi(SOUTH)))

    assert (played.points, played.deposits, played.name) == (known.points, 0, HandName(0, 2, 0))
    assert (played.steps[-1].winners, played.steps[-1].result) == ((SOUTH,), "unseen")


def test_scores_alone_continue_the_game_as_a_draw():
    """What is missing from the total lies on the table as deposits."""
    played = after(rules_with(), Hand(outcome=Scores((24_000, 24_000, 25_000, 25_000), dealer_repeats=True)))

    assert (played.deposits, played.name) == (2000, HandName(0, 1, 1))


def test_the_honba_of_the_next_hand_can_be_given():
    known = Scores((25_000,) * 4, dealer_repeats=True, honba=3)

    assert after(rules_with(), Hand(outcome=known)).name == HandName(0, 1, 3)


def test_a_ruling_corrects_the_scores_between_two_hands():
    game = after(rules_with(), draw(EAST))

    ruled = play(game, Hand(outcome=Ruling((25_000,) * 4)))

    assert (ruled.points, ruled.name, ruled.deposits) == ((25_000,) * 4, game.name, 0)
    assert undo(ruled) == game


def test_the_hand_in_which_the_bell_rings_is_the_last_one():
    rules = rules_with(minutes=40, extra_hands=0)

    assert after(rules, draw(EAST)).over is None
    assert after(rules, draw(EAST, bell=True)).over == "time"


def test_a_bell_in_a_void_hand_makes_its_redeal_the_last_hand():
    rules = rules_with(minutes=40, extra_hands=0, after_chombo="replay")
    void = after(rules, Hand(outcome=Chombo((EAST,)), bell=True))

    assert void.over is None
    assert play(void, draw(EAST)).over == "time"


def test_a_forgotten_hand_is_put_in_and_a_false_one_removed():
    game = after(rules_with(), draw(EAST), tsumo(SOUTH))

    longer = insert(game, 1, draw(WEST))

    assert [hand.outcome for hand in longer.hands] == [
        draw(EAST).outcome,
        draw(WEST).outcome,
        game.hands[1].outcome,
    ]
    assert remove(longer, 1) == game
    for call in (lambda: insert(game, 3, draw()), lambda: remove(game, 2)):
        with pytest.raises(IndexError):
            call()
