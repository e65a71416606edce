"""Plans in the forms that other programs and people write them in."""

import io

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from league.seating.imports import decode_plan, read_plan

FIRST, SECOND = ["1 2 3 4", "5 6 7 8"], ["1 5 2 6", "3 7 4 8"]
ROWS = [("1", "1", "1", "2", "3", "4"), ("1", "2", "5", "6", "7", "8")]
ROWS += [("2", "1", "1", "5", "2", "6"), ("2", "2", "3", "7", "4", "8")]

FORMS = {
    "Pantheon": "1-2-3-4\n5-6-7-8\n\n1-5-2-6\n3-7-4-8\n",
    "spaces": "Round 1\n1 2 3 4\n5 6 7 8\nRound 2\n1 5 2 6\n3 7 4 8",
    "a heading for each round": "Table,East,South,West,North\n1,1,2,3,4\n2,5,6,7,8\n"
    "卓,東,南,西,北\n1,1,5,2,6\n2,3,7,4,8",
    "by round and table": "A club's event\nRound;Table;E;S;W;N\n" + "\n".join(map(";".join, ROWS)),
    "winds in another order": "桌號\t輪次\t北\t西\t南\t東\n"
    + "\n".join("\t".join((t, r, n, w, s, e)) for r, t, e, s, w, n in ROWS),
    "merged cells": "Round,Table,Player 1,Player 2,Player 3,Player 4\n1,1,1,2,3,4\n,2,5,6,7,8\n"
    "2,1,1,5,2,6\n,2,3,7,4,8",
    "without headings": "\n".join(map(",".join, ROWS)),
    "a seat a row": "Name,Round,Table,Wind\n"
    + "\n".join(
        f"{p},{r},Table {t},{w}" for r, t, *four in ROWS for p, w in zip(four, "東南西北", strict=True)
    ),
    "by player": "Player,Round 1,Round 2\n1,1E,1E\n2,1S,1W\n3,1W,2E\n4,1N,2W\n5,2E,1S"
    "\n6,2S,1N\n7,2W,2S\n8,2N,2N",
    "by player without headings": "1,1-1,1-1\n2,1-2,1-3\n3,1-3,2-1\n4,1-4,2-3\n5,2-1,1-2\n6,2-2,1-4\n"
    "7,2-3,2-2\n8,2-4,2-4",
    "a round a row": "Round 1,1,2,3,4,5,6,7,8\nRound 2,1,5,2,6,3,7,4,8",
    "a round a row in fours": "Round,Table 1,Table 2\n1,1-2-3-4,5-6-7-8\n2,1-5-2-6,3-7-4-8",
    "a round a column": "Table,Round 1,Round 2\n1,1-2-3-4,1-5-2-6\n2,5-6-7-8,3-7-4-8",
    "a round a column without headings": "1-2-3-4\t1-5-2-6\n5-6-7-8\t3-7-4-8",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_plan_is_read_from_many_forms(form):
    plan = read_plan(FORMS[form])
    assert [[" ".join(table.cells) for table in round_] for round_ in plan] == [FIRST, SECOND]
    assert {tuple(table.number for table in round_) for round_ in plan} <= {(1, 2), (None, None)}


def test_a_workbook_is_read_with_names_that_hold_commas():
    book, data = Workbook(), io.BytesIO()
    for row in ([], ["Table", "East", "South", "West", "North"], [7, "Doe, Jane", "Wu “Ace” Li", "三", "四"]):
        book.active.append(row)
    book.save(data)
    ((table,),) = read_plan(decode_plan(SimpleUploadedFile("plan.xlsx", data.getvalue())))
    assert (table.number, table.cells) == (7, ["Doe, Jane", "Wu “Ace” Li", "三", "四"])


def test_who_has_no_table_in_a_round_sits_out():
    rows = [f"p{n},{n % 2 + 1}" for n in range(8)]
    ((one, other),) = read_plan("\n".join(["Name,第1輪", *rows, "p8,-", "p9,", "p10,0"]))
    assert (one.cells, other.cells) == (["p0", "p2", "p4", "p6"], ["p1", "p3", "p5", "p7"])


def test_names_with_hyphens_and_numbers_stay_whole():
    ((table,),) = read_plan("Jean-Luc 2, Ann-Sophie, 1-2, R2-D2")
    assert table.cells == ["Jean-Luc 2", "Ann-Sophie", "1-2", "R2-D2"]
    ((table,),) = read_plan('陳大文、李"小"明、王美麗、Wu "Ace" Li')
    assert table.cells == ["陳大文", '李"小"明', "王美麗", 'Wu "Ace" Li']


@pytest.mark.parametrize("text", ["Round,Table,East,South,West,North", "Name,Round 1\np1,-", "Name,Table"])
def test_headings_alone_are_not_a_plan(text):
    with pytest.raises(ValidationError, match="No plan yet"):
        read_plan(text)
