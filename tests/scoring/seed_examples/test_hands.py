"""Han and fu of a hand, and what may be discarded, melded and won."""

from typing import Any

from league.extras.calculator.rules import (
    Reading,
    Situation,
    Valued,
    evaluate,
    forbidden_discards,
    is_furiten,
    may_kan_after_riichi,
    parse_hand,
    waits,
)
from scoring.payments import tsumo_points
from scoring.presets import resolve
from tests.scoring.seed_examples.cases import EAST, SOUTH, Case, example

YAKU = {
    "门清自摸": "menzen_tsumo",
    "门前清自摸和": "menzen_tsumo",
    "断幺九": "tanyao",
    "一色二顺": "iipeiko",
    "一杯口": "iipeiko",
    "平和": "pinfu",
    "三色同顺(门清)": "sanshoku_doujun",
    "立直": "riichi",
    "一发": "ippatsu",
    "场风东": "round_east",
    "清一色": "chinitsu",
    "对对和": "toitoi",
    "三暗刻": "sanankou",
    "宝牌": "dora",
    "里宝牌": "ura_dora",
}


def readings(text: str, tile: str, preset: str, **facts: Any) -> tuple[Reading, ...]:
    """Every reading of a hand of a player who does not deal, best first."""
    situation = Situation(**{"seat_wind": SOUTH, "round_wind": EAST, "tsumo": False, **facts})
    found = evaluate(parse_hand(text, win=tile), situation, resolve(preset))
    assert isinstance(found, Valued)
    return found.readings


def han_of(reading: Reading) -> dict[str, int]:
    return {each.code: each.han for each in reading.yaku}


@example("000-4.3.3")
def test_a_hand_is_read_the_way_that_scores_most(case: Case) -> None:
    assert case["input"]["hand"] == "2234455m 234p 234s, non-dealer tsumo 3m"
    names = {"a": case["expected"]["reading_a"], "b": case["expected"]["reading_b"]}

    found = readings("2234455m234p234s", "3m", "ema-2016", tsumo=True)

    described = [
        (reading.han, reading.fu, set(han_of(reading)), sum(tsumo_shares(reading))) for reading in found
    ]
    expected = {
        name: (each["han"], each["fu"], {YAKU[yaku] for yaku in each["yaku"]}, each["points"])
        for name, each in names.items()
    }
    assert described[0] == expected[case["expected"]["chosen"]]
    assert expected["a"] in described
    assert found[0].value.limit == names["b"]["limit"]


def tsumo_shares(reading: Reading) -> list[int]:
    """What dealer and others pay for a self-draw of a player who does not deal."""
    return [tsumo_points(reading.value.base, dealer=dealer) for dealer in (True, False, False)]


@example("000-4.1")
def test_fu_are_rounded_up_to_tens(case: Case) -> None:
    # A closed ron and a closed triplet of simples: 20 + 10 + 4.
    (found,) = readings("222345m345p99p678s", "5p", "ema-2016", riichi=1)

    assert sum(part.fu for part in found.fu_parts) == case["input"]["fu"]
    assert found.fu == case["expected"]["rounded"]


@example("001-han")
def test_the_han_of_the_guides_first_example(case: Case) -> None:
    # The text shows it as a picture. Beside a triplet and two equal sequences no hand has exactly one 3p and
    # one 8s, so that the one dora has to be a red five.
    facts = {"riichi": 1, "tsumo": True, "dora": ("2p",), "ura": ("7s",)}
    expected = {(YAKU[name], han) for name, han in case["expected"].items() if name != "total"}

    best, *_ = readings("112233m05p789s111z", "2m", "guide", **facts)

    found = {("dora" if code == "aka_dora" else code, han) for code, han in han_of(best).items()}
    assert case["input"]["situation"].endswith("dora indicator 2p, ura indicator 7s")
    assert found == expected
    assert best.han == case["expected"]["total"]


@example("001-fu")
def test_the_fu_of_the_guides_first_example(case: Case) -> None:
    given = case["input"]["parts"]
    names = {
        "base": "base",
        "closed_terminal_pon": "幺九暗刻",
        "open_pon": "非幺九明刻",
        "closed_terminal_kan": "幺九暗杠",
    }

    best, *_ = readings("345s88p999m(222p)[7777z]", "3s", "guide", tsumo=True)

    parts = {part.code: part.fu for part in best.fu_parts}
    # The guide leaves the 2 fu of a self-draw out, which changes nothing here.
    assert parts.pop("tsumo") == 2
    assert {names[code]: fu for code, fu in parts.items()} == given
    assert sum(parts.values()) == case["expected"]["raw"]
    assert best.fu == case["expected"]["fu"]


@example("001-kazoe")
def test_sixteen_han_are_a_counted_yakuman(case: Case) -> None:
    names = {"里宝牌": "ura_dora", **{name: YAKU[name] for name in case["input"]}}

    best, *_ = readings("222p333p555p777p88p", "3p", "guide", riichi=1, ippatsu=True, ura=("2p",))

    assert han_of(best) == {names[name]: han for name, han in case["input"].items()}
    assert best.han == case["expected"]["han"]
    assert (case["expected"]["value"], best.value.limit) == ("累计役满", "counted_yakuman")


@example("002-dora-red", "002-dora-red2", "004-dora")
def test_a_red_five_adds_to_every_indicator_before_it(case: Case) -> None:
    preset = "tnt" if case["id"] == "004-dora" else "hkma-a-2025-04"
    shown = {"002-dora-red": 1, "002-dora-red2": 2, "004-dora": 4}[case["id"]]
    expected = case["expected"] if case["id"] == "004-dora" else case["expected"]["extra_han"]

    best, *_ = readings("123m456m11p789p067s", "2m", preset, riichi=1, dora=("4s",) * shown)

    assert han_of(best) == {"riichi": 1, "dora": expected - 1, "aka_dora": 1}


@example("000-3.8")
def test_the_other_end_of_a_sequence_may_not_be_discarded_after_a_chi(case: Case) -> None:
    assert case["input"]["hand"] == "123m, chi 4m as 234m"
    found = forbidden_discards("4m", ("2m", "3m"), resolve("ema-2016"))

    assert found == (case["expected"]["forbidden"], "4m")


@example("003-kuikae")
def test_kanto_forbids_the_swap_within_one_sequence(case: Case) -> None:
    rules = resolve("kanto")
    calls = {"345s chi 6s": ("6s", ("4s", "5s")), "234567s chi 8s": ("8s", ("6s", "7s"))}

    found = {
        name: "forbidden" if discard.split()[1] in forbidden_discards(*calls[name], rules) else "allowed"
        for name, discard in case["input"].items()
    }

    assert found == case["expected"]


@example("004-kuikae")
def test_what_tnt_forbids_to_discard_after_a_call(case: Case) -> None:
    rules = resolve("tnt")

    for held, forbidden in case["input"].items():
        using = held[:2], held[2:]
        called = [forbidden] if isinstance(forbidden, str) else forbidden
        for tile in called:
            assert set(forbidden_discards(tile, using, rules)) == set(called)


@example("000-3.12")
def test_no_closed_kan_after_riichi_that_changes_the_wait(case: Case) -> None:
    assert case["input"]["hand"] == "2333s (waits 1,2,4s) draws 3s"
    hand = parse_hand("123m456p789p2333s")

    assert waits(hand) == ("1s", "2s", "4s")
    assert may_kan_after_riichi(hand, "3s", resolve("ema-2016")) is case["expected"]["allowed"]
    after = waits(parse_hand("123m456p789p2s[3333s]"))
    assert case["expected"]["reason"] == f"wait would become {', '.join(after)}"


@example("000-3.13")
def test_an_own_discard_among_the_waits_forbids_ron(case: Case) -> None:
    assert case["input"]["hand"] == "23m waiting 14m, discarded 1m"
    hand = parse_hand("23m456p789s11155z")

    assert waits(hand) == ("1m", "4m")
    assert (not is_furiten(hand, ["1m"])) is case["expected"]["ron"]
    assert not is_furiten(hand, ["9m"])
