"""Tokens: made and revoked on a page, shown once, and dead with their end or their maker's role."""

import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from league.core.errors import Refused
from league.extras.api.services import find_token, make_token, revoke_token
from league.models import ApiToken, Role
from league.organizing.personal_data.services import close_account
from league.people.members.services import revoke_role
from tests.factories import Club, club, last_entry, signed_in
from tests.league.extras.api.asking import Program, token_of

pytestmark = pytest.mark.django_db

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def spring() -> Club:
    return club("spring")


def test_a_secret_is_shown_once_and_only_its_digest_is_kept(spring):
    client, address = signed_in(spring.alice), reverse("api:tokens", args=["spring"])
    key = re.search(r'name="key" value="([^"]+)"', client.get(address).content.decode())
    sent = {"key": key and key[1], "name": "Club site", "role": "scorer", "days": "7"}

    first, again = client.post(address, sent), client.post(address, sent)

    token = ApiToken.objects.get()
    secret = re.search(r'value="(um_[^"]+)"', first.content.decode())[1]
    assert (first.status_code, again.status_code) == (200, 200)
    assert token.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert len(secret) > 40
    assert token.prefix == secret[:11]
    assert secret not in again.content.decode()
    assert secret not in client.get(address).content.decode()
    assert "Club site" in client.get(address).content.decode()
    assert Program(secret).read("/spring")["slug"] == "spring"


def test_a_token_without_a_name_is_refused(spring):
    address = reverse("api:tokens", args=["spring"])
    answer = signed_in(spring.alice).post(address, {"name": "", "role": "captain", "days": "9999"})

    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_a_revoked_token_opens_nothing(spring):
    secret = token_of(spring, "organizer")
    program, token = Program(secret), ApiToken.objects.get()
    address = reverse("api:token_revoke", args=["spring", token.pk])
    assert program.ask("/spring").status_code == 200

    signed_in(spring.alice).post(address, {"key": "11111111-1111-4111-8111-111111111111"})

    assert program.ask("/spring").status_code == 401
    assert (last_entry(spring.competition).action, last_entry(spring.competition).target) == (
        "token.revoke",
        f"token:{token.pk}",
    )
    with pytest.raises(Refused):
        revoke_token(token=token, by=spring.alice)


def test_a_token_ends_with_its_time(spring):
    facts = {"competition": spring.competition, "name": "x", "role": "player", "days": 7, "by": spring.alice}
    secret = make_token(**facts, at=AT)

    assert find_token(secret, at=AT + timedelta(days=7, seconds=-1)) is not None
    assert find_token(secret, at=AT + timedelta(days=7)) is None


@pytest.mark.parametrize("ends", ["role", "account"])
def test_a_token_dies_with_its_makers_role(ends, spring):
    given = Role.objects.create(competition=spring.competition, user=spring.bob, kind=Role.Kind.ORGANIZER)
    program = Program(token_of(spring, "player", by=spring.bob))
    assert program.ask("/spring").status_code == 200

    if ends == "role":
        given.delete()
    else:
        spring.bob.is_active = False
        spring.bob.save()

    assert program.ask("/spring").status_code == 401


def gives_up_the_role(here: Club) -> None:
    role = Role.objects.get(competition=here.competition, user=here.bob, kind=Role.Kind.ORGANIZER)
    revoke_role(competition=here.competition, role_id=role.pk, by=here.alice)


def role_is_deleted_by_an_operator(here: Club) -> None:
    role = Role.objects.get(competition=here.competition, user=here.bob, kind=Role.Kind.ORGANIZER)
    page = reverse("admin:league_role_delete", args=[role.pk])
    assert signed_in(operator()).post(page, {"post": "yes"}).status_code == 302


def role_is_changed_by_an_operator(here: Club) -> None:
    role = Role.objects.get(competition=here.competition, user=here.bob, kind=Role.Kind.ORGANIZER)
    page = reverse("admin:league_role_change", args=[role.pk])
    assert signed_in(operator()).post(page, {"kind": "scorer"}).status_code == 302


def account_is_blocked_by_an_operator(here: Club) -> None:
    page = reverse("admin:auth_user_change", args=[here.bob.pk])
    typed = {"username": here.bob.username, "date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
    assert signed_in(operator()).post(page, typed).status_code == 302


def operator() -> User:
    return User.objects.create_superuser("operator")


@pytest.mark.parametrize(
    "lose",
    [
        gives_up_the_role,
        role_is_deleted_by_an_operator,
        role_is_changed_by_an_operator,
        account_is_blocked_by_an_operator,
    ],
)
def test_a_token_stays_ended_if_its_maker_gets_the_role_back(lose, spring):
    Role.objects.create(competition=spring.competition, user=spring.bob, kind=Role.Kind.ORGANIZER)
    program, others = Program(token_of(spring, "player", by=spring.bob)), Program(token_of(spring, "player"))
    token = ApiToken.objects.get(created_by=spring.bob)
    assert program.ask("/spring").status_code == 200

    lose(spring)
    entry = last_entry(spring.competition)
    User.objects.filter(pk=spring.bob.pk).update(is_active=True)
    give = {"competition": spring.competition, "user": spring.bob, "kind": Role.Kind.ORGANIZER}
    Role.objects.get_or_create(**give)

    assert (entry.action, entry.target, entry.before) == (
        "token.revoke",
        f"token:{token.pk}",
        {"role": "player"},
    )
    assert (program.ask("/spring").status_code, others.ask("/spring").status_code) == (401, 200)


def test_an_owner_of_the_league_who_is_removed_loses_the_tokens_for_good(spring):
    spring.league.owners.add(spring.bob)
    program = Program(token_of(spring, "player", by=spring.bob))
    page = reverse("admin:league_league_change", args=[spring.league.pk])
    typed = {"name": spring.league.name, "slug": spring.league.slug, "owners": [spring.alice.pk]}
    form = signed_in(operator()).get(page).context["adminform"].form
    filled = {name: value for name in form.fields if (value := form[name].value()) not in (None, "")}

    answer = signed_in(User.objects.get(username="operator")).post(page, filled | typed)
    spring.league.owners.add(spring.bob)

    assert (answer.status_code, program.ask("/spring").status_code) == (302, 401)


def test_a_role_that_leaves_another_way_to_organize_keeps_the_tokens(spring):
    spring.league.owners.add(spring.bob)
    Role.objects.create(competition=spring.competition, user=spring.bob, kind=Role.Kind.ORGANIZER)
    program = Program(token_of(spring, "player", by=spring.bob))

    gives_up_the_role(spring)

    assert program.ask("/spring").status_code == 200


def test_a_closed_account_ends_its_tokens_in_every_competition(spring):
    spring.league.owners.add(spring.bob)
    token_of(spring, "player", by=spring.bob)

    close_account(user=spring.bob)

    assert ApiToken.objects.get().revoked_at is not None


def test_who_lost_the_role_a_moment_ago_makes_no_token(spring):
    with pytest.raises(Refused, match="Only organizers"):
        token_of(spring, "player", by=spring.bob)

    assert not ApiToken.objects.exists()


def test_its_use_is_noted_every_five_minutes(spring):
    secret = make_token(
        competition=spring.competition, name="x", role="player", days=7, by=spring.alice, at=AT
    )
    noted = []
    for minutes in (1, 4, 7):
        find_token(secret, at=AT + timedelta(minutes=minutes))
        noted.append(ApiToken.objects.get().last_used_at)

    assert noted == [AT + timedelta(minutes=1), AT + timedelta(minutes=1), AT + timedelta(minutes=7)]


def test_too_many_requests_of_a_token_or_an_address_wait(spring, settings):
    settings.API_REQUESTS = 3
    one, other = Program(token_of(spring, "player")), Program(token_of(spring, "player"))

    counted = [one.ask("/spring").status_code for _ in range(4)]

    assert counted == [200, 200, 200, 429]
    refused = one.ask("/spring")
    assert refused.json()["code"] == "too_often"
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert other.ask("/spring").status_code == 200
    visitor = [Program().ask("/spring").status_code for _ in range(2)]
    guess = [Program("um_guess").ask("/spring").status_code for _ in range(2)]
    assert (visitor, guess) == ([200, 200], [401, 429])


def test_a_token_acts_in_its_own_role_and_not_in_its_makers(spring):
    program = Program(token_of(spring, "referee"))

    assert program.send("POST", "/spring/players", {"players": [{"name": "New"}]}).status_code == 403
    assert spring.competition.entrants.count() == 8
