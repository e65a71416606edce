"""EMA's results form, a federation's own form, and the sample of one."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.properties import PageSetupProperties

from league.core.apart import run_apart
from league.core.files.columns import AVERAGE, TEXT, WHOLE, Column
from league.core.files.csv import guard
from league.core.files.xlsx import ExcelBook
from league.core.text import listed
from league.extras.reports.exports.filling import fill_form
from league.extras.reports.queries import KNOWN, NO_NUMBER, PENALTY, PLAYER, SINGLE, TABLE, Report, values_of
from league.play.results.exports import table_lines

MEGABYTES, SECONDS = 512, 30  # of the process that fills a form
_EMA_NUMBER = re.compile(r"\d{8}", re.ASCII)
_ONE_NAME = _(
    "These players have one name: %(players)s. Enter first and last name as the romanized name, for "
    "example Anna BERG."
)
_NO_COUNTRY = _("The country of these players is missing: %(players)s. Enter it in the list of players.")


class EmaColumn(NamedTuple):
    """A column of EMA's form: the name of its fact, or the value of all rows.

    ``missing``: the sentence if a tournament or the named players lack the fact.
    """

    fact: str
    kind: str = TEXT
    value: object = None
    missing: Promise | None = None


# Headings in the form's order. Table points are 4, 2, 1 and 0 per table in MCR. Riichi is ranked by score
# alone and has none.
EMA: Final[Mapping[str, EmaColumn]] = {
    "Tournament name": EmaColumn("tournament"),
    "Number of participants": EmaColumn("participants", WHOLE),
    "Place": EmaColumn("player.place", WHOLE),
    "First name": EmaColumn("player.first_name", missing=_ONE_NAME),
    "LAST NAME": EmaColumn("player.last_name", missing=_ONE_NAME),
    "EMA number": EmaColumn("player.ema_number"),
    "Table points": EmaColumn("", WHOLE, 0),
    "Score": EmaColumn("player.points", WHOLE),
    "EMA member": EmaColumn("player.ema_member", WHOLE),
    "Country": EmaColumn("player.country3", missing=_NO_COUNTRY),
    "Date": EmaColumn("date", missing=_("The day of the tournament is missing. Enter it in the settings.")),
    "Court country": EmaColumn("country3", missing=_("The country of the venue is missing. Enter it below.")),
    "City": EmaColumn("city", missing=_("The city is missing. Enter it below.")),
    "MERS": EmaColumn("mers", AVERAGE, missing=_("The MERS weight is missing. Enter it below.")),
    "Short name": EmaColumn("short_name", missing=_("The short name is missing. Enter it below.")),
    "Rules": EmaColumn("", TEXT, "Riichi"),
    "Period": EmaColumn("period"),
    "Days": EmaColumn("days", WHOLE),
    "Extra": EmaColumn("", WHOLE, 0),
}


def ema_problems(report: Report) -> Iterator[str]:
    """Yield a sentence per fact that EMA's form needs and that is missing or wrong, with its players."""
    [facts], players = values_of(SINGLE, [report]), values_of(PLAYER, report.lines)
    if not players:
        yield gettext("No player has a result yet.")
    for column in EMA.values():
        every = players if column.fact in PLAYER else [facts]
        without = [each for each in every if column.missing and each[column.fact] in (None, "")]
        if without:
            named = listed(each["player.name"] for each in without if each is not facts)
            yield str(column.missing) % {"players": named}
    for player in players:
        number = player["player.ema_number"]
        if number != NO_NUMBER and not _EMA_NUMBER.fullmatch(number):
            sentence = gettext("EMA numbers have 8 digits, but %(player)s has “%(number)s”. Correct it.")
            yield sentence % {"player": player["player.name"], "number": number}


def ema_file(report: Report, form: str) -> bytes:
    """Return EMA's results form as ``xlsx`` or ``csv``, a row per player with the facts of the tournament."""
    [facts] = values_of(SINGLE, [report])
    rows = [
        [(facts | line).get(column.fact, column.value) for column in EMA.values()]
        for line in values_of(PLAYER, report.lines)
    ]
    if form == "csv":
        stream = io.StringIO()
        stream.write("\ufeff")
        csv.writer(stream).writerows([EMA, *([_csv_cell(value) for value in row] for row in rows)])
        return stream.getvalue().encode()
    book, file = ExcelBook(heading=report.competition.name), io.BytesIO()
    sheet = book.sheet("Results", [Column(name, name, column.kind) for name, column in EMA.items()])
    for row in rows:
        sheet.add(row)
    book.save(file)
    return file.getvalue()


def _csv_cell(value: Any) -> Any:
    return guard(value) if isinstance(value, str) and value != NO_NUMBER else value


def federation_file(report: Report, form: bytes) -> bytes:
    """Return a federation's form filled in. Raises what ``run_apart`` and ``fill_form`` raise."""
    lines = table_lines(report.competition, division=report.division.slug, public=False)
    [facts] = values_of(SINGLE, [report])
    blocks = {
        "player": values_of(PLAYER, report.lines),
        "table": values_of(TABLE, (line for line in lines if line.seats is not None)),
        "penalty": values_of(PENALTY, report.penalties()),
    }
    filled: bytes = run_apart(fill_form, form, facts, blocks, KNOWN, megabytes=MEGABYTES, seconds=SECONDS)
    return filled


def sample_form() -> bytes:
    """Return a form that shows both kinds of marks, rows of players and penalties, and formulas."""
    players = {
        pgettext("finish", "Place"): "{{ player.place }}",
        pgettext("of a person", "Name"): "{{ player.name }}",
        gettext("Club"): "{{ player.club }}",
        gettext("Country"): "{{ player.country3 }}",
        gettext("Games"): "{{ player.games }}",
        gettext("Penalties"): "{{ player.penalty }}",
        gettext("Total"): "{{ player.total }}",
        gettext("Behind first place"): "=G$7-G7",
    }
    penalties = {
        gettext("Player"): "{{ penalty.player }}",
        gettext("Score"): "{{ penalty.score }}",
        gettext("Offence"): "{{ penalty.offence }}",
    }
    rows: list[list[Any]] = [
        ["{{ tournament }}"],
        [gettext("City"), "{{ city }} ({{ country }})"],
        [gettext("First day")],
        [gettext("Rule set"), "{{ rules }}"],
        [],
        *([*players], [*players.values()]),
        [*[None] * 5, gettext("Sum"), "=SUM(G7:G7)"],
        [],
        *([*penalties], [*penalties.values()]),
    ]
    book, stream = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.title = "Results"
    for cells in rows:
        sheet.append(cells)
    book.defined_names["first_day"] = DefinedName("first_day", attr_text="Results!$B$3")
    sheet["A1"].font = Font(name="Calibri", size=16, bold=True)
    sheet["B3"].alignment = Alignment(horizontal="left")
    for row, width in ((6, len(players)), (10, len(penalties))):
        for column in range(1, width + 1):
            head, mark = sheet.cell(row, column), sheet.cell(row + 1, column)
            head.font, head.fill = Font(name="Calibri", bold=True), PatternFill("solid", fgColor="FFE7F0EC")
            head.alignment = Alignment(wrap_text=True, vertical="center")
            mark.border = Border(bottom=Side(style="thin", color="FF9DB5AB"))
    for place in ("F7", "G7", "H7", "G8", "B11"):
        sheet[place].number_format = "0.0"
    for letter, wide in zip("ABCDEFGH", (14, 34, 24, 10, 10, 12, 12, 20), strict=True):
        sheet.column_dimensions[letter].width = wide
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    book.save(stream)
    return stream.getvalue()
