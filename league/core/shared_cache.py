"""A cache for several machines (CACHE_URL)."""

import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

REST = 10  # seconds in which a Redis that did not answer is not asked again

Found = TypeVar("Found")


class SharedCache(RedisCache):
    """Redis. The server works without a cache while Redis does not answer."""

    _silent_until = 0.0

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._ask(lambda: super(SharedCache, self).get(key, default, version), default)

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        return self._ask(lambda: super(SharedCache, self).get_many(keys, version), {})

    def set(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._ask(lambda: super(SharedCache, self).set(key, value, timeout, version), None)

    def set_many(
        self, data: dict[str, Any], timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[str]:
        return self._ask(lambda: super(SharedCache, self).set_many(data, timeout, version), [])

    def _ask(self, ask: Callable[[], Found], otherwise: Found) -> Found:
        if time.monotonic() < SharedCache._silent_until:
            return otherwise
        try:
            return ask()
        except RedisError:
            SharedCache._silent_until = time.monotonic() + REST
            return otherwise
