"""Play random seasons of clubs with regular and occasional players, seated through the services.

``python -m tests.simulation --clubs --events 1000 --seed 1`` plays 1,000 seasons in a temporary database.
Regular players sit out equally often, within one. Nobody sits out twice in a row if others could. Everybody
sits out about as often as is due: k/n for a round in which k of n players sit out.
"""

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from django.core.cache import cache

from league.models import Seat, SittingOut
from league.organizing.seating.queries.seating import INTERVAL, LOTS, RANK, SCHEDULE, PlanRequest
from league.organizing.seating.services.drafts import accept_seating, begin_seating, draft_state
from tests.factories import club
from tests.simulation.event import agree

MOST_APART = 1.5  # rounds that a player may sit out more or less often than is due


@dataclass
class Season:
    """The regular players, how often each player sat out and should have, and who sat out at their last
    attendance.
    """

    always: set[int]
    due: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    out: Counter[int] = field(default_factory=Counter)
    last: set[int] = field(default_factory=set)

    def count(self, present: set[int], out: set[int]) -> None:
        again = out & self.last
        fresh = present - self.last
        agree("who sits out twice in a row", len(again), max(0, len(out) - len(fresh)))
        self.out.update(out)
        for player in present:
            self.due[player] += Fraction(len(out), len(present))
        self.last = (self.last - present) | out
        times = [self.out[player] for player in self.always]
        agree("always there and sat out equally often", max(times) - min(times) <= 1, True)

    def check_shares(self) -> None:
        """Raises ``Discrepancy``."""
        apart = {player: self.out[player] - due for player, due in self.due.items()}
        far = {player: float(times) for player, times in apart.items() if abs(times) > MOST_APART}
        agree("who sits out more or less often than is due", far, {})


def play_season(seed: int, *, most_rounds: int = 24) -> Counter[str]:
    """Play the season of this seed and return its events. Raise ``Discrepancy``."""
    cache.clear()
    chance, did = random.Random(seed), Counter[str]()
    here = club(f"club-{seed}", players=chance.randint(5, 24))
    players = [player.pk for player in here.players]
    comes = {player: chance.choice((1, 1, 0.7, 0.3)) for player in players}
    comes |= dict.fromkeys(players[:5], 1)
    season = Season({player for player, share in comes.items() if share == 1})
    left = chance.randint(6, most_rounds)
    while left > 0:
        present = {player for player in players if chance.random() < comes[player]}
        method = chance.choice((LOTS, RANK, INTERVAL, SCHEDULE))
        rounds = chance.randint(1, 3) if method == SCHEDULE else 1
        asked = PlanRequest(
            method=method,
            rounds=rounds,
            out=frozenset(players) - present,
            tables=(1, 2) if method != SCHEDULE and chance.random() < 0.2 else (),
            unfinished=True,
        )
        draft = begin_seating(stage=here.stage, asked=asked, seed=seed, legs=0, by=here.alice)
        for round_ in accept_seating(stage=here.stage, seen=draft_state(draft), by=here.alice):
            out = set(SittingOut.objects.filter(round=round_).values_list("player_id", flat=True))
            seated = set(Seat.objects.filter(round=round_).values_list("player_id", flat=True))
            agree("who was there", seated | out, present)
            season.count(present, out)
            did[method] += 1
            did["sat out"] += len(out)
        left -= rounds
    season.check_shares()
    return did
