"""Settlement of one table: raw points become places, uma, oka and scores in tenths.

*Place points* are uma and oka together. A substitute took a *late* seat after play began. `settler` is the
fast form of `settle` for seasons. Neither checks that points add up (see `checks`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Final, NamedTuple

from scoring.rules import DROP, EXACT, FIRST, LAST_DEALER, SPLIT, Rules
from scoring.units import POINTS_PER_TENTH, Score

Four = tuple[int, int, int, int]
FourScores = tuple[Score, Score, Score, Score]
Named = Mapping[int, int]  # sashiuma: the seat that named another → the seat that it named
NamedPairs = tuple[tuple[int, int], ...]
Late = Collection[int]  # the seats that come after all others, whatever their points

SEATS: Final = range(4)
NORTH: Final = 3  # the last dealer of a hanchan that ends after north's turn
THOUSAND: Final = 1000
HALF: Final = 500
MOST_CASES: Final = 50_000  # that a settler remembers; a season has a few hundred
SHARED: Final = -1  # the first place, by several seats
NOBODY_NAMED: Final[Named] = MappingProxyType({})
NO_CHIPS: Final[Four] = (0, 0, 0, 0)


class Ending(NamedTuple):
    """The end of a game besides its points. `sticks` are points of deposits.

    `sashiuma`: pairs of seats (namer, named), sorted. `chips` (祝儀) are per seat. `late` is not on the score
    sheet, but follows from the seats.
    """

    sticks: int = 0
    last_dealer: int = NORTH
    sashiuma: NamedPairs = ()
    chips: Four = NO_CHIPS
    late: tuple[int, ...] = ()


def named_pairs(sashiuma: Named) -> NamedPairs:
    return tuple(sorted(sashiuma.items()))


Settler = Callable[[int, int, int, int, Ending | int], tuple[Four, FourScores]]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One settled seat. Points in points, all else except wind and place in tenths."""

    wind: int
    points: int
    place: int
    uma: Score
    oka: Score
    sticks: Score  # share of the deposits left on the table
    score: Score
    sashiuma: Score = 0  # what the player won or lost as one who named or was named
    chips: int = 0  # won or lost; in the score, times their value


def settle(
    points: Sequence[int],
    rules: Rules,
    *,
    sticks: int = 0,
    last_dealer: int = NORTH,
    sashiuma: Named = NOBODY_NAMED,
    chips: Four = NO_CHIPS,
    late: Late = (),
) -> tuple[SeatResult, SeatResult, SeatResult, SeatResult]:
    """Settle a table of four `points` (east to north) with `sticks` points of deposits left on it.

    `last_dealer`: the dealer's wind at settlement, for rule sets that break ties from there. A substitute in
    a `late` seat takes last place and its place points, and the others those before it (EMA 2025, 7.3). The
    better of several late seats comes first. Sashiuma and place points follow the places of the points. With
    sashiuma, the final place is that of the score (Kanto rules, 马身). `chips` only add their value to the
    score. Raises ValueError unless there are four seats, everything is in hundreds, chips sum to zero, and
    sashiuma and chips are possible under these rules.
    """
    _refuse_impossible(points, sticks, (last_dealer, *late))
    _refuse_named(sashiuma, rules)
    if any(chips) and (rules.chip_value is None or sum(chips) != 0):
        raise ValueError(f"chips sum to zero, under rules that know them: {chips!r}")
    groups = _places(points, rules, last_dealer, late)
    place_points, oka = _place_points(points, groups, rules, late)
    deposits = _deposits(groups, sticks, rules)
    base = _base(points, groups, rules)
    named = _sashiuma(groups, sashiuma, rules)
    factor = length_factor(rules)
    scores = [factor * (base[seat] + place_points[seat] + deposits[seat]) + named[seat] for seat in SEATS]
    places = _place_numbers(_places(scores, rules, last_dealer, late) if sashiuma else groups)
    east, south, west, north = (
        SeatResult(
            wind=seat,
            points=points[seat],
            place=places[seat],
            uma=_plain(factor * (place_points[seat] - oka[seat])),
            oka=_plain(factor * oka[seat]),
            sticks=_plain(factor * deposits[seat]),
            sashiuma=_plain(named[seat]),
            chips=chips[seat],
            score=_plain(scores[seat] + chips[seat] * (rules.chip_value or 0)),
        )
        for seat in SEATS
    )
    return east, south, west, north


def settle_ending(
    points: Sequence[int], ending: Ending, rules: Rules
) -> tuple[SeatResult, SeatResult, SeatResult, SeatResult]:
    """Settle with a sheet's whole ending, without sashiuma and chips if the rules lack them."""
    return settle(
        points,
        rules,
        sticks=ending.sticks,
        last_dealer=ending.last_dealer,
        sashiuma=NOBODY_NAMED if rules.sashiuma is None else dict(ending.sashiuma),
        chips=NO_CHIPS if rules.chip_value is None else ending.chips,
        late=ending.late,
    )


def needs_ending(rules: Rules) -> bool:
    return rules.tie_rule == LAST_DEALER or rules.sashiuma is not None or rules.chip_value is not None


@lru_cache(maxsize=256)
def settler(rules: Rules) -> Settler:
    """Return the fast form: a function of the points east, south, west, north and the ending → (places,
    scores).

    A seat's gain beyond its points follows from the order of points, the ending and, under floating uma, who
    reached the start. `settle` computes it once per case. Points rounded to thousands are added. Games scored
    by length or with sashiuma, and equal firsts with rounding, go through `settle`. A number as ending means
    only deposits. It does not check its input.
    """
    if rules.chip_value is not None:
        return _with_chips(settler(replace(rules, chip_value=None)), rules.chip_value)
    slow = _through_settle(rules)
    if length_factor(rules) != 1:
        return slow
    if rules.sashiuma is not None:
        return _with_sashiuma(settler(replace(rules, sashiuma=None)), slow)
    unrounded = _through_settle(replace(rules, rounding="none"))
    gains = None if rules.rounding == "none" else [_rounding_gains(rules.rounding, sign) for sign in (1, -1)]
    floats, start = rules.floating_uma is not None, rules.start_points
    worth: dict[object, tuple[Four, FourScores, int]] = {}

    def learn(points: Four, ending: Ending | int, case: object) -> tuple[Four, FourScores, int]:
        if len(worth) >= MOST_CASES:
            worth.clear()
        places, scores = unrounded(*points, ending)
        e, s, w, n = (score - number // 100 for score, number in zip(scores, points, strict=True))
        first = places.index(1) if places.count(1) == 1 else SHARED
        worth[case] = places, (e, s, w, n), first
        return worth[case]

    def quick(east: int, south: int, west: int, north: int, ending: Ending | int) -> tuple[Four, FourScores]:
        # Written out for the four seats: this is where a season of 100 000 tables spends its time. The order
        # is the number of seats ahead of each.
        case = (
            (south > east) + (west > east) + (north > east),
            (east > south) + (west > south) + (north > south),
            (east > west) + (south > west) + (north > west),
            (east > north) + (south > north) + (west > north),
            ending,
            floats and (east >= start, south >= start, west >= start, north >= start),
        )
        places, (e, s, w, n), first = worth.get(case) or learn((east, south, west, north), ending, case)
        if gains is None:
            return places, (east // 100 + e, south // 100 + s, west // 100 + w, north // 100 + n)
        hundreds = east // 100
        e += hundreds
        of_east = gains[hundreds < 0][hundreds % 10]
        hundreds = south // 100
        s += hundreds
        of_south = gains[hundreds < 0][hundreds % 10]
        hundreds = west // 100
        w += hundreds
        of_west = gains[hundreds < 0][hundreds % 10]
        hundreds = north // 100
        n += hundreds
        of_north = gains[hundreds < 0][hundreds % 10]
        if first == 0:
            return places, (e - of_south - of_west - of_north, s + of_south, w + of_west, n + of_north)
        if first == 1:
            return places, (e + of_east, s - of_east - of_west - of_north, w + of_west, n + of_north)
        if first == 2:
            return places, (e + of_east, s + of_south, w - of_east - of_south - of_north, n + of_north)
        if first == 3:
            return places, (e + of_east, s + of_south, w + of_west, n - of_east - of_south - of_west)
        return slow(east, south, west, north, ending)

    return quick


def _with_chips(settle_rest: Settler, value: int) -> Settler:
    def add_chips(
        east: int, south: int, west: int, north: int, ending: Ending | int
    ) -> tuple[Four, FourScores]:
        if not isinstance(ending, Ending) or ending.chips == NO_CHIPS:
            return settle_rest(east, south, west, north, ending)
        rest = ending._replace(chips=NO_CHIPS)
        places, (e, s, w, n) = settle_rest(east, south, west, north, rest)
        a, b, c, d = ending.chips
        return places, (e + a * value, s + b * value, w + c * value, n + d * value)

    return add_chips


def _with_sashiuma(settle_rest: Settler, slow: Settler) -> Settler:
    def with_named(
        east: int, south: int, west: int, north: int, ending: Ending | int
    ) -> tuple[Four, FourScores]:
        is_named = isinstance(ending, Ending) and ending.sashiuma
        return (slow if is_named else settle_rest)(east, south, west, north, ending)

    return with_named


def _through_settle(rules: Rules) -> Settler:
    def slow(east: int, south: int, west: int, north: int, ending: Ending | int) -> tuple[Four, FourScores]:
        whole = ending if isinstance(ending, Ending) else Ending(ending)
        a, b, c, d = settle_ending((east, south, west, north), whole, rules)
        return (a.place, b.place, c.place, d.place), (a.score, b.score, c.score, d.score)

    return slow


def _rounding_gains(rounding: str, sign: int) -> list[int]:
    return [rounding_change(sign * THOUSAND * 10 + hundreds * 100, rounding) for hundreds in range(10)]


def _refuse_impossible(points: Sequence[int], sticks: int, seats: Collection[int]) -> None:
    if len(points) != len(SEATS) or any(seat not in SEATS for seat in seats):
        raise ValueError(f"a table has four seats: {points!r}, last dealer and late seats {seats!r}")
    if sticks < 0 or any(number % POINTS_PER_TENTH for number in (*points, sticks)):
        raise ValueError(f"points and deposits are in hundreds: {points!r}, {sticks!r}")


def _refuse_named(sashiuma: Named, rules: Rules) -> None:
    if sashiuma and rules.sashiuma is None:
        raise ValueError(f"these rules have no sashiuma: {sashiuma!r}")
    for namer, named in sashiuma.items():
        if namer not in SEATS or named not in SEATS or namer == named:
            raise ValueError(f"a player names one of the other three: {namer!r} named {named!r}")


def _places(numbers: Sequence[Score], rules: Rules, last_dealer: int, late: Late) -> list[list[int]]:
    """Group the seats that share a place, from place 1 down. Late seats come last."""
    start = last_dealer if rules.tie_rule == LAST_DEALER else 0
    order = sorted(SEATS, key=lambda seat: (seat in late, -numbers[seat], (seat - start) % 4))
    if rules.tie_rule != SPLIT:
        return [[seat] for seat in order]
    return [list(group) for _, group in groupby(order, key=lambda seat: (seat in late, numbers[seat]))]


def _place_numbers(groups: list[list[int]]) -> Four:
    places = [0, 0, 0, 0]
    better = 0
    for group in groups:
        for seat in group:
            places[seat] = better + 1
        better += len(group)
    east, south, west, north = places
    return east, south, west, north


def _place_points(
    points: Sequence[int], groups: list[list[int]], rules: Rules, late: Late
) -> tuple[list[Score], list[Score]]:
    """Return (uma and oka, oka) of each seat. Tied seats share the sum of their place points."""
    uma = _uma(points, rules, late)
    together: list[Score] = [0, 0, 0, 0]
    oka: list[Score] = [0, 0, 0, 0]
    better = 0
    for group in groups:
        pot = rules.oka if better == 0 else 0
        _share_out(sum(uma[better : better + len(group)]) + pot, group, rules, into=together)
        _share_out(pot, group, rules, into=oka)
        better += len(group)
    return together, oka


def _uma(points: Sequence[int], rules: Rules, late: Late) -> Four:
    if rules.floating_uma is None:
        return rules.uma
    # A late seat is below the start whatever its points: the others' uma does not depend on them.
    in_time = [number for seat, number in enumerate(points) if seat not in late]
    at_or_above_start = sum(number >= rules.start_points for number in in_time)
    return rules.floating_uma.get(at_or_above_start, rules.uma)


def _deposits(groups: list[list[int]], sticks: int, rules: Rules) -> list[Score]:
    shares: list[Score] = [0, 0, 0, 0]
    if rules.leftover_sticks == FIRST:
        _share_out(sticks // POINTS_PER_TENTH, groups[0], rules, into=shares)
    return shares


def _sashiuma(groups: list[list[int]], sashiuma: Named, rules: Rules) -> list[Score]:
    """Return each seat's gain by sashiuma (差馬, Kanto rules 马身).

    A named player in third or fourth place pays the amount to the namer, and receives it in first or second
    place. The text does not mention ties: players who share places get the average, so that sharing second
    and third pays nothing.
    """
    moved: list[Score] = [0, 0, 0, 0]
    if rules.sashiuma is None or not sashiuma:
        return moved
    paid: dict[int, Score] = {}
    better = 0
    for group in groups:
        places = range(better, better + len(group))
        sides = sum(1 if place >= 2 else -1 for place in places)
        paid |= dict.fromkeys(group, _plain(Fraction(rules.sashiuma * sides, len(group))))
        better += len(group)
    for namer, named in sashiuma.items():
        moved[namer] += paid[named]
        moved[named] -= paid[named]
    return moved


def length_factor(rules: Rules) -> int | Fraction:
    """Return 1/2 for an east game and 2 for a full one if the rules say so (EMA 2016, 2.12)."""
    if not rules.score_by_length:
        return 1
    if rules.game_length == "east":
        return Fraction(1, 2)
    return 2 if rules.game_length == "full" else 1


def _base(points: Sequence[int], groups: list[list[int]], rules: Rules) -> list[Score]:
    """Return points above the return, rounded below place 1, which takes the difference."""
    base: list[Score] = [(number - rules.return_points) // POINTS_PER_TENTH for number in points]
    if rules.rounding == "none":
        return base
    first, *others = groups
    gained = 0
    for seat in (seat for group in others for seat in group):
        change = rounding_change(points[seat], rules.rounding)
        base[seat] += change
        gained += change
    _share_out(-gained, first, rules, into=base)
    return base


def rounding_change(points: int, rounding: str) -> int:
    """Return the tenths that rounding to thousands adds. `up` and `down` are those of the number line."""
    rest = points % THOUSAND
    upwards = {
        "down": False,
        "up": rest > 0,
        "half_down": rest > HALF,
        "half_up": rest >= HALF,
        "half_away": rest >= HALF if points >= 0 else rest > HALF,
    }[rounding]
    return (THOUSAND * upwards - rest) // POINTS_PER_TENTH


def _share_out(pot: int, group: list[int], rules: Rules, *, into: list[Score]) -> None:
    """Add equal shares of `pot` tenths to the seats of `group`. The rest follows the remainder rule.

    1000 points three ways are 400/300/300 if the seat nearest the first dealer gets the remainder (HKMA
    半莊結束 §4), and 300/300/300 if it is dropped.
    """
    share, remainder = divmod(pot, len(group))
    for seat in group:
        into[seat] += Fraction(pot, len(group)) if rules.split_remainder == EXACT and remainder else share
    if remainder and rules.split_remainder not in (EXACT, DROP):
        into[min(group)] += remainder


def _plain(score: Score) -> Score:
    """Return an int if `score` is whole, so that only exact splits leave Fractions."""
    return score.numerator if isinstance(score, Fraction) and score.denominator == 1 else score
