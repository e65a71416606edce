"""The example of docs/chances.md is what the rules give."""

from pathlib import Path

from league.extras.needs.rules import RANK, Goal
from league.extras.needs.rules.hanchan import LastHanchan, Record, hanchan_needs
from league.extras.needs.words.race import case_words
from scoring.presets import resolve

PAGE = Path(__file__).resolve().parents[4] / "docs" / "chances.md"
NAMES = ("Reds", "Blues", "Greens", "Greys")


def test_the_cases_of_the_example_are_among_those_that_suffice():
    text = PAGE.read_text(encoding="utf-8").split("## An example")[1].split("##")[0]
    listed = [line.removeprefix("- ") for line in text.splitlines() if line.startswith("- ")]
    last = LastHanchan(
        rules=resolve("mleague"),
        seats=(Record(500), Record(420), Record(-100), Record(100)),
        elsewhere=(Record(450), Record(300)),
        tie_breaks=("average_place",),
    )
    found = [
        " · ".join(case_words(case, NAMES, last.rules))
        for case in hanchan_needs(last, 1, Goal(RANK, 2, True)).cases
    ]
    assert len(listed) == 3
    assert [line for line in listed if line not in found] == []
