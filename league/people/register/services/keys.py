"""Keys of the entrants in files: p1, p2, …

No key is assigned twice, even after its player was removed. An older file would then replace the record of
another player.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count

from league.models import AuditEntry, Competition, Entrant

_MADE = re.compile(r"p([0-9]{1,9})")
GONE = ("entrant.remove", "player.merge", "competition.replace")  # their ``before`` in the log may have a key


def find_free_keys(competition: Competition) -> Iterator[str]:
    """Yield keys above the highest one ever used. Gaps stay."""
    taken = set(Entrant.objects.filter(competition=competition).values_list("key", flat=True))
    removals = AuditEntry.objects.filter(competition=competition, action__in=GONE)
    gone = removals.filter(before__has_key="key").values_list("before__key", flat=True)
    return (f"p{number}" for number in count(_highest([*taken, *gone]) + 1) if f"p{number}" not in taken)


def last_key(keys: Iterable[str]) -> dict[str, object]:
    """Return the highest removed key for the log. A key from a file may name a person and is left out."""
    highest = _highest(keys)
    return {"key": f"p{highest}"} if highest else {}


def _highest(keys: Iterable[str]) -> int:
    made = filter(None, map(_MADE.fullmatch, keys))
    return max((int(match[1]) for match in made), default=0)
