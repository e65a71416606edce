"""The columns of a list of results, by their headings and their cells."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from league.core.files.headings import GAME_FIELDS, WIND_OF
from league.organizing.brought.queries.numbers import imbalance, read_day, read_number
from players.headings import MOST_TITLES, read_headings, without_remarks
from players.headings import field_of as roster_field
from players.matching import exact_key

FIELDS = ("day", "round", "table", "player", "points", "score", "seat", "sticks", "across", "total", "games")
_FIELD_OF = {"round": "round", "table": "table", "wind": "seat"}
# Single letters may stand for other words here, such as R for rank.
_OF_GAMES = {
    heading: name for heading, name in GAME_FIELDS.items() if len(heading) > 1 or not heading.isascii()
}
_KNOWN = {heading: _FIELD_OF[name] for heading, name in _OF_GAMES.items() if name in _FIELD_OF}
_KNOWN |= read_headings(Path(__file__).with_name("headings.tsv"))
_NUMBERED = re.compile(r"(?:^[\s#_]*[1-4][\s._:-]+|[\s._:#-]*[1-4]\s*$)")
_ROUND_COLUMN = re.compile(
    r"(?:r|round|runde|ronde|ronda|game|manche|turno|omgang|тур|раунд|第)?\s*\.?\s*\d{1,3}\s*(?:輪|轮|回戦?|回戰|회전)?",
    re.IGNORECASE,
)
_SHORT_DAY = re.compile(r"\d{1,2}(?:[./]\d{1,2}\.?|月\d{1,2}日)")
BALANCED, UNBALANCED = 0.1, 0.3


def find_headings(rows: Sequence[tuple[int, Sequence[str]]]) -> int | None:
    """Return the index of the first row that names players and one more column."""
    for index, (_number, cells) in enumerate(rows[: MOST_TITLES + 1]):
        known = [heading_of(title) for title in cells]
        used = sum(name != "" for name, _wind in known) + sum(map(is_round, cells))
        winds = {wind for _name, wind in known if wind is not None}
        if (("player", None) in known and used > 1) or len(winds) == 4:
            return index
    return None


class Heading(NamedTuple):
    """The field of a heading, "" if unknown, and the wind that it names: of "East points", points and 0."""

    field: str
    wind: int | None = None


def heading_of(title: str) -> Heading:
    plain = without_remarks(title)
    if known := _known(plain):
        return Heading(known)
    if exact_key(plain) in WIND_OF:
        return Heading("wind", WIND_OF[exact_key(plain)])
    words = re.split(r"[\s_./-]+", plain)
    first, *after = words
    *before, last = words
    for word, rest in ((first, after), (last, before)):
        if rest and exact_key(word) in WIND_OF and (known := _known(" ".join(rest))):
            return Heading(known, WIND_OF[exact_key(word)])
    if plain[:1] in "東东南西北" and (known := _known(plain[1:].removeprefix("家").removeprefix("の"))):
        return Heading(known, WIND_OF[plain[:1]])
    return Heading(_known(_NUMBERED.sub("", plain)))


def is_unneeded(title: str) -> bool:
    """Return whether a heading is known and its column used for nothing, as a rank."""
    return heading_of(title).field == "-"


def _known(title: str) -> str:
    """Return the field of a heading in full, or "". "-" is known and used for nothing."""
    found = _KNOWN.get(exact_key(title), "") or _KNOWN.get(exact_key(title).rstrip("."), "")
    return found or ("player" if title and roster_field(title) == "name" else "")


def fields_of(heads: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    """Return each column's field or "". A column named after a wind has names or points, as its cells say."""
    fields = [heading_of(head).field for head in heads]
    for column, name in enumerate(fields):
        if name == "wind":
            filled = [row[column] for _number, row in rows if row[column]]
            numbers = sum(read_number(cell) is not None for cell in filled)
            fields[column] = "points" if 2 * numbers > len(filled) else "player"
    if fields.count("player") == 4:  # of columns after each name, the first one has the points
        for column, name in enumerate(fields[:-1]):
            if name == "player" and fields[column + 1] == "" and not heads[column + 1]:
                fields[column + 1] = "points"
    across = [column for column, head in enumerate(heads) if is_round(head)]
    if fields.count("player") == 1 and "points" not in fields and across:
        for column in across:
            fields[column] = "across"
    _separate_scores(fields, rows)
    if "points" not in fields and not {"across", "total"} & {*fields}:
        fields = ["points" if name == "score" else name for name in fields]
    single = ("day", "round", "table", "seat", "sticks", "total", "games")
    return ["" if name in single and name in fields[:i] else name for i, name in enumerate(fields)]


def _separate_scores(fields: list[str], rows: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Tell points from scores if each player has both: scores sum to about zero."""
    columns = [column for column, name in enumerate(fields) if name == "points"]
    if len(columns) != 2 * fields.count("player"):
        return
    half = len(columns) // 2
    for some, others in ((columns[::2], columns[1::2]), (columns[:half], columns[half:])):
        for scores, points in ((some, others), (others, some)):
            if imbalance(scores, rows) < BALANCED < UNBALANCED < imbalance(points, rows):
                for column in scores:
                    fields[column] = "score"
                return


def is_round(head: str) -> bool:
    """Return whether a heading names a round or its day, perhaps without the year."""
    is_known = _ROUND_COLUMN.fullmatch(head) or _SHORT_DAY.fullmatch(head)
    return bool(head) and (bool(is_known) or read_day(head) is not None)


def cell_of(fields: Sequence[str], row: Sequence[str], name: str) -> str:
    return row[fields.index(name)] if name in fields else ""
