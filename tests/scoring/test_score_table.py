"""The score table of a rule set, against every cell that the documents print. Points in points.

The cells are in `tests/data/seed_score_tables.json`; `null` is a blank or a dash on paper, "mangan" the one
big cell of the hands that reach it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scoring.payments import HandValue, hand_value, ron_points, tsumo_points
from scoring.presets import resolve
from scoring.score_table import (
    FU,
    HAN,
    Price,
    is_possible,
    nearest_value,
    possible_values,
    score_table,
    values_paying,
)

PRINTED: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "seed_score_tables.json").read_text(encoding="utf-8")
)

PRESETS = {
    "seed_000_EMA2016": ("EMA 2016", "ema-2016"),
    "seed_001_tutorial": ("Guide", "guide"),
    "seed_002_HKMA": ("HKMA", "hkma-a-2025-04"),
}
SECTIONS = {
    "dealer_ron": ("dealer", "ron"),
    "dealer_tsumo_each": ("dealer", "tsumo"),
    "nondealer_ron": ("other", "ron"),
    "nondealer_tsumo": ("other", "tsumo"),
    "nondealer_tsumo_restored": ("other", "tsumo"),
}
SMALL_NUMBERS = "nondealer_tsumo_as_printed_small_number"

# EMA 2016, table 闲家自摸 (line 558 of the text): the row named 25 fu is the lower line of the row above it,
# what the dealer pays for 20 fu. The row of 25 fu is lost.
MISPRINTS = {(2, 25): (700, None), (3, 25): (1300, 800), (4, 25): (2600, 1600)}


class Cell(NamedTuple):
    preset: str
    han: int
    fu: int
    side: str
    way: str
    printed: Any

    @property
    def price(self) -> Any:
        return getattr(price(self.preset, self.han, self.fu, self.side), self.way)


def price(preset: str, han: int, fu: int, side: str) -> Price:
    table = score_table(resolve(preset))
    return getattr(table.rows[HAN.index(han)][FU.index(fu)], side)


def printed_cells() -> Iterator[Any]:
    for document, (name, preset) in PRESETS.items():
        for section, (side, way) in SECTIONS.items():
            for han, row in PRINTED[document].get(section, {}).items():
                for fu, value in row.items():
                    cell = Cell(preset, int(han), int(fu), side, way, value)
                    yield pytest.param(cell, id=f"{name}: {section}, {han} han {fu} fu")


def small_numbers() -> Iterator[Any]:
    for han, row in PRINTED["seed_000_EMA2016"][SMALL_NUMBERS].items():
        for fu, value in row.items():
            yield pytest.param(int(han), int(fu), value, id=f"EMA 2016: {han} han {fu} fu")


def shares(printed: Any, cell: Cell) -> Any:
    """What is printed in the shape of a `Price`: one number for a ron, a tuple for a self-draw."""
    if printed == "mangan":
        row = next(row for row in score_table(resolve(cell.preset)).limits if row.limit == "mangan")
        return getattr(getattr(row, cell.side), cell.way)
    if isinstance(printed, list):
        return tuple(printed)
    return (printed,) if cell.way == "tsumo" and printed is not None else printed


@pytest.mark.parametrize("cell", list(printed_cells()))
def test_every_printed_cell_is_ours(cell):
    assert cell.price == shares(cell.printed, cell)


@pytest.mark.parametrize(("han", "fu", "printed"), list(small_numbers()))
def test_every_printed_share_of_a_player_who_does_not_deal_is_ours(han, fu, printed):
    found = price("ema-2016", han, fu, "other").tsumo
    share = None if found is None else found[0]

    if (han, fu) in MISPRINTS:
        assert (printed, share) == MISPRINTS[han, fu]
    else:
        assert share == printed


def test_no_table_of_the_documents_is_left_out():
    for document in PRESETS:
        tables = {
            name
            for name, value in PRINTED[document].items()
            if isinstance(value, dict) and name not in ("limits",)
        }
        assert tables <= {*SECTIONS, SMALL_NUMBERS}


# The hands that a document prints as one cell of mangan, without their columns.
MERGED = {
    "guide": {3: range(70, 120, 10), 4: range(40, 120, 10)},
    "hkma-a-2025-04": {3: range(60, 120, 10), 4: range(30, 120, 10)},
}


@pytest.mark.parametrize("preset", MERGED)
def test_what_is_printed_as_one_cell_is_mangan_and_no_other_hand_is(preset):
    found = {(cell.han, cell.fu) for row in score_table(resolve(preset)).rows for cell in row if cell.limit}

    assert found == {(han, fu) for han, columns in MERGED[preset].items() for fu in columns}


# Limits

LIMITS = {
    "mangan": "mangan",
    "haneman": "haneman",
    "baiman": "baiman",
    "sanbaiman": "sanbaiman",
    "kazoe_yakuman(13+)/yakuman": "counted_yakuman",
    "yakuman": "yakuman",
}


def printed_limits() -> Iterator[Any]:
    for document, (name, preset) in PRESETS.items():
        for label, value in PRINTED[document]["limits"].items():
            if isinstance(value, dict):
                limit = LIMITS.get(label) or LIMITS[label.partition("(")[0]]
                yield pytest.param(preset, limit, value, id=f"{name}: {label}")


@pytest.mark.parametrize(("preset", "limit", "printed"), list(printed_limits()))
def test_every_printed_limit_is_ours(preset, limit, printed):
    row = next(row for row in score_table(resolve(preset)).limits if row.limit == limit)
    share, of_the_dealer = printed["nd_tsumo"]

    assert row.dealer == Price(ron=printed["d_ron"], tsumo=(printed["d_tsumo_each"],))
    # EMA 2016 prints both shares, of which the text kept the first only.
    assert row.other == Price(ron=printed["nd_ron"], tsumo=(share, of_the_dealer or 2 * share))


def test_the_guides_yakuman_is_worth_what_its_counted_yakuman_is():
    *_, counted, single, double, triple = score_table(resolve("guide")).limits

    assert (counted.limit, single.limit) == ("counted_yakuman", "yakuman")
    assert (counted.dealer, counted.other) == (single.dealer, single.other)
    assert double.other == Price(ron=64000, tsumo=(16000, 32000))
    assert triple.dealer == Price(ron=144000, tsumo=(48000,))


SMALLER = (("mangan", 5, 5), ("haneman", 6, 7), ("baiman", 8, 10))


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("ema-2016", [*SMALLER, ("sanbaiman", 11, None), ("yakuman", None, None)]),
        (
            "guide",
            [*SMALLER, ("sanbaiman", 11, 12), ("counted_yakuman", 13, None), *[("yakuman", None, None)] * 3],
        ),
    ],
)
def test_the_limits_follow_from_counted_and_composite_yakuman(preset, expected):
    assert [(row.limit, row.least, row.most) for row in score_table(resolve(preset)).limits] == expected


# Misprints of the documents, each with what is printed and what is right.


def test_ema_2016_line_558_prints_the_dealers_share_of_20_fu_as_25_fu():
    of_25_fu = [price("ema-2016", han, 25, "other").tsumo for han in (2, 3, 4)]
    of_20_fu = [price("ema-2016", han, 20, "other").tsumo for han in (2, 3, 4)]

    assert of_25_fu == [None, (800, 1600), (1600, 3200)]
    assert [shares and shares[1] for shares in of_20_fu] == [printed for printed, _ in MISPRINTS.values()]


def test_hkma_line_926_runs_three_cells_together():
    # 「3900 5200 6400 (1000, (1300, (1600, 2000) (2600) 3200)」 are 30, 40 and 50 fu of 3 han.
    found = [price("hkma-a-2025-04", 3, fu, "other") for fu in (30, 40, 50)]

    assert found == [
        Price(ron=3900, tsumo=(1000, 2000)),
        Price(ron=5200, tsumo=(1300, 2600)),
        Price(ron=6400, tsumo=(1600, 3200)),
    ]


def test_hkma_line_927_prints_1600_and_8000_for_the_mangan_cell():
    assert price("hkma-a-2025-04", 4, 30, "other") == Price(ron=8000, tsumo=(2000, 4000))


def test_guide_line_672_calls_4_and_5_han_mangan_but_4_han_is_so_from_40_fu_on():
    limits = {cell.fu: cell.limit for cell in score_table(resolve("guide")).rows[3]}

    assert limits == {**dict.fromkeys((20, 25, 30)), **dict.fromkeys(range(40, 120, 10), "mangan")}


def test_tnt_lines_396_to_401_print_fu_times_2_to_the_han_without_the_factor_4_and_the_cap():
    tnt = resolve("tnt")

    # Printed: a = m × 2^n, which is 480 for 4 han 30 fu and 1760 for 4 han 110 fu.
    assert hand_value(4, 30, tnt).base == 4 * 480
    assert ron_points(hand_value(4, 30, tnt).base, dealer=False) == 7700
    assert hand_value(4, 110, tnt).base == 2000 < 4 * 1760


# Settings


def test_kiriage_changes_the_table_in_two_cells():
    without, having = (score_table(resolve("ema-2016", {"kiriage_mangan": each})) for each in (False, True))
    changed = [
        (one.han, one.fu, one.other, two.other)
        for rows in zip(without.rows, having.rows, strict=True)
        for one, two in zip(*rows, strict=True)
        if one != two
    ]

    assert changed == [
        (3, 60, Price(ron=7700, tsumo=(2000, 3900)), Price(ron=8000, tsumo=(2000, 4000))),
        (4, 30, Price(ron=7700, tsumo=(2000, 3900)), Price(ron=8000, tsumo=(2000, 4000))),
    ]
    assert PRINTED["_meta"]["kiriage_difference"]["without_kiriage"]["nd_tsumo"] == [2000, 3900]


def test_fixed_fu_of_sequences_fill_in_the_wins_of_20_fu():
    """TNT, chapter 5. As counted, 20 fu are pinfu by self-draw."""
    counted, fixed = (
        [row[0].other for row in score_table(resolve("tnt", {"sequences_fu": each})).rows[:2]]
        for each in ("counted", "fixed")
    )

    assert counted == [Price(ron=None, tsumo=None), Price(ron=None, tsumo=(400, 700))]
    assert fixed == [Price(ron=700, tsumo=(200, 400)), Price(ron=1300, tsumo=(400, 700))]


# The values of an entry


@pytest.mark.parametrize("preset", sorted(PRESETS.values()), ids=lambda pair: pair[1])
def test_each_possible_value_is_among_those_that_pay_its_price(preset):
    rules = resolve(preset[1])
    for tsumo in (False, True):
        values = possible_values(rules, tsumo=tsumo)
        assert all(is_possible(value, rules, tsumo=tsumo) for value in values)
        assert [value.base for value in values] == sorted(value.base for value in values)
        for value in values:
            for dealer in (False, True):
                ron, each = ron_points(value.base, dealer=dealer), tsumo_points(value.base, dealer=True)
                other = tsumo_points(value.base, dealer=False)
                paid = (ron,) if not tsumo else (each,) if dealer else (other, each)
                assert value in values_paying(paid, rules, dealer=dealer, tsumo=tsumo)


@pytest.mark.parametrize(
    ("paid", "dealer", "tsumo", "expected"),
    [
        ((1300, 2600), False, True, ["2/80", "3/40", "4/20"]),
        ((5200,), False, False, ["2/80", "3/40"]),
        ((1000,), False, False, ["1/30"]),
        ((2600,), True, True, ["2/80", "3/40", "4/20"]),
        ((700, 1300), False, True, ["1/80", "2/40", "3/20"]),
        ((1100,), False, False, []),
    ],
)
def test_a_payment_tells_its_values(paid, dealer, tsumo, expected):
    values = values_paying(paid, resolve("mleague"), dealer=dealer, tsumo=tsumo)
    assert [f"{value.han}/{value.fu}" for value in values] == expected


def test_a_mangan_needs_no_fu():
    rules = resolve("mleague")
    for han in (None, 3, 4, 5):
        assert is_possible(HandValue(base=2000, han=han, limit="mangan"), rules, tsumo=False)
    assert not is_possible(HandValue(base=2000, han=2, limit="mangan"), rules, tsumo=False)


def test_the_nearest_value_of_a_limit_is_that_limit():
    rules = resolve("mleague")
    for han, limit in ((5, "mangan"), (6, "haneman"), (8, "baiman"), (11, "sanbaiman")):
        assert nearest_value(HandValue(base=500, han=han, fu=30), rules, tsumo=False).limit == limit
    near = nearest_value(HandValue(base=500, han=2, fu=20), rules, tsumo=False)
    assert (near.han, near.fu) == (2, 25)


def test_twenty_fu_win_where_the_fu_are_fixed():
    """TNT 5 符数."""
    value = HandValue(base=160, han=1, fu=20)
    ways = [is_possible(value, resolve(preset), tsumo=False) for preset in ("tnt", "mleague")]
    assert ways == [True, False]
