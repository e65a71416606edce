"""Names of yaku and limits. Tests walk all of them."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

# The word that players of every language use, and what it means where it is not theirs.
YAKU: Final[Mapping[str, Promise]] = {
    "riichi": pgettext_lazy("yaku", "Riichi"),
    "double_riichi": pgettext_lazy("yaku", "Double riichi"),
    "ippatsu": pgettext_lazy("yaku", "Ippatsu"),
    "menzen_tsumo": pgettext_lazy("yaku", "Menzen tsumo (closed self-draw)"),
    "pinfu": pgettext_lazy("yaku", "Pinfu"),
    "tanyao": pgettext_lazy("yaku", "Tanyao (all simples)"),
    "iipeiko": pgettext_lazy("yaku", "Iipeikou (one twin sequence)"),
    "haku": pgettext_lazy("yaku", "White dragon"),
    "hatsu": pgettext_lazy("yaku", "Green dragon"),
    "chun": pgettext_lazy("yaku", "Red dragon"),
    "round_east": pgettext_lazy("yaku", "Round wind east"),
    "round_south": pgettext_lazy("yaku", "Round wind south"),
    "round_west": pgettext_lazy("yaku", "Round wind west"),
    "round_north": pgettext_lazy("yaku", "Round wind north"),
    "seat_east": pgettext_lazy("yaku", "Seat wind east"),
    "seat_south": pgettext_lazy("yaku", "Seat wind south"),
    "seat_west": pgettext_lazy("yaku", "Seat wind west"),
    "seat_north": pgettext_lazy("yaku", "Seat wind north"),
    "rinshan": pgettext_lazy("yaku", "Rinshan (win on the replacement tile)"),
    "chankan": pgettext_lazy("yaku", "Chankan (robbing a kan)"),
    "haitei": pgettext_lazy("yaku", "Haitei (self-draw of the last tile)"),
    "houtei": pgettext_lazy("yaku", "Houtei (win on the last discard)"),
    "sanshoku_doujun": pgettext_lazy("yaku", "Sanshoku doujun (same sequence in three suits)"),
    "sanshoku_doukou": pgettext_lazy("yaku", "Sanshoku doukou (same triplet in three suits)"),
    "ittsu": pgettext_lazy("yaku", "Ittsu (straight of one suit)"),
    "chanta": pgettext_lazy("yaku", "Chanta (terminal or honour in every set)"),
    "junchan": pgettext_lazy("yaku", "Junchan (terminal in every set)"),
    "chiitoitsu": pgettext_lazy("yaku", "Chiitoitsu (seven pairs)"),
    "toitoi": pgettext_lazy("yaku", "Toitoi (all triplets)"),
    "sanankou": pgettext_lazy("yaku", "Sanankou (three concealed triplets)"),
    "sankantsu": pgettext_lazy("yaku", "Sankantsu (three kans)"),
    "honroutou": pgettext_lazy("yaku", "Honroutou (terminals and honours only)"),
    "shousangen": pgettext_lazy("yaku", "Shousangen (little three dragons)"),
    "honitsu": pgettext_lazy("yaku", "Honitsu (one suit and honours)"),
    "ryanpeiko": pgettext_lazy("yaku", "Ryanpeikou (two twin sequences)"),
    "chinitsu": pgettext_lazy("yaku", "Chinitsu (one suit only)"),
    "tenhou": pgettext_lazy("yaku", "Tenhou (dealer’s win on the deal)"),
    "chiihou": pgettext_lazy("yaku", "Chiihou (win on the first draw)"),
    "renhou": pgettext_lazy("yaku", "Renhou (win before the first draw)"),
    "kokushi": pgettext_lazy("yaku", "Kokushi (thirteen orphans)"),
    "kokushi_13": pgettext_lazy("yaku", "Kokushi (thirteen-sided wait)"),
    "suuankou": pgettext_lazy("yaku", "Suuankou (four concealed triplets)"),
    "suuankou_tanki": pgettext_lazy("yaku", "Suuankou tanki (pair wait)"),
    "daisangen": pgettext_lazy("yaku", "Daisangen (big three dragons)"),
    "shousuushii": pgettext_lazy("yaku", "Shousuushii (little four winds)"),
    "daisuushii": pgettext_lazy("yaku", "Daisuushii (big four winds)"),
    "tsuuiisou": pgettext_lazy("yaku", "Tsuuiisou (honours only)"),
    "ryuuiisou": pgettext_lazy("yaku", "Ryuuiisou (all green)"),
    "chinroutou": pgettext_lazy("yaku", "Chinroutou (terminals only)"),
    "chuuren": pgettext_lazy("yaku", "Chuuren poutou (nine gates)"),
    "junsei_chuuren": pgettext_lazy("yaku", "Pure chuuren poutou (nine waits)"),
    "suukantsu": pgettext_lazy("yaku", "Suukantsu (four kans)"),
    "dora": pgettext_lazy("yaku", "Dora"),
    "ura_dora": pgettext_lazy("yaku", "Ura dora"),
    "aka_dora": pgettext_lazy("yaku", "Red fives"),
    "chuupinraoyui": pgettext_lazy("yaku", "Chuupin raoyui (last discard, 9 of circles)"),
    "daichikurin": pgettext_lazy("yaku", "Daichikurin (pairs of 2 to 8 of bamboo)"),
    "daichisei": pgettext_lazy("yaku", "Daichisei (seven pairs of honours)"),
    "daisharin": pgettext_lazy("yaku", "Daisharin (pairs of 2 to 8 of circles)"),
    "daisuurin": pgettext_lazy("yaku", "Daisuurin (pairs of 2 to 8 of characters)"),
    "hyakumangoku": pgettext_lazy("yaku", "Hyakumangoku (characters that sum to 100)"),
    "iipinmooyue": pgettext_lazy("yaku", "Iipin mooyue (last draw, 1 of circles)"),
    "ishinoue_sannen": pgettext_lazy("yaku", "Ishi no ue ni mo sannen (double riichi, last tile)"),
    "isshoku_sanjun": pgettext_lazy("yaku", "Isshoku sanjun (three identical sequences)"),
    "isshoku_yonjun": pgettext_lazy("yaku", "Isshoku yonjun (four identical sequences)"),
    "juunirakutai": pgettext_lazy("yaku", "Juuniraku tai (four calls)"),
    "kachoufuugetsu": pgettext_lazy("yaku", "Kachou fuugetsu (flower, bird, wind, moon)"),
    "kanfuri": pgettext_lazy("yaku", "Kanfuri (win on the discard after a kan)"),
    "kinkei_dokuritsu": pgettext_lazy("yaku", "Kinkei dokuritsu (tanki on 1 of bamboo)"),
    "paarenchan": pgettext_lazy("yaku", "Paarenchan (dealer’s eighth win in a row)"),
    "renpuukou": pgettext_lazy("yaku", "Renpuukou (triplet of the double wind)"),
    "sanpuukou": pgettext_lazy("yaku", "Sanpuukou (three wind triplets)"),
    "sanrenkou": pgettext_lazy("yaku", "Sanrenkou (three triplets in a row)"),
    "shiisanpuutaa": pgettext_lazy("yaku", "Shiisanpuutaa (thirteen unrelated tiles)"),
    "shiisuupuutaa": pgettext_lazy("yaku", "Shiisuupuutaa (fourteen unrelated tiles)"),
    "suurenkou": pgettext_lazy("yaku", "Suurenkou (four triplets in a row)"),
    "tsubame_gaeshi": pgettext_lazy("yaku", "Tsubame gaeshi (win on a riichi discard)"),
    "uumensai": pgettext_lazy("yaku", "Uumensai (all five kinds of tiles)"),
}

LIMITS: Final[Mapping[str, Promise]] = {
    "mangan": gettext_lazy("Mangan"),
    "haneman": gettext_lazy("Haneman"),
    "baiman": gettext_lazy("Baiman"),
    "sanbaiman": gettext_lazy("Sanbaiman"),
    "counted_yakuman": gettext_lazy("Kazoe yakuman"),
    "yakuman": gettext_lazy("Yakuman"),
}
_MULTIPLES: Final[Mapping[int, Promise]] = {
    2: gettext_lazy("Double yakuman"),
    3: gettext_lazy("Triple yakuman"),
}


def yaku_name(code: str) -> str:
    return str(YAKU[code])


def limit_name(limit: str, yakuman: int = 1) -> str:
    """Return the name of a limit, for several yakuman with their number: “Double yakuman”."""
    if yakuman < 2:
        return str(LIMITS[limit])
    if yakuman in _MULTIPLES:
        return str(_MULTIPLES[yakuman])
    return _("%(count)s-fold yakuman") % {"count": yakuman}
