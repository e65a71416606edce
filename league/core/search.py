import re
from collections.abc import Sequence
from typing import Final, TypeVar

from players.folding import folded

Item = TypeVar("Item")

_WORD: Final = re.compile(r"[\w-]+")


def sole(items: Sequence[Item]) -> Item | None:
    """Return the item of a sequence of one, or None for none and for several."""
    return items[0] if len(items) == 1 else None


def sort_key(text: str) -> str:
    """Return a sort key without accents and case. "Table 8" precedes "Table 72". Han characters follow the
    order of Unicode: by radical, then by strokes.
    """
    return re.sub(r"\d+", lambda number: number.group().zfill(9), folded(text))


def matches(words: str, text: str) -> bool:
    return all(word in text for word in folded(words).split())


def pieces(words: str) -> list[str]:
    """Return the parts by which similar texts are found, without duplicates.

    A word in ASCII gives itself and its first five letters.
    Any other word gives its characters and their pairs.
    """
    found: list[str] = []
    for word in folded(words).split():
        if not word.isascii():
            found += [*word, *(word[i : i + 2] for i in range(len(word) - 1))]
        elif len(word) > 2:
            found += [word, word[:5]]
    return list(dict.fromkeys(found))


def holds_words(words: str, text: str) -> bool:
    """Return whether every typed word is a whole word of `text`."""
    return set(folded(words).split()) <= set(_WORD.findall(text))
