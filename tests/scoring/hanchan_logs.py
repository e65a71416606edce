"""Hands and logs for tests: short ways to write one, and random ones, legal or not."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from scoring.hanchan import (
    ABORTS,
    Abort,
    Chombo,
    ExhaustiveDraw,
    Foul,
    Game,
    Hand,
    Nagashi,
    Outcome,
    Riichi,
    Ron,
    Tsumo,
    new_game,
    play,
)
from scoring.payments import HandValue, Liability, Win, hand_value, limit_value, yakuman_value
from scoring.presets import resolve
from scoring.rules import SETTINGS, Rules

EAST, SOUTH, WEST, NORTH = range(4)


def rules_with(**overrides: object) -> Rules:
    """M.League's rules, which are plain (25 000 points, no extension, no bust), with other settings."""
    return resolve("mleague", overrides)


def win(winner: int, value: HandValue | None = None, *liable: Liability) -> Win:
    return Win(winner, value or HandValue(base=240, han=1, fu=30), liable)


def tsumo(winner: int, value: HandValue | None = None, *liable: Liability, **facts: Any) -> Hand:
    return Hand(outcome=Tsumo(win(winner, value, *liable)), **facts)


def ron(winner: int, loser: int, value: HandValue | None = None, *liable: Liability, **facts: Any) -> Hand:
    return Hand(outcome=Ron((win(winner, value, *liable),), loser), **facts)


def draw(*tenpai: int, **facts: Any) -> Hand:
    return Hand(outcome=ExhaustiveDraw(tenpai), **facts)


def mangan(rules: Rules) -> HandValue:
    return limit_value("mangan", rules)


def riichi(*seats: int) -> tuple[Riichi, ...]:
    return tuple(Riichi(seat) for seat in seats)


def after(rules: Rules, *hands: Hand) -> Game:
    """The game after `hands`, played one by one."""
    game = new_game(rules)
    for hand in hands:
        game = play(game, hand)
    return game


def at_turn(turn: int, rules: Rules) -> Game:
    """A game in which the deal has passed on `turn` times by draws without tenpai: so many honba, and all
    points as at the start.
    """
    game = new_game(rules)
    while game.turn < turn:
        game = play(game, draw())
    return game


# Random games


@st.composite
def playable_rules(draw_: st.DrawFn, settlement: st.SearchStrategy[Rules] | None = None) -> Rules:
    """Any way to play: every setting that `hanchan` or `payments` reads. Settled as by M.League, or by
    `settlement`.
    """
    settled = (
        draw_(settlement) if settlement is not None else rules_with(start_points=draw_(_STARTS), oka="auto")
    )
    values = {**settled.as_values(), **draw_(_PLAYED)}
    values["target_points"] = settled.start_points + 5000
    values["chombo_timing"] = "after_uma" if isinstance(values["chombo"], int) else "in_game"
    return Rules.from_values(_without_contradictions(values))


_ABORTS = SETTINGS["abortive_draws"].choices
_CHOSEN = (
    *("game_length", "extension", "renchan", "multiple_ron", "multi_ron_bonus", "multi_ron_sticks"),
    "after_chombo",
)
_YES_NO = (
    *("bust", "agari_yame", "all_last_renchan", "nagashi_mangan", "nagashi_as_tsumo", "hidden_tenpai"),
    *("riichi_below_1000", "deposit_when_called", "honba_on_yakuman", "daiminkan_pao", "kiriage_mangan"),
    *("composite_yakuman", "double_yakuman"),
)
_SAMPLED: dict[str, tuple[Any, ...]] = {
    "extension_winds": (None, 1, 2),
    "minutes": (None, 40),
    "extra_hands": (0, 1, 2),
    "honba": (0, 300, 1500),
    "noten_payment": (0, 1000, 3000),
    "tiles_for_riichi": (0, 1, 4),
    "redeal_tiles": (0, 20),
    "extra_tile_payment": (0, 1000),
    "noten_riichi": (None, 0, 1000),
    "counted_yakuman": ("none", "yakuman"),
    "chombo": (-20, "reverse_mangan", {"each": 4000}),
}


_PLAYED = st.fixed_dictionaries(
    {
        **{name: st.sampled_from(SETTINGS[name].choices) for name in _CHOSEN},
        **{name: st.booleans() for name in _YES_NO},
        **{name: st.sampled_from(choices) for name, choices in _SAMPLED.items()},
        "abortive_draws": st.lists(st.sampled_from(_ABORTS), unique=True),
    }
)
_STARTS = st.sampled_from((8000, 25000, 30000))


def _without_contradictions(values: dict[str, object]) -> dict[str, object]:
    """The values, without those that contradict others (see rules.CONTRADICTIONS)."""
    single = values["game_length"] == "each_hand"
    return {
        **values,
        "extension": "none" if single else values["extension"],
        "agari_yame": bool(values["agari_yame"] and values["all_last_renchan"]),
        "extra_hands": values["extra_hands"] if values["minutes"] else 0,
        "nagashi_as_tsumo": bool(values["nagashi_as_tsumo"] and values["nagashi_mangan"]),
        "yakuman_limit": None,
    }


seats = st.integers(0, 3)
some_seats = st.lists(seats, unique=True, max_size=4).map(tuple)
live_tiles = st.none() | st.integers(0, 70)


# Strategies are made once: making and checking them takes longer than drawing from them.
_multiples = st.integers(1, 3)
_one_in_ten = st.integers(0, 9)
_han, _fu = st.integers(1, 14), st.sampled_from((20, 25, 30, 40, 110))
_yaku = st.sampled_from(("daisangen", "daisuushii", "suukantsu", "rinshan"))
_liable = {
    winner: st.lists(
        st.builds(
            Liability,
            st.sampled_from([seat for seat in range(4) if seat != winner]),
            _yaku,
            st.integers(1, 2),
        ),
        max_size=2,
    ).map(tuple)
    for winner in range(4)
}
_orders = st.permutations(range(4))
_one_to_three = st.integers(1, 3)
_declared = st.lists(
    st.builds(Riichi, seats, st.sampled_from(("passed", "passed", "called")), live_tiles),
    unique_by=lambda each: each.seat,
    max_size=3,
)
_coins, _one_in_five = st.booleans(), st.integers(0, 4)
_kinds = {
    (nagashi, aborts): st.sampled_from(
        [Ron, Tsumo, ExhaustiveDraw, Chombo, *([Nagashi] if nagashi else []), *([Abort] if aborts else [])]
    )
    for nagashi in (False, True)
    for aborts in (False, True)
}


def hand_values(draw_: st.DrawFn, rules: Rules) -> HandValue:
    if draw_(_one_in_ten) == 0:
        return yakuman_value(draw_(_multiples), rules)
    return hand_value(draw_(_han), draw_(_fu), rules)


def winning_hands(draw_: st.DrawFn, winner: int, rules: Rules) -> Win:
    return Win(winner, hand_values(draw_, rules), draw_(_liable[winner]))


def outcomes(draw_: st.DrawFn, rules: Rules) -> Outcome:
    """An outcome that the rule set knows; other facts may refuse it."""
    first, *others = draw_(_orders)
    winners = others[: draw_(_one_to_three)]
    tenpai = draw_(some_seats)
    hidden = tuple(others[:1]) if rules.hidden_tenpai and others[0] not in tenpai else ()
    kind = draw_(_kinds[rules.nagashi_mangan, bool(rules.abortive_draws)])
    if kind is Ron:
        return Ron(tuple(winning_hands(draw_, seat, rules) for seat in winners), first)
    if kind is Tsumo:
        return Tsumo(winning_hands(draw_, first, rules))
    if kind is Chombo:
        left = draw_(live_tiles)
        return Chombo((first,), left if left is None else max(left, rules.redeal_tiles))
    if kind is Nagashi:
        return Nagashi(tuple(winners[:2]), tenpai, hidden)
    if kind is Abort:
        return Abort(rules.abortive_draws[draw_(seats) % len(rules.abortive_draws)])
    return ExhaustiveDraw(tenpai, hidden)


@st.composite
def hands(draw_: st.DrawFn, rules: Rules) -> Hand:
    """A hand that mostly fits together; the table, the rule set or a rare fact may refuse it. How long it
    took is left to `timed`.
    """
    outcome = outcomes(draw_, rules)
    hidden, loser = getattr(outcome, "hidden", ()), getattr(outcome, "loser", None)
    laid = [each for each in draw_(_declared) if each.seat not in hidden]
    if loser is not None and draw_(_coins):
        laid = [*(each for each in laid if each.seat != loser), Riichi(loser, "won")]
    if isinstance(outcome, Abort) and outcome.reason == "suucha_riichi":
        laid = [Riichi(seat) for seat in range(4)]
    hand = Hand(outcome=outcome, riichi=tuple(laid))
    return replace(hand, **draw_(_RARE)) if draw_(_one_in_five) == 0 else hand


def timed(hand: Hand, game: Game, took: int) -> Hand:
    """The hand as it ends `took` minutes after the last."""
    return replace(hand, minutes=game.minutes + took)


_RARE = st.fixed_dictionaries(
    {
        "fouls": st.lists(st.builds(Foul, seats, live_tiles, st.booleans()), max_size=1).map(tuple),
        "win_bans": st.lists(seats, max_size=1).map(tuple),
        "dead_hands": st.lists(seats, max_size=1).map(tuple),
        "extra_tiles": st.sampled_from(((0, 0, 0, 0), (0, 1, 0, 0), (2, 0, 0, 1))),
    }
)
_wild = st.integers(-2, 6)
_wild_seats = st.lists(_wild, max_size=5).map(tuple)
_wild_wins = st.builds(
    Win,
    _wild,
    st.builds(
        HandValue,
        base=st.sampled_from((-1, 0, 240, 2000)),
        han=st.none() | st.integers(-1, 14),
        fu=st.none() | st.sampled_from((0, 30, 31)),
        limit=st.none() | st.sampled_from(("mangan", "counted_yakuman", "lots")),
        yakuman=st.integers(-1, 2),
    ),
    st.lists(st.builds(Liability, _wild, st.sampled_from(("daisangen", "other")), _wild), max_size=2).map(
        tuple
    ),
)
# Any hand of the right types, mostly impossible.
wild_hands = st.builds(
    Hand,
    outcome=st.one_of(
        st.builds(Ron, st.lists(_wild_wins, max_size=4).map(tuple), _wild),
        st.builds(Tsumo, _wild_wins),
        st.builds(ExhaustiveDraw, _wild_seats, _wild_seats),
        st.builds(Nagashi, _wild_seats, _wild_seats, _wild_seats),
        st.builds(Abort, st.sampled_from((*ABORTS, "tea"))),
        st.builds(Chombo, _wild_seats, st.none() | st.integers(-1, 99)),
    ),
    riichi=st.lists(
        st.builds(
            Riichi,
            _wild,
            st.sampled_from(("passed", "called", "won", "lost")),
            st.none() | st.integers(-1, 99),
        ),
        max_size=5,
    ).map(tuple),
    fouls=st.lists(st.builds(Foul, _wild, st.none() | st.integers(-1, 99), st.booleans()), max_size=2).map(
        tuple
    ),
    win_bans=_wild_seats,
    dead_hands=_wild_seats,
    extra_tiles=st.tuples(*[st.integers(-1, 20)] * 4),
    minutes=st.none() | st.integers(-5, 500),
)
