"""Whose wall is broken."""

import pytest

from scoring.wall import wall_broken_by


def test_the_count_begins_with_the_dealer_and_goes_on_in_turn():
    assert [wall_broken_by(dice) for dice in range(2, 13)] == [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
    assert [wall_broken_by(dice, dealer=2) for dice in (5, 6, 7, 8)] == [2, 3, 0, 1]


@pytest.mark.parametrize(("dice", "dealer"), [(1, 0), (13, 0), (7, 4)])
def test_what_two_dice_do_not_show_is_refused(dice, dealer):
    with pytest.raises(ValueError, match="two dice"):
        wall_broken_by(dice, dealer)
