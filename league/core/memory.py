"""What is kept between requests, and the cache in a worker's memory."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache

KEPT_SECONDS = 24 * 3600

Made = TypeVar("Made")


def newest(key: str, revision: object, make: Callable[[], Made]) -> Made:
    """What ``make`` made for this revision of the facts; under the key only one revision is kept."""
    kept: Mapping[str, Made] = find_kept({key: revision})
    if key in kept:
        return kept[key]
    made = make()
    keep({key: made}, {key: revision})
    return made


def find_kept(revisions: Mapping[str, object]) -> dict[str, Any]:
    """Of these keys those whose value is of this revision, each with its value."""
    return {key: made for key, (of, made) in cache.get_many(revisions).items() if of == revisions[key]}


def keep(made: Mapping[str, object], revisions: Mapping[str, object]) -> None:
    """Keeps each value in the place of that of another revision."""
    cache.set_many({key: (revisions[key], value) for key, value in made.items()}, KEPT_SECONDS)


class MemoryCache(LocMemCache):
    """Django's, which also forgets the least recently used values when all together have more than
    ``MAX_BYTES`` (an option).
    """

    _cache: OrderedDict[str, bytes]  # the most recently used first
    _expire_info: dict[str, float | None]

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        super().__init__(name, params)
        self._most_bytes = int(params["OPTIONS"]["MAX_BYTES"])

    def _set(self, key: str, value: bytes, timeout: float | object | None = DEFAULT_TIMEOUT) -> None:
        super()._set(key, value, timeout)  # type: ignore[misc]
        total = sum(map(len, self._cache.values()))
        while total > self._most_bytes and len(self._cache) > 1:
            forgotten, content = self._cache.popitem()
            del self._expire_info[forgotten]
            total -= len(content)
