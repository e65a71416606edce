"""Files as people bring them: one game from two people, equal names, a missing end, chips."""

from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.models import GameLog, GameName, Sheet, Stage, Table
from tests.factories import Club, club, signed_in
from tests.shown import fields, said, text

pytestmark = pytest.mark.django_db

BROUGHT = Path(__file__).parents[3] / "data" / "brought"
NAMES = ("Anna", "Ben", "Cara", "Dan")


@pytest.fixture
def online() -> Club:
    """A competition of free play under Tenhou's rules, with the players of the files."""
    return make_online()


def make_online(preset: str = "tenhou", **overrides: object) -> Club:
    made = club("online", preset=preset, overrides=overrides)
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


def test_what_any_file_of_a_game_tells_is_saved():
    made = make_online(chip_value=2)
    client = signed_in(made.alice)

    press(client, made, upload(client, made, brought(GAME_B, "log-chips.xml")))

    log = GameLog.objects.select_related("table__round").get()
    assert (log.ref, log.table.round.date) == ("2023053016gm-0009-0000-00000001", date(2023, 5, 30))
    assert Sheet.objects.get().chips == (0, -1, -4, 5)
    assert GameName.objects.count() == 4


def test_another_game_with_the_same_id_is_not_called_the_same_game(online):
    other = brought(GAME_A)[GAME_A].replace(b"32000", b"16000").replace(b', "sc"', b', "x"')

    page = upload(signed_in(online.alice), online, brought(GAME_A) | {"b.json": other})

    assert f"This file has the game id of {GAME_A} and other hands." in text(page)


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


UNFINISHED = "log-without-its-last-hand.xml"


def test_a_game_without_its_end_is_said_first_and_saved_only_with_a_tick(online):
    client = signed_in(online.alice)

    page = upload(client, online, brought(UNFINISHED))
    forced = press(client, online, page)
    assert "The end of this game is missing." in text(page)
    assert 'name="save"' not in page.content.decode()
    assert (forced.status_code, results()) == (422, [])

    ticked = press(client, online, page, unfinished=[page.context["unfinished"][0][1].log.fingerprint])
    saved = press(client, online, ticked)

    assert "Your choices have changed." in text(ticked)
    assert "The game is not finished. Only the score sheet is saved." in text(ticked)
    assert said(saved) == ["1 game saved."]
    assert results() == [(25_000, 26_000, 24_000, 25_000)]


def test_a_tick_for_another_game_saves_nothing(online):
    client = signed_in(online.alice)

    answer = press(client, online, upload(client, online, brought(UNFINISHED)), unfinished=["x", "\0"])

    assert (answer.status_code, results()) == (422, [])


def test_the_whole_file_of_a_game_is_saved_in_place_of_one_that_lacks_its_end(online):
    client = signed_in(online.alice)
    name = "2023053016gm-0009-0000-00000001.xml"
    files = {"part/" + name: brought(UNFINISHED)[UNFINISHED], name: whole_game()}

    page = upload(client, online, {path.replace("/", "-"): content for path, content in files.items()})
    saved = press(client, online, page)

    assert f"The same game as {name}. It is saved once." in text(page)
    assert said(saved) == ["1 game saved. 2 hands kept."]
    assert results() == [(25_000, 26_000, -8_000, 57_000)]


def whole_game() -> bytes:
    """The unfinished game with its last hand, in which Dan wins a yakuman from Cara."""
    end = (
        b'<AGARI ba="0,0" ten="30,32000,5" yakuman="47" who="3" fromWho="2" '
        b'sc="250,0,260,0,240,-320,250,320" owari="250,5.0,260,16.0,-80,-58.0,570,37.0"/>'
    )
    return brought(UNFINISHED)[UNFINISHED].replace(b'<BYE who="3"/>', end)


@pytest.mark.parametrize(
    ("file", "asked", "named", "known"),
    [
        (
            "log-two-guests.xml",
            ["NoName, East, {file}", "NoName, West, {file}"],
            (0, 2, 3, 1),
            ["Anna", "Ben"],
        ),
        (
            "log-same-nicknames.json",
            ["Mia, South, {file}", "Mia, West, {file}"],
            (0, 1, 2, 3),
            ["Anna", "Dan"],
        ),
    ],
)
def test_equal_names_in_a_game_are_chosen_seat_by_seat_and_not_remembered(online, file, asked, named, known):
    client = signed_in(online.alice)
    page = upload(client, online, brought(file))
    labels = {field.label: field.html_name for field in page.context["names"]}
    assert [label for label in labels if file in label] == [each.format(file=file) for each in asked]
    guests = [labels[each.format(file=file)] for each in asked]
    others = {name: online.players[NAMES.index(name)].pk for name in known}
    free = [player.pk for player in online.players[4:6]]

    ready = press(client, online, page, **dict(zip(guests, free, strict=True)))
    press(client, online, ready)

    seated = list(Table.objects.get().seats.order_by("wind").values_list("player", flat=True))
    assert sorted(seated) == sorted([*others.values(), *free])
    assert [player for player in seated if player in free] == free
    assert list(GameName.objects.order_by("name").values_list("name", flat=True)) == known


def test_a_hidden_name_in_two_games_may_be_two_people(online):
    client = signed_in(online.alice)
    changed = brought(GAME_B)[GAME_B].replace(b"00000001", b"00000002").replace(b"32000", b"31900")
    files = brought(GAME_B) | {"other.json": changed.replace(b"-7000", b"-6900").replace(b"57000", b"56900")}

    page = upload(client, online, files)

    labels = [field.label for field in page.context["names"] if "NoName" in str(field.label)]
    assert sorted(labels) == [f"NoName, North, {GAME_B}", "NoName, North, other.json"]


def test_chips_are_saved_with_their_value():
    made = make_online(chip_value=2)
    client = signed_in(made.alice)

    page = upload(client, made, brought("log-chips.xml"))
    press(client, made, page)

    assert "Chips" in text(page)
    (sheet,) = Sheet.objects.all()
    assert sheet.chips == (0, -1, -4, 5)
    table = Table.objects.select_related("round__stage__division__rule_set").get()
    scores = [seat.score for seat in sheet.settled(table.round.stage.division.rules)]
    assert scores == [50, -170, -650, 770]


def test_decimals_of_the_server_are_the_scores_of_its_rules_since_2022():
    made = make_online("tenhou-2022")
    client = signed_in(made.alice)

    press(client, made, upload(client, made, brought("log-2023-decimals.json")))

    rules = Table.objects.select_related("round__stage__division__rule_set").get().round.stage.division.rules
    assert [seat.score for seat in Sheet.objects.get().settled(rules)] == [-163, 77, -577, 663]


def test_chips_that_the_rule_set_lacks_are_said_and_chips_that_the_log_lacks_are_none(online):
    client = signed_in(online.alice)
    page = upload(client, online, brought("log-chips.xml"))
    assert "Chips in the game: 0, −1, −4, 5. The rule set has none, so they do not count." in text(page)
    press(client, online, page)
    assert Sheet.objects.get().chips == (0, 0, 0, 0)


def test_a_log_without_chips_is_said_under_rules_that_count_them():
    made = make_online(chip_value=2)

    page = upload(signed_in(made.alice), made, brought("log-plain-control.xml"))

    assert "The rule set counts chips. This game log has none." in text(page)


def test_empty_and_cut_off_files_are_named_and_lose_no_other(online):
    client = signed_in(online.alice)
    files = {"empty.json": b"", **brought("log-cut-off.xml", "log-cut-off-in-a-name.json", "log-bom.xml")}

    page = upload(client, online, files)
    checked = press(client, online, page, name_0="")
    saved = press(client, online, page)

    for each in (page, checked):
        assert "empty.json: This file is empty." in text(each)
        for name in ("log-cut-off.xml", "log-cut-off-in-a-name.json"):
            assert f"{name}: A part of this game log is missing or wrong." in text(each)
    assert said(saved) == ["1 game saved. 1 hand kept."]
    assert results() == [(25_000, 25_000, -7_000, 57_000)]


def test_a_game_of_three_players_is_refused_by_name_and_loses_no_other(online):
    client = signed_in(online.alice)

    page = upload(client, online, brought("log-three-players.json", "log-plain-control.xml"))
    press(client, online, page)

    assert "log-three-players.json: This is a game of three players." in text(page)
    assert results() == [(25_000, 25_000, -7_000, 57_000)]
