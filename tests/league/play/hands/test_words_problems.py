"""Every reason why a hand cannot have happened has its sentence."""

import inspect
import re

import pytest

from league.play.hands.words.problems import ENDINGS, PLACES, ending_reason, hanchan_problem
from league.play.hands.words.problems import PROBLEMS as SENTENCES
from scoring.hanchan import ABORTS, PROBLEMS, HanchanProblem, problems
from scoring.hanchan import ENDINGS as ENDING_CODES

# One example a code: (code, params, the sentence).
EXAMPLES = [
    ("game_over", {"why": "bust"},
     "The game is over: a player fell below zero. Undo its last hand before entering another."),
    ("malformed", {"place": "riichi.0.seat"},
     "The log cannot be read at “riichi.0.seat”: data is missing or unexpected."),
    ("unknown", {"place": "abort", "value": "earthquake"},
     "Abortive draw: unknown word “earthquake”. Correct it."),
    ("no_such_seat", {"place": "wins", "seat": 4},
     "Winners: seat 4 does not exist. Seats are numbered 0 (East) to 3 (North)."),
    ("seat_twice", {"place": "tenpai", "seat": 1}, "Tenpai: South is listed twice. List each player once."),
    ("nobody", {"place": "chombo"}, "Chombo: no player is named. Name the players."),
    ("live_tiles", {"tiles": 71, "most": 70}, "Enter a number of live tiles from 0 to 70, not 71."),
    ("extra_tiles", {"seat": 2, "tiles": 15, "most": 14},
     "West cannot have 15 extra tiles. Enter a number from 0 to 14."),
    ("minutes_back", {"minutes": 10, "before": 20},
     "The game had lasted 20 minutes before this hand, so it cannot have ended after 10. Correct the "
     "time."),
    ("winner_is_loser", {"seat": 0},
     "East cannot win on their own discard. Correct the winner or the discarder."),
    ("winner_banned", {"seat": 3},
     "North may not win this hand because of a ruling, a chombo or extra tiles. Correct the winner or "
     "undo the ban."),
    ("value", {"seat": 0, "base": 1234, "near": "2/80"},
     "Under these rules East cannot win such a hand (1,234 basic points). The nearest value is 2 han 80 fu. "
     "Correct its han and fu, or its limit."),
    ("scores_sum", {"sum": 101_000, "most": 100_000},
     "The four scores are 101,000, more than the 100,000 of the game. Correct them."),
    ("hundreds", {"seat": 0, "points": 24_950},
     "East cannot have 24,950 points. Scores are multiples of 100."),
    ("sticks", {"points": 500},
     "The scores leave 500 points on the table, but each riichi stick is 1,000. Correct them."),
    ("bell", {}, "These rules have no time limit. Remove the note that the time ran out."),
    ("honba", {"honba": -1}, "The next hand cannot have -1 honba. Enter 0 or more."),
    ("ruling", {},
     "A correction of the scores is not a hand. Enter riichi and offences with their hand."),
    ("liable_winner", {"seat": 0}, "East cannot be liable for their own hand. Correct the liable player."),
    ("liable_yakuman", {"seat": 0, "yakuman": 14, "most": 13},
     "No player can be liable for 14 yakuman of East. Enter a number from 1 to 13."),
    ("riichi_below_1000", {"seat": 1, "points": 900},
     "Riichi requires 1,000 points, but South has 900. Remove the riichi."),
    ("riichi_tiles", {"seat": 1, "tiles": 3, "least": 4},
     "Riichi requires 4 live tiles, but only 3 were left for South. Remove the riichi, or "
     "correct the tiles."),
    ("riichi_tile_won", {"seat": 1},
     "The riichi tile of South cannot have been won on: South did not deal in. Correct the tile or the "
     "discarder."),
    ("riichi_hidden", {"seat": 1},
     "South declared riichi and must show the hand. Enter it as tenpai or noten."),
    ("riichi_unknown", {"seat": 1},
     "South declared riichi. Enter the hand as tenpai, or as riichi without tenpai."),
    ("noten_riichi", {"seat": 1},
     "South is entered as riichi without tenpai, but did not declare riichi, is tenpai or has a dead "
     "hand. Correct one of them."),
    ("hidden", {"seat": 1}, "These rules do not allow hiding a tenpai hand. Enter South as tenpai or noten."),
    ("tenpai_and_hidden", {"seat": 1}, "South cannot both show and hide a tenpai hand. Choose one."),
    ("dead_hand_tenpai", {"seat": 1},
     "The hand of South is dead and counts as noten. Remove South from tenpai."),
    ("nagashi", {}, "These rules have no nagashi mangan. Enter the hand as an exhaustive draw."),
    ("abort", {"reason": "suukaikan"},
     "Under these rules the hand continues after this: four kans by several players (四開槓)."),
    ("abort_after_call", {"reason": "suufon_renda", "seat": 0},
     "four equal winds (四風連打): not possible after a call, and the riichi tile of East was called. "
     "Correct one of them."),
    ("four_riichi_missing", {"riichi": 3},
     "Four riichi are needed to end the hand, but only 3 are entered. Enter the others."),
    ("four_riichi", {}, "The fourth riichi ends the hand. Enter it as an abortive draw by four riichi."),
    ("nobody_dealt_in", {"reason": "sanchahou"},
     "triple ron (三家和): only one riichi tile can be won on. Correct the others."),
    ("hand_goes_on", {"tiles": 19, "least": 20},
     "With 19 live tiles left, a chombo does not end the hand: 20 are needed. Enter it as an offence "
     "within the hand."),
    ("hand_is_void", {"seat": 0, "tiles": 30, "least": 20},
     "With 30 live tiles left, a chombo by East ends the hand. Enter the hand as ended by it, or note "
     "that the referee let it continue."),
    ("hand_is_void", {"seat": 0, "tiles": None, "least": 0},
     "Under these rules a chombo always ends the hand. Enter this hand as ended by the chombo of East."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "params", "sentence"), EXAMPLES)
def test_each_problem_has_a_sentence_that_says_what_to_do(code, params, sentence):
    assert tuple(params) == PROBLEMS[code]
    assert hanchan_problem(HanchanProblem(code, params)) == sentence


def test_every_problem_has_a_sentence_and_an_example_here():
    assert set(SENTENCES) == set(PROBLEMS) == {code for code, _, _ in EXAMPLES}


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
    sentence = hanchan_problem(HanchanProblem("abort", {"reason": reason}))
    assert reason not in sentence
