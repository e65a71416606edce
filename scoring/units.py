"""Exact scores in tenths (1 = 0.1 score = 100 points): int, or Fraction for exact splits, never float."""

import re
import unicodedata
from fractions import Fraction
from typing import Final

Score = int | Fraction

WINDS: Final = ("east", "south", "west", "north")
POINTS_PER_TENTH: Final = 100

_SCORE = re.compile(r"(?P<sign>[+\-]?)(?P<whole>[0-9]{1,9})(?:\.(?P<tenth>[0-9])0*)?", re.ASCII)
# ▲ and △ are the minus signs of Japanese and Chinese score sheets; the others are what keyboards and copied
# tables give.
_MINUS_SIGNS = str.maketrans(dict.fromkeys("▲△−–‐‒", "-"))


def rounded(score: Score) -> int:
    """Round to whole tenths. An exact half rounds away from zero."""
    if isinstance(score, int):
        return score
    magnitude = (2 * abs(score.numerator) + score.denominator) // (2 * score.denominator)
    return magnitude if score >= 0 else -magnitude


def decimal_text(score: Score) -> str:
    """Return "123.4", "-20.0" or "0.0", never "-0.0"."""
    tenths = rounded(score)
    whole, tenth = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}.{tenth}"


def parse_score(text: str) -> int:
    """Parse "−20", "▲20.0" or "+1.5" into tenths. Raises ValueError unless it is a multiple of 0.1."""
    plain = unicodedata.normalize("NFKC", text).strip().translate(_MINUS_SIGNS)
    match = _SCORE.fullmatch(plain)
    if match is None:
        raise ValueError(f"not a score with one decimal: {text!r}")
    tenths = int(match["whole"]) * 10 + int(match["tenth"] or 0)
    return -tenths if match["sign"] == "-" else tenths


def tenths_of(value: object) -> int:
    """Parse a JSON number or text into tenths. Raises TypeError for another type, or ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(f"not a score: {value!r}")
    return parse_score(value if isinstance(value, str) else repr(value))


def half(score: Score) -> int:
    """Return half in whole tenths, rounded away from zero, for stages with carry `half`."""
    return rounded(Fraction(score) / 2)
