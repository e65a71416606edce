"""What is between words that are put together here: a comma, a colon, the space after a sentence.

Chinese and Japanese have marks of their own (、，：。) and no space between sentences: each joint is a
pattern to translate.
"""

from collections.abc import Iterable
from functools import reduce

from django.utils.translation import gettext as _

MOST_NAMED = 12  # rounds, tables or people in one sentence


def listed(words: Iterable[object]) -> str:
    """ "a, b, c"; empty for none."""
    return _joined(_("%(before)s, %(after)s"), words)


def clauses(words: Iterable[object]) -> str:
    """ "a; b; c": parts that hold commas themselves."""
    return _joined(_("%(before)s; %(after)s"), words)


def labelled(label: object, words: object) -> str:
    """ "label: words"."""
    return _("%(before)s: %(after)s") % {"before": label, "after": words}


def sentences(words: Iterable[object]) -> str:
    """Whole sentences, one after the other."""
    return _joined(_("%(before)s %(after)s"), words)


def _joined(pattern: str, words: Iterable[object]) -> str:
    parts = [str(each) for each in words]
    if not parts:
        return ""
    return reduce(lambda before, after: pattern % {"before": before, "after": after}, parts)


def spans(numbers: Iterable[int], *, dash: str = "–") -> list[str]:
    """Numbers in order, neighbours joined: 1, 2, 3 and 7 are "1–3" and "7"."""
    groups: list[list[int]] = []
    for number in sorted(numbers):
        if groups and groups[-1][-1] == number - 1:
            groups[-1][1:] = [number]
        else:
            groups.append([number])
    return [dash.join(map(str, group)) for group in groups]
