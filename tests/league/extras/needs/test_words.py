"""The sentence that players say, in four languages."""

import pytest
from django.utils import translation

from league.extras.needs.rules import PLACE, REACHED, Goal, LastHand, Stakes, conditions, worths
from league.extras.needs.rules.hanchan import PointSpan
from league.extras.needs.rules.last_hand import Stretch
from league.extras.needs.words.hand import Prices, call_words, draw_words, either
from league.extras.needs.words.race import span_words
from scoring.hanchan import HandName, new_game
from scoring.presets import resolve

NAMES = ("A", "B", "C", "D")
RULES = resolve("mleague")


def call(points, seat, goal=1, *, leader=None, language="en", rules=RULES):
    game = new_game(rules, at=HandName(1, 4, 0), points=points)
    found = conditions(LastHand(game), seat, Goal(PLACE, goal), Stakes())
    with translation.override(language):
        return call_words(found, NAMES, dealer=3, leader=leader)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Tsumo 1,000/2,000, ron 5,200, or 2,600 from the leader"),
        ("ja", "1000・2000のツモか5200出和了りか2600直撃"),
        ("zh-hant", "自摸1000/2000、榮和5200，或直擊首位2600"),
        ("zh-hans", "自摸1000/2000、荣和5200，或直击首位2600"),
    ],
)
def test_players_say_tsumo_then_ron_then_a_direct_hit(language, words):
    assert call((30000, 25300, 24500, 20200), 1, leader=0, language=language) == words


@pytest.mark.parametrize(
    ("points", "seat", "goal", "words"),
    [
        ((30000, 25300, 24500, 20200), 1, 1, "Tsumo 1,000/2,000, ron 5,200, or 2,600 from A"),
        ((40000, 25000, 25000, 10000), 0, 1, "Any win"),
        ((30000, 25300, 24500, 20200), 3, 1, "The game continues after any win"),
        ((26000, 25900, 25100, 23000), 1, 1, "Any win"),
    ],
)
def test_the_sentence_is_as_short_as_it_can_be(points, seat, goal, words):
    assert call(points, seat, goal) == words


def test_a_place_that_nothing_changes_is_called_so():
    rules = resolve("mleague", {"composite_yakuman": False, "all_last_renchan": False})
    points = (91000, 3000, 3000, 3000)
    assert call(points, 0, goal=3, rules=rules) == "Always"
    assert call(points, 0, goal=3, rules=rules, language="ja") == "無条件"
    assert call(points, 1, rules=rules) == "Never"
    assert call(points, 1, rules=rules, language="ja") == "目無し"
    with_renchan = resolve("mleague", {"composite_yakuman": False})
    assert call(points, 1, rules=with_renchan) == "No win is enough"


def test_stretches_have_both_ends_unless_one_is_the_last():
    every = worths(RULES, False)
    prices = Prices(tsumo=False, deals=False)
    stretches = [
        (Stretch(every[3], every[-1], False, True), "2,000", "from 2,000 (1 han 60 fu, 2 han 30 fu)"),
        (
            Stretch(every[0], every[3], True, False),
            "up to 2,000",
            "up to 2,000 (1 han 60 fu, 2 han 30 fu)",
        ),
        (Stretch(every[1], every[1], False, False), "exactly 1,300", "1,300 (1 han 40 fu)"),
        (
            Stretch(every[1], every[3], False, False),
            "1,300 to 2,000",
            "1,300 (1 han 40 fu) to 2,000 (1 han 60 fu, 2 han 30 fu)",
        ),
    ]
    for stretch, short, long in stretches:
        assert (prices.stretch(stretch), prices.limits(stretch)) == (short, long)


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (None, None, "any points"),
        (None, -3_600, "up to −3,600"),
        (28_600, 28_700, "28,600 to 28,700"),
        (28_800, 28_800, "exactly 28,800"),
        (34_800, None, "from 34,800"),
    ],
)
def test_spans_of_points_name_the_ends_that_they_have(first, last, words):
    assert span_words(PointSpan(REACHED, first, last)) == words


def test_a_dealers_tsumo_is_called_by_one_number():
    mangan = next(worth for worth in worths(RULES, True) if worth.base == 2000)
    assert Prices(tsumo=True, deals=True).call(mangan) == "4,000 all"
    with translation.override("ja"):
        assert Prices(tsumo=True, deals=True).call(mangan) == "4000オール"


def test_alternatives_are_joined_as_the_language_does():
    assert [either(list("abc"[:count])) for count in range(4)] == ["", "a", "a or b", "a, b, or c"]
    with translation.override("ja"):
        assert either(["a", "b", "c"]) == "aかbかc"


@pytest.mark.parametrize(
    ("points", "seat", "words"),
    [
        ((30000, 25300, 24500, 20200), 1, "No draw is enough."),
        ((40000, 25000, 25000, 10000), 0, "A draw that ends the game is enough."),
        ((26000, 25000, 24500, 24500), 0, "Tenpai is enough at a draw. The others decide after noten."),
        ((25800, 26000, 24500, 23700), 0, "Tenpai is needed at a draw, and the others decide, too."),
    ],
)
def test_a_draw_is_said_in_a_sentence(points, seat, words):
    found = conditions(
        LastHand(new_game(RULES, at=HandName(1, 4, 0), points=points)), seat, Goal(PLACE, 1), Stakes()
    )
    assert draw_words(found, 3) == [words, "The game continues if the dealer is tenpai."]
