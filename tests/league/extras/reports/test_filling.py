"""A federation's form: marks, rows that are repeated, and what must move with them."""

import io
import zipfile
from datetime import date
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference, Series
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from league.core.files.columns import WHOLE, Column
from league.core.files.xlsx import ExcelBook, Formula
from league.extras.reports.exports.filling import FormProblem, fill_form, try_form
from tests.examples import examples

KNOWN = {"tournament", "first_day", "participants", "player.name", "player.total", "penalty.player"}
FACTS = {"tournament": "Spring <b>cup</b>", "first_day": date(2026, 5, 3), "participants": 3}
NAMES = ("Anna", "=1+1", "李四")
BLOCKS = {
    "player": [{"player.name": name, "player.total": 10.5 - at} for at, name in enumerate(NAMES)],
    "penalty": [],
}


def form(**cells: object) -> tuple[Workbook, Worksheet]:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Form"
    for place, value in cells.items():
        sheet[place] = value
    return book, sheet


def content(book: Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def filled(book: Workbook, blocks: Any = BLOCKS) -> Worksheet:
    made = openpyxl.load_workbook(io.BytesIO(fill_form(content(book), FACTS, blocks, KNOWN)))
    return made["Form"]


def problem(book: Workbook) -> tuple[str, str, str]:
    with pytest.raises(FormProblem) as caught:
        try_form(content(book), KNOWN)
    return caught.value.code, caught.value.name, caught.value.cell


def test_a_single_fact_keeps_its_kind_and_the_format_of_its_cell():
    book, sheet = form(A1="{{ tournament }}", A2="{{first_day}}", A3="Of {{ participants }} players")
    sheet["A1"].font = Font(bold=True, size=20)
    sheet["A2"].number_format = "dd.mm.yyyy"
    sheet.column_dimensions["A"].width = 33
    made = filled(book)
    assert (made["A1"].value, made["A1"].font.size, made["A1"].font.bold) == ("Spring <b>cup</b>", 20, True)
    assert made["A2"].value.date() == date(2026, 5, 3)
    assert made["A2"].number_format == "dd.mm.yyyy"
    assert made["A3"].value == "Of 3 players"
    assert made.column_dimensions["A"].width == 33


def test_names_of_cells_say_the_same_as_marks_and_other_names_are_left_alone():
    book, _sheet = form(A1="", B2="old", C1=7)
    book.defined_names["Tournament"] = DefinedName("Tournament", attr_text="Form!$B$2")
    book.defined_names["rate"] = DefinedName("rate", attr_text="Form!$C$1")
    made = filled(book)
    assert (made["B2"].value, made["C1"].value) == ("Spring <b>cup</b>", 7)


def test_a_row_is_repeated_with_format_height_formula_and_merged_cells():
    book, sheet = form(A5="{{ player.name }}", B5="{{ player.total }}", C5="=B5*2", D5="=B$5-B5")
    sheet.merge_cells("E5:F5")
    sheet.row_dimensions[5].height = 31
    sheet.row_dimensions[6].height = 12
    sheet["A5"].fill = PatternFill("solid", fgColor="FFFF0000")
    sheet["A6"] = "below"
    made = filled(book)
    assert [made.cell(row, 1).value for row in range(5, 9)] == [*NAMES, "below"]
    assert made["A6"].data_type == "s"  # =1+1 is a name
    assert [made.cell(row, 2).value for row in range(5, 8)] == [10.5, 9.5, 8.5]
    assert [made.cell(row, 3).value for row in range(5, 8)] == ["=B5*2", "=B6*2", "=B7*2"]
    assert made["D7"].value == "=B$5-B7"
    assert {made.cell(row, 1).fill.fgColor.rgb for row in range(5, 8)} == {"FFFF0000"}
    assert [made.row_dimensions[row].height for row in range(5, 9)] == [31, 31, 31, 12]
    assert {str(each) for each in made.merged_cells.ranges} == {"E5:F5", "E6:F6", "E7:F7"}


def test_what_is_below_moves_and_ranges_grow():
    book, sheet = form(
        A5="{{ player.name }}", B5="{{ player.total }}", B7="=SUM(B5:B5)", B8="=B7/2", A1="=B7"
    )
    other = book.create_sheet("It's 2")
    other["A1"] = "=Form!B7+SUM(Form!B$5:B$5)+B7"
    sheet.merge_cells("A9:B10")
    book.defined_names["sum"] = DefinedName("sum", attr_text="Form!$B$7")
    sheet.conditional_formatting.add("B5:B5", CellIsRule(operator="lessThan", formula=["$B$7"]))
    sheet.print_area = "A1:B10"
    sheet.auto_filter.ref = "A4:B5"
    made = openpyxl.load_workbook(io.BytesIO(fill_form(content(book), FACTS, BLOCKS, KNOWN)))
    now = made["Form"]
    assert (now["B9"].value, now["B10"].value, now["A1"].value) == ("=SUM(B5:B7)", "=B9/2", "=B9")
    assert made["It's 2"]["A1"].value == "=Form!B9+SUM(Form!B$5:B$7)+B7"
    assert {str(each) for each in now.merged_cells.ranges} == {"A11:B12"}
    assert made.defined_names["sum"].attr_text == "Form!$B$9"
    (rule,) = now.conditional_formatting
    assert (str(rule.sqref), rule.rules[0].formula) == ("B5:B7", ["$B$9"])
    assert now.print_area == "'Form'!$A$1:$B$12"
    assert now.auto_filter.ref == "A4:B7"


def test_tables_and_lists_of_choices_move_too():
    book, sheet = form(A4="Name", B4="Total", A5="{{ player.name }}", B5="{{ player.total }}", D9="x")
    sheet.add_table(Table(displayName="Players", ref="A4:B5"))
    validation = DataValidation(type="list", formula1="$D$9:$D$10")
    validation.add("C5")
    sheet.add_data_validation(validation)
    made = filled(book)
    assert made.tables["Players"].ref == "A4:B7"
    (found,) = made.data_validations.dataValidation
    assert (str(found.sqref), found.formula1) == ("C5:C7", "$D$11:$D$12")


def test_a_workbook_of_this_product_can_be_a_form():
    stream = io.BytesIO()
    book = ExcelBook(heading="Spring")
    columns = [Column("name", "Name"), Column("sum", "Sum", WHOLE)]
    book.sheet("Form", columns).add(["{{ player.name }}", Formula("SUM(B2:B2)", 0)])
    book.save(stream)
    assert [mark.cell for mark in try_form(stream.getvalue(), KNOWN)] == ["Form!A2"]


def test_a_block_without_lines_leaves_an_empty_row():
    book, _sheet = form(A1="{{ tournament }}", A3="{{ penalty.player }}", A4="below")
    made = filled(book)
    assert (made["A3"].value, made["A4"].value) == (None, "below")


def test_two_blocks_below_each_other():
    book, _sheet = form(A2="{{ player.name }}", A4="{{ penalty.player }}", A5="=COUNTA(A4:A4)")
    blocks = {**BLOCKS, "penalty": [{"penalty.player": name} for name in "xy"]}
    made = filled(book, blocks)
    assert [made.cell(row, 1).value for row in range(2, 9)] == [*NAMES, None, "x", "y", "=COUNTA(A6:A7)"]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"B7": "{{ plyer.name }}", "A1": "{{ tournament }}"}, ("unknown", "plyer.name", "Form!B7")),
        ({"A1": "plain"}, ("none", "", "")),
        ({"A1": "{{ player.name }}", "B1": "{{ penalty.player }}"}, ("mixed", "", "Form!1")),
        ({"A20001": "x", "A1": "{{ tournament }}"}, ("tall", "", "Form")),
    ],
)
def test_a_wrong_form_is_refused_with_the_name_and_its_cell(cells, said):
    assert problem(form(**cells)[0]) == said


def test_a_name_of_a_block_that_is_not_known_is_refused():
    book, _sheet = form(A1="{{ tournament }}")
    book.defined_names["player.size"] = DefinedName("player.size", attr_text="Form!$B$2")
    assert problem(book) == ("unknown", "player.size", "Form!$B$2")


def text_form() -> tuple[Workbook, Worksheet]:
    book, sheet = form(A1="{{ tournament }}", A2="{{ player.name }}", B2=1)
    sheet["A1"].comment = Comment("By {{ tournament }}", "office")
    sheet.oddHeader.center.text = "{{ Tournament }}, {{ first_day }}, page &P"
    sheet.oddFooter.right.text = "{{ participants }}"
    chart = BarChart()
    chart.title, chart.y_axis.title = "Totals of {{ tournament }}", "{{ participants }} players"
    chart.add_data(Reference(sheet, min_col=2, min_row=2, max_row=2))
    sheet.add_chart(chart, "D4")
    book.properties.title = "Results {{ tournament }}"
    return book, sheet


def test_headers_comments_titles_and_properties_take_single_facts():
    book, _sheet = text_form()
    facts = {**FACTS, "tournament": "Cup & <b>"}

    made = openpyxl.load_workbook(io.BytesIO(fill_form(content(book), facts, BLOCKS, KNOWN)))

    sheet = made["Form"]
    assert sheet["A1"].comment.text == "By Cup & <b>"
    assert sheet.oddHeader.center.text == "Cup && <b>, 2026-05-03, page &P"
    assert sheet.oddFooter.right.text == "3"
    [chart] = sheet._charts
    titles = [part.title.tx.rich.p[0].r[0].t for part in (chart, chart.y_axis)]
    assert titles == ["Totals of Cup & <b>", "3 players"]
    assert made.properties.title == "Results Cup & <b>"
    assert [sheet.cell(row, 1).value for row in range(2, 5)] == list(NAMES)


def test_the_marks_outside_of_cells_are_listed_with_their_places():
    book, _sheet = text_form()

    marks = try_form(content(book), KNOWN)

    assert [(mark.name, mark.cell) for mark in marks][2:] == [
        ("tournament", "Form"),
        ("first_day", "Form"),
        ("participants", "Form"),
        ("tournament", "Form!A1"),
        ("tournament", "Form"),
        ("participants", "Form"),
        ("tournament", "docProps"),
    ]


def in_formula(sheet: Worksheet) -> None:
    sheet["B5"] = '="Of "&"{{ tournament }}"'


def in_array_formula(sheet: Worksheet) -> None:
    sheet["B5"] = ArrayFormula("B5:B6", '="{{ tournament }}"')


def in_merged_rows(sheet: Worksheet) -> None:
    sheet["B5"] = "{{ player.name }}"
    sheet.merge_cells("B5:C6")


def in_header(sheet: Worksheet) -> None:
    sheet.oddHeader.left.text = "{{ player.name }}"


def in_footer(sheet: Worksheet) -> None:
    sheet.oddFooter.left.text = "{{ plyers }}"


def in_comment(sheet: Worksheet) -> None:
    sheet["C3"].comment = Comment("{{ player.total }}", "office")


def in_validation(sheet: Worksheet) -> None:
    rule = DataValidation(type="list", formula1='"{{ tournament }},other"')
    rule.add("D4")
    sheet.add_data_validation(rule)


def in_format(sheet: Worksheet) -> None:
    rule = CellIsRule(operator="equal", formula=['"{{ tournament }}"'])
    sheet.conditional_formatting.add("D4", rule)


def in_link(sheet: Worksheet) -> None:
    sheet["D4"].hyperlink = "https://example.org/{{ tournament }}"


def in_sheet_title(sheet: Worksheet) -> None:
    sheet.title = "{{ tournament }}"


def in_defined_name(sheet: Worksheet) -> None:
    name = DefinedName("event", attr_text='"{{ tournament }}"')
    sheet.parent.defined_names["event"] = name


def in_table_head(sheet: Worksheet) -> None:
    sheet["D4"], sheet["D5"] = "{{ tournament }}", 1
    sheet.add_table(Table(displayName="Places", ref="D4:D5"))


def in_series_name(sheet: Worksheet) -> None:
    chart = BarChart()
    chart.append(Series(Reference(sheet, min_col=2, min_row=2), title="{{ tournament }}"))
    sheet.add_chart(chart, "D4")


@pytest.mark.parametrize(
    ("put", "said"),
    [
        (in_formula, ("formula", "tournament", "Form!B5")),
        (in_array_formula, ("formula", "tournament", "Form!B5")),
        (in_merged_rows, ("merged", "player.name", "Form!B5")),
        (in_header, ("single", "player.name", "Form")),
        (in_footer, ("unknown", "plyers", "Form")),
        (in_comment, ("single", "player.total", "Form!C3")),
        (in_validation, ("place", "tournament", "Form!D4")),
        (in_format, ("place", "tournament", "Form!D4")),
        (in_link, ("place", "tournament", "Form!D4")),
        (in_sheet_title, ("place", "tournament", "{{ tournament }}")),
        (in_defined_name, ("place", "tournament", "event")),
        (in_table_head, ("place", "tournament", "Form!D4")),
        (in_series_name, ("place", "tournament", "chart1.xml")),
    ],
)
def test_a_mark_that_would_stay_as_it_was_typed_is_refused_by_name(put, said):
    book, sheet = form(A1="{{ tournament }}", B2=1)
    put(sheet)

    assert problem(book) == said


SHAPE = b"""<absoluteAnchor xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
<pos x="0" y="0"/><ext cx="9" cy="9"/>
<sp macro="" textlink=""><nvSpPr><cNvPr id="9" name="Box"/><cNvSpPr/></nvSpPr><spPr/>
<txBody><a:bodyPr/><a:p><a:r><a:t>{{ tourna</a:t></a:r><a:r><a:t>ment }}</a:t></a:r></a:p></txBody></sp>
<clientData/></absoluteAnchor>"""


def test_a_mark_in_a_drawn_shape_is_refused_by_name():
    book, _sheet = text_form()
    plain, end, stream = content(book), b"</wsDr>", io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as read, zipfile.ZipFile(stream, "w") as made:
        for name in read.namelist():
            shape = SHAPE if name == "xl/drawings/drawing1.xml" else b""
            made.writestr(name, read.read(name).replace(end, shape + end))

    with pytest.raises(FormProblem) as caught:
        try_form(stream.getvalue(), KNOWN)

    assert caught.value.args == ("place", "tournament", "drawing1.xml")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"<html>", content(Workbook())[:900]])
def test_a_file_of_another_kind_is_refused(data):
    with pytest.raises(FormProblem) as caught:
        try_form(data, KNOWN)
    assert caught.value.code == "broken"


@examples(25)
@given(st.lists(st.text(max_size=20), max_size=12), st.integers(1, 4))
def test_any_names_are_written_as_text_in_their_order(names, gap):
    book, _sheet = form(A2="{{ player.name }}", **{f"A{2 + gap}": "=ROWS(A2:A2)"})
    blocks = {"player": [{"player.name": name} for name in names]}
    made = filled(book, blocks)
    kept = [openpyxl.cell.cell.ILLEGAL_CHARACTERS_RE.sub("", name) for name in names]
    found = [made.cell(row, 1) for row in range(2, 2 + len(names))]
    assert [(cell.value or "").replace("\r", "\n") for cell in found] == [
        name.replace("\r\n", "\n").replace("\r", "\n") for name in kept
    ]
    assert not [cell for cell in found if cell.data_type == "f"]
    last = 1 + max(len(names), 1)
    assert made.cell(last + gap, 1).value == f"=ROWS(A2:A{last})"
