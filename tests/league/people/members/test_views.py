"""Roles, invitations, accounts and the audit page, as people see them."""

import uuid

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import AuditEntry, Invitation, Role, triggers
from league.organizing.competitions.services import update_competition
from league.organizing.roster.services.roster import import_roster
from league.people.members.services import invite, withdraw_invitation
from league.play.rounds.services import set_visibility
from tests.factories import PASSWORD, Club, club, roles_of, signed_in, user
from tests.league.asking import queries_of
from tests.module_fixtures import module_fixture
from tests.shown import html, said

pytestmark = pytest.mark.django_db

GOOD = "correct-horse-battery"


@module_fixture
def spring() -> Club:
    return club(visibility="private")


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


def key() -> dict[str, object]:
    return {"key": uuid.uuid4()}


def invited(spring: Club, kind: str = Role.Kind.SCORER) -> Invitation:
    return invite(competition=spring.competition, kind=kind, by=spring.alice)


def link(invitation: Invitation) -> str:
    return reverse("people:invitation", args=(invitation.token,))


# --- roles


def test_a_link_is_made_and_shown_to_copy(spring, alice):
    data = key() | {"kind": "referee", "note": "Zoë"}
    for _ in range(2):
        response = alice.post(reverse("people:invitation_new", args=(spring.slug,)), data, follow=True)

    invitation = Invitation.objects.get()
    assert (invitation.kind, invitation.note) == ("referee", "Zoë")
    assert f"http://testserver{link(invitation)}" in html(response)


@pytest.mark.parametrize(
    ("name", "data", "field"),
    [
        ("people:role_new", {"kind": "scorer", "username": "nobody"}, "username"),
        ("people:role_new", {"kind": "king", "username": "zoe"}, "kind"),
        ("people:role_new", {"kind": "scorer", "username": "z\0"}, "username"),
        ("people:invitation_new", {"kind": "king"}, "kind"),
        ("people:invitation_new", {"kind": "scorer", "note": "a\u202eb"}, "note"),
        ("people:invitation_new", {"kind": "scorer", "key": "x"}, "key"),
    ],
)
def test_what_does_not_fit_is_said_and_kept(spring, alice, name, data, field):
    user("zoe")
    response = alice.post(reverse(name, args=(spring.slug,)), key() | data)

    form = response.context["role_form" if name == "people:role_new" else "invitation_form"]
    assert response.status_code == 422
    assert list(form.errors) == [field]
    assert not Invitation.objects.exists()


def test_a_role_is_revoked_once(spring, alice):
    role = Role.objects.get(competition=spring.competition, user=spring.charlie)
    address, data = reverse("people:role_revoke", args=(spring.slug, role.pk)), key()

    for _ in range(2):
        assert said(alice.post(address, data, follow=True)) == ["Role revoked."]

    assert roles_of(spring.charlie, spring.competition) == frozenset()
    assert alice.post(address, key()).status_code == 404


def test_who_gives_up_their_own_role_is_not_sent_to_a_page_they_may_not_see(spring):
    role = Role.objects.create(competition=spring.competition, user=spring.bob, kind=Role.Kind.ORGANIZER)
    bob = signed_in(spring.bob)

    response = bob.post(reverse("people:role_revoke", args=(spring.slug, role.pk)), key())

    assert response.url == reverse("standings:competition", args=(spring.slug,))


@pytest.mark.parametrize("name", ["people:role_revoke", "people:invitation_withdraw"])
def test_buttons_do_nothing_on_get(spring, alice, name):
    assert alice.get(reverse(name, args=(spring.slug, 1))).status_code == 405


def test_the_people_page_takes_the_same_queries_for_one_and_for_many(spring, alice):
    page = reverse("people:index", args=(spring.slug,))
    invited(spring)
    one = queries_of(alice, page)
    for number in range(3):
        invited(spring)
        withdraw_invitation(invitation=invited(spring), by=spring.alice)
        Role.objects.create(competition=spring.competition, user=user(f"p{number}"), kind=Role.Kind.PLAYER)
    assert queries_of(alice, page) == one


# --- the invited person


def test_a_signed_in_person_accepts_by_post_only(spring):
    invitation, zoe = invited(spring), user("zoe")
    client = signed_in(zoe)
    assert "Your role: <strong>scorer</strong>" in html(client.get(link(invitation)))
    assert roles_of(zoe, spring.competition) == frozenset()

    data = key()
    for _ in range(2):
        response = client.post(link(invitation), data)
        assert response.url == reverse("standings:competition", args=(spring.slug,))

    assert roles_of(zoe, spring.competition) == {"scorer"}


def test_a_visitor_is_offered_to_sign_in_or_to_make_an_account(spring):
    invitation = invited(spring)

    page = html(Client().get(link(invitation)))

    assert f"{reverse('login')}?next={link(invitation)}" in page
    assert 'name="password2"' in page


def test_a_new_account_is_made_signed_in_and_has_the_role(spring):
    invitation, client = invited(spring), Client()
    data = key() | {"username": "zoe", "password1": GOOD, "password2": GOOD}

    response = client.post(link(invitation), data)

    assert response.url == reverse("standings:competition", args=(spring.slug,))
    assert client.session["_auth_user_id"] == str(User.objects.get(username="zoe").pk)
    assert roles_of(User.objects.get(username="zoe"), spring.competition) == {"scorer"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"password1": "short", "password2": "short"}, "password2"),
        ({"password1": "password123", "password2": "password123"}, "password2"),
        ({"password2": "another-password"}, "password2"),
        ({"username": ""}, "username"),
        ({"username": "BOB-spring"}, "username"),
        ({"username": "z\0e"}, "username"),
        ({"username": "x" * 151}, "username"),
    ],
)
def test_an_account_that_does_not_fit_is_not_made_and_the_link_stays_good(spring, changes, field):
    invitation, people = invited(spring), User.objects.count()
    data = key() | {"username": "zoe", "password1": GOOD, "password2": GOOD} | changes

    response = Client().post(link(invitation), data)

    assert response.status_code == 422
    assert list(response.context["account"].errors) == [field]
    assert User.objects.count() == people
    invitation.refresh_from_db()
    assert invitation.used_at is None


def test_dead_links_say_why_and_name_no_competition(spring):
    used, withdrawn, old = invited(spring), invited(spring), invited(spring)
    signed_in(user("zoe")).post(link(used), key())
    withdraw_invitation(invitation=withdrawn, by=spring.alice)
    Invitation.objects.filter(pk=old.pk).update(expires_at="2020-01-01T00:00Z")

    for invitation, words in (
        (used, "This invitation has already been used"),
        (withdrawn, "This invitation was withdrawn"),
        (old, "expired"),
    ):
        for response in (
            Client().get(link(invitation)),
            signed_in(user("yann")).post(link(invitation), key()),
        ):
            assert response.status_code == 410
            assert words in html(response)
            assert spring.competition.name not in html(response)
    assert roles_of(user("yann"), spring.competition) == frozenset()


def test_an_unknown_link_says_no_more_than_that(spring):
    response = Client().get(reverse("people:invitation", args=("x" * 32,)))

    assert response.status_code == 404
    assert "not valid" in html(response)


def test_no_account_can_be_made_through_a_dead_link(spring):
    invitation = invited(spring)
    withdraw_invitation(invitation=invitation, by=spring.alice)
    data = key() | {"username": "zoe", "password1": GOOD, "password2": GOOD}

    assert Client().post(link(invitation), data).status_code == 410
    assert not User.objects.filter(username="zoe").exists()


def test_who_used_the_link_is_led_to_the_competition(spring):
    invitation, client = invited(spring), signed_in(user("zoe"))
    client.post(link(invitation), key())

    assert client.get(link(invitation)).url == reverse("standings:competition", args=(spring.slug,))


def test_a_new_referee_lands_on_the_desk(spring):
    client = signed_in(user("zoe"))

    response = client.post(link(invited(spring, Role.Kind.REFEREE)), key())

    assert response.url == reverse("penalties:desk", args=(spring.slug,))
    assert "btn-named" in html(client.get(response.url))
    assert "btn-named" not in html(signed_in(spring.alice).get(response.url))


def test_a_player_may_then_see_the_private_competition(spring):
    invitation, client = invited(spring, Role.Kind.PLAYER), signed_in(user("zoe"))
    address = reverse("standings:competition", args=(spring.slug,))
    assert client.get(address).status_code == 404

    client.post(link(invitation), key())

    assert client.get(address).status_code == 200


# --- accounts


def test_where_sign_up_is_closed_no_one_makes_an_account():
    client = Client()
    data = {"username": "zoe", "password1": GOOD, "password2": GOOD}

    assert "On this server, accounts need an invitation" in html(client.get(reverse("people:signup")))
    client.post(reverse("people:signup"), data)
    assert not User.objects.filter(username="zoe").exists()


def test_where_sign_up_is_open_anyone_makes_an_account(settings):
    settings.OPEN_SIGNUP = True
    client = Client()
    data = {"username": "zoe", "password1": GOOD, "password2": GOOD}
    refused = client.post(reverse("people:signup"), data | {"password2": PASSWORD})
    assert (refused.status_code, refused.context["form"]["username"].value()) == (422, "zoe")

    response = client.post(reverse("people:signup"), data)

    assert response.url == reverse("competitions:home")
    assert client.session["_auth_user_id"] == str(User.objects.get(username="zoe").pk)
    assert client.get(reverse("people:signup")).url == reverse("competitions:home")


def test_from_one_network_only_so_many_accounts_are_made_in_an_hour(settings):
    settings.OPEN_SIGNUP = True
    answers = [Client().post(reverse("people:signup"), {"username": "x"}) for _ in range(31)]

    assert [answer.status_code for answer in answers] == [422] * 30 + [429]
    assert 3500 < int(answers[-1]["Retry-After"]) <= 3600
    elsewhere = Client().post(reverse("people:signup"), {"username": "x"}, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 422


# --- the audit log


def audit_page(client: Client, spring: Club, **query: object):
    return client.get(reverse("audit_log:index", args=(spring.slug,)), query)


def test_the_log_says_who_did_what_in_words(spring, alice):
    spring.add_round(visibility="hidden")
    spring.record((45000, 35000, 25000, 15000))
    set_visibility(round_=spring.rounds[0], visibility="results", by=spring.alice)

    page = html(audit_page(alice, spring))

    assert f"<strong>{spring.charlie.username}</strong> saved a score sheet" in page
    assert "round 1, table 1" in page
    assert "45,000 / 35,000 / 25,000 / 15,000" in page
    assert "<del>hidden</del> → published" in page
    assert "陳大文, 李小明, 王美麗, 張志強" in page
    assert "Times in Hong Kong" in page


def test_the_log_shows_todays_names_and_says_who_is_gone(spring, alice):
    import_roster(competition=spring.competition, text="新人", by=spring.alice)
    player = spring.competition.entrants.latest("pk").player
    pk = player.pk
    player.name = "舊人"
    player.save()
    assert "舊人" in html(audit_page(alice, spring))

    spring.competition.entrants.latest("pk").delete()
    player.delete()
    assert f"no. {pk} (deleted)" in html(audit_page(alice, spring))


def test_the_page_says_that_the_chain_is_whole_until_an_entry_is_changed(spring, alice):
    whole = html(audit_page(alice, spring))
    head = AuditEntry.objects.latest("sequence").hash
    assert f"The log chain of {AuditEntry.objects.count()} entries is intact." in whole
    assert head in whole

    triggers.remove(connection)
    AuditEntry.objects.filter(sequence=2).update(action="round.delete")
    triggers.install(connection)
    spring.add_round()

    assert "The log chain is broken at entry 2" in html(audit_page(alice, spring))


def test_the_log_is_asked_by_action_and_person(spring, alice):
    spring.add_round()
    spring.record((45000, 35000, 25000, 15000))
    spring.record((45000, 35000, 25000, 15000), number=2, by=spring.alice)

    def shown(**query: object) -> list[tuple[str, str]]:
        lines = audit_page(alice, spring, **query).context["entries"].data
        return [(line.entry.action, line.entry.actor.username) for line in lines]

    assert shown(action="result.record") == [
        ("result.record", spring.alice.username),
        ("result.record", spring.charlie.username),
    ]
    assert shown(person=spring.charlie.pk) == [("result.record", spring.charlie.username)]
    assert shown(action="no.such") == []


@pytest.mark.parametrize("query", [{"action": "\0"}, {"person": "²"}, {"person": "9" * 40}, {"page": "x"}])
def test_odd_questions_break_nothing(spring, alice, query):
    assert audit_page(alice, spring, **query).status_code == 200


def test_the_log_holds_nothing_of_another_competition(spring, alice):
    other = club("other")
    update_competition(competition=other.competition, values={"name": "Secret"}, by=other.alice)

    assert "Secret" in html(audit_page(signed_in(other.alice), other))
    assert "Secret" not in html(audit_page(alice, spring))


def test_the_log_takes_the_same_queries_for_one_entry_and_for_many(spring, alice):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert audit_page(alice, spring).status_code == 200
        return len(captured)

    import_roster(competition=spring.competition, text="N1", by=spring.alice)
    one = queries()
    for number in range(3):
        import_roster(competition=spring.competition, text=f"N{number + 2}", by=spring.alice)
    assert queries() == one
