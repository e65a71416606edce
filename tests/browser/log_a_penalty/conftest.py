"""A competition with a referee at the desk."""

import pytest

from tests.browser.kit import PHONE
from tests.browser.log_a_penalty.taps import desk
from tests.factories import Club, club


@pytest.fixture
def spring(transactional_db) -> Club:
    made = club()
    made.add_round(visibility="seating")
    return made


@pytest.fixture
def phone(open_page, sign_in, spring):
    """The desk on a phone, Bob signed in."""
    page = open_page(**PHONE)
    sign_in(page, spring.bob)
    page.goto(desk(spring))
    return page
