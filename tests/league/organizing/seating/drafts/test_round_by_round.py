"""One round at a time: by ranks, as Swiss, by lots, from a plan of one's own."""

import pytest

from league.core.errors import Refused
from league.core.rounds import seating
from league.models import AuditEntry, Round, Seat, SeatingDraft, Stage
from league.organizing.seating.queries.seating import (
    CLOSE,
    FEW,
    INTERVAL,
    LOTS,
    PLAN,
    RANDOM,
    RANK,
    SWISS,
    WEIGHS,
    PlanRequest,
    draft_of,
    last_request,
    seating_facts,
)
from league.organizing.seating.services.drafts import (
    accept_seating,
    begin_seating,
    seen_state,
    weigh_otherwise,
)
from league.organizing.seating.services.plans import job_of
from league.play.rounds.services import create_round
from league.ranking.stages.services import cut_stage
from league.ranking.standings.queries.standings import compute_standings
from league.referees.penalties.services.log import log_penalty
from scoring.cuts import Terms
from scoring.seating.checker import check_plan
from tests.league.organizing.seating.drafts.planning import accept, begin, fresh, ids, play, seated

pytestmark = pytest.mark.django_db


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
    plan, figures = few.plan, {weighs: each["figures"] for weighs, each in few.search["weighed"].items()}

    close = weigh_otherwise(draft=draft_of(here.stage), weighs=CLOSE)

    assert (close.asked["weighs"], close.plan) == (CLOSE, few.search["weighed"][CLOSE]["plan"])
    repeats, apart = zip(*(figures[weighs] for weighs in WEIGHS), strict=True)
    assert repeats[0] == min(repeats) < repeats[-1] == max(repeats)
    assert apart[0] == max(apart) > apart[-1] == min(apart)
    back = weigh_otherwise(draft=draft_of(here.stage), weighs=FEW)
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
