"""All yaku, their values and the lower yaku that they replace.

Han are those on which the rule books agree (EMA 2016 4.2, HKMA 役種, the beginners' guide appendix II, which
has no double riichi). A *local* yaku has a `source` and counts only if the rule set's `local_yaku` names it.
`round_east` to `seat_north` are winds of the round and seat. Dora are not yaku.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from scoring.units import WINDS

DORA: Final = ("dora", "aka_dora", "ura_dora")  # add han to a hand that has a yaku; kan dora are among them

GUIDE: Final = "Beginners' guide, appendix II"


@dataclass(frozen=True, slots=True, kw_only=True)
class Yaku:
    """A yaku. `closed`, `open`: han of such a hand, None if it cannot have the yaku. `over`: lower yaku not
    counted beside.

    `yakuman` is 1 for a yakuman, whose han do not count. `double`: two in rule sets with double yakuman.
    """

    code: str
    closed: int | None = 0
    open: int | None = None
    yakuman: int = 0
    double: bool = False
    over: tuple[str, ...] = ()
    source: str = ""

    @property
    def local(self) -> bool:
        return bool(self.source)


def _yakuhai() -> Iterator[Yaku]:
    for what in ("round", "seat"):
        yield from (Yaku(code=f"{what}_{wind}", closed=1, open=1) for wind in WINDS)
    yield from (Yaku(code=dragon, closed=1, open=1) for dragon in ("haku", "hatsu", "chun"))


def _yakuman(
    code: str, *, double: bool = False, closed_only: bool = False, over: tuple[str, ...] = ()
) -> Yaku:
    return Yaku(code=code, open=None if closed_only else 0, yakuman=1, double=double, over=over)


def _local(code: str, han: tuple[int | None, int], source: str, over: tuple[str, ...] = ()) -> Yaku:
    closed, open_ = han
    return Yaku(code=code, closed=closed, open=open_, over=over, source=source)


def _local_yakuman(
    code: str, source: str, *, closed_only: bool = False, double: bool = False, over: tuple[str, ...] = ()
) -> Yaku:
    return replace(_yakuman(code, double=double, closed_only=closed_only, over=over), source=source)


_ALL: Final = (
    Yaku(code="riichi", closed=1),
    Yaku(code="double_riichi", closed=2, over=("riichi",)),
    Yaku(code="ippatsu", closed=1),
    Yaku(code="menzen_tsumo", closed=1),
    Yaku(code="chankan", closed=1, open=1),
    Yaku(code="rinshan", closed=1, open=1),
    Yaku(code="haitei", closed=1, open=1),
    Yaku(code="houtei", closed=1, open=1),
    Yaku(code="pinfu", closed=1),
    Yaku(code="tanyao", closed=1, open=1),
    Yaku(code="iipeiko", closed=1),
    *_yakuhai(),
    Yaku(code="sanshoku_doujun", closed=2, open=1),
    Yaku(code="ittsu", closed=2, open=1),
    Yaku(code="chanta", closed=2, open=1),
    Yaku(code="chiitoitsu", closed=2),
    Yaku(code="toitoi", closed=2, open=2),
    Yaku(code="sanankou", closed=2, open=2),
    Yaku(code="sankantsu", closed=2, open=2),
    Yaku(code="sanshoku_doukou", closed=2, open=2),
    Yaku(code="honroutou", closed=2, open=2, over=("chanta",)),
    Yaku(code="shousangen", closed=2, open=2),
    Yaku(code="honitsu", closed=3, open=2),
    Yaku(code="junchan", closed=3, open=2, over=("chanta",)),
    Yaku(code="ryanpeiko", closed=3, over=("iipeiko", "chiitoitsu")),
    Yaku(code="chinitsu", closed=6, open=5, over=("honitsu",)),
    Yaku(code="renhou", closed=5),  # what it is worth is a setting: a limit, five han or a yakuman
    _local("kanfuri", (1, 1), f"{GUIDE}: ron on a discard that follows a kan"),
    _local("tsubame_gaeshi", (1, 1), f"{GUIDE}: ron on the tile with which riichi is declared"),
    _local("juunirakutai", (None, 1), f"{GUIDE}: a win after four calls; a closed kan is not a call there"),
    _local(
        "renpuukou",
        (1, 1),
        "No source describes its value: one han more for a triplet of the wind that is both round and "
        "seat is Umaoka's choice",
    ),
    _local("uumensai", (2, 2), f"{GUIDE}: four sets and a pair of all three suits, a wind and a dragon"),
    _local("sanrenkou", (2, 2), f"{GUIDE}: three triplets in a row, one suit"),
    _local(
        "sanpuukou",
        (2, 2),
        "https://mahjongcollege.com/yaku/4203/: triplets of three winds; two han are the most usual",
    ),
    _local("isshoku_sanjun", (3, 2), f"{GUIDE}: three equal sequences", over=("iipeiko",)),
    _local(
        "iipinmooyue",
        (5, 5),
        f"{GUIDE}: the last tile of the wall is drawn and is 1p; it contains haitei",
        over=("haitei",),
    ),
    _local(
        "chuupinraoyui", (5, 5), f"{GUIDE}: ron on the last discard, 9p; it contains houtei", over=("houtei",)
    ),
    _local(
        "kinkei_dokuritsu",
        (None, 5),
        "Four calls and a single 1s; sources give from one han to a yakuman, so five han are Umaoka's choice",
        over=("juunirakutai",),
    ),
    _yakuman("daisangen", over=("shousangen",)),
    _yakuman("daisuushii", double=True, over=("shousuushii", "sanpuukou")),
    _yakuman("suukantsu", over=("sankantsu",)),
    _yakuman("tenhou", closed_only=True),
    _yakuman("chiihou", closed_only=True),
    _yakuman("kokushi", closed_only=True),
    _yakuman("kokushi_13", double=True, closed_only=True, over=("kokushi",)),
    _yakuman("suuankou", closed_only=True),
    _yakuman("suuankou_tanki", double=True, closed_only=True, over=("suuankou",)),
    _yakuman("chuuren", closed_only=True),
    _yakuman("junsei_chuuren", double=True, closed_only=True, over=("chuuren",)),
    _yakuman("shousuushii", over=("sanpuukou",)),
    _yakuman("tsuuiisou"),
    _yakuman("chinroutou"),
    _yakuman("ryuuiisou"),
    _local_yakuman(
        "daichisei",
        f"{GUIDE}: seven pairs of honours, a double yakuman; it contains tsuuiisou",
        closed_only=True,
        double=True,
        over=("tsuuiisou",),
    ),
    _local_yakuman("daisuurin", f"{GUIDE}: 22334455667788m, closed", closed_only=True),
    _local_yakuman("daisharin", f"{GUIDE}: 22334455667788p, closed", closed_only=True),
    _local_yakuman("daichikurin", f"{GUIDE}: 22334455667788s, closed", closed_only=True),
    _local_yakuman(
        "hyakumangoku",
        "https://mahjongcollege.com/yaku/3035/: characters only, their numbers sum to 100 or more",
    ),
    _local_yakuman(
        "isshoku_yonjun",
        "https://majandofu.com/one-color-triples: four equal sequences",
        over=("isshoku_sanjun",),
    ),
    _local_yakuman(
        "suurenkou",
        "https://majandofu.com/one-color-triples: four triplets in a row, one suit",
        over=("sanrenkou",),
    ),
    _local_yakuman(
        "kachoufuugetsu",
        "https://mahjongcollege.com/yaku/3060/: triplets of 5p, 1s, 1p and the wind of round or seat",
    ),
    _local_yakuman(
        "ishinoue_sannen",
        "http://ix3.jp/hiii/02mahken/1-10-2local.htm: double riichi and a win with the last tile, "
        "drawn or discarded",
        closed_only=True,
    ),
    _local_yakuman(
        "paarenchan",
        "https://mahjongcollege.com/yaku/1647/: the dealer's eighth win in a row; that it counts in "
        "those after it too, and only with another yaku, is Umaoka's choice",
    ),
    _local_yakuman(
        "shiisanpuutaa",
        "Wikipedia (ja), 十三不塔: at the first draw one pair and otherwise nothing that could become "
        "a set; counts alone",
        closed_only=True,
    ),
    _local_yakuman(
        "shiisuupuutaa",
        "Wikipedia (ja), 十三不塔: at the first draw not even a pair; counts alone",
        closed_only=True,
    ),
)

YAKU: Final[Mapping[str, Yaku]] = {yaku.code: yaku for yaku in _ALL}
