"""Text that people type: one spelling for the same name, and nothing invisible in it."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _


def tidy(text: str) -> str:
    """NFC, no leading or trailing space, runs of white space (the ideographic one too) as one space."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def has_control_characters(text: str) -> bool:
    """True if a character cannot be seen: control, bidirectional override, private use, unassigned,
    unpaired surrogate.

    A joiner inside an emoji or an Indic name is allowed, and so is any kanji: Python may not know the newest.
    """
    return any(
        (unicodedata.category(c) in {"Cc", "Co", "Cs", "Cn"} and not _is_kanji_plane(c))
        or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        for c in text
    )


def _is_kanji_plane(c: str) -> bool:
    """Planes 2 and 3 of Unicode are for kanji, except the two noncharacters at the end of each."""
    return 0x20000 <= ord(c) <= 0x3FFFF and ord(c) & 0xFFFF < 0xFFFE


def validate_visible(text: str) -> None:
    """Refuse what no workbook, no page and no log can show: raises ValidationError."""
    if has_control_characters(text):
        raise ValidationError(
            _("This text contains an invisible control character. Type it again without it."),
            code="invisible",
        )
