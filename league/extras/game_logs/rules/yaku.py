"""Codes of yaku by Tenhou's number and Japanese name. Mahjong Soul's names differ in some."""

import re
from collections.abc import Mapping
from typing import Final

from scoring.units import WINDS

# In the order of Tenhou's numbers (mjlog, attributes `yaku` and `yakuman`).
_TENHOU: Final = (
    ("門前清自摸和", "menzen_tsumo"),
    ("立直", "riichi"),
    ("一発", "ippatsu"),
    ("槍槓", "chankan"),
    ("嶺上開花", "rinshan"),
    ("海底摸月", "haitei"),
    ("河底撈魚", "houtei"),
    ("平和", "pinfu"),
    ("断幺九", "tanyao"),
    ("一盃口", "iipeiko"),
    *((f"自風 {sign}", f"seat_{wind}") for sign, wind in zip("東南西北", WINDS, strict=True)),
    *((f"場風 {sign}", f"round_{wind}") for sign, wind in zip("東南西北", WINDS, strict=True)),
    ("役牌 白", "haku"),
    ("役牌 發", "hatsu"),
    ("役牌 中", "chun"),
    ("両立直", "double_riichi"),
    ("七対子", "chiitoitsu"),
    ("混全帯幺九", "chanta"),
    ("一気通貫", "ittsu"),
    ("三色同順", "sanshoku_doujun"),
    ("三色同刻", "sanshoku_doukou"),
    ("三槓子", "sankantsu"),
    ("対々和", "toitoi"),
    ("三暗刻", "sanankou"),
    ("小三元", "shousangen"),
    ("混老頭", "honroutou"),
    ("二盃口", "ryanpeiko"),
    ("純全帯幺九", "junchan"),
    ("混一色", "honitsu"),
    ("清一色", "chinitsu"),
    ("人和", "renhou"),
    ("天和", "tenhou"),
    ("地和", "chiihou"),
    ("大三元", "daisangen"),
    ("四暗刻", "suuankou"),
    ("四暗刻単騎", "suuankou_tanki"),
    ("字一色", "tsuuiisou"),
    ("緑一色", "ryuuiisou"),
    ("清老頭", "chinroutou"),
    ("九蓮宝燈", "chuuren"),
    ("純正九蓮宝燈", "junsei_chuuren"),
    ("国士無双", "kokushi"),
    ("国士無双１３面", "kokushi_13"),
    ("大四喜", "daisuushii"),
    ("小四喜", "shousuushii"),
    ("四槓子", "suukantsu"),
    ("ドラ", "dora"),
    ("裏ドラ", "ura_dora"),
    ("赤ドラ", "aka_dora"),
)
CODES: Final = tuple(code for _name, code in _TENHOU)
BY_NAME: Final[Mapping[str, str]] = dict(_TENHOU) | {
    "ダブル立直": "double_riichi",
    "国士無双十三面待ち": "kokushi_13",
    **{f"役牌:{sign}": code for sign, code in (("白", "haku"), ("發", "hatsu"), ("中", "chun"))},
}

_NAMED: Final = re.compile(r"(.+)\((?:(\d{1,2})飜|(役満))\)")


def read_named_yaku(text: str) -> tuple[str | None, int, bool]:
    """Return code (None if it has none here), han and whether it is a yakuman: "立直(1飜)", "大三元(役満)".

    Raises ValueError.
    """
    found = _NAMED.fullmatch(text)
    if found is None:
        raise ValueError(f"no yaku: {text!r}")
    name, han, yakuman = found.groups()
    return BY_NAME.get(name), int(han or 0), yakuman is not None
