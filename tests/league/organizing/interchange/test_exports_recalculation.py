"""The sheets that recalculate the workbook, computed by two spreadsheet programs.

Formulas have no stored results, so every number that is read here was computed after the file was written.
"""

import io
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import formualizer
import openpyxl
import pytest
from django.utils import translation

from league.models import Competition, Penalty, Seat, Stage
from league.organizing.brought.services import bring_results
from league.organizing.interchange.exports.workbook import write_workbook
from league.play.results.services import record_result
from league.play.substitutions.services.substitutions import set_substitute, substitute_player
from league.referees.penalties.exports import write_penalties
from league.referees.penalties.services.log import log_penalty
from scoring.units import WINDS
from tests.factories import club
from tests.league.organizing.interchange.files import loaded, random_file, real_files, tenhou

pytestmark = pytest.mark.django_db

Cells = dict[str, list[dict[str, Any]]]
Recalculate = Callable[[Mapping[str, bytes]], dict[str, Cells]]
OF_TABLES = ("Place", "Uma", "Oka", "Deposits", "Score", "Table sum")
OF_STANDINGS = (
    *("Games", "Score", "Penalties", "Carried over", "Total", "1st places", "2nd places", "3rd places"),
    *("4th places", "Average place", "Best points", "Rank"),
)


def workbook(competition: Competition, *, public: bool = False) -> bytes:
    stream = io.BytesIO()
    with translation.override("en"):
        write_workbook(competition, stream, public=public)
    return stream.getvalue()


def cells_of(data: bytes) -> Cells:
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    found: Cells = {}
    for sheet in book:
        head, *rows = ([cell.value for cell in row] for row in sheet.rows)
        found[sheet.title] = [dict(zip(head, row, strict=True)) for row in rows]
    return found


def by_formualizer(books: Mapping[str, bytes]) -> dict[str, Cells]:
    found = {}
    for name, data in books.items():
        book = formualizer.load_workbook_bytes(data, strategy="eager_all")
        book.evaluate_all()
        found[name] = cells_of(bytes(book.to_xlsx_bytes()))
    return found


@pytest.fixture
def by_libreoffice(tmp_path: Path) -> Recalculate:
    def recalculate(books: Mapping[str, bytes]) -> dict[str, Cells]:
        for name, data in books.items():
            (tmp_path / f"{name}.xlsx").write_bytes(data)
        out = ("--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(tmp_path / "out"))
        files = [str(tmp_path / f"{name}.xlsx") for name in books]
        profile = f"-env:UserInstallation=file://{tmp_path}/profile"
        subprocess.run(["soffice", profile, "--headless", *out, *files], check=True, capture_output=True)
        return {name: cells_of((tmp_path / "out" / f"{name}.xlsx").read_bytes()) for name in books}

    return recalculate


def check(cells: Cells) -> tuple[Any, dict[str, Any]]:
    """Return the cell that counts the differences, and the lines that have any."""
    total, *rest = cells["Check"]
    compared = [row for row in rest if row["Item"].rpartition(": ")[2] in {*OF_TABLES, *OF_STANDINGS}]
    assert len(compared) > len(OF_TABLES)
    return total["Value"], {row["Item"]: row["Value"] for row in compared if row["Value"] != 0}


def close(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return False
    return abs((one or 0) - (other or 0)) < 1e-6


def different_cells(recalculated: Cells, answer: Cells) -> list[tuple[Any, ...]]:
    """Compare every recalculated cell with the product's answer in the values of another workbook."""
    found = []
    pairs = list(zip(recalculated["Recalculation"], answer["Tables"], strict=True))
    for number, (mine, theirs) in enumerate(pairs):
        found += [
            (number, key, mine[key], theirs[key]) for key in OF_TABLES if not close(mine[key], theirs[key])
        ]
    standings = {
        title: {row["Key"]: row for row in rows}
        for title, rows in answer.items()
        if rows and "Rank" in rows[0] and "Average place" in rows[0] and title != "Recalculated standings"
    }
    assert pairs
    for mine in recalculated["Recalculated standings"]:
        title = "Standings" if len(standings) == 1 else f"{mine['Division']} {mine['Stage']}"
        theirs = standings[title][mine["Key"]]
        found += [
            (mine["Key"], key, mine[key], theirs[key])
            for key in OF_STANDINGS
            if key in theirs and not close(mine[key], theirs[key])
        ]
    return found


def edited(data: bytes, *changes: tuple[str, str, int, Any]) -> bytes:
    """Change cells (sheet, heading, row, value) as a person would. openpyxl stores no results."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    for title, heading, row, value in changes:
        head = [cell.value for cell in book[title][1]]
        book[title].cell(row, head.index(heading) + 1).value = value
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def formulas_of(data: bytes) -> dict[tuple[str, str], str]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book
        for row in sheet.rows
        for cell in row
        if cell.data_type == "f"
    }


NO_LIBREOFFICE = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice is not on this machine"
)


@pytest.fixture(params=["formualizer", pytest.param("LibreOffice", marks=[pytest.mark.slow, NO_LIBREOFFICE])])
def engine(request: pytest.FixtureRequest, by_libreoffice: Recalculate) -> Recalculate:
    return by_formualizer if request.param == "formualizer" else by_libreoffice


def check_books(books: Mapping[str, bytes], answers: Mapping[str, bytes], engine: Recalculate) -> None:
    """Compare every cell with the answers. The check is zero if the cells were not changed."""
    for name, cells in engine(books).items():
        assert (name, different_cells(cells, cells_of(answers[name]))) == (name, [])
        assert (check(cells) == (0, {})) == (books[name] is answers[name])


@pytest.mark.slow
def test_real_competitions_recalculate_without_a_difference(engine):
    books = {name: workbook(loaded(file)) for name, file in real_files().items()}

    check_books(books, books, engine)


@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 20), marks=pytest.mark.slow)])
def test_random_competitions_recalculate_without_a_difference(seeds, engine):
    """They use every setting of the competition file."""
    books = {f"random-{seed}": workbook(loaded(random_file(seed))) for seed in seeds}

    check_books(books, books, engine)


@pytest.mark.slow
def test_a_changed_score_changes_every_cell_as_the_product_does(engine):
    """The winner and the last of the first game change their points, in the cells and in the file."""
    books, answers = {}, {}
    for name, file in real_files().items():
        seats = file["divisions"][0]["stages"][0]["rounds"][0]["tables"][0]["seats"]
        competition = loaded(file)
        first, last = max(seats, key=lambda seat: seat["points"]), min(seats, key=lambda seat: seat["points"])
        winds = [seat["wind"] for seat in sorted(seats, key=lambda seat: WINDS.index(seat["wind"]))]
        rows = {wind: 2 + index for index, wind in enumerate(winds)}
        books[name] = edited(
            workbook(competition),
            ("Tables", "Points", rows[first["wind"]], last["points"]),
            ("Tables", "Points", rows[last["wind"]], first["points"]),
        )
        first["points"], last["points"] = last["points"], first["points"]
        answers[name] = workbook(loaded(file, competition.league))

    check_books(books, answers, engine)


@pytest.mark.slow
def test_a_changed_penalty_changes_totals_and_ranks_as_the_product_does(engine):
    made = club("spring")
    made.add_round()
    table, second = made.table(), made.players[1]
    record_result(table=table, points=(45_000, 35_000, 25_000, 15_000), based_on=0, by=made.bob)
    facts = {"stage": made.stage, "table": table, "by": made.bob, "reason": "late"}
    penalty = log_penalty(player_id=second.pk, score=-20, **facts)
    before = workbook(made.competition)
    Penalty.objects.filter(pk=penalty.pk).update(score=-4000)
    Competition.objects.filter(pk=made.competition.pk).update(version=99, revision=99)
    after = workbook(Competition.objects.get(pk=made.competition.pk))

    books = {"spring": edited(before, ("Penalties", "Score", 2, -400))}

    assert cells_of(before)["Standings"] != cells_of(after)["Standings"]
    check_books(books, {"spring": after}, engine)


def test_points_carried_in_count_without_a_table(engine):
    made = club("spring")
    made.add_round()
    made.stage.valid_hanchan = 2
    made.stage.save()
    record_result(table=made.table(), points=(45_000, 35_000, 25_000, 15_000), based_on=0, by=made.bob)
    text = "player,games,total\n" + "".join(
        f"{player.name},{games},{total}\n"
        for player, games, total in zip(made.players, (3, 0, 1, 1, 5), (-50.5, 20, 3, 4, 61.2), strict=False)
    )
    bring_results(stage=Stage.objects.with_rules().get(), text=text, by=made.alice)
    book = workbook(Competition.objects.get())

    assert {row["Games carried in"] for row in cells_of(book)["Standings"]} >= {1, 3, 5}
    check_books({"spring": book}, {"spring": book}, engine)


def test_a_substitute_counts_for_nobody(engine):
    """A substitute who came late takes the last place, whatever the points (EMA 2025, 7.3)."""
    made = club("spring", preset="ema-2025")
    made.add_round()
    made.add_players(1)
    substitute_player(
        seat=Seat.objects.get(player=made.players[0]),
        substitute=made.players[8].pk,
        late=True,
        score=-300,
        reason="ill",
        onwards=True,
        by=made.alice,
    )
    table = made.table()
    record_result(table=table, points=(45_000, 35_000, 25_000, 15_000), based_on=0, by=made.bob)
    books = {"spring": workbook(made.competition)}

    cells = engine(books)["spring"]
    assert check(cells) == (0, {})
    assert [(row["Place"], row["Counts"]) for row in cells["Recalculation"]] == [
        (4, 0),
        (1, 1),
        (2, 1),
        (3, 1),
    ]


def test_the_best_games_in_a_row_are_taken_as_a_value(engine):
    made = club("spring")
    Stage.objects.filter(pk=made.stage.pk).update(standard_hanchan=2, beyond="run")
    for east in (60_000, 10_000, 45_000, 40_000):
        made.add_round()
        points = (east, 30_000, 20_000, 70_000 - east)
        record_result(table=made.table(len(made.rounds)), points=points, based_on=0, by=made.bob)
    books = {"spring": workbook(made.competition)}

    cells = engine(books)["spring"]

    assert check(cells) == (0, {})
    assert [row["Counts"] for row in cells["Recalculation"]][0::4] == [0, 0, 1, 1]  # east, and not 1 and 3
    assert any("games in a row" in str(row["Item"]) for row in cells["Check"])


@pytest.mark.slow
def test_a_wrong_formula_is_found(engine):
    data = workbook(loaded(tenhou()))
    head = next(openpyxl.load_workbook(io.BytesIO(data))["Recalculation"].values)
    book = openpyxl.load_workbook(io.BytesIO(data))
    cell = book["Recalculation"].cell(7, head.index("Uma") + 1)
    cell.value = f"{cell.value}+0.1"
    stream = io.BytesIO()
    book.save(stream)

    assert check(engine({"wrong": stream.getvalue()})["wrong"]) == (1, {"Tables: Uma": 1})


@pytest.mark.slow
def test_formulas_use_functions_that_all_spreadsheets_share_and_store_no_result():
    data = workbook(loaded(random_file(3)))
    found = [formula for (title, _cell), formula in formulas_of(data).items() if title != "Penalties"]
    functions = {name for formula in found for name in re.findall(r"([A-Z][A-Z.]*)\(", formula)}

    assert len(found) > 1000
    assert functions <= {
        *("ABS", "AND", "COUNT", "COUNTIF", "COUNTIFS", "IF", "INDEX", "INT", "MATCH", "MAX", "MIN", "MOD"),
        *("RANK", "ROUND", "SUM", "SUMIFS", "SUMPRODUCT"),
    }
    assert not any("_xl" in formula for formula in found)
    stored = [row["Value"] for row in cells_of(data)["Check"]]
    assert stored[0] is None
    assert all(row["Score"] is None for row in cells_of(data)["Recalculation"])


@pytest.mark.slow
def test_names_cannot_become_formulas_of_these_sheets(engine):
    file = random_file(5)
    file["divisions"][0]["name"] = "=1+1"
    file["players"][0]["id"] = file["players"][0]["id"]
    books = {"names": workbook(loaded(file))}

    cells = engine(books)["names"]
    assert check(cells) == (0, {})
    assert "=1+1" in {row["Division"] for row in cells["Recalculated standings"]}


@pytest.mark.slow
def test_what_is_taken_as_a_value_is_said():
    file = random_file(3) | {"tie_breaks": ["average_place", "head_to_head"], "penalties_shown": "scores"}
    words = " ".join(row["Item"] for row in cells_of(workbook(loaded(file), public=True))["Check"])

    assert "Ties that these decide keep the order of the standings" in words
    assert "Penalties are taken as values" in words


def test_a_workbook_with_too_many_tables_is_not_recalculated(monkeypatch):
    monkeypatch.setattr("league.organizing.interchange.exports.workbook.MOST_TABLES", 59)

    assert "Check" not in cells_of(workbook(loaded(tenhou())))


@pytest.mark.slow
@NO_LIBREOFFICE
def test_penalties_that_no_total_has_leave_both_checks_at_zero(by_libreoffice):
    made = club("spring")
    made.add_round()
    for number, points in enumerate(((38_400, 21_600, 40_000, 20_000), (30_100, 29_900, 41_000, 19_000)), 1):
        made.record(points, number=number)
    made.add_players(1)
    entrant = made.competition.entrants.get(player=made.players[8])
    set_substitute(entrant=entrant, is_substitute=True, by=made.alice)
    for player, score in ((8, -250), (0, -80)):
        log_penalty(
            stage=made.stage, player_id=made.players[player].pk, score=score, reason="shouts", by=made.bob
        )
    stream = io.BytesIO()
    with translation.override("en"):
        write_penalties(made.competition, stream, public=True)

    found = by_libreoffice({"all": workbook(made.competition), "penalties": stream.getvalue()})

    assert check(found["all"]) == (0, {})
    everyone, *players = [list(row.values())[1:] for row in found["penalties"]["Check"]]
    assert everyone == ["Everyone", -8, -8, 0, -25]
    assert sorted(players, key=str) == sorted(
        [[made.players[0].name, -8, -8, 0, 0], [made.players[8].name, 0, 0, 0, -25]], key=str
    )
