"""Fixtures of the tests in Chromium."""

import pytest

from tests.factories import user

# How Chromium itself begins what it writes to the console of a refused, or a failed request.
COMPLAINTS = (
    "Failed to load resource: the server responded with a status of",
    "Failed to load resource: net::ERR_",
)


@pytest.fixture
def expect_complaints(expected_problems: list[str]) -> None:
    """Allows what Chromium says of refused and failed requests: this test provokes some."""
    expected_problems += COMPLAINTS


@pytest.fixture
def organizer(open_page, sign_in, settings):
    """Alice's page, who may create competitions and has none."""
    settings.NEW_COMPETITIONS = settings.EVERYONE
    page = open_page(viewport={"width": 1280, "height": 900})
    sign_in(page, user("alice"))
    return page
