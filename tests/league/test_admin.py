"""The admin is for rescue work: every list and record opens, and no fact can be changed there."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from league.models import AuditEntry, Competition, Invitation, Role, SecurityEvent, Sheet, Submission, Team
from league.referees.penalties.services.log import log_penalty
from league.rules.rule_sets.services import copied_rules, create_book
from players.models import Club, FederationNumber, Player
from scoring.presets import resolve
from tests.factories import club, last_entry, user
from tests.shown import html

pytestmark = pytest.mark.django_db
WITHOUT_A_RECORD = {
    Club,
    FederationNumber,
    Invitation,
    Submission,
    Team,
}  # the club that is played here has none
OURS = {model for model in admin.site._registry if model._meta.app_label in {"league", "players"}}


@pytest.fixture
def played():
    here = club()
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    log_penalty(stage=here.stage, player_id=here.players[0].pk, score=-20, reason="late", by=here.bob)
    rules = copied_rules("tenhou", resolve("tenhou").as_values(), by=here.alice)
    create_book(league=here.league, name="House rules", rules=rules, by=here.alice)
    return here


@pytest.mark.parametrize("model", sorted(OURS, key=lambda model: model.__name__))
def test_lists_and_records_open(admin_client, played, model):
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    assert admin_client.get(reverse(f"{name}_changelist")).status_code == 200
    record = model.objects.first()
    if record is None:
        assert model in WITHOUT_A_RECORD
    else:
        assert admin_client.get(reverse(f"{name}_change", args=[record.pk])).status_code == 200


@pytest.mark.parametrize("model", [Sheet, AuditEntry, Player])
def test_facts_are_read_only(admin_client, played, model):
    record = model.objects.first()
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    assert admin_client.post(reverse(f"{name}_change", args=[record.pk]), {"east": 1}).status_code == 403
    assert admin_client.post(reverse(f"{name}_delete", args=[record.pk]), {"post": "yes"}).status_code == 403
    assert model.objects.filter(pk=record.pk).exists()


def test_rights_that_are_given_and_removed_are_in_the_security_log(admin_client, admin_user):
    person = User.objects.create_user("mallory", password="riichi-tsumo-ippatsu")
    page = reverse("admin:auth_user_change", args=[person.pk])
    typed = {"username": "mallory", "date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}

    for rights in ({"is_active": "on"}, {"is_active": "on", "is_superuser": "on"}, {"is_superuser": "on"}):
        assert admin_client.post(page, typed | rights).status_code == 302

    events = SecurityEvent.objects.order_by("pk").values_list("kind", "name", "by__username")
    assert list(events) == [("granted", "mallory", "admin"), ("withdrawn", "mallory", "admin")]
    assert "rights given" in html(admin_client.get(reverse("accounts:security")))


def test_roles_of_a_finished_competition_are_given_and_removed(admin_client, played):
    Competition.objects.filter(pk=played.competition.pk).update(finished_at=timezone.now())
    typed = {"competition": played.competition.pk, "user": user("eve").pk, "kind": "organizer"}

    assert admin_client.post(reverse("admin:league_role_add"), typed).status_code == 302
    role = Role.objects.get(user=user("eve"))
    assert last_entry(played.competition).action == "role.grant"

    page = reverse("admin:league_role_delete", args=[role.pk])
    assert admin_client.post(page, {"post": "yes"}).status_code == 302
    assert not Role.objects.filter(pk=role.pk).exists()
    assert last_entry(played.competition).action == "role.revoke"


def test_organizers_have_no_way_in(client, played):
    client.force_login(played.alice)
    assert client.get(reverse("admin:index")).status_code == 302
