"""The keys by which files call the entrants of a competition: p1, p2, …

No key is given twice, not even after its player was removed: a file that was exported before means that
player by it, and would replace the record of another one.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count

from league.models import AuditEntry, Competition, Entrant

_MADE = re.compile(r"p([0-9]{1,9})")
GONE = ("entrant.remove", "player.merge", "competition.replace")  # their ``before`` in the log may have a key


def find_free_keys(competition: Competition) -> Iterator[str]:
    """Keys after the highest one that a player has or had: a gap is not filled."""
    taken = set(Entrant.objects.filter(competition=competition).values_list("key", flat=True))
    removals = AuditEntry.objects.filter(competition=competition, action__in=GONE)
    gone = removals.filter(before__has_key="key").values_list("before__key", flat=True)
    return (f"p{number}" for number in count(_highest([*taken, *gone]) + 1) if f"p{number}" not in taken)


def last_key(keys: Iterable[str]) -> dict[str, object]:
    """The highest of the keys that are removed, as the log keeps it. A key that came with a file may name a
    person and is not kept.
    """
    highest = _highest(keys)
    return {"key": f"p{highest}"} if highest else {}


def _highest(keys: Iterable[str]) -> int:
    made = filter(None, map(_MADE.fullmatch, keys))
    return max((int(match[1]) for match in made), default=0)
