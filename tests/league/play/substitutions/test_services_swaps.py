"""Players who change seats, and tables that exchange their results."""

import pytest

from league.core.errors import OutOfDate, Refused
from league.core.rounds import seating
from league.models import AuditEntry, Penalty, Seat, Sheet, Stage
from league.play.disputes.services import open_dispute
from league.play.results.services import confirm_result
from league.play.rounds.services import close_round
from league.play.substitutions.services.substitutions import forfeit_seat
from league.play.substitutions.services.swaps import exchange_results, round_state, swap_players
from league.ranking.standings.queries.standings import compute_standings
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.factories import Club, as_seen, club, with_texts
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)  # 60.0, 10.0, −20.0, −50.0 under HKMA A
GAMBLING = {"infraction": "U-1c", "condition": 0}  # level 6, which expels
OTHER = (50_000, 40_000, 20_000, 10_000)  # 65.0, 15.0, −25.0, −55.0


@module_fixture
def here() -> Club:
    made = club()
    made.add_round()
    return made


def swap(here: Club, one: int, other: int, **options: object) -> list:
    given: dict = {"reason": "sat at the wrong table", "based_on": round_state(here.rounds[0])}
    given |= {"player": here.players[one].pk, "other_player": here.players[other].pk}
    return swap_players(round_=here.rounds[0], by=here.alice, **(given | options))


def exchange(here: Club, **options: object) -> list:
    given: dict = {"table": 1, "other_table": 2, "reason": "typed at the wrong table"}
    given |= {"based_on": round_state(here.rounds[0])}
    return exchange_results(round_=here.rounds[0], by=here.alice, **(given | options))


def totals(here: Club) -> dict[str, int]:
    stage = Stage.objects.select_related("division__rule_set", "division__competition").get(pk=here.stage.pk)
    return {r.player.key: r.row.total for r in compute_standings(stage, public=True).rows if r.row.games}


def ids(here: Club, *positions: int) -> list[int]:
    return [here.players[position].pk for position in positions]


def sheets(here: Club, number: int = 1) -> list[tuple[int, str, bool]]:
    found = here.table(number=number).sheets.order_by("version")
    return list(found.values_list("version", "status", "is_current"))


# --- players


def test_two_players_change_tables_before_any_result(here):
    swap(here, 0, 5)

    assert seating(here.rounds[0]) == {1: ids(here, 5, 1, 2, 3), 2: ids(here, 4, 0, 6, 7)}
    entry = with_texts(AuditEntry.objects.filter(competition=here.competition).latest("sequence"))
    assert (entry.action, entry.before, entry.after) == (
        "round.swap",
        {"1": ids(here, 0, 1, 2, 3), "2": ids(here, 4, 5, 6, 7)},
        {
            "1": ids(here, 5, 1, 2, 3),
            "2": ids(here, 4, 0, 6, 7),
            "reason": "sat at the wrong table",
            "penalties_moved": "",
        },
    )


def test_after_the_results_the_points_go_to_the_right_people_in_a_version_to_be_confirmed_again(here):
    here.record(SHEET)
    here.record(OTHER, number=2)
    confirm_result(**as_seen(here.table()), by=here.alice)

    swap(here, 0, 5)

    assert totals(here) == {
        **{"p6": 600, "p2": 100, "p3": -200, "p4": -500},
        **{"p5": 650, "p1": 150, "p7": -250, "p8": -550},
    }
    assert sheets(here) == [(1, "confirmed", False), (2, "entered", True)]
    assert sheets(here, 2) == [(1, "entered", False), (2, "entered", True)]
    now = Sheet.objects.get(table=here.table(), is_current=True)
    assert (now.points, now.reason, now.entered_by) == (SHEET, "sat at the wrong table", here.alice)


def test_two_players_of_one_table_change_winds_in_one_new_version(here):
    here.record(SHEET)

    swap(here, 0, 3)

    assert totals(here) == {"p4": 600, "p2": 100, "p3": -200, "p1": -500}
    assert sheets(here) == [(1, "entered", False), (2, "entered", True)]


def test_a_substitute_takes_along_for_whom_they_sit(here):
    Seat.objects.filter(player=here.players[5]).update(stands_for=here.players[6], came_late=True)
    Seat.objects.filter(player=here.players[6]).delete()

    swap(here, 0, 5)

    moved = Seat.objects.get(player=here.players[5])
    assert (moved.table.number, moved.stands_for, moved.came_late) == (1, here.players[6], True)
    assert Seat.objects.get(player=here.players[0]).stands_for is None


@pytest.mark.parametrize("exchanged", [False, True])
def test_points_for_a_forfeit_end_where_a_result_moves_to_the_player(here, exchanged):
    here.record(OTHER, number=2)
    seat = Seat.objects.select_related("round__stage__division__competition", "table")
    absent = seat.get(player=here.players[0])
    forfeit_seat(seat=absent, score=-300, others=None, reason="did not come", by=here.alice)

    if exchanged:
        exchange(here)
    else:
        swap(here, 0, 4)

    assert totals(here)["p1"] == 650


@pytest.mark.parametrize(("choice", "player", "table"), [("follow", 0, 2), ("stay", 5, 1)])
def test_penalties_follow_the_player_or_stay_with_the_seat(here, choice, player, table):
    penalty = log_penalty(
        stage=here.stage,
        player_id=here.players[0].pk,
        score=-20,
        reason="late",
        table=here.table(),
        by=here.bob,
    )
    with pytest.raises(Refused, match="These tables have penalties") as refused:
        swap(here, 0, 5)
    assert refused.value.field == "penalties"

    swap(here, 0, 5, penalties=choice)

    now = Penalty.objects.get(pk=penalty.pk)
    assert (now.player, now.table) == (here.players[player], here.table(number=table))
    actions = AuditEntry.objects.filter(competition=here.competition).order_by("-sequence")
    assert [e.action for e in actions[:2]] == ["round.swap", "penalty.move"]


def test_a_penalty_that_expelled_its_player_does_not_stay_for_another_one(here):
    penalty = expel(here)

    with pytest.raises(Refused, match="One of these penalties expelled its player") as refused:
        swap(here, 0, 5, penalties="stay")

    assert refused.value.field == "penalties"
    penalty.refresh_from_db()
    assert penalty.player == here.players[0]
    assert withdrawn(here) == ids(here, 0)


def test_a_penalty_that_expelled_its_player_follows_the_player(here):
    penalty = expel(here)

    swap(here, 0, 5, penalties="follow")

    penalty.refresh_from_db()
    assert (penalty.player, penalty.table) == (here.players[0], here.table(number=2))


def test_the_right_player_is_expelled_after_a_revocation_and_a_swap(here):
    revoke_penalty(penalty=expel(here), reason="sat in the wrong seat", by=here.alice)

    swap(here, 0, 5, penalties="stay")
    expel(here, 5)

    assert withdrawn(here) == ids(here, 5)


def expel(here: Club, position: int = 0) -> Penalty:
    """A penalty of level 6 at the first table."""
    player, table = here.players[position].pk, here.table()
    (penalty,) = log_offence(stage=here.stage, player_id=player, **GAMBLING, table=table, by=here.bob)
    return penalty


def withdrawn(here: Club) -> list[int]:
    gone = here.competition.entrants.filter(withdrawn_at__isnull=False).order_by("pk")
    return list(gone.values_list("player_id", flat=True))


def test_what_cannot_be_swapped_is_refused(here):
    with pytest.raises(Refused, match="two different players"):
        swap(here, 0, 0)
    with pytest.raises(Refused, match="Describe what went wrong"):
        swap(here, 0, 5, reason="")
    with pytest.raises(OutOfDate, match="has changed"):
        swap(here, 0, 5, based_on="another")
    open_dispute(table=here.table(), subject="Who sits here?", by=here.bob)
    with pytest.raises(Refused, match="has an open dispute"):
        swap(here, 0, 5)
    close_round(round_=here.rounds[0], by=here.alice)
    with pytest.raises(Refused, match="closed"):
        swap(here, 0, 5)
    assert seating(here.rounds[0]) == {1: ids(here, 0, 1, 2, 3), 2: ids(here, 4, 5, 6, 7)}


def test_a_result_saved_meanwhile_is_looked_at_first(here):
    seen = round_state(here.rounds[0])
    here.record(SHEET)

    with pytest.raises(OutOfDate):
        swap(here, 0, 5, based_on=seen)


# --- results


def test_two_tables_exchange_what_their_sheets_say(here):
    here.record(SHEET)
    here.record(OTHER, number=2)

    exchange(here)

    assert totals(here) == {
        **{"p1": 650, "p2": 150, "p3": -250, "p4": -550},
        **{"p5": 600, "p6": 100, "p7": -200, "p8": -500},
    }
    assert sheets(here) == sheets(here, 2) == [(1, "entered", False), (2, "entered", True)]


def test_a_result_moves_to_a_table_without_one(here):
    here.record(SHEET)

    exchange(here)

    assert totals(here) == {"p5": 600, "p6": 100, "p7": -200, "p8": -500}
    assert sheets(here) == [(1, "entered", False), (2, "void", True)]
    assert sheets(here, 2) == [(1, "entered", True)]


def test_what_cannot_be_exchanged_is_refused(here):
    with pytest.raises(Refused, match="Neither of the two tables"):
        exchange(here)
    with pytest.raises(Refused, match="two different tables"):
        exchange(here, other_table=9)
    here.record(SHEET)
    open_dispute(table=here.table(), subject="Whose result is it?", by=here.bob)
    with pytest.raises(Refused, match="has an open dispute"):
        exchange(here)
    assert sheets(here) == [(1, "entered", True)]
