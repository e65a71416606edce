"""The benchmarks run and print their rows. Speed depends on the machine and is not tested."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.steps import settle_and_sum, settle_and_sum_scores
from scoring.presets import presets, resolve
from scoring.standings import rank_players

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.long


@pytest.fixture
def run(migrated):
    """Return `run(name, *words)`, which runs the benchmark and returns its output. Fail if it prints an
    error.
    """

    def run(name: str, *words: object) -> str:
        command = [sys.executable, "-m", f"benchmarks.{name}", *map(str, words)]
        env = os.environ | {"MIGRATED": str(migrated)}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def cells_of(printed: str) -> dict[str, list[str]]:
    """The lines of the printed tables, without the beginning that each is found by."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines()]
    return {line[0]: line[1:] for line in lines if len(line) > 1}


def test_every_rule_set_prints_its_row(run):
    printed = run("standings", "--repeats", 1, "--rule-sets", 12, "--tables", "--players", "--rows")

    assert cells_of(printed).keys() >= {preset.slug for preset in presets()}
    assert "With one late substitute: " in printed
    assert "Python" in printed.splitlines()[0]


def test_visitors_of_a_workbook_that_is_made_apart_print_their_row(run):
    printed = run("visitors", "--rows", 2100, "--visitors", 3)

    assert cells_of(printed)["2,100"][0] == "3"


def test_saves_of_a_tiny_round_print_their_row_beside_the_bare_view(run):
    printed = run("saves", "--tables", 2, "--writers", 2, "--saves", 4)

    row = cells_of(printed)["2"]
    assert (row[0], row[-1]) == ("2", "0")  # no other answer than a saved sheet


def test_imports_print_the_saves_of_others_and_their_row_beside_bulk_create(run):
    printed = cells_of(run("imports", "--parts", "bc", "--before", 1, "--tables", 1500, "--alone", 200))

    assert (printed["1,500 tables"][1], printed["1,500 tables"][3]) == ("done", "0")  # no save was refused
    assert float(printed["200"][3]) > 0


def test_pages_and_workers_of_a_small_league_that_is_made_once_print_their_rows(run, tmp_path):
    size = ("--directory", tmp_path, "--players", 16, "--tables", 8)
    pages = run(
        "pages", *size, "--shown", 99, "--pages", "rounds:round", "teams:index", "interchange:standings"
    )
    workers = run("workers", *size, "--saves", 3)

    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in pages.splitlines()]
    answers = {(line[0], line[1]): line[2] for line in lines if len(line) > 2}
    assert answers["rounds:round", "visitor"] == answers["teams:index, no teams", "organizer"] == "200"
    assert answers["interchange:standings xlsx", "organizer"] == "200"
    assert re.search(r"^\| +([\d.]+) \| +([\d.]+) \| +([\d.]+) \|$", workers, re.MULTILINE)
    assert [row[0] for row in cells_of(workers).values() if len(row) == 4][-1] == "3"


def test_product_and_library_value_the_same_hands_alike(run):
    printed = run("hands", "--hands", 40, "--repeats", 1)

    assert cells_of(printed)["40"][-1] == "yes"
    assert "mahjong 2" in printed.splitlines()[0]


def test_last_hands_lead_where_brute_force_leads_and_their_pages_are_measured(run):
    compared = run("last_hands", "--hands", 16, "--pairs", 2)
    measured = run("last_hands", "--pages", 1)

    assert (cells_of(compared)["all"][0], cells_of(compared)["all"][-1]) == ("16", "0")
    assert cells_of(measured).keys() >= {"calculator", "one player", "all four", "double ron"}


def test_schedules_and_swiss_events_print_their_repeats(run):
    printed = run("seating", "--players", 16, "--legs", 6, "--events", 1)

    lines = [line.strip("| ").split(" | ") for line in printed.splitlines() if "16×" in line]
    whole, overfull, swiss, clubs, *_ = ([cell.strip() for cell in line] for line in lines)
    assert (whole[:3], whole[4:6]) == (["16×5", "0", "0"], ["stored", "yes"])
    assert (overfull[:3], overfull[5]) == (["16×8", "72", "72"], "yes")
    assert (swiss[0], swiss[1].isdigit()) == ("16×5", True)
    assert clubs[:4] == ["16×4", "4", "0", "0"]


def test_the_bare_loop_settles_as_the_product_does():
    rules = resolve("mleague")
    games = [
        (1, 2, 3, 4, 38_400, 2_000, 42_900, 16_700, 0),
        (1, 2, 3, 4, 30_000, 30_000, 25_000, 15_000, 0),  # tied firsts
        (4, 3, 2, 1, 41_000, 41_000, 9_000, 8_000, 1_000),  # tied firsts share the deposits
        (2, 5, 4, 3, -3_000, 60_000, 21_000, 20_000, 2_000),
    ]

    rows = rank_players(games, rules)

    assert {row.player: [row.score, *row.places] for row in rows} == settle_and_sum(games, rules)
    assert {row.player: row.score for row in rows} == settle_and_sum_scores(games, rules)


def test_hostile_inputs_are_counted_by_their_answers(run):
    printed = run("inputs", "--times", 30)

    assert cells_of(printed)["errors 500"][0] == "0"
    assert printed.endswith("The other competition is as it was.\n")


def test_sizes_print_rows_and_bytes_of_players_and_sheets(run):
    printed = cells_of(run("sizes", "--players", 100, "--tables", 20))

    assert printed["player entered, in bulk"][0] == "100"
    assert float(printed["table with its score sheet"][1]) > 8
    assert int(printed["rows"][0]) > 360


def test_the_phones_of_a_tiny_hall_lose_nothing(run):
    printed = cells_of(run("phones", "--tables", 2, "--seconds", 2))

    assert (printed["signature"][0], printed["signature"][1]) == ("8", "0")
    assert (printed["lost sheets"], printed["lost signatures"]) == (["0"], ["0"])


def test_a_hall_that_writes_in_secret_leaves_the_standings_as_they_are(run):
    printed = cells_of(run("hall", "--tables", 2, "--visitors", 1, "--seconds", 6))

    tables, writes, refused, _median, _p99, reloads, unchanged, *_others = printed["hidden"]
    assert (tables, refused, unchanged) == ("2", "0", reloads)
    assert int(writes) > 2


def test_chances_print_each_tenth_and_random_last_tables_contradict_nothing(run):
    assert "Brier score" in run("chances", "--seasons", 2, "--ends", 100)
    assert "without contradiction" in run("chances", "--proofs", 2)
