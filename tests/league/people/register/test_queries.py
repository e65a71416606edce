"""The competitions that show a person of the register."""

import pytest

from league.organizing.competitions.services import create_competition
from league.people.register.queries import competitions_of
from league.referees.penalties.services.log import log_penalty
from tests.factories import club

pytestmark = pytest.mark.django_db


def test_a_penalty_of_someone_else_does_not_show_a_person():
    spring = club(players=2)
    autumn = create_competition(league=spring.league, name="Autumn", preset_slug="ema-2016", by=spring.alice)
    division = autumn.divisions.get()
    here, other = spring.players
    autumn.entrants.create(player=other, key="p1", division=division)
    log_penalty(stage=division.stages.get(), player_id=other.pk, score=-20, reason="late", by=spring.alice)

    assert list(competitions_of([here.pk])) == [spring.competition]
    assert list(competitions_of([other.pk])) == [spring.competition, autumn]
