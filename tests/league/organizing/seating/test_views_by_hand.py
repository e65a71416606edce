"""The seats of a round: drawn at random, typed by hand, pasted."""

import uuid
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.rounds import seating
from league.core.text import listed
from league.core.zones import day_of_play
from league.models import AuditEntry, Entrant, Round, SittingOut, Stage
from league.organizing.competitions.services import add_division
from league.organizing.roster.services.roster import enter_player
from league.people.register.services import PlayerValues
from league.play.rounds.services import close_round, create_round
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture
from tests.shown import errors, fields, key, said, text, ticked

pytestmark = pytest.mark.django_db

HUGE = "9" * 400


@module_fixture
def here() -> Club:
    return club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


# --- seats at random


@pytest.fixture
def planned(here) -> Round:
    return create_round(stage=here.stage, by=here.alice)


def seat_address(here: Club, round_: Round, how: str = "") -> str:
    return reverse("seating:by_hand", args=[here.slug, round_.pk]) + (f"?how={how}" if how else "")


def drawing(page, **typed: object) -> dict[str, object]:
    """Return the form of a draw as the page shows it, with these changes."""
    return fields(page) | {"plays": ticked(page, "plays")} | typed


def but(page, *players: Player) -> list[str]:
    """Return the ticks of the page without these players."""
    return [each for each in ticked(page, "plays") if each not in {str(player.pk) for player in players}]


def test_a_draw_is_shown_first_and_saved_exactly_as_shown(here, alice, planned):
    page = alice.get(seat_address(here, planned))
    shown = [[info.player for info in four] for _, four in page.context["drawn"]]
    assert seating(planned) == {}
    answer = alice.post(seat_address(here, planned), drawing(page, step="save"), follow=True)
    assert said(answer) == ["Round 1 seated: 2 tables."]
    assert list(seating(planned).values()) == shown
    logged = AuditEntry.objects.filter(action="round.seat").last()
    assert logged.after["seed"] == page.context["seed"]


def test_players_tapped_at_the_door_are_drawn_and_players_who_are_seated_are_there(here, alice, planned):
    charlie, day = signed_in(here.charlie), day_of_play(here.competition).isoformat()
    door = [
        reverse(f"open_play:{name}", args=[here.slug, here.stage.pk, day]) for name in ("evening", "presence")
    ]
    entrants = Entrant.objects.filter(competition=here.competition).order_by("pk")
    for entrant in entrants[:4]:
        charlie.post(door[1], {"key": uuid.uuid4(), "entrant": entrant.pk, "act": "come"})
    assert "4 players present" in text(charlie.get(door[0]))

    draw = alice.get(seat_address(here, planned))
    (table,) = draw.context["drawn"]
    assert {info.player for info in table[1]} == {player.pk for player in here.players[:4]}
    assert "Only players on the day’s attendance list are ticked." in text(draw)
    for seats in (seat_address(here, planned), reverse("seating:plan", args=[here.slug, here.stage.pk])):
        assert 'href="?tick=gone"' in alice.get(seats).content.decode()
        all_but_gone = alice.get(seats, {"tick": "gone"})
        assert ticked(all_but_gone, "plays") == [str(player.pk) for player in here.players]
        assert "Tick only players on the attendance list" in text(all_but_gone)

    everyone = drawing(draw, step="draw", plays=[player.pk for player in here.players])
    drawn = alice.post(seat_address(here, planned), everyone, follow=True)
    alice.post(seat_address(here, planned), drawing(drawn, step="save"))
    assert "8 players present" in text(charlie.get(door[0]))

    charlie.post(door[1], {"key": uuid.uuid4(), "entrant": entrants[7].pk, "act": "leave"})
    assert f"not here yet: 1 {entrants[7].player.name}" in text(charlie.get(door[0]))


def test_open_play_has_its_evening_and_no_round_to_be_seated(here, alice):
    Stage.objects.filter(pk=here.stage.pk).update(play=Stage.Play.OPEN)
    before = here.stage.rounds.count()
    answer = alice.post(reverse("seating:next_round", args=["spring", here.stage.pk]), {"how": "random"})
    assert answer.url == reverse("open_play:tonight", args=["spring", here.stage.pk])
    assert here.stage.rounds.count() == before


def test_drawing_again_saves_nothing_and_gives_another_draw(here, alice, planned):
    page = alice.get(seat_address(here, planned))
    draws = {
        alice.post(seat_address(here, planned), drawing(page, step="draw"), follow=True).context["seed"]
        for _ in "12345"
    }
    assert len(draws) > 1
    assert seating(planned) == {}


def test_the_same_draw_accepted_twice_is_saved_once(here, alice, planned):
    typed = drawing(alice.get(seat_address(here, planned)), step="save")
    assert [alice.post(seat_address(here, planned), typed).status_code for _ in range(2)] == [302, 302]
    assert AuditEntry.objects.filter(action="round.seat").count() == 1


def test_ten_players_are_drawn_at_once_and_two_sit_out_by_lot():
    here = club("ten", players=10)
    client, planned = signed_in(here.alice), create_round(stage=here.stage, by=here.alice)
    page = client.get(seat_address(here, planned))
    shown = {info.player for _number, four in page.context["drawn"] for info in four}
    resting = [info for info, plays in page.context["pool"] if not plays]

    assert (len(shown), len(resting)) == (8, 2)
    assert f"Sits out by lot: {listed(info.name for info in resting)} ·" in text(page)
    assert "With 2 more, everyone plays." in text(page)
    assert client.post(seat_address(here, planned), drawing(page, step="save")).status_code == 302
    assert {player for four in seating(planned).values() for player in four} == shown


def test_who_sits_out_is_changed_on_the_page_of_the_draw():
    here = club("ten", players=10)
    client, planned = signed_in(here.alice), create_round(stage=here.stage, by=here.alice)
    plays = [str(player.pk) for player in here.players[1:9]]
    page = client.get(seat_address(here, planned))

    page = client.post(seat_address(here, planned), drawing(page, step="draw", plays=plays), follow=True)
    again = client.post(seat_address(here, planned), drawing(page, step="draw"), follow=True)
    answer = client.post(seat_address(here, planned), drawing(again, step="save"))

    assert "Sits out by lot" not in text(again)
    assert ticked(again, "plays") == ticked(page, "plays") == plays
    assert answer.status_code == 302
    assert {player for four in seating(planned).values() for player in four} == set(map(int, plays))


def test_another_draw_draws_who_sits_out_again_without_the_players_who_are_not_ticked():
    here = club("eleven", players=11)
    client, planned = signed_in(here.alice), create_round(stage=here.stage, by=here.alice)
    everyone, absent = [str(player.pk) for player in here.players], str(here.players[4].pk)
    page = client.get(seat_address(here, planned))
    page = client.post(
        seat_address(here, planned),
        drawing(page, step="draw", plays=[each for each in everyone if each != absent]),
        follow=True,
    )
    drawn = [ticked(page, "plays")]
    for _ in range(8):
        page = client.post(seat_address(here, planned), drawing(page, step="draw"), follow=True)
        drawn.append(ticked(page, "plays"))

    assert {len(plays) for plays in drawn} == {8}
    assert not any(absent in plays for plays in drawn)
    assert len({tuple(plays) for plays in drawn}) > 1


def test_players_who_sat_out_before_play_now():
    here = club("nine", players=9)
    client, resting = signed_in(here.alice), set()
    for _number in range(5):
        planned = create_round(stage=here.stage, by=here.alice)
        page = client.get(seat_address(here, planned))
        (out,) = [info.player for info, plays in page.context["pool"] if not plays]
        resting.add(out)
        client.post(seat_address(here, planned), drawing(page, step="save"))
        SittingOut.objects.get_or_create(round=planned, player_id=out)

    assert len(resting) == 5


def test_a_draw_has_an_address_to_which_the_browser_goes_back(here, alice, planned):
    page = alice.get(seat_address(here, planned))
    plays = but(page, *here.players[:3])
    answers = [
        alice.post(seat_address(here, planned), drawing(page, step="draw", plays=plays)) for _ in range(2)
    ]
    seen = [alice.get(answers[0].url) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].url != answers[1].url
    assert seen[0].context["drawn"] == seen[1].context["drawn"]
    assert ticked(seen[0], "plays") == ticked(seen[1], "plays")
    assert len(ticked(seen[0], "plays")) == 4
    assert seating(planned) == {}


@pytest.mark.parametrize(
    "wrong", ["seed=x", f"seed={HUGE}", "seed=-1", f"out={HUGE}", "out=x,,999999999", "number=x"]
)
def test_an_address_of_a_draw_that_was_changed_shows_a_draw(here, alice, planned, wrong):
    for place in (seat_address(here, planned), reverse("seating:next_round", args=["spring", here.stage.pk])):
        page = alice.get(f"{place}?how=random&{wrong}&based_on={'x' * 200}")
        assert (page.status_code, len(page.context["drawn"])) == (200, 2)


def test_a_draw_without_hundreds_of_players_is_shown_without_an_address(here, alice, planned, monkeypatch):
    monkeypatch.setattr("league.organizing.seating.views.by_hand.MOST_ADDRESS", 10)
    page = alice.get(seat_address(here, planned))

    answer = alice.post(
        seat_address(here, planned), drawing(page, step="draw", plays=but(page, here.players[0]))
    )

    assert answer.status_code == 200
    assert len(answer.context["drawn"]) == 1


@pytest.mark.parametrize("person", ["bob", "charlie", "dora", None])
def test_only_organizers_draw(here, planned, person):
    client = signed_in(getattr(here, person)) if person else Client()
    answer = client.post(seat_address(here, planned), {"how": "random", "step": "draw"})

    assert answer.status_code == (403 if person else 302)
    assert "seed=" not in answer.headers.get("Location", "")
    assert seating(planned) == {}


def test_a_player_added_since_the_draw_makes_it_out_of_date(here, alice, planned):
    typed = drawing(alice.get(seat_address(here, planned)), step="save")
    here.add_players(4)

    answer = alice.post(seat_address(here, planned), typed)

    assert answer.context["stale"]
    assert len(answer.context["drawn"]) == 3


def test_one_more_leads_to_a_form_and_back_and_a_substitute_fills_the_table(alice):
    nine = club("nine", players=9)
    alice = signed_in(nine.alice)
    here = reverse("seating:next_round", args=[nine.slug, nine.stage.pk])
    page = alice.get(here)
    assert "Sits out by lot: " in text(page)
    assert "With 3 more, everyone plays." in text(page)
    add = reverse("roster:new", args=[nine.slug])
    assert f'href="{add}?as=guest&amp;next={here.replace("/", "%2F")}"' in page.content.decode()

    values = PlayerValues(name="Substitute")
    for number in range(3):
        enter_player(
            competition=nine.competition,
            values=replace(values, name=f"Substitute {number}"),
            division=None,
            is_substitute=True,
            by=nine.alice,
        )
        drawn = alice.get(here)
        assert bool(drawn.context["filling"]) is (number == 2)
    assert "These substitutes fill the last table: Substitute 0, Substitute 1, Substitute 2." in text(drawn)
    answer = alice.post(here, drawing(drawn, step="save"), follow=True)
    assert said(answer) == ["Round 1 seated: 3 tables."]

    eight = but(drawn, nine.players[0])
    again = alice.post(here, drawing(drawn, step="draw", plays=eight), follow=True)
    assert again.context["filling"] == ""


def test_a_draw_is_not_saved_when_a_player_withdrew_or_was_ticked_since(here, alice, planned):
    typed = drawing(alice.get(seat_address(here, planned)), step="save")
    four = [str(player.pk) for player in here.players[4:]]
    answer = alice.post(seat_address(here, planned), typed | {"plays": four})
    assert answer.context["stale"]
    assert "The players, or those who sit out, have changed since the last draw" in text(answer)
    assert len(answer.context["drawn"]) == 1
    Entrant.objects.filter(player=here.players[0]).update(withdrawn_at=timezone.now())
    assert alice.post(seat_address(here, planned), typed).context["stale"]
    assert seating(planned) == {}


def test_a_seating_that_another_person_saved_meanwhile_is_not_overwritten(here, alice, planned):
    mine = drawing(alice.get(seat_address(here, planned)))
    theirs = drawing(alice.get(seat_address(here, planned)))
    assert alice.post(seat_address(here, planned), theirs | {"step": "save"}).status_code == 302
    saved = seating(planned)
    answer = alice.post(seat_address(here, planned), mine | {"step": "save"})
    assert "Someone else has seated this round" in text(answer)
    assert seating(planned) == saved


def test_only_players_of_the_division_who_are_there_are_drawn(here, alice, planned):
    other = add_division(competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice)
    Entrant.objects.filter(player=here.players[0]).update(division=other)
    Entrant.objects.filter(player=here.players[1]).update(withdrawn_at=timezone.now())
    page = alice.get(seat_address(here, planned))
    assert {info.player for info, _ in page.context["pool"]} == {p.pk for p in here.players[2:]}


def test_a_draw_like_the_round_before_leaves_out_who_did_not_play(here, alice, planned):
    played = create_round(stage=here.stage, by=here.alice)
    ids = [player.pk for player in here.players]
    typed = {"key": key(), "number": "3", "how": "same"}
    alice.post(
        seat_address(here, played), paste_form(alice, here, played, "\t".join(f"p{n}" for n in range(1, 5)))
    )
    assert seating(played) == {1: ids[:4]}
    answer = alice.post(reverse("rounds:new", args=[here.slug, here.stage.pk]), typed, follow=True)
    assert [info.player for info, plays in answer.context["pool"] if not plays] == ids[4:]
    assert len(answer.context["drawn"]) == 1


def test_tables_with_sheets_are_not_drawn_again(here, alice):
    made = here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    page = alice.get(seat_address(here, made, "random"))
    assert [number for number, _ in page.context["drawn"]] == [2]
    assert "1 table has a score sheet and is kept" in text(page)
    answer = alice.post(seat_address(here, made), drawing(page, step="save", how="random"))
    assert answer.status_code == 302
    ids = [player.pk for player in here.players]
    now = seating(made)
    assert now[1] == ids[:4]
    assert sorted(now[2]) == ids[4:]


@pytest.mark.parametrize(
    "wrong",
    [{"seed": "x"}, {"seed": HUGE}, {"seed": "-1"}, {"players": ""}, {"players": "1,2,x"},
     {"players": "0" * 30}, {"players": "1,2,3,4"}, {"out": HUGE}, {"out": ["x", "\x00", "-1"]},
     {"plays": HUGE}, {"plays": ["x", "\x00", "-1"]}, {"key": "no"}, {"based_on": ""},
     {"based_on": "x" * 500}, {"how": "luck"}],
)  # fmt: skip
def test_a_draw_that_was_tampered_with_is_not_saved(here, alice, planned, wrong):
    typed = drawing(alice.get(seat_address(here, planned)), step="save") | wrong
    answer = alice.post(seat_address(here, planned), typed)
    saved = answer.status_code == 302
    assert saved == (wrong.keys() <= {"out", "how"})  # no one has such a number, so no one sits out
    assert answer.status_code in {302, 422}
    assert bool(seating(planned)) == saved


# --- seats by hand


def hand_form(client: Client, here: Club, round_: Round, **typed: str) -> dict[str, str]:
    return fields(client.get(seat_address(here, round_, "hand"))) | typed


def four(number: int, names: str) -> dict[str, str]:
    return {f"t{number}_{wind}": name for wind, name in enumerate(names.split("|"))}


def test_names_keys_and_romanized_names_are_understood(here, alice, planned):
    here.players[5].romanized = "Yamada Taro"
    here.players[5].save()
    typed = (
        hand_form(alice, here, planned)
        | four(1, "陳大文|P2| 王美麗|ＤＯＲＡ")
        | four(2, "p4|yamada taro|Émile|ngô bảo")
    )
    answer = alice.post(seat_address(here, planned, "hand"), typed, follow=True)
    assert said(answer) == ["Round 1 seated: 2 tables."]
    ids = [player.pk for player in here.players]
    assert seating(planned) == {1: [ids[0], ids[1], ids[2], ids[4]], 2: [ids[3], ids[5], ids[6], ids[7]]}


def test_every_problem_is_shown_at_its_seat_and_everything_typed_stays(here, alice, planned):
    club("autumn", players=1)
    Entrant.objects.filter(player=here.players[7]).update(withdrawn_at=timezone.now())
    typed = (
        hand_form(alice, here, planned)
        | four(1, "陳大文|陳大文|Stranger|")
        | four(2, "李小明|陳大文|Ngô Bảo|王美麗")
    )
    answer = alice.post(seat_address(here, planned, "hand"), typed)
    assert errors(answer) == {
        "t1_1": ["陳大文 already sits at table 1."],
        "t1_2": ["“Stranger” is not entered in this competition. Check the spelling, or add the player."],
        "t1_3": ["A table needs four players. Fill the empty seat."],
        "t2_1": ["陳大文 already sits at table 1."],
        "t2_2": ["Ngô Bảo has withdrawn."],
    }
    kept = fields(answer)
    assert {name: kept[name] for name in typed if name.startswith("t")} == {
        name: value for name, value in typed.items() if name.startswith("t")
    }
    assert seating(planned) == {}


def test_keys_distinguish_two_players_of_one_name(here, alice, planned):
    here.players[1].name = "陳大文"
    here.players[1].save()
    page = alice.get(seat_address(here, planned, "hand"))
    assert {"陳大文 (p1)", "陳大文 (p2)"} <= set(page.context["labels"])
    typed = hand_form(alice, here, planned) | four(1, "陳大文|p3|p4|p5")
    assert errors(alice.post(seat_address(here, planned, "hand"), typed)) == {
        "t1_0": ["Several players have the name “陳大文”. Enter a key instead: p1, p2."]
    }
    typed |= {"t1_0": "陳大文 (p2)"}
    assert alice.post(seat_address(here, planned, "hand"), typed).status_code == 302
    assert seating(planned)[1][0] == here.players[1].pk


def test_a_table_that_got_a_sheet_meanwhile_keeps_its_players(here, alice):
    made = here.add_round()
    typed = hand_form(alice, here, made)
    assert typed["t1_0"] == "陳大文"
    here.record((45000, 35000, 25000, 15000), number=1)
    swapped = typed | {"t1_0": typed["t2_0"], "t2_0": typed["t1_0"]}
    answer = alice.post(seat_address(here, made, "hand"), swapped)
    assert errors(answer)["t1_0"] == ["A table with a score sheet keeps its players."]
    typed |= {"t2_0": typed["t2_1"], "t2_1": typed["t2_0"]}  # table 1 as it is: only table 2 changes
    assert alice.post(seat_address(here, made, "hand"), typed).status_code == 302
    ids = [player.pk for player in here.players]
    assert seating(made) == {1: ids[:4], 2: [ids[5], ids[4], ids[6], ids[7]]}


def test_one_table_more_keeps_what_was_typed(here, alice, planned):
    typed = hand_form(alice, here, planned) | four(1, "陳大文|李小明||")
    answer = alice.post(seat_address(here, planned, "hand"), typed | {"more": "1"})
    kept = fields(answer)
    assert (kept["t1_0"], kept["t1_1"]) == ("陳大文", "李小明")
    assert answer.context["form"].numbers == [1, 2, 3]
    assert seating(planned) == {}


@pytest.mark.parametrize(
    ("how", "step"),
    [
        ("hand", {"t1_0": "Stranger"}),
        ("hand", {"more": "1"}),
        ("paste", {"seating": "p1,p2,p3,Stranger"}),
        ("random", {"step": "draw"}),
    ],
)
def test_a_page_shown_again_replaces_a_new_seating_only_once_it_was_seen(here, alice, planned, how, step):
    where = seat_address(here, planned, how)
    mine = drawing(alice.get(where))
    theirs = drawing(alice.get(seat_address(here, planned, "random")))
    alice.post(seat_address(here, planned), theirs | {"step": "save"})
    saved = seating(planned)
    good = {
        "hand": four(1, "p1|p2|p3|p4") | four(2, "p5|p6|p7|p8"),
        "paste": {"seating": "p1,p2,p3,p4\np5,p6,p7,p8"},
        "random": {"step": "save"},
    }[how]

    again = drawing(alice.post(where, mine | good | step, follow=True))
    refused = alice.post(where, again | good)

    assert "Someone else has seated this round" in text(refused)
    assert seating(planned) == saved
    assert alice.post(where, drawing(refused) | good).status_code == 302


@pytest.mark.parametrize(
    "typed",
    [{}, {"t1_0": "\x00"}, {"t1_0": "x" * 5000}, {"t1_0": "\u202e"}, {"t99999_0": "p1"}, {"t1_9": "p1"},
     {"t0_0": "p1"}, {"t٣_0": "p1"}, {"more": "\x00"}],
)  # fmt: skip
def test_odd_seats_save_nothing_and_break_nothing(here, alice, planned, typed):
    form = {name: v for name, v in hand_form(alice, here, planned).items() if not name.startswith("t")}
    answer = alice.post(seat_address(here, planned, "hand"), form | typed)
    assert answer.status_code == (200 if "more" in typed else 422)
    assert seating(planned) == {}


# --- seats pasted


def paste_form(client: Client, here: Club, round_: Round, seating_text: str) -> dict[str, str]:
    return fields(client.get(seat_address(here, round_, "paste"))) | {"seating": seating_text}


def test_a_pasted_seating_takes_tabs_commas_and_table_numbers(here, alice, planned):
    pasted = "7\t陳大文\t李小明\t王美麗\t張志強\n\nDora， 山田太郎, p7、p8,\r\n"
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert answer.status_code == 302
    ids = [player.pk for player in here.players]
    assert seating(planned) == {7: ids[:4], 1: ids[4:]}


def test_every_line_that_is_not_four_names_is_named(here, alice, planned):
    pasted = "p1,p2,p3\n3,p4,p5,p6,p7\np1\n3\tp1\tp2\tp3\tp8"
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert errors(answer)["seating"] == [
        "Line 1: A table needs four names, not 3.",
        "Line 2: Table 3 is listed twice.",
        "Line 3: A table needs four names, not 1.",
        "Line 4: Table 3 is listed twice.",
    ]
    assert fields(answer)["seating"] == pasted
    assert seating(planned) == {}


def test_every_problem_of_a_pasted_name_is_shown_with_its_table(here, alice, planned):
    pasted = "p1,p2,p3,Stranger\np4,p1,,p6"
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert errors(answer)["seating"] == [
        "Table 1: “Stranger” is not entered in this competition. Check the spelling, or add the player.",
        "Table 2: 陳大文 already sits at table 1.",
        "Table 2: A table needs four players. Fill the empty seat.",
    ]
    assert seating(planned) == {}


def test_pasting_what_the_page_shows_changes_nothing(here, alice):
    made = here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    before = seating(made)
    typed = fields(alice.get(seat_address(here, made, "paste")))
    assert typed["seating"].startswith("2\t")
    assert alice.post(seat_address(here, made, "paste"), typed).status_code == 302
    assert seating(made) == before


@pytest.mark.parametrize(
    "pasted",
    ["", "\x00", "a\x00b,c,d,e", "x" * 70_000, "9" * 30 + ",p1,p2,p3,p4", "0,p1,p2,p3,p4,p5",
     "<b>,=1+1,@x,-1"],
)  # fmt: skip
def test_an_odd_paste_saves_nothing_and_breaks_nothing(here, alice, planned, pasted):
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert (answer.status_code, list(errors(answer))) == (422, ["seating"])
    assert b"<b>," not in answer.content
    assert seating(planned) == {}


def test_a_closed_round_shows_its_seating_and_takes_no_other(here, alice):
    made = close_round(round_=here.add_round(), by=here.alice)
    page = alice.get(seat_address(here, made))
    assert "This round is closed" in text(page)
    assert "how" not in fields(page)  # its one form reopens the round
    before = seating(made)
    typed = {"how": "paste", "key": key(), "based_on": page.context["based_on"], "seating": "p4,p3,p2,p1"}
    assert alice.post(seat_address(here, made), typed).status_code == 422
    assert seating(made) == before
