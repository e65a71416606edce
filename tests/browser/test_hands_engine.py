"""The engine on the device plays as the engine of the server does."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.hanchan import Game, Hand, IllegalHand, Riichi, new_game, play
from scoring.hand_codes import hand_code
from scoring.presets import presets, resolve
from scoring.rules import Rules
from scoring.score_table import Price, possible_values, values_paying
from scoring.score_table import _price as price
from tests.examples import scaled
from tests.scoring.hanchan_logs import hands, playable_rules, timed
from tests.scoring.test_hanchan_records import (
    mleague_game,
    mleague_outcome,
    replayed,
    tenhou_games,
)

SCRIPT = Path(__file__).parents[2] / "static" / "js" / "hanchan.js"
ALL_PRESETS = [each.slug for each in presets()]
# Whether a page can ask for such a hand is settled by its fields: only the server checks these.
OF_FIELDS = {
    *("no_such_seat", "seat_twice", "nobody", "live_tiles", "extra_tiles", "winner_is_loser", "value"),
    *("liable_winner", "liable_yakuman", "unknown", "honba", "ruling"),
}
PLAY = """([rules, tried]) => {
    const { newGame, play, refusals } = window.umaokaHanchan;
    let game = newGame(rules);
    return tried.map((hand) => {
        const why = refusals(game, hand);
        if (why.length) {
            return why.map(([code]) => code).sort();
        }
        game = play(game, hand);
        const { name, dealer, result, transfers, points, deposits, winners, chombo, dealer_repeats, over } =
            game.steps[game.steps.length - 1];
        return { name, dealer, result, transfers, points, deposits, winners, chombo, dealer_repeats, over,
            next: [game.turn, game.honba, game.late, game.name] };
    });
}"""
VALUES = """([rules, isDealer, isTsumo, prices]) => {
    const { valuesPaying } = window.umaokaHanchan;
    return prices.map((each) => valuesPaying(each, rules, isDealer, isTsumo));
}"""


@pytest.fixture(scope="module")
def device(browser):
    """A page with the engine alone."""
    page = browser.new_page()
    page.add_script_tag(path=SCRIPT)
    yield page
    page.close()


@dataclass
class Tried:
    """A game, the hands that were tried in it, and what came of each."""

    game: Game
    hands: list[Any]
    found: list[Any]

    def try_hand(self, hand: Hand) -> None:
        """Play the hand, or note why it is refused. A hand that no page can ask for is left out."""
        try:
            game = play(self.game, hand)
        except IllegalHand as refused:
            codes = sorted(each.code for each in refused.problems)
            if OF_FIELDS.isdisjoint(codes):
                self.hands.append(hand.as_values())
                self.found.append(codes)
            return
        self.game = game
        self.hands.append(hand.as_values())
        self.found.append(shown(game))


def shown(game: Game) -> dict[str, Any]:
    step = game.steps[-1]
    return {
        "name": hand_code(step.name),
        "dealer": step.dealer,
        "result": step.result,
        "transfers": [[each.payer, each.payee, each.points, each.reason] for each in step.transfers],
        "points": list(step.points),
        "deposits": step.deposits,
        "winners": list(step.winners),
        "chombo": list(step.chombo),
        "dealer_repeats": step.dealer_repeats,
        "over": step.over,
        "next": [game.turn, game.honba, game.late, hand_code(game.name)],
    }


def is_equal(device, rules: Rules, tried: Sequence[Hand], *, from_record: bool = False) -> Counter[str]:
    """Check that the device plays these hands as the server does. Return how often each result came up."""
    case = Tried(new_game(rules), [], [])
    for hand in tried:
        case.try_hand(hand if from_record else timed(hand, case.game, hand.minutes or 0))
    found = device.evaluate(PLAY, [rules.as_values(), json.loads(json.dumps(case.hands))])
    for number, (ours, theirs) in enumerate(zip(found, case.found, strict=True)):
        if isinstance(ours, dict):
            ours["transfers"].sort(key=repr)
            theirs["transfers"].sort(key=repr)
        assert ours == theirs, (number, case.hands[number])
    return Counter(each["result"] if isinstance(each, dict) else "refused" for each in case.found)


@pytest.mark.slow
def test_the_device_plays_sixty_hanchan_of_tenhou_as_the_server_does(device):
    rules, played = resolve("tenhou"), Counter[str]()

    for record in tenhou_games():
        game = replayed(record, rules, Counter())
        played += is_equal(device, rules, game.hands, from_record=True)

    assert played == {"win": 535, "draw": 86, "abort": 10}


def test_the_device_plays_the_hanchan_of_mleague_as_the_server_does(device):
    rules, record = resolve("mleague"), mleague_game()
    tried = [
        Hand(
            outcome=mleague_outcome(hand, record, rules),
            riichi=tuple(Riichi(record.names.index(name)) for name in hand["riichi"]),
        )
        for hand in record.hands
    ]

    assert is_equal(device, rules, tried, from_record=True).total() == 11


def random_games(device, rules: st.SearchStrategy[Rules], examples: int, most: int) -> Counter[str]:
    played = Counter[str]()

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(rules, st.data())
    def play_one(chosen: Rules, data: st.DataObject) -> None:
        each = st.tuples(hands(chosen), st.integers(0, 12))
        drawn = data.draw(st.lists(each, min_size=most // 2, max_size=most), label="hands")
        tried = [timed(hand, new_game(chosen), took) for hand, took in drawn]
        played.update(is_equal(device, chosen, tried))

    play_one()
    return played


@pytest.mark.slow
@pytest.mark.parametrize("slug", ALL_PRESETS)
def test_the_device_plays_random_hands_of_every_rule_set_as_the_server_does(device, slug):
    played = random_games(device, st.just(resolve(slug)), examples=8, most=20)

    assert played["win"] > 10
    assert played["draw"] > 0


@pytest.mark.slow
def test_the_device_plays_random_hands_of_random_rules_as_the_server_does(device):
    assert random_games(device, playable_rules(), examples=scaled(60), most=12)["win"] > scaled(100)


@pytest.mark.slow
@pytest.mark.long
def test_the_device_plays_many_random_hands_as_the_server_does(device):
    played = random_games(device, playable_rules(), examples=1_500, most=30)
    for slug in ALL_PRESETS:
        played += random_games(device, st.just(resolve(slug)), examples=150, most=40)

    assert played.total() > 50_000


@pytest.mark.slow
@pytest.mark.parametrize("slug", ALL_PRESETS)
def test_the_device_finds_the_values_that_pay_so_as_the_server_does(device, slug):
    rules = resolve(slug)
    for is_dealer in (False, True):
        for is_tsumo in (False, True):
            values = possible_values(rules, tsumo=is_tsumo)
            prices = sorted({paid(price(each, dealer=is_dealer), tsumo=is_tsumo) for each in values})
            found = device.evaluate(VALUES, [rules.as_values(), is_dealer, is_tsumo, prices])
            for asked, each in zip(prices, found, strict=True):
                wanted = values_paying(asked, rules, dealer=is_dealer, tsumo=is_tsumo)
                usual = {value.base for value in wanted if value.yakuman <= 6}
                assert {value["base"] for value in each} == usual, (asked, each)


def paid(found: Price, *, tsumo: bool) -> tuple[int, ...]:
    return (found.tsumo or ()) if tsumo else (found.ron or 0,)
