"""The whole of an event."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache
from django.db import transaction

from tests.simulation.checks import check_plan, check_standings
from tests.simulation.cuts import cut, end_season, second_division
from tests.simulation.event import Event
from tests.simulation.people import come_and_go, enter
from tests.simulation.rounds import play_round
from tests.simulation.seating import seat, unseat


def play(event: Event) -> None:
    for _ in range(event.chance.choice((0, 0, 1, 2, 4))):
        enter(event, substitute=True)
    play_division(event)
    if event.happens(0.15, "season of two divisions"):
        second_division(event)
        play_division(event)
        end_season(event)


def play_division(event: Event) -> None:
    play_stage(event, event.chance.randint(1, event.most_rounds))
    if event.happens(0.5, "cut") and cut(event):
        play_stage(event, event.chance.randint(1, 2))


def play_stage(event: Event, rounds: int) -> None:
    first = min(event.played.rounds(), default=1)
    for number in range(first, first + rounds):
        if number > 1:
            come_and_go(event, number)
        if len(event.pool) < 4:
            return finish(event, number)
        if not event.played.tables(number):
            seat(event, number)
        elif not event.has_sheet(number) and event.happens(0.1, "seated again"):
            seat(event, number, again=True)
        check_plan(event)
        play_round(event, number)
        check_plan(event)
        check_standings(event)
    finish(event, first + rounds)


def finish(event: Event, number: int) -> None:
    """Rounds that are planned and not played: a cut would wait for them."""
    for each in event.planned(number):
        if event.has_sheet(each):
            play_round(event, each)
        else:
            unseat(event, [each])


def play_event(seed: int, **limits: int) -> Counter[str]:
    """Play the event of this seed and return its log. Raise ``Discrepancy``."""
    cache.clear()
    event = Event(seed, **limits)
    play(event)
    return event.did


@contextmanager
def thrown_away() -> Iterator[None]:
    """Roll back everything that happens inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
