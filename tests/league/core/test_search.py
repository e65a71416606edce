"""What is typed is found whatever its case, width, accents and spaces."""

import pytest

from league.core.search import matches, sort_key
from players.folding import folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Fanpai   CHOMBO ", "fanpai chombo"),
        ("Ｄｒａｗ", "draw"),
        ("Émile Ngô", "emile ngo"),
        ("ガ", "ガ"),  # another letter than カ
        ("O’Neill", "oneill"),
        ("Łódź Øre Straße", "lodz ore strasse"),
        ("先摸牌", "先摸牌"),
        ("", ""),
    ],
)
def test_one_spelling(text, expected):
    assert folded(text) == expected


@pytest.mark.parametrize(
    ("typed", "found"),
    [("", True), ("wall", True), ("WALL break", True), ("break wall", True), ("wall x", False), ("x", False)],
)
def test_every_word_has_to_be_there(typed, found):
    assert matches(typed, "d-iii breaking the wall") is found


def test_lists_sort_by_figures_and_not_by_their_digits():
    names = ["Table 72", "table 8", "Émile", "Eve", "Player 10", "Player 9"]

    assert sorted(names, key=sort_key) == ["Émile", "Eve", "Player 9", "Player 10", "table 8", "Table 72"]
