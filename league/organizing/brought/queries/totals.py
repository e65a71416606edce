"""Lists without tables: a score of each player for each round, or a total and the number of games."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from league.core.numbers import number_tenths
from league.organizing.brought.queries.columns import BALANCED, cell_of
from league.organizing.brought.queries.facts import Balance, Part, Problem
from league.organizing.brought.queries.numbers import imbalance, read_number
from players.matching import exact_key

_SCORE_AT_MOST = 5000
_MOST_GAMES = 9999
_NOT_PLAYED = {*"-–—/xX×", "n/a", "N/A"}


def read_balances(
    heads: Sequence[str], fields: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]
) -> tuple[Balance, ...] | Problem:
    """Return what the list says of each player, or why its numbers cannot be scores."""
    columns = [column for column, name in enumerate(fields) if name == "across"]
    scores = columns or [fields.index("total")]
    numbers = [read_number(row[column]) for _number, row in rows for column in scores]
    unit = Decimal(1)
    if any(number is not None and abs(number) > _SCORE_AT_MOST for number in numbers):
        if imbalance(scores, rows) > BALANCED:
            return Problem(0, "raw_points")
        unit = Decimal(1000)
    notes = _round_notes(heads, columns)
    seen: set[str] = set()
    found = []
    for number, row in rows:
        name = cell_of(fields, row, "player")
        if not name and not any(row[column] for column in scores):
            continue
        problems: list[Problem] = []
        if not exact_key(name):
            problems.append(Problem(number, "missing_name"))
        elif exact_key(name) in seen:
            problems.append(Problem(number, "listed_twice", (("name", name),)))
        seen.add(exact_key(name))
        if columns:
            parts = _rounds_of(name, number, row, notes, unit, problems)
            _check_total(name, number, cell_of(fields, row, "total"), parts, unit, problems)
        else:
            parts = _total_of(name, number, fields, row, unit, problems)
        said = tuple(str(problem) for problem in problems)
        found.append(Balance(row=number, name=name, parts=tuple(parts), problems=said))
    return tuple(found)


def _round_notes(heads: Sequence[str], columns: Iterable[int]) -> dict[int, str]:
    """Return what is kept of the heading of each column: "3" is R3, the second 14.3. is 14.3. (2).

    A list brought again is known by these notes, so that they do not depend on the reader's language.
    """
    times: Counter[str] = Counter()
    notes = {}
    for column in columns:
        head = f"R{heads[column]}" if heads[column].isdecimal() else heads[column]
        times[head] += 1
        notes[column] = head if times[head] == 1 else f"{head} ({times[head]})"
    return notes


def _rounds_of(
    name: str,
    number: int,
    row: Sequence[str],
    notes: Mapping[int, str],
    unit: Decimal,
    problems: list[Problem],
) -> list[Part]:
    parts = []
    for column, note in notes.items():
        score = _tenths(name, number, row[column], unit, problems)
        if score is not None:
            parts.append(Part(note, score, 1))
    return parts


def _total_of(
    name: str,
    number: int,
    fields: Sequence[str],
    row: Sequence[str],
    unit: Decimal,
    problems: list[Problem],
) -> list[Part]:
    score = _tenths(name, number, cell_of(fields, row, "total"), unit, problems)
    written = cell_of(fields, row, "games")
    games = read_number(written) if written else Decimal()
    if games is None or games % 1 or not 0 <= games <= _MOST_GAMES:
        problems.append(Problem(number, "no_games", (("name", name), ("text", written[:40]))))
        return []
    return [] if score is None else [Part("", score, int(games))]


def _check_total(
    name: str, number: int, written: str, parts: Sequence[Part], unit: Decimal, problems: list[Problem]
) -> None:
    total = read_number(written) if written else None
    whole = sum(part.score for part in parts)
    tenths = None if total is None else Fraction(total * 10 / unit)
    if tenths is not None and abs(tenths - whole) > 1 and not problems:
        said = (("name", name), ("sum", number_tenths(whole)), ("total", number_tenths(tenths)))
        problems.append(Problem(number, "other_total", said))


def _tenths(name: str, number: int, text: str, unit: Decimal, problems: list[Problem]) -> int | None:
    """Return a score in tenths, or None for a cell that says that the player did not play."""
    if not text or text in _NOT_PLAYED:
        return None
    found = read_number(text)
    about = (("name", name), ("text", text[:40]))
    if found is None:
        problems.append(Problem(number, "no_score", about))
        return None
    tenths = found * 10 / unit
    if tenths % 1:
        problems.append(Problem(number, "decimals", about))
        return None
    return int(tenths)
