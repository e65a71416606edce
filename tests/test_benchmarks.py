"""The benchmarks run and print their rows; how fast anything is depends on the machine and is no test."""

import os
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.steps import settle_and_sum, settle_and_sum_scores
from scoring.presets import presets, resolve
from scoring.standings import rank_players

ROOT = Path(__file__).resolve().parent.parent


def rows_of(printed: str) -> list[list[str]]:
    """The cells of every line of the printed tables that holds numbers."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines()]
    return [cells for cells in lines if len(cells) > 1 and re.fullmatch(r"[\d,]+", cells[0])]


def test_every_part_prints_its_row_at_a_tiny_size(migrated):
    command = [sys.executable, "-m", "benchmarks.standings", "--repeats", "1", "--migrated", str(migrated)]
    sizes = ["--tables", "12", "--rule-sets", "12", "--players", "8", "--rows", "48"]

    done = subprocess.run(
        [*command, *sizes], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    settled, page, workbook = rows_of(done.stdout)
    assert (settled[0], settled[-1]) == ("12", "yes")
    assert page[0] == "8"
    assert int(page[1]) <= 6
    assert page[2] == "1"
    assert workbook[0] == "48"
    assert "Python" in done.stdout.splitlines()[0]
    assert all(f"| {preset.slug} |" in re.sub(r" +", " ", done.stdout) for preset in presets())
    assert "With one late substitute: " in done.stdout


def test_visitors_of_a_workbook_that_is_made_apart_print_their_row(migrated):
    command = [sys.executable, "-m", "benchmarks.visitors", "--rows", "2100", "--visitors", "3"]

    done = subprocess.run(
        [*command, "--migrated", str(migrated)],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    (row,) = rows_of(done.stdout)
    assert row[:2] == ["2,100", "3"]


def test_saves_of_a_tiny_round_print_their_row_beside_the_bare_view(migrated):
    command = [sys.executable, "-m", "benchmarks.saves", "--tables", "2", "--writers", "2", "--saves", "4"]

    done = subprocess.run(
        [*command, "--migrated", str(migrated)],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    (row,) = rows_of(done.stdout)
    assert (row[:2], row[-1]) == (["2", "2"], "0")  # no other answer than a saved sheet


def test_imports_print_the_memory_of_harmful_files_and_the_saves_of_others():
    command = [sys.executable, "-m", "benchmarks.imports", "--objects", "800000", "--tables", "1500"]
    command += ["--alone", "200"]

    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
    cells = {line[0]: line[1:] for line in lines if len(line) > 1}
    assert cells["competition file"][1] == cells["workbook"][1] == "refused"
    assert cells["1,500 tables"][1] == "done"
    assert cells["1,500 tables"][3] == "0"  # no save was refused
    assert float(cells["200"][3]) > 0


def test_the_slowest_and_largest_pages_of_a_small_league_are_printed(tmp_path):
    command = [sys.executable, "-m", "benchmarks.pages", "--directory", str(tmp_path), "--players", "16"]
    few = [
        "--tables",
        "8",
        "--shown",
        "99",
        "--pages",
        "rounds:round",
        "teams:index",
        "interchange:standings",
    ]

    for _ in range(2):  # makes the league, then finds it
        done = subprocess.run(
            [*command, *few], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
        )

        assert (done.returncode, done.stderr) == (0, "")
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
        answers = {(line[0], line[1]): line[2] for line in lines if len(line) > 2}
        assert answers["rounds:round", "visitor"] == answers["teams:index, no teams", "organizer"] == "200"
        assert answers["interchange:standings xlsx", "organizer"] == "200"


def test_the_first_page_of_a_worker_and_its_memory_after_saves_are_printed(tmp_path):
    command = [sys.executable, "-m", "benchmarks.workers", "--directory", str(tmp_path)]
    tiny = ["--players", "16", "--tables", "8", "--saves", "3"]

    done = subprocess.run(
        [*command, *tiny], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    first_pages = re.search(r"^\| +([\d.]+) \| +([\d.]+) \| +([\d.]+) \|$", done.stdout, re.MULTILINE)
    assert first_pages is not None
    (memory,) = [row for row in rows_of(done.stdout) if len(row) == 5]
    assert memory[1] == "3"


def test_product_and_library_value_the_same_hands_alike():
    command = [sys.executable, "-m", "benchmarks.hands", "--hands", "40", "--repeats", "1"]

    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    (row,) = rows_of(done.stdout)
    assert (row[0], row[-1]) == ("40", "yes")
    assert "mahjong 2" in done.stdout.splitlines()[0]


def test_schedules_and_swiss_events_print_their_repeats_beside_those_of_a_random_search():
    command = [sys.executable, "-m", "benchmarks.seating", "--players", "16"]
    little = ["--seconds", "0.2", "--events", "2"]

    done = subprocess.run(
        [*command, *little], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if "16×" in line]
    whole, overfull, swiss, clubs = ([cell.strip() for cell in line] for line in lines)
    assert (whole[:3], whole[4:6]) == (["16×5", "0", "0"], ["stored", "yes"])
    assert (overfull[:3], overfull[5]) == (["16×8", "72", "72"], "yes")
    assert (swiss[0], len(swiss[1].split(", "))) == ("16×5", 2)
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


def test_hostile_inputs_are_counted_by_their_answers():
    command = [sys.executable, "-m", "benchmarks.inputs", "--times", "100"]

    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert "| errors 500 | 0 |" in re.sub(" +", " ", done.stdout)
    assert done.stdout.endswith("The other competition is as it was.\n")


def test_sizes_print_rows_and_bytes_of_players_and_sheets():
    command = [sys.executable, "-m", "benchmarks.sizes", "--players", "100", "--tables", "20"]

    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
    cells = {line[0]: line[1:] for line in lines if len(line) > 1}
    assert cells["player entered, in bulk"][0] == "100"
    assert float(cells["table with its score sheet"][1]) > 8
    assert int(cells["rows"][0]) > 360
