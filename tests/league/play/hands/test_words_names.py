"""A table's hand in words."""

import pytest

from league.play.hands.words.names import hand_words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("E1.0", "East 1, honba 0"),
        ("S4.12", "South 4, honba 12"),
        ("W2.1", "West 2, honba 1"),
        ("N3.0", "North 3, honba 0"),
        ("E1.0.1", "East 1, honba 0, dealt again"),
        ("E1.0.2", "East 1, honba 0, dealt again (2)"),
        ("", "hand unknown"),
        ("?3", "hand unknown"),
        ("what else", "what else"),
    ],
)
def test_a_hand_is_called_by_round_wind_number_and_honba(code, words):
    assert hand_words(code) == words
