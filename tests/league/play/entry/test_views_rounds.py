"""Score sheets typed in the browser, and the answers to their script."""

import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Round, Sheet
from league.play.results import services
from league.play.results.services import confirm_result, record_result, undo_result, void_result
from league.play.rounds.services import close_round, seat_players, set_visibility
from players.models import Player
from tests.factories import Club, as_seen, club, sheet_id, signed_in
from tests.league.asking import queries_of
from tests.league.play.entry.sheets import POINTS, TYPED, address, filled, sheets, typed_values
from tests.module_fixtures import module_fixture
from tests.pages.forms import forms_of
from tests.shown import text

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    made = club()
    made.add_round()
    return made


@pytest.fixture
def charlie(spring) -> Client:
    return signed_in(spring.charlie)


# --- entering


def test_the_scorer_is_led_to_the_only_open_round(spring, charlie):
    answer = charlie.get(reverse("results:enter", args=(spring.slug,)))
    assert (answer.status_code, answer["Location"]) == (302, address("results:enter_round", spring))


def test_the_scorer_chooses_among_several_open_rounds(spring, charlie):
    spring.record(POINTS)
    spring.add_round()
    said = text(charlie.get(reverse("results:enter", args=(spring.slug,))))
    assert "Round 1 1 of 2 tables entered" in said
    assert "Round 2 0 of 2 tables entered" in said


def test_a_void_sheet_is_entered_too_where_the_scorer_chooses(spring, charlie):
    spring.record(POINTS)
    void_result(**as_seen(spring.table()), reason="wrong tiles", by=spring.alice)
    spring.add_round()
    said = text(charlie.get(reverse("results:enter", args=(spring.slug,))))
    assert "Round 1 1 of 2 tables entered" in said


def test_without_an_open_round_the_page_says_what_to_do(spring, charlie):
    spring.record(POINTS)
    spring.record(POINTS, number=2)
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert "An organizer starts the round being played" in text(
        charlie.get(reverse("results:enter", args=(spring.slug,)))
    )
    page = signed_in(spring.alice).get(reverse("results:enter", args=(spring.slug,))).content.decode()
    assert reverse("seating:next_round", args=[spring.slug, spring.stage.pk]) in page


def test_the_page_holds_one_form_and_what_its_script_puts_into_the_others(spring, charlie):
    page = charlie.get(address("results:enter_round", spring)).content.decode()
    assert re.findall(r'<section data-panel="(\d)">', page) == ["1"]
    assert re.search(r'id="number"[^>]*autofocus', page)
    assert page.count("<template data-blank>") == 1
    seated = "-".join(str(player.pk) for player in spring.players[4:])
    assert f'data-line="2" data-seated="{seated}"' in page
    page = charlie.get(address("results:enter_round", spring) + "?table=２").content.decode()
    assert re.findall(r'<section data-panel="(\d)">', page) == ["2"]
    assert re.search(r'id="t2-east"[^>]*autofocus', page)


@pytest.mark.parametrize("asked", ["9", "x", "1" * 400, "%00", "-1", "1.5"])
def test_a_table_that_is_not_there_is_said_to_be_missing(spring, charlie, asked):
    answer = charlie.get(address("results:enter_round", spring) + f"?table={asked}")
    assert answer.status_code == 200
    assert "This round has no table" in text(answer)


def test_a_sheet_typed_in_hundreds_is_saved_and_its_result_is_shown(spring, charlie):
    answer = charlie.post(address("results:enter_round", spring), filled(spring), follow=True)
    assert answer.redirect_chain == [(address("results:enter_round", spring), 302)]
    said = text(answer)
    assert "Table 1 saved: 1. 張志強 +50.1, 2. 李小明 +6.2, 3. 陳大文 −16.3, 4. 王美麗 −40.0" in said
    assert "1 of 2 tables entered" in said
    assert sheets() == [(1, 1, POINTS, 0, True)]
    assert re.search(r'id="number"[^>]*autofocus', answer.content.decode())


@pytest.mark.parametrize("minus", ["-52", "−52", "－52", "▲52", "－５２", "ー52", " -52 "])
def test_every_minus_sign_and_full_width_digits_are_understood(spring, charlie, minus):
    typed = filled(spring, east=minus, south="５２０", west="412", north="310", sticks="１")
    answer = charlie.post(address("results:enter_round", spring), typed)
    assert answer.status_code == 302
    assert sheets() == [(1, 1, (-5200, 52000, 41200, 31000), 1000, True)]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"north": "341"},
            "1,000 missing: the four scores sum to 119,000, not 120,000. Is a riichi stick left "
            "on the table?",
        ),
        ({"north": "352"}, "100 too much"),
        ({"north": ""}, "Enter this score."),
        ({"north": "x"}, "Enter the score in hundreds, digits only"),
        ({"north": "35.1"}, "Enter the score in hundreds, digits only"),
        ({"north": "9" * 5000}, "Enter the score in hundreds, digits only"),
        ({"north": "35\x001"}, "Enter the score in hundreds, digits only"),
        ({"sticks": "-1"}, "Riichi deposits cannot be negative"),
        ({"sticks": "many"}, "Enter the number of riichi sticks left on the table"),
        ({"key": "nonsense"}, "This page was incomplete or out of date"),
        ({"based_on": ""}, "This page was incomplete or out of date"),
        ({"based_on": "9" * 5000}, "This page was incomplete or out of date"),
        ({"seated": "1-2-3-4-5"}, "This page was incomplete or out of date"),
        ({"seated": "1-2-3-4\x00"}, "This page was incomplete or out of date"),
    ],
)
def test_a_wrong_sheet_comes_back_with_a_sentence_and_all_that_was_typed(spring, charlie, changed, sentence):
    typed = filled(spring, **changed)
    answer = charlie.post(address("results:enter_round", spring), typed)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert sheets() == []
    kept = typed_values(answer)
    assert {n: v.replace("\x00", "") for n, v in kept.items()} == {
        name: str(typed[name]).replace("\x00", "") for name in TYPED
    }


def test_the_error_is_at_its_seat_and_takes_the_focus(spring, charlie):
    page = charlie.post(address("results:enter_round", spring), filled(spring, west="abc")).content.decode()
    assert re.search(r'id="t1-west"[^>]*aria-invalid="true"[^>]*autofocus', page)
    assert re.search(r'id="t1-west-error">\s*<li>Enter the score in hundreds', page)
    assert page.count("autofocus") == 1


def test_unusual_values_are_saved_only_with_their_own_tick(spring, charlie):
    high = filled(spring, east="820", south="180", west="100", north="100")
    answer = charlie.post(address("results:enter_round", spring), high)
    assert answer.status_code == 422
    assert "East: 82,000 is unusually high. Is it correct?" in text(answer)
    page = answer.content.decode()
    tick = re.search(r'type="checkbox"[^>]*name="sure" value="([^"]+)"([^>]*)>', page)
    assert "autofocus" in tick[2]
    assert "checked" not in tick[2]
    assert typed_values(answer)["east"] == "820"
    # The tick for one number does not cover another.
    other = charlie.post(
        address("results:enter_round", spring), high | {"east": "830", "north": "90", "sure": tick[1]}
    )
    assert other.status_code == 422
    assert sheets() == []
    assert charlie.post(address("results:enter_round", spring), high | {"sure": tick[1]}).status_code == 302
    assert sheets() == [(1, 1, (82000, 18000, 10000, 10000), 0, True)]


def test_the_same_form_sent_twice_saves_once_and_says_so(spring, charlie):
    form = filled(spring)
    first = charlie.post(address("results:enter_round", spring), form, follow=True)
    second = charlie.post(address("results:enter_round", spring), form, follow=True)
    assert "Table 1 saved: 1. 張志強 +50.1" in text(first)
    assert "Table 1: you have already saved this score sheet. Nothing more to do." in text(second)
    assert "Table 1 saved" not in text(second)
    assert sheets() == [(1, 1, POINTS, 0, True)]


def test_the_same_key_with_other_content_is_refused_and_both_are_shown(spring, charlie):
    form = filled(spring)
    charlie.post(address("results:enter_round", spring), form)
    answer = charlie.post(address("results:enter_round", spring), form | {"east": "297", "north": "341"})
    assert answer.status_code == 409
    assert "This form was already submitted with different content, which was saved" in text(answer)
    assert "29,700" in text(answer)
    assert sheets() == [(1, 1, POINTS, 0, True)]


def test_scores_for_people_who_were_seated_elsewhere_meanwhile_are_refused(spring, charlie):
    form = filled(spring)
    ids = [p.pk for p in spring.players]
    seat_players(round_=spring.rounds[0], tables={1: ids[4:], 2: ids[:4]}, by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form)
    assert answer.status_code == 422
    assert "The seating of this table has changed" in text(answer)
    assert sheets() == []
    assert typed_values(answer) == TYPED
    seated = re.search(
        r'name="number" value="1">.*?name="seated" value="([-0-9]+)"', answer.content.decode(), re.S
    )
    assert seated[1] == "-".join(map(str, ids[4:]))
    # The names on the page are the new ones now; the same numbers can be saved for them.
    assert (
        charlie.post(address("results:enter_round", spring), form | {"seated": seated[1]}).status_code == 302
    )


def test_planned_and_closed_rounds_say_what_to_do(spring, charlie):
    spring.add_round(opened=False)
    planned = reverse("results:enter_round", args=(spring.slug, spring.rounds[1].pk))
    assert "An organizer starts it when play begins" in text(charlie.get(planned))
    assert "<form" not in charlie.get(planned).content.decode().partition("data-kept")[2]
    assert "Start round" in text(signed_in(spring.alice).get(planned))
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert "This round is closed" in text(charlie.get(address("results:enter_round", spring)))


def test_when_all_tables_are_in_the_next_step_is_offered(spring, charlie):
    spring.record(POINTS)
    assert "All results are entered" not in text(charlie.get(address("results:enter_round", spring)))
    spring.record(POINTS, number=2)
    assert "An organizer can now close the round" in text(charlie.get(address("results:enter_round", spring)))
    assert "Close round" in text(signed_in(spring.alice).get(address("results:enter_round", spring)))


def test_the_organizer_closes_publishes_and_opens_the_round_from_here(spring):
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    spring.record(POINTS)
    spring.record(POINTS, number=2)
    alice = signed_in(spring.alice)

    def press(path: str, **button) -> None:
        page = alice.get(address("results:enter_round", spring)).content.decode()
        hidden = re.search(rf'action="({re.escape(path)})"(.*?)</form>', page, re.DOTALL)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', hidden[2]))
        assert alice.post(path, fields | button).status_code == 302

    def state() -> tuple[str, str]:
        return Round.objects.values_list("status", "visibility").get()

    args = (spring.slug, spring.rounds[0].pk)
    press(reverse("rounds:status", args=args))
    assert state() == ("closed", "seating")
    press(reverse("rounds:visibility", args=args), visibility="results")
    assert state() == ("closed", "results")
    press(reverse("rounds:status", args=args), status="open")
    assert state() == ("open", "results")
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    press(reverse("rounds:status", args=args), visibility="results")
    assert state() == ("closed", "results")


def test_missing_tables_come_first(spring, charlie):
    spring.record(POINTS)
    listed = charlie.get(address("results:enter_round", spring)).content.decode().partition('sheet-list"')[2]
    assert re.findall(r'sheet-list-number">(\d+)<', listed) == ["2", "1"]


def test_the_page_takes_the_same_number_of_queries_for_one_table_and_three():
    counts = []
    for slug, players in (("one", 4), ("three", 12)):
        made = club(slug, players=players)
        made.add_round()
        made.record(POINTS)
        client = signed_in(made.charlie)
        counts.append(queries_of(client, address("results:enter_round", made)))
    assert counts[0] == counts[1] <= 12


# --- to the page's script: what has changed


def since_of(answer) -> int:
    return int(re.search(r'data-since="(\d+)"', answer.content.decode())[1])


def changed(answer) -> tuple[list[str], list[str]]:
    """The numbers of the tables in the list, and of those in the place of forms."""
    page = answer.content.decode()
    return re.findall(r'data-line="(\d+)"', page), re.findall(r'data-panel="(\d+)"', page)


def line(answer, number: int) -> str:
    return re.search(rf'<li data-line="{number}">.*?</li>', answer.content.decode(), re.DOTALL)[0]


@pytest.fixture
def four_tables() -> Club:
    made = club("four", players=16)
    made.add_round()
    return made


def test_the_script_gets_the_saved_table_and_those_that_others_changed(four_tables):
    charlie, here = signed_in(four_tables.charlie), address("results:enter_round", four_tables)
    four_tables.record(POINTS, number=2)
    shown = charlie.get(here)
    four_tables.record(POINTS, number=3, by=four_tables.alice)

    answer = charlie.post(here, filled(four_tables) | {"since": since_of(shown)})
    assert answer.status_code == 200
    assert changed(answer) == (["1", "3"], ["1", "3"])
    said = text(answer)
    assert "Table 1 saved: 1. 張志強 +50.1" in said
    assert "3 of 4 tables entered" in said
    assert '<form class="sheet"' not in answer.content.decode()
    assert "Standings" not in said
    page = charlie.get(here)
    assert [line(answer, number) for number in (1, 3)] == [line(page, number) for number in (1, 3)]
    assert since_of(page) == since_of(answer) == Sheet.objects.latest("pk").pk

    # Corrected, void and confirmed tables come too, once.
    since = since_of(answer)
    table = four_tables.table(number=3)
    record_result(**as_seen(table), points=POINTS[::-1], reason="misread", by=four_tables.alice)
    void_result(**as_seen(four_tables.table(number=2)), reason="wrong tiles", by=four_tables.alice)
    confirm_result(**as_seen(four_tables.table()), by=four_tables.bob)
    answer = charlie.post(here, filled(four_tables, number=4) | {"since": since})
    assert changed(answer) == (["1", "2", "3", "4"],) * 2
    assert "All results are entered" in text(answer)
    again = filled(four_tables, number=4, east="288", north="350", reason="misread")
    answer = charlie.post(here, again | {"since": since_of(answer)})
    assert changed(answer) == (["4"], ["4"])


def test_the_script_gets_names_as_they_are_now(four_tables):
    charlie, here = signed_in(four_tables.charlie), address("results:enter_round", four_tables)
    form = filled(four_tables)
    first = charlie.post(here, form | {"since": 0})
    Player.objects.filter(pk=four_tables.players[0].pk).update(name="Renamed")
    again = charlie.post(here, form | {"since": 0})
    assert "陳大文" in line(first, 1)
    assert "Renamed" in line(again, 1)
    assert "you have already saved this score sheet" in text(again)
    assert since_of(again) == since_of(first)


def test_the_script_learns_of_a_newer_sheet_in_the_place_of_its_own(four_tables):
    charlie, here = signed_in(four_tables.charlie), address("results:enter_round", four_tables)
    form = filled(four_tables)
    charlie.post(here, form | {"since": 0})
    record_result(**as_seen(four_tables.table()), points=(30000,) * 4, reason="misread", by=four_tables.alice)
    answer = charlie.post(here, form | {"since": 0})
    assert "alice-four has since replaced it" in text(answer)
    assert changed(answer) == (["1"], ["1"])


@pytest.mark.parametrize("since", ["", "x", "-1", "1.5", "9" * 40, "\x00"])
def test_a_page_that_does_not_know_what_it_shows_is_led_on(spring, charlie, since):
    answer = charlie.post(address("results:enter_round", spring), filled(spring) | {"since": since})
    assert (answer.status_code, answer["Location"]) == (302, address("results:enter_round", spring))


def test_what_is_wrong_or_in_conflict_is_answered_by_the_page(spring, charlie):
    wrong = charlie.post(address("results:enter_round", spring), filled(spring, north="") | {"since": 0})
    assert (wrong.status_code, typed_values(wrong)["east"]) == (422, "287")
    form = filled(spring, east="297", north="341")
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    conflict = charlie.post(address("results:enter_round", spring), form | {"since": 0})
    assert (conflict.status_code, "alice-spring" in text(conflict)) == (409, True)
    assert "data-changes" not in wrong.content.decode() + conflict.content.decode()


def test_the_tables_of_other_rounds_do_not_come_along(spring, charlie):
    spring.add_round()
    spring.record(POINTS, round_number=2)
    answer = charlie.post(address("results:enter_round", spring), filled(spring) | {"since": 0})
    assert changed(answer) == (["1"], ["1"])


@pytest.mark.with_extra("notices")
def test_a_saved_sheet_takes_the_same_few_queries_in_a_round_of_any_size(four_tables):
    # Begin and end of the transaction, and sixteen: session with person, competition with roles; the table
    # with its rules; its hands; the lock of the table, then competition and table as they are; the sheet;
    # whether anyone gets notices; the lock of the log, its last entry, the new one, the submission; the
    # changed tables with their sheets, their seats with players, the counts.
    counts = []
    for made in (club("one", players=4), four_tables):
        made.rounds or made.add_round()
        charlie, here = signed_in(made.charlie), address("results:enter_round", made)
        form = filled(made) | {"since": 0}
        for number in range(2, len(made.players) // 4 + 1):
            made.record(POINTS, number=number, by=made.alice)
        with CaptureQueriesContext(connection) as found:
            answer = charlie.post(here, form)
        assert len(changed(answer)[0]) == len(made.players) // 4
        counts.append(len(found))
    assert counts == [18, 18]


# --- two savers


def test_a_correction_of_a_sheet_that_was_undone_is_shown_again_as_a_first_sheet(spring, charlie):
    spring.record(POINTS, by=spring.charlie)
    form = filled(spring, east="297", north="341", reason="typed 287 for 297")
    undo_result(**as_seen(spring.table()), by=spring.charlie, at=spring.table().sheets.get().entered_at)
    answer = charlie.post(address("results:correct", spring), form)
    assert answer.status_code == 422
    assert "has been undone" in text(answer)
    shown = next(each for each in forms_of(answer.content.decode(), "") if "based_on" in each.fields)
    assert (shown.fields["based_on"], shown.fields["east"]) == (["0"], ["297"])


def test_the_second_of_two_savers_sees_both_sheets_and_loses_nothing(spring, charlie):
    form = filled(spring, east="297", north="341")
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form)
    assert answer.status_code == 409
    said = text(answer)
    assert "Another score sheet for this table was saved" in said
    assert "alice-spring" in said
    assert "陳大文 28,700 29,700 ≠ different" in said
    assert "李小明 31,200 31,200 南" not in said
    assert answer.content.decode().count('class="sheet-differs"') == 2
    page = answer.content.decode()
    mine = dict(
        re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.partition("data-sheet=")[2])
    )
    assert mine["based_on"] == str(sheet_id(spring.table()))
    assert mine["key"] != str(form["key"])
    saved = charlie.post(
        address("results:enter_round", spring), mine | {"reason": "Alice read 297 as 287"}, follow=True
    )
    assert "Table 1 corrected" in text(saved)
    assert sheets() == [(1, 1, POINTS, 0, False), (1, 2, (29700, 31200, 25000, 34100), 0, True)]


def test_saving_mine_without_a_reason_asks_for_it_and_keeps_the_numbers(spring, charlie):
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), filled(spring, east="297", north="341"))
    assert answer.status_code == 422
    assert "Give a reason for the correction, for example" in text(answer)
    assert typed_values(answer) == TYPED | {"east": "297", "north": "341", "reason": ""}


def test_the_second_saver_of_the_same_sheet_learns_that_it_is_the_same(spring, charlie):
    form = filled(spring)
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form, follow=True)
    assert "Table 1: alice-spring has already saved the same sheet" in text(answer)
    assert sheets() == [(1, 1, POINTS, 0, True)]


def test_the_same_numbers_for_people_in_other_seats_are_not_the_same_sheet(spring, charlie):
    form = filled(spring)
    east, south, *rest = (player.pk for player in spring.players)
    tables = {1: [south, east, *rest[:2]], 2: rest[2:]}
    seat_players(round_=spring.rounds[0], tables=tables, by=spring.alice)
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form)
    assert answer.status_code == 409
    assert "Save your version as a correction" in text(answer)


def test_a_sheet_sent_again_after_another_person_replaced_it_is_not_said_to_be_saved(spring, charlie):
    form = filled(spring)
    charlie.post(address("results:enter_round", spring), form, follow=True)
    record_result(**as_seen(spring.table()), points=(30000,) * 4, reason="misread", by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form, follow=True)
    assert "you had already saved this score sheet. alice-spring has since replaced it" in text(answer)


def test_a_correction_of_a_table_without_a_sheet_is_not_answered_as_saved(spring, charlie):
    answer = charlie.post(address("results:correct", spring), filled(spring, based_on=1))
    assert answer.status_code == 422
    assert typed_values(answer)["east"] == "287"
    assert sheets() == []


@pytest.mark.parametrize(
    "typed",
    [
        {"east": "28700", "south": "31200", "west": "25000", "north": "35100"},
        {"east": "28700", "south": "312", "west": "25000", "north": "351"},
        {"east": "-5200", "south": "42000", "west": "31200", "north": "52000"},
    ],
)
def test_points_may_be_typed_in_full(spring, charlie, typed):
    expected = {"seats": charlie.get(address("results:preview", spring), typed).json()["seats"]}
    assert len(expected["seats"]) == 4
    assert charlie.post(address("results:enter_round", spring), filled(spring, **typed)).status_code == 302
    assert sum(Sheet.objects.get().points) == 120_000


def test_what_was_saved_a_moment_ago_is_undone_and_the_version_before_counts(spring, charlie, monkeypatch):
    monkeypatch.setattr(services, "UNDO", timedelta(minutes=10))  # a slow machine needs longer than people
    charlie.post(address("results:enter_round", spring), filled(spring))
    set_visibility(round_=spring.rounds[0], visibility="seating", by=spring.alice)
    second = filled(spring, east="297", north="341")  # no one knows the first: no reason is asked for
    assert charlie.post(address("results:correct", spring), second).status_code == 302
    undo, first = address("results:undo", spring), Sheet.objects.get(version=1)
    page = charlie.get(address("results:table", spring))
    assert "Undo table 1" in text(page)
    alice = signed_in(spring.alice)
    alice.post(undo, {"key": uuid.uuid4(), "based_on": sheet_id(spring.table())})
    assert Sheet.objects.count() == 2
    charlie.post(undo, {"key": uuid.uuid4(), "based_on": sheet_id(spring.table())})
    assert list(Sheet.objects.all()) == [first]
    assert Sheet.objects.get().is_current
    charlie.post(address("results:correct", spring), second)
    assert list(Sheet.objects.values_list("version", "east")) == [(1, 28700), (2, 29700)]
    charlie.post(undo, {"key": uuid.uuid4(), "based_on": sheet_id(spring.table())})
    Sheet.objects.update(entered_at=timezone.now() - timedelta(minutes=20))
    charlie.post(undo, {"key": uuid.uuid4(), "based_on": first.pk})
    assert "Undo table 1" not in text(charlie.get(address("results:table", spring)))
    assert Sheet.objects.count() == 1


# --- while typing


def test_the_preview_settles_as_everywhere_and_changes_nothing(spring, charlie):
    answer = charlie.get(address("results:preview", spring), TYPED)
    assert answer.json() == {
        "seats": [
            {"place": 3, "label": "3rd place", "score": "−16.3", "classes": "score score-minus"},
            {"place": 2, "label": "2nd place", "score": "+6.2", "classes": "score score-plus"},
            {"place": 4, "label": "4th place", "score": "−40.0", "classes": "score score-minus"},
            {"place": 1, "label": "1st place", "score": "+50.1", "classes": "score score-plus"},
        ]
    }
    assert sheets() == []


@pytest.mark.parametrize(
    "changed", [{"east": ""}, {"east": "x"}, {"east": "288"}, {"sticks": "\x00"}, {"sticks": "-1"}]
)
def test_the_preview_is_silent_until_the_sheet_adds_up(spring, charlie, changed):
    assert charlie.get(address("results:preview", spring), TYPED | changed).json() == {"seats": []}
    assert charlie.get(address("results:preview", spring)).json() == {"seats": []}
