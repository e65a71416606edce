from typing import Final

from scoring.settlement import SEATS

DICE: Final = range(2, 13)  # sums of two


def wall_broken_by(dice: int, dealer: int = 0) -> int:
    """Return the seat whose wall is broken (EMA 2016 2.5, HKMA 數骰位). Raises ValueError."""
    if dice not in DICE or dealer not in SEATS:
        raise ValueError(f"two dice do not show {dice!r}, or no such dealer: {dealer!r}")
    return (dealer + dice - 1) % len(SEATS)
