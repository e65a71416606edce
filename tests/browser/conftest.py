"""Fixtures of the tests in Chromium."""

from collections.abc import Iterator

import pytest

# How Chromium itself begins what it writes to the console of a refused, or a failed request.
COMPLAINTS = (
    "Failed to load resource: the server responded with a status of",
    "Failed to load resource: net::ERR_",
)


@pytest.fixture
def expect_complaints(page_problems: list[str]) -> Iterator[None]:
    """Allows what Chromium says of refused and failed requests: this test provokes some."""
    yield
    page_problems[:] = [said for said in page_problems if not said.startswith(COMPLAINTS)]
