"""The page of a table: its sheets settled, corrected, voided and confirmed."""

import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Round, Sheet
from league.organizing.competitions.services import update_competition
from league.play.results.services import confirm_result, record_result
from league.play.rounds.services import close_round, set_visibility
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, as_seen, club, sheet_id, signed_in
from tests.league.play.entry.sheets import POINTS, address, filled, sheets, typed_values
from tests.module_fixtures import module_fixture
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


def correct_sheet(spring: Club, *, by: User) -> None:
    """East had 1,000 more than was typed, and north as much less."""
    points = (29700, 31200, 25000, 34100)
    record_result(**as_seen(spring.table()), points=points, by=by, reason="Misread")


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


def test_hidden_results_are_announced_to_the_public_and_marked_for_staff(spring):
    spring.record(POINTS)
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    said = text(Client().get(address("results:table", spring)))
    assert "陳大文" in said
    assert "The seating is published. Results follow." in said
    staff = text(signed_in(spring.bob).get(address("results:table", spring)))
    assert "28,700" in staff
    assert "Only staff can see this result" in staff


def test_penalties_are_shown_at_their_table_and_revoked_ones_say_so(spring):
    player = spring.players[0].pk
    where = {"stage": spring.stage, "table": spring.table(), "player_id": player, "by": spring.bob}
    log_penalty(score=-20, level="2", infraction="A-II", **where)
    second = log_penalty(score=-30, reason="Noise", **where)
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
    correct_sheet(spring, by=spring.alice)
    second = Client().get(address("results:table", spring), headers={"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    assert "29,700" in text(second)


def test_history_marks_what_each_version_changed(spring):
    spring.record(POINTS)
    correct_sheet(spring, by=spring.alice)
    page = (
        signed_in(spring.bob)
        .get(address("results:table", spring))
        .content.decode()
        .partition("sheet-history")[2]
    )
    assert re.findall(r'sheet-changed">([^<]*)<', page) == ["29,700", "34,100"]
    assert page.index("Misread") < page.index("charlie-spring")
    assert "Times are in Hong Kong" in text(signed_in(spring.bob).get(address("results:table", spring)))


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


@pytest.mark.parametrize(
    ("language", "label"), [("ja", "訂正の理由"), ("zh-hant", "更正的理由"), ("zh-hans", "更正的原因")]
)
def test_a_correction_asks_for_its_own_reason_in_every_language(spring, charlie, language, label):
    spring.record(POINTS)
    charlie.cookies["django_language"] = language

    assert label in text(charlie.get(address("results:correct", spring)))


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
    form = {"key": uuid.uuid4(), "based_on": sheet_id(spring.table())}
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
    form = {"key": uuid.uuid4(), "based_on": spring.record(POINTS).pk, "reason": "Wrong wall"}
    correct_sheet(spring, by=spring.alice)
    answer = charlie.post(address("results:void", spring), form)
    assert answer.status_code == 422
    assert "29,700" in text(answer)
    assert 'value="Wrong wall"' in answer.content.decode()
    assert f'name="based_on" value="{sheet_id(spring.table())}"' in answer.content.decode()
    assert Sheet.objects.get(is_current=True).status == "entered"
    form["based_on"] = sheet_id(spring.table())
    assert charlie.post(address("results:void", spring), form).status_code == 302


def test_a_second_person_confirms(spring):
    form = {"key": uuid.uuid4(), "based_on": spring.record(POINTS).pk}
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
    confirm_result(**as_seen(spring.table()), by=spring.bob)
    assert "1 table awaits confirmation" in text(charlie.get(address("results:enter_round", spring)))
    board = signed_in(spring.alice).get(reverse("competitions:manage", args=(spring.slug,)))
    assert "2 of 2 tables awaiting confirmation: 1" in text(board)
    assert "awaiting confirmation" not in text(bob.get(address("results:table", spring)))


def test_a_sheet_that_changed_meanwhile_is_not_confirmed_unseen(spring):
    form = {"key": uuid.uuid4(), "based_on": spring.record(POINTS).pk}
    correct_sheet(spring, by=spring.charlie)
    answer = signed_in(spring.bob).post(address("results:confirm", spring), form, follow=True)
    assert "This table has been saved again" in text(answer)
    assert Sheet.objects.get(is_current=True).status == "entered"
    assert "This form was incomplete" in text(
        signed_in(spring.bob).post(address("results:confirm", spring), {}, follow=True)
    )


# --- who may


WRITING = ("results:enter_round", "results:correct", "results:void")


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
