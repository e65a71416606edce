"""A competition file that is too large is refused before objects are made, or at its 200th problem."""

import subprocess
import sys

import pytest

from league.organizing.interchange import imports
from league.organizing.interchange.schema.problems import MOST_PROBLEMS, BrokenFile
from tests.conftest import ROOT
from tests.league.organizing.interchange.files import (
    encoded,
    facts_of,
    problems_of,
    round_of,
    small,
    table_of,
)

READ = """
import resource, sys
import django
django.setup()
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.schema.problems import BrokenFile
resource.setrlimit(resource.RLIMIT_AS, (300 * 1024**2,) * 2)
while content := sys.stdin.buffer.readline():
    try:
        read_competition_file(content)
    except BrokenFile as broken:
        print(len(broken.problems), broken.stopped)
"""
EMPTY_OBJECTS = [
    ('"players": [', 6_000_000, "1 False"),
    ('"players": [', 19_990, "200 True"),
    ('"divisions": [{"stages": [{"rounds": [{"tables": [', 99_990, "200 True"),
    ('"divisions": [{"stages": [{"rounds": [{"tables": [{"seats": [', 690_000, "200 True"),
    ('"lots": [[[[', 690_000, "5 False"),
]


@pytest.mark.slow
def test_empty_objects_take_little_memory():
    head = '{"format": "umaoka-competition", "version": 1, '
    tail = {"[": "]", "{": "}"}
    content = ""
    for where, objects, _said in EMPTY_OBJECTS:
        closed = "".join(tail[sign] for sign in reversed(where) if sign in tail)
        content += head + where + "{}," * objects + "{}" + closed + "}\n"

    read = subprocess.run(
        [sys.executable, "-c", READ], cwd=ROOT, input=content.encode(), capture_output=True, check=True
    )

    assert read.stdout.decode().splitlines() == [said for *_, said in EMPTY_OBJECTS]


@pytest.mark.parametrize("name", ["divisions", "stages", "rounds", "tables", "players", "penalties"])
def test_more_of_a_kind_than_a_competition_has_is_refused_before_objects_are_made(name, monkeypatch):
    monkeypatch.setitem(imports.MOST, name, 0)

    ((place, sentence),) = problems_of(small())

    assert place == name
    assert sentence.startswith("The maximum here is 0")


def test_a_list_of_words_has_a_bound():
    file = small() | {"tie_breaks": ["penalty"] * 20_001}

    assert problems_of(file) == [("tie_breaks", "The maximum here is 20000, but there are 20001.")]


@pytest.mark.parametrize("problems", [MOST_PROBLEMS, MOST_PROBLEMS + 1])
def test_reading_stops_after_the_most_problems(problems):
    file = small()
    file["players"] += [{"id": f"n{n}", "name": ""} for n in range(problems)]

    with pytest.raises(BrokenFile) as broken:
        facts_of(file)

    assert len(broken.value.problems) == MOST_PROBLEMS
    assert broken.value.stopped == (problems > MOST_PROBLEMS)


def test_problems_of_fields_and_of_what_they_say_together_are_counted_together():
    file = small()
    file["name"] = ""
    table_of(file)["seats"][0]["points"] = "many"
    round_of(file)["tables"] += [dict(table_of(small()), number=n) for n in range(2, 300)]

    with pytest.raises(BrokenFile) as broken:
        facts_of(encoded(file))

    places = [problem.place for problem in broken.value.problems]
    assert places[:2] == ["name", "divisions[0].stages[0].rounds[0].tables[0].seats[0].points"]
    assert len(places) == MOST_PROBLEMS
