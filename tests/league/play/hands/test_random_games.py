"""Random games through the pages come out as they were meant, under every rule set."""

from itertools import cycle, islice
from random import Random

import pytest

from league.models import HandEntry, Table
from scoring.presets import presets
from tests.factories import club
from tests.league.play.hands.random_games import RandomGame

pytestmark = pytest.mark.django_db

SLUGS = [preset.slug for preset in presets()]


def play_games(count: int, seed: int, first: int = 0) -> dict[str, int]:
    """Play the games from `first` to `count`, in turn under each rule set, and count what happened."""
    counts = dict.fromkeys(("games", "hands", "requests", "resent", "conflicts", "refused", "changes"), 0)
    tables: dict[str, tuple] = {}
    for number, slug in islice(enumerate(cycle(SLUGS)), first, count):
        if slug not in tables:
            made = club(slug, preset=slug, players=4)
            made.add_round()
            tables[slug] = (made, made.table().pk)
        here, table = tables[slug]
        HandEntry.objects.filter(table=table).delete()
        Table.objects.filter(pk=table).update(hand="")
        game = RandomGame(here, here.table(), Random(f"{seed} {number} {slug}"))
        try:
            game.run()
        except AssertionError as failure:
            raise AssertionError(f"game {number} of seed {seed} under {slug}") from failure
        counts["games"] += 1
        counts["hands"] += len(game.meant)
        for name in ("requests", "resent", "conflicts", "refused", "changes"):
            counts[name] += getattr(game, name)
    return counts


def test_random_games_come_out_as_they_were_meant():
    assert play_games(2, seed=1)["games"] == 2


@pytest.mark.slow
def test_random_games_of_every_rule_set_come_out_as_they_were_meant():
    counts = play_games(len(SLUGS), seed=3)  # in which a hand is refused, too
    assert counts["games"] == len(SLUGS)
    assert min(counts.values()) > 0


@pytest.mark.long
def test_500_random_games_come_out_as_they_were_meant():
    assert play_games(500, seed=2)["games"] == 500
