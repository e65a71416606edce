"""Looks of cells in workbooks: fonts, colours of ranks and scores, hairlines.

A look is a name that a row, or a cell of it, has in `LOOKS`. Scores above zero are green and below it red,
always with their sign.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from openpyxl.cell.cell import Cell, WriteOnlyCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

from league.core.files.columns import (
    AVERAGE,
    DATE,
    EXACT,
    LONG,
    MOMENT,
    MONEY,
    POINTS,
    SCORE,
    TEXT,
    WHOLE,
)

PLAIN, BAND, STRUCK, PALE, LEFT = "", "band", "struck", "pale", "left"  # looks of a row
HEAD = "head"
# looks of the sheet for the wall
TITLE, FACT, LAST_FACT, SECTION, BORDER, NOTE = "title", "fact", "last fact", "section", "border", "note"
FIRST, SECOND, THIRD = "first", "second", "third"
RANKS: Mapping[str, str] = {  # look of a row → of its rank
    PLAIN: "rank",
    FIRST: "gold",
    SECOND: "silver",
    THIRD: "bronze",
}

INK, QUIET, WHITE = "FF16211C", "FF5D6B64", "FFFFFFFF"
PLUS, MINUS = "FF0B6B4B", "FFB3362B"
FELT, SOFT_FELT, AMBER, PALE_FELT = "FF0E4A39", "FFE4EFE9", "FFF2B632", "FFF1F5F3"
_HAIRLINE = "FFDCE0D8"

FORMATS: Mapping[str, str] = {
    TEXT: "General",
    LONG: "General",
    WHOLE: "0",
    POINTS: "#,##0",
    SCORE: '+0.0;"−"0.0;0.0',
    AVERAGE: "0.00",
    EXACT: "# ??/??",
    MONEY: "#,##0.00",
    DATE: "yyyy-mm-dd",
    MOMENT: "yyyy-mm-dd hh:mm",
}
LEFT_KINDS = (TEXT, LONG, DATE, MOMENT)
SIZE = 11  # points of letters

_FONT = ("Calibri", None)
# Fonts of Excel with all characters of a script, and the character set by which other programs choose one.
# A font without them is replaced by one whose characters are smaller, and by another in each program.
_SCRIPTS: Mapping[str, tuple[str, int]] = {
    "ja": ("Yu Gothic", 128),
    "ko": ("Malgun Gothic", 129),
    "zh-hans": ("Microsoft YaHei", 134),
    "zh-hant": ("Microsoft JhengHei", 136),
}
_KANA, _HANGUL = re.compile("[\u3040-\u30ff]"), re.compile("[\u1100-\u11ff\uac00-\ud7a3]")
_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]|[\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True)
class Look:
    """`size`: points more than the letters of the sheet. `line`: colour of the line below."""

    fill: str = ""
    color: str = INK
    line: str = _HAIRLINE
    bold: bool = False
    strike: bool = False
    side: str = ""
    size: int = 0


LOOKS: Mapping[str, Look] = {
    PLAIN: Look(),
    BAND: Look(fill=PALE_FELT),
    STRUCK: Look(color=QUIET, strike=True),
    PALE: Look(color=QUIET),
    LEFT: Look(side="left"),
    HEAD: Look(fill=FELT, color=WHITE, line=FELT, bold=True),
    TITLE: Look(fill=FELT, color=WHITE, line=FELT, bold=True, size=11),
    FACT: Look(fill=FELT, color=WHITE, line=FELT, size=1),
    LAST_FACT: Look(fill=FELT, color=WHITE, line=AMBER, size=1),
    SECTION: Look(fill=SOFT_FELT, color=FELT, line=FELT, bold=True, side="left", size=1),
    BORDER: Look(fill="FFFDF3DC", color="FF6B4E00", line=AMBER, side="left", size=-2),
    NOTE: Look(color=QUIET, line="", side="left", size=-2),
    FIRST: Look(fill="FFFBF4E0", bold=True),
    SECOND: Look(fill="FFF3F5F6", bold=True),
    THIRD: Look(fill="FFFAF0E9", bold=True),
    "rank": Look(side="center"),
    "gold": Look(side="center", fill="FFE3B94F", bold=True),
    "silver": Look(side="center", fill="FFB9C3C9", bold=True),
    "bronze": Look(side="center", fill="FFD79F78", bold=True),
}


class Style(NamedTuple):
    """Facts that decide the style of a cell. ``script``: a key of `_SCRIPTS`, or "". ``sign``: of a score.

    ``is_tall``: whether its row has several lines. ``form``: its own number format.
    """

    kind: str
    look: str
    size: int
    script: str = ""
    sign: int = 0
    is_quoted: bool = False
    is_tall: bool = False
    form: str = ""


@lru_cache(maxsize=8192)  # names come often
def script_of(text: str, language: str) -> str:
    """Return the script that decides the font. Han characters alone follow the language of the reader."""
    if not _WIDE.search(text):
        return ""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return language if language in _SCRIPTS else "zh-hant"


def style_cell(worksheet: Any, style: Style, value: str | None = None) -> Cell:
    look = LOOKS[style.look]
    cell: Cell = WriteOnlyCell(worksheet, value)
    cell.number_format = style.form or FORMATS[style.kind]
    cell.font = _font(style, look)
    cell.alignment = _alignment(style, look.side)
    if look.fill:
        cell.fill = PatternFill("solid", fgColor=look.fill)
    if look.line:
        cell.border = Border(bottom=Side(style="thin", color=look.line))
    cell.quotePrefix = style.is_quoted  # keeps it text when a person edits the cell
    return cell


def _font(style: Style, look: Look) -> Font:
    name, charset = _SCRIPTS.get(style.script, _FONT)
    color = look.color
    if style.sign and color == INK:
        color = PLUS if style.sign > 0 else MINUS
    size = style.size + look.size
    return Font(name=name, charset=charset, size=size, bold=look.bold, strike=look.strike, color=color)


def _alignment(style: Style, side: str) -> Alignment:
    vertical = "top" if style.is_tall else "center"
    side = side or ("left" if style.kind in LEFT_KINDS else "")
    if side == "left":
        return Alignment(vertical=vertical, horizontal="left", indent=1, wrap_text=style.kind == LONG)
    return Alignment(vertical=vertical, horizontal=side or None)
