"""Penalties that count, penalties that are listed, and their sums, which equal those of the standings."""

import random
from uuid import uuid4

import pytest
from django.utils import timezone

from league.core.counted import counted_penalties, lists_penalties, shown_penalties
from league.models import Competition, Dispute, Penalty, Stage
from league.organizing.competitions.services import add_division
from league.people.members.queries import players_of
from league.ranking.stages.services import add_stage
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.queries.penalties import (
    Deductions,
    PlayerSum,
    check_standings,
    compare_sums,
    listed_penalties,
    player_sums,
    standings_deduct,
    sum_of,
    sums_by,
    wordings_of,
)
from league.referees.penalties.queries.referee import hand_of_act
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.factories import Club, club
from tests.module_fixtures import module_fixture
from tests.seeds import seeds

pytestmark = pytest.mark.django_db

SHOWN = ("all", "counts", "scores")


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record((38_400, 21_600, 40_000, 20_000))
    return made


def log(made: Club, index: int = 0, score: int = -20, **options: object) -> Penalty:
    options = {"reason": "late", "by": made.bob, "stage": made.stage} | options
    return log_penalty(player_id=made.players[index].pk, score=score, **options)


def show(made: Club, what: str) -> Competition:
    Competition.objects.filter(pk=made.competition.pk).update(penalties_shown=what)
    made.competition.refresh_from_db()
    return made.competition


@pytest.mark.parametrize(
    ("at_table", "in_dispute", "found"),
    [("E2.0", "E1.0", "E1.0"), ("?2", "E1.0", "?2"), ("?2", "?1", "?1"), ("E2.0", "", "")],
)
def test_a_ruling_is_in_the_hand_of_its_dispute_unless_the_table_has_lost_count(
    spring, at_table, in_dispute, found
):
    spring.add_round()
    table = spring.table(2)
    table.hand = at_table
    assert hand_of_act(table, Dispute(hand=in_dispute)) == found


@pytest.mark.parametrize("what", SHOWN)
def test_what_counts_is_not_what_is_shown(spring, what):
    penalty = log(spring)
    competition = show(spring, what)
    every = Penalty.objects.all()

    assert list(counted_penalties(every, public=True)) == [penalty]
    assert list(shown_penalties(every, public=False)) == [penalty]
    assert list(shown_penalties(every, public=True)) == ([penalty] if what == "all" else [])
    assert lists_penalties(competition, public=True) is (what == "all")
    assert lists_penalties(competition, public=False) is True


def test_sums_by_player_begin_with_the_greatest_loss(spring):
    first, second, third = (player.pk for player in spring.players[:3])
    log(spring, 0, -20)
    log(spring, 1, -80)
    log(spring, 0, 15)
    log(spring, 2, 0)
    revoke_penalty(penalty=log(spring, 2, -250), reason="mistake", by=spring.bob)
    competition = show(spring, "counts")

    every = [PlayerSum(second, 1, -80), PlayerSum(first, 2, -5), PlayerSum(third, 1, 0)]
    assert player_sums(competition, public=True) == every
    competition = show(spring, "scores")
    assert player_sums(competition, public=True) == [PlayerSum(second, 0, -80), PlayerSum(first, 0, -5)]
    assert player_sums(competition, public=False) == every


def test_a_difference_is_found_for_each_player_even_if_the_sums_agree():
    sums = {(8, 1): -20, (8, 2): -30, (8, 4): 0}
    rows = [(8, player) for player in (1, 2, 3, 4)]

    check = compare_sums(sums, Deductions({1: -30, 2: -20, 3: 0}, rows))

    assert (check.listed, check.deducted, check.fits) == (-50, -50, False)
    assert check.differences == ((1, -20, -30), (2, -30, -20))
    assert compare_sums(sums, Deductions({1: -20, 2: -30, 3: 0}, rows)).fits


def test_what_no_row_takes_is_listed_apart_and_makes_no_difference():
    sums = {(8, 1): -20, (9, 1): -50, (9, 2): -80, (9, 3): 0}

    check = compare_sums(sums, Deductions({1: -20, 2: 0}, [(8, 1), (8, 2)]))

    assert (check.listed, check.deducted, check.fits) == (-20, -20, True)
    assert check.outside == ((9, 1, -50), (9, 2, -80))


# --- they add up


def random_penalties(made: Club, seed: int, count: int = 200) -> list[Stage]:
    """Log penalties in two divisions and three stages, with every state and place."""
    dice = random.Random(seed)
    other = add_division(competition=made.competition, name="B", preset_slug="ema-2025", by=made.alice)
    final = add_stage(division=made.division, name="Final", carry="half", by=made.alice)
    made.add_round(visibility="hidden")
    made.record((50_000, 30_000, 20_000, 20_000), round_number=2)
    stages = [made.stage, final, other.stages.get()]
    for _ in range(count):
        player = dice.choice(made.players)
        stage = dice.choice(stages)
        rounds = list(stage.rounds.all()) if dice.random() < 0.8 else []
        round_ = dice.choice(rounds) if rounds else None
        table = round_.tables.get(seats__player=player) if round_ and dice.random() < 0.7 else None
        status = dice.choice(["in_force", "in_force", "in_force", "requested", "declined"])
        revoked = dice.random() < 0.2
        Penalty.objects.create(
            competition=made.competition,
            stage=stage,
            round=round_,
            table=table,
            player=player,
            infraction=dice.choice(["", "A-I", "A-II"]),
            level=dice.choice(["", "2", "4", "5, 4, 4"]),
            score=dice.choice([0, -20, -80, -125, 15]),
            reason="seen",
            status=status,
            decided_at=timezone.now() if status == "declined" else None,
            decide_reason="no" if status == "declined" else "",
            created_by=dice.choice([made.bob, made.alice]),
            created_at=timezone.now(),
            revoked_at=timezone.now() if revoked else None,
            revoke_reason="mistake" if revoked else "",
        )
    Competition.objects.filter(pk=made.competition.pk).update(revision=made.competition.revision + 7)
    made.competition.refresh_from_db()
    return stages


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("seed", seeds(4))
def test_the_sums_of_the_list_equal_the_standings_deductions(spring, seed, public):
    stages = random_penalties(spring, seed)
    competition = spring.competition

    check = check_standings(competition, public=public)
    lines = listed_penalties(competition, public=public)

    assert (check.fits, check.listed) == (True, check.deducted)
    assert check.listed < 0
    assert len(lines) == 200 if not public else 20 < len(lines) < 200
    for what in ("player", "level", "infraction", "created_by", "round", "stage"):
        groups = sums_by(lines, lambda line, what=what: getattr(line.penalty, what))
        assert sum(group.score for group in groups) == check.deducted
        assert sum(group.listed for group in groups) == len(lines)
    deducted = standings_deduct(competition, public=public).by_player
    for player in players_of(competition):
        mine = [line for line in lines if line.penalty.player_id == player]
        assert sum_of(mine).score == deducted[player] if mine else deducted.get(player, 0) == 0
    for stage in stages:
        rows = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=stage.pk)
        total = sum(line.row.penalty for line in standings(rows, public=public).rows)
        counting = [line.penalty for line in lines if line.penalty.counts]
        assert total == sum(penalty.score for penalty in counting if penalty.stage_id == stage.pk)


def test_lateness_sheets_and_signatures_of_ema_2025_are_logged_by_the_book_and_add_up():
    made = club("ema", preset="ema-2025")
    made.add_round()
    logged = [
        log_offence(
            stage=made.stage,
            table=made.table(),
            player_id=made.players[index].pk,
            infraction=code,
            condition=condition,
            units=units,
            by=made.bob,
        )[0]
        for index, (code, condition, units) in enumerate(
            (
                ("7.2", 0, 7),  # seven minutes begun: 1,000 points each
                ("7.2", 1, 1),  # more than ten: a substitute, and nothing is deducted
                ("6.10", 0, 1),  # the sheet of the last hand filled in wrongly
                ("7.5b", 0, 1),  # not signed
            )
        )
    ]

    assert [penalty.score for penalty in logged] == [-70, 0, -80, -20]
    check = check_standings(made.competition, public=False)
    assert (check.fits, check.listed) == (True, -170)
    wordings = wordings_of(made.competition)
    assert [wordings.line(penalty).units for penalty in logged] == ["7 minutes", "", "", ""]
    assert not made.competition.entrants.filter(withdrawn_at__isnull=False).exists()
    cheating = {"infraction": "6.12b", "condition": 0}
    log_offence(stage=made.stage, table=made.table(), player_id=made.players[0].pk, **cheating, by=made.bob)
    assert made.competition.entrants.get(withdrawn_at__isnull=False).player == made.players[0]


def test_the_list_is_of_one_competition_and_newest_first(spring):
    autumn = club("autumn")
    log(autumn)
    old, new = log(spring, 0), log(spring, 1)

    assert [line.penalty for line in listed_penalties(spring.competition, public=False)] == [new, old]


def test_a_line_knows_whether_its_penalty_counts(spring):
    log(spring)
    penalty = Penalty.objects.get()
    states = []
    for values in (
        {},
        {"status": "requested"},
        {"status": "declined", "decided_at": timezone.now(), "decide_reason": "no"},
        {"status": "in_force", "revoked_at": timezone.now(), "revoke_reason": "x", "together": uuid4()},
    ):
        Penalty.objects.filter(pk=penalty.pk).update(**values)
        [line] = listed_penalties(spring.competition, public=False)
        states.append((line.state, line.penalty.counts))

    assert states == [("in_force", True), ("requested", False), ("declined", False), ("revoked", False)]
