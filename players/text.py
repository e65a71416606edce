"""Normalization of typed text."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}  # full-width ASCII
_WIDE_LETTERS = {wide: narrow for wide, narrow in _WIDE.items() if chr(narrow).isalnum()}


def tidy(text: str) -> str:
    """Normalize to NFC, strip, and collapse white space including ideographic spaces.

    Letters and digits in full width become ASCII. Full-width marks stay beside Chinese and Japanese.
    """
    narrow = text.translate(_WIDE_LETTERS)
    is_latin = not any(unicodedata.east_asian_width(c) == "W" for c in narrow)
    return " ".join(unicodedata.normalize("NFC", narrow.translate(_WIDE) if is_latin else narrow).split())


def has_control_characters(text: str) -> bool:
    """Return whether a character is invisible: control, bidirectional, private use, unassigned or lone
    surrogate.

    Joiners in emoji and Indic names are allowed, and so are all kanji, since Python may not know the newest.
    """
    return any(
        (unicodedata.category(c) in {"Cc", "Co", "Cs", "Cn"} and not _is_kanji_plane(c))
        or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        for c in text
    )


def _is_kanji_plane(c: str) -> bool:
    """Return whether c is in plane 2 or 3, without the two noncharacters at the end of each."""
    return 0x20000 <= ord(c) <= 0x3FFFF and ord(c) & 0xFFFF < 0xFFFE


def validate_visible(text: str) -> None:
    """Raise ValidationError for text that workbooks, pages and logs cannot show."""
    if has_control_characters(text):
        raise ValidationError(
            _("This text contains an invisible control character. Type it again without it."),
            code="invisible",
        )
