"""A whole schedule: searched in slices, tried again, accepted in one change."""

from datetime import date

import pytest

from league.models import AuditEntry, Competition, Round, SeatingDraft
from league.organizing.audit_log.queries import verify_chain
from league.organizing.seating.queries.review import review
from league.organizing.seating.queries.seating import (
    LOTS,
    RANDOM,
    SCHEDULE,
    PlanRequest,
    draft_of,
    seating_facts,
)
from league.organizing.seating.services.drafts import (
    plan_of,
    search_longer,
    search_on,
    stop_search,
    try_again,
)
from league.organizing.seating.services.plans import job_of, search
from league.play.rounds.services import create_round
from scoring.seating.checker import check_plan
from tests.league.organizing.seating.drafts.planning import accept, begin, fresh, ids, play, seated, withdraw

pytestmark = pytest.mark.django_db


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


def test_the_next_round_of_an_event_is_on_one_of_its_days(here):
    over = date(2020, 11, 21)
    Competition.objects.update(kind="event", first_day=over, last_day=date(2020, 11, 22))

    assert [each.date for each in accept(here, begin(here, method=RANDOM))] == [date(2020, 11, 22)]


@pytest.mark.parametrize(
    ("kind", "rounds", "planned"), [("event", 3, 3), ("event", 1, None), ("season", 3, None)]
)
def test_a_whole_schedule_says_how_many_rounds_an_event_has(here, kind, rounds, planned):
    Competition.objects.update(kind=kind)
    accept(here, begin(here, method=SCHEDULE, rounds=rounds))
    here.stage.refresh_from_db()
    assert here.stage.planned_rounds == planned


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
    whole = search(job, seed=5, legs=4, state=None, most=60)

    part, slices = search(job, seed=5, legs=1, state=None), 1
    while part.state["legs"] < 4 and not part.is_best:
        slices += 1
        part = search(job, seed=5, legs=part.state["legs"] + 1, state=part.state, most=60)

    assert slices > 1
    assert (part.plan, part.cost) == (whole.plan, whole.cost)


@pytest.mark.slow
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
    found = search(job, seed=draft.seed, legs=1, state=None)
    return draft.search | {"state": dict(found.state), "status": "running", "cost": list(found.cost)}


@pytest.mark.slow
def test_of_two_pages_that_search_at_once_one_is_kept(here):
    here.add_players(6)
    begin(here, method=SCHEDULE, rounds=8)
    SeatingDraft.objects.update(search=shortened(draft_of(here.stage)))
    one, other = draft_of(here.stage), draft_of(here.stage)

    search_on(draft=one)
    late = search_on(draft=other)

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


@pytest.mark.slow
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


@pytest.mark.slow
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
