"""Columns of tables in files: what each holds, so that CSV and workbook write the same values."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.functional import Promise

from scoring.units import decimal_text, rounded

TEXT, LONG = "text", "long"  # long: sentences, broken into lines
WHOLE, POINTS, SCORE, AVERAGE = "whole", "points", "score", "average"
DATE, MOMENT = "date", "moment"


@dataclass(frozen=True, slots=True)
class Column:
    """``key`` heads the column in CSV, in every language; ``header`` in a workbook, in the reader's.

    Values by kind: scores are tenths, averages fractions, moments naive times in the competition's time zone.
    ``optional``: a workbook leaves it out when no row has a value; ``most``: characters after which a long
    text goes on in the next line.
    """

    key: str
    header: str | Promise
    kind: str = TEXT
    optional: bool = False
    most: int = 36


def json_value(column: Column, value: Any) -> Any:
    """A value as JSON holds it: scores and averages as exact text, which no program reads as floats."""
    if column.kind == SCORE and value is not None:
        return decimal_text(value)
    return average_text(value) if column.kind == AVERAGE else value


def average_text(value: Fraction | None) -> str | None:
    """Two decimals with a dot, an exact half rounded up: "2.31"."""
    if value is None:
        return None
    whole, hundredths = divmod(rounded(value * 100), 100)
    return f"{whole}.{hundredths:02}"


def local_moment(at: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Workbooks know no time zones: the clock of the competition, whose zone stands in the head."""
    return None if at is None else at.astimezone(zone).replace(tzinfo=None)
