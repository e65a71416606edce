"""Numbers of random cases: all of them on one database, the first ones on the second too."""

from collections.abc import Sequence

import pytest


def seeds(wanted: int | Sequence[int], *, on_both: int = 4) -> list[object]:
    """So many seeds, or these."""
    found = range(wanted) if isinstance(wanted, int) else wanted
    one = pytest.mark.one_database
    return [pytest.param(seed, marks=[one][: at >= on_both]) for at, seed in enumerate(found)]
