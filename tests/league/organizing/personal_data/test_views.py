"""Pages about personal data: what is kept, one's own as a file, closing an account, erasing a player."""

import io
import json
import uuid
import zipfile

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import reverse

from league.models import Presence, Role
from league.play.disputes.services import add_evidence, open_dispute
from players.models import Player
from tests.factories import PASSWORD, Club, club, signed_in, user
from tests.module_fixtures import module_fixture
from tests.pictures import picture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    made = club()
    made.add_round()
    made.record((45000, 35000, 25000, 15000))
    role = Role.objects.get(competition=made.competition, user=made.dora, kind="player")
    role.player = made.players[0]
    role.save()
    return made


def data_of(answer) -> tuple[dict, list[str]]:
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    return json.loads(archive.read("data.json")), archive.namelist()


def test_everyone_reads_what_is_kept_and_who_answers_for_it():
    with override_settings(OPERATOR_NAME="Mahjong Association", OPERATOR_CONTACT="data@example.org"):
        said = Client().get(reverse("personal_data:privacy")).content.decode()
    assert "Mahjong Association operates this server" in said
    assert "data@example.org" in said
    assert "has not given a name yet" in Client().get(reverse("personal_data:privacy")).content.decode()


def test_a_person_downloads_all_that_is_kept_of_them_with_photographs(here):
    dispute = open_dispute(table=here.table(), subject="The wall was short", by=here.bob)
    add_evidence(dispute=dispute, note="see tile 7", photograph=io.BytesIO(picture()), by=here.bob)
    found, names = data_of(signed_in(here.bob).post(reverse("personal_data:own_file")))
    assert found["account"]["user name"] == here.bob.username
    assert [role["role"] for role in found["roles"]] == ["referee"]
    assert found["written"]["evidence"][0]["note"] == "see tile 7"
    assert len([name for name in names if name.startswith("photographs/")]) == 1
    assert {"competition__name", "sequence", "at", "action"} == set(found["done"][0])
    assert "password" not in json.dumps(found)


def test_a_player_finds_their_games_and_evenings_in_the_file(here):
    entrant = here.competition.entrants.get(player=here.players[0])
    Presence.objects.create(stage=here.stage, day="2026-05-04", entrant=entrant, paid=True, fee=60)
    found, _names = data_of(signed_in(here.dora).post(reverse("personal_data:own_file")))
    (player,) = found["players"]
    assert player["name"] == here.players[0].name
    assert [(game["round"], game["wind"], game["points"]) for game in player["games"]] == [(1, "east", 45000)]
    assert [(each["day"], each["paid"], each["fee"]) for each in player["came"]] == [
        ("2026-05-04", True, "60.00")
    ]


def test_an_account_is_closed_with_its_password_only(here):
    person = user("leaver")
    browser, address = signed_in(person), reverse("personal_data:own")
    typed = {"key": uuid.uuid4(), "password": PASSWORD, "sure": "on"}
    for wrong in ({"password": "x"}, {"sure": ""}):
        assert browser.post(address, typed | wrong).status_code == 422
    assert User.objects.filter(username="leaver").exists()
    assert browser.post(address, typed, follow=True).status_code == 200
    assert not User.objects.filter(username="leaver").exists()
    assert browser.get(address).status_code == 302


def test_only_an_owner_of_the_league_downloads_and_erases_a_player(here):
    player = here.players[0]
    whose = [here.competition.league.slug, player.pk]
    pages = [reverse(f"personal_data:{name}", args=whose) for name in ("erase", "player_file")]
    typed = {"key": uuid.uuid4(), "sure": "on"}
    for person in (here.bob, here.dora, user("mallory")):
        assert [signed_in(person).post(page, typed).status_code for page in pages] == [404, 404]
    other = club("autumn").players[0]
    alice = signed_in(here.alice)
    far = reverse("personal_data:erase", args=[here.competition.league.slug, other.pk])
    assert alice.post(far, typed).status_code == 404

    edit = reverse("roster:edit", args=[here.slug, here.competition.entrants.get(player=player).pk])
    assert pages[0] in alice.get(edit).content.decode()
    found, _names = data_of(alice.post(pages[1]))
    assert found["name"] == player.name
    assert alice.post(pages[0], {"key": uuid.uuid4()}).status_code == 422
    assert alice.post(pages[0], typed).status_code == 302
    assert alice.post(pages[0], typed).status_code == 302
    assert Player.objects.get(pk=player.pk).name == f"#{player.pk}"
