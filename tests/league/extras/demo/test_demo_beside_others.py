"""`manage.py demo` in a database in which other people have accounts."""

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError

from league.models import Competition
from tests.league.extras.demo.test_demo import demo, state

pytestmark = pytest.mark.django_db


def test_a_database_with_other_people_is_refused_and_stays_as_it_was():
    User.objects.create_user("alice", password="something-real-1")
    before = state()

    with pytest.raises(CommandError, match="accounts of real people"):
        demo()

    assert state() == before


@pytest.mark.parametrize("way", ["forced", "debug"])
@pytest.mark.slow
def test_other_people_do_not_hinder_who_insists_or_develops(way, settings):
    User.objects.create_user("alice", password="something-real-1")
    settings.DEBUG = way == "debug"

    demo(*(["--force"] if way == "forced" else []))

    assert Competition.objects.count() == 5
    assert User.objects.get(username="alice").check_password("something-real-1")
