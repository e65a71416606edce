"""Games from files: matching, preview, saving, and all that is refused."""

import gzip
from dataclasses import replace
from datetime import date

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.core.errors import Refused
from league.extras.game_logs.imports import MOST_FILES, MOST_PACKED, pack_files, read_file, unpack_files
from league.extras.game_logs.queries import name_lines, plan_games, players_here, seat_names
from league.extras.game_logs.rules import GameLog as Log
from league.extras.game_logs.services import save_games
from league.extras.statistics.queries.games import Sources
from league.extras.statistics.queries.hands import hands_of_players
from league.models import AuditEntry, GameLog, GameName, HandEntry, Sheet, Stage, Table
from league.organizing.interchange.schema.problems import BrokenFile
from league.organizing.personal_data.exports import player_facts
from league.organizing.personal_data.services import erase_player
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import import_roster
from league.people.register.services import values_of
from league.play.hands.queries import table_game
from league.play.hands.services import add_entry
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.league.extras.game_logs.rules.game_log_files import logged, write_json, write_mjlog
from tests.league.organizing.interchange.files import competition_file, loaded
from tests.scoring.test_hanchan_records import tenhou_games
from tests.shown import html

pytestmark = pytest.mark.django_db

RECORDS = [record for record, _number in zip(tenhou_games(), range(4), strict=False)]
TODAY = date(2026, 11, 20)


def log_of(number: int = 0) -> Log:
    return logged(RECORDS[number])[0]


def json_of(number: int = 0, **changed) -> bytes:
    log, han = logged(RECORDS[number])
    return write_json(replace(log, **changed), han, None)


@pytest.fixture
def online() -> Club:
    """A competition of free play under Tenhou's rules."""
    made = club("online", preset="tenhou")
    Stage.objects.filter(pk=made.stage.pk).update(play=Stage.Play.OPEN)
    made.stage.refresh_from_db()
    made.stage.division.rule_set.refresh_from_db()
    return made


@pytest.fixture
def seated() -> Club:
    made = club("online", preset="tenhou")
    made.add_round()
    return made


def chosen(made: Club, *order: int, log: Log | None = None):
    [names] = seat_names([log or log_of()])
    return {name: made.players[index].pk for name, index in zip(names, order or range(4), strict=True)}


def save(made: Club, *logs: Log, names=None, expected=None) -> list[Table]:
    logs = logs or (log_of(),)
    ready = [each.mark for each in plan(made, *logs, names=names) if each.is_ready]
    return save_games(
        stage=made.stage,
        logs=logs,
        chosen=names or chosen(made),
        expected=ready if expected is None else expected,
        today=TODAY,
        by=made.alice,
    )


def plan(made: Club, *logs: Log, names=None):
    return plan_games(made.stage, logs or (log_of(),), names or chosen(made), players_here(made.competition))


# --- services


def test_a_game_becomes_a_table_of_free_play_with_its_sheet_and_hands(online):
    log = log_of()
    (table,) = save(online)
    table = Table.objects.select_related("round__stage__division__rule_set").get(pk=table.pk)
    assert table.round.date == log.day
    assert list(table.seats.order_by("wind").values_list("player", flat=True)) == [
        player.pk for player in online.players[:4]
    ]
    sheet = Sheet.objects.get(table=table)
    assert (sheet.points, sheet.sticks) == (log.points, log.deposits)
    game = table_game(table)
    assert (game.game.points, game.game.over) == (log.points, "bust")
    assert game.numbers == tuple(range(1, len(log.hands) + 1))
    found = hands_of_players(Sources({online.stage.pk: online.stage}, public=True))
    won = [sum(win.winner == seat for hand in log.hands for win in hand.wins) for seat in range(4)]
    assert [found[player.pk].rate("won").count for player in online.players[:4]] == won
    assert found[online.players[0].pk].rate("called").of == len(log.hands)
    assert sum(own.wins_with_yaku for own in found.values()) == sum(won)
    assert AuditEntry.objects.filter(action="game.import", target=f"table:{table.pk}").count() == 1


def test_a_game_is_the_sheet_of_the_open_table_of_these_four(seated):
    first = seated.table(number=1)
    (table,) = save(seated, names=chosen(seated, 2, 0, 3, 1))
    assert table.pk == first.pk
    winds = dict(first.seats.values_list("player", "wind"))
    assert [winds[seated.players[index].pk] for index in (2, 0, 3, 1)] == [0, 1, 2, 3]
    assert Sheet.objects.get(table=first).points == log_of().points
    assert HandEntry.objects.filter(table=first).count() == len(log_of().hands)


def test_a_table_with_hands_or_a_result_is_not_free(seated):
    seated.record((25_000, 25_000, 25_000, 25_000))
    assert "no open table" in plan(seated)[0].problem
    assert plan(seated, names=chosen(seated, 4, 5, 6, 7))[0].is_ready
    draw = {"outcome": {"kind": "draw"}}
    add_entry(
        table=seated.table(number=2),
        key="0a8b3c7c-7d1b-4b8e-8f0e-5c8a1b2c3d4e",
        kind="hand",
        facts=draw,
        based_on=0,
        by=seated.charlie,
    )
    assert "no open table" in plan(seated, names=chosen(seated, 4, 5, 6, 7))[0].problem


def test_a_saved_game_is_known_by_its_id_and_by_its_hands_in_any_format(online):
    (table,) = save(online)
    same = log_of()
    by_hands, by_id = replace(same, ref=""), replace(same, names=("a", "b", "c", "d"))
    names = chosen(online) | chosen(online, log=by_id)
    for log in (same, by_hands, by_id):
        (found,) = plan(online, log, names=names)
        assert (found.problem, found.known.table_id) == ("This game is already saved.", table.pk)
    with pytest.raises(Refused, match="changed since"):
        save(online, expected=[(same.fingerprint, 0)])
    twice = plan(online, log_of(1), log_of(1))
    assert [each.is_ready for each in twice] == [True, False]
    assert twice[1].problem == "The same game as 1. It is saved once."


def test_two_games_without_ids_are_two_games(online):
    saved, other = (replace(log_of(number), ref="") for number in (0, 1))
    save(online, saved)

    found = plan(online, saved, other, names=chosen(online) | chosen(online, log=other))

    assert [game.known is None for game in found] == [False, True]


def test_a_removed_table_frees_its_game(online):
    (table,) = save(online)
    table.round.delete()
    assert not GameLog.objects.exists()
    assert plan(online)[0].is_ready


def test_names_are_remembered_and_suggested(online):
    lines = name_lines([log_of()], players_here(online.competition), online.league.pk)
    assert [line.player for line in lines] == [None] * 4
    similar = replace(log_of(), names=("陳大文", "b", "Aさん", "NoName"))
    lines = name_lines([similar], players_here(online.competition), online.league.pk)
    found = {line.name[1]: line.player for line in lines}
    chan = next(player for player in online.players if player.name == "陳大文")
    assert found == {"陳大文": chan.pk, "b": None, "Aさん": None, "NoName": None}
    save(online, similar, names=chosen(online, log=similar))
    assert sorted(GameName.objects.values_list("name", flat=True)) == ["b", "陳大文"]
    lines = name_lines([similar], players_here(online.competition), online.league.pk)
    assert {line.name[1]: line.player for line in lines if line.is_remembered} == {
        "陳大文": online.players[0].pk,
        "b": online.players[1].pk,
    }


def test_a_name_follows_its_player_through_a_merger(online):
    save(online)
    (double,) = [Player.objects.create(register=online.league.register, name="Double")]
    keep, gone = double, online.players[0]
    merge_players(
        competition=online.competition, keep=keep.pk, gone=gone.pk, values=values_of(keep), by=online.alice
    )
    assert GameName.objects.get(name=log_of().names[0]).player_id == keep.pk


def test_players_who_are_unknown_or_chosen_twice_stop_their_game_alone(online):
    names = chosen(online)
    less = dict(list(names.items())[:3])
    twice = names | {next(iter(names)): online.players[1].pk}
    assert "Choose the players of these names" in plan(online, names=less)[0].problem
    assert "two of these names" in plan(online, names=twice)[0].problem
    far = club("far").players[0].pk
    assert "Choose the players" in plan(online, names=names | {next(iter(names)): far})[0].problem
    assert not Sheet.objects.exists()


def test_another_rule_set_is_said_and_keeps_no_wrong_hands():
    made = club("m", preset="tenhou", overrides={"honba": 1500, "red_fives": 0})
    Stage.objects.filter(pk=made.stage.pk).update(play=Stage.Play.OPEN)
    made.stage.refresh_from_db()
    (found,) = plan(made)
    assert found.is_ready
    assert found.hands == 0
    assert "In the rule set: none." in found.notes[0]
    assert found.notes[1] == "East 1, honba 1: the payments differ from the rule set."
    (table,) = save(made)
    assert not HandEntry.objects.filter(table=table).exists()
    assert Sheet.objects.get(table=table).points == log_of().points
    ema = club("e", preset="ema-2025")
    (found,) = plan(ema)
    assert found.problem == "Starting points. In the game: 25,000. In the rule set: 30,000."


def test_a_withdrawn_player_and_a_changed_preview_save_nothing(online):
    shown = (log_of().fingerprint, 0)
    with pytest.raises(Refused, match="changed since"):
        save(online, expected=[shown, (log_of(1).fingerprint, 0)])
    online.competition.entrants.filter(player=online.players[0]).update(withdrawn_at="2026-11-20T00:00Z")
    with pytest.raises(Refused, match="changed since"):
        save(online, expected=[shown])
    assert not Table.objects.exists()
    assert not GameName.objects.exists()


def test_logs_and_names_travel_in_the_file(online):
    save(online)
    file = competition_file(online.competition)
    assert [(each["round"], each["ref"]) for each in file["game_logs"]] == [(1, log_of().ref)]
    assert len(file["game_names"]) == 4
    file["slug"] = "copy"
    copy = loaded(file)
    log = GameLog.objects.get(competition=copy)
    assert (log.digest, log.table.round.stage.division.competition) == (log_of().fingerprint, copy)
    assert competition_file(copy)["game_logs"] == file["game_logs"]
    file["game_logs"] *= 2
    file["slug"] = "twice"
    with pytest.raises(BrokenFile):
        loaded(file)


def test_erased_players_have_no_names_left_and_a_download_holds_them(online):
    save(online)
    player = online.players[0]
    assert player_facts(player)["names on services"] == [{"service": "tenhou", "name": log_of().names[0]}]
    erase_player(league=online.league, player=player, by=None)
    assert not GameName.objects.filter(player=player).exists()


# --- pages


def at(made: Club, name: str) -> str:
    return reverse(f"game_logs:{name}", kwargs={"slug": made.slug})


def send(made: Club, client: Client, *files: tuple[str, bytes], **fields):
    logs = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(at(made, "upload"), {"stage": made.stage.pk, "logs": logs} | fields)


def fields_of(response) -> dict[str, object]:
    form, names = response.context["form"], response.context["names"]
    found = {name: form[name].value() for name in ("key", "games")}
    return found | {name: names[name].value() or "" for name in names.fields}


def fill(response, made: Club) -> dict[str, object]:
    names = response.context["names"].names
    order = log_of().names
    return {f"name_{i}": made.players[order.index(name.name)].pk for i, name in enumerate(names)}


def test_an_organizer_uploads_matches_and_saves(online):
    client = signed_in(online.alice)
    packed = gzip.compress(write_mjlog(*logged(RECORDS[1]), None))
    seen = send(online, client, ("a.json", json_of()), ("b.mjlog", packed))
    assert seen.status_code == 200
    assert [plan.is_ready for _name, plan in seen.context["plans"]] == [False, False]
    assert not Table.objects.exists()
    filled = fields_of(seen) | fill(seen, online)
    asked = client.post(at(online, "preview"), filled | {"save": "1"})
    assert asked.status_code == 422
    assert asked.context["is_changed"]
    assert asked.context["ready"] == 2
    assert not Table.objects.exists()
    ready = fields_of(asked) | fill(asked, online)
    saved = client.post(at(online, "preview"), ready | {"save": "1"}, follow=True)
    assert "2 games saved." in saved.content.decode()
    assert Table.objects.count() == 2
    again = client.post(at(online, "preview"), ready | {"save": "1"}, follow=True)
    assert again.status_code == 200
    assert Table.objects.count() == 2
    third = send(online, client, ("c.json", json_of()))
    assert "already saved" in third.content.decode()
    assert reverse("results:table", args=[online.slug, Table.objects.first().pk]) in third.content.decode()


@pytest.mark.slow
def test_a_bad_file_is_named_beside_good_ones(online):
    client = signed_in(online.alice)
    seen = send(online, client, ("<b>.json", b"{}"), ("good.json", json_of()))
    page = seen.content.decode()
    assert "&lt;b&gt;.json" in page
    assert "This is not a game log." in page
    assert len(seen.context["plans"]) == 1
    alone = send(online, client, ("=1+1", gzip.compress(b" " * 50_000_000)))
    assert "more than 1 MB" in alone.content.decode()
    assert not alone.context["plans"]


def test_a_form_without_files_or_with_too_many_is_refused(online):
    client = signed_in(online.alice)
    assert client.post(at(online, "upload"), {"stage": online.stage.pk}).status_code == 422
    many = [(f"{number}.json", b"{}") for number in range(MOST_FILES + 1)]
    assert "too many games" in send(online, client, *many).content.decode()
    assert send(online, client, ("a.json", json_of()), stage=club("far").stage.pk).status_code == 422
    filled = {"key": "x", "games": "[[", "save": "1"}
    assert client.post(at(online, "preview"), filled).status_code == 422


def test_only_the_files_that_this_server_packed_for_a_stage_of_the_competition_come_back(online):
    client = signed_in(online.alice)
    sent = fields_of(send(online, client, ("good.json", json_of()))) | {"save": "1"}
    games = sent["games"]
    other = signing.dumps({"files": [], "stage": online.stage.pk, "chosen": [], "ready": 0}, salt="other")
    for changed in ("", "{}", games[:-1], games[1:], other, signing.dumps("x")):
        assert client.post(at(online, "preview"), sent | {"games": changed}).status_code == 422
    far = club("far")
    answer = signed_in(far.alice).post(at(far, "preview"), sent)
    assert answer.status_code == 422
    assert not Table.objects.exists()


def test_strangers_and_scorers_read_no_games(online):
    for client, status in ((Client(), 302), (signed_in(online.charlie), 403)):
        assert client.get(at(online, "upload")).status_code == status
        assert send(online, client, ("a.json", json_of())).status_code == status
    assert signed_in(online.alice).get(at(online, "preview")).status_code == 303


def test_files_come_back_as_they_were_sent():
    files = [read_file("a.json", json_of()), read_file("b", b"x")]
    found = unpack_files(pack_files(files, stage=1))
    assert (found["files"], found["stage"]) == ([files[0]], 1)


def test_sixty_packed_games_fit_a_form():
    packed = gzip.compress(write_mjlog(*logged(RECORDS[1]), None))
    assert (
        len(pack_files([read_file(f"{number}.mjlog", packed) for number in range(MOST_FILES)])) < MOST_PACKED
    )


# --- names on Tenhou in a list of players


def test_names_on_tenhou_in_a_list_of_players_choose_the_players_of_a_game(online):
    people = ("Anna Berg", "Ben Kova", "Cara Lind", "Dan Roth")
    named = dict(zip(log_of().names, people, strict=True))
    rows = [f"{person},{name}" for name, person in named.items()]
    listed = "\n".join(["Name,Tenhou ID", *rows])

    for _time in range(2):  # brought again, everybody is entered already
        import_roster(competition=online.competition, text=listed, by=online.alice)

    infos = players_here(online.competition)
    lines = name_lines([log_of()], infos, online.competition.league_id)
    assert {line.name.name: infos[line.player].name for line in lines} == named
    assert all(line.is_remembered for line in lines)


def test_a_list_takes_no_name_on_tenhou_from_its_player(online):
    import_roster(competition=online.competition, text="Name,Tenhou\nAnna Berg,ANNAB", by=online.alice)
    import_roster(competition=online.competition, text="Name,Tenhou\nBen Kova,ANNAB", by=online.alice)

    assert [known.player.name for known in GameName.objects.all()] == ["Anna Berg"]


def test_players_of_one_name_are_distinguished_in_the_choices(online):
    for player, country in zip(online.players[:2], ("DE", "HK"), strict=True):
        player.name, player.country = "陳大文", country
        player.save()

    page = html(send(online, signed_in(online.alice), ("a.json", json_of())))

    assert "陳大文 (DE)" in page
    assert "陳大文 (HK)" in page
