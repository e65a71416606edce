"""Score sheets from the tables: proposed, signed, objected to, approved, corrected; what each refuses."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Call, Dispute, Penalty, Proposal, Role, Sheet, Signature
from league.organizing.competitions.services import create_competition, update_competition
from league.play.disputes.services import open_dispute
from league.play.results.proposals import OtherProposal, approve_sheets, object_to, take_over_signatures
from league.play.results.queries.proposals import has_signatures, proposals_of
from league.play.results.services import record_result, undo_result, void_result
from league.play.rounds.services import close_round
from league.ranking.standings.queries.standings import standings
from tests.factories import Club, as_seen, club, last_entry, revision
from tests.league.play.entry.at_table import OTHER, POINTS, propose, seen, sign_seat, signing_club
from tests.module_fixtures import module_fixture
from tests.shown import key

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    return signing_club()


def state(made: Club) -> str:
    return proposals_of([made.table()])[made.table().pk].state


def asks(made: Club, **values: object) -> None:
    update_competition(competition=made.competition, values=values, by=made.alice)


def approve(made: Club, by=None, **options):
    return approve_sheets(round_=made.rounds[0], proposals=[seen(made)], by=by or made.charlie, **options)


def object_seat(made: Club, wind: int = 1, **options):
    usual = {"table": made.table(), "proposal": seen(made), "wind": wind, "how": "phone", "by": None}
    return object_to(**usual | {"player": made.players[wind]} | options)


# --- the rule book's default


@pytest.mark.parametrize(
    ("preset", "signers"),
    [("hkma-a-2025-04", "four"), ("hkma-b-legacy", "four"), ("wrc-2025", "staff"), ("tenhou", "none")],
)
def test_a_new_competition_asks_for_the_signatures_of_its_rule_book(preset, signers):
    assert club("autumn", preset=preset).competition.signatures == signers


def test_an_edition_of_house_rules_keeps_what_its_origin_asks_for(spring):
    rules = spring.division.rule_set
    made = create_competition(league=spring.league, name="Autumn", rules=rules, by=spring.alice)
    assert made.signatures == "four"


# --- with all signatures


def test_a_sheet_counts_in_the_moment_of_its_last_signature(spring):
    propose(spring)
    assert (state(spring), Sheet.objects.count()) == ("typed", 0)
    for wind in (2, 0, 3):
        sign_seat(spring, wind)
    assert (state(spring), Sheet.objects.count()) == ("typed", 0)
    before = revision(spring.competition)

    sign_seat(spring, 1)

    sheet = Sheet.objects.get()
    assert (sheet.points, sheet.status, sheet.confirmed_by, sheet.entered_by) == (
        POINTS,
        "confirmed",
        None,
        None,
    )
    assert sheet.confirmed_at is not None
    assert Proposal.objects.get().sheet == sheet
    assert state(spring) == "recorded"
    assert revision(spring.competition) > before
    counted = standings(spring.stage, public=True)
    assert (counted.tables, counted.rows[0].player.name) == (1, spring.players[0].name)


def test_a_proposal_shows_nowhere_and_moves_no_public_page(spring):
    before = revision(spring.competition)
    propose(spring)
    sign_seat(spring, 0)
    object_seat(spring)
    assert revision(spring.competition) == before


def test_a_signed_sheet_waits_for_staff_if_the_competition_says_so(spring):
    asks(spring, signed_counts=False)
    propose(spring)
    for wind in range(4):
        sign_seat(spring, wind)
    assert (state(spring), Sheet.objects.count()) == ("signed", 0)

    assert approve(spring) == {"approved": [1], "left": []}

    sheet = Sheet.objects.get()
    assert (sheet.status, sheet.confirmed_by, sheet.points) == ("confirmed", spring.charlie, POINTS)


def test_many_sheets_are_approved_with_one_press_and_the_others_are_left(spring):
    asks(spring, signatures="none", signed_counts=False)
    first = propose(spring)
    other = propose(spring, table=spring.table(number=2), player=spring.players[4])
    object_to(
        table=spring.table(number=2),
        proposal=other.pk,
        wind=0,
        how="phone",
        by=None,
        player=spring.players[4],
    )
    found = approve_sheets(round_=spring.rounds[0], proposals=[first.pk, other.pk], by=spring.charlie)
    assert found == {"approved": [1], "left": [2]}
    assert [sheet.table.number for sheet in Sheet.objects.all()] == [1]


@pytest.mark.parametrize(
    ("asked", "signed", "complete"),
    [
        ("none", set(), True),
        ("four", {0, 1, 2}, False),
        ("four", {0, 1, 2, 3}, True),
        ("winner", {1, 2}, False),
        ("winner", {0}, False),
        ("winner", {0, 3}, True),
        ("staff", {0, 1, 2, 3}, False),
        ("staff", {None}, True),
    ],
)
def test_who_has_to_sign(asked, signed, complete):
    assert has_signatures(asked, signed, {0}) == complete


def test_each_of_two_shared_winners_is_the_winner():
    assert has_signatures("winner", {1, 3}, {0, 1})


def test_a_competition_without_signatures_takes_what_is_typed_at_once_or_after_approval(spring):
    asks(spring, signatures="none")
    propose(spring)
    assert Sheet.objects.get().status == "confirmed"
    asks(spring, signed_counts=False)
    propose(spring, table=spring.table(number=2), player=spring.players[4])
    assert Sheet.objects.count() == 1


def test_a_referee_signs_where_the_rule_book_asks_for_staff(spring):
    asks(spring, signatures="staff")
    propose(spring)
    with pytest.raises(Refused, match="a referee or staff member signs"):
        sign_seat(spring, 0)
    sign_seat(spring, None, how="staff", by=spring.bob)
    assert Sheet.objects.get().status == "confirmed"


def test_staff_sign_for_a_player_who_left_with_a_reason(spring):
    propose(spring)
    for wind in range(3):
        sign_seat(spring, wind)
    with pytest.raises(Refused, match="Give the reason"):
        sign_seat(spring, 3, how="staff", by=spring.bob)
    made = sign_seat(spring, 3, how="staff", by=spring.bob, reason="went home")
    assert (made.user, made.reason) == (spring.bob, "went home")
    assert Sheet.objects.get().status == "confirmed"
    assert last_entry(spring.competition).action == "result.record"


# --- what is refused


def test_two_phones_that_type_different_sheets_meet(spring):
    first = propose(spring, based_on=0)
    with pytest.raises(OtherProposal) as found:
        propose(spring, OTHER, based_on=0, player=spring.players[1])
    assert found.value.current == first
    second = propose(spring, OTHER, based_on=first.pk, player=spring.players[1])
    first.refresh_from_db()
    assert (first.is_current, second.is_current, second.number) == (False, True, 2)


def test_two_phones_that_type_the_same_sheet_are_one(spring):
    first = propose(spring, based_on=0)
    assert propose(spring, based_on=0, player=spring.players[1]) == first
    assert Proposal.objects.count() == 1


def test_the_same_form_twice_is_one_proposal_and_one_signature(spring):
    form = Sent.of(key(), "sheet")
    propose(spring, form=form)
    with pytest.raises(AlreadyDone):
        propose(spring, form=Sent(form.key, form.fingerprint))
    signing = Sent.of(key(), "sign")
    sign_seat(spring, 0, form=signing)
    with pytest.raises(AlreadyDone):
        sign_seat(spring, 0, form=Sent(signing.key, signing.fingerprint))
    with pytest.raises(Refused, match="already signed"):
        sign_seat(spring, 0)
    assert (Proposal.objects.count(), Signature.objects.count()) == (1, 1)


def test_a_new_sheet_has_no_signatures_and_the_old_one_takes_none(spring):
    old = propose(spring)
    sign_seat(spring, 0)
    propose(spring, OTHER)
    assert proposals_of([spring.table()])[spring.table().pk].signed == {}
    with pytest.raises(Refused, match="has been replaced"):
        sign_seat(spring, 1, proposal=old.pk)


def test_a_sheet_for_a_table_with_a_result_is_refused(spring):
    spring.record(POINTS)
    with pytest.raises(Refused, match="already has a result"):
        propose(spring)


def test_impossible_sheets_are_refused(spring):
    for points in ((45_000, 35_000, 25_000, 16_000), (45_050, 34_950, 25_000, 15_000)):
        with pytest.raises(Refused):
            propose(spring, points)
    with pytest.raises(Refused, match="seating of this table has changed"):
        propose(spring, seated=[player.pk for player in spring.players[4:8]])
    asks(spring, takes_sheets=False)
    with pytest.raises(Refused, match="paper score sheet"):
        propose(spring)
    assert not Proposal.objects.exists()


def test_nobody_signs_who_does_not_sit_there(spring):
    propose(spring)
    for wind, player in ((0, 1), (0, 5), (3, 0)):
        with pytest.raises(Refused, match="each for their own seat"):
            sign_seat(spring, wind, player=spring.players[player])
    with pytest.raises(Refused):
        sign_seat(spring, None)
    Role.objects.filter(user=spring.bob).update(player=spring.players[2])
    with pytest.raises(Refused, match="You are playing at this table"):
        sign_seat(spring, 3, how="staff", by=spring.bob, reason="left")
    assert not Signature.objects.exists()


def test_a_closed_round_takes_neither_sheets_nor_signatures(spring):
    propose(spring)
    for number in (1, 2):
        record_result(table=spring.table(number=number), points=POINTS, based_on=0, by=spring.charlie)
    close_round(round_=spring.rounds[0], by=spring.alice)
    for write in (propose, lambda made: sign_seat(made, 0)):
        with pytest.raises(Refused, match="closed"):
            write(spring)


def test_who_typed_or_plays_does_not_approve(spring):
    asks(spring, signatures="none", signed_counts=False)
    propose(spring, by=spring.charlie, player=None)
    with pytest.raises(Refused, match="second person"):
        approve(spring)
    Role.objects.filter(user=spring.bob).update(player=spring.players[2])
    with pytest.raises(Refused, match="playing at this table"):
        approve(spring, spring.bob)
    assert approve(spring, spring.alice)["approved"] == [1]


def test_a_dispute_or_a_penalty_that_awaits_the_chief_referee_holds_the_sheet(spring):
    asks(spring, signatures="none", signed_counts=False)
    propose(spring)
    dispute = open_dispute(table=spring.table(), subject="Was it called in time?", by=spring.bob)
    with pytest.raises(Refused, match="dispute is open"):
        approve(spring)
    Dispute.objects.filter(pk=dispute.pk).update(closed_at=timezone.now())
    Penalty.objects.create(
        competition=spring.competition,
        stage=spring.stage,
        round=spring.rounds[0],
        table=spring.table(),
        player=spring.players[0],
        score=-20,
        reason="late",
        status="requested",
        created_at=timezone.now(),
    )
    with pytest.raises(Refused, match="awaits a referee"):
        approve(spring)
    Penalty.objects.update(status="in_force")
    assert approve(spring)["approved"] == [1]


def test_what_is_not_signed_or_not_seen_is_not_approved(spring):
    propose(spring)
    with pytest.raises(Refused, match="Signatures are missing"):
        approve(spring)
    object_seat(spring)
    with pytest.raises(Refused, match="Settle the objection"):
        approve(spring)
    with pytest.raises(Refused, match="has been replaced"):
        approve_sheets(round_=spring.rounds[0], proposals=[10**9], by=spring.charlie)


# --- objections


def test_an_objection_calls_a_referee_and_holds_the_sheet(spring):
    propose(spring)
    for wind in (0, 2, 3):
        sign_seat(spring, wind)
    object_seat(spring, points=OTHER)
    assert state(spring) == "objected"
    call = Call.objects.get()
    assert (call.kind, call.player, call.note) == ("objection", spring.players[1], "")
    assert Signature.objects.get(agrees=False).points == list(OTHER)
    object_seat(spring, 2)
    assert Call.objects.count() == 2

    sign_seat(spring, 1)
    sign_seat(spring, 2)  # had signed, then objected
    assert state(spring) == "recorded"


def test_an_objection_is_kept_where_calls_are_switched_off(spring):
    asks(spring, takes_calls=False)
    propose(spring)
    object_seat(spring)
    assert (state(spring), Call.objects.count()) == ("objected", 0)


def test_objections_are_limited(spring):
    propose(spring)
    for _ in range(12):
        object_seat(spring)
    with pytest.raises(Refused, match="many objections"):
        object_seat(spring)


# --- paper beside it, and corrections


def test_paper_supersedes_what_the_table_typed_and_its_undo_gives_it_back(spring):
    propose(spring)
    sign_seat(spring, 0)
    sheet = spring.record(OTHER)
    assert (state(spring), seen(spring)) == ("recorded", 0)
    undo_result(table=spring.table(), based_on=sheet.pk, by=spring.charlie)
    assert state(spring) == "typed"
    assert set(proposals_of([spring.table()])[spring.table().pk].signed) == {0}


def signed(made: Club) -> None:
    propose(made)
    for wind in range(4):
        sign_seat(made, wind)


def correct(made: Club, **options):
    return record_result(
        **as_seen(made.table()), points=OTHER, by=made.charlie, reason="a stick too much", **options
    )


def test_a_correction_of_a_signed_sheet_asks_for_signatures_again(spring):
    signed(spring)
    sheet = correct(spring)
    found = proposals_of([spring.table()])[spring.table().pk]
    assert (found.state, found.waits_again, found.signed) == ("recorded", True, {})
    assert (found.proposal.points, found.proposal.sheet, sheet.status) == (OTHER, sheet, "entered")

    for wind in range(4):
        sign_seat(spring, wind)

    sheet.refresh_from_db()
    assert (sheet.status, sheet.confirmed_by) == ("confirmed", None)
    assert not proposals_of([spring.table()])[spring.table().pk].waits_again


def test_the_undo_of_a_correction_gives_the_signatures_back(spring):
    signed(spring)
    sheet = correct(spring)
    undo_result(table=spring.table(), based_on=sheet.pk, by=spring.charlie)
    assert set(proposals_of([spring.table()])[spring.table().pk].signed) == {0, 1, 2, 3}


def test_a_correction_of_paper_asks_for_none(spring):
    spring.record(POINTS)
    correct(spring)
    assert not Proposal.objects.exists()


def test_a_correction_of_paper_beside_a_sheet_that_no_one_signed_asks_for_none(spring):
    typed = propose(spring)
    spring.record(OTHER)
    record_result(**as_seen(spring.table()), points=POINTS, by=spring.charlie, reason="misread")
    assert list(Proposal.objects.values_list("pk", "is_current")) == [(typed.pk, False)]


def test_the_undo_of_a_correction_of_paper_leaves_the_sheet_of_the_table_aside(spring):
    propose(spring)
    spring.record(OTHER)
    sheet = record_result(**as_seen(spring.table()), points=POINTS, by=spring.charlie, reason="misread")
    undo_result(table=spring.table(), based_on=sheet.pk, by=spring.charlie)
    assert (state(spring), seen(spring)) == ("recorded", 0)


def test_a_voided_table_can_type_again(spring):
    signed(spring)
    void_result(**as_seen(spring.table()), reason="wrong round", by=spring.charlie)
    assert (state(spring), seen(spring)) == ("none", 0)
    signed(spring)
    assert Sheet.objects.get(is_current=True).status == "confirmed"


def test_a_seat_that_changes_hands_needs_a_new_signature(spring):
    propose(spring)
    sign_seat(spring, 0)
    spring.add_players(1)
    spring.table().seats.filter(wind=0).update(player=spring.players[-1])
    assert proposals_of([spring.table()])[spring.table().pk].signed == {}
    sign_seat(spring, 0, player=spring.players[-1])
    assert set(proposals_of([spring.table()])[spring.table().pk].signed) == {0}


# --- around


def test_a_merged_player_keeps_what_they_signed(spring):
    propose(spring)
    sign_seat(spring, 0)
    keep, gone = spring.players[4].pk, spring.players[0].pk
    take_over_signatures(spring.competition, keep=keep, gone=gone)
    assert Signature.objects.get().player_id == Proposal.objects.get().player_id == keep


def test_the_log_says_who_typed_and_signed(spring):
    propose(spring)
    sign_seat(spring, 0)
    object_seat(spring)
    entries = AuditEntry.objects.filter(action__startswith="sheet.").order_by("sequence")
    assert [entry.action for entry in entries] == ["sheet.propose", "sheet.sign", "sheet.object"]
    assert entries[0].after == {"points": list(POINTS), "sticks": 0, "player": spring.players[0].pk}
    assert entries[1].after == {"wind": 0, "player": spring.players[0].pk, "how": "phone"}


def test_the_states_of_any_number_of_tables_take_the_same_queries(spring):
    propose(spring)
    sign_seat(spring, 0)
    first, second = spring.table(), spring.table(number=2)
    with CaptureQueriesContext(connection) as one:
        proposals_of([first])
    propose(spring, table=second, player=spring.players[4])
    with CaptureQueriesContext(connection) as both:
        assert {each.state for each in proposals_of([first, second]).values()} == {"typed"}
    assert len(one) == len(both) == 4
