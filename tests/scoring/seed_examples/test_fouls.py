"""What a foul costs."""

from fractions import Fraction
from math import ceil

from scoring.hanchan import Chombo, ExhaustiveDraw, Foul, Hand, HandName, Riichi, Ron, check, new_game, play
from scoring.infractions import catalogue
from scoring.payments import Payment, pay_chombo, pay_noten_riichi
from scoring.presets import resolve
from tests.scoring.seed_examples.cases import EAST, SOUTH, WEST, Case, example, sums, win


@example("000-5.3")
def test_a_chombo_voids_the_hand_and_costs_score_unless_another_wins(case: Case) -> None:
    rules = resolve("ema-2016")
    assert rules.chombo.score == -case["expected"]["deduct_final"] // 100
    riichi = (Riichi(SOUTH), Riichi(WEST))

    void = play(new_game(rules), Hand(outcome=Chombo((SOUTH,)), riichi=riichi))
    noten = play(new_game(rules), Hand(outcome=ExhaustiveDraw((WEST,), noten_riichi=(SOUTH,)), riichi=riichi))
    cancelled = play(
        new_game(rules), Hand(outcome=Ron((win(WEST, 1, 30, rules),), loser=EAST), riichi=riichi)
    )

    assert void.chombo == noten.chombo == (0, case["input"]["chombo"], 0, 0)
    assert [(game.points, game.deposits) for game in (void, noten)] == [((30000,) * 4, 0)] * 2
    assert cancelled.chombo == (0, 0, 0, 0)
    assert cancelled.points == (29000, 29000, 32000, 30000)


@example("002-cuohe")
def test_a_false_win_is_dealt_again_with_20_tiles_left(case: Case) -> None:
    game = new_game(resolve("hkma-a-2025-04"))
    verdicts = {}
    for tiles in case["input"]["tiles_left"]:
        broken_off = Hand(outcome=Chombo((SOUTH,), live_tiles=tiles))
        goes_on = Hand(outcome=ExhaustiveDraw(), fouls=(Foul(SOUTH, live_tiles=tiles),))
        legal = [not check(game, hand) for hand in (broken_off, goes_on)]
        verdicts[str(tiles)] = {(True, False): "redeal", (False, True): "play on"}[legal[0], legal[1]]

    assert verdicts == case["expected"]
    assert play(game, Hand(outcome=Chombo((SOUTH,), live_tiles=20))).name == game.name


@example("002-exposed")
def test_exposed_tiles_cost_by_their_number(case: Case) -> None:
    book = catalogue("hkma-2025")
    exposed, false_win = (book.infractions[code].variants for code in ("A-II", "C-III"))
    variants = {"1": exposed[0], "2": exposed[1], "3": exposed[2], "half": false_win[0]}

    found = {}
    for number in case["input"]["n"]:
        variant = variants[str(number)]
        (level,) = variant.levels
        deduction = variant.deduction if variant.deduction is not None else book.levels[level].deduction
        assert deduction is not None
        found[str(number)] = f"L{level} (-{deduction // 10})"

    assert [variant.condition["en"] for variant in exposed[:3]] == ["1 tile", "2 tiles", "more than 2 tiles"]
    assert found == case["expected"]


@example("004-zhahe")
def test_a_false_win_costs_4000_to_each_and_is_played_again(case: Case) -> None:
    rules, each = resolve("tnt"), case["expected"]["each_other"]
    # East 2 with one honba, as in the text.
    game = play(new_game(rules), Hand(outcome=ExhaustiveDraw()))
    assert (game.name, game.dealer) == (HandName(0, 2, 1), SOUTH)

    after = play(game, Hand(outcome=Chombo((WEST,)), riichi=(Riichi(EAST),)))

    assert pay_chombo(WEST, dealer=SOUTH, rules=rules).changes == (each, each, -3 * each, each)
    assert after.points == (25000 + each, 25000 + each, 25000 - 3 * each, 25000 + each)
    assert (after.name, after.dealer, after.deposits) == (game.name, game.dealer, 0)


@example("004-zhali")
def test_riichi_without_tenpai_costs_1000_to_each_besides_the_noten_payment(case: Case) -> None:
    rules, each = resolve("tnt"), case["expected"]["extra_each"]

    drawn = ExhaustiveDraw((WEST,), noten_riichi=(SOUTH,))
    game = play(new_game(rules), Hand(outcome=drawn, riichi=(Riichi(SOUTH),)))

    paid = Payment(
        tuple(one for one in game.steps[0].transfers if one.payer == SOUTH and one.payee is not None)
    )
    assert pay_noten_riichi(SOUTH, dealer=EAST, rules=rules).changes == (each, -3 * each, each, each)
    assert sums(paid) == {"noten": 1000, "noten_riichi": 3 * each}


@example("ema25-late")
def test_lateness_costs_1000_points_a_minute(case: Case) -> None:
    in_time, too_late = catalogue("ema-2025").infractions["7.2"].variants
    *costs, (_, never) = case["expected"].items()

    assert in_time.condition["en"] == "up to 10 minutes, for each minute begun"
    assert (in_time.unit, in_time.deduction, in_time.deduction_max) == ("minute", 10, 10)
    assert {Fraction(minutes): points for minutes, points in costs} == {
        minutes: -100 * in_time.deduction * ceil(minutes) for minutes in case["input"]["late_min"]
    }
    assert never == "substitute, no lateness penalty"
    assert (too_late.condition["en"], too_late.levels) == ("more than 10 minutes", ())
    assert too_late.deduction is None


@example("ema25-sub")
def test_a_substituted_player_gets_minus_30000(case: Case) -> None:
    total = resolve("ema-2025").substituted_score

    assert {"points": -15000, "uma": -15000, "total": (total or 0) * 100} == case["expected"]
