"""The quality of a plan, counted without the code that makes plans."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from league.organizing.seating.queries.lists import GridRow, grid
from league.organizing.seating.queries.seating import PlanRequest, SeatingFacts, Tables, Target
from league.people.members.queries import PlayerInfo
from scoring.seating.base_rounds import perfect_rounds
from scoring.seating.checker import SEATS, least_pairs, least_repeats

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReviewedRound:
    number: int
    is_new: bool
    tables: tuple[tuple[int, tuple[PlayerInfo, ...]], ...]
    out: tuple[PlayerInfo, ...]


Meeting = tuple[PlayerInfo, PlayerInfo, str, int, int]  # two players, what they share, round and table


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The figures of a plan. ``repeats``: its meetings beyond the first of each pair. No plan has fewer than
    ``least``.

    ``possible``: a plan without repeats is known if preferences are ignored. ``same_table``: most often at
    one table.
    """

    rounds: tuple[ReviewedRound, ...]
    players: int
    tables: int
    repeats: int
    least: int
    possible: bool
    least_meetings: int  # of any two players, in all rounds, unless they are fixed at one table
    most_meetings: int
    is_even: bool  # no plan spreads the meetings more evenly
    again: tuple[tuple[PlayerInfo, PlayerInfo, int], ...]
    uneven: tuple[tuple[PlayerInfo, tuple[int, ...]], ...]
    together: tuple[Meeting, ...]
    forbidden: tuple[Meeting, ...]
    never: tuple[tuple[PlayerInfo, PlayerInfo], ...]
    misplaced: tuple[tuple[PlayerInfo, int, tuple[int, ...]], ...]
    fixed: tuple[tuple[int, tuple[PlayerInfo, ...]], ...]  # table → those fixed there, who always meet
    sitting_out: tuple[tuple[PlayerInfo, int], ...]  # with how often
    same_table: int

    @property
    def is_best(self) -> bool:
        return self.repeats <= self.least

    def grid(self, *, reads_han: bool) -> list[GridRow]:
        rounds = [
            [(info, number, wind) for number, four in each.tables for wind, info in enumerate(four)]
            for each in self.rounds
        ]
        return grid(rounds, reads_han=reads_han)


def review(facts: SeatingFacts, asked: PlanRequest, plan: Sequence[Tables], playing: Iterable[int]) -> Review:
    """Review the plan for the targets of ``asked``. ``playing``: all players who take part."""
    targets = facts.targets(asked.first, len(plan))
    others = facts.others(targets)
    people = facts.people
    playing = set(playing)
    met, before = _meetings(plan, playing), _meetings((each.tables for each in others), playing)
    together = met + before
    here = sorted(playing)
    free = [pair for pair in combinations(here, 2) if not _are_fixed_together(asked, pair)]
    tables = sum(map(len, plan))
    numbered = list(zip((target.number for target in targets), plan, strict=True))
    return Review(
        rounds=tuple(
            _reviewed_round(people, target, tables_, here)
            for target, tables_ in zip(targets, plan, strict=True)
        ),
        players=len(here),
        tables=tables,
        repeats=sum(_repeats(times, before[pair]) for pair, times in met.items()),
        least=_least(len(here), before, tables, len(plan)),
        possible=not before and len(here) % SEATS == 0 and perfect_rounds(len(here)) >= len(plan),
        least_meetings=min((together[pair] for pair in free), default=0),
        most_meetings=max((together[pair] for pair in free), default=0),
        is_even=not before and _unevenness(met) <= least_pairs(len(here), tables, len(plan)),
        again=tuple(_again(people, met, before)),
        uneven=tuple(_uneven(people, plan, [each.tables for each in others])),
        together=tuple(_together(people, asked, numbered)),
        forbidden=tuple(_kept_apart(people, asked, numbered)),
        never=tuple(
            (people[one], people[other])
            for one, other in sorted(asked.wished)
            if {one, other} <= set(here) and not met[_pair(one, other)] + before[_pair(one, other)]
        ),
        misplaced=tuple(_misplaced(people, asked, numbered)),
        fixed=tuple(_fixed_together(people, asked, plan)),
        sitting_out=tuple(_sitting_out(people, plan, here)),
        same_table=_same_table(plan),
    )


def _least(players: int, known: Collection[Pair], tables: int, rounds: int) -> int:
    """Return a lower bound of repeats, from new pairs left in all and for each player."""
    new_pairs = players * (players - 1) // 2 - len(known)
    met = Counter(chain.from_iterable(known))
    more = (SEATS - 1) * rounds - (players - 1)
    short = [max(0, more + times) for times in met.values()] + [max(0, more)] * (players - len(met))
    each = 0 if SEATS * tables < players * rounds else max(*short, -(-sum(short) // 2))
    return max(0, 6 * tables - new_pairs, each, least_repeats(players, tables, rounds))


def _pair(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)


def _meetings(plan: Iterable[Tables], playing: set[int]) -> Counter[Pair]:
    tables = (sorted(playing.intersection(four)) for round_ in plan for four in round_.values())
    return Counter(chain.from_iterable(combinations(four, 2) for four in tables))


def _unevenness(met: Mapping[Pair, int]) -> int:
    return sum(times * (times - 1) // 2 for times in met.values())


def _repeats(times: int, before: int) -> int:
    return times if before else times - 1


def _again(
    people: Mapping[int, PlayerInfo], met: Mapping[Pair, int], before: Mapping[Pair, int]
) -> Iterator[tuple[PlayerInfo, PlayerInfo, int]]:
    again = {pair: times + before[pair] for pair, times in met.items() if times + before[pair] > 1}
    for pair in sorted(again, key=lambda pair: (-again[pair], pair)):
        one, other = pair
        yield people[one], people[other], again[pair]


def _uneven(
    people: Mapping[int, PlayerInfo], plan: Sequence[Tables], others: Iterable[Tables]
) -> Iterator[tuple[PlayerInfo, tuple[int, ...]]]:
    winds: dict[int, list[int]] = {
        player: [0] * SEATS for round_ in plan for four in round_.values() for player in four
    }
    for round_ in (*others, *plan):
        for four in round_.values():
            for wind, player in enumerate(four):
                if player in winds:
                    winds[player][wind] += 1
    for player, counts in winds.items():
        if max(counts) - min(counts) > 1:
            yield people[player], tuple(counts)


_Numbered = Sequence[tuple[int, Tables]]


def _pairs_at_tables(numbered: _Numbered) -> Iterator[tuple[int, int, int, int]]:
    for number, round_ in numbered:
        for table, four in round_.items():
            for one, other in combinations(four, 2):
                yield number, table, one, other


def _together(people: Mapping[int, PlayerInfo], asked: PlanRequest, numbered: _Numbered) -> Iterator[Meeting]:
    for number, table, one, other in _pairs_at_tables(numbered):
        first, second = people[one], people[other]
        for what, same, until in (
            (first.club, second.club, asked.clubs),
            (first.country, second.country, asked.countries),
        ):
            if until is not None and what and what == same and (until == 0 or number <= until):
                yield first, second, what, number, table


def _kept_apart(
    people: Mapping[int, PlayerInfo], asked: PlanRequest, numbered: _Numbered
) -> Iterator[Meeting]:
    for number, table, one, other in _pairs_at_tables(numbered):
        if (one, other) in asked.forbidden or (other, one) in asked.forbidden:
            yield people[one], people[other], "", number, table


def _misplaced(
    people: Mapping[int, PlayerInfo], asked: PlanRequest, numbered: _Numbered
) -> Iterator[tuple[PlayerInfo, int, tuple[int, ...]]]:
    for player, table in sorted(asked.fixed.items()):
        away = tuple(
            number
            for number, round_ in numbered
            if any(player in four for four in round_.values()) and player not in round_.get(table, ())
        )
        if away:
            yield people[player], table, away


def _are_fixed_together(asked: PlanRequest, pair: Pair) -> bool:
    one, other = pair
    return one in asked.fixed and asked.fixed[one] == asked.fixed.get(other)


def _fixed_together(
    people: Mapping[int, PlayerInfo], asked: PlanRequest, plan: Sequence[Tables]
) -> Iterator[tuple[int, tuple[PlayerInfo, ...]]]:
    for table in sorted(set(asked.fixed.values())):
        fixed = [player for player, own in sorted(asked.fixed.items()) if own == table]
        always = [player for player in fixed if all(player in round_.get(table, ()) for round_ in plan)]
        if len(always) > 1 and len(plan) > 1:
            yield table, tuple(people[player] for player in always)


def _sitting_out(
    people: Mapping[int, PlayerInfo], plan: Sequence[Tables], here: Sequence[int]
) -> Iterator[tuple[PlayerInfo, int]]:
    seated = Counter(player for round_ in plan for four in round_.values() for player in four)
    for player in here:
        if seated[player] < len(plan):
            yield people[player], len(plan) - seated[player]


def _same_table(plan: Sequence[Tables]) -> int:
    sat = Counter((player, number) for round_ in plan for number, four in round_.items() for player in four)
    return max(sat.values(), default=0)


def _reviewed_round(
    people: Mapping[int, PlayerInfo], target: Target, tables: Tables, here: Sequence[int]
) -> ReviewedRound:
    seated = {player for four in tables.values() for player in four}
    return ReviewedRound(
        number=target.number,
        is_new=target.round is None,
        tables=tuple((number, tuple(people[p] for p in four)) for number, four in sorted(tables.items())),
        out=tuple(people[player] for player in here if player not in seated),
    )
