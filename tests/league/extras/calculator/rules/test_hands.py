"""Winning hands: their notation, every setting that decides their value, and why a hand cannot win."""

from typing import Any

import pytest

from league.extras.calculator.rules import (
    ADDED_KAN,
    CHI,
    CLOSED_KAN,
    OPEN_KAN,
    PON,
    FuPart,
    Group,
    HandError,
    Meld,
    NoWin,
    Reading,
    Situation,
    TileHand,
    Valued,
    YakuCount,
    evaluate,
    parse_hand,
)
from league.extras.calculator.rules.situation import CONTRADICTIONS
from scoring.payments import HandValue
from scoring.presets import resolve
from tests.league.extras.calculator.rules.winning import EVERYTHING, best, found, reasons, tenhou, yaku

EMA = resolve("ema-2016")


# Notation


def test_closed_tiles_melds_and_the_winning_tile_are_read():
    assert parse_hand("123m406p77z (555s) [1111z]", "7z") == TileHand(
        closed=("1m", "2m", "3m", "4p", "0p", "6p", "7z"),
        melds=(Meld(PON, ("5s", "5s", "5s")), Meld(CLOSED_KAN, ("1z",) * 4)),
        win="7z",
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(345m)", CHI),
        ("(534m)", CHI),
        ("(340m)", CHI),
        ("(777z)", PON),
        ("(505p)", PON),
        ("(9999s)", OPEN_KAN),
        ("[9999s]", CLOSED_KAN),
        ("{9999s}", ADDED_KAN),
    ],
)
def test_brackets_say_what_a_meld_is(text, kind):
    assert [meld.kind for meld in parse_hand(text).melds] == [kind]


def test_the_winning_tile_is_among_the_closed_ones_or_left_out():
    assert parse_hand("123m456p678s1355s", "2s") == parse_hand("123m456p678s12355s", "2s")


def test_a_red_five_that_is_won_with_may_be_typed_as_a_five():
    assert parse_hand("123m406p678s12355s", "5p").win == "0p"
    assert parse_hand("123m456p678s12340s", "5s").win == "0s"
    assert parse_hand("123m456p678s12350s", "5s").win == "5s"


def test_a_hand_without_a_winning_tile_waits():
    assert parse_hand("123m456p678s1355s").win is None


def test_a_hand_is_written_in_its_own_notation():
    text = "123m406p7z(555s)[1111z]{9999p}"

    assert str(parse_hand(text)) == text
    assert str(parse_hand("123m456p678s1355s", "2s")) == "123m456p1355678s2s"


@pytest.mark.parametrize(
    ("text", "win", "expected"),
    [
        ("(12m)", None, [("meld", {"tiles": "12m", "kinds": ("chi", "pon", "open_kan")})]),
        ("(124m)", None, [("meld", {"tiles": "124m", "kinds": ("chi", "pon", "open_kan")})]),
        ("(123z)", None, [("meld", {"tiles": "123z", "kinds": ("chi", "pon", "open_kan")})]),
        ("(891m)", None, [("meld", {"tiles": "891m", "kinds": ("chi", "pon", "open_kan")})]),
        ("(9m12p)", None, [("meld", {"tiles": "9m12p", "kinds": ("chi", "pon", "open_kan")})]),
        ("()", None, [("meld", {"tiles": "", "kinds": ("chi", "pon", "open_kan")})]),
        ("[111z]", None, [("meld", {"tiles": "111z", "kinds": ("closed_kan",)})]),
        ("{123m}", None, [("meld", {"tiles": "123m", "kinds": ("added_kan",)})]),
        ("123m(", None, [("bracket", {"bracket": "("})]),
        ("(123m]", None, [("bracket", {"bracket": "("}), ("bracket", {"bracket": "]"})]),
        ("123x(9z)", None, [("no_suit", {"numbers": "123"}), ("character", {"character": "x"}),
                            ("no_such_tile", {"tile": "9z"})]),
        ("1m", "", [("winning_tile", {"text": ""})]),
        ("1m", "12m", [("winning_tile", {"text": "12m"})]),
        ("1m", "8z", [("no_such_tile", {"tile": "8z"}), ("winning_tile", {"text": "8z"})]),
        ("123m456p678s12355s", "7z", [("winning_tile_missing", {"tile": "7z"})]),
    ],
)  # fmt: skip
def test_the_error_for_a_text_that_is_not_a_hand_says_why(text, win, expected):
    with pytest.raises(HandError) as caught:
        parse_hand(text, win)

    assert [(each.code, dict(each.params)) for each in caught.value.problems] == expected


def test_tiles_and_facts_that_do_not_exist_are_refused_when_built():
    for build in (
        lambda: TileHand(("0z",)),
        lambda: TileHand((), win=""),
        lambda: Meld(CHI, ("1z", "2z", "3z")),
        lambda: Meld(CLOSED_KAN, ("1m",) * 3),
        lambda: Situation(seat_wind=4, round_wind=0, tsumo=False),
        lambda: Situation(seat_wind=0, round_wind=0, tsumo=False, riichi=3),
        lambda: Situation(seat_wind=0, round_wind=0, tsumo=False, chankan="open"),
        lambda: Situation(seat_wind=0, round_wind=0, tsumo=False, dora=("8z",)),
        lambda: Situation(seat_wind=0, round_wind=0, tsumo=False, dealer_wins=-1),
    ):
        with pytest.raises(ValueError, match="no "):
            build()


# A whole reading


def test_a_reading_tells_yaku_han_fu_their_parts_the_value_and_the_groups():
    expected = Reading(
        yaku=(YakuCount("hatsu", 1), YakuCount("dora", 1), YakuCount("aka_dora", 1)),
        han=3,
        fu=70,
        fu_parts=(
            FuPart("base", 20),
            FuPart("closed_terminal_kan", 32, ("6z", "6z", "6z", "6z")),
            FuPart("open_terminal_kan", 16, ("1s", "1s", "1s", "1s")),
            FuPart("valued_pair", 2, ("7z", "7z")),
        ),
        value=HandValue(base=2000, han=3, fu=70, limit="mangan"),
        groups=(
            Group("sequence", ("4m", "5m", "6m")),
            Group("sequence", ("4p", "0p", "6p"), won=True),
            Group("pair", ("7z", "7z")),
            Group("open_kan", ("1s", "1s", "1s", "1s")),
            Group("closed_kan", ("6z", "6z", "6z", "6z")),
        ),
    )

    assert found("456m40p77z (1111s) [6666z]", "6p", dora=("4p",)) == Valued((expected,))


def test_a_red_five_lies_where_it_was_won_and_the_others_where_they_fit():
    drawn = best("055m456p678s1188s", "1s", riichi=1).groups
    won = best("345567m678p5588s", "0s", riichi=1).groups

    assert [group.tiles for group in drawn if "0m" in group.tiles] == [("5m", "5m", "0m")]
    assert [group.tiles for group in won if group.won] == [("5s", "5s", "0s")]


def parts(text: str, win: str, **facts: Any) -> dict[str, int]:
    return {part.code: part.fu for part in best(text, win, **facts).fu_parts}


@pytest.mark.parametrize(
    ("text", "win", "facts", "fu", "expected"),
    [  # EMA 2016 4.1
        ("123m456p678s23m55s", "4m", {}, 30, {"base": 20, "closed_ron": 10}),
        ("123m456p678s23m55s", "4m", {"tsumo": True}, 20, {"base": 20}),
        ("234m456p2355s(678s)", "4s", {}, 30, {"base": 20, "hand_without_fu": 2}),
        ("1133m5577p2288s4z", "4z", {}, 25, {"seven_pairs": 25}),
        ("1133m5577p2288s4z", "4z", {"tsumo": True}, 25, {"seven_pairs": 25}),
        ("123m456p678s1255s", "3s", {"riichi": 1}, 40, {"base": 20, "closed_ron": 10, "penchan": 2}),
        ("123m456p678s1355s", "2s", {"riichi": 1}, 40, {"base": 20, "closed_ron": 10, "kanchan": 2}),
        ("123m456678p678s5s", "5s", {"riichi": 1}, 40, {"base": 20, "closed_ron": 10, "pair_wait": 2}),
        ("123m456p678s13s66z", "2s", {"tsumo": True}, 30,
         {"base": 20, "valued_pair": 2, "kanchan": 2, "tsumo": 2}),
        ("333m456p678s4455s", "4s", {"riichi": 1}, 40,
         {"base": 20, "closed_ron": 10, "closed_pon": 4, "open_pon": 2}),
        ("999m456p678s4455s", "4s", {"riichi": 1, "tsumo": True}, 40,
         {"base": 20, "closed_terminal_pon": 8, "closed_pon": 4, "tsumo": 2}),
        ("456p55s34m(333s)(999p)", "2m", {"last_tile": True}, 30,
         {"base": 20, "open_pon": 2, "open_terminal_pon": 4}),
        ("55s34m[3333s](9999p)(8888m)", "2m", {"last_tile": True}, 60,
         {"base": 20, "closed_kan": 16, "open_terminal_kan": 16, "open_kan": 8}),
        # the beginners' guide, 符数: 8 + 2 + 32 + 20, which leaves out the 2 of the self-draw
        ("11199m45s(222p)[4444z]", "3s", {"tsumo": True, "last_tile": True}, 70,
         {"base": 20, "closed_terminal_pon": 8, "open_pon": 2, "closed_terminal_kan": 32, "tsumo": 2}),
    ],
)  # fmt: skip
def test_fu_are_listed_part_by_part(text, win, facts, fu, expected):
    assert (best(text, win, **facts).fu, parts(text, win, **facts)) == (fu, expected)


def test_the_fu_of_a_wait_have_the_tiles_of_its_group_and_those_of_a_self_draw_have_none():
    assert best("123m456p678s1355s", "2s", tsumo=True).fu_parts == (
        FuPart("base", 20),
        FuPart("kanchan", 2, ("1s", "2s", "3s")),
        FuPart("tsumo", 2),
    )


def test_every_reading_is_listed_and_the_one_that_scores_most_is_chosen():
    """EMA 2016 4.3.3: 4 han 20 fu for 5200, or 5 han 30 fu for a mangan."""
    value = found("2234455m234p234s", "3m", EMA, tsumo=True)

    assert isinstance(value, Valued)
    assert [(reading.han, reading.fu, reading.value.base) for reading in value.readings] == [
        (5, 30, 2000),
        (4, 20, 1280),
    ]
    assert [{each.code for each in reading.yaku} for reading in value.readings] == [
        {"menzen_tsumo", "tanyao", "iipeiko", "sanshoku_doujun"},
        {"menzen_tsumo", "tanyao", "iipeiko", "pinfu"},
    ]


def test_at_equal_points_more_han_then_more_fu_come_first():
    value = found("2233445566778p", "8p", tsumo=True)

    assert isinstance(value, Valued)
    keys = [(reading.value.base, reading.han, reading.fu) for reading in value.readings]
    assert keys == sorted(keys, reverse=True)
    assert len(keys) > 2


def test_a_yakuman_comes_before_a_counted_one():
    counted = {"riichi": 2, "ippatsu": True, "dora": ("1m",) * 4, "tsumo": True}
    value = found("222333444m55p77s", "5p", **counted)

    assert isinstance(value, Valued)
    assert [reading.value.limit for reading in value.readings][:2] == ["yakuman", "counted_yakuman"]


# Settings of the rule set


def test_open_tanyao():
    hand = ("234m456p2355s(678s)", "4s")

    assert yaku(*hand, tenhou(open_tanyao=True)) == {"tanyao": 1}
    assert reasons(*hand, tenhou(open_tanyao=False)) == [("no_yaku", {}), ("open_tanyao", {})]
    assert "tanyao" in yaku("234m456p678s2355s", "4s", tenhou(open_tanyao=False))


def test_kiriage_mangan():
    hand = ("123m456p678s23m55s", "4m")
    facts: dict[str, Any] = {"riichi": 2, "ippatsu": True}

    assert best(*hand, tenhou(kiriage_mangan=False), **facts).value == HandValue(base=1920, han=4, fu=30)
    assert best(*hand, tenhou(kiriage_mangan=True), **facts).value.limit == "mangan"


def test_counted_yakuman():
    """The beginners' guide, 累计役满: sixteen han."""
    hand = ("222444666s5588s", "8s")
    facts: dict[str, Any] = {"riichi": 1, "ippatsu": True, "dora": ("9m",), "ura": ("1s",)}

    assert yaku(*hand, **facts) == {
        **{"riichi": 1, "ippatsu": 1, "tanyao": 1, "chinitsu": 6, "toitoi": 2, "sanankou": 2},
        "ura_dora": 3,
    }
    assert best(*hand, tenhou(counted_yakuman="yakuman"), **facts).value == HandValue(
        base=8000, han=16, fu=50, limit="counted_yakuman"
    )
    assert best(*hand, tenhou(counted_yakuman="none"), **facts).value.limit == "sanbaiman"


DOUBLE = {
    "suuankou_tanki": ("222m888s444p5s777p", "5s"),
    "kokushi_13": ("19m19p19s1234567z", "1m"),
    "junsei_chuuren": ("1112345678999m", "5m"),
    "daisuushii": ("55p44z(111z)(222z)(333z)", "4z"),
    "daichisei": ("1122334455667z", "7z"),
}


@pytest.mark.parametrize("code", DOUBLE)
def test_double_yakuman(code):
    rules = tenhou(local_yaku=["daichisei"])

    assert yaku(*DOUBLE[code], tenhou(local_yaku=["daichisei"], double_yakuman=True)) == {code: 2}
    assert yaku(*DOUBLE[code], rules) == {code: 1}
    assert best(*DOUBLE[code], rules).value == HandValue(base=8000, limit="yakuman", yakuman=1)


def test_composite_yakuman():
    hand = ("1112223355666z", "3z")
    facts = {"tsumo": True}

    together = best(*hand, tenhou(composite_yakuman=True), **facts)
    alone = best(*hand, tenhou(composite_yakuman=False), **facts)

    assert together.yaku == (YakuCount("suuankou", 0, 1), YakuCount("tsuuiisou", 0, 1))
    assert together.value.yakuman == 2
    assert (alone.yaku, alone.value.yakuman) == ((YakuCount("suuankou", 0, 1),), 1)


def test_without_composite_yakuman_the_one_that_is_worth_most_counts():
    """Big four winds with four concealed triplets and honours only: 2 + 2 + 1."""
    hand = ("1112223334445z", "5z")
    assert yaku(*hand, tenhou(composite_yakuman=False, double_yakuman=True)) == {"daisuushii": 2}
    assert yaku(*hand, tenhou(double_yakuman=True)) == {"daisuushii": 2, "suuankou_tanki": 2, "tsuuiisou": 1}


def test_yakuman_limit():
    hand = ("1112223334445z", "5z")

    assert best(*hand, tenhou(double_yakuman=True, yakuman_limit=4)).value.yakuman == 4
    assert best(*hand, tenhou(double_yakuman=True)).value.yakuman == 5


def test_nothing_is_added_to_a_yakuman():
    facts: dict[str, Any] = {"riichi": 1, "ippatsu": True, "tsumo": True, "dora": ("4z",), "ura": ("4s",)}

    assert yaku("222m888s44p55s777p", "4p", **facts) == {"suuankou": 1}
    assert best("222m888s44p55s777p", "4p", **facts).fu_parts == ()


FIRST_RON = ("123m406p678s1355s", "2s")


@pytest.mark.parametrize(
    ("renhou", "expected", "value"),
    [
        ("mangan", {"renhou": 0}, HandValue(base=2000, limit="mangan")),
        ("five_han", {"renhou": 5}, HandValue(base=2000, han=5, fu=40, limit="mangan")),
        ("yakuman", {"renhou": 1}, HandValue(base=8000, limit="yakuman", yakuman=1)),
    ],
)
def test_nothing_is_added_to_renhou(renhou, expected, value):
    reading = best(*FIRST_RON, tenhou(renhou=renhou), first_turn=True, dora=("4p",))

    assert {each.code: each.yakuman or each.han for each in reading.yaku} == expected
    assert reading.value == value


def test_without_renhou_a_first_turn_ron_needs_a_yaku():
    assert reasons(*FIRST_RON, tenhou(renhou="none"), first_turn=True) == [
        ("no_yaku", {}),
        ("yaku_not_played", {"yaku": "renhou"}),
        ("only_dora", {"han": 1}),
    ]


def test_a_hand_that_is_worth_more_than_renhou_is_read_without_it():
    value = found("1112224567899m", "9m", tenhou(renhou="five_han"), first_turn=True)

    assert isinstance(value, Valued)
    assert {each.code for each in value.best.yaku} == {"chinitsu"}
    assert "renhou" in {each.code for reading in value.readings for each in reading.yaku}


def test_double_wind_pair_fu():
    hand = ("123m456p23678s22z", "4s")
    facts = {"round_wind": 1, "riichi": 1}

    assert parts(*hand, **facts)["double_valued_pair"] == 4
    reading = best(*hand, tenhou(double_wind_pair_fu=2), **facts)
    assert [part for part in reading.fu_parts if part.tiles] == [FuPart("valued_pair", 2, ("2z", "2z"))]


@pytest.mark.parametrize(
    ("hand", "facts", "fu"),
    [
        (("234567m234p67p88s", "5p"), {}, 20),  # pinfu by ron: 30 as counted
        (("123m456p678s1355s", "2s"), {"riichi": 1}, 20),  # a closed wait by ron: 40
        (("123m456p678s1355s", "2s"), {"tsumo": True}, 20),  # and by self-draw: 30
        (("123m456p678s12s77z", "3s"), {"tsumo": True}, 20),  # a pair of dragons
        (("112233m445566p77s", "7s"), {}, 20),  # ryanpeiko on a pair wait
        (("234m567p68s88p(345m)", "7s"), {"tsumo": True}, 30),
    ],
)
def test_fixed_fu_of_sequences(hand, facts, fu):
    """TNT, chapter 5: 20 fu for a closed hand, 30 for an open one, and nothing else is counted."""
    reading = best(*hand, tenhou(sequences_fu="fixed"), **facts)

    assert (reading.fu, reading.fu_parts) == (fu, (FuPart("sequences", fu),))


def test_a_hand_with_a_triplet_is_counted_where_sequences_have_fixed_fu():
    hand = ("123m456p678s222s5s", "5s")

    assert best(*hand, tenhou(sequences_fu="fixed"), riichi=1) == best(*hand, riichi=1)


def test_red_fives():
    hand = ("123m406p678s1355s", "2s")

    assert yaku(*hand, tenhou(red_fives=3), riichi=1) == {"riichi": 1, "aka_dora": 1}
    assert reasons(*hand, tenhou(red_fives=0), riichi=1) == [
        ("red_fives", {"tile": "0p", "count": 1, "most": 0})
    ]
    two = ("123m005p678s1355s", "2s")
    assert yaku(*two, tenhou(red_fives=4), riichi=1) == {"riichi": 1, "aka_dora": 2}
    assert reasons(*two, tenhou(red_fives=3), riichi=1) == [
        ("red_fives", {"tile": "0p", "count": 2, "most": 1})
    ]


def test_one_of_four_fives_is_red_where_the_rule_set_has_red_fives():
    hand = ("123m789p13s11z[5555s]", "2s")

    assert yaku(*hand, tenhou(red_fives=0), riichi=1) == {"riichi": 1}
    assert reasons(*hand, tenhou(red_fives=3), riichi=1) == [
        ("plain_fives", {"tile": "5s", "count": 4, "most": 3})
    ]
    assert yaku("123m789p13s11z[5550s]", "2s", tenhou(red_fives=3), riichi=1) == {"riichi": 1, "aka_dora": 1}


def test_ippatsu():
    facts: dict[str, Any] = {"riichi": 1, "ippatsu": True}

    assert yaku(*FIRST_RON, tenhou(ippatsu=True), **facts) == {"riichi": 1, "ippatsu": 1, "aka_dora": 1}
    assert yaku(*FIRST_RON, tenhou(ippatsu=False), **facts) == {"riichi": 1, "aka_dora": 1}


@pytest.mark.parametrize(
    ("overrides", "dora", "ura"),
    [
        ({}, 2, 2),
        ({"kan_ura_dora": False}, 2, 1),
        ({"kan_dora": False, "kan_ura_dora": False}, 1, 1),
        ({"ura_dora": False, "kan_ura_dora": False}, 2, 0),
    ],
)
def test_dora_of_kans_and_under_the_indicators(overrides, dora, ura):
    facts: dict[str, Any] = {"riichi": 1, "dora": ("9m", "1m"), "ura": ("3p", "5s")}
    counts = yaku("123m456p678s1355s", "2s", tenhou(**overrides), **facts)

    assert (counts.get("dora", 0), counts.get("ura_dora", 0)) == (dora, ura)


def test_a_red_five_counts_for_itself_and_for_each_indicator():
    """HKMA 懸賞牌 9: two and three han; TNT chapter 5: five at most."""
    hand = ("123m456p067s123s1z", "1z")

    counts = [
        sum(han for code, han in yaku(*hand, riichi=1, dora=("4s",) * shown).items() if "dora" in code)
        for shown in (1, 2, 4)
    ]

    assert counts == [2, 3, 5]


def test_kokushi_may_rob_a_closed_kan_where_the_rule_set_lets_it():
    hand = ("19m19p19s1234566z", "7z")
    other = ("123m456p678s1355s", "2s")

    assert yaku(*hand, tenhou(kokushi_ankan_ron=True), chankan="concealed") == {"kokushi": 1}
    assert reasons(*hand, tenhou(kokushi_ankan_ron=False), chankan="concealed") == [("concealed_kan", {})]
    assert reasons(*other, tenhou(kokushi_ankan_ron=True), chankan="concealed") == [("concealed_kan", {})]
    assert yaku(*hand, tenhou(kokushi_ankan_ron=False), chankan="added") == {"kokushi": 1}


# Yaku beside one another


def test_a_lower_yaku_is_not_counted_beside_its_higher_one():
    """The beginners' guide, appendix II note 2; EMA 2016 4.2.2.8 and 4.2.3.1."""
    assert yaku("112233m667788p5s", "5s") == {"ryanpeiko": 3}
    assert yaku("111m999p11s444z99s", "1s") == {"toitoi": 2, "sanankou": 2, "honroutou": 2}
    assert yaku("1199m1199p1199s2z", "2z") == {"chiitoitsu": 2, "honroutou": 2}


def test_the_local_yaku_of_the_last_tile_take_the_place_of_haitei_and_houtei():
    guide = tenhou(local_yaku=["iipinmooyue", "chuupinraoyui"])

    assert yaku("123m23p45667855s", "1p", guide, last_tile=True, tsumo=True) == {
        "menzen_tsumo": 1, "pinfu": 1, "iipinmooyue": 5
    }  # fmt: skip
    assert yaku("123m78p45667855s", "9p", guide, last_tile=True) == {"pinfu": 1, "chuupinraoyui": 5}


def test_eight_wins_in_a_row_need_a_yaku_of_their_own():
    facts: dict[str, Any] = {"seat_wind": 0, "dealer_wins": 7}

    assert yaku("234m456p678s2355s", "4s", EVERYTHING, **facts) == {"paarenchan": 1}
    assert reasons("123m456p1355s(678s)", "2s", EVERYTHING, **facts) == [("no_yaku", {})]


def test_a_closed_kan_leaves_the_hand_closed():
    assert yaku("123m456p1355s[9999p]", "2s", riichi=1, tsumo=True) == {"riichi": 1, "menzen_tsumo": 1}


def test_nine_gates_are_of_one_suit():
    assert yaku("123999p1145678s", "9s", riichi=1) == {"riichi": 1}


# Why a hand cannot win


def test_a_hand_that_is_not_complete_says_so():
    assert reasons("123m456p678s1355s", "4s", riichi=1) == [("not_complete", {})]


def test_a_hand_without_a_yaku_says_what_it_lacks():
    assert reasons("123m456p1355s(678s)", "2s") == [("no_yaku", {})]
    assert reasons("123m456p1355s(678s)", "2s", dora=("9m",)) == [("no_yaku", {}), ("only_dora", {"han": 1})]
    assert reasons("112233m1355s(678s)", "2s") == [("no_yaku", {}), ("closed_only", {"yaku": "iipeiko"})]
    assert reasons("66m123s11z(444m)(555m)", "6m", tenhou()) == [
        ("no_yaku", {}),
        ("yaku_not_played", {"yaku": "sanrenkou"}),
    ]


def test_the_scattered_hands_of_the_first_draw_are_named_where_they_are_not_played():
    assert reasons("159m159p159s1123z", "4z", tsumo=True, first_turn=True) == [
        ("no_yaku", {}),
        ("yaku_not_played", {"yaku": "shiisanpuutaa"}),
    ]


@pytest.mark.parametrize(
    ("text", "win", "facts", "expected"),
    [
        ("1m", None, {}, [("no_winning_tile", {}), ("tile_count", {"count": 1, "expected": 13})]),
        ("123m456p678s123555s", "2s", {}, [("tile_count", {"count": 15, "expected": 14})]),
        ("123m456p678s13s", "2s", {}, [("tile_count", {"count": 12, "expected": 14})]),
        ("1m(111p)(222p)(333p)(444p)(555p)", "1m", {}, [("melds", {"count": 5, "most": 4})]),
        ("11111m456p678s55s", "2m", {"riichi": 1}, [("five_of_a_tile", {"tile": "1m", "count": 5})]),
        ("111m456p678s1355s", "2s", {"riichi": 1, "dora": ("1m", "1m")},
         [("five_of_a_tile", {"tile": "1m", "count": 5})]),
        ("123m456p678s1355s", "2s", {"riichi": 1, "dora": ("1z",) * 3 + ("2z",) * 3},
         [("indicators", {"kind": "dora", "count": 6, "most": 5})]),
        ("123m456p678s1355s", "2s", {"riichi": 1, "dora": ("1z",), "ura": ("2z", "3z")},
         [("indicators", {"kind": "ura", "count": 2, "most": 1})]),
        ("123m456p678s2255s", "2s", {"chankan": "added"},
         [("chankan_tile", {"tile": "2s"})]),
    ],
)  # fmt: skip
def test_tiles_that_cannot_be_are_named(text, win, facts, expected):
    usual: dict[str, Any] = {"seat_wind": 1, "round_wind": 0, "tsumo": False, **facts}
    value = evaluate(parse_hand(text, win), Situation(**usual), tenhou())

    assert isinstance(value, NoWin)
    assert [(reason.code, dict(reason.params)) for reason in value.reasons] == expected


OPEN_KAN_HAND = ("123m456p1355s(9999p)", "2s")
CLOSED = ("123m456p678s1355s", "2s")


TOGETHER: list[tuple[tuple[str, str], dict[str, Any], str]] = [
    (("123m456p1355s(678s)", "2s"), {"riichi": 1}, "riichi_open"),
    (CLOSED, {"ippatsu": True}, "ippatsu_without_riichi"),
    (CLOSED, {"ura": ("1m",), "dora": ("1m",)}, "ura_without_riichi"),
    (OPEN_KAN_HAND, {"rinshan": True}, "rinshan_ron"),
    (CLOSED, {"rinshan": True, "tsumo": True}, "rinshan_without_kan"),
    (("123m456p1355s[9999p]", "2s"), {"rinshan": True, "tsumo": True, "riichi": 1, "ippatsu": True},
     "rinshan_ippatsu"),
    (OPEN_KAN_HAND, {"rinshan": True, "tsumo": True, "last_tile": True}, "rinshan_last_tile"),
    (CLOSED, {"chankan": "added", "tsumo": True}, "chankan_tsumo"),
    (CLOSED, {"chankan": "added", "last_tile": True}, "chankan_last_tile"),
    (CLOSED, {"riichi_discard": True, "tsumo": True}, "discard_tsumo"),
    (CLOSED, {"kan_discard": True, "tsumo": True}, "discard_tsumo"),
    (CLOSED, {"kan_discard": True, "chankan": "added"}, "discard_chankan"),
    (OPEN_KAN_HAND, {"first_turn": True, "tsumo": True}, "first_turn_melds"),
    (CLOSED, {"first_turn": True, "tsumo": True, "riichi": 1}, "first_turn_riichi"),
    (CLOSED, {"first_turn": True, "tsumo": True, "last_tile": True}, "first_turn_last_tile"),
    (CLOSED, {"first_turn": True, "chankan": "added"}, "first_turn_kan"),
    (CLOSED, {"first_turn": True, "seat_wind": 0}, "first_turn_dealer_ron"),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "facts", "code"), TOGETHER)
def test_facts_that_cannot_be_together_are_named(hand, facts, code):
    assert reasons(*hand, **facts) == [(code, {})]


def test_every_contradiction_is_tested():
    assert {code for _, _, code in TOGETHER} == set(CONTRADICTIONS)
