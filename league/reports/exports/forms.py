"""EMA's results form, a federation's own form, and the sample of one."""

import csv
import io
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from league.core.apart import run_apart
from league.core.files.columns import AVERAGE, TEXT, WHOLE, Column
from league.core.files.csv import guard
from league.core.files.xlsx import ExcelBook
from league.models import Division
from league.reports.exports.filling import fill_form
from league.reports.queries import NO_NUMBER, Report, tenths
from league.reports.words import KNOWN
from league.results.exports import TableLine, table_lines
from scoring.units import WINDS

MEGABYTES, SECONDS = 512, 30  # of the process that fills a form
RIICHI = "Riichi"
# The headings of EMA's form in its order, the fact below each (or a value of all rows), and its kind.
# Table points are 4, 2, 1 and 0 per table in MCR. Riichi is ranked by score alone and has none.
EMA: Final[Mapping[str, tuple[str | int, str]]] = {
    "Tournament name": ("tournament", TEXT),
    "Number of participants": ("participants", WHOLE),
    "Place": ("player.place", WHOLE),
    "First name": ("player.first_name", TEXT),
    "LAST NAME": ("player.last_name", TEXT),
    "EMA number": ("player.ema_number", TEXT),
    "Table points": (0, WHOLE),
    "Score": ("player.points", WHOLE),
    "EMA member": ("player.ema_member", WHOLE),
    "Country": ("player.country3", TEXT),
    "Date": ("date", TEXT),
    "Court country": ("country3", TEXT),
    "City": ("city", TEXT),
    "MERS": ("mers", AVERAGE),
    "Short name": ("short_name", TEXT),
    "Rules": (RIICHI, TEXT),
    "Period": ("period", TEXT),
    "Days": ("days", WHOLE),
    "Extra": (0, WHOLE),
}


def ema_file(division: Division, form: str) -> bytes:
    """Return EMA's results form as ``xlsx`` or ``csv``, a row per player with the facts of the tournament."""
    report = Report(division)
    facts = report.facts()
    rows = [
        [_ema_cell(source, {**facts, **line}) for source, _kind in EMA.values()] for line in report.players()
    ]
    if form == "csv":
        stream = io.StringIO()
        stream.write("\ufeff")
        writer = csv.writer(stream)
        writer.writerow(EMA)
        writer.writerows([[_csv_cell(value) for value in row] for row in rows])
        return stream.getvalue().encode()
    book, file = ExcelBook(heading=division.competition.name), io.BytesIO()
    sheet = book.sheet("Results", [Column(name, name, kind) for name, (_source, kind) in EMA.items()])
    for row in rows:
        sheet.add(row)
    book.save(file)
    return file.getvalue()


def _ema_cell(source: str | int, facts: Mapping[str, Any]) -> Any:
    return facts.get(source, source) if isinstance(source, str) else source


def _csv_cell(value: Any) -> Any:
    return guard(value) if isinstance(value, str) and value != NO_NUMBER else value


def federation_file(division: Division, form: bytes) -> bytes:
    """Return a federation's form filled in. Raises what ``run_apart`` and ``fill_form`` raise."""
    report = Report(division)
    lines = table_lines(division.competition, division=division.slug, public=False)
    tables = [_table_facts(line) for line in lines if line.seats is not None]
    blocks = {"player": report.players(), "table": tables, "penalty": report.penalties()}
    filled: bytes = run_apart(
        fill_form, form, report.facts(), blocks, KNOWN, megabytes=MEGABYTES, seconds=SECONDS
    )
    return filled


def _table_facts(line: TableLine) -> dict[str, Any]:
    facts = {"stage": line.stage_name, "round": line.round, "date": line.date, "number": line.number}
    assert line.points is not None, "settled"
    assert line.seats is not None, "settled"
    for wind, player, points, seat in zip(WINDS, line.players, line.points, line.seats, strict=True):
        facts |= {wind: player.name, f"{wind}_points": points, f"{wind}_score": tenths(seat.score)}
    return {f"table.{name}": value for name, value in facts.items()}


# --- the sample

_FILL, _LINE = PatternFill("solid", fgColor="FFE7F0EC"), Side(style="thin", color="FF9DB5AB")


def sample_form() -> bytes:
    """Return a form that shows both kinds of marks, rows of players and penalties, and formulas."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Results"
    sheet["A1"] = "{{ tournament }}"
    sheet["A1"].font = Font(name="Calibri", size=16, bold=True)
    sheet["A2"], sheet["B2"] = _("City"), "{{ city }} ({{ country }})"
    sheet["A3"] = _("First day")
    sheet["B3"].alignment = Alignment(horizontal="left")
    book.defined_names["first_day"] = DefinedName("first_day", attr_text="Results!$B$3")
    sheet["A4"], sheet["B4"] = _("Rule set"), "{{ rules }}"
    players = {
        pgettext("finish", "Place"): "{{ player.place }}",
        pgettext("of a person", "Name"): "{{ player.name }}",
        _("Club"): "{{ player.club }}",
        _("Country"): "{{ player.country3 }}",
        _("Games"): "{{ player.games }}",
        _("Penalties"): "{{ player.penalty }}",
        _("Total"): "{{ player.total }}",
        _("Behind first place"): "=G$7-G7",
    }
    _write_rows(sheet, 6, players)
    sheet["F8"], sheet["G8"] = _("Sum"), "=SUM(G7:G7)"
    sheet["G8"].number_format = "0.0"
    penalties = {
        _("Player"): "{{ penalty.player }}",
        _("Score"): "{{ penalty.score }}",
        _("Offence"): "{{ penalty.offence }}",
    }
    _write_rows(sheet, 10, penalties)
    for column, width in enumerate((14, 34, 24, 10, 10, 12, 12, 20), start=1):
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _write_rows(sheet: Worksheet, row: int, marks: Mapping[str, str]) -> None:
    """Write a row of headings and below it the row of marks."""
    for column, (heading, mark) in enumerate(marks.items(), start=1):
        head, cell = sheet.cell(row, column, heading), sheet.cell(row + 1, column, mark)
        head.font, head.fill = Font(name="Calibri", bold=True), _FILL
        head.alignment = Alignment(wrap_text=True, vertical="center")
        cell.border = Border(bottom=_LINE)
        if "total" in mark or "penalty" in mark or mark.startswith("="):
            cell.number_format = "0.0"
