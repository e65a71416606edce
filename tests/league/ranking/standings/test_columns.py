"""The registry of the standings' columns: the contract of the files, and no column twice."""

import pytest

from league.ranking.standings import columns
from league.ranking.standings.columns import CSV, JSON

TABLES = (
    *("CSV", "JSON", "WORKBOOK", "PAGE", "FACTS"),
    *("TEAM_FILES", "TEAM_JSON", "TEAM_PAGE", "MEMBER_FILES", "MEMBER_JSON", "MEMBER_PAGE"),
)


def test_csv_and_json_keep_the_order_of_the_contract():
    before = [
        *("rank", "player", "name", "games", "score", "penalty"),
        *("beyond", "missing", "adjusted", "carried", "head_start", "total"),
    ]

    assert [column.key for column in CSV] == [
        *before,
        *("firsts", "seconds", "thirds", "fourths", "average_place", "best_points", "chips"),
        *("total_exact", "brought", "brought_games"),
    ]
    assert [column.key for column in JSON] == [
        *before,
        *("places", "average_place", "best_points", "chips", "total_exact", "brought", "brought_games"),
    ]


@pytest.mark.parametrize("name", TABLES)
def test_no_table_has_a_column_twice(name):
    keys = [column.key for column in getattr(columns, name)]
    assert len(keys) == len(set(keys))


def test_every_table_of_what_was_played_has_the_same_record():
    for name in ("CSV", "WORKBOOK", "TEAM_FILES", "MEMBER_FILES"):
        assert set(columns.RECORD) <= set(getattr(columns, name)), name
    for name in ("PAGE", "TEAM_PAGE", "MEMBER_PAGE"):
        keys = {column.key for column in getattr(columns, name)}
        assert {"places", "average_place", "best_points"} <= keys, name
