"""Files as people bring them: one game from two people, equal names, a missing end, chips."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.models import GameLog, Sheet, Stage, Table
from tests.factories import Club, club, signed_in
from tests.shown import fields, said, text

pytestmark = pytest.mark.django_db

BROUGHT = Path(__file__).parents[2] / "data" / "brought"
NAMES = ("Anna", "Ben", "Cara", "Dan")


@pytest.fixture
def online() -> Club:
    """A competition of free play under Tenhou's rules, with the players of the files."""
    return make_online()


def make_online(**overrides: object) -> Club:
    made = club("online", preset="tenhou", overrides=overrides)
    Stage.objects.filter(pk=made.stage.pk).update(play=Stage.Play.OPEN)
    for player, name in zip(made.players, NAMES, strict=False):
        player.name = name
        player.save()
    return made


def brought(*names: str) -> dict[str, bytes]:
    return {name: (BROUGHT / name).read_bytes() for name in names}


def upload(client: Client, made: Club, files: dict[str, bytes]):
    logs = [SimpleUploadedFile(name, content) for name, content in files.items()]
    return client.post(reverse("game_logs:upload", args=(made.slug,)), {"stage": made.stage.pk, "logs": logs})


def press(client: Client, made: Club, page, **typed: object):
    """Send the preview as a browser would, with these fields typed."""
    return client.post(
        reverse("game_logs:preview", args=(made.slug,)), fields(page) | {"save": "1"} | typed, follow=True
    )


def results() -> list[tuple[int, int, int, int]]:
    return [sheet.points for sheet in Sheet.objects.order_by("pk")]


GAME_A, GAME_B = "log-one-game-a.json", "log-one-game-b-hidden-name.json"


@pytest.mark.parametrize("files", [(GAME_A, GAME_B), (GAME_B, GAME_A)])
def test_one_game_from_two_people_is_saved_once_and_the_file_with_a_hidden_name_is_named(online, files):
    client = signed_in(online.alice)

    page = upload(client, online, brought(*files))
    saved = press(client, online, page)

    assert text(page).count("The same game as log-one-game-a.json. It is saved once.") == 1
    assert said(saved) == ["1 game saved. 1 hand kept."]
    assert results() == [(25_000, 25_000, -7_000, 57_000)]


def test_one_file_twice_and_in_the_other_format_is_one_game(online):
    client = signed_in(online.alice)
    files = brought("log-plain-control.xml")
    files |= {"again.xml": files["log-plain-control.xml"]} | brought(GAME_A)

    page = upload(client, online, files)
    saved = press(client, online, page)

    assert text(page).count("The same game as log-plain-control.xml. It is saved once.") == 2
    assert said(saved) == ["1 game saved. 1 hand kept."]


def test_two_people_who_save_one_game_at_once_lose_no_other_game(online):
    alice, bob = signed_in(online.alice), signed_in(online.alice)
    mine = upload(alice, online, brought(GAME_A))
    both = upload(bob, online, brought(GAME_B, "log-2023-decimals.json"))
    both = press(bob, online, both, name_4=online.players[3].pk)  # NoName
    assert both.context["ready"] == 2
    press(alice, online, mine)

    refused = press(bob, online, both)
    saved = press(bob, online, refused)

    assert "The tables or players have changed since the preview." in text(refused)
    assert "This game is already saved." in text(refused)
    assert said(saved) == ["1 game saved. 2 hands kept."]
    assert results() == [(25_000, 25_000, -7_000, 57_000), (23_700, 27_700, -7_700, 56_300)]


def test_a_saved_game_without_an_id_is_known_by_its_players_and_points(online):
    client = signed_in(online.alice)
    press(client, online, upload(client, online, brought("log-plain-control.xml")))
    hidden = {"b.json": brought(GAME_B)[GAME_B].replace(b"2023053016gm-0009-0000-00000001", b"")}
    page = upload(client, online, hidden)

    checked = press(client, online, page, name_3=online.players[3].pk)

    assert "This game is already saved. Round 1, table 1" in text(checked)
    assert Table.objects.count() == GameLog.objects.count() == 1


def test_a_saved_game_whose_points_differ_says_so(online):
    client = signed_in(online.alice)
    press(client, online, upload(client, online, brought(GAME_A)))
    changed = {"a.json": brought(GAME_A)[GAME_A].replace(b"32000", b"16000").replace(b', "sc"', b', "x"')}

    page = upload(client, online, changed)

    assert "This game is already saved, with other points." in text(page)
