"""A seating in the making: begun, searched in slices, tried again, accepted in one change, dropped."""

import uuid
from datetime import date
from fractions import Fraction

import pytest
from django.utils import timezone

from league.audit_log.queries import verify_chain
from league.calendar.services.table_times import postpone_tables
from league.core.changes import Form
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.core.rounds import seating
from league.core.stages import stages_of
from league.models import (
    Adjustment,
    AuditEntry,
    Competition,
    Entrant,
    Round,
    Seat,
    SeatingDraft,
    SittingOut,
    Stage,
)
from league.penalties.services import log_penalty
from league.results.services import record_result
from league.roster.services.merging import merge_players
from league.roster.services.register import PlayerValues
from league.rounds.services import close_round, create_round, open_round, seat_players, set_visibility
from league.seating.engine.checker import check_plan
from league.seating.queries.checks import checks
from league.seating.queries.review import review
from league.seating.queries.seating import (
    CLOSE,
    FEW,
    INTERVAL,
    LOTS,
    PLAN,
    RANDOM,
    RANK,
    SCHEDULE,
    SUBSTITUTES,
    SWISS,
    PlanRequest,
    draft_of,
    last_request,
    seating_facts,
)
from league.seating.services.drafts import (
    accept_seating,
    begin_seating,
    draft_state,
    drop_seating,
    plan_of,
    search_longer,
    search_on,
    seen_state,
    stop_search,
    try_again,
    weigh_otherwise,
)
from league.seating.services.plans import job_of, search
from league.stages.services import cut_stage
from league.standings.queries.player import player_records
from league.standings.queries.standings import compute_standings
from league.substitutions.services.substitutions import add_adjustment, substitute_player
from scoring.cuts import Terms
from tests.factories import Club, as_seen, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club(players=16, preset="ema-2025")


def fresh(here: Club) -> Stage:
    return Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)


def begin(here: Club, *, seed: int = 1, **asked) -> SeatingDraft:
    return begin_seating(stage=fresh(here), asked=PlanRequest(**asked), seed=seed, by=here.alice)


def accept(here: Club, draft: SeatingDraft | None = None) -> list[Round]:
    draft = draft or draft_of(here.stage)
    return accept_seating(stage=fresh(here), seen=draft_state(draft), by=here.alice)


def seated(here: Club) -> list[list[list[int]]]:
    """Rounds of tables of four players, as the database has them."""
    found = []
    for round_ in Round.objects.filter(stage=here.stage).order_by("number"):
        seats = Seat.objects.filter(round=round_).order_by("table__number", "wind")
        players = list(seats.values_list("player_id", flat=True))
        found.append([players[at : at + 4] for at in range(0, len(players), 4)])
    return found


def play(here: Club, round_: Round) -> None:
    """Every table ends 40 000, 35 000, 25 000, 20 000 from east on, at table n with n thousand more for east
    and less for north; the round is closed.
    """
    open_round(round_=round_, by=here.alice)
    for table in round_.tables.all():
        more = 1000 * table.number
        points = (40_000 + more, 35_000, 25_000, 20_000 - more)
        record_result(table=table, points=points, based_on=0, by=here.charlie)
    close_round(round_=round_, by=here.alice)


def withdraw(here: Club, position: int) -> None:
    here.competition.entrants.filter(player=here.players[position]).update(withdrawn_at=timezone.now())
    Competition.objects.filter(pk=here.competition.pk).update(revision=here.competition.revision + 1)


def ids(here: Club, *positions: int) -> list[int]:
    return [here.players[position].pk for position in positions]


# --- a whole schedule


def test_a_schedule_is_accepted_in_one_change(here):
    draft = begin(here, method=SCHEDULE, rounds=5, seed=7)
    assert Round.objects.count() == 0
    before = Competition.objects.get(pk=here.competition.pk).revision

    rounds = accept(here)

    plan = seated(here)
    report = check_plan(plan, [player.pk for player in here.players])
    assert (len(plan), report.repeats, report.uneven, report.faults) == (5, 0, (), ())
    assert [(r.number, r.method, r.seed, r.status, r.visibility) for r in rounds] == [
        (number, "schedule", 7, "planned", "hidden") for number in range(1, 6)
    ]
    assert Competition.objects.get(pk=here.competition.pk).revision == before + 1
    entry = AuditEntry.objects.filter(competition=here.competition).order_by("-sequence").first()
    assert (entry.action, entry.after) == (
        "seating.accept",
        {"method": "schedule", "seed": 7, "rounds": [1, 2, 3, 4, 5], "repeats": 0},
    )
    assert verify_chain(here.competition).broken_at is None
    assert draft_of(here.stage) is None
    assert draft.seed == 7


def test_rounds_of_a_competition_of_one_day_are_on_that_day(here):
    day = date(2026, 11, 22)
    Competition.objects.update(first_day=day, last_day=day)

    made = accept(here, begin(here, method=RANDOM))

    assert [each.date for each in made] == [day]


def test_planned_rounds_are_seated_before_new_ones_are_made(here):
    for _number in range(2):
        create_round(stage=here.stage, by=here.alice)
    begin(here, method=SCHEDULE, rounds=3)
    there = set(Round.objects.values_list("pk", flat=True))

    rounds = accept(here)

    assert {round_.pk for round_ in rounds[:2]} == there
    assert [round_.number for round_ in rounds] == [1, 2, 3]


def test_a_resumed_search_is_the_unbroken_one(here):
    here.add_players(6)  # 22 × 8: no plan without a search
    job = job_of(seating_facts(fresh(here)), PlanRequest(method=SCHEDULE, rounds=8))
    whole = search(job, seed=5, legs=4, state=None, seconds=60)

    part, slices = search(job, seed=5, legs=1, state=None, seconds=60), 1
    while part.state["legs"] < 4 and not part.is_best:
        slices += 1
        part = search(job, seed=5, legs=part.state["legs"] + 1, state=part.state, seconds=60)

    assert slices > 1
    assert (part.plan, part.cost) == (whole.plan, whole.cost)


def test_a_search_goes_on_where_it_was_left(here):
    """Everything that a search needs is in the draft: the server may end between two slices."""
    here.add_players(6)  # 22 × 8
    begin(here, method=SCHEDULE, rounds=8)
    SeatingDraft.objects.update(search=shortened(draft_of(here.stage)))
    revision = Competition.objects.get(pk=here.competition.pk).revision

    before = draft_of(here.stage)
    search_on(draft=before)

    after = draft_of(here.stage)
    assert after.search["state"]["legs"] > shortened(after)["state"]["legs"]
    assert after.search["cost"] <= shortened(after)["cost"]
    assert Competition.objects.get(pk=here.competition.pk).revision == revision


def shortened(draft: SeatingDraft) -> dict[str, object]:
    """The search as it was after its first leg."""
    job = job_of(seating_facts(draft.stage), PlanRequest.of_json(draft.asked))
    found = search(job, seed=draft.seed, legs=1, state=None, seconds=60)
    return draft.search | {"state": dict(found.state), "status": "running", "cost": list(found.cost)}


def test_of_two_pages_that_search_at_once_one_is_kept(here):
    here.add_players(6)
    begin(here, method=SCHEDULE, rounds=8)
    SeatingDraft.objects.update(search=shortened(draft_of(here.stage)))
    one, other = draft_of(here.stage), draft_of(here.stage)

    search_on(draft=one)
    late = search_on(draft=other, seconds=0.3)

    assert late.search == draft_of(here.stage).search == one.search


def test_a_search_that_was_stopped_stays_stopped_whatever_was_still_running(here):
    here.add_players(6)
    begin(here, method=SCHEDULE, rounds=8)
    SeatingDraft.objects.update(search=shortened(draft_of(here.stage)))
    running = draft_of(here.stage)

    stop_search(draft=draft_of(here.stage))
    search_on(draft=running)

    stopped = draft_of(here.stage)
    assert stopped.search["status"] == "stopped"
    assert search_on(draft=stopped).search["turn"] == stopped.search["turn"]
    search_longer(draft=stopped)
    assert draft_of(here.stage).search["status"] == "running"


def test_a_slice_of_an_old_search_does_not_come_into_a_new_one(here):
    here.add_players(6)
    begin(here, method=SCHEDULE, rounds=8)
    SeatingDraft.objects.update(search=shortened(draft_of(here.stage)))
    running = draft_of(here.stage)

    begin(here, method=LOTS)
    search_on(draft=running)

    assert (draft_of(here.stage).method, len(draft_of(here.stage).plan)) == ("random", 1)


def test_trying_again_keeps_the_better_plan(here):
    draft = begin(here, method=SCHEDULE, rounds=7, seed=1)  # 16 × 7: searched
    cost = draft.search["cost"]

    kept, held = try_again(draft=draft_of(here.stage), seed=2)

    assert held == (kept.seed == 2) == (kept.search["cost"] < cost)
    assert kept.search["cost"] <= cost


def test_clubs_apart_and_a_fixed_table_are_met(here):
    begin(
        here,
        method=SCHEDULE,
        rounds=3,
        forbidden=frozenset({tuple(ids(here, 0, 1))}),
        fixed={here.players[5].pk: 3},
    )
    draft = draft_of(here.stage)
    found = review(
        seating_facts(fresh(here)), PlanRequest.of_json(draft.asked), plan_of(draft), draft.asked["players"]
    )
    assert (found.forbidden, found.misplaced, found.repeats) == ((), (), 0)
    assert all(here.players[5].pk in round_[3] for round_ in plan_of(draft))


# --- round by round


@pytest.mark.parametrize("method", [SWISS, RANK, INTERVAL, RANDOM, LOTS])
def test_every_method_seats_every_player_once(here, method):
    begin(here, method=method)
    (round_,) = accept(here)
    assert sorted(player for table in seated(here)[0] for player in table) == sorted(ids(here, *range(16)))
    assert round_.method == {"lots": "random"}.get(method, method)


def test_ranks_are_those_of_the_standings_with_penalties(here):
    first = here.add_round(opened=False)
    play(here, first)
    log_penalty(
        stage=here.stage, player_id=here.players[0].pk, score=-2000, reason="-", table=None, by=here.alice
    )
    begin(here, method=RANK)
    accept(here)

    order = [line.player.player for line in compute_standings(fresh(here), public=False).rows]
    assert order[-1] == here.players[0].pk
    tables = seated(here)[1]
    assert [sorted(order.index(player) for player in table) for table in tables] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9, 10, 11],
        [12, 13, 14, 15],
    ]


def test_the_second_round_repeats_no_meeting_of_the_first(here):
    begin(here, method=RANDOM)
    accept(here)
    begin(here, method=RANDOM, seed=2)
    accept(here)
    assert check_plan(seated(here)).repeats == 0


def test_swiss_knows_the_last_round_and_the_stage_keeps_how_many_it_has(here):
    last = {}
    for number in (4, 5):
        create_round(stage=here.stage, number=number, by=here.alice)
        draft = begin(here, method=SWISS, planned=5)
        last[number] = job_of(seating_facts(fresh(here)), PlanRequest.of_json(draft.asked)).is_last
        play(here, *accept(here))

    assert last == {4: False, 5: True}
    assert fresh(here).planned_rounds == 5
    entries = AuditEntry.objects.filter(competition=here.competition, action="stage.planned_rounds")
    assert [(entry.before, entry.after) for entry in entries] == [({"rounds": None}, {"rounds": 5})]


def test_a_swiss_round_is_weighed_otherwise_with_the_figures_of_each(here):
    here.add_round(opened=False)
    few = begin(here, method=SWISS, unfinished=True, seed=4)
    plan, figures = few.plan, few.search["tried"]["few"]["figures"]

    close = weigh_otherwise(draft=draft_of(here.stage), weighs=CLOSE, seed=5)

    assert close.asked["weighs"] == CLOSE
    tried = close.search["tried"]
    assert tried["few"]["figures"] == list(figures)
    assert tried["close"]["figures"][0] > figures[0]
    assert tried["close"]["figures"][1] < figures[1]
    back = weigh_otherwise(draft=draft_of(here.stage), weighs=FEW, seed=6)
    assert (back.plan, back.seed) == (plan, 4)
    accept(here)
    assert last_request(here.stage).weighs == FEW


def test_rounds_that_wait_to_be_seated_say_how_many_the_stage_has(here):
    assert seating_facts(fresh(here)).planned_rounds is None
    for _round in range(3):
        create_round(stage=here.stage, by=here.alice)
    assert seating_facts(fresh(here)).planned_rounds == 3


def test_a_plan_of_ones_own_is_kept_as_it_is(here):
    given = ({7 - n: tuple(ids(here, *range(4 * n, 4 * n + 4))) for n in range(4)},)
    begin(here, method=PLAN, given=given)
    (round_,) = accept(here)
    assert seating(Round.objects.get()) == {n: list(four) for n, four in given[0].items()}
    assert round_.method == "plan"


def test_a_plan_in_which_a_player_sits_twice_is_refused(here):
    four = tuple(ids(here, 0, 1, 2, 3))
    with pytest.raises(Refused, match="cannot be played"):
        begin(here, method=PLAN, given=({1: four, 2: four},))
    assert not SeatingDraft.objects.exists()


# --- what speaks against it


def codes(here: Club, **asked) -> list[tuple[str, bool]]:
    return [(check.code, check.blocks) for check in checks(seating_facts(fresh(here)), PlanRequest(**asked))]


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


# --- not a multiple of four; tables


def test_substitutes_fill_the_last_table(here):
    here.add_players(4)
    keys = ["p19", "p20"]
    here.competition.entrants.filter(key__in=keys).update(is_substitute=True)
    assert codes(here, method=RANDOM, fill=SUBSTITUTES) == [("filled", False)]
    assert codes(here, method=RANDOM) == [("over", False)]
    begin(here, method=RANDOM, fill=SUBSTITUTES)
    accept(here)
    assert len(seated(here)[0]) == 5
    assert Seat.objects.filter(player__in=ids(here, 18, 19)).count() == 2


def test_players_sit_out_in_turn(here):
    here.add_players(2)  # 18: two sit out each round
    for seed in range(9):
        begin(here, method=LOTS, seed=seed)
        accept(here)
    played = [Seat.objects.filter(player=player).count() for player in here.players]
    assert played == [8] * 18


def test_sitting_out_is_counted_for_players_who_were_there(here):
    """Of 13 players one sits out each round; the three who come for the third one have not sat out less."""
    late = ids(here, 13, 14, 15)
    for _round in range(2):
        begin(here, method=LOTS, out=frozenset(late))
        play(here, *accept(here))
    assert SittingOut.objects.filter(player__in=late).count() == 0
    assert SittingOut.objects.count() == 2

    facts = seating_facts(fresh(here))
    shares = facts.history(facts.targets(None, 1), facts.pool).sat_out

    sat = {player.pk: Fraction(SittingOut.objects.filter(player=player).count()) for player in here.players}
    assert shares == sat | dict.fromkeys(late, Fraction(2, 13))


def test_no_player_sits_out_twice_in_a_row_even_over_a_round_that_they_missed(here):
    everyone = frozenset(ids(here, *range(5)))
    others = frozenset(player.pk for player in here.players) - everyone
    begin(here, method=LOTS, out=others)
    (first,) = accept(here)
    play(here, first)
    out = first.sitting_out.get().player_id
    begin(here, method=LOTS, out=others | {out})
    play(here, *accept(here))
    for seed in range(5):
        draft = begin(here, method=LOTS, out=others, seed=seed)
        assert out in {player for four in plan_of(draft)[0].values() for player in four}


def test_a_round_seated_by_hand_has_all_other_players_of_a_tournament_sitting_out(here):
    round_ = create_round(stage=here.stage, by=here.alice)
    tables = {1: ids(here, 0, 1, 2, 3)}
    seat_players(round_=round_, tables=tables, by=here.alice)
    assert not round_.sitting_out.exists()

    Competition.objects.update(kind="event")
    seat_players(round_=round_, tables=tables, by=here.alice)
    assert round_.sitting_out.count() == 12
    seat_players(round_=round_, tables=tables | {2: ids(here, 4, 5, 6, 7)}, by=here.alice)
    assert set(round_.sitting_out.values_list("player_id", flat=True)) == set(ids(here, *range(8, 16)))


def test_a_table_taken_away_is_not_used(here):
    begin(here, method=SCHEDULE, rounds=2, tables=(1, 2, 4, 7))
    first, second = accept(here)
    for round_ in (first, second):
        assert list(round_.tables.values_list("number", flat=True)) == [1, 2, 4, 7]


def test_with_too_few_tables_more_sit_out_in_turn(here):
    for seed in range(4):
        begin(here, method=LOTS, seed=seed, tables=(1, 2, 3))
        accept(here)
    assert [Seat.objects.filter(player=player).count() for player in here.players] == [3] * 16


def given(here: Club, round_: Round) -> dict[int, int]:
    found = Adjustment.objects.filter(round=round_, kind="sat_out", revoked_at__isnull=True)
    return dict(found.values_list("player_id", "score"))


def test_who_sits_out_gets_the_fixed_score(here):
    here.add_players(1)
    begin_seating(
        stage=fresh(here), asked=PlanRequest(method=RANDOM), seed=1, sitting_out=("fixed", 150), by=here.alice
    )
    (round_,) = accept(here)
    (out,) = {player.pk for player in here.players} - set(Seat.objects.values_list("player_id", flat=True))
    assert given(here, round_) == {out: 150}
    assert (fresh(here).sit_out, fresh(here).sit_out_score) == ("fixed", 150)


def test_what_sitting_out_brings_counts_from_the_opening_of_the_round_on(here):
    here.add_players(1)
    Stage.objects.update(sit_out="fixed", sit_out_score=-150)
    order = seating_facts(fresh(here)).order
    begin(here, method=RANDOM)
    (round_,) = accept(here)
    ((out, score),) = given(here, round_).items()

    def total() -> int:
        rows = [line.row for line in compute_standings(fresh(here), public=False).rows]
        return next(row.total for row in rows if row.player == out)

    assert (score, total(), seating_facts(fresh(here)).order) == (-150, 0, order)
    open_round(round_=round_, by=here.alice)
    assert (total(), seating_facts(fresh(here)).order[-1]) == (-150, out)


def test_the_average_for_sitting_out_follows_the_results_of_the_rounds_before(here):
    here.add_players(1)
    Stage.objects.update(sit_out="average")
    begin(here, method=SCHEDULE, rounds=3)
    first, second, _third = accept(here)
    play(here, first)
    open_round(round_=second, by=here.alice)
    ((out, score),) = given(here, second).items()
    assert score is None

    def row():
        rows = [line.row for line in compute_standings(fresh(here), public=False).rows]
        return next(row for row in rows if row.player == out)

    assert row().games == 1
    assert row().adjusted == row().score != 0
    before = row().adjusted

    open_round(round_=first, by=here.alice)
    table = first.tables.get(seats__player=out)
    seats = list(table.seats.order_by("wind").values_list("player_id", flat=True))
    points = [90_000 if player == out else 10_000 for player in seats]
    record_result(**as_seen(table), points=points, reason="typed wrongly", by=here.charlie)
    close_round(round_=first, by=here.alice)

    assert row().adjusted == row().score != before
    entrant = Entrant.objects.get(competition=here.competition, player=out)
    (record,) = player_records(
        entrant, here.competition, stages_of(here.competition, public=False), public=False
    )
    assert record.steps[-1].total == row().total


def test_the_average_that_the_public_sees_knows_published_results_only(here):
    here.add_players(1)
    Stage.objects.update(sit_out="average")
    begin(here, method=SCHEDULE, rounds=2)
    first, second = accept(here)
    play(here, first)
    open_round(round_=second, visibility="results", by=here.alice)
    ((out, _score),) = given(here, second).items()

    def adjusted(*, public: bool) -> int:
        rows = [line.row for line in compute_standings(fresh(here), public=public).rows]
        return next(row.adjusted for row in rows if row.player == out)

    assert adjusted(public=False) != 0
    assert adjusted(public=True) == 0
    set_visibility(round_=first, visibility="results", by=here.alice)
    assert adjusted(public=True) == adjusted(public=False)


def test_seated_again_what_was_given_for_sitting_out_is_taken_back(here):
    here.add_players(1)
    Stage.objects.update(sit_out="fixed", sit_out_score=100)
    begin(here, method=RANDOM)
    (round_,) = accept(here)
    ((out, _score),) = given(here, round_).items()

    everyone = [player.pk for player in here.players if player.pk != ids(here, 0)[0]]
    swapped = [out, *(player for player in everyone if player != out)][:16]
    seat_players(round_=round_, tables={n: swapped[4 * n - 4 : 4 * n] for n in range(1, 5)}, by=here.alice)

    assert given(here, round_) == {}


def test_what_an_organizer_gave_stays(here):
    here.add_players(1)
    Stage.objects.update(sit_out="fixed", sit_out_score=100)
    begin(here, method=RANDOM)
    (round_,) = accept(here)
    ((out, _score),) = given(here, round_).items()
    Adjustment.objects.all().delete()
    entrant = here.competition.entrants.get(player=out)
    add_adjustment(
        stage=round_.stage,
        round_=round_,
        entrant=entrant,
        kind="sat_out",
        score=7,
        reason="agreed",
        by=here.alice,
    )
    begin(here, method=RANDOM, first=round_.pk, out=frozenset({out}))
    accept(here)
    assert given(here, round_) == {out: 7}


# --- changed since


def test_a_withdrawal_between_plan_and_acceptance_is_noticed(here):
    draft = begin(here, method=SCHEDULE, rounds=5)
    withdraw(here, 0)
    with pytest.raises(OutOfDate, match="Players have joined or left since this plan was created"):
        accept(here, draft)
    assert (Round.objects.count(), Seat.objects.count()) == (0, 0)
    assert draft_of(here.stage) is not None
    with pytest.raises(OutOfDate, match="Players have joined or left since this plan was created"):
        try_again(draft=draft_of(here.stage), seed=2)


def test_players_seated_meanwhile_are_noticed(here):
    round_ = create_round(stage=here.stage, by=here.alice)
    draft = begin(here, method=SCHEDULE, rounds=5)
    seat_players(round_=round_, tables={1: ids(here, 0, 1, 2, 3)}, by=here.alice)
    with pytest.raises(OutOfDate, match="Rounds of this stage"):
        accept(here, draft)
    assert Round.objects.count() == 1


def test_a_corrected_result_is_noticed_where_ranks_count(here):
    first = here.add_round()
    for number in range(1, 5):
        here.record((40_000, 35_000, 25_000, 20_000), number=number)
    close_round(round_=first, by=here.alice)
    by_lot, by_rank = begin(here, method=LOTS), None
    log_penalty(
        stage=here.stage, player_id=here.players[0].pk, score=-2000, reason="-", table=None, by=here.alice
    )
    accept(here, by_lot)
    by_rank = begin(here, method=RANK, unfinished=True)
    log_penalty(
        stage=here.stage, player_id=here.players[4].pk, score=-2000, reason="-", table=None, by=here.alice
    )
    with pytest.raises(OutOfDate, match="ranks"):
        accept(here, by_rank)


def test_a_plan_that_changed_since_it_was_seen_is_not_accepted(here):
    seen = draft_state(begin(here, method=LOTS, seed=1))
    try_again(draft=draft_of(here.stage), seed=2)
    with pytest.raises(OutOfDate, match="has changed since"):
        accept_seating(stage=fresh(here), seen=seen, by=here.alice)


def test_accepting_undoes_everything_when_one_round_cannot_be_seated(here):
    draft = begin(here, method=SCHEDULE, rounds=3)
    plan = list(draft.plan)
    # A player who is in no competition: the third round cannot be written.
    stranger = club("autumn").players[0].pk
    plan[2] = {**plan[2], "1": [stranger, *plan[2]["1"][1:]]}
    SeatingDraft.objects.filter(pk=draft.pk).update(plan=plan)
    with pytest.raises(Refused, match="not entered"):
        accept(here, draft_of(here.stage))
    assert (Round.objects.count(), Seat.objects.count()) == (0, 0)
    assert draft_of(here.stage) is not None


def test_the_same_form_twice_seats_once(here):
    draft = begin(here, method=LOTS)
    form = Form.of(uuid.uuid4(), "accept")
    accept_seating(stage=fresh(here), seen=draft_state(draft), by=here.alice, form=form)
    with pytest.raises(AlreadyDone):
        accept_seating(stage=fresh(here), seen=draft_state(draft), by=here.alice, form=form)
    assert Round.objects.count() == 1


def test_two_organizers_at_once_see_each_other(here):
    seen = seen_state(here.stage)
    begin_seating(stage=fresh(here), asked=PlanRequest(method=LOTS), seed=1, seen=seen, by=here.alice)
    with pytest.raises(OutOfDate, match="alice-spring has created a seating plan"):
        begin_seating(stage=fresh(here), asked=PlanRequest(method=LOTS), seed=2, seen=seen, by=here.bob)
    now = seen_state(here.stage)
    begin_seating(stage=fresh(here), asked=PlanRequest(method=LOTS), seed=2, seen=now, by=here.bob)
    assert draft_of(here.stage).created_by == here.bob


# --- remembered


def test_wishes_are_remembered_for_the_next_round(here):
    pair = frozenset({tuple(ids(here, 0, 1))})
    out = frozenset(ids(here, 12, 13, 14, 15))
    begin(here, method=RANDOM, clubs=0, forbidden=pair, fixed={here.players[2].pk: 2}, out=out)
    accept(here)
    last = last_request(here.stage)
    assert last.out == frozenset()
    assert (last.clubs, last.forbidden, last.fixed) == (0, pair, {here.players[2].pk: 2})


def test_dropped_nothing_is_seated_and_what_was_asked_is_remembered(here):
    out = frozenset(ids(here, 12, 13, 14, 15))
    begin(here, method=SCHEDULE, rounds=5, countries=2, out=out)
    drop_seating(stage=fresh(here), by=here.alice)
    assert (Round.objects.count(), draft_of(here.stage)) == (0, None)
    assert (last_request(here.stage).countries, last_request(here.stage).out) == (2, out)
    with pytest.raises(OutOfDate, match="This seating plan was accepted or discarded a moment ago"):
        accept_seating(stage=fresh(here), seen="x", by=here.alice)


# --- players who come late, leave or have a substitute


def test_a_substitution_ends_when_its_round_is_seated_again(here):
    """Otherwise who sits there in their own right would still play for someone else, and score nothing."""
    here.add_players(1)
    round_ = here.add_round(opened=False)
    seat = Seat.objects.get(round=round_, player=here.players[3])
    instead = here.players[16].pk
    substitute_player(seat=seat, substitute=instead, late=False, score=-300, reason="ill", by=here.alice)
    withdraw(here, 3)

    assert ("away", False) in codes(here, method=LOTS, first=round_.pk)
    begin(here, method=LOTS, first=round_.pk)
    accept(here)

    assert Seat.objects.get(round=round_, player=instead).stands_for is None
    assert not Adjustment.objects.filter(revoked_at__isnull=True).exists()


def send_in(here: Club, round_: Round, position: int, substitute: int) -> None:
    """Until the player is back."""
    seat = Seat.objects.get(round=round_, player=here.players[position])
    substitute_player(
        seat=seat,
        substitute=here.players[substitute].pk,
        late=False,
        score=-300,
        reason="ill",
        onwards=True,
        by=here.alice,
    )


def said(here: Club, code: str, **asked) -> list[str]:
    return [
        check.text for check in checks(seating_facts(fresh(here)), PlanRequest(**asked)) if check.code == code
    ]


@pytest.mark.parametrize("method", [SWISS, SCHEDULE])
def test_a_substitute_until_the_player_is_back_sits_in_every_round_that_is_seated(here, method):
    """The absent player is seated as before, by rank and by who met whom; only their chair is another's."""
    here.add_players(1)
    here.competition.entrants.filter(key="p17").update(is_substitute=True)
    first = here.add_round(opened=False)
    send_in(here, first, 3, 16)
    play(here, first)

    wanted = {"method": method, "rounds": 1 if method == SWISS else 3, "fill": SUBSTITUTES}
    assert said(here, "sent_in", **wanted) == ["Substitutes again, as before: Player 17 for 張志強."]
    assert said(here, "away", **wanted) == []
    begin(here, **wanted)
    made = accept(here)

    for round_ in made:
        seats = Seat.objects.filter(round=round_)
        assert seats.count() == 16
        instead = seats.filter(stands_for__isnull=False)
        assert list(instead.values_list("player", "stands_for", "until_back")) == [
            (here.players[16].pk, here.players[3].pk, True)
        ]
        assert Adjustment.objects.get(round=round_).score == -300


def test_a_substitute_until_the_player_is_back_stays_when_the_round_is_seated_again(here):
    here.add_players(1)
    round_ = here.add_round(opened=False)
    send_in(here, round_, 3, 16)

    begin(here, method=LOTS, first=round_.pk, out=frozenset(ids(here, 16)), fill=SUBSTITUTES)
    assert said(here, "unable", method=LOTS, first=round_.pk, out=frozenset(ids(here, 16))) == [
        "These substitutes cannot continue: Player 17 for 張志強. The absent player gets the seat; "
        "choose another substitute afterwards."
    ]
    accept(here)

    assert not Seat.objects.filter(stands_for__isnull=False).exists()
    assert not Adjustment.objects.filter(revoked_at__isnull=True).exists()
    here.competition.entrants.filter(key="p17").update(is_substitute=True)
    send_in(here, round_, 3, 16)
    begin(here, method=LOTS, first=round_.pk)
    accept(here)

    assert Seat.objects.get(round=round_, player=here.players[16]).stands_for == here.players[3]
    assert [a.score for a in Adjustment.objects.filter(revoked_at__isnull=True)] == [-300]


def test_a_substitute_who_comes_or_goes_meanwhile_is_noticed(here):
    here.add_players(1)
    here.competition.entrants.filter(key="p17").update(is_substitute=True)
    first = here.add_round(opened=False)
    begin(here, method=RANDOM)
    send_in(here, first, 3, 16)

    with pytest.raises(OutOfDate):
        accept(here)


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


def test_winds_stay_even_when_the_rest_of_a_schedule_is_made_again(here):
    begin(here, method=SCHEDULE, rounds=5)
    rounds = accept(here)
    play(here, rounds[0])
    withdraw(here, 5)
    here.add_players(1)
    begin(here, method=SCHEDULE, rounds=4, first=rounds[1].pk)
    draft = draft_of(here.stage)
    found = review(
        seating_facts(fresh(here)), PlanRequest.of_json(draft.asked), plan_of(draft), draft.asked["players"]
    )
    accept(here, draft)
    assert found.uneven == ()
    assert found.repeats == check_plan(seated(here)).repeats


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


def test_head_starts_and_carried_points_rank_before_the_first_game(here):
    first = here.add_round(opened=False)
    play(here, first)
    terms = Terms(top=4, picked=tuple(ids(here, 3, 7, 11, 15)), head_starts=(0, 0, 0, 900))
    final = cut_stage(source=fresh(here), name="Final", terms=terms, carry="all", by=here.alice)
    final = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=final.pk)

    begin_seating(stage=final, asked=PlanRequest(method=RANK), seed=1, by=here.alice)
    accept_seating(stage=final, seen=seen_state(final), by=here.alice)

    order = [line.player.player for line in compute_standings(final, public=False).rows]
    top = set(Seat.objects.filter(round__stage=final, table__number=1).values_list("player_id", flat=True))
    assert order[0] == final.qualified.get(position=4).player_id  # the fourth, with a head start of 90
    assert top == set(order[:4])


def test_two_records_of_one_person_become_one_in_the_wishes(here):
    one, twin, third = ids(here, 0, 1, 2)
    begin(
        here,
        method=LOTS,
        out=frozenset({twin}),
        forbidden=frozenset({(one, twin), (twin, third)}),
        fixed={twin: 3},
    )
    merge_players(
        competition=here.competition, keep=one, gone=twin, values=PlayerValues(name="陳大文"), by=here.alice
    )
    last = last_request(here.stage)
    assert (last.forbidden, last.out, last.fixed) == ({(one, third)}, {one}, {one: 3})
    assert draft_of(here.stage) is None
