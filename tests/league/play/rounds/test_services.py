"""Create, seat, open, close, publish and delete rounds."""

import uuid

import pytest

from league.core.changes import Sent, change
from league.core.errors import AlreadyDone, Refused
from league.core.rounds import seating
from league.models import AuditEntry, Entrant, Penalty, Round, Seat, Stage, Table
from league.organizing.competitions.services import add_division
from league.play.disputes.services import open_dispute
from league.play.rounds.services import (
    close_round,
    create_round,
    delete_round,
    fingerprint,
    open_round,
    played_tables,
    random_seating,
    seat_in,
    seat_players,
    set_visibility,
)
from league.play.substitutions.services.substitutions import (
    add_adjustment,
    revoke_adjustment,
    substitute_player,
)
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club()


def ids(here: Club, *positions: int) -> list[int]:
    return [here.players[position].pk for position in positions]


# --- made


def test_a_round_starts_planned_hidden_and_at_the_end(here):
    first, second = (
        create_round(stage=here.stage, by=here.alice),
        create_round(stage=here.stage, by=here.alice),
    )
    assert [(r.number, r.status, r.visibility) for r in (first, second)] == [
        (1, "planned", "hidden"),
        (2, "planned", "hidden"),
    ]


def test_a_number_that_is_taken_is_refused_at_its_field(here):
    create_round(stage=here.stage, number=3, by=here.alice)
    with pytest.raises(Refused, match="with this number") as refused:
        create_round(stage=here.stage, number=3, by=here.alice)
    assert refused.value.field == "number"


# --- seated


def test_players_are_seated_east_first(here):
    made = create_round(stage=here.stage, by=here.alice)
    seat_players(round_=made, tables={1: ids(here, 0, 1, 2, 3), 7: ids(here, 7, 6, 5, 4)}, by=here.alice)
    assert seating(made) == {1: ids(here, 0, 1, 2, 3), 7: ids(here, 7, 6, 5, 4)}
    assert [s.wind for s in Seat.objects.filter(table__number=7).order_by("wind")] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({1: (0, 1, 2)}, "Table 1 needs four players"),
        ({1: (0, 1, 2, 2)}, "The same player sits at tables 1 and 1"),
        ({1: (0, 1, 2, 3), 2: (4, 5, 6, 3)}, "The same player sits at tables 1 and 2"),
    ],
)
def test_an_impossible_seating_is_refused_and_the_old_one_stays(here, tables, sentence):
    made = create_round(stage=here.stage, by=here.alice)
    seat_players(round_=made, tables={1: ids(here, 4, 5, 6, 7)}, by=here.alice)
    with pytest.raises(Refused, match=sentence):
        seat_players(round_=made, tables={n: ids(here, *four) for n, four in tables.items()}, by=here.alice)
    assert seating(made) == {1: ids(here, 4, 5, 6, 7)}


def test_a_player_of_another_league_cannot_be_seated(here):
    other = club("autumn")
    made = create_round(stage=here.stage, by=here.alice)
    with pytest.raises(Refused, match="not entered in the competition"):
        seat_players(round_=made, tables={1: [*ids(here, 0, 1, 2), other.players[0].pk]}, by=here.alice)
    assert seating(made) == {}


def test_a_player_of_another_division_is_seated_as_a_substitute_alone(here):
    made = create_round(stage=here.stage, by=here.alice)
    other = add_division(competition=here.competition, name="B", preset_slug="ema-2025", by=here.alice)
    Entrant.objects.filter(player=here.players[3]).update(division=other)
    with pytest.raises(Refused, match=r"Not in this division: 張志強\. Choose players of Main"):
        seat_players(round_=made, tables={1: ids(here, 0, 1, 2, 3)}, by=here.alice)
    Entrant.objects.filter(player=here.players[3]).update(is_substitute=True)
    seat_players(round_=made, tables={1: ids(here, 0, 1, 2, 3)}, by=here.alice)


def test_tables_with_a_sheet_stay_as_they_are(here):
    made = here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    assert played_tables(made) == {1}
    with pytest.raises(Refused, match="Table 1 already has a score sheet"):
        seat_players(round_=made, tables={2: ids(here, 4, 5, 6, 7)}, by=here.alice)
    played = here.table(number=1).pk
    seat_players(round_=made, tables={1: ids(here, 0, 1, 2, 3), 2: ids(here, 7, 6, 5, 4)}, by=here.alice)
    assert seating(made) == {1: ids(here, 0, 1, 2, 3), 2: ids(here, 7, 6, 5, 4)}
    assert here.table(number=1).pk == played


def test_seating_again_keeps_the_penalties_of_a_table(here):
    made = here.add_round()
    penalty = log_penalty(
        stage=here.stage,
        table=here.table(),
        player_id=here.players[0].pk,
        score=-20,
        reason="late",
        by=here.bob,
    )
    seat_players(round_=made, tables={1: ids(here, 3, 2, 1, 0), 2: ids(here, 4, 5, 6, 7)}, by=here.alice)
    assert Penalty.objects.get(pk=penalty.pk).table == here.table()
    for tables in ({2: ids(here, 4, 5, 6, 7)}, {1: ids(here, 4, 5, 6, 7), 2: ids(here, 0, 1, 2, 3)}):
        with pytest.raises(Refused, match="A player at table 1 has a penalty there"):
            seat_players(round_=made, tables=tables, by=here.alice)
    assert seating(made)[1] == ids(here, 3, 2, 1, 0)


def test_seating_again_keeps_a_table_in_dispute(here):
    made = here.add_round()
    open_dispute(table=here.table(), subject="Was it called in time?", by=here.bob)
    with pytest.raises(Refused, match="Table 1 has a dispute and must be kept"):
        seat_players(round_=made, tables={2: ids(here, 4, 5, 6, 7)}, by=here.alice)
    seat_players(round_=made, tables={1: ids(here, 4, 5, 6, 7)}, by=here.alice)
    assert seating(made) == {1: ids(here, 4, 5, 6, 7)}


def test_a_closed_round_is_not_seated_again(here):
    made = close_round(round_=here.add_round(), by=here.alice)
    with pytest.raises(Refused, match="This round is closed"):
        seat_players(round_=made, tables={1: ids(here, 3, 2, 1, 0)}, by=here.alice)


def test_a_seating_that_changed_meanwhile_is_not_overwritten(here):
    made = create_round(stage=here.stage, by=here.alice)
    seen = fingerprint(seating(made))
    seat_players(round_=made, tables={1: ids(here, 0, 1, 2, 3)}, by=here.alice, based_on=seen)
    with pytest.raises(Refused, match="Someone else has seated this round"):
        seat_players(round_=made, tables={1: ids(here, 4, 5, 6, 7)}, by=here.alice, based_on=seen)
    assert seating(made) == {1: ids(here, 0, 1, 2, 3)}


def test_the_audit_log_keeps_the_seed_of_a_draw(here):
    made = create_round(stage=here.stage, by=here.alice)
    drawn = random_seating(ids(here, *range(8)), seed=42)
    seat_players(round_=made, tables=drawn, seed=42, by=here.alice)
    logged = AuditEntry.objects.filter(competition=here.competition, action="round.seat").last()
    assert logged.after == {str(n): four for n, four in drawn.items()} | {"seed": 42}


# --- drawn


def test_the_same_seed_and_players_give_the_same_tables_in_any_order():
    assert random_seating([5, 3, 8, 1], seed=7) == random_seating([1, 3, 5, 8], seed=7)
    draws = {tuple(random_seating(range(1, 9), seed=seed)[1]) for seed in range(50)}
    assert len(draws) > 40


def test_all_players_are_drawn_once_at_free_tables():
    drawn = random_seating(range(1, 13), seed=1, taken={1, 3})
    assert list(drawn) == [2, 4, 5]
    assert sorted(player for four in drawn.values() for player in four) == list(range(1, 13))


@pytest.mark.parametrize("count", [0, 1, 3, 5, 10])
def test_players_that_do_not_fill_tables_are_refused(count):
    with pytest.raises(Refused, match=f"{count} players do not fill"):
        random_seating(range(1, count + 1), seed=1)


# --- opened, closed, published


def test_an_empty_round_cannot_be_opened(here):
    made = create_round(stage=here.stage, by=here.alice)
    with pytest.raises(Refused, match="Seat the players first"):
        open_round(round_=made, by=here.alice)


def test_opening_and_closing_may_publish_in_the_same_change(here):
    made = here.add_round(opened=False, visibility=Round.Visibility.HIDDEN)
    before = here.competition.__class__.objects.get(pk=here.competition.pk).revision
    opened = open_round(round_=made, visibility="seating", by=here.alice)
    assert (opened.status, opened.visibility) == ("open", "seating")
    closed = close_round(round_=made, visibility="results", by=here.alice)
    assert (closed.status, closed.visibility) == ("closed", "results")
    logged = AuditEntry.objects.filter(competition=here.competition).last()
    assert (logged.action, logged.before, logged.after) == (
        "round.close",
        {"status": "open", "visibility": "seating"},
        {"status": "closed", "visibility": "results"},
    )
    assert here.competition.__class__.objects.get(pk=here.competition.pk).revision == before + 2


def test_a_button_pressed_again_changes_and_logs_nothing(here):
    made = here.add_round()
    logged = AuditEntry.objects.filter(competition=here.competition).count()
    open_round(round_=made, by=here.alice)
    set_visibility(round_=made, visibility="results", by=here.alice)
    assert AuditEntry.objects.filter(competition=here.competition).count() == logged


def test_a_hidden_round_alone_hides_its_days(here):
    made = here.add_round()
    Round.objects.filter(pk=made.pk).update(announced=True)
    announced = [
        set_visibility(round_=made, visibility=visibility, by=here.alice).announced
        for visibility in ("seating", "hidden")
    ]
    assert announced == [True, False]


def test_an_unknown_visibility_is_refused(here):
    made = here.add_round()
    with pytest.raises(ValueError, match="everyone"):
        set_visibility(round_=made, visibility="everyone", by=here.alice)


# --- deleted


def test_a_round_without_sheets_is_deleted_with_its_seats(here):
    made = here.add_round()
    delete_round(round_=made, by=here.alice)
    assert (Round.objects.count(), Table.objects.count(), Seat.objects.count()) == (0, 0, 0)
    logged = AuditEntry.objects.filter(competition=here.competition).last()
    assert (logged.action, logged.before["1"]) == ("round.delete", ids(here, 0, 1, 2, 3))


def test_a_round_with_a_sheet_or_a_penalty_stays(here):
    played, punished = here.add_round(), here.add_round()
    here.record((45000, 35000, 25000, 15000))
    log_penalty(
        stage=here.stage, round_=punished, player_id=here.players[0].pk, score=-20, reason="late", by=here.bob
    )
    for round_, sentence in (
        (played, "A round with score sheets cannot be deleted"),
        (punished, "A round with a penalty cannot be deleted"),
    ):
        with pytest.raises(Refused, match=sentence):
            delete_round(round_=round_, by=here.alice)
    assert (Round.objects.count(), Penalty.objects.count()) == (2, 1)


def test_a_round_for_which_the_organizer_gave_points_stays_until_they_are_removed(here):
    made = create_round(stage=here.stage, by=here.alice)
    given = add_adjustment(
        stage=here.stage,
        round_=made,
        entrant=here.competition.entrants.get(key="p2"),
        kind="absent",
        score=-200,
        reason="did not come",
        by=here.alice,
    )
    with pytest.raises(Refused) as caught:
        delete_round(round_=made, by=here.alice)
    assert str(caught.value) == (
        "These players have points given or deducted for this round: 李小明. Remove the points first."
    )

    revoke_adjustment(adjustment=given, reason="the round is cancelled", by=here.alice)
    delete_round(round_=made, by=here.alice)
    assert Round.objects.count() == 0


def test_deleting_a_round_logs_the_points_that_its_seating_and_substitutions_gave(here):
    Stage.objects.filter(pk=here.stage.pk).update(sit_out="fixed", sit_out_score=-50)
    made = create_round(stage=here.stage, by=here.alice)
    with change(here.competition, by=here.alice) as done:
        seat_in(done, made, {1: ids(here, 0, 1, 2, 3)}, playing=ids(here, 0, 1, 2, 3, 4))
    seat = made.seats.select_related("round__stage__division__competition").get(player=here.players[0])
    substitute_player(
        seat=seat, substitute=here.players[7].pk, late=False, score=-100, reason="ill", by=here.alice
    )

    delete_round(round_=made, by=here.alice)

    logged = AuditEntry.objects.filter(competition=here.competition, action="adjustment.revoke")
    assert {(entry.before["adjustment"], entry.before["score"]) for entry in logged} == {
        ("sat_out", -50),
        ("substituted", -100),
    }


def test_deleting_a_deleted_round_is_refused_and_logs_nothing(here):
    made = here.add_round()
    again = Round.objects.get(pk=made.pk)
    delete_round(round_=made, by=here.alice)
    logged = AuditEntry.objects.filter(competition=here.competition).count()
    for write in (delete_round, open_round_of_old):
        with pytest.raises(Refused):
            write(round_=again, by=here.alice)
    assert AuditEntry.objects.filter(competition=here.competition).count() == logged


def open_round_of_old(*, round_, by):
    return set_visibility(round_=round_, visibility="hidden", by=by)


def test_the_same_seating_form_twice_seats_once(here):
    made = create_round(stage=here.stage, by=here.alice)
    form = Sent.of(uuid.uuid4(), "typed")
    seat_players(round_=made, tables={1: ids(here, 0, 1, 2, 3)}, by=here.alice, form=form)
    with pytest.raises(AlreadyDone):
        seat_players(round_=made, tables={1: ids(here, 0, 1, 2, 3)}, by=here.alice, form=form)
    assert AuditEntry.objects.filter(competition=here.competition, action="round.seat").count() == 1
