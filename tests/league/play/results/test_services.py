"""Score sheets in the database: versions, races, submissions that come twice, and nothing half saved.

The tests with threads run outside a transaction, on whichever database DATABASE_URL names.
"""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Conflict, Refused
from league.models import AuditEntry, Competition, Division, Penalty, Round, Seat, Sheet, Submission
from league.organizing.competitions.services import preset_rules
from league.organizing.division_rules.services import change_rules
from league.play.results.services import confirm_result, describe, record_result, undo_result, void_result
from league.play.rounds.services import close_round, delete_round, open_round, seat_players
from league.ranking.standings.queries.standings import standings
from tests.factories import Club, as_seen, club
from tests.races import at_once

POINTS = (28700, 31200, 25000, 35100)
OTHER = (29700, 31200, 25000, 34100)


@pytest.fixture
def spring(db) -> Club:
    made = club()
    made.add_round()
    return made


def facts() -> dict[str, object]:
    """Everything that a failed change must leave as it was."""
    return {
        "sheets": list(
            Sheet.objects.order_by("table", "version").values_list("table", "version", "status", "is_current")
        ),
        "audit": AuditEntry.objects.count(),
        "submissions": Submission.objects.count(),
        "revisions": list(Competition.objects.order_by("pk").values_list("pk", "revision")),
        "penalties": Penalty.objects.count(),
    }


# --- recording


def test_a_recorded_sheet_is_version_one_with_its_audit_entry_and_a_new_revision(spring):
    revision = spring.competition.revision
    sheet = record_result(
        table=spring.table(), points=(28700, 31200, 25000, 34100), sticks=1000, based_on=0, by=spring.charlie
    )
    kept = Sheet.objects.get()
    assert (kept.pk, kept.version, kept.is_current, kept.status) == (sheet.pk, 1, True, "entered")
    assert (kept.points, kept.sticks, kept.total) == ((28700, 31200, 25000, 34100), 1000, 120000)
    assert (kept.entered_by, kept.confirmed_by, kept.reason) == (spring.charlie, None, "")
    entry = AuditEntry.objects.order_by("-sequence").first()
    assert (entry.action, entry.target, entry.actor) == (
        "result.record",
        f"table:{spring.table().pk}",
        spring.charlie,
    )
    assert (entry.before, entry.after) == (None, describe(sheet))
    assert Competition.objects.get().revision > revision


def test_a_correction_is_the_next_version_and_keeps_the_one_before(spring):
    spring.record(POINTS)
    record_result(**as_seen(spring.table()), points=OTHER, by=spring.alice, reason="  typed 287 for 297 ")
    found = [
        (s.version, s.points, s.is_current, s.reason, s.entered_by) for s in Sheet.objects.order_by("version")
    ]
    assert found == [
        (1, POINTS, False, "", spring.charlie),
        (2, OTHER, True, "typed 287 for 297", spring.alice),
    ]
    entry = AuditEntry.objects.order_by("-sequence").first()
    assert entry.before["points"] == list(POINTS)
    assert entry.after["points"] == list(OTHER)


@pytest.mark.parametrize(
    ("points", "sticks", "sentence"),
    [
        ((28700, 31200, 25000, 34100), 0, "1,000 missing"),
        ((28700, 31200, 25000, 36100), 0, "1,000 too much"),
        ((28750, 31150, 25000, 35100), 0, "multiples of 100"),
        ((28700, 31200, 25000, 34600), 500, "multiples of 1,000"),
        ((28700, 31200, 25000, 36100), -1000, "cannot be negative"),
        ((287, 312, 250, 351), 0, "missing"),
    ],
)
def test_an_impossible_sheet_is_refused_in_words_and_nothing_saved(spring, points, sticks, sentence):
    before = facts()
    with pytest.raises(Refused, match=sentence):
        record_result(table=spring.table(), points=points, sticks=sticks, based_on=0, by=spring.charlie)
    assert facts() == before


def test_the_database_itself_refuses_points_that_do_not_add_up(spring):
    sheet = spring.record(POINTS)
    sheet.east += 100
    with pytest.raises(DatabaseError, match="points_and_deposits_add_up"):
        sheet.save()


def test_a_correction_wants_a_reason_and_a_difference(spring):
    spring.record(POINTS)
    before = facts()
    with pytest.raises(Refused, match="Give a reason for the correction, for example") as refusal:
        record_result(**as_seen(spring.table()), points=OTHER, by=spring.alice, reason=" ")
    assert refusal.value.field == "reason"
    with pytest.raises(Refused, match="Nothing to correct"):
        record_result(**as_seen(spring.table()), points=POINTS, by=spring.alice, reason="Just so")
    assert facts() == before


def test_a_round_that_is_not_open_takes_no_sheet(spring):
    spring.add_round(opened=False)
    with pytest.raises(Refused, match="has not started yet"):
        spring.record(POINTS, round_number=2)
    spring.record(POINTS)
    close_round(round_=spring.rounds[0], by=spring.alice)
    before = facts()
    with pytest.raises(Refused, match="This round is closed"):
        spring.record(POINTS, number=2)
    with pytest.raises(Refused, match="This round is closed"):
        record_result(**as_seen(spring.table()), points=OTHER, by=spring.alice, reason="Late")
    with pytest.raises(Refused, match="This round is closed"):
        void_result(**as_seen(spring.table()), by=spring.alice, reason="Late")
    assert facts() == before
    open_round(round_=spring.rounds[0], by=spring.alice)
    spring.record(POINTS, number=2)
    assert Sheet.objects.count() == 2


def test_a_round_that_was_closed_after_the_page_was_opened_takes_no_sheet(spring):
    table = spring.table()
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert table.round.status == Round.Status.OPEN  # as the page knew it
    with pytest.raises(Refused, match="This round is closed"):
        record_result(table=table, points=POINTS, based_on=0, by=spring.charlie)
    assert Sheet.objects.count() == 0


def test_a_sheet_is_checked_under_the_rules_that_came_after_the_page_was_opened(spring):
    table = spring.table()
    rules = preset_rules("hkma-a-2025-04", {"start_points": 25000, "return_points": 30000}, by=spring.alice)
    change_rules(division=spring.division, to=rules, by=spring.alice)
    with pytest.raises(Refused, match="20,000 too much"):
        record_result(table=table, points=POINTS, based_on=0, by=spring.charlie)


def test_a_table_that_is_gone_is_refused_not_broken(spring):
    table = spring.table()
    delete_round(round_=spring.rounds[0], by=spring.alice)
    with pytest.raises(Refused, match="This was deleted or replaced"):
        record_result(table=table, points=POINTS, based_on=0, by=spring.charlie)


def test_a_table_of_a_competition_that_a_file_has_just_replaced_takes_no_sheet(spring):
    table = spring.table()
    Competition.objects.filter(pk=spring.competition.pk).update(is_draft=True)
    rest = spring.competition
    rest.pk, rest.slug, rest._state.adding = None, "replaced", True
    rest.save()
    Division.objects.update(competition=rest)
    Competition.with_drafts.filter(slug="spring").update(is_draft=False)
    with pytest.raises(Refused, match="deleted"):
        record_result(table=table, points=POINTS, based_on=0, by=spring.charlie)
    assert Sheet.objects.count() == 0


def test_scores_go_only_to_the_people_whom_the_page_showed(spring):
    ids = [player.pk for player in spring.players]
    seat_players(round_=spring.rounds[0], tables={1: ids[4:], 2: ids[:4]}, by=spring.alice)
    before = facts()
    with pytest.raises(Refused, match="seating of this table has changed"):
        record_result(table=spring.table(), points=POINTS, based_on=0, seated=ids[:4], by=spring.charlie)
    assert facts() == before
    record_result(table=spring.table(), points=POINTS, based_on=0, seated=ids[4:], by=spring.charlie)


def test_a_table_with_an_empty_seat_takes_no_sheet(spring):
    Seat.objects.filter(table=spring.table(), wind=3).delete()
    with pytest.raises(Refused, match="empty seat"):
        spring.record(POINTS)


# --- sent twice


def test_a_refused_form_may_come_again_with_its_key(spring):
    key = uuid.uuid4()
    with pytest.raises(Refused):
        record_result(
            table=spring.table(), points=(0, 0, 0, 0), based_on=0, by=spring.charlie, form=Sent.of(key, 1)
        )
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.charlie, form=Sent.of(key, 2))
    assert Sheet.objects.count() == 1


# --- conflicts


@pytest.mark.parametrize("based_on", [0, 10**30, "undone"])
def test_a_sheet_based_on_another_one_is_a_conflict_that_shows_the_saved_one(spring, based_on):
    undone = spring.record(OTHER)
    seen = undone.pk if based_on == "undone" else based_on
    undo_result(**as_seen(spring.table()), by=spring.charlie, at=undone.entered_at)
    saved = spring.record(POINTS)
    assert saved.version == undone.version
    before = facts()
    with pytest.raises(Conflict) as conflict:
        record_result(table=spring.table(), points=OTHER, based_on=seen, by=spring.alice, reason="Mine")
    assert conflict.value.current == saved
    with pytest.raises(Conflict):
        void_result(table=spring.table(), based_on=seen, by=spring.alice, reason="Mine")
    with pytest.raises(Conflict):
        confirm_result(table=spring.table(), based_on=seen, by=spring.alice)
    assert facts() == before


def test_a_sheet_of_a_table_that_has_none_is_a_conflict_with_nothing(spring):
    with pytest.raises(Conflict) as conflict:
        record_result(table=spring.table(), points=OTHER, based_on=1, by=spring.alice, reason="Mine")
    assert conflict.value.current is None


# --- void and confirm


def test_a_sheet_is_undone_for_fifteen_seconds(spring):
    sheet = spring.record(POINTS)
    late = {"table": spring.table(), "based_on": sheet.pk, "by": spring.charlie}
    with pytest.raises(Refused, match="Too late to undo"):
        undo_result(**late, at=sheet.entered_at + timedelta(seconds=15, microseconds=1))
    undo_result(**late, at=sheet.entered_at + timedelta(seconds=15))
    assert not Sheet.objects.exists()


def test_a_void_result_leaves_the_standings_and_comes_back_when_entered_again(spring):
    def games() -> int:
        spring.stage.division.competition.refresh_from_db()
        return standings(spring.stage, public=True).games

    spring.record(POINTS)
    assert games() == 4
    with pytest.raises(Refused, match="Give a reason for voiding the result"):
        void_result(**as_seen(spring.table()), reason=" ", by=spring.alice)
    void = void_result(**as_seen(spring.table()), reason="Wrong wall", by=spring.alice)
    assert (void.version, void.status, void.points, void.reason) == (2, "void", POINTS, "Wrong wall")
    assert games() == 0
    with pytest.raises(Refused, match="no result to void"):
        void_result(**as_seen(spring.table()), reason="Again", by=spring.alice)
    record_result(**as_seen(spring.table()), points=POINTS, by=spring.alice, reason="It was fine")
    assert games() == 4


def test_a_table_without_a_sheet_has_nothing_to_void_or_confirm(spring):
    with pytest.raises(Refused, match="no result to void"):
        void_result(table=spring.table(), based_on=0, reason="Why", by=spring.alice)
    with pytest.raises(Refused, match="This table has no score sheet awaiting confirmation"):
        confirm_result(table=spring.table(), based_on=0, by=spring.alice)


def test_a_second_person_confirms_and_the_first_cannot(spring):
    spring.record(POINTS)
    before = facts()
    with pytest.raises(Refused, match="You entered this score sheet"):
        confirm_result(**as_seen(spring.table()), by=spring.charlie)
    assert facts() == before
    confirm_result(**as_seen(spring.table()), by=spring.bob)
    sheet = Sheet.objects.get()
    assert (sheet.version, sheet.status, sheet.confirmed_by) == (1, "confirmed", spring.bob)
    assert sheet.confirmed_at is not None
    with pytest.raises(Refused, match="This table has no score sheet awaiting confirmation"):
        confirm_result(**as_seen(spring.table()), by=spring.alice)


def test_the_database_itself_refuses_who_confirms_their_own_sheet(spring):
    sheet = spring.record(POINTS)
    sheet.status, sheet.confirmed_by, sheet.confirmed_at = "confirmed", spring.charlie, sheet.entered_at
    with pytest.raises(DatabaseError, match="confirmed_by_a_second_person"):
        sheet.save()


def test_a_corrected_sheet_waits_for_confirmation_again(spring):
    spring.record(POINTS)
    confirm_result(**as_seen(spring.table()), by=spring.bob)
    record_result(**as_seen(spring.table()), points=OTHER, by=spring.charlie, reason="Misread")
    found = [(s.version, s.status, s.confirmed_by) for s in Sheet.objects.order_by("version")]
    assert found == [(1, "confirmed", spring.bob), (2, "entered", None)]


# --- one transaction


REFUSE_AUDIT = {
    "sqlite": [
        "CREATE TRIGGER no_audit BEFORE INSERT ON league_auditentry BEGIN SELECT RAISE(ABORT, 'full'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION no_audit() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RAISE EXCEPTION 'full'; END $$",
        "CREATE TRIGGER no_audit BEFORE INSERT ON league_auditentry FOR EACH ROW EXECUTE FUNCTION no_audit()",
    ],
}
ALLOW_AUDIT = {
    "sqlite": ["DROP TRIGGER no_audit"],
    "postgresql": ["DROP TRIGGER no_audit ON league_auditentry", "DROP FUNCTION no_audit"],
}


def run(statements: dict[str, list[str]]) -> None:
    with connection.cursor() as cursor:
        for statement in statements[connection.vendor]:
            cursor.execute(statement)


@pytest.mark.django_db(transaction=True)
def test_without_its_audit_entry_no_sheet_is_saved():
    spring = club()
    spring.add_round()
    spring.record(POINTS)
    before = facts()
    run(REFUSE_AUDIT)
    try:
        for write in (
            lambda: spring.record(POINTS, number=2),
            lambda: record_result(**as_seen(spring.table()), points=OTHER, by=spring.alice, reason="Misread"),
            lambda: void_result(**as_seen(spring.table()), by=spring.alice, reason="Wrong wall"),
            lambda: confirm_result(**as_seen(spring.table()), by=spring.bob),
        ):
            with pytest.raises(DatabaseError, match="full"):
                write()
        assert facts() == before
    finally:
        run(ALLOW_AUDIT)
    spring.record(POINTS, number=2)
    assert facts()["audit"] == before["audit"] + 1


# --- at once


@pytest.mark.django_db(transaction=True)
def test_one_submission_sent_twenty_times_at_once_is_one_sheet():
    spring = club()
    spring.add_round()
    before = facts()
    form = Sent.of(uuid.uuid4(), "sheet", list(POINTS))
    table = spring.table()

    def send() -> Sheet:
        return record_result(table=table, points=POINTS, based_on=0, by=spring.charlie, form=form)

    outcomes = at_once(*[send] * 20)
    sheet = Sheet.objects.get()
    assert [outcome for outcome in outcomes if isinstance(outcome, Sheet)] == [sheet]
    repeats = [outcome.answer for outcome in outcomes if isinstance(outcome, AlreadyDone)]
    assert repeats == [{"sheet": sheet.pk}] * 19
    after = facts()
    assert after["audit"] == before["audit"] + 1
    assert after["submissions"] == 1
    assert Competition.objects.get().revision == dict(before["revisions"])[spring.competition.pk] + 1


@pytest.mark.django_db(transaction=True)
def test_of_two_people_who_save_one_table_at_once_one_wins_and_the_other_sees_it():
    spring = club()
    spring.add_round()
    table = spring.table()
    for version in range(6):
        sheets = [
            (30000 + 100 * n, 30000 - 100 * n, 30000 + 100 * version, 30000 - 100 * version) for n in (1, 2)
        ]
        now = as_seen(table)
        outcomes = at_once(*(
            lambda points=points, by=by, seen=now: record_result(
                **seen, points=points, by=by, reason="Again"
            )
            for points, by in zip(sheets, (spring.alice, spring.charlie), strict=True)
        ))  # fmt: skip
        winners = [outcome for outcome in outcomes if isinstance(outcome, Sheet)]
        losers = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
        assert (len(winners), len(losers)) == (1, 1)
        assert losers[0].current == winners[0]
        assert Sheet.objects.get(is_current=True) == winners[0]
    assert list(Sheet.objects.order_by("version").values_list("version", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.django_db(transaction=True)
def test_a_sheet_and_the_closing_of_its_round_do_not_cross():
    spring = club(players=12)
    made = spring.add_round()
    works: list[Callable[[], object]] = [
        lambda number=number: spring.record(POINTS, number=number) for number in (1, 2, 3)
    ]
    outcomes = at_once(*works, lambda: close_round(round_=made, by=spring.alice))
    saved = [outcome for outcome in outcomes if isinstance(outcome, Sheet)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert (len(saved) + len(refused), Sheet.objects.count()) == (3, len(saved))
    assert Round.objects.get().status == "closed"
    # In the audit log every sheet comes before the closing.
    actions = list(AuditEntry.objects.order_by("sequence").values_list("action", flat=True))
    assert actions[-1] == "round.close"
