"""The entry page, opened by a scorer."""

import pytest

from tests.browser.entry.keys import TYPED, Keys, entry
from tests.browser.kit import PHONE, listed
from tests.factories import Club, club


@pytest.fixture
def spring(transactional_db) -> Club:
    made = club()
    made.add_round()
    return made


@pytest.fixture
def opened(open_page, sign_in, spring):
    """`opened(**options)`: the entry page, Charlie signed in."""

    def opened(**options):
        page = open_page(**options)
        sign_in(page, spring.charlie)
        page.goto(entry(spring))
        return page

    return opened


@pytest.fixture
def desk(opened):
    return opened(viewport={"width": 1280, "height": 900})


@pytest.fixture
def phone(opened):
    return opened(**PHONE)


@pytest.fixture
def unsent(desk, expect_complaints):
    """The first table is typed without a network."""
    desk.context.set_offline(True)
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    return desk
