"""Folding of names and typed words. `static/js/folding.js` folds the same way in browsers."""

import unicodedata

_VOICED = "\u3099\u309a"  # が is か with this mark: taking it away would make another name
_APOSTROPHES = "'’‘ʼʻʹ′‛`´"
_MARKS = str.maketrans(dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys("‐‑‒–—―−", "-"))
_PLAIN = str.maketrans({"đ": "d", "ð": "d", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def narrow(text: str) -> str:
    """Fold case, width, spaces, invisible joiners, and the shapes of apostrophes and hyphens."""
    same = unicodedata.normalize("NFKC", text.translate(_MARKS)).casefold()
    visible = "".join(c for c in same if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def folded(text: str) -> str:
    """Fold also accents and letters with strokes, and leave out apostrophes."""
    letters = unicodedata.normalize("NFKD", narrow(text)).translate(_PLAIN)
    bare = (c for c in letters if c != "'" and (not unicodedata.category(c).startswith("M") or c in _VOICED))
    return unicodedata.normalize("NFC", "".join(bare))


def spellings(name: str) -> tuple[str, ...]:
    """Return the folded name, with spaces for hyphens, and its spelling without umlauts, if it has any."""
    plain = narrow(name).replace("-", " ")
    return tuple(dict.fromkeys(" ".join(folded(each).split()) for each in (plain, plain.translate(_UMLAUTS))))


def name_keys(name: str) -> set[str]:
    """Return the spellings without spaces. Names that share one may be typed for each other."""
    return {spelling.replace(" ", "") for spelling in spellings(name)} - {""}


def has_name(typed: str, *names: str) -> bool:
    """Return whether every typed word is in the names, or the words together are in one of them."""
    accepted_spellings = [spelling for name in names for spelling in spellings(name)]
    text, close = " ".join(accepted_spellings), "|".join(each.replace(" ", "") for each in accepted_spellings)
    return any(
        all(word in text for word in asked.split()) or asked.replace(" ", "") in close
        for asked in spellings(typed)
    )


def is_one_name(one: str, other: str) -> bool:
    """Return whether the names are equal apart from accents, umlauts, apostrophes and hyphens."""
    return narrow(one) == narrow(other) or bool(name_keys(one) & name_keys(other))
