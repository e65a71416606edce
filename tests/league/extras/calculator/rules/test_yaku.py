"""Each yaku of the registry in a hand, closed and open, and a hand that misses it narrowly."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from league.extras.calculator.rules import Valued, YakuCount
from league.extras.calculator.rules.shapes import LOCAL, SCATTERED
from scoring.rules import LOCAL_YAKU
from scoring.yaku import DORA, YAKU
from tests.league.extras.calculator.rules.winning import EVERYTHING, found


@dataclass(frozen=True)
class Case:
    """A waiting hand, its winning tile and what happened; south's ron in the east round unless said."""

    hand: str
    win: str
    facts: dict[str, Any]


# The closed hand, the open one and the near misses of each yaku, with winning tile and what happened.
HANDS = """
riichi: 123m456p678s1355s 2s riichi=1 | - | 123m456p678s1355s 2s riichi=2
double_riichi: 123m456p678s1355s 2s riichi=2 | - | 123m456p678s1355s 2s riichi=1
ippatsu: 123m456p678s1355s 2s riichi=1 ippatsu | - | 123m456p678s1355s 2s riichi=1
menzen_tsumo: 123m456p678s1355s 2s tsumo | - | 123m456p1355s(678s) 2s tsumo
chankan: 123m456p678s1355s 2s chankan=added | 123m456p1355s(678s) 2s chankan=added |
    123m456p678s1355s 2s riichi=1
rinshan: 123m456p1355s[9999p] 2s rinshan tsumo | 123m456p1355s(9999p) 2s rinshan tsumo |
    123m456p1355s[9999p] 2s tsumo
haitei: 123m456p678s1355s 2s last_tile tsumo | 123m456p1355s(678s) 2s last_tile tsumo |
    123m456p678s1355s 2s last_tile
houtei: 123m456p678s1355s 2s last_tile | 123m456p1355s(678s) 2s last_tile |
    123m456p678s1355s 2s last_tile tsumo
pinfu: 123m456p678s23m55s 4m | - | 123m456p678s23m11z 4m riichi=1
tanyao: 234m456p678s2355s 4s | 234m456p2355s(678s) 4s | 234m456p678s2355s 1s
iipeiko: 112233m456p1355s 2s | - | 123345m456p1355s 2s riichi=1
round_east: 111z456p678s1355s 2s | 456p678s1355s(111z) 2s | 222z456p678s1355s 2s
round_south: 222z456p678s1355s 2s round_wind=1 seat_wind=0 | 456p678s1355s(222z) 2s round_wind=1 seat_wind=0 |
    222z456p678s1355s 2s
round_west: 333z456p678s1355s 2s round_wind=2 | 456p678s1355s(333z) 2s round_wind=2 |
    333z456p678s1355s 2s seat_wind=2
round_north: 444z456p678s1355s 2s round_wind=3 | 456p678s1355s(444z) 2s round_wind=3 |
    444z456p678s1355s 2s seat_wind=3
seat_east: 111z456p678s1355s 2s seat_wind=0 round_wind=1 | 456p678s1355s(111z) 2s seat_wind=0 round_wind=1 |
    111z456p678s1355s 2s
seat_south: 222z456p678s1355s 2s | 456p678s1355s(222z) 2s | 222z456p678s1355s 2s seat_wind=0 round_wind=1
seat_west: 333z456p678s1355s 2s seat_wind=2 | 456p678s1355s(333z) 2s seat_wind=2 |
    333z456p678s1355s 2s round_wind=2
seat_north: 444z456p678s1355s 2s seat_wind=3 | 456p678s1355s(444z) 2s seat_wind=3 |
    444z456p678s1355s 2s round_wind=3
haku: 555z456p678s1355s 2s | 456p678s1355s(555z) 2s | 123m456p678s13s55z 2s riichi=1
hatsu: 666z456p678s1355s 2s | 456p678s1355s(6666z) 2s | 123m456p678s13s66z 2s riichi=1
chun: 456p678s1355s[7777z] 2s | 456p678s1355s{7777z} 2s | 123m456p678s13s77z 2s riichi=1
sanshoku_doujun: 234m234p24s789s11s 3s | 234p24s789s11s(234m) 3s | 234m345p24s789s11s 3s riichi=1
ittsu: 12345679m456p55s 8m | 12379m456p55s(456m) 8m | 123456m79s456p55s 8s riichi=1
chanta: 123m789p13s111z99s 2s | 123m13s111z99s(789p) 2s | 123m678p13s111z99s 2s
chiitoitsu: 1133m5577p2288s4z 4z | - | 1133m5577p2222s4z 4z
toitoi: 222m888s55p11z[7777p] 5p | 888s55p11z(222m)(777p) 5p | 888s55p11z(222m)(678p) 1z
sanankou: 222m888s444p67s11z 5s | 222m888s444p1z(678s) 1z | 222m888s44p55z678s 4p riichi=1
sankantsu: 23s55s[1111m][9999p][4444z] 1s | 23s55s[1111m](9999p){4444z} 1s |
    23s55s[1111m](9999p)(444z) 1s last_tile
sanshoku_doukou: 333m333p33s678s11z 3s | 333p33s678s11z(333m) 3s | 333m333p44s678s11z 4s riichi=1
honroutou: 111m999p11s444z99s 1s | 999p11s444z99s(111m) 1s | 111m999p22s444z99s 2s
shousangen: 555z666z77z23m456p 1m | 666z77z23m456p(555z) 1m | 555z666z88m23m456p 1m
honitsu: 1233456799m111z 5m | 3456799m111z(123m) 5m | 12334567m99s111z 5m
junchan: 123m789p13s99s789s 2s | 123m13s99s789s(789p) 2s | 123m789p13s11z789s 2s
ryanpeiko: 223344m667788p5s 5s | - | 223344m567678p5s 5s
chinitsu: 1111233456799m 5m | 1113456799m(123m) 5m | 1233456799m111z 5m
renhou: 123m456p678s1355s 2s first_turn | - | 123m456p678s1355s 2s first_turn tsumo
kanfuri: 123m456p678s1355s 2s kan_discard | 123m456p1355s(678s) 2s kan_discard |
    123m456p678s1355s 2s riichi_discard
tsubame_gaeshi: 123m456p678s1355s 2s riichi_discard | 123m456p1355s(678s) 2s riichi_discard |
    123m456p678s1355s 2s kan_discard
juunirakutai: - | 9s(123m)(456p)(678s)(999p) 9s | 9s(123m)(456p)(678s)[9999p] 9s last_tile
renpuukou: 222z456p678s1355s 2s round_wind=1 | 456p678s1355s(222z) 2s round_wind=1 | 222z456p678s1355s 2s
uumensai: 123m456p78s333z66z 9s | 123m78s333z66z(456p) 9s | 123m456p78s333z44z 9s riichi=1
sanrenkou: 44455566m123s11z 6m tsumo | 66m123s11z(444m)(555m) 6m | 66m123s11z(444m)(777m) 6m last_tile |
    888999m11p123s55z 1p riichi=1 | 11p123s44455566z 6z
sanpuukou: 55p123s11133344z 4z | 55p123s44z(111z)(333z) 4z | 55p123s11133344z 5p
isshoku_sanjun: 22233344m678s99s 4m | 22334m678s99s(234m) 4m | 22333445m678s99s 4m riichi=1
iipinmooyue: 123m23p45667855s 1p last_tile tsumo | 123m23p45655s(678s) 1p last_tile tsumo |
    123m23p45667855s 4p last_tile tsumo
chuupinraoyui: 123m78p45667855s 9p last_tile | 123m78p45655s(678s) 9p last_tile |
    123m78p45667855s 6p last_tile
kinkei_dokuritsu: - | 1s(123m)(456p)(678s)(999p) 1s | 2s(123m)(456p)(678s)(999p) 2s
daisangen: 22m456p55566677z 7z | 22m456p77z(555z)(666z) 7z | 22m456p55566677z 2m
daisuushii: 55p11122233344z 4z | 55p44z(111z)(222z)(333z) 4z | 55p44z(111z)(222z)(333z) 5p
suukantsu: 5s[1111m][9999p][4444z][2222s] 5s | 5s[1111m](9999p){4444z}[2222s] 5s |
    2255s[1111m](9999p){4444z} 2s
tenhou: 123m456p678s1355s 2s seat_wind=0 first_turn tsumo | - | 123m456p678s1355s 2s first_turn tsumo
chiihou: 123m456p678s1355s 2s first_turn tsumo | - | 123m456p678s1355s 2s seat_wind=0 first_turn tsumo
kokushi: 119m19p19s123456z 7z | - | 19m19p19s1234567z 1m
kokushi_13: 19m19p19s1234567z 1m | - | 119m19p19s123456z 7z
suuankou: 222m888s44p55s777p 4p tsumo | - | 222m888s44p55s777p 4p
suuankou_tanki: 222m888s444p5s777p 5s | - | 222m888s44p55s777p 4p tsumo
chuuren: 1112345678899m 9m | - | 1112224567899m 9m
junsei_chuuren: 1112345678999m 5m | - | 1112345678899m 9m
shousuushii: 456p1112223344z 3z | 456p3344z(111z)(222z) 3z | 456p1112223355z 3z
tsuuiisou: 1112223355666z 3z | 3355666z(111z)(222z) 3z | 99p33666z(111z)(222z) 3z
chinroutou: 111999m1199p999s 1p | 1199p999s(111m)(999m) 1p | 11p999s11z(111m)(999m) 1p
ryuuiisou: 2233446688s666z 6s | 2346688s666z(234s) 6s | 2346688s555z(234s) 6s
daichisei: 1122334455667z 7z | - | 1112223355666z 3z
daisuurin: 2233445566778m 8m | - | 2233445566778p 8p
daisharin: 2233445566778p 8p | - | 1122334455667p 7p
daichikurin: 2233445566778s 8s | - | 2233445566778m 8m
hyakumangoku: 6677778888999m 9m | 6677788999m(789m) 8m | 2267777888899m 9m
isshoku_yonjun: 2222333344445m 5m | 2223334455m(234m) 4m | 2223334455m(345m) 4m
suurenkou: 22233344455m11z 5m | 44455m11z(222m)(333m) 5m | 44466m11z(222m)(333m) 6m |
    777888999m11p22s 1p
kachoufuugetsu: 99m11555p111s222z 1p | 99m11p222z(555p)(111s) 1p | 99m11p333z(555p)(111s) 1p
ishinoue_sannen: 123m456p678s1355s 2s riichi=2 last_tile | - | 123m456p678s1355s 2s riichi=1 last_tile
paarenchan: 234m456p678s2355s 4s seat_wind=0 dealer_wins=7 |
    234m456p2355s(678s) 4s seat_wind=0 dealer_wins=8 | 234m456p678s2355s 4s seat_wind=0 dealer_wins=6
shiisanpuutaa: 159m159p159s1123z 4z first_turn tsumo | - | 159m159p157s1123z 4z first_turn tsumo
shiisuupuutaa: 159m159p159s1234z 5z first_turn tsumo | - | 159m159p159s1123z 4z first_turn tsumo
"""


def case(text: str) -> Case | None:
    """Read one case: "-" is none, a word without a value is True."""
    hand, _, rest = text.strip().partition(" ")
    win, *words = rest.split() or [""]
    facts = {name: value for name, _, value in (word.partition("=") for word in words)}
    read = {name: int(value) if value.isdigit() else value or True for name, value in facts.items()}
    return None if hand == "-" else Case(hand, win, read)


CASES = {
    code: tuple(map(case, cases.split("|")))
    for code, _, cases in (line.partition(":") for line in HANDS.replace("|\n", "|").strip().splitlines())
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
def test_a_closed_hand_with_the_yaku_counts_it(code):
    closed, yaku = CASES[code][0], YAKU[code]

    assert (closed is None) == (yaku.closed is None)
    if closed is not None:
        assert worth(code, yaku.closed) in counted(closed)


@pytest.mark.parametrize("code", YAKU)
def test_an_open_hand_with_the_yaku_counts_it(code):
    opened, yaku = CASES[code][1], YAKU[code]

    assert (opened is None) == (yaku.open is None)
    if opened is not None:
        assert worth(code, yaku.open) in counted(opened)


@pytest.mark.parametrize("code", YAKU)
def test_a_hand_that_misses_the_yaku_narrowly_does_not_count_it(code):
    for near in CASES[code][2:]:
        assert code not in {each.code for each in counted(near)}


@pytest.mark.parametrize("code", LOCAL_YAKU)
def test_a_local_yaku_counts_only_where_the_rule_set_names_it(code):
    each = CASES[code][0] or CASES[code][1]
    assert each is not None
    without = replace(EVERYTHING, local_yaku=tuple(other for other in LOCAL_YAKU if other != code))

    value = found(each.hand, each.win, without, **each.facts)

    assert code in {each.code for each in counted(each)}
    assert not isinstance(value, Valued) or code not in {each.code for each in value.best.yaku}


def test_what_a_rule_set_may_name_is_what_is_looked_for_besides_the_yaku_of_the_books():
    assert set(LOCAL_YAKU) == {*LOCAL, *SCATTERED}


def test_lower_yaku_are_yaku_and_dora_are_not():
    assert {lower for yaku in YAKU.values() for lower in yaku.over} <= set(YAKU)
    assert set(DORA).isdisjoint(YAKU)


def test_every_yaku_has_its_hands():
    assert list(CASES) == list(YAKU)
