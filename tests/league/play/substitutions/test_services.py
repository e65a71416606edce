"""Absent players, their substitutes, and points that no table gave."""

import pytest

from league.core.errors import Conflict, OutOfDate, Refused
from league.models import Adjustment, AuditEntry, Entrant, Seat, Stage
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import remove_entrant, withdraw_entrant
from league.people.register.services import PlayerValues
from league.play.bans.queries import free_substitutes
from league.play.disputes.services import open_dispute
from league.play.results.services import record_result, undo_result
from league.play.rounds.services import close_round, create_round, open_round, seat_players, set_visibility
from league.play.substitutions.queries.substitutes import until_back
from league.play.substitutions.services.substitutions import (
    add_adjustment,
    end_lasting_substitution,
    end_substitution,
    forfeit_seat,
    revoke_adjustment,
    set_substitute,
    substitute_player,
)
from league.ranking.standings.queries.standings import compute_standings
from players.models import Player
from tests.factories import Club, as_seen, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)  # under EMA 2025: 30.0, 10.0, −10.0, −30.0


@module_fixture
def ema() -> Club:
    """Eight players who are seated in two rounds, and p9, a substitute."""
    made = club("ema", preset="ema-2025")
    made.add_round()
    made.add_round()
    made.add_players(1)
    Entrant.objects.filter(competition=made.competition, key="p9").update(is_substitute=True)
    return made


def seat(here: Club, index: int, round_number: int = 1) -> Seat:
    """Return the seat of a player, also if a substitute has taken it."""
    found = Seat.objects.select_related("round__stage__division__competition")
    mine = found.filter(round=here.rounds[round_number - 1], player=here.players[index]).first()
    return mine or found.get(round=here.rounds[round_number - 1], stands_for=here.players[index])


def send_in(here: Club, index: int = 3, round_number: int = 1, **options: object) -> list[Seat]:
    given: dict = {"late": False, "score": -300, "reason": "ill", "substitute": here.players[8].pk}
    return substitute_player(seat=seat(here, index, round_number), by=here.alice, **(given | options))


def miss(here: Club, index: int, **options: object) -> Adjustment:
    """Give a player −15.0 for missing the first round."""
    options = {"round_": here.rounds[0], "kind": "absent", "score": -150, "reason": "was away"} | options
    return add_adjustment(stage=here.stage, entrant=entrant(here, index), by=here.alice, **options)


def entrant(here: Club, index: int) -> Entrant:
    return Entrant.objects.get(competition=here.competition, player=here.players[index])


def totals(here: Club, *, public: bool = True) -> dict[str, tuple[int, int, int]]:
    """Key → games, adjusted, total of every player with something to count."""
    stage = Stage.objects.select_related("division__rule_set", "division__competition").get(pk=here.stage.pk)
    rows = compute_standings(stage, public=public).rows
    return {
        r.player.key: (r.row.games, r.row.adjusted, r.row.total)
        for r in rows
        if r.row.games or r.row.adjusted
    }


def log(here: Club) -> list[str]:
    return list(AuditEntry.objects.filter(competition=here.competition).values_list("action", flat=True))


# --- substitutes


def test_a_substitute_before_the_start_counts_only_for_the_uma_of_the_others(ema):
    send_in(ema)
    ema.record((15_000, 35_000, 25_000, 45_000))

    assert totals(ema) == {
        "p1": (1, 0, -150 - 150),
        "p2": (1, 0, 50 + 50),
        "p3": (1, 0, -50 - 50),
        "p4": (0, -300, -300),
    }


def test_after_the_start_the_others_get_15_5_and_minus_5_whatever_the_substitute_has(ema):
    send_in(ema, late=True)
    ema.record((15_000, 35_000, 25_000, 45_000))

    assert totals(ema) == {
        "p1": (1, 0, -150 - 50),
        "p2": (1, 0, 50 + 150),
        "p3": (1, 0, -50 + 50),
        "p4": (0, -300, -300),
    }


def test_a_small_event_with_a_withdrawal_and_both_kinds_of_substitutes_by_hand(ema):
    ema.record(SHEET)
    ema.record(SHEET, number=2)
    withdraw_entrant(entrant=entrant(ema, 7), by=ema.alice)
    send_in(ema, 7, 2, reason="left")
    ema.add_players(1)
    send_in(ema, 0, 2, late=True, substitute=ema.players[9].pk, reason="fell ill at the table")
    ema.record((60_000, 20_000, 25_000, 15_000), round_number=2)
    ema.record((28_000, 32_000, 20_000, 40_000), round_number=2, number=2)

    assert totals(ema) == {
        "p1": (1, -300, 300 - 300),
        "p2": (2, 0, 100 + (-100 + 50)),
        "p3": (2, 0, -100 + (-50 + 150)),
        "p4": (2, 0, -300 + (-150 - 50)),
        "p5": (2, 0, 300 + (-20 - 50)),
        "p6": (2, 0, 100 + (20 + 50)),
        "p7": (2, 0, -100 + (-100 - 150)),
        "p8": (1, -300, -300 - 300),
    }


def test_the_rule_book_suggests_what_the_absent_player_gets(ema):
    assert ema.division.rules.substituted_score == -300
    assert club("hkma").division.rules.substituted_score is None


def test_a_substitute_from_a_round_on_sits_in_all_that_are_seated(ema):
    changed = send_in(ema, onwards=True)

    assert [(s.round.number, s.player_id, s.stands_for_id) for s in changed] == [
        (1, ema.players[8].pk, ema.players[3].pk),
        (2, ema.players[8].pk, ema.players[3].pk),
    ]
    assert [a.score for a in Adjustment.objects.order_by("pk")] == [-300, -300]


def test_a_player_who_comes_back_has_the_seats_again_and_loses_the_adjustments(ema):
    send_in(ema, onwards=True)
    ema.record(SHEET)

    changed = end_substitution(seat=seat(ema, 3), reason="was there after all", onwards=True, by=ema.alice)

    assert [s.player_id for s in changed] == [ema.players[3].pk] * 2
    assert totals(ema) == {"p1": (1, 0, 300), "p2": (1, 0, 100), "p3": (1, 0, -100), "p4": (1, 0, -300)}
    assert Adjustment.objects.filter(revoked_at__isnull=True).count() == 0
    assert log(ema)[-5:] == [
        *("result.record", "seat.return", "adjustment.revoke"),
        *("seat.return", "adjustment.revoke"),
    ]


def test_one_substitute_may_follow_another(ema):
    send_in(ema)
    ema.add_players(1)

    send_in(ema, substitute=ema.players[9].pk, late=True, reason="the first one left too")

    now = seat(ema, 3)
    assert (now.player_id, now.stands_for_id, now.came_late) == (ema.players[9].pk, ema.players[3].pk, True)
    assert Adjustment.objects.count() == 1


@pytest.mark.parametrize(
    ("options", "sentence"), [({"reason": " "}, "Give a reason"), ({"substitute": 0}, "cannot sit there")]
)
def test_what_is_refused_changes_nothing(ema, options, sentence):
    with pytest.raises(Refused, match=sentence):
        send_in(ema, **options)
    assert seat(ema, 3).player_id == ema.players[3].pk
    assert not Adjustment.objects.exists()


def test_a_substitute_with_a_seat_in_a_later_round_is_refused_for_all_rounds(ema):
    tables = {1: [p.pk for p in ema.players[:4]], 2: [p.pk for p in [*ema.players[4:7], ema.players[8]]]}
    seat_players(round_=ema.rounds[1], tables=tables, by=ema.alice)

    with pytest.raises(Refused, match="Round 2: this player cannot sit there"):
        send_in(ema, onwards=True)

    assert seat(ema, 3).stands_for_id is None


def test_a_seat_that_changed_meanwhile_is_shown_again(ema):
    seen = seat(ema, 3)
    send_in(ema)

    with pytest.raises(OutOfDate, match="has changed"):
        substitute_player(
            seat=seen, substitute=ema.players[8].pk, late=False, score=0, reason="x", by=ema.alice
        )


def test_a_closed_round_and_a_table_in_dispute_are_left_alone(ema):
    close_round(round_=ema.rounds[1], by=ema.alice)
    with pytest.raises(Refused, match="closed"):
        send_in(ema, 3, 2)
    open_dispute(table=ema.table(), subject="Whose seat is it?", by=ema.bob)
    with pytest.raises(Refused, match="dispute"):
        send_in(ema)


def test_the_public_learns_nothing_of_a_hidden_round(ema):
    set_visibility(round_=ema.rounds[0], visibility="hidden", by=ema.alice)
    send_in(ema)

    assert (totals(ema), totals(ema, public=False)) == ({}, {"p4": (0, -300, -300)})


def test_substitutes_come_first_among_those_who_are_free(ema):
    ema.add_players(1)

    assert [e.key for e in free_substitutes(ema.rounds[0])] == ["p9", "p10"]


# --- seated again


def test_a_substitute_who_is_seated_again_still_sits_for_the_player(ema):
    send_in(ema)
    tables = {1: [p.pk for p in ema.players[4:8]], 2: [p.pk for p in [*ema.players[:3], ema.players[8]]]}

    seat_players(round_=ema.rounds[0], tables=tables, by=ema.alice)

    assert seat(ema, 8).stands_for_id == ema.players[3].pk
    assert Adjustment.objects.get().revoked_at is None


def test_seating_the_player_again_ends_the_substitution(ema):
    send_in(ema)
    tables = {1: [p.pk for p in ema.players[:4]], 2: [p.pk for p in ema.players[4:8]]}

    seat_players(round_=ema.rounds[0], tables=tables, by=ema.alice)

    assert not Seat.objects.filter(stands_for__isnull=False).exists()
    assert Adjustment.objects.get().revoked_at is not None


# --- until the player is back


def seat_next(here: Club) -> dict[int, int | None]:
    """Seat the eight players in a new round. Return player → absent player."""
    made = here.add_round(opened=False)
    return {
        s.player_id: s.stands_for_id
        for s in Seat.objects.filter(round=made)
        if s.stands_for_id or s.player_id == here.players[3].pk
    }


def test_until_the_player_is_back_the_substitute_sits_in_rounds_that_are_seated_later(ema):
    send_in(ema, onwards=True)
    substitute, absent = ema.players[8].pk, ema.players[3].pk

    assert seat_next(ema) == {substitute: absent}
    assert [a.score for a in Adjustment.objects.order_by("pk")] == [-300] * 3
    assert [s.round.number for s in until_back(absent, ema.competition)] == [3]
    end_substitution(seat=seat(ema, 3, 3), reason="well again", by=ema.alice)
    assert until_back(absent, ema.competition) == []
    assert seat_next(ema) == {absent: None}


def test_a_substitute_for_one_round_is_not_there_in_the_next(ema):
    send_in(ema, round_number=2)

    assert seat_next(ema) == {ema.players[3].pk: None}


def test_another_substitute_for_one_round_ends_nothing(ema):
    ema.add_players(1)
    send_in(ema, onwards=True)
    send_in(ema, round_number=2, substitute=ema.players[9].pk)
    assert [s.player for s in until_back(ema.players[3].pk, ema.competition)] == [ema.players[8]]

    assert seat_next(ema) == {ema.players[8].pk: ema.players[3].pk}
    tables = {1: [p.pk for p in ema.players[:4]], 2: [p.pk for p in ema.players[4:8]]}
    seat_players(round_=ema.rounds[1], tables=tables, by=ema.alice)
    assert seat(ema, 3, 2).stands_for is None


def test_back_from_the_next_round_on_leaves_the_seated_rounds_as_they_are(ema):
    send_in(ema, onwards=True)
    close_round(round_=ema.rounds[0], by=ema.alice)

    end_lasting_substitution(entrant=entrant(ema, 3), by=ema.alice)

    assert seat(ema, 3, 2).player == ema.players[8]
    assert seat_next(ema) == {ema.players[3].pk: None}
    assert log(ema).count("seat.back") == 1
    with pytest.raises(Refused, match="no longer has a substitute"):
        end_lasting_substitution(entrant=entrant(ema, 3), by=ema.alice)
    assert log(ema).count("seat.back") == 1


def test_back_from_the_next_round_on_leaves_others_their_substitutes(ema):
    ema.add_players(1)
    send_in(ema, onwards=True)
    send_in(ema, 7, substitute=ema.players[9].pk, onwards=True)

    end_lasting_substitution(entrant=entrant(ema, 3), by=ema.alice)

    assert seat_next(ema) == {ema.players[3].pk: None, ema.players[9].pk: ema.players[7].pk}


def test_a_substitute_who_left_leaves_the_seat_to_the_player(ema):
    send_in(ema, onwards=True)
    withdraw_entrant(entrant=entrant(ema, 8), by=ema.alice)

    assert seat_next(ema) == {ema.players[3].pk: None}
    assert Adjustment.objects.count() == 2


def test_two_absent_players_do_not_share_a_substitute(ema):
    send_in(ema, 3, 1, onwards=True)
    seat(ema, 3, 2).delete()
    send_in(ema, 7, 2, onwards=True)

    made = ema.add_round(opened=False)

    sits = Seat.objects.filter(round=made, stands_for__isnull=False)
    assert list(sits.values_list("player", "stands_for")) == [(ema.players[8].pk, ema.players[3].pk)]


# --- no-show


def test_a_forfeited_table_is_void_and_says_what_each_gets(ema):
    forfeit_seat(seat=seat(ema, 3), score=-450, others=50, reason="did not come", by=ema.alice)

    assert ema.table().sheets.get().status == "void"
    assert totals(ema) == {"p1": (0, 50, 50), "p2": (0, 50, 50), "p3": (0, 50, 50), "p4": (0, -450, -450)}
    kinds = Adjustment.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["absent", "sat_out", "sat_out", "sat_out"]


def test_a_substitute_at_a_forfeited_table_gets_no_points_for_the_others(ema):
    send_in(ema, 2)
    forfeit_seat(seat=seat(ema, 3), score=-450, others=50, reason="did not come", by=ema.alice)

    given = Adjustment.objects.order_by("pk").values_list("player", "kind", "score")
    assert list(given) == [
        (ema.players[2].pk, "substituted", -300),
        (ema.players[3].pk, "absent", -450),
        (ema.players[0].pk, "sat_out", 50),
        (ema.players[1].pk, "sat_out", 50),
    ]


def test_a_table_with_a_result_is_not_forfeited(ema):
    ema.record(SHEET)

    with pytest.raises(Conflict):
        forfeit_seat(seat=seat(ema, 3), score=-450, others=None, reason="late", by=ema.alice)

    assert not Adjustment.objects.exists()


@pytest.fixture
def forfeited(ema) -> Club:
    """A forfeited table: p4 gets −45.0, the other three 5.0 each."""
    forfeit_seat(seat=seat(ema, 3), score=-450, others=50, reason="did not come", by=ema.alice)
    return ema


def record_after_all(here: Club, *, points: tuple[int, ...] = SHEET) -> None:
    record_result(**as_seen(here.table()), points=points, reason="came after all", by=here.charlie)


PLAYED = {"p1": (1, 0, 300), "p2": (1, 0, 100), "p3": (1, 0, -100), "p4": (1, 0, -300)}


def test_a_result_at_a_forfeited_table_ends_the_points_for_the_forfeit(forfeited):
    record_after_all(forfeited)

    assert totals(forfeited) == PLAYED
    assert log(forfeited)[-5:] == ["result.record", *["adjustment.revoke"] * 4]


def test_undoing_that_result_gives_the_points_for_the_forfeit_back(forfeited):
    before = totals(forfeited)
    record_after_all(forfeited)

    undo_result(**as_seen(forfeited.table()), by=forfeited.charlie)

    assert totals(forfeited) == before
    assert log(forfeited)[-5:] == ["result.undo", *["adjustment.add"] * 4]


def test_undoing_a_correction_gives_nothing_back(forfeited):
    record_after_all(forfeited)
    record_after_all(forfeited, points=SHEET[::-1])

    undo_result(**as_seen(forfeited.table()), by=forfeited.charlie)

    assert totals(forfeited) == PLAYED


def test_undoing_a_result_does_not_give_back_what_the_organizer_revoked(forfeited):
    given = Adjustment.objects.get(player=forfeited.players[0])
    revoke_adjustment(adjustment=given, reason="came late, too", by=forfeited.alice)
    record_after_all(forfeited)

    undo_result(**as_seen(forfeited.table()), by=forfeited.charlie)

    assert "p1" not in totals(forfeited)


def test_a_result_at_a_forfeited_table_leaves_the_points_of_other_tables(forfeited):
    forfeit_seat(seat=seat(forfeited, 7), score=-450, others=None, reason="did not come", by=forfeited.alice)

    record_after_all(forfeited)

    assert totals(forfeited) == {**PLAYED, "p8": (0, -450, -450)}


def test_what_a_substituted_player_was_given_stays_with_the_result(ema):
    send_in(ema)
    forfeit_seat(seat=seat(ema, 0), score=-450, others=50, reason="did not come", by=ema.alice)

    record_after_all(ema)

    assert totals(ema)["p4"] == (0, -300, -300)
    assert totals(ema)["p2"] == (1, 0, 100)


# --- points that no table gave


def test_points_for_a_missed_round_count_besides_the_games_until_they_are_revoked(ema):
    ema.add_players(1)
    late = entrant(ema, 9)
    ema.rounds[0].sitting_out.create(player_id=late.player_id)  # as everyone without a seat, in a tournament
    made = miss(ema, 9)
    assert totals(ema) == {"p10": (0, -150, -150)}
    assert not ema.rounds[0].sitting_out.exists()

    revoke_adjustment(adjustment=made, reason="was excused", by=ema.alice)

    assert totals(ema) == {}
    assert log(ema)[-2:] == ["adjustment.add", "adjustment.revoke"]
    with pytest.raises(Refused, match="This adjustment has already been removed"):
        revoke_adjustment(adjustment=made, reason="again", by=ema.alice)


def test_points_for_missing_a_round_count_once_it_is_no_longer_planned(ema):
    planned = create_round(stage=ema.stage, by=ema.alice)
    set_visibility(round_=planned, visibility="results", by=ema.alice)
    miss(ema, 0, round_=planned)
    before = totals(ema)
    seat_players(round_=planned, tables={1: [player.pk for player in ema.players[1:5]]}, by=ema.alice)
    open_round(round_=planned, by=ema.alice)
    assert (before, totals(ema)) == ({}, {"p1": (0, -150, -150)})


def test_a_player_with_a_seat_in_the_round_gets_nothing_for_missing_it(ema):
    with pytest.raises(Refused, match="has a seat in this round"):
        miss(ema, 0)


@pytest.mark.parametrize("kind", ["absent", "sat_out"])
def test_points_for_missing_a_round_end_when_the_player_gets_a_seat(ema, kind):
    given = coming_round(ema, 0, kind=kind)
    ids = [player.pk for player in ema.players]

    seat_players(round_=given.round, tables={1: ids[:4]}, by=ema.alice)

    given.refresh_from_db()
    assert given.revoked_at is not None
    assert log(ema)[-2:] == ["adjustment.revoke", "round.seat"]


def test_points_for_missing_a_round_stay_when_others_are_seated(ema):
    given = coming_round(ema, 7, kind="absent")
    ids = [player.pk for player in ema.players]

    seat_players(round_=given.round, tables={1: ids[:4]}, by=ema.alice)

    given.refresh_from_db()
    assert given.revoked_at is None


def test_seating_the_other_tables_again_keeps_the_points_of_a_forfeited_table(forfeited):
    before = totals(forfeited)
    ids = [player.pk for player in forfeited.players]

    seat_players(round_=forfeited.rounds[0], tables={1: ids[:4], 2: ids[7:3:-1]}, by=forfeited.alice)

    assert totals(forfeited) == before


def test_points_for_an_absence_end_when_the_player_takes_the_seat_back(ema):
    send_in(ema)
    given = miss(ema, 3)

    end_substitution(seat=seat(ema, 3), reason="came", by=ema.alice)

    given.refresh_from_db()
    assert given.revoked_at is not None


def test_points_for_a_forfeit_stay_when_the_player_takes_the_seat_back(ema):
    send_in(ema)
    forfeit_seat(seat=seat(ema, 3), score=-450, others=None, reason="no one came", by=ema.alice)

    end_substitution(seat=seat(ema, 3), reason="a mistake", by=ema.alice)

    assert totals(ema) == {"p4": (0, -450, -450)}


def coming_round(here: Club, index: int, *, kind: str) -> Adjustment:
    """Give a player points for a round that is not seated yet."""
    return miss(here, index, round_=create_round(stage=here.stage, by=here.alice), kind=kind)


def test_nothing_is_given_twice_for_no_round(ema):
    given = {"stage": ema.stage, "round_": None, "entrant": entrant(ema, 0), "kind": "absent"}
    add_adjustment(**given, score=-150, reason="first evening", by=ema.alice)
    add_adjustment(**given, score=-150, reason="second evening", by=ema.alice)

    with pytest.raises(Refused, match="This player already has such an adjustment"):
        add_adjustment(**given, score=-150, reason=" first evening", by=ema.alice)

    assert Adjustment.objects.count() == 2


def test_the_adjustment_of_a_substitution_ends_with_it_only(ema):
    send_in(ema)

    with pytest.raises(Refused, match="A substitute played this round"):
        revoke_adjustment(adjustment=Adjustment.objects.get(), reason="no", by=ema.alice)


# --- the pool


def test_a_substitute_is_in_no_standings_even_with_a_seat_of_their_own(ema):
    made = create_round(stage=ema.stage, by=ema.alice)
    tables = {1: [p.pk for p in [*ema.players[:3], ema.players[8]]]}
    seat_players(round_=made, tables=tables, by=ema.alice)
    open_round(round_=made, visibility="results", by=ema.alice)
    ema.record(SHEET, round_number=3)

    assert totals(ema) == {"p1": (1, 0, 300), "p2": (1, 0, 100), "p3": (1, 0, -100)}


def test_a_player_with_results_stays_a_player(ema):
    ema.record(SHEET)

    with pytest.raises(Refused, match="A player with results cannot become a substitute"):
        set_substitute(entrant=entrant(ema, 0), is_substitute=True, by=ema.alice)
    set_substitute(entrant=entrant(ema, 4), is_substitute=True, by=ema.alice)

    assert (entrant(ema, 0).is_substitute, entrant(ema, 4).is_substitute) == (False, True)


# --- two records of one person


def test_an_absent_player_and_their_substitute_are_not_merged(ema):
    send_in(ema)

    with pytest.raises(Refused, match="Both played in round 1"):
        merge(ema, keep=0, gone=3)


def test_seats_of_substitutes_and_adjustments_go_over_to_the_record_that_stays(ema):
    send_in(ema)
    ema.add_players(1)
    gone = ema.players[3].pk

    stays = merge(ema, keep=9, gone=3)

    assert Seat.objects.get(stands_for=stays).player == ema.players[8]
    assert Adjustment.objects.get().player == stays
    assert not Seat.objects.filter(player=gone).exists()


def merge(here: Club, *, keep: int, gone: int) -> Player:
    return merge_players(
        competition=here.competition,
        keep=here.players[keep].pk,
        gone=here.players[gone].pk,
        values=PlayerValues(name="張志強"),
        by=here.alice,
    )


def test_an_absent_player_is_not_taken_out(ema):
    send_in(ema, onwards=True)

    with pytest.raises(Refused, match="A player who was seated or penalized cannot be removed"):
        remove_entrant(competition=ema.competition, entrant_id=entrant(ema, 3).pk, by=ema.alice)
