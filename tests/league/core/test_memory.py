"""The cache in a worker's memory has a bound of bytes."""

import pytest

from league.core.memory import MemoryCache, newest


@pytest.fixture
def cache(request) -> MemoryCache:
    made = MemoryCache(request.node.name, {"OPTIONS": {"MAX_BYTES": 10_000}})
    yield made
    made.clear()


def test_the_least_recently_used_values_are_forgotten_first(cache):
    for name in "abc":
        cache.set(name, b"x" * 3_000)
    cache.get("a")

    cache.set("d", b"x" * 3_000)

    assert [name for name in "abcd" if cache.get(name)] == ["a", "c", "d"]


def test_a_new_revision_takes_the_place_of_the_one_before():
    made = []

    def ask(revision: int) -> str:
        return newest("standings", revision, lambda: made.append(revision) or f"as of {revision}")

    assert [ask(1), ask(1), ask(2), ask(2), ask(1)] == ["as of 1", "as of 1", "as of 2", "as of 2", "as of 1"]
    assert made == [1, 2, 1]


def test_many_values_take_no_more_than_the_bound(cache):
    for revision in range(300):
        cache.set(f"page:{revision}", b"x" * 1_000)

    assert sum(map(len, cache._cache.values())) <= 10_000
    assert cache._cache.keys() == cache._expire_info.keys()
    assert cache.get("page:299") == b"x" * 1_000


def test_a_value_larger_than_the_bound_is_kept_until_the_next(cache):
    cache.set("large", b"x" * 20_000)
    assert len(cache.get("large")) == 20_000

    cache.set("small", b"x")
    assert (cache.get("large"), cache.get("small")) == (None, b"x")
