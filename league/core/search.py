"""One spelling for what is searched and what is found: width, case, accents and spaces do not matter."""

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"[\w-]+")


def folded(text: str) -> str:
    """The text in small letters, wide forms as narrow ones, without accents; words with one space between.

    `static/js/penalty.js` folds what is typed in the same way.
    """
    plain = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in plain if not unicodedata.category(c).startswith("M"))
    return " ".join(bare.casefold().split())


def sort_key(text: str) -> str:
    """The place of a text in a list: accents and case do not count, "Table 8" comes before "Table 72"; Han
    characters in the order of Unicode, by radical, then by strokes.
    """
    return re.sub(r"\d+", lambda number: number[0].zfill(9), folded(text))


def matches(words: str, text: str) -> bool:
    """Whether every typed word is found in ``text``, which is folded already."""
    return all(word in text for word in folded(words).split())


def holds_words(words: str, text: str) -> bool:
    """Whether every typed word is a whole word of ``text``: such finds come before those of parts."""
    return set(folded(words).split()) <= set(_WORD.findall(text))
