from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.functional import Promise

from scoring.units import Score, decimal_text, rounded

TEXT, LONG = "text", "long"  # long: sentences, broken into lines
WHOLE, POINTS, SCORE, AVERAGE, EXACT = "whole", "points", "score", "average", "exact"
DATE, MOMENT = "date", "moment"
MONEY = "money"


@dataclass(frozen=True, slots=True)
class Column:
    """`key` heads the column in CSV, in every language, and `header` in a workbook, in the reader's language.

    Units by kind: scores are tenths (`EXACT`: with their thirds), averages fractions, money decimals in any
    currency, moments naive times in the competition's time zone. A workbook leaves an `optional` column
    without values out. `most`: characters per line of a long text. `hint` explains the column in the legend
    of a workbook and on pages.
    """

    key: str
    header: str | Promise
    kind: str = TEXT
    optional: bool = False
    most: int = 36
    hint: str | Promise = ""


def exact_value(column: Column, value: Any) -> Any:
    """Return a value for CSV and JSON. Scores and averages are text, which no program reads as floats."""
    if value is None:
        return None
    if column.kind == SCORE:
        return decimal_text(value)
    if column.kind == EXACT:
        return mixed_text(value)
    return average_text(value) if column.kind == AVERAGE else value


def mixed_text(value: Score) -> str:
    """Write tenths as a whole number and a fraction, which spreadsheets read as a number: "-16 2/3"."""
    exact = Fraction(value) / 10
    whole, rest = divmod(abs(exact), 1)
    return f"{'-' if exact < 0 else ''}{whole} {rest.numerator}/{rest.denominator}"


def unrounded(value: Score | None) -> Score | None:
    """Return a score that one decimal does not write exactly, or None."""
    return None if value is None or value == int(value) else value


def average_text(value: Fraction) -> str:
    """Write two decimals with a dot, half rounded up: "2.31"."""
    whole, hundredths = divmod(rounded(value * 100), 100)
    return f"{whole}.{hundredths:02}"


def local_moment(at: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Return the naive local time, because workbooks have no time zones. The column's head names the zone."""
    return None if at is None else at.astimezone(zone).replace(tzinfo=None)
