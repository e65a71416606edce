"""`python -m tools.check_seating`, which only reads a plan."""

import json
from pathlib import Path

import pytest

from tools import check_seating

DATA = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture
def run(capsys, tmp_path):
    """`run(plan, …)`: status, stdout and stderr for a plan, the name of a file, or words alone."""

    def ran(plan: object, *words: str) -> tuple[int, str, str]:
        path = tmp_path / "plan.json"
        if not isinstance(plan, Path | None):
            path.write_text(plan if isinstance(plan, str) else json.dumps(plan), encoding="utf-8")
        files = [] if plan is None else [str(plan if isinstance(plan, Path) else path)]
        status = check_seating.main([*files, *words])
        said = capsys.readouterr()
        return status, said.out.replace(str(path), "plan.json"), said.err.replace(str(path), "plan.json")

    return ran


def test_a_plan_of_names_is_summarized_in_a_few_lines(run):
    status, said, wrong = run([[["A", "B", "C", "D"]], [["B", "A", "D", "林"]]])

    assert (status, wrong) == (0, "")
    assert said.splitlines() == [
        "plan.json: 5 players, 2 rounds, 2 tables",
        "  repeats: 3 (no such plan has fewer than 3)",
        "    A and B: 2 times",
        "    A and D: 2 times",
        "    B and D: 2 times",
        "  winds that differ by more than one: 0 players",
        "  blocks of four games with a wind twice: 0",
        "  most often at one table: 2 times",
        "  sitting out: 2 players, 1 to 1 times",
        "  faults: 0",
    ]


def test_what_cannot_be_played_ends_with_status_1(run):
    status, said, wrong = run({"rounds": [[["A", "B", "C", "A"]]]})

    assert status == 1
    assert "    round 1: A sits 2 times" in said.splitlines()
    assert wrong == "plan.json: this plan cannot be played.\n"


def test_blemishes_are_wrong_only_when_asked(run):
    uneven = [[[1, 2, 3, 4]], [[1, 2, 3, 4]]]

    assert run(uneven)[0] == 0
    assert run(uneven, "--strict")[0::2] == (1, "plan.json: this plan is not as good as can be.\n")
    assert run([[[1, 2, 3, 4]], [[2, 1, 4, 3]]], "--strict")[0] == 0


def test_the_stages_of_a_competition_file_are_read(run):
    status, said, wrong = run(DATA / "sample-24-players.json")

    assert (status, wrong) == (0, "")
    assert said.splitlines()[:2] == [
        "main regular: 24 players, 8 rounds, 48 tables",
        "  repeats: 216 (no such plan has fewer than 12)",
    ]


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("{", "this is not JSON"),
        ('{"a": 1}', "a plan is a list of rounds"),
        ("[[[1.5]]]", "a plan is a list of rounds"),
        ("[[[true, 2, 3, 4]]]", "a plan is a list of rounds"),
        ('{"format": "umaoka-competition", "version": 1}', "slug"),
        (Path("/nowhere/plan.json"), "No such file"),
    ],
)
def test_files_that_are_none_are_refused_in_a_line(run, plan, reason):
    status, said, wrong = run(plan)

    assert (status, said) == (1, "")
    assert reason in wrong
    assert "Traceback" not in wrong


def test_stored_schedules_are_made_checked_and_timed(run, monkeypatch):
    monkeypatch.setattr(check_seating, "SLOWEST", 60_000)  # however busy the machine is
    status, said, wrong = run(None, "--stored", "--players", "16", "20", "24")

    assert (status, wrong) == (0, "")
    assert said.splitlines()[:3] == [
        "16 players: 5 rounds without a repeat (bound 5)",
        "20 players: 5 rounds without a repeat (bound 6)",
        "24 players: 7 rounds without a repeat (bound 7)",
    ]
    assert said.splitlines()[3].startswith("17 plans; the slowest took ")

    monkeypatch.setattr(check_seating, "SLOWEST", -1)
    status, said, wrong = run(None, "--stored", "--players", "4")
    assert (status, wrong.startswith("More than -1 ms: 4 players, ")) == (1, True)


def test_a_file_or_the_stored_schedules_must_be_asked_for(run):
    assert run(None)[0::2] == (1, "Name a file, or say --stored.\n")
    assert run([[[1, 2, 3, 4]]], "--stored")[0] == 1
