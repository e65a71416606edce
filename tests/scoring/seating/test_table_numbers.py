"""Numbers of tables: players who stay at theirs, each number once."""

import pytest

from scoring.seating.table_numbers import TablesHad, number_tables

ROUND = [(1, 2, 3, 4), (5, 6, 7, 8)]


@pytest.mark.parametrize(
    ("fixed", "numbered"),
    [
        ({}, {1: ROUND[0], 2: ROUND[1]}),
        ({5: 1}, {1: ROUND[1], 2: ROUND[0]}),
        ({1: 1, 5: 1}, {1: ROUND[0], 2: ROUND[1]}),
        ({5: 9}, {1: ROUND[1], 2: ROUND[0]}),
        ({5: 9, 6: 2}, {1: ROUND[0], 2: ROUND[1]}),
    ],
)
def test_a_fixed_player_has_the_number_if_it_is_free(fixed, numbered):
    assert number_tables(ROUND, [1, 2, 3], fixed=fixed, had=TablesHad()) == numbered
