"""Random last hanchan, and results of the table in each span of points, against what is said of the span."""

from itertools import pairwise
from random import Random
from typing import NamedTuple

from league.extras.needs.rules import MISSED, RANK, REACHED, Goal
from league.extras.needs.rules.hanchan import (
    MOST_STICKS,
    PLACES,
    HanchanNeeds,
    LastHanchan,
    PointSpan,
    Record,
    hanchan_needs,
    point_bounds,
    reach_of,
)
from scoring.presets import resolve
from scoring.rules import Rules
from scoring.settlement import Ending, Four, FourScores, settler
from scoring.standings import METRICS, Places, Tally
from scoring.units import Score
from tests.league.extras.needs.rules.last_hanchan import CHANGES, contains

UNPROVABLE = {"sashiuma": None, "chip_value": None}
RULES = (*CHANGES, ("guide", UNPROVABLE), ("guide", UNPROVABLE | {"leftover_sticks": "nobody"}))
STEPS = (0, 0, 1, 2, 5, 20, 100, 1000, 10_000)  # hundreds between two seats
OF_PLACES = tuple(name for name, metric in METRICS.items() if metric.of_places)
BEYOND = (0, 1, 100, 10_000, 10**6)  # hundreds into an open end
TRIES = 200


class Result(NamedTuple):
    points: Four
    places: Four
    scores: FourScores


class Checked(NamedTuple):
    """The number of results compared, and of points for which no try gave a result."""

    results: int
    untried: int


def random_last(chance: Random) -> tuple[LastHanchan, Goal]:
    slug, changes = chance.choice(RULES)
    rules = resolve(slug, changes)
    spread = chance.choice((20, 500, 2000, 40_000))
    games = chance.randrange(4)

    def record() -> Record:
        a, b, c = (chance.randrange(games + 1) for _ in range(3))
        return Record(chance.randint(-spread, spread), (a, b, c, chance.randrange(games + 1)))

    east, south, west, north = record(), record(), record(), record()
    if chance.random() < 0.3:
        south = south._replace(total=east.total)
    rivals, open_ = chance.choice((0, 1, 3, 8)), chance.choice((0, 0, 1, 3))
    last = LastHanchan(
        rules=rules,
        seats=(east, south, west, north),
        elsewhere=tuple(record() for _ in range(rivals)),
        reaches=tuple(reach_of(record().total, 1, rules) for _ in range(open_)),
        tie_breaks=tuple(chance.sample(OF_PLACES, chance.randrange(3))),
    )
    return last, Goal(RANK, chance.randint(1, 4 + rivals + open_), alone=chance.random() < 0.5)


def compare_spans(last: LastHanchan, seat: int, goal: Goal, chance: Random) -> Checked:
    """Raise AssertionError if a result contradicts the span with its points, or has not exactly one span."""
    found, results, untried = hanchan_needs(last, seat, goal), [], 0
    for shared, by_place in ((False, found.places), (True, found.shared)):
        for place in PLACES:
            _assert_apart(by_place[place])
            for points in (each for span in by_place[place] for each in _points_in(span, chance)):
                result = _result_with(last.rules, seat, place, shared, points, chance)
                results += [result] if result else []
                untried += result is None
    results += [any_result(last.rules, chance) for _ in range(5)]
    for each in results:
        _assert_said(last, goal, found, seat, each)
    return Checked(len(results), untried)


def _assert_apart(spans: tuple[PointSpan, ...]) -> None:
    """Assert that spans ascend, and that only the outer ends are open."""
    for before, after in pairwise(spans):
        assert before.last is not None, spans
        assert after.first is not None, spans
        assert before.last < after.first, spans
        assert before.outcome != after.outcome or before.last + 100 < after.first, spans
    assert all(each.first is None or each.last is None or each.first <= each.last for each in spans), spans


def _points_in(span: PointSpan, chance: Random) -> list[int]:
    """Return both ends in hundreds, or points beyond if they are open, and points between."""
    near = 250 if span.first is None and span.last is None else 0
    first = span.first if span.first is not None else (near if span.last is None else span.last)
    last = span.last if span.last is not None else first
    low = first // 100 - (chance.choice(BEYOND) if span.first is None else 0)
    high = last // 100 + (chance.choice(BEYOND) if span.last is None else 0)
    return [low, high, chance.randint(low, high), chance.randint(low, high)]


def any_result(rules: Rules, chance: Random) -> Result:
    """Return a result of the table, whatever the places."""
    low, high = point_bounds(rules)
    average = rules.total_points // 400
    while True:
        wide = chance.choice((3, 30, 200) if rules.bust else (3, 30, 200, 3000, 10**5))
        three = [average + round(chance.gauss(0, wide)) for _ in range(3)]
        sticks = chance.choice((0, 0, 1, 5, MOST_STICKS))
        hundreds = [*three, rules.total_points // 100 - 10 * sticks - sum(three)]
        if all(low <= each <= high for each in hundreds):
            chance.shuffle(hundreds)
            return _settled(rules, hundreds, sticks, chance)


def _result_with(
    rules: Rules, seat: int, place: int, shared: bool, points: int, chance: Random
) -> Result | None:
    """Return a result in which the seat has this place with these hundreds, or None if all tries fail."""
    (low, high), total = point_bounds(rules), rules.total_points // 100
    for _ in range(TRIES):
        one = points + chance.choice((-1, 1)) * chance.choice(STEPS)
        two = chance.choice((points, one)) + chance.choice((-1, 1)) * chance.choice(STEPS)
        sticks = chance.choice((0, 0, 0, 1, 5, MOST_STICKS))
        rest = total - 10 * sticks - points - one - two
        if chance.random() < 0.3:  # deposits that let two seats be equal
            sticks = max(0, min(MOST_STICKS, -(-(total - 3 * points - one) // 10)))
            two, rest = points, total - 10 * sticks - 2 * points - one
        others = [one, two, rest]
        if all(low <= each <= high for each in others):
            chance.shuffle(others)
            others.insert(seat, points)
            result = _settled(rules, others, sticks, chance)
            if result.places[seat] == place and (result.places.count(place) > 1) == shared:
                return result
    return None


def _settled(rules: Rules, hundreds: list[int], sticks: int, chance: Random) -> Result:
    east, south, west, north = (100 * each for each in hundreds)
    ending = Ending(1000 * sticks, chance.randrange(4))
    places, scores = settler(rules)(east, south, west, north, ending)
    return Result((east, south, west, north), places, scores)


def _assert_said(last: LastHanchan, goal: Goal, found: HanchanNeeds, seat: int, result: Result) -> None:
    place, points = result.places[seat], result.points[seat]
    spans = (found.shared if result.places.count(place) > 1 else found.places)[place]
    said = [span for span in spans if contains(span, points)]
    assert len(said) == 1, (last, goal, seat, result, spans)
    least, most = _ahead(last, goal, seat, result)
    if said[0].outcome == REACHED:
        assert most < goal.number, (last, goal, seat, result, said)
    elif said[0].outcome == MISSED:
        assert least >= goal.number, (last, goal, seat, result, said)


def _ahead(last: LastHanchan, goal: Goal, seat: int, result: Result) -> tuple[int, int]:
    """Return the least and the most contestants ahead of the seat after this result."""

    def key(record: Record, place: int = 0, score: Score = 0) -> tuple[Score, ...]:
        a, b, c, d = (count + (place == at) for at, count in enumerate(record.places, start=1))
        tally = Tally(0, places=Places(a, b, c, d))
        return (-record.total - score, *(METRICS[name].key(tally) for name in last.tie_breaks))

    keys = [key(last.seats[each], result.places[each], result.scores[each]) for each in range(4)]
    mine, total = keys[seat], last.seats[seat].total + result.scores[seat]
    rivals = [*(each for at, each in enumerate(keys) if at != seat), *map(key, last.elsewhere)]
    ahead = sum(other < mine or (goal.alone and other == mine) for other in rivals)
    least = sum(each.lowest > total for each in last.reaches)
    most = sum(each.highest >= total for each in last.reaches)
    return ahead + least, ahead + most
