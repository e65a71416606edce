"""Other words for offences, as players and referees of four languages call them (``synonyms.txt``).

A line there is one idea: before the equals sign words of published names that say it, after it what else
people call it. An offence is found by both; pages show the names of the rules alone.
"""

from functools import cache
from pathlib import Path

from league.core.search import folded
from scoring.infractions import Infraction


@cache
def ideas() -> list[tuple[list[str], str]]:
    """The words of names, and what else people say for them, folded."""
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    lines = [line.partition(" = ")[::2] for line in text.splitlines()]
    return [([folded(each) for each in names.split(", ")], folded(others)) for names, others in lines]


def synonyms(infraction: Infraction) -> str:
    """What else the offence is called, folded."""
    names = folded(" ".join(infraction.names.values()))
    return " ".join(others for marks, others in ideas() if any(mark in names for mark in marks))
