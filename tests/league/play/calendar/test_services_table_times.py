"""When a table meets: proposed, agreed, postponed, given back its former time, made up."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils.translation import override

from league.core.errors import Refused
from league.models import Appointment, AuditEntry, Consent, Entrant, Table
from league.organizing.roster.services.roster import remove_entrant
from league.play.calendar.queries.table_times import busy_players, is_to_make_up, times_of, waiting_tables
from league.play.calendar.services.calendar import set_dates
from league.play.calendar.services.table_times import (
    MOST_PROPOSALS,
    agree_to_time,
    disagree_with_time,
    postpone_tables,
    restore_time,
    set_time,
    take_over_consents,
)
from league.play.results.services import record_result, undo_result
from league.play.rounds.services import close_round, create_round, open_round, seat_players
from league.ranking.stages.queries import unfinished_rounds
from league.ranking.stages.services import refuse_unfinished
from players.models import Player
from tests.factories import Club, as_seen, with_texts
from tests.league.play.calendar.evenings_in_may import EVENING, NOW, POINTS, counted, evenings, proposed, said
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return evenings()


# --- agreed by the four


def test_a_time_holds_once_all_four_have_agreed(here):
    first = proposed(here)
    for player in here.players[1:3]:
        assert agree_to_time(appointment=first, players=[player.pk], by=here.bob, at=NOW) == first
    assert here.table().meets_at is None
    last = agree_to_time(appointment=first, players=[here.players[3].pk], by=here.bob, at=NOW)
    assert (last.kind, last.meets_at, last.place) == ("agreed", EVENING, "club room")
    assert here.table().meets_at == EVENING
    assert said(here) == [("proposed", EVENING), ("agreed", EVENING)]
    assert times_of(here.table()).proposals == ()


def test_a_player_can_take_an_agreement_back_until_all_four_have_agreed(here):
    first = proposed(here)
    agree_to_time(appointment=first, players=[here.players[1].pk], by=here.bob, at=NOW)
    disagree_with_time(appointment=first, player=here.players[1].pk, by=here.bob, at=NOW)
    answers = Consent.objects.order_by("player").values_list("player", "declined")
    assert list(answers) == [(here.players[0].pk, False), (here.players[1].pk, True)]
    with pytest.raises(Refused, match="already declined"):
        disagree_with_time(appointment=first, player=here.players[1].pk, by=here.bob, at=NOW)


def test_what_was_decided_ends_all_proposals(here):
    first = proposed(here)
    set_time(table=here.table(), meets_at=EVENING + timedelta(days=1), by=here.alice, at=NOW)
    with pytest.raises(Refused, match="Another time has been decided"):
        agree_to_time(appointment=first, players=[here.players[1].pk], by=here.bob, at=NOW)
    with pytest.raises(Refused, match="Another time has been decided"):
        disagree_with_time(appointment=first, player=here.players[0].pk, by=here.bob, at=NOW)


def test_only_players_of_the_table_agree_and_only_once(here):
    first = proposed(here)
    with pytest.raises(Refused, match="Only players of this table"):
        agree_to_time(appointment=first, players=[here.players[5].pk], by=here.bob, at=NOW)
    with pytest.raises(Refused, match="You have already agreed to this time"):
        agree_to_time(appointment=first, players=[here.players[0].pk], by=here.bob, at=NOW)
    with pytest.raises(Refused, match="Only players of this table"):
        proposed(here, EVENING + timedelta(days=1), player=5)
    assert said(here) == [("proposed", EVENING)]


@pytest.mark.parametrize(
    ("at", "why"),
    [
        (NOW - timedelta(minutes=1), "This time has passed"),
        (datetime(2026, 4, 30, 15, 59, tzinfo=UTC), "from 1 May 2026 to 14 May 2026"),
        (datetime(2026, 5, 14, 16, 0, tzinfo=UTC), "from 1 May 2026 to 14 May 2026"),
    ],
)
def test_times_outside_the_window_and_in_the_past_are_refused(here, at, why):
    with pytest.raises(Refused, match=why) as refused:
        proposed(here, at)
    assert refused.value.field == "meets_at"
    assert proposed(here, datetime(2026, 5, 14, 15, 59, tzinfo=UTC)).pk  # the last minute of the window


def test_no_player_sits_at_two_tables_within_the_length_of_a_hanchan(here):
    four = [here.players[i].pk for i in (0, 5, 6, 7)]
    second = create_round(stage=here.stage, by=here.alice)
    seat_players(round_=second, tables={1: four}, by=here.alice)
    set_dates(rounds=[second], first=date(2026, 5, 1), until=date(2026, 5, 14), by=here.alice)
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    table = here.table(2)
    for minutes in (-69, 69):
        with pytest.raises(Refused, match=r"陳大文 plays .* then \(round 1, table 1, 6 May 2026, 19:30"):
            set_time(table=table, meets_at=EVENING + timedelta(minutes=minutes), by=here.alice, at=NOW)
    assert busy_players(table, EVENING + timedelta(minutes=70)) == []
    set_time(table=table, meets_at=EVENING - timedelta(minutes=70), by=here.alice, at=NOW)


def test_the_same_time_is_proposed_once_and_not_too_many_wait(here):
    proposed(here)
    with pytest.raises(Refused, match="already proposed"):
        proposed(here, player=1)
    for day in range(1, MOST_PROPOSALS):
        proposed(here, EVENING + timedelta(days=day))
    with pytest.raises(Refused, match="The maximum number of proposed times is reached"):
        proposed(here, EVENING + timedelta(days=MOST_PROPOSALS))


def test_a_table_that_has_its_result_needs_no_time(here):
    first = proposed(here)
    here.record(POINTS)
    for write in (
        lambda: proposed(here),
        lambda: agree_to_time(appointment=first, players=[here.players[1].pk], by=here.bob, at=NOW),
        lambda: set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW),
        lambda: postpone_tables(tables=[here.table()], reason="ill", by=here.alice, at=NOW),
    ):
        with pytest.raises(Refused, match="The time of a table with a result cannot be changed"):
            write()


@pytest.mark.parametrize(
    ("language", "window"), [("ja", "2026年5月1日"), ("zh-hant", "2026年5月1日"), ("zh-hans", "2026年5月1日")]
)
def test_a_refusal_writes_days_as_pages_do(here, language, window):
    with override(language), pytest.raises(Refused, match=window):
        proposed(here, datetime(2026, 5, 14, 16, 0, tzinfo=UTC))


def test_without_a_window_only_the_organizer_sets_a_time_on_the_day(here):
    set_dates(rounds=here.rounds, first=date(2026, 5, 6), by=here.alice)
    with pytest.raises(Refused, match="Only the organizer"):
        proposed(here)
    with pytest.raises(Refused, match="plays on 6 May 2026"):
        set_time(table=here.table(), meets_at=EVENING + timedelta(days=1), by=here.alice, at=NOW)
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    assert here.table().meets_at == EVENING


def test_a_refused_time_leaves_nothing(here):
    entries = AuditEntry.objects.count()
    with pytest.raises(Refused):
        set_time(table=here.table(), meets_at=NOW, by=here.alice, at=NOW)
    assert (said(here), AuditEntry.objects.count()) == ([], entries)


# --- postponed and made up


def test_a_postponed_table_does_not_keep_its_round_open_and_counts_once_it_is_made_up(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    here.record(POINTS, number=2)
    close_round(round_=here.rounds[0], by=here.alice)
    assert list(waiting_tables(here.competition)) == [here.table()]
    assert [each.why for each in unfinished_rounds(here.stage)] == ["make_up"]
    with pytest.raises(Refused, match="Round 1 has postponed tables"):
        refuse_unfinished(unfinished_rounds(here.stage))
    assert counted(here) == 1
    here.record(POINTS)
    assert counted(here) == 2
    assert (list(waiting_tables(here.competition)), unfinished_rounds(here.stage)) == ([], [])
    assert [kind for kind, _at in said(here)] == ["postponed", "made_up"]


def test_a_table_whose_sheet_is_undone_is_to_be_made_up_again(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    made_up = here.record(POINTS)
    undo_result(**as_seen(here.table()), by=here.charlie, at=made_up.entered_at)
    assert [kind for kind, _at in said(here)] == ["postponed"]


def test_a_table_whose_correction_is_undone_stays_made_up(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    here.record(POINTS)
    record_result(**as_seen(here.table()), points=POINTS[::-1], reason="typo", by=here.charlie)
    undo_result(**as_seen(here.table()), by=here.charlie)
    assert [kind for kind, _at in said(here)] == ["postponed", "made_up"]


def test_in_a_closed_round_other_tables_stay_closed_and_a_made_up_one_too(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    close_round(round_=here.rounds[0], by=here.alice)
    with pytest.raises(Refused, match="This round is closed"):
        here.record(POINTS, number=2)
    here.record(POINTS)
    with pytest.raises(Refused, match="This round is closed"):
        record_result(**as_seen(here.table()), points=POINTS[::-1], reason="typo", by=here.charlie)


def test_made_up_says_when_it_was_where_a_time_had_been_agreed(here):
    later = EVENING + timedelta(days=30)  # beyond the window
    postpone_tables(tables=[here.table()], reason="typhoon", meets_at=later, by=here.bob, at=NOW)
    assert here.table().meets_at == later
    record_result(
        table=here.table(), points=POINTS, based_on=0, by=here.charlie, at=later + timedelta(hours=1)
    )
    assert said(here) == [("postponed", later), ("made_up", later)]


def test_a_postponed_table_loses_its_time_and_the_four_agree_on_another_one(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    postpone_tables(tables=[here.table()], reason="ill", by=here.alice, at=NOW)
    close_round(round_=here.rounds[0], by=here.alice)
    assert here.table().meets_at is None
    later = EVENING + timedelta(days=40)
    agree_to_time(
        appointment=proposed(here, later), players=[p.pk for p in here.players[1:4]], by=here.alice, at=NOW
    )
    assert here.table().meets_at == later
    assert is_to_make_up(here.table())


def test_postponing_needs_a_reason_and_postpones_all_or_none(here):
    with pytest.raises(Refused, match="Give a reason") as refused:
        postpone_tables(tables=[here.table()], reason=" ", by=here.alice, at=NOW)
    assert refused.value.field == "reason"
    here.record(POINTS, number=2)
    with pytest.raises(Refused, match="The time of a table with a result cannot be changed"):
        postpone_tables(tables=[here.table(), here.table(number=2)], reason="typhoon", by=here.alice, at=NOW)
    assert Appointment.objects.count() == 0


# --- a postponement taken back


def decided(here: Club) -> Appointment:
    found = times_of(here.table()).decided
    assert found is not None
    return found


@pytest.mark.parametrize("new_time", [None, EVENING + timedelta(days=30)])
def test_a_postponement_that_is_taken_back_gives_the_table_its_time_and_place_and_is_kept(here, new_time):
    set_time(table=here.table(), meets_at=EVENING, place="club room", by=here.alice, at=NOW)
    postpone_tables(
        tables=[here.table()], reason="typhoon", meets_at=new_time, place="3/F", by=here.bob, at=NOW
    )
    made = restore_time(appointment=decided(here), by=here.bob, at=NOW)
    assert (made.kind, made.meets_at, made.place, made.created_by) == ("set", EVENING, "club room", here.bob)
    assert here.table().meets_at == EVENING
    assert said(here) == [("set", EVENING), ("postponed", new_time), ("set", EVENING)]
    times = times_of(here.table())
    assert (times.postponed, times.taken_back) == (None, {made.pk})
    assert (is_to_make_up(here.table()), list(waiting_tables(here.competition))) == (False, [])
    entry = with_texts(AuditEntry.objects.filter(competition=here.competition).latest("sequence"))
    assert (entry.action, entry.target) == ("table.restore", f"table:{here.table().pk}")
    assert entry.before == {"meets_at": "2026-06-05 19:30" if new_time else ""}
    assert entry.after == {"meets_at": "2026-05-06 19:30", "place": "club room", "reason": ""}


def test_a_table_that_had_no_time_of_its_own_meets_with_its_round_again(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    set_time(table=here.table(), meets_at=EVENING + timedelta(days=30), by=here.alice, at=NOW)
    proposed(here, EVENING + timedelta(days=31))
    restore_time(appointment=decided(here), by=here.alice, at=NOW)
    times = times_of(here.table())
    assert (times.table.meets_at, times.postponed, times.proposals) == (None, None, ())
    assert times.span == (date(2026, 5, 1), date(2026, 5, 14))
    proposed(here)
    here.record(POINTS)
    assert [kind for kind, _at in said(here)][-2:] == ["set", "proposed"]  # played, and not made up


def test_a_table_stays_postponed_through_new_times_until_its_postponement_is_taken_back(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    later = EVENING + timedelta(days=30)
    set_time(table=here.table(), meets_at=later, by=here.alice, at=NOW)
    agree_to_time(
        appointment=proposed(here, later + timedelta(days=1)),
        players=[player.pk for player in here.players[1:4]],
        by=here.alice,
        at=NOW,
    )
    assert [kind for kind, _at in said(here)] == ["set", "postponed", "postponed", "proposed", "agreed"]
    assert decided(here).kind == "agreed"
    assert [table.appointments.all()[0].reason for table in waiting_tables(here.competition)] == ["typhoon"]
    actions = AuditEntry.objects.filter(action__in=("table.set_time", "table.postpone")).order_by("pk")
    assert list(actions.values_list("action", flat=True)) == [
        "table.set_time",
        "table.postpone",
        "table.set_time",
    ]
    restore_time(appointment=decided(here), by=here.alice, at=NOW)
    assert here.table().meets_at == EVENING
    postpone_tables(tables=[here.table()], reason="ill", by=here.bob, at=NOW)
    restore_time(appointment=decided(here), by=here.alice, at=NOW)
    assert here.table().meets_at == EVENING


def test_a_postponement_is_not_taken_back_after_a_decision_that_was_not_seen(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    seen = decided(here)
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    with pytest.raises(Refused, match="Another time has been decided"):
        restore_time(appointment=seen, by=here.bob, at=NOW)
    seen = decided(here)
    restore_time(appointment=seen, by=here.alice, at=NOW)
    with pytest.raises(Refused, match="Another time has been decided"):
        restore_time(appointment=seen, by=here.bob, at=NOW)
    assert [kind for kind, _at in said(here)] == ["postponed", "postponed", "set"]


def test_a_former_time_that_is_over_comes_back_but_not_after_the_result(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    restore_time(appointment=decided(here), by=here.bob, at=EVENING + timedelta(days=1))
    assert here.table().meets_at == EVENING
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    here.record(POINTS)
    with pytest.raises(Refused, match="The time of a table with a result cannot be changed"):
        restore_time(appointment=decided(here), by=here.bob, at=NOW)


def test_in_a_closed_round_a_table_stays_postponed_until_the_round_is_opened_again(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    closed = close_round(round_=here.rounds[0], by=here.alice)
    assert not times_of(here.table()).may_be_restored
    with pytest.raises(Refused, match=r"closed\. Reopen it first"):
        restore_time(appointment=decided(here), by=here.alice, at=NOW)
    open_round(round_=closed, by=here.alice)
    restore_time(appointment=decided(here), by=here.alice, at=NOW)
    assert not is_to_make_up(here.table())


def test_a_former_time_does_not_come_back_outside_of_the_window_or_onto_another_table(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    second = create_round(stage=here.stage, by=here.alice)
    four = [here.players[i].pk for i in (0, 5, 6, 7)]
    seat_players(round_=second, tables={1: four}, by=here.alice)
    set_time(table=here.table(2), meets_at=EVENING, by=here.alice, at=NOW)
    with pytest.raises(Refused, match="陳大文 plays at another table then"):
        restore_time(appointment=decided(here), by=here.alice, at=NOW)
    set_time(table=here.table(2), meets_at=EVENING + timedelta(days=1), by=here.alice, at=NOW)
    set_dates(rounds=here.rounds, first=date(2026, 5, 8), until=date(2026, 5, 14), by=here.alice)
    with pytest.raises(Refused, match="from 8 May 2026 to 14 May 2026"):
        restore_time(appointment=decided(here), by=here.alice, at=NOW)
    set_dates(rounds=here.rounds, first=date(2026, 5, 1), until=date(2026, 5, 14), by=here.alice)
    restore_time(appointment=decided(here), by=here.alice, at=NOW)
    with pytest.raises(Refused, match="Table 1 of round 1 meets on 6 May 2026"):
        set_dates(rounds=here.rounds, first=date(2026, 5, 8), by=here.alice)


def test_others_who_are_seated_at_a_postponed_table_do_not_get_back_the_time_of_those_before(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.bob, at=NOW)
    seats = [player.pk for player in here.players]
    seat_players(round_=here.rounds[0], tables={1: seats[4:], 2: seats[:4]}, by=here.alice)
    times = times_of(here.table())
    assert times.postponed is not None
    assert (times.postponed.reason, times.taken_back) == ("typhoon", frozenset())
    restore_time(appointment=decided(here), by=here.alice, at=NOW)
    assert here.table().meets_at is None


def test_a_deleted_table_is_refused_with_a_sentence(here):
    table = here.table(number=2)
    Table.objects.filter(pk=table.pk).delete()
    with pytest.raises(Refused, match="deleted or replaced"):
        set_time(table=table, meets_at=EVENING, by=here.alice, at=NOW)


def test_a_round_that_is_closed_takes_no_times_of_tables_that_were_not_postponed(here):
    close_round(round_=here.rounds[0], by=here.alice)
    with pytest.raises(Refused, match="This round is closed"):
        proposed(here)
    postpone_tables(tables=[here.table()], reason="forgotten", by=here.alice, at=NOW)
    here.record(POINTS)


# --- other people at a table


def test_a_table_that_is_seated_with_other_players_loses_its_time(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    later = EVENING + timedelta(days=1)
    set_time(table=here.table(number=2), meets_at=later, by=here.alice, at=NOW)
    seats = [player.pk for player in here.players]
    seat_players(round_=here.rounds[0], tables={1: seats[3::-1], 2: seats[4:]}, by=here.alice)
    assert [here.table(number=n).meets_at for n in (1, 2)] == [EVENING, later]  # the same four
    turned = {1: [*seats[:3], seats[4]], 2: [*seats[5:], seats[3]]}
    seat_players(round_=here.rounds[0], tables=turned, by=here.alice)
    assert [here.table(number=n).meets_at for n in (1, 2)] == [None, None]
    newest = here.table().appointments.last()
    assert (newest.kind, newest.meets_at, newest.reason) == (
        "set",
        None,
        "Other players have been seated here.",
    )


def test_agreements_of_two_merged_records_become_one_persons(here):
    first = proposed(here)
    double, other = here.players[0], Player.objects.create(register=here.league.register, name="Chan")
    Entrant.objects.create(competition=here.competition, player=other, key="chan")
    take_over_consents(here.competition, keep=other.pk, gone=double.pk)
    assert [consent.player for consent in first.consents.all()] == [other]
    Consent.objects.create(appointment=first, player=double, created_at=NOW)
    take_over_consents(here.competition, keep=other.pk, gone=double.pk)
    assert [consent.player for consent in first.consents.all()] == [other]


def test_a_player_who_agreed_and_lost_their_seat_can_be_removed(here):
    proposed(here, player=3)
    here.add_players(1)
    seats = [here.players[i].pk for i in (0, 1, 2, 8, 4, 5, 6, 7)]
    seat_players(round_=here.rounds[0], tables={1: seats[:4], 2: seats[4:]}, by=here.alice)
    gone = here.competition.entrants.get(player=here.players[3])
    remove_entrant(competition=here.competition, entrant_id=gone.pk, by=here.alice)
    assert not Player.objects.filter(pk=here.players[3].pk).exists()
