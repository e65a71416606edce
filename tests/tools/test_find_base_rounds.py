"""`python -m tools.find_base_rounds` finds base rounds again."""

import json

import pytest

from scoring.seating.checker import check_plan
from tools.find_base_rounds import BaseShape, find_base_rounds, main, shapes


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (20, 5), (24, 7), (28, 9), (36, 9), (112, 37)])
def test_base_rounds_are_found_again(players, rounds):
    shape = shapes(players, rounds)[0]

    found = find_base_rounds(shape, seed=1, tries=10, steps=200_000)

    assert found is not None
    assert (found.players, found.rounds >= rounds) == (players, True)
    assert check_plan(found.developed(found.rounds), range(players)).repeats == 0


def test_a_search_for_base_rounds_stops_on_request():
    heard = []
    tries = find_base_rounds(
        BaseShape(10, 3, 2), seed=1, tries=50, stop=lambda: True, progress=lambda *said: heard.append(said)
    )

    assert tries is None
    assert [number for number, _ in heard] == [1]


def test_what_is_found_is_printed_as_an_entry_of_the_file(capsys):
    assert main(["16", "--rounds", "5"]) == 0

    entry = json.loads(capsys.readouterr().out)
    assert sorted(entry) == ["circles", "period", "starters"]
    assert entry["period"] * len(entry["starters"]) >= 5


@pytest.mark.parametrize("words", [["18"], ["0"], ["-4"], ["32", "--period", "8"]])
def test_what_no_shape_can_be_made_of_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        main(words)
    assert "error: " in capsys.readouterr().err


def test_a_shape_that_cannot_be_says_so(capsys):
    assert main(["16", "--circles", "3", "--period", "4"]) == 1
    assert capsys.readouterr().out == ""
