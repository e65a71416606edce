"""The joints of lists and sentences: a comma, a colon, a space.

Each joint is a pattern to translate. Chinese and Japanese have marks of their own (、，：。) and no space.
"""

from collections.abc import Iterable
from functools import reduce

from django.utils.translation import get_language
from django.utils.translation import gettext as _

MOST_NAMED = 12  # rounds, tables or people in one sentence


def reads_han() -> bool:
    """Return whether the language of the page is Chinese or Japanese."""
    return (get_language() or "en").startswith(("ja", "zh"))


def without_scheme(address: str) -> str:
    """Return an address without its "https://"."""
    _scheme, mark, rest = address.partition("://")
    return rest if mark else address


def listed(words: Iterable[object]) -> str:
    return _join(_("%(before)s, %(after)s"), words)


def clauses(words: Iterable[object]) -> str:
    """Join parts that hold commas themselves by the semicolon of the language."""
    return _join(_("%(before)s; %(after)s"), words)


def labelled(label: object, words: object) -> str:
    return _("%(before)s: %(after)s") % {"before": label, "after": words}


def sentences(words: Iterable[object]) -> str:
    return _join(_("%(before)s %(after)s"), words)


def _join(pattern: str, words: Iterable[object]) -> str:
    parts = [str(each) for each in words]
    if not parts:
        return ""
    return reduce(lambda before, after: pattern % {"before": before, "after": after}, parts)


def spans(numbers: Iterable[int], *, dash: str = "–") -> list[str]:
    """Sort numbers and join neighbours: 1, 2, 3 and 7 become "1–3" and "7"."""
    groups: list[list[int]] = []
    for number in sorted(numbers):
        if groups and groups[-1][-1] == number - 1:
            groups[-1][1:] = [number]
        else:
            groups.append([number])
    return [dash.join(map(str, group)) for group in groups]
