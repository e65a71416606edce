"""Lists without tables: scores of rounds, and totals, become points carried in."""

import pytest
from django.utils import translation

from league.core.errors import Refused
from league.models import Adjustment, Stage
from league.organizing.brought.queries.plans import last_brought
from league.play.substitutions.services.substitutions import revoke_adjustment
from league.ranking.standings.queries.standings import standings
from tests.factories import Club, club
from tests.league.organizing.brought.lists import bring, undo

pytestmark = pytest.mark.django_db

ROUNDS = "player,R1,R2\nAnna,51.0,-3.2\nBen,8.0,\nCara,-24.0,3.2\nDan,-35.0,\n"


@pytest.fixture
def spring() -> Club:
    return club(players=0)


def carried(here: Club) -> list[tuple[object, ...]]:
    rows = Adjustment.objects.filter(stage=here.stage, kind=Adjustment.Kind.CARRIED_IN)
    return list(rows.order_by("pk").values_list("player__name", "reason", "score", "games"))


def ranks(here: Club) -> list[tuple[object, ...]]:
    here.competition.refresh_from_db()
    rows = standings(Stage.objects.with_rules().get(pk=here.stage.pk), public=True).rows
    return [(line.row.shown_rank, line.player.name, line.row.played, line.row.total) for line in rows]


def test_scores_of_rounds_become_points_carried_in(spring):
    bring(spring, ROUNDS, note="Season 2025")

    assert carried(spring)[:3] == [
        ("Anna", "Season 2025: R1", 510, 1),
        ("Anna", "Season 2025: R2", -32, 1),
        ("Ben", "Season 2025: R1", 80, 1),
    ]
    assert ranks(spring) == [
        (1, "Anna", 2, 478),
        (2, "Ben", 1, 80),
        (3, "Cara", 2, -208),
        (4, "Dan", 1, -350),
    ]


def test_totals_become_points_carried_in(spring):
    bring(spring, "player,games,total\nAnna,12,155.3\nBen,11,-155.3\n", note="Season 2025")

    assert carried(spring) == [("Anna", "Season 2025", 1553, 12), ("Ben", "Season 2025", -1553, 11)]


def test_points_carried_in_are_added_to_those_of_tables(spring):
    bring(spring, ROUNDS)
    before = {name: total for _rank, name, _games, total in ranks(spring)}
    bring(spring)

    row = next(line.row for line in standings(Stage.objects.with_rules().get(), public=True).rows)

    assert row.brought == before["Anna"]
    assert (row.games, row.played) == (2, 4)
    assert row.total == row.score + row.brought


def test_games_carried_in_count_for_the_valid_number(spring):
    Stage.objects.update(valid_hanchan=2)
    bring(spring, ROUNDS)

    assert [rank for rank, *_rest in ranks(spring)] == [1, 2, None, None]


def test_rounds_brought_again_add_only_what_is_new(spring):
    bring(spring, ROUNDS.replace("R2", "R9").replace(",-3.2", ",").replace(",3.2", ","))

    plan = bring(spring, ROUNDS)

    assert [len(planned.parts) for planned in plan.new_balances] == [1, 1]
    assert len(carried(spring)) == 6
    with pytest.raises(Refused, match="saved before"):
        bring(spring, ROUNDS)


@pytest.mark.parametrize("rounds", [ROUNDS, ROUNDS.replace("R1,R2", "1,2")])
def test_rounds_brought_again_in_another_language_are_known(spring, rounds):
    bring(spring, rounds, note="Season 2025")

    with translation.override("zh-hant"), pytest.raises(Refused):
        bring(spring, rounds, note="Season 2025")

    assert len(carried(spring)) == 6


def test_another_score_of_a_known_round_is_refused(spring):
    bring(spring, ROUNDS)

    with pytest.raises(Refused, match="attention"):
        bring(spring, ROUNDS.replace("51.0", "50.0"))

    assert len(carried(spring)) == 6


def test_points_carried_in_are_undone(spring):
    bring(spring, ROUNDS)

    undo(spring)

    assert not Adjustment.objects.exists()
    assert last_brought(spring.competition) is None


def test_points_of_which_some_were_removed_are_not_undone(spring):
    bring(spring, ROUNDS)
    given = Adjustment.objects.first()
    revoke_adjustment(adjustment=given, reason="wrong", by=spring.alice)

    with pytest.raises(Refused, match="changed since"):
        undo(spring)
