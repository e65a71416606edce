"""The door of a table: the codes that lie on it, and the code of the round.

A table number of a division has one secret code for all rounds, on the card on the table: a long one in its
QR code and a short one to type. A card may be on a photograph, so it does not prove that a phone is in the
hall. The phone also gives the code of the round once: five digits on screens and papers in the hall. The QR
code on a score sheet printed for the round carries both. A phone stays in until the round is closed.

All codes are made from the competition's key, which an organizer renews. No row and no file has them.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from django.utils.crypto import constant_time_compare, salted_hmac

from league.models import Competition, Division, Round, Stage, Table

CODE_LENGTH: Final = 20  # hexadecimal digits: 80 bits
SHORT_LENGTH: Final = 8
LETTERS: Final = "ACDEFGHJKLMNPQRTUVWXY3479"  # 25 that are not mistaken for each other: 37 bits
ROUND_DIGITS: Final = 5  # guesses must be limited


def table_code(division: Division, number: int) -> str:
    """Return the secret part of the QR code on the card of these tables."""
    return _digest("table", division.competition, division.pk, number).hex()[:CODE_LENGTH]


def short_code(division: Division, number: int) -> str:
    """Return the code to type if no camera reads the QR code. Guesses must be limited."""
    left = int.from_bytes(_digest("short", division.competition, division.pk, number), "big")
    letters = ""
    for _letter in range(SHORT_LENGTH):
        left, letter = divmod(left, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def sheet_code(table: Table) -> str:
    """Return the secret part of the QR code on the papers of this table's round."""
    return _digest("sheet", _competition(table.round), table.pk).hex()[:CODE_LENGTH]


def round_code(round_: Round) -> str:
    """Return the digits that a phone gives once per round, or once per day of free play."""
    made = int.from_bytes(_digest("round", _competition(round_), *session_of(round_)), "big")
    return str(made % 10**ROUND_DIGITS).zfill(ROUND_DIGITS)


def screen_key(competition: Competition) -> str:
    """Return the secret part of the addresses of screens, with which they show the codes of rounds."""
    return _digest("screen", competition).hex()[:CODE_LENGTH]


# --- what a phone has scanned and typed: "code of the table-pass of the round"


def scanned_card(table: Table, *, before: str = "") -> str:
    """Return what a phone keeps that scanned the table's card. `before`: what it kept, with its pass."""
    _code, _dash, pass_before = before.partition("-")
    return f"{_card(table)}-{pass_before}"


def scanned_sheet(table: Table) -> str:
    """Return what a phone keeps that scanned the table's sheet of this round, or typed the round's code."""
    return f"{_card(table)}-{_pass(table.round)}"


def has_card(table: Table, kept: str) -> bool:
    code, _dash, _pass = kept.partition("-")
    return constant_time_compare(code, _card(table))


def opens(table: Table, kept: str) -> bool:
    """Return whether a phone that keeps this is at the table while it is played."""
    return table.round.status == Round.Status.OPEN and constant_time_compare(kept, scanned_sheet(table))


def is_round_code(round_: Round, typed: str) -> bool:
    return constant_time_compare(_plain(typed), round_code(round_))


# --- codes in addresses and forms


def shown_code(code: str) -> str:
    """Return a short code as it is printed: ACDE-FGHJ."""
    return f"{code[:4]}-{code[4:]}"


def find_typed(typed: str, tables: Iterable[tuple[Division, int]]) -> tuple[Division, int] | None:
    """Return the division and number of the table with this short code, in any case and spacing."""
    plain = _plain(typed)
    if len(plain) != SHORT_LENGTH:
        return None
    return next((table for table in tables if constant_time_compare(plain, short_code(*table))), None)


def find_card(code: str, number: int, divisions: Iterable[Division]) -> Division | None:
    """Return the division whose table of this number has this code."""
    return next(
        (division for division in divisions if constant_time_compare(code, table_code(division, number))),
        None,
    )


def find_sheet(code: str, tables: Iterable[Table]) -> Table | None:
    """Return the table on whose papers this code is."""
    return next((table for table in tables if constant_time_compare(code, sheet_code(table))), None)


def _card(table: Table) -> str:
    return table_code(table.round.stage.division, table.number)


def _pass(round_: Round) -> str:
    return _digest("pass", _competition(round_), *session_of(round_)).hex()[:CODE_LENGTH]


def session_of(round_: Round) -> tuple[object, ...]:
    """Name what has one code: a round, or all free play of a stage on one day."""
    if round_.stage.play == Stage.Play.OPEN and round_.date:
        return "day", round_.stage_id, round_.date.isoformat()
    return "round", round_.pk


def _competition(round_: Round) -> Competition:
    return round_.competition


def _plain(typed: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKC", typed).upper() if letter.isalnum())


def _digest(kind: str, competition: Competition, *about: object) -> bytes:
    value = ":".join(map(str, (competition.pk, *about)))
    return salted_hmac(f"league.{kind}_code", value, secret=competition.table_key).digest()
