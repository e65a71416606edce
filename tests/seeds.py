"""Numbers of random cases: `bin/test` plays the first ones, `bin/test --all` plays all."""

from collections.abc import Sequence

import pytest


def seeds(wanted: int | Sequence[int], *, quick: int = 1) -> list[object]:
    """Return so many seeds, or these, and mark those after the first ``quick`` as slow."""
    found = range(wanted) if isinstance(wanted, int) else wanted
    return [
        pytest.param(seed, marks=[pytest.mark.slow] if at >= quick else []) for at, seed in enumerate(found)
    ]
