"""No case of the file is left out."""

from tests.scoring.seed_examples import test_fouls, test_game, test_hands, test_payments, test_settlement
from tests.scoring.seed_examples.cases import CASES, TESTED

PARTS = (test_fouls, test_game, test_hands, test_payments, test_settlement)  # each fills ``TESTED``


def test_every_case_of_the_file_has_one_test() -> None:
    assert sorted(TESTED) == sorted(CASES)
