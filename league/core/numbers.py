from league.core.text import reads_han
from scoring.units import Score, decimal_text


def minus_sign() -> str:
    """Return ▲ in languages whose score sheets write it so, or else the real minus."""
    return "▲" if reads_han() else "\u2212"


def number(points: int) -> str:
    """Group points in threes: 28,700 and −5,200 (▲5,200)."""
    return f"{minus_sign() if points < 0 else ''}{abs(points):,}"


def number_tenths(tenths: Score) -> str:
    """Write tenths as a signed decimal: +20.0, −5.0 (▲5.0), 0.0."""
    text = decimal_text(tenths)
    if text.startswith("-"):
        return minus_sign() + text[1:]
    return text if text == "0.0" else f"+{text}"
