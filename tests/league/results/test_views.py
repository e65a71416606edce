"""Score sheets in the browser: typed, refused, saved once, compared, corrected, voided, confirmed."""

import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.competitions.services import update_competition
from league.models import AuditEntry, Round, Sheet
from league.penalties.services import log_penalty, revoke_penalty
from league.results import services
from league.results.services import confirm_result, record_result, undo_result, void_result
from league.rounds.services import close_round, seat_players, set_visibility
from players.models import Player
from tests.factories import Club, club, signed_in, user
from tests.module_fixtures import module_fixture
from tests.shown import fields

pytestmark = pytest.mark.django_db

TYPED = {"east": "287", "south": "312", "west": "250", "north": "351", "sticks": "0"}
POINTS = (28700, 31200, 25000, 35100)


@module_fixture
def spring() -> Club:
    made = club()
    made.add_round()
    return made


@pytest.fixture
def charlie(spring) -> Client:
    return signed_in(spring.charlie)


def address(name: str, spring: Club, number: int = 1) -> str:
    pk = (
        spring.rounds[0].pk
        if name in {"results:enter_round", "results:preview"}
        else spring.table(1, number).pk
    )
    return reverse(name, args=(spring.slug, pk))


def filled(spring: Club, number: int = 1, **changed) -> dict[str, object]:
    """A form for the table as the page would send it."""
    table = spring.table(1, number)
    current = table.sheets.filter(is_current=True).first()
    seated = "-".join(str(pk) for pk in table.seats.values_list("player_id", flat=True))
    form = {
        "key": uuid.uuid4(),
        "number": number,
        "based_on": current.version if current else 0,
        "seated": seated,
    }
    return form | TYPED | changed


def text(answer) -> str:
    """What the page says, without its tags."""
    plain = re.sub(r"<[^>]*>", " ", answer.content.decode())
    return re.sub(r"\s+", " ", plain).replace("&#x27;", "'")


def typed_values(answer, number: int = 1) -> dict[str, str]:
    page = answer.content.decode()
    found = re.findall(rf'id="t{number}-(\w+)" name="\w+" value="([^"]*)"', page)
    return dict(found)


def sheets() -> list[tuple[int, int, tuple[int, ...], int, bool]]:
    """(table number, version, points, deposits, current) of every sheet there is."""
    return [
        (s.table.number, s.version, s.points, s.sticks, s.is_current)
        for s in Sheet.objects.select_related("table").order_by("table__number", "version")
    ]


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
    void_result(table=spring.table(), based_on=1, reason="wrong tiles", by=spring.alice)
    spring.add_round()
    said = text(charlie.get(reverse("results:enter", args=(spring.slug,))))
    assert "Round 1 1 of 2 tables entered" in said


def test_without_an_open_round_the_page_says_what_to_do(spring, charlie):
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert "An organizer starts the round being played" in text(
        charlie.get(reverse("results:enter", args=(spring.slug,)))
    )
    page = signed_in(spring.alice).get(reverse("results:enter", args=(spring.slug,))).content.decode()
    assert reverse("seating:next_round", args=[spring.slug, spring.stage.pk]) in page


def test_the_page_holds_a_form_for_every_table_and_shows_the_one_asked_for(spring, charlie):
    page = charlie.get(address("results:enter_round", spring)).content.decode()
    assert re.findall(r'data-panel="(\d)" (\w*)', page) == [("1", "hidden"), ("2", "hidden")]
    assert len(set(re.findall(r'name="key" value="([-0-9a-f]{36})"', page))) == 2
    page = charlie.get(address("results:enter_round", spring) + "?table=２").content.decode()
    assert re.findall(r'data-panel="(\d)" (\w*)', page) == [("1", "hidden"), ("2", "")]
    assert re.search(r'id="t2-east"[^>]*autofocus', page)


@pytest.mark.parametrize("asked", ["9", "x", "1" * 400, "%00", "-1", "1.5"])
def test_a_table_that_is_not_there_is_said_to_be_missing(spring, charlie, asked):
    answer = charlie.get(address("results:enter_round", spring) + f"?table={asked}")
    assert answer.status_code == 200
    assert "This round has no table" in text(answer)


def test_a_sheet_typed_in_hundreds_is_saved_and_its_result_told(spring, charlie):
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


def test_a_form_without_anything_in_it_is_no_server_error(spring, charlie):
    assert charlie.post(address("results:enter_round", spring), {}).status_code == 422
    assert charlie.post(address("results:enter_round", spring), {"number": "1"}).status_code == 422
    assert charlie.post(address("results:enter_round", spring), {"number": "7" * 30}).status_code == 422


def test_the_error_stands_at_its_seat_and_takes_the_focus(spring, charlie):
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


def test_a_round_that_was_closed_meanwhile_takes_no_sheet(spring, charlie):
    form = filled(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form)
    assert answer.status_code == 422
    assert "This round is closed" in text(answer)
    assert sheets() == []


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
    listed = (
        charlie.get(address("results:enter_round", spring))
        .content.decode()
        .partition('class="sheet-list"')[2]
    )
    assert re.findall(r'sheet-list-number">(\d+)<', listed) == ["2", "1"]


def test_the_page_takes_the_same_number_of_queries_for_one_table_and_three():
    counts = []
    for slug, players in (("one", 4), ("three", 12)):
        made = club(slug, players=players)
        made.add_round()
        made.record(POINTS)
        client = signed_in(made.charlie)
        with CaptureQueriesContext(connection) as found:
            client.get(address("results:enter_round", made))
        counts.append(len(found))
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
    record_result(table=table, points=POINTS[::-1], based_on=1, reason="misread", by=four_tables.alice)
    void_result(table=four_tables.table(number=2), based_on=1, reason="wrong tiles", by=four_tables.alice)
    confirm_result(table=four_tables.table(), based_on=1, by=four_tables.bob)
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


def test_the_script_is_told_of_a_newer_sheet_in_the_place_of_its_own(four_tables):
    charlie, here = signed_in(four_tables.charlie), address("results:enter_round", four_tables)
    form = filled(four_tables)
    charlie.post(here, form | {"since": 0})
    record_result(
        table=four_tables.table(), points=(30000,) * 4, based_on=1, reason="misread", by=four_tables.alice
    )
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


def test_only_scorers_get_what_has_changed(spring):
    spring.record(POINTS, number=2)
    form = filled(spring) | {"since": 0}
    for person in (spring.bob, spring.dora, user("stranger")):
        assert signed_in(person).post(address("results:enter_round", spring), form).status_code == 403
    assert Client().post(address("results:enter_round", spring), form).status_code == 302
    assert len(sheets()) == 1


def test_the_tables_of_other_rounds_do_not_come_along(spring, charlie):
    spring.add_round()
    spring.record(POINTS, round_number=2)
    answer = charlie.post(address("results:enter_round", spring), filled(spring) | {"since": 0})
    assert changed(answer) == (["1"], ["1"])


def test_a_saved_sheet_takes_the_same_few_queries_in_a_round_of_any_size(four_tables):
    # Begin and end of the transaction, and thirteen: session, person, competition with roles; the table with
    # its rules; the lock, then the competition with its log, and the table, as they are now; the sheet, its
    # entry and its submission; the changed tables with their sheets, their seats with players, the counts.
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
    assert counts == [15, 15]


# --- two savers


def test_the_second_of_two_savers_sees_both_sheets_and_loses_nothing(spring, charlie):
    form = filled(spring, east="297", north="341")
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form)
    assert answer.status_code == 409
    said = text(answer)
    assert "Someone else saved this table while you were typing" in said
    assert "alice-spring" in said
    assert "陳大文 28,700 29,700 ≠ different" in said
    assert "李小明 31,200 31,200 南" not in said
    assert answer.content.decode().count('class="sheet-differs"') == 2
    page = answer.content.decode()
    mine = dict(
        re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.partition("data-sheet=")[2])
    )
    assert mine["based_on"] == "1"
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


def test_two_savers_of_the_same_sheet_are_told_that_it_is_the_same(spring, charlie):
    form = filled(spring)
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form, follow=True)
    assert "Table 1: alice-spring has already saved the same sheet" in text(answer)
    assert sheets() == [(1, 1, POINTS, 0, True)]


def test_the_same_numbers_for_people_in_other_seats_are_no_sheet_that_was_saved_already(spring, charlie):
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
    record_result(table=spring.table(), points=(30000,) * 4, based_on=1, reason="misread", by=spring.alice)
    answer = charlie.post(address("results:enter_round", spring), form, follow=True)
    assert "you had already saved this score sheet; alice-spring has since replaced it" in text(answer)


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
    alice.post(undo, {"key": uuid.uuid4(), "based_on": 2})
    assert Sheet.objects.count() == 2
    charlie.post(undo, {"key": uuid.uuid4(), "based_on": 2})
    assert list(Sheet.objects.all()) == [first]
    assert Sheet.objects.get().is_current
    charlie.post(address("results:correct", spring), second)
    assert list(Sheet.objects.values_list("version", "east")) == [(1, 28700), (2, 29700)]
    charlie.post(undo, {"key": uuid.uuid4(), "based_on": 2})
    Sheet.objects.update(entered_at=timezone.now() - timedelta(minutes=20))
    charlie.post(undo, {"key": uuid.uuid4(), "based_on": 1})
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


# --- the table's page


def test_the_table_shows_its_settlement_and_what_it_sums_to(spring):
    record_result(
        table=spring.table(), points=(28700, 31200, 25000, 34100), sticks=1000, based_on=0, by=spring.charlie
    )
    said = text(Client().get(address("results:table", spring)))
    assert "張志強 34,100 1 +50.1 +30.0 +20.0 +1.0" in said
    assert "Riichi deposits left 1,000 Sum 120,000 0.0" in said
    assert "The four scores sum to zero." in said


def test_the_public_sees_neither_names_of_staff_nor_history(spring):
    spring.record(POINTS)
    stranger, staff = (
        text(Client().get(address("results:table", spring))),
        text(signed_in(spring.bob).get(address("results:table", spring))),
    )
    assert "charlie-spring" in staff
    assert "History" in staff
    assert "charlie-spring" not in stranger
    assert "History" not in stranger


def test_hidden_results_do_not_reach_the_public(spring):
    spring.record(POINTS)
    penalty = log_penalty(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[0].pk,
        score=-20,
        reason="Late",
        by=spring.bob,
    )
    assert "28,700" in text(Client().get(address("results:table", spring)))
    assert "Late" in text(Client().get(address("results:table", spring)))
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    said = text(Client().get(address("results:table", spring)))
    assert "陳大文" in said
    assert "The seating is published; results follow." in said
    for secret in ("28,700", "−16.3", "Late", "entered"):
        assert secret not in said
    staff = text(signed_in(spring.bob).get(address("results:table", spring)))
    assert "28,700" in staff
    assert "Only staff can see this result" in staff
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.HIDDEN, by=spring.alice)
    assert Client().get(address("results:table", spring)).status_code == 404
    assert penalty.pk


def test_penalties_stand_at_their_table_and_revoked_ones_say_so(spring):
    player = spring.players[0].pk
    log_penalty(
        stage=spring.stage,
        table=spring.table(),
        player_id=player,
        score=-20,
        level="2",
        infraction="A-II",
        by=spring.bob,
    )
    second = log_penalty(
        stage=spring.stage, table=spring.table(), player_id=player, score=-30, reason="Noise", by=spring.bob
    )
    revoke_penalty(penalty=second, reason="Was not him", by=spring.bob)
    said = text(Client().get(address("results:table", spring)))
    assert "Penalties at this table" in said
    assert "A-II" in said
    assert "revoked: Was not him" in said
    assert "Penalties at this table" not in text(Client().get(address("results:table", spring, 2)))


def test_the_page_of_a_table_is_answered_304_until_something_changes(spring):
    spring.record(POINTS)
    first = Client().get(address("results:table", spring))
    assert (
        Client().get(address("results:table", spring), headers={"If-None-Match": first["ETag"]}).status_code
        == 304
    )
    record_result(
        table=spring.table(),
        points=(29700, 31200, 25000, 34100),
        based_on=1,
        by=spring.alice,
        reason="Misread",
    )
    second = Client().get(address("results:table", spring), headers={"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    assert "29,700" in text(second)


def test_history_marks_what_each_version_changed(spring):
    spring.record(POINTS)
    record_result(
        table=spring.table(),
        points=(29700, 31200, 25000, 34100),
        based_on=1,
        by=spring.alice,
        reason="Misread",
    )
    page = (
        signed_in(spring.bob)
        .get(address("results:table", spring))
        .content.decode()
        .partition("sheet-history")[2]
    )
    assert re.findall(r'sheet-changed">([^<]*)<', page) == ["29,700", "34,100"]
    assert page.index("Misread") < page.index("charlie-spring")
    assert "Times in Asia/Hong_Kong" in text(signed_in(spring.bob).get(address("results:table", spring)))


def test_the_table_offers_what_the_role_may_do(spring):
    def offered(person) -> set[str]:
        page = signed_in(person).get(address("results:table", spring)).content.decode()
        found = {
            name
            for name in ("results:correct", "results:void", "results:confirm")
            if f'{address(name, spring)}"' in page
        }
        return found | ({"enter"} if f"{address('results:enter_round', spring)}?table=1" in page else set())

    assert offered(spring.charlie) == {"enter"}
    assert offered(spring.bob) == offered(spring.dora) == set()
    spring.record(POINTS)
    assert offered(spring.charlie) == {"results:correct", "results:void"}  # who entered it cannot confirm it
    assert offered(spring.alice) == {"results:correct", "results:void", "results:confirm"}
    assert offered(spring.bob) == {"results:confirm"}
    assert offered(spring.dora) == set()
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert offered(spring.charlie) == set()


# --- correct, void, confirm


def test_a_correction_starts_from_the_saved_numbers_and_wants_a_reason(spring, charlie):
    record_result(
        table=spring.table(), points=(-5200, 42000, 31200, 50000), sticks=2000, based_on=0, by=spring.charlie
    )
    page = charlie.get(address("results:correct", spring))
    assert typed_values(page) == {
        "east": "-52",
        "south": "420",
        "west": "312",
        "north": "500",
        "sticks": "2",
        "reason": "",
    }
    form = filled(spring, east="-52", south="410", west="322", north="500", sticks="2")
    answer = charlie.post(address("results:correct", spring), form)
    assert answer.status_code == 422
    assert "Give a reason for the correction, for example" in text(answer)
    assert typed_values(answer)["south"] == "410"
    answer = charlie.post(
        address("results:correct", spring), form | {"reason": "typed 420 for 410"}, follow=True
    )
    assert answer.redirect_chain == [(address("results:table", spring), 302)]
    assert "Table 1 corrected" in text(answer)
    assert sheets()[-1] == (1, 2, (-5200, 41000, 32200, 50000), 2000, True)


def test_a_correction_that_changes_nothing_is_refused(spring, charlie):
    spring.record(POINTS)
    answer = charlie.post(address("results:correct", spring), filled(spring, reason="Just so"))
    assert answer.status_code == 422
    assert "Nothing to correct" in text(answer)


@pytest.mark.parametrize("reason", ["x" * 301, "bad\x00", "bad\x1b[0m", "   "])
def test_a_bad_reason_is_refused_and_the_numbers_kept(spring, charlie, reason):
    spring.record(POINTS)
    for name in ("results:correct", "results:void"):
        answer = charlie.post(address(name, spring), filled(spring, east="297", north="341", reason=reason))
        assert answer.status_code == 422
    assert len(sheets()) == 1


def test_a_table_without_a_sheet_has_nothing_to_correct_or_void(spring, charlie):
    assert (
        charlie.get(address("results:correct", spring))["Location"]
        == address("results:enter_round", spring) + "?table=1"
    )
    assert charlie.get(address("results:void", spring))["Location"] == address("results:table", spring)


def test_a_void_result_counts_no_more_and_can_be_entered_again(spring, charlie):
    spring.record(POINTS)
    form = {"key": uuid.uuid4(), "based_on": 1}
    answer = charlie.post(address("results:void", spring), form)
    assert answer.status_code == 422
    assert "Give a reason for voiding the result." in text(answer)
    for _twice in range(2):
        answer = charlie.post(address("results:void", spring), form | {"reason": "Wrong wall"}, follow=True)
        assert "Result of table 1 voided." in text(answer)
    assert "This result is void and does not count: Wrong wall" in text(
        Client().get(address("results:table", spring))
    )
    assert [s.status for s in Sheet.objects.order_by("version")] == ["entered", "void"]
    answer = charlie.post(
        address("results:correct", spring), filled(spring, reason="It was fine"), follow=True
    )
    assert "Table 1 corrected" in text(answer)
    assert Sheet.objects.get(is_current=True).status == "entered"


def test_voiding_a_sheet_that_changed_meanwhile_shows_the_new_one_first(spring, charlie):
    spring.record(POINTS)
    record_result(
        table=spring.table(),
        points=(29700, 31200, 25000, 34100),
        based_on=1,
        by=spring.alice,
        reason="Misread",
    )
    form = {"key": uuid.uuid4(), "based_on": 1, "reason": "Wrong wall"}
    answer = charlie.post(address("results:void", spring), form)
    assert answer.status_code == 422
    assert "29,700" in text(answer)
    assert 'value="Wrong wall"' in answer.content.decode()
    assert 'name="based_on" value="2"' in answer.content.decode()
    assert Sheet.objects.get(is_current=True).status == "entered"
    assert charlie.post(address("results:void", spring), form | {"based_on": 2}).status_code == 302


def test_a_second_person_confirms(spring):
    spring.record(POINTS)
    form = {"key": uuid.uuid4(), "based_on": 1}
    refused = signed_in(spring.charlie).post(address("results:confirm", spring), form, follow=True)
    assert "You entered this score sheet. Ask a second person to confirm it." in text(refused)
    assert Sheet.objects.get().status == "entered"
    for _twice in range(2):
        confirmed = signed_in(spring.bob).post(
            address("results:confirm", spring), form | {"key": form["key"]}, follow=True
        )
        assert "Table 1 confirmed." in text(confirmed)
    sheet = Sheet.objects.get()
    assert (sheet.status, sheet.confirmed_by) == ("confirmed", spring.bob)
    assert "confirmed by bob-spring" in text(signed_in(spring.bob).get(address("results:table", spring)))


def test_where_results_count_after_confirmation_each_person_reads_what_waits_for_whom(spring, charlie):
    for number in (1, 2):
        spring.record(POINTS, number=number)
    assert "tables await confirmation and do not count yet" not in text(
        charlie.get(address("results:enter_round", spring))
    )
    assert "awaiting confirmation" not in text(charlie.get(address("results:table", spring)))
    update_competition(competition=spring.competition, values={"counting": "confirmed"}, by=spring.alice)
    assert "2 tables await confirmation and do not count yet" in text(
        charlie.get(address("results:enter_round", spring))
    )
    assert "You entered this score sheet" in text(charlie.get(address("results:table", spring)))
    bob = signed_in(spring.bob)
    assert "This result does not count yet" in text(bob.get(address("results:table", spring)))
    confirm_result(table=spring.table(), based_on=1, by=spring.bob)
    assert "1 table awaits confirmation" in text(charlie.get(address("results:enter_round", spring)))
    board = signed_in(spring.alice).get(reverse("competitions:manage", args=(spring.slug,)))
    assert "2 of 2 tables awaiting confirmation: 1" in text(board)
    assert "awaiting confirmation" not in text(bob.get(address("results:table", spring)))


def test_a_sheet_that_changed_meanwhile_is_not_confirmed_unseen(spring):
    spring.record(POINTS)
    form = {"key": uuid.uuid4(), "based_on": 1}
    record_result(
        table=spring.table(),
        points=(29700, 31200, 25000, 34100),
        based_on=1,
        by=spring.charlie,
        reason="Misread",
    )
    answer = signed_in(spring.bob).post(address("results:confirm", spring), form, follow=True)
    assert "This table has been saved again" in text(answer)
    assert Sheet.objects.get(is_current=True).status == "entered"
    assert "This form was incomplete" in text(
        signed_in(spring.bob).post(address("results:confirm", spring), {}, follow=True)
    )


def test_a_sheet_that_came_after_an_undo_is_not_confirmed_unseen(spring):
    saved = spring.record(POINTS)
    bob = signed_in(spring.bob)
    seen = fields(bob.get(address("results:table", spring)))
    undo_result(table=spring.table(), based_on=1, by=spring.charlie, at=saved.entered_at)
    spring.record((29700, 31200, 25000, 34100))
    answer = bob.post(address("results:confirm", spring), seen, follow=True)
    assert "This table has been saved again" in text(answer)
    assert Sheet.objects.get().status == "entered"


# --- who may


WRITING = ("results:enter_round", "results:correct", "results:void")


@pytest.mark.parametrize("name", [*WRITING, "results:preview"])
def test_only_scorers_and_organizers_type_sheets(spring, name):
    spring.record(POINTS)
    mallory = user("mallory")
    other = club("other")
    for person in (spring.charlie, spring.alice):
        assert signed_in(person).get(address(name, spring)).status_code == 200
    for person in (spring.bob, spring.dora, mallory, other.alice, other.charlie):
        assert signed_in(person).get(address(name, spring)).status_code == 403
        if name != "results:preview":
            assert signed_in(person).post(address(name, spring), filled(spring)).status_code == 403
    visitor = Client().get(address(name, spring))
    assert (visitor.status_code, visitor["Location"].partition("?")[0]) == (302, reverse("login"))
    assert len(sheets()) == 1


def test_only_staff_confirm(spring):
    spring.record(POINTS)
    form = {"key": uuid.uuid4(), "based_on": 1}
    for person in (spring.dora, user("mallory"), club("other").alice):
        assert signed_in(person).post(address("results:confirm", spring), form).status_code == 403
    assert Client().post(address("results:confirm", spring), form).status_code == 302
    assert Sheet.objects.get().status == "entered"


@pytest.mark.parametrize(
    "name",
    [
        "results:enter_round",
        "results:preview",
        "results:table",
        "results:correct",
        "results:void",
        "results:confirm",
    ],
)
def test_an_id_of_another_competition_is_not_found(spring, name):
    other = club("other")
    other.add_round()
    other.record(POINTS)
    pk = other.rounds[0].pk if name in {"results:enter_round", "results:preview"} else other.table().pk
    for number in (pk, 10**30):
        page = reverse(name, args=(spring.slug, number))
        client = signed_in(spring.alice)
        answer = client.post(page, filled(spring)) if name == "results:confirm" else client.get(page)
        assert answer.status_code == 404
        if name in WRITING:
            assert client.post(page, filled(spring)).status_code == 404
    assert len(sheets()) == 1


def test_pages_refuse_the_wrong_method(spring, charlie):
    spring.record(POINTS)
    before = AuditEntry.objects.count()
    for name in ("results:table", "results:preview"):
        assert charlie.post(address(name, spring)).status_code == 405
    assert charlie.post(reverse("results:enter", args=(spring.slug,))).status_code == 405
    assert charlie.get(address("results:confirm", spring)).status_code == 405
    assert charlie.put(address("results:enter_round", spring)).status_code == 405
    assert AuditEntry.objects.count() == before


def test_the_public_page_of_a_table_holds_no_form_and_no_token(spring):
    spring.record(POINTS)
    page = Client().get(address("results:table", spring)).content.decode()
    assert "csrfmiddlewaretoken" not in page
    assert (
        "csrfmiddlewaretoken" in signed_in(spring.bob).get(address("results:table", spring)).content.decode()
    )


def test_a_private_competition_hides_its_tables(spring):
    spring.record(POINTS)
    assert Client().get(address("results:table", spring)).status_code == 200
    spring.competition.visibility = "private"
    spring.competition.save()
    assert Client().get(address("results:table", spring)).status_code == 404
    assert signed_in(spring.dora).get(address("results:table", spring)).status_code == 200


def test_names_are_shown_as_text(spring, charlie):
    spring.players[0].name = "<b>=1+1</b>"
    spring.players[0].save()
    spring.record(POINTS)
    for name in ("results:enter_round", "results:table", "results:correct", "results:void"):
        page = charlie.get(address(name, spring)).content.decode()
        assert "&lt;b&gt;=1+1&lt;/b&gt;" in page
        assert "<b>=1+1" not in page
