"""The cache in a worker's memory."""

from collections import OrderedDict
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache


class MemoryCache(LocMemCache):
    """Django's, which also forgets the least recently used values when all together have more than
    ``MAX_BYTES`` (an option): each save leaves pages behind that nobody asks for again.
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
