"""The course of a game, what comes before it, and its tiles."""

from fractions import Fraction

from league.extras.calculator.rules.tiles import closed_tiles, dora_of
from scoring.federations import mers_base_rank
from scoring.hanchan import (
    TARGET,
    ExhaustiveDraw,
    Game,
    Hand,
    HandName,
    Ron,
    Tsumo,
    hand_name,
    new_game,
    play,
    replay,
)
from scoring.hanchan.course import expected_minutes
from scoring.presets import resolve
from scoring.rules import Rules
from scoring.units import rounded
from scoring.wall import wall_broken_by
from tests.scoring.seed_examples.cases import EAST, NORTH, SOUTH, WEST, Case, example, win


def draws(rules: Rules, count: int) -> Game:
    """A game after so many hands in which no one was tenpai: each passes the deal on."""
    return replay(rules, [Hand(outcome=ExhaustiveDraw())] * count)


@example("003-name")
def test_the_honba_of_a_hands_name_tell_how_often_the_dealer_continued(case: Case) -> None:
    rules = resolve("kanto")
    others_win = Hand(outcome=Ron((win(WEST, 1, 30, rules),), loser=NORTH))
    dealer_wins = Hand(outcome=Tsumo(win(SOUTH, 1, 30, rules)))

    game = replay(rules, [others_win, *[dealer_wins] * 3])

    assert case["input"]["name"] == "东二局3本场"
    assert game.name == HandName(EAST, 2, 3)


@example("004-name")
def test_after_a_draw_with_the_dealer_noten_the_deal_passes_with_one_honba(case: Case) -> None:
    rules = resolve("tnt")
    game = play(new_game(rules), Hand(outcome=Ron((win(WEST, 1, 30, rules),), loser=NORTH)))

    assert case["input"]["state"] == "东2局0本场, draw, dealer noten"
    assert game.name == HandName(EAST, 2, 0)
    after = play(game, Hand(outcome=ExhaustiveDraw(tenpai=(WEST,)))).name
    assert f"东{after.number}局{after.honba}本场" == case["expected"]


@example("003-west")
def test_kanto_goes_on_with_west_when_no_player_has_30000(case: Case) -> None:
    rules = resolve("kanto")
    at_once = resolve("kanto", {"extension": "sudden_death"})
    reached = Hand(outcome=Ron((win(EAST, 6, 30, rules),), loser=NORTH))

    extended = draws(rules, 8)

    assert case["input"]["condition"] == "nobody above 30000 after all-last"
    assert (extended.over, extended.name) == (None, HandName(WEST, 1, 8))
    assert max(play(extended, reached).points) > 30000
    assert play(extended, reached).over is None
    assert play(draws(at_once, 8), reached).over == TARGET


@example("004-need")
def test_tnts_first_needs_30000(case: Case) -> None:
    rules = resolve("tnt")
    reached = Hand(outcome=Ron((win(EAST, 6, 30, rules),), loser=NORTH))

    extended = draws(rules, 8)

    assert case["input"]["first"] == "<30000 at all-last"
    assert (extended.over, extended.name) == (None, HandName(WEST, 1, 8))
    assert play(extended, reached).over == TARGET
    assert hand_name(8, 0, rules).round_wind == WEST


@example("000-2.5")
def test_the_dice_name_the_wall_that_is_broken(case: Case) -> None:
    players = ("dealer", "right", "opposite", "left")
    expected = {
        int(number): who for numbers, who in case["expected"].items() for number in numbers.split(",")
    }

    assert set(case["input"]["sum"]) <= set(expected)
    assert {dice: players[wall_broken_by(dice)] for dice in expected} == expected


@example("001-time")
def test_the_guide_says_how_long_a_game_takes(case: Case) -> None:
    lengths = {"east_only": "east", "hanchan": "half", "full": "full"}

    found = {
        name: {
            table: list(expected_minutes(length, automatic=table == "auto") or ())
            for table in ("auto", "hand")
        }
        for name, length in lengths.items()
    }

    assert found == case["input"]


@example("mers-base", "mers-uk")
def test_the_base_rank_of_the_ema(case: Case) -> None:
    found = mers_base_rank(case["input"]["place"], case["input"]["players"])

    if case["id"] == "mers-base":
        assert Fraction(int(found * 10000), 10000) == case["expected"]  # the file has four decimals
        assert int(found) == 252  # as the EMA's page shows it
    else:
        assert found == Fraction(1000 * case["expected"]["beaten"], case["expected"]["of"])
        assert rounded(found) == case["expected"]["result"]


@example("000-2.7")
def test_an_indicator_shows_the_tile_before_the_dora(case: Case) -> None:
    named = {"S": "2z", "W": "3z", "Chun": "7z", "Haku": "5z"}

    for indicator, dora in case["expected"].items():
        assert dora_of(named.get(indicator, indicator)) == named.get(dora, dora)


@example("004-tiles")
def test_how_many_tiles_a_player_holds(case: Case) -> None:
    assert (case["input"]["m"], case["expected"]) == ("1 (2 after drawing)", "(4-x)*3+m")
    for melds in range(5):
        assert closed_tiles(melds, drawn=False) == (4 - melds) * 3 + 1
        assert closed_tiles(melds, drawn=True) == (4 - melds) * 3 + 2
