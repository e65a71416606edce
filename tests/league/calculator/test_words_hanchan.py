"""Every reason why a hand cannot have happened is told in a sentence."""

import inspect
import re

import pytest

from league.calculator.words.hanchan import ENDINGS, PLACES, ending_reason, hanchan_problem
from league.calculator.words.hanchan import PROBLEMS as SENTENCES
from scoring.hanchan import ABORTS, PROBLEMS, HanchanProblem, problems
from scoring.hanchan import ENDINGS as ENDING_CODES

# One example a code: (code, params, the sentence).
TOLD = [
    (
        "game_over",
        {"why": "bust"},
        "The game is over: somebody fell below zero. Take back its last hand before you enter another.",
    ),
    (
        "malformed",
        {"place": "riichi.0.seat"},
        "The log cannot be read at “riichi.0.seat”: something is missing there, or not as expected.",
    ),
    (
        "unknown",
        {"place": "abort", "value": "earthquake"},
        "Abortive draw: the log knows no “earthquake”. Correct the word.",
    ),
    (
        "no_such_seat",
        {"place": "wins", "seat": 4},
        "Winners: there is no seat 4. Seats are numbered 0 (East) to 3 (North).",
    ),
    ("seat_twice", {"place": "tenpai", "seat": 1}, "Tenpai: South is named twice. Name each player once."),
    ("nobody", {"place": "chombo"}, "Chombo: nobody is named. Name the players."),
    (
        "live_tiles",
        {"tiles": 71, "most": 70},
        "71 live tiles cannot be left: write a number from 0 to 70.",
    ),
    (
        "extra_tiles",
        {"seat": 2, "tiles": 15, "most": 14},
        "West: 15 tiles too many cannot be. Write a number from 0 to 14.",
    ),
    (
        "minutes_back",
        {"minutes": 10, "before": 20},
        "The game had lasted 20 minutes before this hand, so the hand cannot have ended after 10. Correct the"
        " time.",
    ),
    (
        "winner_is_loser",
        {"seat": 0},
        "East cannot win with a discard of their own. Correct who won or who dealt in.",
    ),
    (
        "winner_banned",
        {"seat": 3},
        "North may not win in this hand: after a ruling, a chombo, or with too many tiles. Correct the"
        " winner, or take that back.",
    ),
    (
        "value",
        {"seat": 0, "base": 1234},
        "These rules know no hand like the one that East won with (1,234 basic points). Correct its han and"
        " fu, or its limit.",
    ),
    (
        "liable_winner",
        {"seat": 0},
        "East cannot be liable for a hand of their own. Correct who is liable.",
    ),
    (
        "liable_yakuman",
        {"seat": 0, "yakuman": 14, "most": 13},
        "Nobody can be liable for 14 yakuman of East: write a number from 1 to 13.",
    ),
    (
        "riichi_below_1000",
        {"seat": 1, "points": 900},
        "South has 900 points, and these rules need 1,000 for riichi. Take the riichi out.",
    ),
    (
        "riichi_tiles",
        {"seat": 1, "tiles": 3, "least": 4},
        "With 3 live tiles left South cannot declare riichi: these rules need 4. Take the riichi out, or"
        " correct the tiles.",
    ),
    (
        "riichi_tile_won",
        {"seat": 1},
        "Nobody won with the riichi tile of South, who did not deal in. Correct what became of the tile, or"
        " who dealt in.",
    ),
    (
        "riichi_hidden",
        {"seat": 1},
        "South declared riichi and must show the hand. Enter it as tenpai or as noten.",
    ),
    (
        "riichi_unknown",
        {"seat": 1},
        "South declared riichi. Enter the hand as tenpai, or as riichi without tenpai.",
    ),
    (
        "noten_riichi",
        {"seat": 1},
        "South is entered as riichi without tenpai, but did not declare riichi, is tenpai or has a dead hand."
        " Correct one of them.",
    ),
    (
        "hidden",
        {"seat": 1},
        "Under these rules nobody may keep a tenpai hand hidden. Enter South as tenpai or as noten.",
    ),
    (
        "tenpai_and_hidden",
        {"seat": 1},
        "South cannot both show a tenpai hand and keep it hidden. Choose one.",
    ),
    (
        "dead_hand_tenpai",
        {"seat": 1},
        "The hand of South is dead and counts as noten. Take South out of tenpai.",
    ),
    ("nagashi", {}, "These rules have no nagashi mangan: enter the hand as an exhaustive draw."),
    (
        "abort",
        {"reason": "suukaikan"},
        "These rules do not end a hand for this: four kans by several players (四開槓). The hand goes on.",
    ),
    (
        "abort_after_call",
        {"reason": "suufon_renda", "seat": 0},
        "four equal winds (四風連打): not after a call, and the riichi tile of East was called. Correct one"
        " of them.",
    ),
    (
        "four_riichi_missing",
        {"riichi": 3},
        "Four riichi are needed to end the hand, and only 3 stand. Enter the others.",
    ),
    (
        "four_riichi",
        {},
        "The fourth riichi had ended the hand: enter it as an abortive draw by four riichi.",
    ),
    (
        "nobody_dealt_in",
        {"reason": "sanchahou"},
        "three wins on one tile (三家和): only one riichi tile can have been won with. Correct what became of"
        " the others.",
    ),
    (
        "hand_goes_on",
        {"tiles": 19, "least": 20},
        "With 19 live tiles left a chombo does not end the hand: 20 are needed. Enter it as a foul within the"
        " hand.",
    ),
    (
        "hand_is_void",
        {"seat": 0, "tiles": 30, "least": 20},
        "With 30 live tiles left a chombo of East ends the hand: enter the hand as ended by it, or note that"
        " the referee let it go on.",
    ),
    (
        "hand_is_void",
        {"seat": 0, "tiles": None, "least": 0},
        "Under these rules a chombo always ends the hand: enter this one as ended by the chombo of East.",
    ),
]


@pytest.mark.parametrize(("code", "params", "sentence"), TOLD)
def test_a_problem_is_told_in_a_sentence_that_says_what_to_do(code, params, sentence):
    assert tuple(params) == PROBLEMS[code]
    assert hanchan_problem(HanchanProblem(code, params)) == sentence


def test_every_problem_has_a_sentence_and_an_example_here():
    assert set(SENTENCES) == set(PROBLEMS) == {code for code, _, _ in TOLD}


def test_every_ending_has_words():
    assert tuple(ENDINGS) == ENDING_CODES
    assert len({ending_reason(code) for code in ENDING_CODES}) == len(ENDING_CODES)


def test_every_part_of_a_hand_that_a_problem_names_has_words():
    named = set(re.findall(r'place="(\w+)"', inspect.getsource(problems)))
    named |= set(re.findall(r'"(\w+)", ', inspect.getsource(problems._named_seats)))
    assert {"wins", "chombo", "liable", "abort"} <= named  # the reader finds something
    assert named == set(PLACES)


@pytest.mark.parametrize("reason", ABORTS)
def test_every_abortive_draw_is_named(reason):
    told = hanchan_problem(HanchanProblem("abort", {"reason": reason}))
    assert reason not in told
