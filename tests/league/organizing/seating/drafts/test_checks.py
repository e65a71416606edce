"""What the page says before a round is seated: what is missing, impossible, or could be seated again."""

import pytest

from league.core.errors import Refused
from league.core.rounds import seating
from league.models import Entrant, Seat
from league.organizing.seating.queries.checks import checks
from league.organizing.seating.queries.review import review
from league.organizing.seating.queries.seating import (
    LOTS,
    RANDOM,
    SCHEDULE,
    SUBSTITUTES,
    SWISS,
    PlanRequest,
    seating_facts,
)
from league.organizing.seating.services.drafts import plan_of
from league.play.calendar.services.table_times import postpone_tables
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from tests.league.organizing.seating.drafts.planning import (
    accept,
    begin,
    codes,
    fresh,
    ids,
    play,
    seated,
    withdraw,
)

pytestmark = pytest.mark.django_db


def test_nothing_speaks_against_sixteen_players(here):
    assert codes(here, method=SCHEDULE, rounds=5) == []


def test_three_players_are_too_few(here):
    Entrant.objects.filter(competition=here.competition, key__in=[f"p{n}" for n in range(4, 17)]).delete()
    assert codes(here) == [("few", True)]
    with pytest.raises(Refused, match="only 3 players can be seated"):
        begin(here)


def test_an_odd_number_is_said_with_what_to_do(here):
    here.add_players(2)
    assert codes(here) == [("over", False)]
    (check,) = checks(seating_facts(fresh(here)), PlanRequest())
    assert check.text == ("18 players: 2 sit out each round, in turn. With 2 more, everyone plays.")
    assert codes(here, fill=SUBSTITUTES) == [("substitutes", True)]


def test_results_that_are_missing_block_ranks_only_and_can_be_waived(here):
    here.add_round()
    assert codes(here, method=SWISS) == [("unfinished", True)]
    assert codes(here, method=SWISS, unfinished=True) == [("unfinished", False)]
    assert codes(here, method=SCHEDULE) == codes(here, method=RANDOM) == []


def test_a_postponed_table_does_not_hold_up_the_next_round(here):
    begin(here, method=LOTS)
    (round_,) = accept(here)
    open_round(round_=round_, by=here.alice)
    for table in round_.tables.all()[:3]:
        record_result(table=table, points=(40_000, 35_000, 25_000, 20_000), based_on=0, by=here.charlie)
    assert codes(here, method=SWISS) == [("unfinished", True)]

    postpone_tables(tables=[here.table(number=4)], reason="ill", by=here.alice)

    assert codes(here, method=SWISS) == []


def test_a_closed_round_and_one_with_sheets_are_not_seated_again(here):
    first = here.add_round()
    here.record((40_000, 35_000, 25_000, 20_000))
    assert codes(here, method=LOTS, first=first.pk) == [("sheets", True)]
    close_round(round_=first, by=here.alice)
    assert codes(here, method=LOTS, first=first.pk) == [("closed", True)]


def test_who_left_is_named(here):
    here.add_round()
    withdraw(here, 3)
    assert codes(here, method=LOTS) == [("over", False), ("gone", False)]


def test_after_one_player_left_the_seated_rounds_stay_without_a_repeat(here):
    begin(here, rounds=5, seed=1)
    rounds = accept(here)
    before = [seating(round_) for round_ in rounds]
    withdraw(here, 3)

    draft = begin(here, first=rounds[2].pk, rounds=3, seed=2)

    found = review(
        seating_facts(fresh(here)), PlanRequest.of_json(draft.asked), plan_of(draft), draft.asked["players"]
    )
    assert (found.repeats, draft.search["proven"]) == (0, True)
    assert [times for _info, times in found.sitting_out] == [1] * 9
    kept = [
        {frozenset(four) for four in old.values()} & {frozenset(four) for four in new.values()}
        for old, new in zip(before[2:], plan_of(draft), strict=True)
    ]
    assert [len(each) for each in kept] == [3, 3, 3]


def test_a_seat_without_a_player_in_another_round_is_named(here):
    here.add_round(opened=False)
    Seat.objects.filter(round=here.rounds[0], player=here.players[2]).delete()
    assert codes(here, method=LOTS) == [("empty", False)]


def test_tables_and_wishes_that_cannot_be_are_said(here):
    fixed = {here.players[0].pk: 9}
    assert codes(here, tables=(1, 2, 3)) == [("tables", True)]
    assert codes(here, method=LOTS, tables=(1, 2, 3)) == [("tables", False)]
    assert codes(here, tables=(1, 2, 3, 4), fixed=fixed) == [("fixed", True)]
    pair = frozenset({tuple(ids(here, 0, 1))})
    assert codes(here, forbidden=pair, wished=pair) == [("pairs", True)]
    assert codes(here, rounds=61) == [("rounds", True)]


def test_who_left_and_still_has_a_seat_is_named_with_the_rounds(here):
    first, second = here.add_round(opened=False), here.add_round(opened=False)
    withdraw(here, 3)
    texts = {
        c.code: c.text for c in checks(seating_facts(fresh(here)), PlanRequest(method=LOTS, first=first.pk))
    }
    assert texts["left"] == (
        "A player who left still has a seat in round 2. Seat these rounds again, too, or assign substitutes."
    )
    assert second.number == 2
    assert "left" not in dict(codes(here, method=SCHEDULE, rounds=2, first=first.pk))


def test_who_comes_late_is_named_with_the_rounds_that_could_be_seated_again(here):
    begin(here, method=SCHEDULE, rounds=4)
    rounds = accept(here)
    play(here, rounds[0])
    here.add_players(4)
    texts = {c.code: c.text for c in checks(seating_facts(fresh(here)), PlanRequest(first=rounds[3].pk))}
    assert texts["late"].endswith("To let them play, seat round 2, 3 again, too.")
    assert "late" not in dict(codes(here, rounds=3, first=rounds[1].pk))

    begin(here, method=SCHEDULE, rounds=3, first=rounds[1].pk)
    accept(here)
    assert [len(tables) for tables in seated(here)] == [4, 5, 5, 5]
