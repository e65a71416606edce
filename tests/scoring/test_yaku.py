"""Each yaku of the registry in a hand, closed and open, and a hand that misses it narrowly."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from scoring.hands import Valued, YakuCount
from scoring.hands.shapes import LOCAL, SCATTERED
from scoring.rules import LOCAL_YAKU
from scoring.yaku import DORA, YAKU
from tests.scoring.winning import EVERYTHING, found


@dataclass(frozen=True)
class Case:
    """A waiting hand, its winning tile and what happened; south's ron in the east round unless said."""

    hand: str
    win: str
    facts: dict[str, Any]


def case(hand: str, win: str, **facts: Any) -> Case:
    return Case(hand, win, facts)


def happened(**facts: Any) -> Case:
    """A closed hand without a yaku of its own."""
    return case("123m456p678s1355s", "2s", **facts)


def happened_open(**facts: Any) -> Case:
    return case("123m456p1355s(678s)", "2s", **facts)


FIRST_DRAW = {"first_turn": True, "tsumo": True}
LAST_DRAW = {"last_tile": True, "tsumo": True}

# code: (closed, open, near miss)
CASES: dict[str, tuple[Case | None, Case | None, Case]] = {
    "riichi": (happened(riichi=1), None, happened(riichi=2)),
    "double_riichi": (happened(riichi=2), None, happened(riichi=1)),
    "ippatsu": (happened(riichi=1, ippatsu=True), None, happened(riichi=1)),
    "menzen_tsumo": (happened(tsumo=True), None, happened_open(tsumo=True)),
    "chankan": (happened(chankan="added"), happened_open(chankan="added"), happened(riichi=1)),
    "rinshan": (
        case("123m456p1355s[9999p]", "2s", rinshan=True, tsumo=True),
        case("123m456p1355s(9999p)", "2s", rinshan=True, tsumo=True),
        case("123m456p1355s[9999p]", "2s", tsumo=True),
    ),
    "haitei": (happened(**LAST_DRAW), happened_open(**LAST_DRAW), happened(last_tile=True)),
    "houtei": (happened(last_tile=True), happened_open(last_tile=True), happened(**LAST_DRAW)),
    "pinfu": (
        case("123m456p678s23m55s", "4m"),
        None,
        case("123m456p678s23m11z", "4m", riichi=1),
    ),
    "tanyao": (
        case("234m456p678s2355s", "4s"),
        case("234m456p2355s(678s)", "4s"),
        case("234m456p678s2355s", "1s"),
    ),
    "iipeiko": (case("112233m456p1355s", "2s"), None, case("123345m456p1355s", "2s", riichi=1)),
    "round_east": (
        case("111z456p678s1355s", "2s"),
        case("456p678s1355s(111z)", "2s"),
        case("222z456p678s1355s", "2s"),
    ),
    "round_south": (
        case("222z456p678s1355s", "2s", round_wind=1, seat_wind=0),
        case("456p678s1355s(222z)", "2s", round_wind=1, seat_wind=0),
        case("222z456p678s1355s", "2s"),
    ),
    "round_west": (
        case("333z456p678s1355s", "2s", round_wind=2),
        case("456p678s1355s(333z)", "2s", round_wind=2),
        case("333z456p678s1355s", "2s", seat_wind=2),
    ),
    "round_north": (
        case("444z456p678s1355s", "2s", round_wind=3),
        case("456p678s1355s(444z)", "2s", round_wind=3),
        case("444z456p678s1355s", "2s", seat_wind=3),
    ),
    "seat_east": (
        case("111z456p678s1355s", "2s", seat_wind=0, round_wind=1),
        case("456p678s1355s(111z)", "2s", seat_wind=0, round_wind=1),
        case("111z456p678s1355s", "2s"),
    ),
    "seat_south": (
        case("222z456p678s1355s", "2s"),
        case("456p678s1355s(222z)", "2s"),
        case("222z456p678s1355s", "2s", seat_wind=0, round_wind=1),
    ),
    "seat_west": (
        case("333z456p678s1355s", "2s", seat_wind=2),
        case("456p678s1355s(333z)", "2s", seat_wind=2),
        case("333z456p678s1355s", "2s", round_wind=2),
    ),
    "seat_north": (
        case("444z456p678s1355s", "2s", seat_wind=3),
        case("456p678s1355s(444z)", "2s", seat_wind=3),
        case("444z456p678s1355s", "2s", round_wind=3),
    ),
    "haku": (
        case("555z456p678s1355s", "2s"),
        case("456p678s1355s(555z)", "2s"),
        case("123m456p678s13s55z", "2s", riichi=1),
    ),
    "hatsu": (
        case("666z456p678s1355s", "2s"),
        case("456p678s1355s(6666z)", "2s"),
        case("123m456p678s13s66z", "2s", riichi=1),
    ),
    "chun": (
        case("456p678s1355s[7777z]", "2s"),
        case("456p678s1355s{7777z}", "2s"),
        case("123m456p678s13s77z", "2s", riichi=1),
    ),
    "sanshoku_doujun": (
        case("234m234p24s789s11s", "3s"),
        case("234p24s789s11s(234m)", "3s"),
        case("234m345p24s789s11s", "3s", riichi=1),
    ),
    "ittsu": (
        case("12345679m456p55s", "8m"),
        case("12379m456p55s(456m)", "8m"),
        case("123456m79s456p55s", "8s", riichi=1),
    ),
    "chanta": (
        case("123m789p13s111z99s", "2s"),
        case("123m13s111z99s(789p)", "2s"),
        case("123m678p13s111z99s", "2s"),
    ),
    "chiitoitsu": (
        case("1133m5577p2288s4z", "4z"),
        None,
        case("1133m5577p2222s4z", "4z"),
    ),
    "toitoi": (
        case("222m888s55p11z[7777p]", "5p"),
        case("888s55p11z(222m)(777p)", "5p"),
        case("888s55p11z(222m)(678p)", "1z"),
    ),
    "sanankou": (
        case("222m888s444p67s11z", "5s"),
        case("222m888s444p1z(678s)", "1z"),
        case("222m888s44p55z678s", "4p", riichi=1),
    ),
    "sankantsu": (
        case("23s55s[1111m][9999p][4444z]", "1s"),
        case("23s55s[1111m](9999p){4444z}", "1s"),
        case("23s55s[1111m](9999p)(444z)", "1s", last_tile=True),
    ),
    "sanshoku_doukou": (
        case("333m333p33s678s11z", "3s"),
        case("333p33s678s11z(333m)", "3s"),
        case("333m333p44s678s11z", "4s", riichi=1),
    ),
    "honroutou": (
        case("111m999p11s444z99s", "1s"),
        case("999p11s444z99s(111m)", "1s"),
        case("111m999p22s444z99s", "2s"),
    ),
    "shousangen": (
        case("555z666z77z23m456p", "1m"),
        case("666z77z23m456p(555z)", "1m"),
        case("555z666z88m23m456p", "1m"),
    ),
    "honitsu": (
        case("1233456799m111z", "5m"),
        case("3456799m111z(123m)", "5m"),
        case("12334567m99s111z", "5m"),
    ),
    "junchan": (
        case("123m789p13s99s789s", "2s"),
        case("123m13s99s789s(789p)", "2s"),
        case("123m789p13s11z789s", "2s"),
    ),
    "ryanpeiko": (
        case("223344m667788p5s", "5s"),
        None,
        case("223344m567678p5s", "5s"),
    ),
    "chinitsu": (
        case("1111233456799m", "5m"),
        case("1113456799m(123m)", "5m"),
        case("1233456799m111z", "5m"),
    ),
    "renhou": (happened(first_turn=True), None, happened(**FIRST_DRAW)),
    "kanfuri": (happened(kan_discard=True), happened_open(kan_discard=True), happened(riichi_discard=True)),
    "tsubame_gaeshi": (
        happened(riichi_discard=True),
        happened_open(riichi_discard=True),
        happened(kan_discard=True),
    ),
    "juunirakutai": (
        None,
        case("9s(123m)(456p)(678s)(999p)", "9s"),
        case("9s(123m)(456p)(678s)[9999p]", "9s", last_tile=True),
    ),
    "renpuukou": (
        case("222z456p678s1355s", "2s", round_wind=1),
        case("456p678s1355s(222z)", "2s", round_wind=1),
        case("222z456p678s1355s", "2s"),
    ),
    "uumensai": (
        case("123m456p78s333z66z", "9s"),
        case("123m78s333z66z(456p)", "9s"),
        case("123m456p78s333z44z", "9s", riichi=1),
    ),
    "sanrenkou": (
        case("44455566m123s11z", "6m", tsumo=True),
        case("66m123s11z(444m)(555m)", "6m"),
        case("66m123s11z(444m)(777m)", "6m", last_tile=True),
    ),
    "sanpuukou": (
        case("55p123s11133344z", "4z"),
        case("55p123s44z(111z)(333z)", "4z"),
        case("55p123s11133344z", "5p"),
    ),
    "isshoku_sanjun": (
        case("22233344m678s99s", "4m"),
        case("22334m678s99s(234m)", "4m"),
        case("22333445m678s99s", "4m", riichi=1),
    ),
    "iipinmooyue": (
        case("123m23p45667855s", "1p", **LAST_DRAW),
        case("123m23p45655s(678s)", "1p", **LAST_DRAW),
        case("123m23p45667855s", "4p", **LAST_DRAW),
    ),
    "chuupinraoyui": (
        case("123m78p45667855s", "9p", last_tile=True),
        case("123m78p45655s(678s)", "9p", last_tile=True),
        case("123m78p45667855s", "6p", last_tile=True),
    ),
    "kinkei_dokuritsu": (
        None,
        case("1s(123m)(456p)(678s)(999p)", "1s"),
        case("2s(123m)(456p)(678s)(999p)", "2s"),
    ),
    "daisangen": (
        case("22m456p55566677z", "7z"),
        case("22m456p77z(555z)(666z)", "7z"),
        case("22m456p55566677z", "2m"),
    ),
    "daisuushii": (
        case("55p11122233344z", "4z"),
        case("55p44z(111z)(222z)(333z)", "4z"),
        case("55p44z(111z)(222z)(333z)", "5p"),
    ),
    "suukantsu": (
        case("5s[1111m][9999p][4444z][2222s]", "5s"),
        case("5s[1111m](9999p){4444z}[2222s]", "5s"),
        case("2255s[1111m](9999p){4444z}", "2s"),
    ),
    "tenhou": (happened(seat_wind=0, **FIRST_DRAW), None, happened(**FIRST_DRAW)),
    "chiihou": (happened(**FIRST_DRAW), None, happened(seat_wind=0, **FIRST_DRAW)),
    "kokushi": (
        case("119m19p19s123456z", "7z"),
        None,
        case("19m19p19s1234567z", "1m"),
    ),
    "kokushi_13": (
        case("19m19p19s1234567z", "1m"),
        None,
        case("119m19p19s123456z", "7z"),
    ),
    "suuankou": (
        case("222m888s44p55s777p", "4p", tsumo=True),
        None,
        case("222m888s44p55s777p", "4p"),
    ),
    "suuankou_tanki": (
        case("222m888s444p5s777p", "5s"),
        None,
        case("222m888s44p55s777p", "4p", tsumo=True),
    ),
    "chuuren": (
        case("1112345678899m", "9m"),
        None,
        case("1112224567899m", "9m"),
    ),
    "junsei_chuuren": (
        case("1112345678999m", "5m"),
        None,
        case("1112345678899m", "9m"),
    ),
    "shousuushii": (
        case("456p1112223344z", "3z"),
        case("456p3344z(111z)(222z)", "3z"),
        case("456p1112223355z", "3z"),
    ),
    "tsuuiisou": (
        case("1112223355666z", "3z"),
        case("3355666z(111z)(222z)", "3z"),
        case("99p33666z(111z)(222z)", "3z"),
    ),
    "chinroutou": (
        case("111999m1199p999s", "1p"),
        case("1199p999s(111m)(999m)", "1p"),
        case("11p999s11z(111m)(999m)", "1p"),
    ),
    "ryuuiisou": (
        case("2233446688s666z", "6s"),
        case("2346688s666z(234s)", "6s"),
        case("2346688s555z(234s)", "6s"),
    ),
    "daichisei": (
        case("1122334455667z", "7z"),
        None,
        case("1112223355666z", "3z"),
    ),
    "daisuurin": (case("2233445566778m", "8m"), None, case("2233445566778p", "8p")),
    "daisharin": (case("2233445566778p", "8p"), None, case("1122334455667p", "7p")),
    "daichikurin": (case("2233445566778s", "8s"), None, case("2233445566778m", "8m")),
    "hyakumangoku": (
        case("6677778888999m", "9m"),
        case("6677788999m(789m)", "8m"),
        case("2267777888899m", "9m"),
    ),
    "isshoku_yonjun": (
        case("2222333344445m", "5m"),
        case("2223334455m(234m)", "4m"),
        case("2223334455m(345m)", "4m"),
    ),
    "suurenkou": (
        case("22233344455m11z", "5m"),
        case("44455m11z(222m)(333m)", "5m"),
        case("44466m11z(222m)(333m)", "6m"),
    ),
    "kachoufuugetsu": (
        case("99m11555p111s222z", "1p"),
        case("99m11p222z(555p)(111s)", "1p"),
        case("99m11p333z(555p)(111s)", "1p"),
    ),
    "ishinoue_sannen": (
        happened(riichi=2, last_tile=True),
        None,
        happened(riichi=1, last_tile=True),
    ),
    "paarenchan": (
        case("234m456p678s2355s", "4s", seat_wind=0, dealer_wins=7),
        case("234m456p2355s(678s)", "4s", seat_wind=0, dealer_wins=8),
        case("234m456p678s2355s", "4s", seat_wind=0, dealer_wins=6),
    ),
    "shiisanpuutaa": (
        case("159m159p159s1123z", "4z", **FIRST_DRAW),
        None,
        case("159m159p157s1123z", "4z", **FIRST_DRAW),
    ),
    "shiisuupuutaa": (
        case("159m159p159s1234z", "5z", **FIRST_DRAW),
        None,
        case("159m159p159s1123z", "4z", **FIRST_DRAW),
    ),
}


def counted(each: Case) -> tuple[YakuCount, ...]:
    """The yaku of the best reading; none for a hand that does not win."""
    value = found(each.hand, each.win, EVERYTHING, **each.facts)
    return value.best.yaku if isinstance(value, Valued) else ()


def worth(code: str, han: int | None) -> YakuCount:
    """What the yaku counts where everything is played: yakuman in multiples, renhou as one of them."""
    if YAKU[code].yakuman or code == "renhou":
        return YakuCount(code, 0, 1 + YAKU[code].double)
    return YakuCount(code, han or 0)


@pytest.mark.parametrize("code", YAKU)
def test_a_closed_hand_with_the_yaku_counts_it(code: str) -> None:
    closed, yaku = CASES[code][0], YAKU[code]

    assert (closed is None) == (yaku.closed is None)
    if closed is not None:
        assert worth(code, yaku.closed) in counted(closed)


@pytest.mark.parametrize("code", YAKU)
def test_an_open_hand_with_the_yaku_counts_it(code: str) -> None:
    opened, yaku = CASES[code][1], YAKU[code]

    assert (opened is None) == (yaku.open is None)
    if opened is not None:
        assert worth(code, yaku.open) in counted(opened)


@pytest.mark.parametrize("code", YAKU)
def test_a_hand_that_misses_the_yaku_narrowly_does_not_count_it(code: str) -> None:
    assert code not in {each.code for each in counted(CASES[code][2])}


@pytest.mark.parametrize("code", LOCAL_YAKU)
def test_a_local_yaku_counts_only_where_the_rule_set_names_it(code: str) -> None:
    each = CASES[code][0] or CASES[code][1]
    assert each is not None
    without = replace(EVERYTHING, local_yaku=tuple(other for other in LOCAL_YAKU if other != code))

    value = found(each.hand, each.win, without, **each.facts)

    assert code in {each.code for each in counted(each)}
    assert not isinstance(value, Valued) or code not in {each.code for each in value.best.yaku}


def test_what_a_rule_set_may_name_is_what_is_looked_for_besides_the_yaku_of_the_books() -> None:
    assert set(LOCAL_YAKU) == {*LOCAL, *SCATTERED}


def test_lower_yaku_are_yaku_and_dora_are_not() -> None:
    assert {lower for yaku in YAKU.values() for lower in yaku.over} <= set(YAKU)
    assert set(DORA).isdisjoint(YAKU)


def test_every_yaku_has_its_hands() -> None:
    assert list(CASES) == list(YAKU)
