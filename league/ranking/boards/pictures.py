"""The first five of a ranking as a picture that messengers show beside a competition's address.

Latin names use the typeface of the pages. Other names use a font of the system, or else their romanized form.
"""

import io
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont

from scoring.units import Score, decimal_text

SIZE = (1200, 630)  # what Open Graph asks for
SHOWN = 5
LATIN = Path(settings.BASE_DIR, "static", "vendor", "inter", "inter-latin-wght-normal.woff2")
HAN = tuple(
    Path("/usr/share/fonts", name)
    for name in (
        "opentype/noto/NotoSansCJK-Bold.ttc",
        "google-noto-cjk/NotoSansCJK-Bold.ttc",
        "noto-cjk/NotoSansCJK-Bold.ttc",
    )
)
FELT, WHITE, QUIET, AMBER, LINE = "#0c3f31", "#ffffff", "#c3d8ce", "#f2b632", "#2f5c4e"
MEDALS = ("#d9ab3a", "#b4bfc5", "#d69a6e")
BOLD = 700


@cache
def _font(is_latin: bool, size: int) -> ImageFont.FreeTypeFont | None:
    """Return the font for a run of characters, or None if this system has none."""
    if not is_latin:
        font_file = next((path for path in HAN if path.exists()), None)
        return ImageFont.truetype(font_file, size) if font_file else None
    font = ImageFont.truetype(LATIN, size)
    font.set_variation_by_axes([BOLD])
    return font


def _is_latin(character: str) -> bool:
    return character < "\u0100" or character in "–−…’“”"


def can_draw(text: str) -> bool:
    return all(map(_is_latin, text)) or _font(False, 1) is not None


def _runs(text: str, size: int) -> Iterator[tuple[str, ImageFont.FreeTypeFont]]:
    for is_latin, run in groupby(text, _is_latin):
        font = _font(is_latin, size) or _font(True, size)
        assert font is not None
        yield "".join(run), font


def _write(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, colour: str, most: int
) -> None:
    """Write one line from its left end on the baseline, cut at ``most`` pixels."""
    x, y = at
    end = x + most
    for run, font in _runs(text, size):
        for character in run:
            wide = font.getlength(character)
            if x + wide > end:
                return
            draw.text((x, y), character, fill=colour, font=font, anchor="ls")
            x += wide


def draw_ranking(
    title: str, note: str, lines: Iterable[tuple[int | None, str, str, Score]], *, below: str = ""
) -> bytes:
    """Draw a PNG. ``lines``: rank, name, name in Latin letters, total in tenths. ``below``: a sentence."""
    picture = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(picture)
    _write(draw, (70, 120), title, 60, WHITE, 1060)
    _write(draw, (70, 178), note, 30, QUIET, 1060)
    draw.rectangle((70, 214, 150, 220), fill=AMBER)
    figures = _font(True, 38)
    for number, (rank, name, romanized, total) in enumerate(list(lines)[:SHOWN]):
        y = 290 + 68 * number
        label = str(rank or "–")
        if rank and rank <= len(MEDALS):
            draw.ellipse((70, y - 38, 118, y + 10), fill=MEDALS[rank - 1])
        colour = FELT if rank and rank <= len(MEDALS) else QUIET
        draw.text((94, y - 14), label, fill=colour, font=_font(True, 28), anchor="mm")
        _write(draw, (150, y), name if can_draw(name) else romanized or name, 38, WHITE, 720)
        draw.text(
            (1130, y),
            decimal_text(total).replace("-", "−") if total <= 0 else f"+{decimal_text(total)}",
            fill=WHITE,
            font=figures,
            anchor="rs",
        )
        draw.line((150, y + 24, 1130, y + 24), fill=LINE, width=2)
    _write(draw, (70, 616), below, 22, QUIET, 1060)
    made = io.BytesIO()
    picture.quantize(64).save(made, "PNG", optimize=True)
    return made.getvalue()
