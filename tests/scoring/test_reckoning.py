"""The settlement agrees with the reckoning by hand, under all rule sets and what may be changed in them."""

import random

import pytest

from scoring.presets import presets, resolve
from scoring.settlement import Ending, settle, settler
from tests.examples import scaled
from tests.reckoning import RULE_BOOKS, Hanchan, Sit, settled
from tests.simulation.event import CHANGES, Event, choose_rules
from tests.simulation.rounds import play_hanchan


class Table(Event):
    """As much of an event as a hanchan asks for."""

    def __init__(self, seed: int, preset: str) -> None:
        self.chance = random.Random(seed)
        self.step = self.chance.choice((100, 1_000, 5_000))
        _preset, self.worth, self.overrides = choose_rules(self.chance, preset)

    def play(self) -> Hanchan:
        hanchan = Hanchan([Sit(seat, late=self.chance.random() < 0.1) for seat in range(4)])
        play_hanchan(self, hanchan)
        return hanchan


def test_every_rule_set_is_reckoned_by_hand():
    assert {each.slug for each in presets()} == set(RULE_BOOKS)


@pytest.mark.parametrize("preset", sorted(RULE_BOOKS))
def test_places_and_scores_are_those_reckoned_by_hand(preset):
    tables = [Table(seed, preset) for seed in range(80)]
    assert {name for table in tables for name in table.overrides} >= set(CHANGES)
    for table in tables[: scaled(80)]:
        rules = resolve(preset, table.overrides)
        for _ in range(5):
            hanchan = table.play()
            late = tuple(seat for seat, sit in enumerate(hanchan.seats) if sit.late)
            ending = {"sticks": hanchan.sticks, "last_dealer": hanchan.dealer, "chips": hanchan.chips}
            found = settle(hanchan.points, rules, **ending, sashiuma=hanchan.named, late=late)
            by_hand = settled(hanchan, table.worth)
            assert [(each.place, each.score) for each in found] == by_hand, (table.overrides, hanchan)
            quick = Ending(**ending, sashiuma=tuple(hanchan.named.items()), late=late)
            places, scores = settler(rules)(*hanchan.points, quick)
            assert [*zip(places, scores, strict=True)] == by_hand
