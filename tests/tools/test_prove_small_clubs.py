"""`python -m tools.prove_small_clubs` proves the stored figures again."""

import pytest

from scoring.seating import checker
from scoring.seating.schedule import whole_schedule
from tools.prove_small_clubs import least, main


@pytest.mark.parametrize(
    ("players", "rounds", "measure", "proven"),
    [
        (7, 3, "repeats", 2),
        (7, 4, "pairs", 5),
        (9, 3, "repeats", 6),
        (10, 3, "repeats", 4),
        (6, 5, "pairs", 18),
    ],
)
def test_a_search_of_all_plans_finds_the_least_figure(players, rounds, measure, proven):
    assert least(players, rounds, measure, 0) == proven


@pytest.mark.slow
def test_no_plan_of_the_engine_is_below_a_proof():
    for players in range(5, 14):
        for rounds in range(2, 6):
            report = whole_schedule(players, rounds, seed=rounds, steps=20_000).report
            pairs = sum(times * (times - 1) // 2 for _pair, times in report.repeated)
            assert report.repeats >= report.least_repeats
            assert pairs >= checker.least_pairs(players, report.tables, rounds)


def test_stored_figures_are_compared_with_the_proofs(capsys, monkeypatch):
    assert main(["--check", "--players", "7"]) == 0
    assert "7 players, 3 rounds: repeats 2, by arithmetic 0, stored 2" in capsys.readouterr().out
    monkeypatch.setattr(checker, "SMALL_CLUBS", {"repeats": {"7 3": 1}, "pairs": {}})
    assert main(["--check", "--players", "7"]) == 1
