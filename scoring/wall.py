"""Before the tiles are dealt: whose wall is broken."""

from typing import Final

from scoring.settlement import SEATS

DICE: Final = range(2, 13)  # sums of two


def wall_broken_by(dice: int, dealer: int = 0) -> int:
    """The seat whose wall is broken when the dealer throws the sum `dice`, counted in turn from the dealer
    (EMA 2016 2.5; HKMA 數骰位). Raises ValueError for a sum that two dice cannot show.
    """
    if dice not in DICE or dealer not in SEATS:
        raise ValueError(f"two dice do not show {dice!r}, or no such dealer: {dealer!r}")
    return (dealer + dice - 1) % len(SEATS)
