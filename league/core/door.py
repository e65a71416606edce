"""The door of a table: the codes that lie on it.

A table number has one secret code in every round, made from the competition's key: a long one in its QR code
and a short one to type. A phone that has either is at the table that is played there now. An organizer renews
the key.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from django.utils.crypto import constant_time_compare, salted_hmac

from league.models import Competition, Round, Table

CODE_LENGTH: Final = 20  # hexadecimal digits: 80 bits
SHORT_LENGTH: Final = 8
LETTERS: Final = "ACDEFGHJKLMNPQRTUVWXY3479"  # 25 that are not mistaken for each other: 37 bits


def table_code(competition: Competition, number: int) -> str:
    """Return the secret part of the QR code on these tables. Organizers can renew it."""
    made = salted_hmac("league.table_code", f"{competition.pk}:{number}", secret=competition.table_key)
    return made.hexdigest()[:CODE_LENGTH]


def short_code(competition: Competition, number: int) -> str:
    """Return the code to type if no camera reads the QR code. Guesses must be limited."""
    made = salted_hmac("league.short_code", f"{competition.pk}:{number}", secret=competition.table_key)
    left, letters = int.from_bytes(made.digest(), "big"), ""
    for _letter in range(SHORT_LENGTH):
        left, letter = divmod(left, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def shown_code(code: str) -> str:
    """Return a short code as it is printed: ACDE-FGHJ."""
    return f"{code[:4]}-{code[4:]}"


def find_typed(typed: str, tables: Iterable[tuple[Competition, int]]) -> tuple[Competition, int] | None:
    """Return the competition and number of the table with this short code, in any case and spacing."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKC", typed).upper() if letter.isalnum())
    if len(plain) != SHORT_LENGTH:
        return None
    return next((each for each in tables if constant_time_compare(plain, short_code(*each))), None)


def is_code_of(table: Table, code: str) -> bool:
    competition = table.round.stage.division.competition
    return constant_time_compare(code, table_code(competition, table.number))


def opens(table: Table, code: str) -> bool:
    """Return whether a phone with this code is at the table while it is played."""
    return table.round.status == Round.Status.OPEN and is_code_of(table, code)
