"""The workbook of penalties: its formulas come to what is beside them, and its check reads zero."""

import csv
import io
import re
from typing import Any

import openpyxl
import pytest
from django.test import Client
from django.utils import timezone
from openpyxl.worksheet.worksheet import Worksheet

from league.core.files.columns import SCORE, TEXT, Column
from league.core.files.looks import PALE, PLAIN, STRUCK
from league.core.files.xlsx import ExcelBook, Formula
from league.models import Penalty
from league.referees.penalties.exports import look_of, write_penalties
from league.referees.penalties.queries.penalties import check_standings
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.factories import Club, club, signed_in
from tests.league.referees.penalties.test_queries import random_penalties
from tests.module_fixtures import module_fixture
from tests.seeds import seeds

pytestmark = pytest.mark.django_db

RANGE = r"'([^']+)'!\$([A-Z])\$(\d+):\$([A-Z])\$(\d+)"


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record((38_400, 21_600, 40_000, 20_000))
    return made


def written(made: Club, *, public: bool = False, language: str = "en") -> tuple[Any, Any]:
    """The workbook with its formulas, and with the values that were written beside them."""
    stream = io.BytesIO()
    write_penalties(made.competition, stream, public=public, language=language)
    content = stream.getvalue()
    return tuple(openpyxl.load_workbook(io.BytesIO(content), data_only=only) for only in (False, True))


class Sheets:
    def __init__(self, book: Any) -> None:
        self.book = book

    def cell(self, sheet: Worksheet, place: str) -> Any:
        value = sheet[place].value
        return self.of(sheet, value[1:]) if isinstance(value, str) and value.startswith("=") else value

    def of(self, sheet: Worksheet, formula: str) -> float:
        if match := re.fullmatch(r"ROUND\((.+),1\)", formula):
            return round(self.of(sheet, match[1]), 1)
        if match := re.fullmatch(r"ABS\((\w+)-(\w+)\)\+SUMPRODUCT\(ABS\((\w+):(\w+)\)\)", formula):
            one, other, first, last = match.groups()
            apart = sum(abs(self.cell(sheet, place) or 0) for place in places(first, last))
            return abs(self.cell(sheet, one) - self.cell(sheet, other)) + apart
        if match := re.fullmatch(r"(\w+)-(\w+)", formula):
            return self.cell(sheet, match[1]) - self.cell(sheet, match[2])
        if match := re.fullmatch(r"SUM\((\w+):(\w+)\)", formula):
            return sum(self.cell(sheet, place) or 0 for place in places(*match.groups()))
        match = re.fullmatch(rf"SUMPRODUCT\((.+?)(?:,{RANGE})?\)", formula)
        assert match, formula
        conditions = [self.condition(sheet, part) for part in match[1].split("*") if part != "1"]
        values = self.column(*match.groups()[1:]) if match[2] else [1] * len(conditions[0])
        return sum(value or 0 for value, *holds in zip(values, *conditions, strict=True) if all(holds))

    def condition(self, sheet: Worksheet, part: str) -> list[bool]:
        match = re.fullmatch(rf'EXACT\({RANGE},(?:([A-Z]+\d+)|"(.*)")\)', part)
        assert match, part
        wanted = self.cell(sheet, match[6]) if match[6] else match[7].replace('""', '"')
        return [(value or "") == (wanted or "") for value in self.column(*match.groups()[:5])]

    def column(self, title: str, letter: str, first: str, last_letter: str, last: str) -> list[Any]:
        assert letter == last_letter
        return [self.book[title][f"{letter}{row}"].value for row in range(int(first), int(last) + 1)]


def places(first: str, last: str) -> list[str]:
    letter = first[0]
    return [f"{letter}{row}" for row in range(int(first[1:]), int(last[1:]) + 1)]


def formulas(book: Any) -> list[tuple[Worksheet, str]]:
    return [
        (sheet, cell.coordinate)
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]


@pytest.mark.parametrize("public", seeds([False, True]))
@pytest.mark.parametrize("language", seeds(["en", "zh-hant"]))
def test_every_formula_comes_to_the_value_beside_it_and_the_check_to_zero(spring, public, language):
    spring.players[2].name = '=SUM("*")'  # a name is neither a formula nor a pattern
    spring.players[2].save()
    random_penalties(spring, 5)

    book, values = written(spring, public=public, language=language)

    found = formulas(book)
    assert len(found) > 40
    sheets = Sheets(book)
    for sheet, place in found:
        computed, kept = sheets.cell(sheet, place), values[sheet.title][place].value
        assert round(computed, 6) == round(kept, 6), (sheet.title, place, sheet[place].value)
    check = check_standings(spring.competition, public=public)
    row = [cell.value for cell in values.worksheets[2][2]]
    assert row[2:] == [check.listed / 10, check.deducted / 10, 0, 0]


def test_the_check_is_not_zero_when_one_player_s_penalties_are_not_the_standings(spring):
    log_penalty(stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="a", by=spring.bob)
    log_penalty(stage=spring.stage, player_id=spring.players[1].pk, score=-30, reason="b", by=spring.bob)
    assert check_standings(spring.competition, public=False).fits  # kept under the revision
    Penalty.objects.filter(score=-20).update(score=-40)
    Penalty.objects.filter(score=-30).update(score=-10)  # past every service; the sums still agree

    book, values = written(spring)

    check = book.worksheets[2]
    assert [cell.value for cell in values.worksheets[2][2]][2:] == [-5, -5, 4, 0]
    assert Sheets(book).cell(check, "E2") == 4


def test_the_list_says_everything_to_staff_and_no_name_of_a_referee_to_the_public(spring):
    act = {"infraction": "A-II", "condition": 1, "hand": "S2.1", "reason": "both fell"}
    log_offence(
        stage=spring.stage, player_id=spring.players[0].pk, **act, by=spring.bob, table=spring.table()
    )

    def rows(public: bool) -> list[dict[str, Any]]:
        sheet = written(spring, public=public)[1].worksheets[0]
        heads, *rows = sheet.iter_rows(values_only=True)
        return [dict(zip(heads, row, strict=True)) for row in rows]

    [staff], [public] = rows(False), rows(True)
    logged = staff.pop("Logged by")
    assert logged == "bob-spring"
    assert staff == public
    when = staff.pop("Logged at (Asia/Hong_Kong)")
    assert when.date().year >= 2024
    assert staff == {
        "Name": "陳大文",
        "Key": "p1",
        "Offence": "A-II Illegal exposure of own non-discarded tiles",
        "Condition": "2 tiles",
        "At the table": "Win ban for this hand. In this hand: exposed tiles that stay in hand after this "
        "turn (not in a closed quad) cannot be used for a call or a ron. Hand: continue.",
        "Article": "罰則 A Ⅱ",
        "Level": "level 4",
        "Score": -8,
        "State": "in force",
        "Reason": "both fell",
        "Hand": "South 2, honba 1",
        "Round": "Main, Regular season, round 1",
        "Table": 1,
        "Reason for revoking or declining": None,
        "Not in the standings": "no",
    }


def test_a_competition_without_penalties_has_a_workbook_that_checks(spring):
    book, values = written(spring)

    assert [cell.value for cell in values.worksheets[2][2]][2:] == [0, 0, 0, 0]
    assert Sheets(book).cell(book.worksheets[2], "E2") == 0


def test_only_a_formula_is_a_formula():
    book = ExcelBook(heading="x")
    sheet = book.sheet("A", [Column("t", "T", TEXT), Column("s", "S", SCORE)])
    sheet.add(["=1+1", Formula('IF(A2<"b",1,2)', 20)])
    stream = io.BytesIO()
    book.save(stream)

    read = openpyxl.load_workbook(io.BytesIO(stream.getvalue())).worksheets[0]
    kept = openpyxl.load_workbook(io.BytesIO(stream.getvalue()), data_only=True).worksheets[0]

    assert (read["A2"].data_type, read["A2"].value, read["A2"].quotePrefix) == ("s", "=1+1", True)
    assert (read["B2"].data_type, read["B2"].value, kept["B2"].value) == ("f", '=IF(A2<"b",1,2)', 2)


def test_what_waits_for_the_chief_referee_is_pale_and_what_was_revoked_struck():
    counts, waits = Penalty(), Penalty(status="requested")
    revoked, declined = Penalty(revoked_at=timezone.now()), Penalty(status="declined")

    assert [look_of(each) for each in (counts, waits, revoked, declined)] == [PLAIN, PALE, STRUCK, STRUCK]


def test_the_list_as_csv_has_the_rows_of_the_workbook_for_each_audience(spring):
    act = {"infraction": "C-III", "condition": 0, "hand": "E1.0", "by": spring.bob}
    log_offence(stage=spring.stage, player_id=spring.players[0].pk, table=spring.table(), **act)
    log_penalty(stage=spring.stage, player_id=spring.players[1].pk, score=-20, reason="=1+1", by=spring.bob)
    downloads = f"/c/{spring.slug}/download/penalties"
    staff, visitor = signed_in(spring.bob), Client()

    def rows(client: Client, query: str = "") -> list[list[str]]:
        answer = client.get(f"{downloads}.csv{query}")
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
        return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))

    head, chombo, late = rows(staff, "?all=1")
    assert head[:9] == [
        "name",
        "player",
        "offence",
        "condition",
        "article",
        "level",
        "score",
        "state",
        "reason",
    ]
    assert (chombo[0], chombo[5], chombo[6]) == ("陳大文", "level 5", "-25.0")
    assert "Hand: redeal." in chombo[head.index("meaning")]
    assert late[head.index("reason")] == "'=1+1"
    assert head.index("by") == 12
    public_head, *public_rows = rows(visitor)
    assert "by" not in public_head
    assert [row[0] for row in public_rows] == [chombo[0], late[0]]
    spring.competition.penalties_shown = "scores"
    spring.competition.save()
    assert visitor.get(f"{downloads}.csv").status_code == 404
