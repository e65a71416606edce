"""Numbers and days as people write them in lists of results."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal

DAY_FIRST, MONTH_FIRST = "day", "month"
_MINUS = "▲△▼▽−–—‐‑-"
_SPACES = re.compile(r"[\s'’\u2009\u202f]")
_UNIT_WORD = re.compile(r"(?:点|點|分|점|pts?\.?|points?|p)$", re.IGNORECASE)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")
_DATE = re.compile(
    r"(?P<first>\d{1,4})\s*(?P<mark>[-./]|年)\s*(?P<second>\d{1,2})\s*(?:[-./]|月)\s*(?P<third>\d{1,4})\s*(?:日|\.)?"
    r"(?:[T\s(（].*)?"
)
_SERIAL = re.compile(r"[345]\d{4}(?:\.\d+)?")  # days since 1899-12-30, as spreadsheets count
_COMPACT = re.compile(r"(?:19|20)\d{6}")
_FIRST_SERIAL = date(1899, 12, 30)


def read_number(text: str) -> Decimal | None:
    """Return a number as people write it, or None: 25,000, 25.3, −1.2, ▲12, (800), full-width digits."""
    plain = _UNIT_WORD.sub("", _SPACES.sub("", unicodedata.normalize("NFKC", text)))
    bracketed = re.fullmatch(r"\((.+)\)", plain)
    plain = bracketed[1] if bracketed else plain
    is_minus = bool(bracketed) or plain[:1] in (*_MINUS,)
    plain = plain.removeprefix("+") if bracketed or not is_minus else plain[1:]
    if "," in plain and "." in plain:
        grouping = "," if plain.rindex(".") > plain.rindex(",") else "."
        plain = plain.replace(grouping, "")
    elif _GROUPED.fullmatch(plain):
        plain = re.sub(r"[.,]", "", plain)
    plain = plain.replace(",", ".")
    if len(plain) > 12 or not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", plain):
        return None
    return -Decimal(plain) if is_minus else Decimal(plain)


def imbalance(columns: Sequence[int], rows: Sequence[tuple[int, Sequence[str]]]) -> float:
    """Return how far these numbers are from summing to zero, from 0 to 1."""
    numbers = [read_number(row[column]) or Decimal() for _number, row in rows for column in columns]
    return float(abs(sum(numbers, Decimal())) / (sum(map(abs, numbers), Decimal()) or 1))


def read_day(text: str, order: str = DAY_FIRST) -> date | None:
    """Return a day as people write it, or None. ``order``: of dates with slashes that begin with no year."""
    plain = unicodedata.normalize("NFKC", text).strip()
    if _COMPACT.fullmatch(plain):
        return _day(int(plain[:4]), int(plain[4:6]), int(plain[6:]))
    if _SERIAL.fullmatch(plain):
        return _FIRST_SERIAL + timedelta(days=int(float(plain)))
    match = _DATE.fullmatch(plain)
    if not match:
        return None
    first, second, third = (int(match[name]) for name in ("first", "second", "third"))
    if len(match["first"]) == 4:
        return _day(first, second, third)
    is_month_first = match["mark"] == "/" and order == MONTH_FIRST
    return _day(third, first, second) if is_month_first else _day(third, second, first)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        found = date(year if year > 99 else 2000 + year, month, day)
    except ValueError:
        return None
    return found if found.year >= 1970 else None


def only_order(days: Iterable[str]) -> str:
    """Return the only order in which all dates with slashes are days, or "" if both are possible."""
    slashed = [
        (int(match["first"]), int(match["second"]))
        for match in map(_DATE.fullmatch, {unicodedata.normalize("NFKC", day).strip() for day in days})
        if match and match["mark"] == "/" and len(match["first"]) < 4
    ]
    if not slashed or any(first > 12 for first, _second in slashed):
        return DAY_FIRST
    return MONTH_FIRST if any(second > 12 for _first, second in slashed) else ""
