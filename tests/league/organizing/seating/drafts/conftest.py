"""A competition of sixteen players, without rounds."""

from tests.factories import Club, club
from tests.module_fixtures import module_fixture


@module_fixture
def here() -> Club:
    return club(players=16, preset="ema-2025")
