"""The person of a request, who comes with the session."""

import pytest
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import Client

from league.people.accounts.backends import Accounts
from league.people.accounts.sessions import SessionStore
from tests.factories import signed_in, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    return user("alice")


def person_of(client: Client) -> str:
    """Return the user name of this browser's session, or an empty text for a visitor."""
    request = HttpRequest()
    request.session = SessionStore(client.cookies[settings.SESSION_COOKIE_NAME].value)
    return get_user(request).get_username()


def test_a_session_and_its_person_are_one_query(alice, django_assert_num_queries):
    client = signed_in(alice)
    person_of(client)
    with django_assert_num_queries(1):
        assert person_of(client) == "alice"


def test_a_person_who_is_deactivated_is_a_visitor_at_once(alice):
    client = signed_in(alice)
    assert person_of(client) == "alice"
    User.objects.update(is_active=False)
    assert person_of(client) == ""


def test_another_password_ends_the_session_at_once(alice):
    client = signed_in(alice)
    assert person_of(client) == "alice"
    alice.set_password("chiitoitsu-dora-dora")
    alice.save()
    assert person_of(client) == ""


def test_a_browser_in_which_another_person_signs_in_belongs_to_them(alice):
    client = signed_in(alice)
    assert person_of(client) == "alice"
    client.force_login(user("bob"), settings.AUTHENTICATION_BACKENDS[-1])
    assert person_of(client) == "bob"


def test_a_session_says_in_its_data_whose_it_is(alice):
    client = signed_in(alice)
    SessionStore.get_model_class().objects.update(user=user("bob"))
    assert person_of(client) == "alice"


def test_a_person_who_changed_since_their_session_was_read_is_read_once_more(alice):
    key = signed_in(alice).cookies[settings.SESSION_COOKIE_NAME].value
    SessionStore(key).load()
    assert Accounts().get_user(alice.pk).username == "alice"
    User.objects.update(username="alicia")
    assert Accounts().get_user(alice.pk).username == "alicia"  # asked twice in a request
    SessionStore(key).load()
    User.objects.update(username="alison")
    SessionStore()  # of the next request
    assert Accounts().get_user(alice.pk).username == "alison"
