"""A contestant's needs in the last hanchan, for a rank in the standings.

A statement is *proven* if it holds for every legal result of the own table: all points in hundreds that add
up, every order, every tie, up to ten deposits left over. Contestants elsewhere count with their final total,
or with the `Reach` of a hanchan that is still to be played. Without bust a hanchan has no lowest and no
highest score, so points and reaches have no end. Chips and sashiuma have no bound either (`is_provable`).

Points are in hundreds inside this module, and in points in what it returns. Totals are in tenths.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby, pairwise, permutations, product
from math import ceil, floor, inf
from operator import ge, gt, itemgetter, le
from typing import Final, NamedTuple

from league.extras.needs.rules.goals import MISSED, RANK, REACHED, Goal
from league.extras.needs.rules.last_hand import worths
from scoring.payments import ron_points
from scoring.rules import FIRST, LAST_DEALER, SPLIT, Rules
from scoring.settlement import SEATS, Four, length_factor, rounding_change, settle
from scoring.standings import METRICS, Places, Tally
from scoring.units import Score

DEPENDS: Final = "depends"
HUNDRED: Final = 100
MOST_HONBA: Final = 100  # repeats of one dealership, to bound a hanchan with bust
MOST_STICKS: Final = 10  # deposits left over at most
MOST_ROUNDING: Final = 10  # tenths that rounding to thousands changes at most
MOST_CASES: Final = 12
PLACES: Final = (1, 2, 3, 4)


class _Ahead(NamedTuple):
    """The answer whether an equal total is ahead by the tie-breaks."""

    surely: bool
    possibly: bool


class Record(NamedTuple):
    """A contestant so far: total, and how often each place."""

    total: Score
    places: Four = (0, 0, 0, 0)


class Reach(NamedTuple):
    """The lowest and the highest final total of a contestant who still plays elsewhere."""

    lowest: float | Score = -inf
    highest: float | Score = inf


class PointSpan(NamedTuple):
    """Points with one outcome (`REACHED`, `MISSED`, `DEPENDS`). None: no end on this side."""

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


def hanchan_needs(last: LastHanchan, seat: int, goal: Goal) -> HanchanNeeds:
    """Return what `seat` needs for a rank. Raises ValueError for other goals and for rules without proof."""
    if goal.kind != RANK or not is_provable(last.rules):
        raise ValueError(f"nothing can be proven: {goal!r}")
    judge = _Judge(last, seat, goal)
    places = {place: tuple(judge.spans(place)) for place in PLACES}
    shared = {place: tuple(judge.spans(place, shared=True)) for place in PLACES}
    return HanchanNeeds(places, shared, tuple(judge.cases()[:MOST_CASES]))


def outcome_of_hanchan(last: LastHanchan, seat: int, goal: Goal) -> str:
    """Return `HanchanNeeds.outcome`, at once if the best and the worst place already differ."""
    if not last.rules.bust:
        return DEPENDS  # the own points have no end
    judge = _Judge(last, seat, goal)
    best = judge.outcome(judge.orders[1, False], 1, judge.highest)
    worst = judge.outcome(judge.orders[4, False], 4, judge.lowest)
    return hanchan_needs(last, seat, goal).outcome if best == worst else DEPENDS


def outcome_of_finished(
    mine: Record, elsewhere: Iterable[Record], reaches: Iterable[Reach], tie_breaks: Sequence[str], goal: Goal
) -> str:
    """Return whether a contestant without another game has the rank for every result of the others."""
    least = most = 0
    for theirs in elsewhere:
        surely = possibly = theirs.total > mine.total
        if theirs.total == mine.total:
            surely, possibly = _equal_ahead(mine.places, theirs.places, tuple(tie_breaks), goal.alone)
        least, most = least + surely, most + possibly
    for reach in reaches:
        least, most = least + (reach.lowest > mine.total), most + (reach.highest >= mine.total)
    return REACHED if most < goal.number else MISSED if least >= goal.number else DEPENDS


# --- bounds


@lru_cache(maxsize=256)
def point_bounds(rules: Rules) -> tuple[float, float]:
    """Return the lowest and highest hundreds of a seat, infinite without bust.

    With bust every seat has points before the last hand. That hand costs at most three times the largest ron,
    with `MOST_HONBA`.
    """
    if not rules.bust:
        return -inf, inf
    base = max(worth.base for worth in worths(rules, tsumo=False))
    largest = (ron_points(base, dealer=True) + MOST_HONBA * rules.honba) // HUNDRED
    return -3 * largest, rules.total_points // HUNDRED + largest


def reach_of(total: Score, hanchan: int, rules: Rules) -> Reach:
    """Return the reach of a contestant who still plays so many hanchan."""
    if not hanchan:
        return Reach(total, total)
    if not is_provable(rules):
        return Reach()
    low, high = point_bounds(rules)
    gains = [gain for shape in shapes(rules) for gain in shape.gains]
    factor, spare = length_factor(rules), 3 * MOST_ROUNDING + MOST_STICKS * 10
    lowest = factor * (low - spare) + min(gains)
    highest = factor * (high + spare) + max(gains)
    return Reach(total + hanchan * lowest, total + hanchan * highest)


# --- the orders of a table


_Three = tuple[int, int, int]


class Shape(NamedTuple):
    """An order of the seats.

    `apart`: least hundreds between neighbours. `equal`: neighbours who share a place. `places` and `gains`
    (tenths besides points) are by seat. `above`: seats at or above the start, or None unless the uma floats.
    """

    order: Four
    apart: _Three
    equal: _Three
    places: Four
    gains: tuple[Score, Score, Score, Score]
    above: int | None


@lru_cache(maxsize=64)
def shapes(rules: Rules) -> tuple[Shape, ...]:
    """Return every order of a table under these rules, with every tie if tied players share places."""
    rows = range(5) if rules.floating_uma is not None else (None,)
    return tuple(
        _shape(order, apart, equal, above, rules)
        for order, apart, equal in dict.fromkeys(_orders(rules))
        for above in rows
        if not (above and above < 4 and equal[above - 1])  # tied players are on one side of the start
    )


def _orders(rules: Rules) -> Iterator[tuple[Four, _Three, _Three]]:
    """Yield the orders, with `Shape.apart` (0 if equal points leave them in this order) and `Shape.equal`.

    Tied seats are named once, in the order of their winds.
    """
    for a, b, c, d in permutations(SEATS):
        if rules.tie_rule == SPLIT:
            for one, two, three in product((False, True), repeat=3):
                if not ((one and a > b) or (two and b > c) or (three and c > d)):
                    yield (a, b, c, d), (not one, not two, not three), (one, two, three)
        else:
            for dealer in SEATS if rules.tie_rule == LAST_DEALER else (0,):
                first, second, third, fourth = ((seat - dealer) % 4 for seat in (a, b, c, d))
                yield (a, b, c, d), (first > second, second > third, third > fourth), (False, False, False)


def _shape(order: Four, apart: _Three, equal: _Three, above: int | None, rules: Rules) -> Shape:
    count, points, first = 4 if above is None else above, [0, 0, 0, 0], 0
    for position, seat in enumerate(order):
        first = first if position and equal[position - 1] else position
        points[seat] = rules.start_points + HUNDRED * (count - 1 - first)
    seats, factor = settle(points, _unrounded(rules)), length_factor(rules)
    a, b, c, d = (each.place for each in seats)
    east, south, west, north = (
        each.score - factor * (number // HUNDRED) for each, number in zip(seats, points, strict=True)
    )
    return Shape(order, apart, equal, (a, b, c, d), (east, south, west, north), above)


@lru_cache(maxsize=64)
def _unrounded(rules: Rules) -> Rules:
    return Rules.from_values(rules.as_values() | {"rounding": "none"})


# --- the judge


class _Judge:
    """Count the contestants ahead of one seat, over all results of the table.

    `orders`: place, whether it is shared → the orders that give it. `spare` and `left`: hundreds that
    rounding and deposits left over can change at first place. `low` and `high`: see `point_bounds`.
    """

    def __init__(self, last: LastHanchan, seat: int, goal: Goal) -> None:
        self.last, self.seat, self.alone = last, seat, goal.alone
        self.allowed = goal.number - 1
        self.rules = rules = last.rules
        self.factor = length_factor(rules)
        self.inverse = 1 if self.factor == 1 else 1 / Fraction(self.factor)
        self.low, self.high = point_bounds(rules)
        self.start, self.sum = rules.start_points // HUNDRED, rules.total_points // HUNDRED
        self.rounds = rules.rounding != "none"
        self.spare = 3 * MOST_ROUNDING if self.rounds else 0
        self.left = MOST_STICKS * 10 if rules.leftover_sticks == FIRST else 0
        self.mine = last.seats[seat]
        self.others = [each for each in SEATS if each != seat]
        self.elsewhere = sorted(last.elsewhere)
        self.totals_elsewhere = [each.total for each in self.elsewhere]
        self.lowest, self.highest = self._probes()
        self.orders: defaultdict[tuple[int, bool], list[Shape]] = defaultdict(list)
        for shape in shapes(rules):
            place = shape.places[seat]
            self.orders[place, shape.places.count(place) > 1].append(shape)

    def equal(self, place: int, theirs: Record, their_place: int = 0) -> _Ahead:
        """Return whether an equal total is surely, and possibly, ahead. `their_place`: 0 if elsewhere."""
        mine, other = _after(self.mine.places, place), _after(theirs.places, their_place)
        return _equal_ahead(mine, other, self.last.tie_breaks, self.alone)

    def ahead_elsewhere(self, place: int, lowest: Score, highest: Score) -> tuple[int, int]:
        """Return the least and the most contestants elsewhere who are ahead of a total in this range."""
        totals = self.totals_elsewhere
        first, last = bisect_left(totals, highest), bisect_right(totals, highest)
        least = (
            len(totals) - last + sum(self.equal(place, each).surely for each in self.elsewhere[first:last])
        )
        first, last = bisect_left(totals, lowest), bisect_right(totals, lowest)
        most = (
            len(totals) - last + sum(self.equal(place, each).possibly for each in self.elsewhere[first:last])
        )
        least += sum(reach.lowest > highest for reach in self.last.reaches)
        most += sum(reach.highest >= lowest for reach in self.last.reaches)
        return least, most

    # At the table

    def ahead_in(self, shape: Shape, place: int, points: int) -> tuple[int, int] | None:
        """Return the least and the most contestants ahead, or None if the order has no such points."""
        room = _room(*self.limits(shape, points), shape, self.sum)
        if room is None:
            return None
        lowest, highest = self.totals(shape, points, room.sticks)
        least, most = self.ahead_elsewhere(place, lowest, highest)
        below, above = {}, {}  # position → at most so many hundreds behind me, at least so many ahead
        for position, seat in enumerate(shape.order):
            if seat != self.seat:
                surely, possibly = self.equal(place, self.last.seats[seat], shape.places[seat])
                above[position] = self.hundreds(shape, seat, lowest, reaches=possibly, generous=True)
                below[position] = self.hundreds(shape, seat, highest, reaches=surely, generous=False) - 1
        worst = _largest(above, room, shape, self.sum, raises=True)
        best = _largest(below, room, shape, self.sum, raises=False)
        return least + 3 - best, most + worst

    def limits(self, shape: Shape, points: int) -> tuple[list[float], list[float]]:
        lower, upper = [self.low] * 4, [self.high] * 4
        if shape.above is not None:
            lower[: shape.above] = [max(self.low, self.start)] * shape.above
            upper[shape.above :] = [min(self.high, self.start - 1)] * (4 - shape.above)
        at = shape.order.index(self.seat)
        lower[at], upper[at] = max(lower[at], points), min(upper[at], points)
        return lower, upper

    def totals(self, shape: Shape, points: int, sticks: int) -> tuple[Score, Score]:
        """Return the lowest and the highest total of the seat with these hundreds."""
        first = shape.places[self.seat] == 1
        plain = self.mine.total + shape.gains[self.seat] + self.factor * points
        if not first:
            plain += self.factor * self.rounded(points)
            return plain, plain
        sure = sticks if self.left and shape.places.count(1) == 1 else 0
        return plain + self.factor * (sure - self.spare), plain + self.factor * (self.left + self.spare)

    def rounded(self, hundreds: int) -> int:
        """Return the tenths that rounding adds."""
        return rounding_change(HUNDRED * hundreds, self.rules.rounding) if self.rounds else 0

    def hundreds(self, shape: Shape, seat: int, total: Score, *, reaches: bool, generous: bool) -> float:
        """Return the least hundreds with which a rival is ahead of this total. `reaches`: an equal one is.
        `generous`: rounding and deposits help the rival, or else they do not.
        """
        need = (total - self.last.seats[seat].total - shape.gains[seat]) * self.inverse
        first = shape.places[seat] == 1
        if first and self.left and shape.above == 0 and generous:
            return self.low
        if first or not self.rounds:
            shared = first and shape.places.count(1) > 1
            spare = self.spare + (self.left if shared else 0)
            at = (ceil(need) if reaches else floor(need) + 1) + (-spare if generous else spare)
        else:
            at = floor(need) - 2 * MOST_ROUNDING
            enough = ge if reaches else gt
            while not enough(at + self.rounded(at), need):
                at += 1
        return max(self.low, min(self.high + 1, at))

    # Answers

    def _probes(self) -> tuple[int, int]:
        """Return the lowest and highest hundreds to try. The outcome is the same with all points beyond.

        Every comparison is one between sums of at most four seats, the start and the distances of totals.
        """
        if self.rules.bust:
            return int(self.low), int(self.high)
        gains = [gain for shape in shapes(self.rules) for gain in shape.gains]
        ends = [end for reach in self.last.reaches for end in reach if abs(end) != inf]
        totals = [seat.total for seat in self.last.seats] + self.totals_elsewhere + ends
        distance = (max(totals) - min(totals) + max(gains) - min(gains)) * self.inverse
        spare = self.left + 3 * self.spare + 10 * MOST_STICKS
        far = 4 * (ceil(distance) + abs(self.start) + self.sum + spare)
        return -far, far

    def outcome(self, own: Iterable[Shape], place: int, points: int) -> str | None:
        """Return the outcome over these orders, or None if no result of the table has them."""
        found = [ahead for shape in own if (ahead := self.ahead_in(shape, place, points))]
        if not found:
            return None
        if max(most for _least, most in found) <= self.allowed:
            return REACHED
        return MISSED if min(least for least, _most in found) > self.allowed else DEPENDS

    def spans(self, place: int, *, shared: bool = False) -> Iterator[PointSpan]:
        """Yield the spans of a place. Between equal outcomes on one side of an edge nothing changes."""
        own = self.orders[place, shared]
        free = [shape for shape in own if shape.above != 0]
        known = {edge: self.outcome(free, place, edge) for edge in self._edges(place, shared=shared)}
        for low, high in pairwise(sorted(known)):
            self._divide(free, place, low, high, known)
        self._add_all_below([shape for shape in own if shape.above == 0], place, known)
        for outcome, same in groupby(sorted(known.items()), key=itemgetter(1)):
            points = [each for each, _outcome in same]
            if outcome is not None:
                first, last = min(points), max(points)
                yield PointSpan(
                    outcome,
                    None if first == self.lowest else first * HUNDRED,
                    None if last == self.highest else last * HUNDRED,
                )

    def _edges(self, place: int, *, shared: bool) -> set[int]:
        """Return the hundreds where the outcome may change back and forth.

        Near the average the points of all four are tied together, so that some orders are impossible there.
        With more points the seat passes contestants elsewhere, but players above it have more as well.
        """
        low, high = self.lowest, self.highest
        edges = {low, low + 4, self.start - 1, self.start, high - 4, high}
        edges |= self._passes(place, shared=shared)
        wide = MOST_ROUNDING + 4 if self.rounds else 4
        if shared or place in (1, 4) or self.rounds:
            edges |= {*range((self.sum - MOST_STICKS * 10) // 4 - wide, self.sum // 4 + wide + 1)}
        return {edge for edge in edges if low <= edge <= high}

    def _passes(self, place: int, *, shared: bool) -> set[int]:
        """Return the hundreds at which the seat passes those elsewhere who may decide about the rank."""
        gains = {shape.gains[self.seat] for shape in self.orders[place, shared]}
        ranked = self.totals_elsewhere[::-1][max(0, self.allowed - 3) : self.allowed + 1]
        wide = MOST_ROUNDING + 1 if self.rounds else 1
        needs = {total - self.mine.total - gain for total in ranked for gain in gains}
        passes = {floor(need * self.inverse) for need in needs}
        return {at + change for at in passes for change in (-wide, 0, wide)}

    def _divide(
        self, own: Sequence[Shape], place: int, low: int, high: int, known: dict[int, str | None]
    ) -> None:
        if high - low < 2 or known[low] == known[high]:
            return
        middle = (low + high) // 2
        known[middle] = self.outcome(own, place, middle)
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
            found = self.outcome(own, place, at)
            known[at] = outcome if found in (None, outcome) else DEPENDS if outcome else found

    # Cases

    def cases(self) -> list[Case]:
        """Return the conditions that suffice, shortest first, without those that a shorter one contains."""
        found = sorted(
            {case for place in PLACES for case in self._cases(place)},
            key=lambda case: (case.length, case.place, case.points or 0, case.where, case.gaps),
        )
        kept: list[Case] = []
        for case in found:
            if not any(_contains(other, case) for other in kept):
                kept.append(case)
        return kept

    def _cases(self, place: int) -> Iterator[Case]:
        chosen = [some for size in range(3) for some in combinations(self.others, size)]
        own = self.orders[place, False]
        facts = [(shape, self._gaps(shape, place), self._enough(shape, place)) for shape in own]
        for where in self._conditions(place):
            there = [
                fact
                for fact, shape in zip(facts, own, strict=True)
                if all(_holds(one, shape) for one in where)
            ]
            for rivals in chosen if there else ():
                if (case := self._case(place, where, rivals, there)) is not None:
                    yield case

    def _conditions(self, place: int) -> Iterator[tuple[Where, ...]]:
        free = [each for each in PLACES if each != place]
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
        for position, seat in enumerate(shape.order):
            if seat == self.seat:
                continue
            _surely, possibly = self.equal(place, self.last.seats[seat], shape.places[seat])
            theirs = self.last.seats[seat].total + shape.gains[seat]
            gap = self._more(theirs - self.mine.total - shape.gains[self.seat], possibly) + 2 * self.spare
            gap += self.left if shape.places[seat] == 1 else 0
            if not (position > at and gap <= sum(shape.apart[at:position])):
                found[seat] = gap
        return found

    def _enough(self, shape: Shape, place: int) -> list[float]:
        """Return the hundreds that put the seat ahead of each contestant elsewhere, largest first."""
        spare = self.spare if shape.places[self.seat] == 1 else self.spare // 3
        gained = self.mine.total + shape.gains[self.seat]
        found: list[float] = [
            self._more(theirs.total - gained, self.equal(place, theirs).possibly) + spare
            for theirs in self.last.elsewhere
        ]
        for reach in self.last.reaches:
            far = reach.highest in (inf, -inf)
            found.append(inf if far else self._more(reach.highest - gained, True) + spare)
        return sorted(found, reverse=True)

    def _more(self, need: float | Score, possibly: bool) -> int:
        """Return the least hundreds worth these tenths, and more if an equal rival is `possibly` ahead."""
        return floor(need * self.inverse) + 1 if possibly else ceil(need * self.inverse)


def _after(places: Four, place: int) -> Four:
    a, b, c, d = places
    return a + (place == 1), b + (place == 2), c + (place == 3), d + (place == 4)


@lru_cache(maxsize=4096)
def _equal_ahead(mine: Four, theirs: Four, tie_breaks: tuple[str, ...], alone: bool) -> _Ahead:
    """Return whether an equal total is surely, and possibly, ahead by the tie-breaks, from the places."""
    for name in tie_breaks:
        metric = METRICS.get(name)
        if metric is None or not metric.of_places:
            return _Ahead(surely=False, possibly=True)
        one, two = (metric.key(Tally(0, places=Places(*places))) for places in (mine, theirs))
        if one != two:
            return _Ahead(surely=two < one, possibly=two < one)
    return _Ahead(surely=alone, possibly=alone)


class _Room(NamedTuple):
    """The limits of each position that an order leaves, and the fewest hundreds of deposits."""

    lower: list[float]
    upper: list[float]
    sticks: int


def _room(lower: Iterable[float], upper: Iterable[float], shape: Shape, total: int) -> _Room | None:
    """Narrow the limits to those that the order leaves, or return None if the points cannot add up."""
    low, high = list(lower), list(upper)
    for at in (2, 1, 0):
        low[at] = max(low[at], low[at + 1] + shape.apart[at])
        if shape.equal[at]:
            high[at] = min(high[at], high[at + 1])
    for at in (0, 1, 2):
        high[at + 1] = min(high[at + 1], high[at] - shape.apart[at])
        if shape.equal[at]:
            low[at + 1] = max(low[at + 1], low[at])
    missing = total - sum(high)
    sticks = -(-int(missing) // 10) * 10 if missing > 0 else 0
    fits = sum(low) <= total - sticks and sticks <= 10 * MOST_STICKS
    return _Room(low, high, sticks) if fits and all(map(le, low, high)) else None


def _largest(bounds: Mapping[int, float], room: _Room, shape: Shape, total: int, *, raises: bool) -> int:
    """Return how many rivals at once can have at least (`raises`) or at most their bound.

    A rival whose whole room keeps the bound does so in every result.
    """
    near, far = (room.lower, room.upper) if raises else (room.upper, room.lower)
    sign = 1 if raises else -1
    always = sum(sign * near[at] >= sign * bound for at, bound in bounds.items())
    open_ = [at for at, bound in bounds.items() if sign * near[at] < sign * bound <= sign * far[at]]
    for size in range(len(open_), 0, -1):
        for some in combinations(open_, size):
            bounded = [bounds[at] if at in some else limit for at, limit in enumerate(near)]
            lower, upper = (bounded, far) if raises else (far, bounded)
            if _room(lower, upper, shape, total) is not None:
                return always + size
    return always


def _holds(where: Where, shape: Shape) -> bool:
    return (shape.places[where.seat] == where.place) != where.denied


def _contains(weaker: Case, case: Case) -> bool:
    """Return whether the first case covers the second."""
    if weaker.place != case.place or (weaker.points or -inf) > (case.points or -inf):
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
