"""A round being played, and its referee, unless a module plays the round."""

import pytest
from django.test import Client

from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)
