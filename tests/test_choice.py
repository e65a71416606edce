"""Tests get the markers of PostgreSQL and Chromium by themselves."""

import pytest

from league.play.rounds.services import close_round, open_round
from tests import choice
from tests.cases import together


def test_the_services_that_a_test_names_are_found(request):
    assert choice.services_of(request.node) == {open_round, close_round}


@pytest.mark.django_db
def test_a_test_in_the_transaction_of_its_fixture_commits_nothing(request):
    assert choice.uses_database(request.node)
    assert not choice.commits(request.node)


@pytest.mark.django_db(transaction=True)
def test_a_test_with_transactions_of_its_own_runs_on_both_databases(request):
    assert choice.commits(request.node)
    assert request.node.get_closest_marker("both_databases")


@pytest.mark.django_db(transaction=True)
class TestTransactions:
    @pytest.mark.usefixtures("empty_tables")
    def test_a_test_that_copies_the_empty_tables_keeps_those_of_its_class(self, request):
        assert request.node.get_closest_marker("django_db").kwargs == {"transaction": True}


def test_a_test_without_a_database_runs_on_one(request):
    assert not request.node.get_closest_marker("both_databases")


def test_what_is_left_out_is_counted(request):
    assert choice.left_out([request.node, request.node]).startswith("0 slow tests, among them")


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def of_numbers(number: int) -> None:
    """Not collected: it stands for a slow test with two cases."""


def test_slow_cases_that_run_as_one_test_stay_slow():
    assert [mark.name for mark in together(of_numbers).pytestmark] == ["slow"]


def test_at_most_8_percent_of_the_tests_are_slow(request):
    slow, tests = request.config.stash[choice.COUNTS]
    assert slow <= 0.08 * tests or tests < 5_000  # some files alone


def test_access_rules_services_and_refusals_have_a_case_that_is_not_slow(request):
    assert request.config.stash[choice.MISSING] == set()


@pytest.mark.parametrize(
    ("path", "bound"),
    [
        ("tests/test_access_matrix.py::test_public", True),
        ("tests/league/extras/api/test_access_matrix.py::test_a", True),
        ("tests/league/play/rounds/test_services.py::test_a", True),
        ("tests/league/play/rounds/test_services_swaps.py::test_a", True),
        ("tests/scoring/test_cuts.py::test_a", True),
        ("tests/league/extras/needs/rules/test_chances.py::test_a", True),
        ("tests/scoring/seating/test_base_rounds.py::test_a", False),
        ("tests/league/play/rounds/test_views.py::test_a", False),
    ],
)
def test_what_is_never_slow_is_known_by_its_file(path, bound):
    assert bool(choice.QUICK.search(path)) == bound
