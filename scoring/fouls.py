"""Settlement of single tables with chombo that cost score. In a competition they are penalties."""

from collections.abc import Sequence
from dataclasses import replace

from scoring.rules import Rules
from scoring.settlement import NOBODY_NAMED, NORTH, SEATS, Four, Named, SeatResult, settle
from scoring.units import POINTS_PER_TENTH


def settle_with_chombo(
    points: Sequence[int],
    chombo: Four,
    rules: Rules,
    *,
    sticks: int = 0,
    last_dealer: int = NORTH,
    sashiuma: Named = NOBODY_NAMED,
) -> tuple[SeatResult, ...]:
    """Settle the table, and deduct each seat's number of `chombo` from its score.

    `after_uma` keeps places and uma (EMA 2025 3.4.6). `before_uma` deducts points first, so that places
    follow, but the result has the points of the sheet. A chombo paid in the game is already in the points.
    """
    each = rules.chombo.score or 0
    first = rules.chombo_timing == "before_uma"
    corrected = [
        points[seat] + chombo[seat] * each * POINTS_PER_TENTH if first else points[seat] for seat in SEATS
    ]
    table = settle(corrected, rules, sticks=sticks, last_dealer=last_dealer, sashiuma=sashiuma)
    return tuple(
        replace(
            seat,
            points=points[seat.wind],
            score=seat.score if first else seat.score + chombo[seat.wind] * each,
        )
        for seat in table
    )
