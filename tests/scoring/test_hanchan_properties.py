"""What holds for every rule set and every log."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.hanchan import (
    ENDINGS,
    PROBLEMS,
    Game,
    Hand,
    IllegalHand,
    Scores,
    check,
    correct,
    from_values,
    new_game,
    play,
    replay,
    undo,
)
from scoring.payments import limit_value
from scoring.rules import Rules
from scoring.settlement import settle
from tests.examples import examples
from tests.scoring.hanchan_logs import draw, hands, playable_rules, timed, tsumo, wild_hands
from tests.scoring.rule_sets import rule_sets
from tests.scoring.test_settlement_properties import expected_sum

many = examples(60)


def play_some(data: st.DataObject, rules: Rules, most: int = 12) -> Game:
    """A game of random hands of some minutes each; those that cannot have happened are left out, as a table
    would.
    """
    game = new_game(rules)
    drawn = st.lists(st.tuples(hands(rules), st.integers(0, 12)), min_size=most // 2, max_size=most)
    for hand, took in data.draw(drawn, label="hands"):
        if not check(game, timed(hand, game, took)):
            game = play(game, timed(hand, game, took))
    return game


@many
@given(playable_rules(), st.data())
def test_points_and_deposits_always_sum_to_four_times_the_start(rules, data):
    game = play_some(data, rules)

    for step in game.steps:
        assert sum(step.points) + step.deposits == rules.total_points
        assert step.deposits >= 0
        assert step.deposits % 1000 == 0
        assert tuple([now - was for now, was in zip(step.points, step.before, strict=True)]) == step.changes
    assert (game.points, game.deposits) == (
        (game.steps[-1].points, game.steps[-1].deposits) if game.steps else ((rules.start_points,) * 4, 0)
    )


@many
@given(playable_rules(), st.data())
def test_a_hand_is_either_played_or_refused_with_reasons(rules, data):
    game = play_some(data, rules, most=4)

    for hand in data.draw(st.lists(hands(rules) | wild_hands, min_size=1, max_size=5), label="tried"):
        reasons = check(game, hand)
        assert all(tuple(each.params) == PROBLEMS[each.code] for each in reasons)
        if reasons:
            assert outcome_of(lambda: play(game, hand)) == (len(game.steps), reasons, game)  # noqa: B023
        else:
            played = play(game, hand)
            assert played.hands == (*game.hands, hand)
            assert played.over in (None, *ENDINGS)


@many
@given(playable_rules(), st.data())
def test_a_game_never_gets_stuck_and_can_always_be_ended(rules, data):
    game = play_some(data, rules)
    ended_after = 0

    while game.over is None:
        assert check(game, draw()) == ()
        assert all(check(game, tsumo(seat)) == () for seat in range(4))
        # One player wins whenever someone else deals, so that the deal passes and the target is reached.
        winner = 1 if game.dealer != 1 else 2
        game = play(game, tsumo(winner, limit_value("sanbaiman", rules)))
        ended_after += 1
        assert ended_after <= 60

    assert game.over in ENDINGS
    assert [step.over for step in game.steps] == [None] * (len(game.steps) - 1) + [game.over]
    assert check(game, draw())[0].code == "game_over"


@many
@given(playable_rules(), st.data())
def test_undo_undoes(rules, data):
    game = play_some(data, rules, most=6)
    hand = data.draw(hands(rules), label="undone")

    if not check(game, hand):
        assert undo(play(game, hand)) == game


@many
@given(playable_rules(), st.data())
def test_a_correction_is_the_replay_of_the_corrected_log(rules, data):
    game = play_some(data, rules, most=6)
    if not game.steps:
        return
    index = data.draw(st.integers(0, len(game.steps) - 1), label="index")
    other = data.draw(hands(rules), label="instead")
    log = [*game.hands[:index], other, *game.hands[index + 1 :]]

    assert outcome_of(lambda: correct(game, index, other)) == outcome_of(lambda: replay(rules, log))


def outcome_of(make: Callable[[], Game]) -> object:
    """A game, or where its log is no longer possible, why, and how far it was."""
    try:
        return make()
    except IllegalHand as refused:
        return refused.index, refused.problems, refused.game


@many
@given(playable_rules(), st.data(), st.randoms(use_true_random=False))
def test_the_order_of_the_facts_never_matters(rules, data, random):
    game = play_some(data, rules, most=6)
    shuffled = [shuffle(hand.as_values(), random) for hand in game.hands]

    assert from_values(rules, json.loads(json.dumps(shuffled))) == game


def shuffle(value: Any, random: Any, name: str = "") -> Any:
    """The same facts in another order. Extra tiles stay at their seat; who became liable first is a fact."""
    if isinstance(value, dict):
        names = random.sample(list(value), len(value))
        return {each: shuffle(value[each], random, each) for each in names}
    if isinstance(value, list):
        moved = value if name in ("extra_tiles", "liable") else random.sample(value, len(value))
        return [shuffle(each, random) for each in moved]
    return value


@many
@given(playable_rules(rule_sets()), st.data())
def test_the_scores_of_a_settled_game_sum_as_the_rule_set_says(rules, data):
    game = play_some(data, rules)

    seats = settle(game.points, rules, sticks=game.deposits, last_dealer=game.last_dealer)

    expected = expected_sum(game.points, game.deposits, rules)
    dropped = 12 if rules.split_remainder == "drop" else 0  # see test_settlement_properties
    assert 0 <= expected - sum(seat.score for seat in seats) <= dropped


@many
@given(playable_rules(), st.data())
def test_honba_and_the_deal_go_together(rules, data):
    """A dealer who repeats has one honba more, but for a void hand; a deal that passed by a win has none."""
    game = play_some(data, rules)

    for step, following in zip(game.steps, game.steps[1:], strict=False):
        if following.dealer == step.dealer:
            assert following.name.honba - step.name.honba in (0, 1)
        else:
            assert following.dealer == (step.dealer + 1) % 4
            assert following.name.honba == (0 if step.winners else step.name.honba + 1)


@many
@given(playable_rules(), st.data())
def test_the_scores_after_a_hand_lead_to_the_same_next_hand(rules, data):
    game = play_some(data, rules)

    for index, step in enumerate(game.steps[:-1]):
        if step.result not in ("win", "draw"):
            continue
        after = replay(rules, game.hands[: index + 1])
        facts = {"winners": step.winners, "honba": after.honba}
        hand = Hand(
            outcome=Scores(step.points, dealer_repeats=step.dealer_repeats, **facts),
            minutes=step.hand.minutes,
            fouls=(),
        )
        known = play(replay(rules, game.hands[:index]), hand)
        assert (known.points, known.deposits, known.name, known.over) == (
            (after.points, after.deposits, after.name, after.over)
        )


@given(hand=wild_hands)
def test_any_hand_comes_back_from_its_json_shape(hand):
    assert Hand.from_values(json.loads(json.dumps(hand.as_values()))) == hand
