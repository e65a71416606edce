"""The pictures of the mahjong tiles: a symbol for each tile in one file, `static/img/tiles.svg`.

After a change here, `python -m tools.tile_art static/img/tiles.svg` writes the file, which a test compares.
Characters are drawn as strokes, without a font. The figure or letter in the corner is plain text. Colours are
custom properties of the page, with those of the light theme as defaults. The file has no style, which our
policy (CSP) would not allow.

Tiles have their usual notation: 1m–9m, 1p–9p, 1s–9s, 1z–7z, and 0m, 0p, 0s for red fives. `back` is a
face-down tile.
"""

import math
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from league.extras.calculator.rules.tiles import TILES, in_order

WIDTH, HEIGHT = 60, 84  # of a tile, in units of the drawing
LETTERS: Final = "ESWNPFC"  # east, south, west, north, haku (P), hatsu (F), chun (C)

_COLOURS: Final = {
    "ink": "#20302a",
    "red": "#b3261e",
    "green": "#12683e",
    "blue": "#1d4f8c",
    "face": "#fffdf4",
}

# Strokes on a square of 100: (width, path). Those down are heavier than those across, as a brush draws them.
_THIN, _FIRM, _BOLD = 7, 9, 11
Strokes = tuple[tuple[int, str], ...]
_NUMERALS: Final[tuple[Strokes, ...]] = (
    ((_BOLD, "M10 54Q50 46 90 50"),),
    ((_FIRM, "M24 30L76 28"), (_BOLD, "M10 76Q50 70 90 74")),
    ((_FIRM, "M20 20L80 18"), (_FIRM, "M26 50L74 49"), (_BOLD, "M10 84Q50 78 90 82")),
    (
        *((_FIRM, "M15 24L17 86"), (_THIN, "M15 24L85 22"), (_FIRM, "M85 22L83 86"), (_THIN, "M17 80L83 80")),
        *((_FIRM, "M40 24Q41 50 27 60"), (_FIRM, "M60 24V48Q60 57 73 56")),
    ),
    (
        *((_THIN, "M20 18L80 16"), (_FIRM, "M48 17L37 84"), (_THIN, "M24 48L73 46"), (_FIRM, "M73 46L69 84")),
        (_BOLD, "M8 85L92 84"),
    ),
    (
        (_BOLD, "M46 10L55 22"),
        (_FIRM, "M10 38L90 35"),
        (_FIRM, "M38 52Q32 72 16 88"),
        (_BOLD, "M60 52L84 87"),
    ),
    ((_FIRM, "M10 48L88 36"), (_FIRM, "M43 12V70Q43 86 60 86H80Q87 86 88 70")),
    ((_FIRM, "M36 24Q35 60 10 86"), (_FIRM, "M44 20H58Q62 62 92 84")),
    ((_FIRM, "M40 10Q42 62 10 90"), (_THIN, "M14 38L66 34"), (_FIRM, "M66 34L63 72Q62 88 78 88T90 70")),
)
_MAN: Final[Strokes] = (
    *((_THIN, "M8 15L92 13"), (_FIRM, "M34 4V24"), (_FIRM, "M66 4V24")),
    *((_FIRM, "M26 33V58"), (_THIN, "M26 33H75"), (_FIRM, "M75 33V58"), (_THIN, "M26 45H75")),
    *((_THIN, "M26 57H75"), (_FIRM, "M50 33V82"), (_FIRM, "M13 96V69"), (_THIN, "M13 69H87")),
    *((_FIRM, "M87 69V88Q87 97 75 94"), (_THIN, "M32 84Q50 84 66 79"), (_FIRM, "M62 75L71 86")),
)
_EAST: Final[Strokes] = (
    *((_THIN, "M10 20L90 18"), (_FIRM, "M27 33V61"), (_THIN, "M27 33H73"), (_FIRM, "M73 33V61")),
    *((_THIN, "M27 47H73"), (_THIN, "M27 60H73"), (_BOLD, "M50 4V97"), (_FIRM, "M47 63Q34 80 8 90")),
    (_BOLD, "M53 63Q68 80 92 89"),
)
_SOUTH: Final[Strokes] = (
    *((_THIN, "M12 18L88 16"), (_FIRM, "M50 4V33"), (_FIRM, "M15 96V35"), (_THIN, "M15 35H85")),
    *((_FIRM, "M85 35V86Q85 96 73 93"), (_FIRM, "M36 43L42 52"), (_FIRM, "M64 43L58 52")),
    *((_THIN, "M30 57H70"), (_THIN, "M27 72H73"), (_FIRM, "M50 57V93")),
)
_WEST: Final[Strokes] = (
    *((_THIN, "M8 17L92 15"), (_FIRM, "M17 38V92"), (_THIN, "M17 38H83"), (_FIRM, "M83 38V92")),
    *((_THIN, "M17 86H83"), (_FIRM, "M39 17V38Q39 58 27 67"), (_FIRM, "M60 17V56Q60 66 74 64")),
)
_NORTH: Final[Strokes] = (
    *((_BOLD, "M36 8V94"), (_FIRM, "M12 36H36"), (_FIRM, "M7 84L36 70"), (_FIRM, "M88 26L63 42")),
    (_BOLD, "M62 8V74Q62 89 76 89Q90 89 91 70"),
)
_RED_DRAGON: Final[Strokes] = (
    *(
        (_BOLD, "M16 28V68"),
        (_FIRM, "M16 29H84"),
        (_BOLD, "M84 28V68"),
        (_FIRM, "M16 64H84"),
        (13, "M50 4V98"),
    ),
)
_GREEN_DRAGON: Final[Strokes] = (
    *((_FIRM, "M16 12H40Q32 36 6 48"), (_THIN, "M16 26L27 34"), (_FIRM, "M52 6Q64 34 94 46")),
    *((_THIN, "M78 8L64 20"), (_THIN, "M89 20L73 31"), (_THIN, "M15 55H42V67H19L16 80H43")),
    *((_FIRM, "M43 80Q43 98 30 94"), (_THIN, "M61 53Q61 64 51 69"), (_THIN, "M61 53H77V60Q77 67 90 65")),
    *((_THIN, "M53 76H82"), (_FIRM, "M82 76Q74 92 49 97"), (_FIRM, "M57 80Q68 93 93 97")),
)


def _paint(name: str) -> str:
    return f"var(--tile-{name}, {_COLOURS[name]})"


def _strokes(strokes: Strokes, colour: str, x: float, y: float, size: float) -> str:
    paths = "".join(f'<path stroke-width="{width}" d="{path}"/>' for width, path in strokes)
    look = f'fill="none" stroke="{_paint(colour)}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g {look} transform="translate({x} {y}) scale({size / 100:g})">{paths}</g>'


def _face() -> str:
    back = f'<rect x="1" y="4" width="58" height="79" rx="7" fill="var(--tile-back, {_COLOURS["green"]})"/>'
    front = f'<rect x="1" y="1" width="58" height="78" rx="7" fill="{_paint("face")}"'
    return f'{back}{front} stroke="var(--tile-edge, #cdc6b0)" stroke-width="1.5"/>'


def _corner(text: str, *, is_red: bool = False) -> str:
    """Return the figure or letter. That of a red five is on a disc, to be recognized without colour."""
    look = 'font-family="system-ui, sans-serif" font-weight="700" text-anchor="middle"'
    disc = f'<circle cx="11" cy="11.5" r="8.2" fill="{_paint("red")}"/>' if is_red else ""
    fill = _paint("face") if is_red else _paint("ink")
    return f'{disc}<text x="11" y="15.9" font-size="12.5" fill="{fill}" {look}>{text}</text>'


# --- circles

_PINS: Final[Mapping[int, tuple[tuple[float, float, str], ...]]] = {
    2: ((30, 29, "green"), (30, 60, "blue")),
    3: ((16, 33, "blue"), (30, 47, "red"), (44, 61, "green")),
    4: ((18, 30, "blue"), (42, 30, "green"), (18, 60, "green"), (42, 60, "blue")),
    5: ((17, 32, "blue"), (43, 32, "green"), (30, 47, "red"), (17, 62, "green"), (43, 62, "blue")),
    6: (
        *((20, 26, "green"), (40, 26, "green"), (20, 47, "red"), (40, 47, "red"), (20, 65, "red")),
        (40, 65, "red"),
    ),
    7: (
        *((22, 21, "green"), (35, 27, "green"), (48, 33, "green")),
        *((19, 49, "red"), (41, 49, "red"), (19, 67, "red"), (41, 67, "red")),
    ),
    8: tuple((x, y, "blue") for y in (22, 37.5, 53, 68.5) for x in (23, 41)),
    9: tuple(
        (x, y, colour) for y, colour in ((28, "green"), (48, "red"), (68, "blue")) for x in (12, 30, 48)
    ),
}
_PIN_RADIUS: Final = {2: 12.5, 3: 9.5, 4: 10, 5: 9.5, 6: 8.3, 7: 7.4, 8: 7.2, 9: 8}


def _dot(x: float, y: float, radius: float, colour: str) -> str:
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{_paint(colour)}"/>'
    gap = f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.62:.1f}" fill="none" stroke="{_paint("face")}"'
    return f'{ring}{gap} stroke-width="{radius * 0.2:.1f}"/>'


def _flower() -> str:
    petals = "".join(
        f'<circle cx="{30 + 13.5 * math.cos(turn):.1f}" cy="{47 + 13.5 * math.sin(turn):.1f}" r="3.6"'
        f' fill="{_paint("face")}"/>'
        for turn in (math.tau * step / 10 for step in range(10))
    )
    rim = f'<circle cx="30" cy="47" r="21" fill="{_paint("green")}"/>'
    eye = f'<circle cx="30" cy="47" r="7.5" fill="{_paint("face")}"/>'
    return f'{rim}{petals}{eye}<circle cx="30" cy="47" r="5" fill="{_paint("red")}"/>'


def _pin(number: int, *, is_red: bool = False) -> str:
    if number == 1:
        return _flower()
    radius = _PIN_RADIUS[number]
    return "".join(_dot(x, y, radius, "red" if is_red else colour) for x, y, colour in _PINS[number])


# --- bamboo

_STICKS: Final[Mapping[int, tuple[tuple[float, float, str], ...]]] = {
    2: ((30, 29, "green"), (30, 60, "blue")),
    3: ((30, 29, "blue"), (18, 60, "green"), (42, 60, "green")),
    4: ((19, 33, "blue"), (41, 33, "green"), (19, 62, "green"), (41, 62, "blue")),
    5: ((15, 36, "green"), (45, 36, "blue"), (30, 48, "red"), (15, 63, "blue"), (45, 63, "green")),
    6: tuple((x, y, colour) for y, colour in ((35, "green"), (63, "blue")) for x in (14, 30, 46)),
    7: ((30, 19, "red"), *((x, y, "green") for y in (42, 65) for x in (14, 30, 46))),
    9: tuple(
        (x, y, colour) for x, colour in ((14, "green"), (30, "red"), (46, "blue")) for y in (29, 48, 67)
    ),
}
_STICK_LENGTH: Final = {2: 25, 3: 25, 4: 23, 5: 21, 6: 22, 7: 18, 9: 15}


def _stick(x: float, y: float, length: float, colour: str, turn: float = 0) -> str:
    half = length / 2
    cane = (
        f"M{-3.4} {-half}Q0 {-half - 1.5} 3.4 {-half}L2.2 {-half + 3.2}V-2.4L3.6 0L2.2 2.4V{half - 3.2}"
        f"L3.4 {half}Q0 {half + 1.5} -3.4 {half}L-2.2 {half - 3.2}V2.4L-3.6 0L-2.2 -2.4V{-half + 3.2}Z"
    )
    move = f"translate({x:g} {y:g})" + (f" rotate({turn:g})" if turn else "")
    paint = f'fill="{_paint(colour)}" stroke="{_paint(colour)}" stroke-width="1.4"'
    return f'<path transform="{move}" {paint} d="{cane}"/>'


def _bird() -> str:
    tail = f'<path d="M23 56L13 73M27 59L20 75M31 60L28 75" stroke="{_paint("blue")}" stroke-width="3"'
    crest = f'<path d="M37 22L35 14M40 22L41 13M43 23L47 15" stroke="{_paint("red")}" stroke-width="2"'
    line = ' stroke-linecap="round" fill="none"/>'
    body = f'<path d="M46 32Q50 52 34 61Q22 65 18 54Q17 44 28 40Q34 37 34 30Z" fill="{_paint("green")}"/>'
    wing = f'<path d="M23 52Q30 41 40 43Q37 54 23 52Z" fill="{_paint("red")}"/>'
    head = f'<circle cx="40" cy="29" r="7.5" fill="{_paint("green")}"/>'
    eye = f'<circle cx="42" cy="27.5" r="1.9" fill="{_paint("face")}"/>'
    beak = f'<path d="M46.5 26L55 30.5L46 32.5Z" fill="{_paint("red")}"/>'
    legs = f'<path d="M36 60V70H41M42 56V67H47" stroke="{_paint("ink")}" stroke-width="1.8"'
    return f"{tail}{line}{crest}{line}{legs}{line}{body}{wing}{head}{eye}{beak}"


def _eight_sticks() -> str:
    upright = ((11, 35), (49, 35), (11, 63), (49, 63))
    slanted = ((23.5, 35, -30), (36.5, 35, 30), (23.5, 63, 30), (36.5, 63, -30))
    canes = [_stick(x, y, 21, "green") for x, y in upright]
    return "".join(canes + [_stick(x, y, 20, "blue", turn) for x, y, turn in slanted])


def _sou(number: int, *, is_red: bool = False) -> str:
    if number in {1, 8}:
        return _bird() if number == 1 else _eight_sticks()
    length = _STICK_LENGTH[number]
    return "".join(_stick(x, y, length, "red" if is_red else colour) for x, y, colour in _STICKS[number])


# --- the sprite


def _man(number: int, *, is_red: bool = False) -> str:
    numeral = _strokes(_NUMERALS[number - 1], "red" if is_red else "ink", 18, 7, 30)
    return numeral + _strokes(_MAN, "red", 14, 41, 34)


def _frame(x: int, y: int, width: int, height: int, line: float) -> str:
    box = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="3"'
    return f'<rect {box} fill="none" stroke="{_paint("blue")}" stroke-width="{line:g}"/>'


def _honour(number: int) -> str:
    if number == 5:  # the white dragon is empty
        return _frame(13, 23, 34, 48, 3) + _frame(18, 28, 24, 38, 1.2)
    winds = {1: _EAST, 2: _SOUTH, 3: _WEST, 4: _NORTH}
    if number in winds:
        return _strokes(winds[number], "ink", 10, 25, 42)
    return _strokes(
        _GREEN_DRAGON if number == 6 else _RED_DRAGON, "green" if number == 6 else "red", 9, 24, 43
    )


_SUITS: Final = {"m": _man, "p": _pin, "s": _sou}


def _inside(tile: str) -> str:
    number, suit = int(tile[0]), tile[1]
    if suit == "z":
        return _honour(number) + _corner(LETTERS[number - 1])
    is_red = number == 0
    return _SUITS[suit](number or 5, is_red=is_red) + _corner(str(number or 5), is_red=is_red)


def _back() -> str:
    rim = '<rect x="1" y="4" width="58" height="79" rx="7" fill="var(--tile-edge, #cdc6b0)"/>'
    felt = f'<rect x="1" y="1" width="58" height="78" rx="7" fill="var(--tile-back, {_COLOURS["green"]})"/>'
    line = f'<rect x="8" y="8" width="44" height="64" rx="4" fill="none" stroke="{_paint("face")}"'
    return f'{rim}{felt}{line} stroke-opacity="0.45" stroke-width="1.5"/>'


def sprite() -> str:
    drawn: Iterable[tuple[str, str]] = [
        *((tile, _face() + _inside(tile)) for tile in in_order(TILES)),
        ("back", _back()),
    ]
    symbols = "\n".join(
        f'<symbol id="t{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{picture}</symbol>' for name, picture in drawn
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(sprite(), encoding="utf-8")
