"""What people call the columns of a list of players: in English, Chinese, Japanese, Korean, German, French,
Spanish, Italian, Portuguese, Dutch, Danish, Polish and Russian (``headings.tsv``).
"""

import re
from collections.abc import Sequence
from pathlib import Path

from players.matching import exact_key
from players.models import LONGEST_FEDERATION
from players.text import tidy

MOST_TITLES = 15  # rows above the headings


def read_headings(path: Path) -> dict[str, str]:
    """Return folded heading → field of a file with lines of a field and its headings.

    "-" is the field of known headings that are used for nothing.
    """
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {exact_key(heading): field for field, headings in lines for heading in headings.split(", ")}


# Used for nothing: what a form adds, private facts, numbers of a list.
_KNOWN = {
    heading: field.strip("-")
    for heading, field in read_headings(Path(__file__).with_name("headings.tsv")).items()
}
FIELDS = frozenset(_KNOWN.values())
# Headings of players that beside a column of names may say their keys, as the standings that we export do.
WHO = {exact_key(word) for word in ("player", "選手", "选手", "玩家", "球員", "参加者", "參加者")}

# Parts of a heading such as "Last, First" that are not one by themselves.
_PARTS = {
    **dict.fromkeys(("first", "vor-", "voor-", "for-"), "first"),
    **dict.fromkeys(("last", "nach-", "achter-", "efter-"), "last"),
}
_AND = re.compile(r"\s*[,，、/&+;]\s*|\s+(?:and|und|et|y|e|i|og|en|и)\s+", re.IGNORECASE)
_REMARK = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]")
_INCLUSIVE = re.compile(r"[*:/]-?in(?:nen)?$", re.IGNORECASE)  # of "Spieler*in"
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")  # in EmaPlayerLastName
_ASKED = re.compile(r"^(?:(?:ema player|your|the|player(?:['’]s)?|participant)\s+)+", re.IGNORECASE)
_FEDERATIONS = {"ema", "ara", "wrc", "jpml", "usrma"}
_NUMBER = re.compile(
    r"(?P<federation>.+?)(?P<word>[\s_-]+(?:number|numero|num\.?|no\.?|nr\.?|nº|n°|nummer|numer|номер|id)"
    r"|[\s_-]*(?:#|會員編號|会员编号|會員號碼|会員番号|編號|编号|號碼|号码|番号|번호))",
    re.IGNORECASE,
)
_NUMBER_FIRST = re.compile(
    r"(?:number|numéro|numero|número|núm\.?|num\.?|no\.?|nr\.?|nº|n°|№|nummer|numer|номер)"
    r"\s*(?:d['’]|de\s+|der\s+)?\s*(?P<federation>\w+)",
    re.IGNORECASE,
)
# Numbers that belong to the list or the person's privacy, not to a federation.
_OTHER_NUMBERS = (
    "player row line seat table phone mobile telephone passport hkid team discord tenhou student member "
    "電話 手機 手机 携帯 携帯電話 選手 玩家 球員 受付 座位 證件 身份證 身分證"
)
_NO_FEDERATION = set(map(exact_key, _OTHER_NUMBERS.split()))


def find_headings(rows: Sequence[tuple[int, Sequence[str]]]) -> int | None:
    """Return the index of the headings: the first row, or one below titles, which fill fewer cells."""
    most = 0
    for index, (_number, cells) in enumerate(rows[: MOST_TITLES + 1]):
        filled = sum(map(bool, cells))
        if _are_headings(cells, fewest=1 if index == 0 and filled > 1 else 2) and (
            index == 0 or filled > max(most, 1)
        ):
            return index
        most = max(most, filled)
    return None


def _are_headings(cells: Sequence[str], *, fewest: int) -> bool:
    """Return whether the cells name a column of players, or ``fewest`` are headings of which one is used."""
    fields = {field for field in map(field_of, cells) if field}
    known = sum(is_known(cell) for cell in cells if cell)
    return (
        "name" in fields
        or (known >= 2 and bool(fields))
        or (fewest == 1 and bool(fields & {"first", "last"}))
    )


def is_known(title: str) -> bool:
    return field_of(title) != "" or any(exact_key(each) in _KNOWN for each in _spellings(title))


def field_of(title: str) -> str:
    """Return the field of a heading, such as "name", or "#EMA" for a federation's number, or ""."""
    for spelling in _spellings(title):
        known = _KNOWN.get(exact_key(spelling))
        if known is None:
            known = _number_field(spelling) or None
        if known is not None:
            return known
    return "name" if order_of(title) else ""


def order_of(title: str) -> tuple[str, ...]:
    """Return ("last", "first") for the heading "Name, Vorname" of a column of both, or (), or the other way
    round.
    """
    for spelling in _spellings(title):
        parts = [exact_key(part) for part in _AND.split(spelling)]
        fields = [_PARTS.get(part) or _KNOWN.get(part, "") for part in parts]
        if len(fields) == 2 and "name" in fields:  # beside one of two names, "name" is the other
            fields = [
                {"first": "last", "last": "first"}.get(fields[1 - at], "") if each == "name" else each
                for at, each in enumerate(fields)
            ]
        if sorted(fields) == ["first", "last"]:
            return tuple(fields)
    return ()


def without_remarks(title: str) -> str:
    """Return the heading without texts in brackets and without marks such as "*" and ":"."""
    return tidy(_REMARK.sub(" ", title)).strip("*:?：？＊ ")


def _spellings(title: str) -> list[str]:
    """Return the heading as written, without marks and remarks, and without whom a form asks."""
    written = tidy(title.replace("_", " "))
    plain = without_remarks(written)
    asked = _ASKED.sub("", _HUMPS.sub(" ", _INCLUSIVE.sub("", plain)))
    return list(dict.fromkeys(spelling for spelling in (written, plain, asked) if spelling))


def _number_field(title: str) -> str:
    if exact_key(title) in _FEDERATIONS:
        return f"#{title.upper()}"
    match = _NUMBER.fullmatch(title) or _NUMBER_FIRST.fullmatch(title)
    federation = tidy(match["federation"].replace("_", " ")) if match else ""
    if not federation or len(federation) > LONGEST_FEDERATION or exact_key(federation) in _NO_FEDERATION:
        return ""
    is_id = match is not None and match.groupdict().get("word", "").strip(" _-").casefold() == "id"
    if (
        is_id
        and not (federation.isupper() and federation.isalpha())
        and exact_key(federation) not in _FEDERATIONS
    ):
        return ""
    return f"#{federation.upper() if federation.isascii() else federation}"
