"""Roles and invitations: given, accepted once, withdrawn, out of date, revoked."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.core.errors import Refused
from league.models import AuditEntry, Invitation, Role
from league.people.members.services import (
    accept_invitation,
    find_invitation,
    give_role,
    invite,
    revoke_role,
    say_who_plays,
    withdraw_invitation,
)
from tests.factories import Club, club, roles_of, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    return club(visibility="private")


def invited(spring: Club, kind: str = Role.Kind.SCORER, **options: object) -> Invitation:
    return invite(competition=spring.competition, kind=kind, note="for Zoë", by=spring.alice, **options)


def test_an_invitation_gives_its_role_to_the_first_who_accepts(spring):
    invitation, zoe = invited(spring), user("zoe")
    assert roles_of(zoe, spring.competition) == frozenset()

    accept_invitation(invitation=invitation, by=zoe)

    assert roles_of(zoe, spring.competition) == {"scorer"}
    with pytest.raises(Refused, match="This invitation has already been used"):
        accept_invitation(invitation=invitation, by=user("yann"))
    assert roles_of(user("yann"), spring.competition) == frozenset()


def test_an_invitation_links_the_account_to_its_player(spring):
    first, second = (player.pk for player in spring.players[:2])
    invitation, zoe = invited(spring, Role.Kind.PLAYER, player=first), user("zoe")
    role = accept_invitation(invitation=invitation, by=zoe)
    assert (role.kind, role.player_id) == ("player", first)

    with pytest.raises(Refused, match="already linked to this player"):
        invited(spring, Role.Kind.PLAYER, player=first)
    other = invited(spring, Role.Kind.PLAYER, player=second)
    with pytest.raises(Refused, match="already linked to another player"):
        accept_invitation(invitation=other, by=zoe)
    assert Role.objects.get(user=zoe).player_id == first


def test_an_invitation_links_an_account_that_has_the_role_already(spring):
    first = spring.players[0].pk
    invitation = invited(spring, Role.Kind.PLAYER, player=first)
    accept_invitation(invitation=invitation, by=spring.dora)
    assert Role.objects.get(user=spring.dora).player_id == first


def test_two_invitations_of_one_player_link_one_account(spring):
    one, two = (invited(spring, Role.Kind.PLAYER, player=spring.players[0].pk) for _each in range(2))
    accept_invitation(invitation=one, by=user("zoe"))
    with pytest.raises(Refused, match="already linked to this player"):
        accept_invitation(invitation=two, by=user("yann"))
    assert roles_of(user("yann"), spring.competition) == frozenset()


def test_a_player_of_another_league_is_not_invited(spring):
    with pytest.raises(Refused, match="not entered"):
        invited(spring, Role.Kind.PLAYER, player=club("autumn").players[0].pk)
    assert not Invitation.objects.filter(player__isnull=False).exists()


def test_an_invitation_lasts_fourteen_days(spring):
    now = timezone.now()
    invitation = invited(spring, at=now)

    with pytest.raises(Refused, match="expired"):
        accept_invitation(invitation=invitation, by=user("zoe"), at=now + timedelta(days=14))
    accept_invitation(invitation=invitation, by=user("zoe"), at=now + timedelta(days=13, hours=23))


def test_a_withdrawn_invitation_gives_nothing(spring):
    invitation = invited(spring)
    withdraw_invitation(invitation=invitation, by=spring.alice)

    with pytest.raises(Refused, match="withdrawn"):
        accept_invitation(invitation=invitation, by=user("zoe"))
    with pytest.raises(Refused, match="already been withdrawn"):
        withdraw_invitation(invitation=invitation, by=spring.alice)


def test_a_used_invitation_is_not_withdrawn(spring):
    invitation = invited(spring)
    accept_invitation(invitation=invitation, by=user("zoe"))

    with pytest.raises(Refused, match="This invitation has already been accepted"):
        withdraw_invitation(invitation=invitation, by=spring.alice)


def test_who_has_the_role_does_not_use_the_link_up(spring):
    invitation = invited(spring)

    with pytest.raises(Refused, match="This person already has this role"):
        accept_invitation(invitation=invitation, by=spring.charlie)

    accept_invitation(invitation=invitation, by=user("zoe"))


def test_the_log_holds_neither_the_token_nor_the_note(spring):
    invitation = invited(spring)
    accept_invitation(invitation=invitation, by=user("zoe"))

    logged = str(list(AuditEntry.objects.values_list("target", "before", "after")))
    assert f"invitation:{invitation.pk}" in logged
    assert invitation.token not in logged
    assert "Zoë" not in logged


def test_a_token_finds_its_invitation_and_no_other(spring):
    invitation = invited(spring)
    invited(spring)

    assert find_invitation(invitation.token) == invitation
    assert find_invitation(invitation.token[:-1]) is None
    assert find_invitation(invitation.token.swapcase()) is None
    assert len(invitation.token) == 32


def test_a_role_is_given_by_user_name(spring):
    dora = spring.dora.get_username()

    give_role(competition=spring.competition, username=dora, kind=Role.Kind.REFEREE, by=spring.alice)

    assert roles_of(spring.dora, spring.competition) == {"player", "referee"}
    with pytest.raises(Refused, match="This person already has this role"):
        give_role(competition=spring.competition, username=dora, kind=Role.Kind.REFEREE, by=spring.alice)


@pytest.mark.parametrize("name", ["nobody", "Zoe", "", "zoe"])
def test_accounts_outside_the_league_are_answered_like_names_that_do_not_exist(spring, name):
    user("zoe")

    with pytest.raises(Refused, match="The person must have a role in this league") as refusal:
        give_role(competition=spring.competition, username=name, kind=Role.Kind.SCORER, by=spring.alice)

    assert refusal.value.field == "username"


def test_who_left_the_server_gets_no_role(spring):
    zoe = user("zoe")
    zoe.is_active = False
    zoe.save()

    with pytest.raises(Refused):
        give_role(competition=spring.competition, username="zoe", kind=Role.Kind.SCORER, by=spring.alice)


def test_a_revoked_role_is_gone_and_logged(spring):
    role = Role.objects.get(competition=spring.competition, user=spring.charlie)

    revoke_role(competition=spring.competition, role_id=role.pk, by=spring.alice)

    assert roles_of(spring.charlie, spring.competition) == frozenset()
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.target, entry.before) == (
        "role.revoke",
        f"user:{spring.charlie.pk}",
        {"role": "scorer"},
    )


def bob_organizes(spring: Club) -> Role:
    organizer = {"kind": Role.Kind.ORGANIZER, "competition": spring.competition}
    return give_role(username=spring.bob.username, by=spring.alice, **organizer)


def test_the_last_organizer_cannot_lock_everyone_out(spring):
    role = bob_organizes(spring)
    spring.league.owners.clear()

    with pytest.raises(Refused, match="only organizer"):
        revoke_role(competition=spring.competition, role_id=role.pk, by=spring.bob)

    spring.league.owners.add(spring.alice)
    revoke_role(competition=spring.competition, role_id=role.pk, by=spring.alice)
    assert not Role.objects.filter(pk=role.pk).exists()


def test_an_owner_who_left_the_server_does_not_count_as_an_organizer(spring):
    role = bob_organizes(spring)
    spring.alice.is_active = False
    spring.alice.save()

    with pytest.raises(Refused, match="only organizer"):
        revoke_role(competition=spring.competition, role_id=role.pk, by=spring.bob)


def test_a_role_of_another_competition_is_not_found(spring):
    other = club("other")
    role = Role.objects.get(competition=other.competition, user=other.charlie)

    with pytest.raises(Refused, match="deleted or replaced"):
        revoke_role(competition=spring.competition, role_id=role.pk, by=spring.alice)
    assert Role.objects.filter(pk=role.pk).exists()


def test_every_change_raises_the_revision(spring):
    before = spring.competition.revision
    invitation = invited(spring)
    accept_invitation(invitation=invitation, by=user("zoe"))

    spring.competition.refresh_from_db()
    assert spring.competition.revision == before + 2


# --- who plays


def test_a_person_plays_as_one_player_in_all_their_roles(db):
    spring = club("summer")
    give_role(competition=spring.competition, username=spring.bob.username, kind="scorer", by=spring.alice)
    role = Role.objects.get(user=spring.bob, kind="referee")

    say_who_plays(
        competition=spring.competition, role_id=role.pk, player=spring.players[2].pk, by=spring.alice
    )
    give_role(competition=spring.competition, username=spring.bob.username, kind="player", by=spring.alice)

    assert set(Role.objects.filter(user=spring.bob).values_list("player", flat=True)) == {
        spring.players[2].pk
    }
    say_who_plays(competition=spring.competition, role_id=role.pk, player=None, by=spring.alice)
    assert not Role.objects.filter(user=spring.bob, player__isnull=False).exists()


def test_two_people_cannot_play_as_the_same_player_and_no_one_plays_as_a_stranger(db):
    spring, autumn = club("summer"), club("autumn")
    roles = {role.user_id: role.pk for role in Role.objects.filter(competition=spring.competition)}

    def plays(person, player) -> None:
        say_who_plays(
            competition=spring.competition, role_id=roles[person.pk], player=player.pk, by=spring.alice
        )

    plays(spring.bob, spring.players[0])
    with pytest.raises(Refused, match="Another account is already linked to this player"):
        plays(spring.charlie, spring.players[0])
    with pytest.raises(Refused, match="not entered"):
        plays(spring.charlie, autumn.players[0])
    with pytest.raises(Refused, match="deleted or replaced"):
        say_who_plays(
            competition=spring.competition,
            role_id=Role.objects.filter(competition=autumn.competition).first().pk,
            player=None,
            by=spring.alice,
        )
