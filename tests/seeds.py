"""Numbers of random cases: all of them on one database, the first ones on the second too."""

import pytest


def seeds(count: int, *, on_both: int = 4) -> list[object]:
    return [pytest.param(seed, marks=[pytest.mark.one_database][: seed >= on_both]) for seed in range(count)]
