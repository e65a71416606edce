"""What a hand pays."""

from fractions import Fraction

from scoring.infractions import catalogue
from scoring.payments import (
    Liability,
    Win,
    hand_value,
    pay_draw,
    pay_extra_tiles,
    pay_win,
    ron_points,
    tsumo_points,
    yakuman_value,
)
from scoring.presets import resolve
from scoring.rules import Rules
from tests.scoring.seed_examples.cases import EAST, NORTH, SEAT, SOUTH, WEST, Case, example, sums, win, won


@example("000-4.3.5")
def test_a_mangan_with_three_honba_and_two_riichi(case: Case) -> None:
    given, expected, rules = case["input"], case["expected"], resolve("ema-2016")

    paid = pay_win(
        [win(SEAT[given["winner"]], given["han"], given["fu"], rules)],
        loser=None,
        dealer=SEAT[given["dealer"]],
        honba=given["honba"],
        deposits=1000 * len(given["riichi"]),
        riichi=[SEAT[seat] for seat in given["riichi"]],
        rules=rules,
    )

    assert {seat: -paid.changes[SEAT[seat]] for seat in expected["pay"]} == expected["pay"]
    assert paid.changes[SEAT[given["winner"]]] == expected["winner_total"]
    assert -paid.deposits == expected["riichi_sticks_to_winner"]
    assert sums(paid) == {
        "hand": expected["parts"]["hand"],
        "honba": expected["parts"]["honba"],
        "deposits": expected["parts"]["sticks"],
    }


@example("000-4.3.4")
def test_one_honba_under_the_ema(case: Case) -> None:
    rules, honba = resolve("ema-2016"), case["input"]["honba"]

    assert honba_of(honba, rules) == (case["expected"]["ron"], [case["expected"]["tsumo_each"]] * 3)


@example("001-honba", "002-honba")
def test_n_honba(case: Case) -> None:
    # In the guide's words +300n and each +100n, in HKMA's N*300 and N*100.
    rules = resolve({"001-honba": "guide", "002-honba": "hkma-a-2025-04"}[case["id"]])
    each = case["expected"].get("tsumo") or case["expected"]["tsumo_each"]
    ron, tsumo = (int("".join(filter(str.isdigit, text))) for text in (case["expected"]["ron"], each))

    for count in range(5):
        assert honba_of(count, rules) == (count * ron, [count * tsumo] * 3)


@example("004-honba")
def test_n_honba_which_a_yakuman_is_not_paid(case: Case) -> None:
    rules = resolve("tnt")
    yakuman = Win(SOUTH, yakuman_value(1, rules))

    for count in range(5):
        assert honba_of(count, rules) == (300 * count, [100 * count] * 3)
        assert won(yakuman, WEST, rules, honba=count) == won(yakuman, WEST, rules)
        assert won(yakuman, None, rules, honba=count) == won(yakuman, None, rules)
    assert (case["expected"]["ron"], case["expected"]["yakuman"]) == ("300N", "no honba paid")


def honba_of(count: int, rules: Rules) -> tuple[int, list[int]]:
    """What the honba add to a ron, and to what each pays for a self-draw."""
    one = win(SOUTH, 2, 30, rules)
    with_honba, without = (
        [won(one, loser, rules, honba=honba).changes for loser in (WEST, None)] for honba in (count, 0)
    )
    ron, tsumo = (
        [before - after for before, after in zip(*changes, strict=True)]
        for changes in zip(without, with_honba, strict=True)
    )
    assert ron == [0, -ron[WEST], ron[WEST], 0]
    return ron[WEST], [tsumo[seat] for seat in (EAST, WEST, NORTH)]


@example("002-call")
def test_a_win_is_announced_without_and_with_the_honba(case: Case) -> None:
    rules = resolve("hkma-a-2025-04")
    hand = win(SOUTH, 3, 40, rules)

    def called(honba: int) -> str:
        paid = won(hand, None, rules, honba=honba).changes
        assert paid[WEST] == paid[NORTH]
        return f"{-paid[WEST]}-{-paid[EAST]}"

    assert called(0) == case["input"]["tsumo"]
    assert f"{called(0)}, 即是{called(case['input']['honba'])}" == case["expected"]


@example("000-3.14")
def test_the_noten_payments_of_the_ema(case: Case) -> None:
    rules = resolve("ema-2016")

    for count in case["input"]["tenpai"]:
        changes = pay_draw(range(count), rules).changes
        if count in (0, 4):
            assert changes == (case["expected"]["0/4"],) * 4
        else:
            expected = case["expected"][str(count)]
            assert changes == (expected["tenpai"],) * count + (expected["noten"],) * (4 - count)


@example("002-noten", "003-noten")
def test_the_noten_payments_of_hkma_and_kanto(case: Case) -> None:
    rules = resolve({"002-noten": "hkma-a-2025-04", "003-noten": "kanto"}[case["id"]])
    found = {count: pay_draw(range(count), rules).changes for count in case["input"]["tenpai"]}

    assert found == {
        1: (3000, -1000, -1000, -1000),
        2: (1500, 1500, -1500, -1500),
        3: (1000, 1000, 1000, -3000),
    }
    if case["id"] == "003-noten":
        texts = {str(count): f"{changes[0]:+}/{changes[3]:+}" for count, changes in found.items()}
        assert texts == case["expected"]


@example("002-pao")
def test_hkmas_liable_player_pays_all_or_half(case: Case) -> None:
    rules = resolve("hkma-a-2025-04")

    assert case["input"]["yakuman"] == "大三元/大四喜/四槓子"
    for yaku in ("daisangen", "daisuushii", "suukantsu"):
        hand = Win(SOUTH, yakuman_value(1, rules), (Liability(WEST, yaku),))
        assert won(hand, None, rules).changes == (0, 32000, -32000, 0)
        assert won(hand, NORTH, rules).changes == (0, 32000, -16000, -16000)


@example("002-sgb")
def test_one_tile_too_many_is_paid_to_each_and_bans_the_hand(case: Case) -> None:
    rules = resolve("hkma-a-2025-04")
    each = case["expected"]["pays_each"]
    offence = catalogue("hkma-2025").infractions["A-X"]
    too_many = next(variant for variant in offence.variants if variant.payment)

    assert pay_extra_tiles(EAST, case["input"]["extra_tiles"], rules).changes == (-3 * each, each, each, each)
    assert too_many.levels == (str(case["expected"]["level"]),)
    assert catalogue("hkma-2025").levels["3"].win_ban


@example("002-tsumo-share")
def test_a_self_draw_is_shared_by_halves_quarters_and_thirds(case: Case) -> None:
    rules = resolve("hkma-a-2025-04")
    shares = {"dealer": [Fraction(1, 3)] * 3, "non-dealer": [Fraction(1, 2), *[Fraction(1, 4)] * 2]}

    assert case["expected"] == {"dealer": "1/3 each", "non-dealer": "dealer 1/2, others 1/4 each"}
    for who in case["input"]["winner"]:
        winner = EAST if who == "dealer" else SOUTH
        changes = won(win(winner, 5, 30, rules), None, rules).changes
        paid = [-change for seat, change in enumerate(changes) if seat != winner]
        assert [Fraction(share, changes[winner]) for share in paid] == shares[who]


@example("ema25-kiriage")
def test_4_han_30_fu_are_a_mangan_under_ema_2025(case: Case) -> None:
    value = hand_value(case["input"]["han"], case["input"]["fu"], resolve("ema-2025"))

    assert value.limit == "mangan"
    assert ron_points(value.base, dealer=True) == case["expected"]["dealer"]
    assert ron_points(value.base, dealer=False) == case["expected"]["non_dealer"]
    assert tsumo_points(value.base, dealer=False) == 2000
