"""A contestant's needs in the last hanchan, for a rank in the standings.

A statement is *proven* if it holds for every legal result of the own table: all points in hundreds that add
up, every order, every tie, up to ten deposits left over. Contestants elsewhere count with their final total,
or with the `Reach` of a hanchan that is still to be played. Without bust a hanchan has no largest score, so
such a reach has no end. Chips and sashiuma have no bound either (`is_provable`).

Points are in hundreds inside this module, and in points in what it returns. Totals are in tenths.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby, pairwise, permutations, product
from math import ceil, floor, inf
from operator import itemgetter
from typing import Final, NamedTuple

from scoring.conditions.goals import RANK, Goal
from scoring.conditions.last_hand import MISSED, REACHED, worths
from scoring.payments import ron_points
from scoring.rules import FIRST, LAST_DEALER, SPLIT, Rules
from scoring.settlement import HALF, SEATS, Four, length_factor, settle
from scoring.standings import TIE_BREAKS, Metric, Tally
from scoring.units import Score

DEPENDS: Final = "depends"
HUNDRED: Final = 100
MOST_HONBA: Final = 100  # repeats of one dealership, to bound a hanchan with bust
MOST_STICKS: Final = 10  # deposits left over at most
FAR: Final = 20_000  # hundreds that no hanchan reaches
MOST_ROUNDING: Final = 10  # tenths that rounding to thousands changes at most
MOST_CASES: Final = 12
# Tie-breaks that follow from places alone, and so from the order at the table.
FORESEEN: Final = ("average_place", "firsts", "seconds", "lasts")


class Record(NamedTuple):
    """A contestant so far: total, and how often each place."""

    total: Score
    places: Four = (0, 0, 0, 0)


class Reach(NamedTuple):
    """The lowest and the highest final total of a contestant who still plays elsewhere."""

    lowest: float | Score = -inf
    highest: float | Score = inf


class PointSpan(NamedTuple):
    """Points with one outcome (`REACHED`, `MISSED`, `DEPENDS`). None: no end."""

    outcome: str
    first: int | None
    last: int | None


class Where(NamedTuple):
    """A condition: the player of this seat takes the place, or does not (`denied`)."""

    seat: int
    place: int
    denied: bool = False


class Gap(NamedTuple):
    """A condition: so many points more than the player of this seat, or with a negative number fewer."""

    seat: int
    points: int


class Case(NamedTuple):
    """A place and conditions that suffice together. `points`: the least number, or None for any number."""

    place: int
    points: int | None
    where: tuple[Where, ...]
    gaps: tuple[Gap, ...]

    @property
    def length(self) -> int:
        return len(self.where) + len(self.gaps)


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHanchan:
    """The last hanchan of four contestants. `elsewhere`: the others with their final totals. `reaches`: the
    others who still play.
    """

    rules: Rules
    seats: tuple[Record, Record, Record, Record]
    elsewhere: tuple[Record, ...] = ()
    reaches: tuple[Reach, ...] = ()
    tie_breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HanchanNeeds:
    """Needs of one seat. `places`: place → spans of own points, lowest first, proven for every result of the
    others. `shared`: the same for a place shared with a tied player. `cases`: conditions that suffice with a
    place that is not shared, shortest first.
    """

    seat: int
    goal: Goal
    places: Mapping[int, tuple[PointSpan, ...]]
    shared: Mapping[int, tuple[PointSpan, ...]]
    cases: tuple[Case, ...]

    @property
    def outcome(self) -> str:
        """Return `REACHED` or `MISSED` if every result has it, or else `DEPENDS`."""
        every = (*self.places.values(), *self.shared.values())
        found = {span.outcome for spans in every for span in spans}
        return found.pop() if len(found) == 1 else DEPENDS


def is_provable(rules: Rules) -> bool:
    return rules.sashiuma is None and rules.chip_value is None


def hanchan_needs(last: LastHanchan, seat: int, goal: Goal, *, with_shared: bool = True) -> HanchanNeeds:
    """Return what `seat` needs for a rank. Raises ValueError for other goals and for rules without proof.

    `with_shared`: also for shared places, without which there is no `outcome`.
    """
    if goal.kind != RANK or not is_provable(last.rules):
        raise ValueError(f"nothing can be proven: {goal!r}")
    judge = _Judge(last, seat, goal)
    places, shared = (
        {place: tuple(judge.spans(place, shared=tied)) for place in range(1, 5)}
        if with_shared or not tied
        else {}
        for tied in (False, True)
    )
    return HanchanNeeds(seat, goal, places, shared, tuple(judge.cases()[:MOST_CASES]))


def outcome_of_hanchan(last: LastHanchan, seat: int, goal: Goal) -> str:
    """Return `HanchanNeeds.outcome`, at once if the best and the worst place already differ."""
    if not last.rules.bust:
        return DEPENDS  # the own points have no end
    judge = _Judge(last, seat, goal)
    best = judge.outcome(1, judge.high, shared=False)
    worst = judge.outcome(4, judge.low, shared=False)
    return hanchan_needs(last, seat, goal).outcome if best == worst else DEPENDS


def outcome_of_finished(
    mine: Record, elsewhere: Iterable[Record], reaches: Iterable[Reach], tie_breaks: Sequence[str], goal: Goal
) -> str:
    """Return whether a contestant without another game has the rank for every result of the others."""
    least = most = 0
    for theirs in elsewhere:
        surely = possibly = theirs.total > mine.total
        if theirs.total == mine.total:
            surely, possibly = _equal_ahead(mine, theirs, tie_breaks, alone=goal.alone)
        least, most = least + surely, most + possibly
    for reach in reaches:
        least, most = least + (reach.lowest > mine.total), most + (reach.highest >= mine.total)
    return REACHED if most < goal.number else MISSED if least >= goal.number else DEPENDS


# --- bounds


@lru_cache(maxsize=256)
def point_bounds(rules: Rules) -> tuple[int, int]:
    """Return the lowest and highest hundreds of a seat, ±`FAR` without bust.

    With bust every seat has points before the last hand. That hand costs at most three times the largest ron,
    with `MOST_HONBA`.
    """
    if not rules.bust:
        return -FAR, FAR
    base = max(worth.base for worth in worths(rules, tsumo=False))
    largest = (ron_points(base, dealer=True) + MOST_HONBA * rules.honba) // HUNDRED
    return -3 * largest, rules.total_points // HUNDRED + largest


def reach_of(total: Score, hanchan: int, rules: Rules) -> Reach:
    """Return the reach of a contestant who still plays so many hanchan."""
    if not hanchan:
        return Reach(total, total)
    if not rules.bust or not is_provable(rules):
        return Reach()
    low, high = point_bounds(rules)
    gains = [gain for shape in shapes(rules) for gain in shape.gains]
    factor, spare = length_factor(rules), 3 * MOST_ROUNDING + MOST_STICKS * 10
    lowest = factor * (low - spare) + min(gains)
    highest = factor * (high + spare) + max(gains)
    return Reach(total + hanchan * lowest, total + hanchan * highest)


# --- the orders of a table


class Shape(NamedTuple):
    """An order of the seats.

    `apart`: least hundreds between neighbours. `equal`: neighbours who share a place. `places` and `gains`
    (tenths besides points) are by seat. `above`: seats at or above the start, or None unless the uma floats.
    """

    order: Four
    apart: tuple[int, int, int]
    equal: tuple[bool, bool, bool]
    places: Four
    gains: tuple[Score, Score, Score, Score]
    above: int | None


_ORDERS: Final[tuple[Four, ...]] = tuple((a, b, c, d) for a, b, c, d in permutations(SEATS))


@lru_cache(maxsize=64)
def shapes(rules: Rules) -> tuple[Shape, ...]:
    """Return every order of a table under these rules, with every tie if tied players share places."""
    rows = range(5) if rules.floating_uma is not None else (None,)
    found = {}
    for order, equal in product(_ORDERS, _ties(rules)):
        if any(same and left > right for same, left, right in zip(equal, order, order[1:], strict=False)):
            continue  # tied seats are named once, in the order of their winds
        for above, apart in product(rows, _distances(order, equal, rules)):
            if above and above < 4 and equal[above - 1]:
                continue  # tied players are on one side of the start
            found[order, apart, equal, above] = _shape(order, apart, equal, above, rules)
    return tuple(found.values())


def _ties(rules: Rules) -> Iterable[tuple[bool, bool, bool]]:
    return product((False, True), repeat=3) if rules.tie_rule == SPLIT else ((False, False, False),)  # type: ignore[return-value]


def _distances(order: Four, equal: Sequence[bool], rules: Rules) -> Iterator[tuple[int, int, int]]:
    """Yield the least distances between neighbours: 0 if equal points leave them in this order."""
    if rules.tie_rule == SPLIT:
        a, b, c = (int(not same) for same in equal)
        yield a, b, c
        return
    for dealer in SEATS if rules.tie_rule == LAST_DEALER else (0,):
        turns = [(seat - dealer) % 4 for seat in order]
        a, b, c = (int(left > right) for left, right in pairwise(turns))
        yield a, b, c


def _shape(
    order: Four, apart: tuple[int, int, int], equal: tuple[bool, bool, bool], above: int | None, rules: Rules
) -> Shape:
    count, points, first = 4 if above is None else above, [0, 0, 0, 0], 0
    for position, seat in enumerate(order):
        first = first if position and equal[position - 1] else position
        points[seat] = rules.start_points + HUNDRED * (count - 1 - first)
    plain = _unrounded(rules)
    seats, factor = settle(points, plain), length_factor(rules)
    east, south, west, north = (
        each.score - factor * (number // HUNDRED) for each, number in zip(seats, points, strict=True)
    )
    a, b, c, d = (each.place for each in seats)
    return Shape(order, apart, equal, (a, b, c, d), (east, south, west, north), above)


@lru_cache(maxsize=64)
def _unrounded(rules: Rules) -> Rules:
    return Rules.from_values(rules.as_values() | {"rounding": "none"})


# --- the judge


class _Judge:
    """Count the contestants ahead of one seat, over all results of the table."""

    def __init__(self, last: LastHanchan, seat: int, goal: Goal) -> None:
        self.last, self.seat, self.alone = last, seat, goal.alone
        self.allowed = goal.number - 1
        self.rules = last.rules
        self.factor = length_factor(last.rules)
        self.inverse = 1 if self.factor == 1 else 1 / Fraction(self.factor)
        self.low, self.high = point_bounds(last.rules)
        self.start, self.sum = self.rules.start_points // HUNDRED, self.rules.total_points // HUNDRED
        self.mine = last.seats[seat]
        self.others = [each for each in SEATS if each != seat]
        self.elsewhere = sorted(last.elsewhere)
        self.totals_elsewhere = [each.total for each in self.elsewhere]
        every = shapes(last.rules)
        self.by_place: dict[tuple[int, bool], list[Shape]] = {}
        for shape in every:
            place = shape.places[seat]
            self.by_place.setdefault((place, shape.places.count(place) > 1), []).append(shape)

    # Equal totals

    def equal(self, place: int, theirs: Record, their_place: int | None) -> tuple[bool, bool]:
        mine, theirs = _after(self.mine, place), _after(theirs, their_place)
        return _equal_ahead(mine, theirs, self.last.tie_breaks, alone=self.alone)

    # Elsewhere

    def ahead_elsewhere(self, place: int, lowest: Score, highest: Score) -> tuple[int, int]:
        """Return the least and the most contestants elsewhere who are ahead of a total in this range."""
        found = len(self.totals_elsewhere)
        least = found - bisect_right(self.totals_elsewhere, highest)
        most = found - bisect_right(self.totals_elsewhere, lowest)
        for theirs in self.equal_to(highest):
            least += self.equal(place, theirs, None)[0]
        for theirs in self.equal_to(lowest):
            most += self.equal(place, theirs, None)[1]
        least += sum(reach.lowest > highest for reach in self.last.reaches)
        most += sum(reach.highest >= lowest for reach in self.last.reaches)
        return least, most

    def equal_to(self, total: Score) -> Sequence[Record]:
        totals = self.totals_elsewhere
        return self.elsewhere[bisect_left(totals, total) : bisect_right(totals, total)]

    # At the table

    def ahead_in(self, shape: Shape, place: int, points: int) -> tuple[int, int] | None:
        lower, upper = self.limits(shape, points)
        sticks = _least_sticks(lower, upper, shape, self.sum)
        if sticks is None:
            return None
        lowest, highest = self.totals(shape, points, sticks)
        least, most = self.ahead_elsewhere(place, lowest, highest)
        below, above = {}, {}  # position → at most so many hundreds behind me, at least so many ahead
        for position, seat in enumerate(shape.order):
            if seat != self.seat:
                surely, possibly = self.equal(place, self.last.seats[seat], shape.places[seat])
                above[position] = self.hundreds(shape, seat, lowest, reaches=possibly, generous=True)
                below[position] = self.hundreds(shape, seat, highest, reaches=surely, generous=False) - 1
        worst = _largest(above, lower, upper, shape, self.sum, raises=True)
        best = _largest(below, lower, upper, shape, self.sum, raises=False)
        return least + 3 - best, most + worst

    def limits(self, shape: Shape, points: int) -> tuple[list[int], list[int]]:
        lower, upper = [self.low] * 4, [self.high] * 4
        if shape.above is not None:
            for position in range(4):
                if position < shape.above:
                    lower[position] = max(lower[position], self.start)
                else:
                    upper[position] = min(upper[position], self.start - 1)
        at = shape.order.index(self.seat)
        lower[at], upper[at] = max(lower[at], points), min(upper[at], points)
        return lower, upper

    def totals(self, shape: Shape, points: int, sticks: int) -> tuple[Score, Score]:
        """Return the lowest and the highest total of the seat with these hundreds."""
        first = shape.places[self.seat] == 1
        left = self.rules.leftover_sticks == FIRST and first
        alone = left and shape.places.count(1) == 1
        plain = self.mine.total + shape.gains[self.seat] + self.factor * points
        lowest = plain + self.factor * (sticks if alone else 0)
        highest = plain + self.factor * (max(sticks, MOST_STICKS * 10) if left else 0)
        if self.rules.rounding == "none":
            return lowest, highest
        if first:
            spare = 3 * MOST_ROUNDING * self.factor
            return lowest - spare, highest + spare
        change = self.factor * _rounding(points, self.rules.rounding)
        return lowest + change, highest + change

    def hundreds(self, shape: Shape, seat: int, total: Score, *, reaches: bool, generous: bool) -> int:
        """Return the least hundreds with which a rival is ahead of this total. `reaches`: an equal one is.
        `generous`: rounding and deposits help the rival, or else they do not.
        """
        need = total - self.last.seats[seat].total - shape.gains[seat]
        first = shape.places[seat] == 1
        if first and self.rules.leftover_sticks == FIRST and shape.above == 0 and generous:
            return self.low
        if self.rules.rounding == "none" or first:
            spare = 0 if self.rules.rounding == "none" else 3 * MOST_ROUNDING
            exact = need * self.inverse
            least = ceil(exact) if reaches else floor(exact) + 1
            shared = first and self.rules.leftover_sticks == FIRST and shape.places.count(1) > 1
            spare += MOST_STICKS * 10 if shared else 0
            return max(self.low, min(self.high + 1, least - spare if generous else least + spare))
        at = floor(need * self.inverse) - 2 * MOST_ROUNDING
        while not _is_enough(at, need, self.rules.rounding, self.factor, reaches=reaches):
            at += 1
        return max(self.low, min(self.high + 1, at))

    # Answers

    def outcome(self, place: int, points: int, *, shared: bool) -> str | None:
        return self._outcome(self.by_place.get((place, shared), ()), place, points)

    def _outcome(self, own: Iterable[Shape], place: int, points: int) -> str | None:
        """Return the outcome over these orders, or None if no result of the table has them."""
        found = [ahead for shape in own if (ahead := self.ahead_in(shape, place, points))]
        if not found:
            return None
        if max(most for _least, most in found) <= self.allowed:
            return REACHED
        return MISSED if min(least for least, _most in found) > self.allowed else DEPENDS

    def spans(self, place: int, *, shared: bool) -> Iterator[PointSpan]:
        """Yield the spans of a place. Between equal outcomes on one side of an edge nothing changes."""
        own = self.by_place.get((place, shared), ())
        free = [shape for shape in own if shape.above != 0]
        known = {edge: self._outcome(free, place, edge) for edge in self._edges(place, shared=shared)}
        line = sorted(known)
        for low, high in pairwise(line):
            self._divide(free, place, low, high, known)
        self._add_all_below([shape for shape in own if shape.above == 0], place, known)
        for outcome, same in groupby(sorted(known.items()), key=itemgetter(1)):
            points = [each for each, _outcome in same]
            if outcome is not None:
                yield PointSpan(outcome, self._shown(points[0]), self._shown(points[-1]))

    def _edges(self, place: int, *, shared: bool) -> set[int]:
        """Return the hundreds where the outcome may change back and forth.

        Near the average the points of all four are tied together, so that some orders are impossible there.
        With more points the seat passes contestants elsewhere, but players above it have more as well.
        """
        edges = {self.low, self.low + 4, self.start - 1, self.start, self.high - 4, self.high}
        edges |= self._passes(place, shared=shared)
        wide = 4 if self.rules.rounding == "none" else MOST_ROUNDING + 4
        if shared or place in (1, 4) or self.rules.rounding != "none":
            edges |= {*range((self.sum - MOST_STICKS * 10) // 4 - wide, self.sum // 4 + wide + 1)}
        return {edge for edge in edges if self.low <= edge <= self.high}

    def _passes(self, place: int, *, shared: bool) -> set[int]:
        """Return the hundreds at which the seat passes those elsewhere who may decide about the rank."""
        gains = {shape.gains[self.seat] for shape in self.by_place.get((place, shared), ())}
        ranked = self.totals_elsewhere[::-1][max(0, self.allowed - 3) : self.allowed + 1]
        wide = 1 if self.rules.rounding == "none" else MOST_ROUNDING + 1
        passes = [
            floor((total - self.mine.total - gain) * self.inverse) for total in ranked for gain in gains
        ]
        return {at + change for at in passes for change in (-wide, 0, wide)}

    def _divide(
        self, own: Sequence[Shape], place: int, low: int, high: int, known: dict[int, str | None]
    ) -> None:
        if high - low < 2 or known[low] == known[high]:
            return
        middle = (low + high) // 2
        known[middle] = self._outcome(own, place, middle)
        self._divide(own, place, low, middle, known)
        self._divide(own, place, middle, high, known)

    def _add_all_below(self, own: Sequence[Shape], place: int, known: dict[int, str | None]) -> None:
        """Add the orders of a floating uma in which all four are below the start.

        Only deposits left over make them possible, and only in few hundreds, each of which is tried.
        """
        if not own:
            return
        line, least = sorted(known), self.sum - 10 * MOST_STICKS - 3 * (self.start - 1)
        others = {at: known[line[bisect_right(line, at) - 1]] for at in range(least - 1, self.start)}
        for at, outcome in others.items():
            found = self._outcome(own, place, at)
            known[at] = outcome if found in (None, outcome) else DEPENDS if outcome else found

    def _shown(self, hundreds: int) -> int | None:
        return None if hundreds in (self.low, self.high) else hundreds * HUNDRED

    # Cases

    def cases(self) -> list[Case]:
        """Return the conditions that suffice, shortest first, without those that a shorter one contains."""
        found = sorted(
            {case for place in range(1, 5) for case in self._cases(place)},
            key=lambda case: (case.length, case.place, case.points or 0, case.where, case.gaps),
        )
        kept: list[Case] = []
        for case in found:
            if not any(_contains(other, case) for other in kept):
                kept.append(case)
        return kept

    def _cases(self, place: int) -> Iterator[Case]:
        own = self.by_place[place, False]
        chosen = [some for size in range(3) for some in combinations(self.others, size)]
        facts = [(shape, self._gaps(shape, place), self._enough(shape, place)) for shape in own]
        for where in self._conditions(place):
            there = [each for each in facts if all(_holds(one, each[0]) for one in where)]
            for rivals in chosen if there else ():
                if (case := self._case(place, where, rivals, there)) is not None:
                    yield case

    def _conditions(self, place: int) -> Iterator[tuple[Where, ...]]:
        free = [each for each in range(1, 5) if each != place]
        yield ()
        for seat, at, denied in product(self.others, free, (False, True)):
            yield (Where(seat, at, denied),)
        for one, two in combinations(self.others, 2):
            for at, other in permutations(free, 2):
                yield Where(one, at), Where(two, other)

    def _case(
        self,
        place: int,
        where: tuple[Where, ...],
        rivals: tuple[int, ...],
        facts: Sequence[tuple[Shape, Mapping[int, int], list[float]]],
    ) -> Case | None:
        points: float = -inf
        for _shape, needed, enough in facts:
            free = self.allowed - sum(seat not in rivals for seat in needed)
            if free < 0:
                return None
            points = max(points, enough[free] if free < len(enough) else -inf)
        if points * place > self.sum:  # someone would have to end below zero
            return None
        if place == 1 and points * 4 <= self.sum - 10 * MOST_STICKS:  # every first place has as many
            points = -inf
        gaps = []
        for seat in rivals:
            needed_there = [needed[seat] for _shape, needed, _enough in facts if seat in needed]
            leads = any(shape.places[seat] < place for shape, _needed, _enough in facts)
            if not needed_there or (leads and max(needed_there) > 0):
                return None
            gaps.append(Gap(seat, HUNDRED * max(needed_there)))
        return Case(place, None if points == -inf else HUNDRED * int(points), where, tuple(gaps))

    def _gaps(self, shape: Shape, place: int) -> dict[int, int]:
        """Return rival → hundreds that the seat needs more, without rivals whom the order puts behind."""
        found, at = {}, shape.order.index(self.seat)
        spare = 0 if self.rules.rounding == "none" else 6 * MOST_ROUNDING
        for position, seat in enumerate(shape.order):
            if seat == self.seat:
                continue
            _surely, possibly = self.equal(place, self.last.seats[seat], shape.places[seat])
            theirs = self.last.seats[seat].total + shape.gains[seat]
            need = (theirs - self.mine.total - shape.gains[self.seat]) * self.inverse
            sticks = 0
            if self.rules.leftover_sticks == FIRST and shape.places[seat] == 1:
                sticks = MOST_STICKS * 10
            gap = (floor(need) + 1 if possibly else ceil(need)) + spare + sticks
            if not (position > at and gap <= sum(shape.apart[at:position])):
                found[seat] = gap
        return found

    def _enough(self, shape: Shape, place: int) -> list[float]:
        """Return the hundreds that put the seat ahead of each contestant elsewhere, largest first."""
        found: list[float] = []
        spare = 0
        if self.rules.rounding != "none":
            spare = 3 * MOST_ROUNDING if shape.places[self.seat] == 1 else MOST_ROUNDING
        gained = self.mine.total + shape.gains[self.seat]
        for theirs in self.last.elsewhere:
            _surely, possibly = self.equal(place, theirs, None)
            need = (theirs.total - gained) * self.inverse
            found.append((floor(need) + 1 if possibly else ceil(need)) + spare)
        for reach in self.last.reaches:
            far = reach.highest in (inf, -inf)
            found.append(inf if far else floor((reach.highest - gained) * self.inverse) + 1 + spare)
        return sorted(found, reverse=True)


def _after(record: Record, place: int | None) -> Record:
    a, b, c, d = (count + (place == each) for each, count in enumerate(record.places, 1))
    return Record(record.total, (a, b, c, d))


def _equal_ahead(
    mine: Record, theirs: Record, tie_breaks: Sequence[str], *, alone: bool
) -> tuple[bool, bool]:
    """Return whether an equal total is surely, and possibly, ahead by the tie-breaks."""
    for name in tie_breaks:
        metric = TIE_BREAKS[name]
        if name not in FORESEEN or not isinstance(metric, Metric):
            return False, True
        one, two = (metric.key(Tally(0, places=each.places)) for each in (mine, theirs))
        if one != two:
            return two < one, two < one
    return alone, alone


def _rounding(hundreds: int, rounding: str) -> int:
    """Return the tenths that rounding to thousands adds. See `scoring.settlement`."""
    rest = hundreds % 10
    half = HALF // HUNDRED
    up = {
        "down": False,
        "up": rest > 0,
        "half_down": rest > half,
        "half_up": rest >= half,
        "half_away": rest >= half if hundreds >= 0 else rest > half,
    }[rounding]
    return 10 * up - rest


def _is_enough(hundreds: int, need: Score, rounding: str, factor: Score, *, reaches: bool) -> bool:
    score = factor * (hundreds + _rounding(hundreds, rounding))
    return score >= need if reaches else score > need


def _squeezed(lower: Sequence[int], upper: Sequence[int], shape: Shape) -> tuple[list[int], list[int]] | None:
    """Narrow the limits to those that the order leaves, or return None if it leaves nothing."""
    low, high = list(lower), list(upper)
    for position in (2, 1, 0):
        low[position] = max(low[position], low[position + 1] + shape.apart[position])
        if shape.equal[position]:
            high[position] = min(high[position], high[position + 1])
    for position in range(3):
        high[position + 1] = min(high[position + 1], high[position] - shape.apart[position])
        if shape.equal[position]:
            low[position + 1] = max(low[position + 1], low[position])
    return None if any(one > two for one, two in zip(low, high, strict=True)) else (low, high)


def _least_sticks(lower: Sequence[int], upper: Sequence[int], shape: Shape, total: int) -> int | None:
    """Return the fewest hundreds of deposits with which the points add up, or None if they cannot."""
    found = _squeezed(lower, upper, shape)
    if found is None:
        return None
    low, high = found
    sticks = max(0, -(-(total - sum(high)) // 10) * 10)
    return sticks if sum(low) <= total - sticks and sticks <= 10 * MOST_STICKS else None


def _largest(
    bounds: Mapping[int, int],
    lower: Sequence[int],
    upper: Sequence[int],
    shape: Shape,
    total: int,
    *,
    raises: bool,
) -> int:
    """Return how many rivals at once can have at least (`raises`) or at most their bound."""
    for size in (3, 2, 1):
        for some in combinations(bounds, size):
            low, high = list(lower), list(upper)
            for position in some:
                if raises:
                    low[position] = max(low[position], bounds[position])
                else:
                    high[position] = min(high[position], bounds[position])
            if _least_sticks(low, high, shape, total) is not None:
                return size
    return 0


def _holds(where: Where, shape: Shape) -> bool:
    return (shape.places[where.seat] == where.place) != where.denied


def _contains(weaker: Case, case: Case) -> bool:
    """Return whether the first case covers the second."""
    if weaker.place != case.place or (weaker.points or -FAR * HUNDRED) > (case.points or -FAR * HUNDRED):
        return False
    gaps = dict(case.gaps)
    if any(seat not in gaps or gaps[seat] < points for seat, points in weaker.gaps):
        return False
    return all(any(_implies(each, one) for each in case.where) for one in weaker.where)


def _implies(strict: Where, loose: Where) -> bool:
    if strict == loose:
        return True
    other_seat = strict.seat != loose.seat and strict.place == loose.place
    other_place = strict.seat == loose.seat and strict.place != loose.place
    return loose.denied and not strict.denied and (other_seat or other_place)
