"""Players who are not a multiple of four: substitutes, turns of sitting out, and what that brings."""

from fractions import Fraction

import pytest

from league.core.stages import stages_of
from league.models import Adjustment, Competition, Entrant, Round, Seat, SittingOut, Stage
from league.organizing.seating.queries.seating import (
    LOTS,
    RANDOM,
    SCHEDULE,
    SUBSTITUTES,
    PlanRequest,
    seating_facts,
)
from league.organizing.seating.services.drafts import begin_seating, plan_of
from league.play.results.services import record_result
from league.play.rounds.services import close_round, create_round, open_round, seat_players, set_visibility
from league.play.substitutions.services.substitutions import add_adjustment
from league.ranking.standings.queries.player import player_records
from league.ranking.standings.queries.standings import compute_standings
from tests.factories import Club, as_seen
from tests.league.organizing.seating.drafts.planning import accept, begin, codes, fresh, ids, play, seated

pytestmark = pytest.mark.django_db


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


@pytest.mark.slow
def test_players_sit_out_in_turn(here):
    here.add_players(2)  # 18: two sit out each round
    for seed in range(9):
        begin(here, method=LOTS, seed=seed)
        accept(here)
    played = [Seat.objects.filter(player=player).count() for player in here.players]
    assert played == [8] * 18


def test_sitting_out_is_counted_for_players_who_were_there(here):
    """One of 13 players sits out each round. The three who come for the third round owe nothing for the first
    two.
    """
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
