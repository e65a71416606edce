from collections.abc import Mapping
from typing import Final

# Minutes (fewest, most) at an automatic table and with tiles mixed by hand: the beginners' guide,
# 东风战、南风战（半庄）与北风战（全庄）, from its author's experience.
_MINUTES: Final[Mapping[str, tuple[tuple[int, int], tuple[int, int]]]] = {
    "east": ((20, 25), (30, 35)),
    "half": ((40, 50), (60, 70)),
    "full": ((80, 100), (120, 140)),
}


def expected_minutes(game_length: str, *, automatic: bool) -> tuple[int, int] | None:
    """Return fewest and most minutes of a game of this length, or None without an estimate."""
    if game_length not in _MINUTES:
        return None
    at_a_machine, by_hand = _MINUTES[game_length]
    return at_a_machine if automatic else by_hand
