"""The pages of a table's hands: who comes in, the answers of `write`, the state, the page without script."""

import json
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.core.qr import SCANNED
from league.models import HandEntry, Round
from league.play.hands.queries import table_game
from league.play.results.services import record_result
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_penalty
from tests.factories import club, signed_in
from tests.hands import Phone, phone_at
from tests.module_fixtures import module_fixture
from tests.scoring.hanchan_logs import draw, riichi, ron, tsumo

pytestmark = pytest.mark.django_db


@module_fixture
def spring():
    made = club("spring", preset="mleague")
    made.add_round()
    return made


@pytest.fixture
def phone(spring) -> Phone:
    return phone_at(spring.table())


# --- who comes in


def test_a_phone_with_the_code_of_the_table_keeps_its_hands(spring, phone):
    assert phone.see()["keeps_points"] is False
    state = phone.play(tsumo(1))
    assert (state["points"], state["hand"]) == ([24500, 26100, 24700, 24700], "E2.0")
    assert spring.table().hand == "E2.0"
    entry = HandEntry.objects.get()
    assert (entry.user, entry.player) == (None, None)


def test_a_phone_without_the_code_or_with_that_of_another_table_finds_no_hands(spring, phone):
    other = phone_at(spring.table(number=2))
    for stranger in (Phone(spring.slug, phone.table), Phone(spring.slug, phone.table, other.client)):
        answers = [
            stranger.state(),
            stranger.send("hand", tsumo(1).as_values()),
            stranger.client.get(stranger.below),
        ]
        assert [answer.status_code in (302, 403) for answer in answers] == [True] * 3
    assert not HandEntry.objects.exists()


def test_the_code_of_a_table_opens_nothing_of_a_closed_round(spring, phone):
    Round.objects.update(status=Round.Status.CLOSED)
    assert phone.state().status_code == 302
    assert phone.send("hand", tsumo(1).as_values()).status_code == 302


def test_the_code_of_another_competition_opens_nothing(spring, phone):
    other = club("autumn", preset="mleague")
    other.add_round()
    stranger = Phone("spring", other.table().pk, phone.client)
    assert stranger.state().status_code == 404


def test_a_phone_that_claims_a_player_of_the_table_writes_their_name(spring, phone):
    entrant = spring.competition.entrants.get(player=spring.players[2])
    phone.client.cookies["seat"] = str(entrant.pk)
    state = phone.play(tsumo(1))
    assert state["hands"][0]["by"] == spring.players[2].name
    absent = spring.competition.entrants.get(player=spring.players[7])
    phone.client.cookies["seat"] = str(absent.pk)
    assert phone.play(tsumo(1))["hands"][1]["by"] == ""


def test_staff_write_with_their_account(spring):
    phone = Phone(spring.slug, spring.table().pk, signed_in(spring.bob))
    assert phone.play(tsumo(1))["hands"][0]["by"] == spring.bob.get_username()
    ruling = {"outcome": {"kind": "ruling", "points": [25000] * 4}}
    assert phone.send("hand", ruling).status_code == 200
    assert phone_at(spring.table()).send("hand", ruling).status_code == 409


def test_only_a_post_writes(phone):
    answer = phone.client.get(f"{phone.below}write/")
    assert (answer.status_code, answer.url) == (303, phone.below)
    assert phone.client.post(f"{phone.below}state/").status_code == 405
    assert phone.client.post(phone.below).status_code == 405


# --- the answers


@pytest.mark.parametrize(
    "fields",
    [
        {"facts": "["},
        {"facts": "[" * 3000},
        {"facts": "[]"},
        {"facts": "1e999"},
        {"facts": '{"outcome": {"kind": "tea"}}'},
        {"facts": '{"outcome": {"kind": "abort", "reason": "\\u0000"}}'},
        {"facts": '{"outcome": 3, "more": {}}'},
        {"facts": json.dumps({"outcome": {"kind": "draw", "tenpai": [0] * 900}})},
        {"facts": "x" * 5000},
        {"kind": "tea"},
        {"key": "1"},
        {"based_on": "-1"},
        {"based_on": ""},
        {"ago": "-5"},
        {"kind": "correct", "target": "x"},
        {"kind": "remove", "target": "7"},
        {"kind": "riichi", "facts": '{"seats": [4]}'},
        {"kind": "riichi", "facts": '{"seats": "01"}'},
        {"kind": "riichi", "facts": '{"seats": [true]}'},
        {"kind": "step", "facts": '{"how": ["stays"]}'},
        {"kind": "step", "facts": '{"how": "stays", "more": 1}'},
        {"kind": "name", "facts": '{"hand": "?\\u0000"}'},
        {"kind": "name", "facts": '{"hand": "E9.0"}'},
        {"kind": "name", "facts": '{"hand": 5}'},
    ],
)
def test_what_cannot_be_an_entry_is_refused_with_a_sentence(phone, fields):
    given = {"key": str(uuid.uuid4()), "kind": "hand", "facts": "{}", "based_on": 0, "ago": 0} | fields
    answer = phone.client.post(f"{phone.below}write/", given, headers={"accept": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["refused"]
    assert answer.json()["state"]["number"] == 0


def test_every_reason_is_named(phone):
    facts = draw(0, 1, riichi=riichi(2)).as_values() | {"dead_hands": [1]}
    assert len(phone.send("hand", facts).json()["refused"]) == 2


def test_the_time_of_the_press_is_the_servers_less_what_has_passed(phone, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    phone.play(tsumo(1), ago=90)
    phone.play(tsumo(1), ago=999_999_999)
    first, second = HandEntry.objects.all()
    assert first.at == now - timedelta(seconds=90)
    assert second.at == now - timedelta(hours=12)


def test_a_preview_says_who_pays_what_and_what_changes_after(spring, phone):
    names = [player.name for player in spring.players[:4]]
    phone.play(tsumo(1))
    phone.play(tsumo(1))
    answer = phone.send("correct", draw(0).as_values(), target=1, preview=1)
    preview = answer.json()["preview"]
    assert f"{names[1]} pays {names[0]} 1,000 (Noten payment)" in preview["pays"]
    assert preview["result_words"] == f"Draw, tenpai: {names[0]}"
    (changed,) = preview["changed"]
    assert (changed["before"], changed["after"]) == ([24000, 27600, 24200, 24200], preview["points"])
    assert HandEntry.objects.count() == 2


def test_a_conflict_names_what_the_other_phone_entered(spring, phone):
    other = phone_at(spring.table())
    other.play(tsumo(1))
    answer = phone.send("hand", tsumo(2).as_values())
    assert answer.status_code == 409
    (entry,) = answer.json()["conflict"]
    assert (entry["number"], entry["kind"], entry["facts"]) == (1, "hand", tsumo(1).as_values())
    phone.see()
    assert len(phone.play(tsumo(2))["hands"]) == 2


def test_a_table_with_a_sheet_is_done(spring, phone):
    assert phone.see()["is_done"] is False
    points = (40000, 30000, 20000, 10000)
    record_result(table=spring.table(), points=points, based_on=0, by=spring.charlie)
    assert phone.see()["is_done"] is True
    assert phone.send("hand", tsumo(1).as_values()).status_code == 422


# --- the state


def test_the_state_is_answered_304_until_something_of_the_table_changes(spring, phone):
    def changed(tag: str) -> str:
        answer = phone.state(**{"if-none-match": tag})
        assert answer.status_code == 200
        assert phone.state(**{"if-none-match": answer["ETag"]}).status_code == 304
        assert "private" in answer["Cache-Control"]
        return str(answer["ETag"])

    tag = changed("")
    phone.play(tsumo(1))
    tag = changed(tag)
    phone_at(spring.table(number=2)).play(tsumo(1))
    assert phone.state(**{"if-none-match": tag}).status_code == 304
    ban = {"stage": spring.stage, "player_id": spring.players[1].pk, "score": -20, "reason": "late"}
    log_penalty(table=spring.table(), by=spring.bob, **ban)
    spring.table().penalties.update(win_ban=True)
    tag = changed(tag)
    set_hand(table=spring.table(), hand="E2.0.1", by=spring.bob)
    tag = changed(tag)
    spring.players[0].name = "Renamed"
    spring.players[0].save()
    changed(tag)


def test_the_state_names_bans_and_winds_of_the_hand_in_play(spring, phone):
    phone.play(tsumo(1))
    ban = {"stage": spring.stage, "player_id": spring.players[3].pk, "score": -20, "reason": "late"}
    log_penalty(table=spring.table(), by=spring.bob, **ban)
    spring.table().penalties.update(win_ban=True)
    state = phone.see()
    assert (state["bans"], state["winds"]) == ([3], ["North", "East", "South", "West"])
    assert (state["hand_words"], state["dealer"]) == ("East 2, honba 0", 1)


def test_the_page_holds_the_state_and_the_rules(spring, phone):
    answer = phone.client.get(phone.below)
    assert answer.status_code == 200
    assert answer.context["state"]["names"] == [player.name for player in spring.players[:4]]
    assert answer.context["rules"]["game_length"] == "half"


# --- without script


def fill(phone: Phone, **fields: object) -> dict[str, object]:
    return {"key": str(uuid.uuid4()), "kind": "hand", "based_on": phone.known} | fields


def post(phone: Phone, fields: dict[str, object], **more: object):
    return phone.client.post(f"{phone.below}write/", fields | more)


def test_without_script_a_hand_is_confirmed_and_then_saved_once(spring, phone):
    names = [player.name for player in spring.players[:4]]
    fields = fill(phone, outcome="ron", winner=1, value="3-40", loser=2, riichi=[1])
    shown = post(phone, fields)
    assert shown.status_code == 200
    assert f"{names[2]} pays {names[1]} 5,200 (Hand)" in shown.content.decode()
    assert not HandEntry.objects.exists()
    for _again in range(2):
        assert post(phone, fields, confirm=1).status_code == 303
    assert HandEntry.objects.count() == 1
    page = phone.client.get(phone.below).content.decode()
    assert f"Saved. East 1, honba 0: {names[1]}: ron from {names[2]}, 3 han 40 fu." in page


@pytest.mark.parametrize(
    ("fields", "changes"),
    [
        ({"outcome": "tsumo", "winner": 0, "value": "mangan"}, (12000, -4000, -4000, -4000)),
        ({"outcome": "draw", "tenpai": [0, 1]}, (1500, 1500, -1500, -1500)),
        ({"outcome": "ron", "winner": 1, "value": "yakuman-1", "loser": 0, "liable": 3,
          "liable_yaku": "daisangen"}, (-16000, 32000, 0, -16000)),
        ({"outcome": "scores", "points_0": 24000, "points_1": 26000, "points_2": 25000,
          "points_3": 25000}, (-1000, 1000, 0, 0)),
    ],
)  # fmt: skip
def test_without_script_each_result_can_be_entered(spring, phone, fields, changes):
    assert post(phone, fill(phone, **fields), confirm=1).status_code == 303
    game = table_game(spring.table()).game
    assert game is not None
    assert game.steps[0].changes == changes


def test_without_script_a_hand_that_cannot_be_is_shown_again_with_its_reason(phone):
    answer = post(phone, fill(phone, outcome="ron", winner=1, value="3-40", loser=1))
    assert answer.status_code == 422
    assert "cannot win on their own discard" in answer.content.decode()
    assert 'value="3-40" selected' in answer.content.decode()


def test_without_script_a_correction_keeps_what_has_no_field(spring, phone):
    phone.play(tsumo(1, win_bans=(3,)))
    page = phone.client.get(f"{phone.below}?correct=1").content.decode()
    assert 'name="kind" value="correct"' in page
    fields = fill(phone, kind="correct", target=1, outcome="tsumo", winner=2, value="mangan")
    assert post(phone, fields, confirm=1).status_code == 303
    game = table_game(spring.table()).game
    assert game is not None
    assert (game.hands[0].win_bans, game.steps[0].winners) == ((3,), (2,))


def test_without_script_the_last_hand_is_undone_and_a_step_is_pressed(spring, phone):
    post(phone, fill(phone, kind="step", how="passes"))
    assert table_game(spring.table()).hand == "E2.0"
    fields = fill(phone, kind="start", points_0=25000, points_1=25000, points_2=25000, points_3=25000)
    phone.known = 1
    assert post(phone, fields | {"based_on": 1}).status_code == 303
    phone.known = 2
    phone.play(ron(1, 2))
    fields = fill(phone, kind="remove", target=3)
    assert post(phone, fields).status_code == 200
    assert post(phone, fields, confirm=1).status_code == 303
    assert table_game(spring.table()).numbers == ()


def test_without_script_a_conflict_shows_the_other_hand_and_asks_again(spring, phone):
    phone_at(spring.table()).play(tsumo(2))
    answer = post(phone, fill(phone, outcome="draw"), confirm=1)
    assert answer.status_code == 409
    assert "Another phone entered something" in answer.content.decode()
    assert 'name="based_on" value="1"' in answer.content.decode()


def test_a_name_that_looks_like_markup_stays_text(spring, phone):
    spring.players[1].name = "<b>=1+1"
    spring.players[1].save()
    shown = post(phone, fill(phone, outcome="tsumo", winner=1, value="mangan")).content.decode()
    assert "<b>=1+1" not in shown
    assert "&lt;b&gt;=1+1" in shown


def test_a_wrong_code_opens_nothing(phone):
    phone.client.cookies[SCANNED] = "x" * 4000
    assert phone.state().status_code == 302
    assert Client().get(phone.below).status_code == 302
