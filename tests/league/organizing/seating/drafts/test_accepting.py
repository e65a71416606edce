"""A draft is accepted as it was seen, at most once, and its request is remembered."""

import uuid

import pytest

from league.core.changes import Sent
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.models import Round, Seat, SeatingDraft
from league.organizing.roster.services.merging import merge_players
from league.organizing.seating.queries.seating import (
    LOTS,
    RANDOM,
    RANK,
    SCHEDULE,
    PlanRequest,
    draft_of,
    last_request,
)
from league.organizing.seating.services.drafts import (
    accept_seating,
    begin_seating,
    draft_state,
    drop_seating,
    seen_state,
    try_again,
)
from league.people.register.services import PlayerValues
from league.play.rounds.services import close_round, create_round, seat_players
from league.referees.penalties.services.log import log_penalty
from tests.factories import club
from tests.league.organizing.seating.drafts.planning import accept, begin, fresh, ids, withdraw

pytestmark = pytest.mark.django_db


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
    form = Sent.of(uuid.uuid4(), "accept")
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
