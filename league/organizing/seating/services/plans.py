"""Plans for the next rounds of a stage, from its facts and the organizer's request, without a query.

A *job* is all that a plan depends on except its seed. A search counts players by their place in
``Job.players``.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from league.organizing.seating.queries.seating import (
    FEW,
    HALVES,
    INTERVAL,
    LOTS,
    LOWEST,
    RANDOM,
    RANK,
    SCHEDULE,
    SWISS,
    WEIGHS,
    PlanRequest,
    SeatingFacts,
    Tables,
    Target,
)
from league.people.members.queries import PlayerInfo
from scoring.seating.checker import SEATS
from scoring.seating.rounds import (
    History,
    RoundArguments,
    RoundWishes,
    SeatedRound,
    history_of,
    ranks_apart,
    report_round,
    seat_at_random,
    seat_by_interval,
    seat_by_rank,
    seat_swiss,
)
from scoring.seating.schedule import Schedule, whole_schedule
from scoring.seating.search import LEG, State
from scoring.seating.winds import give_winds
from scoring.seating.wishes import Apart, Wishes

SLICE = 30  # legs that a search may take in one request, about a second
BUDGET = 300  # legs of a search, some ten seconds; as many more each time that it goes on

Plan = tuple[Tables, ...]


@dataclass(frozen=True)
class Job:
    asked: PlanRequest
    targets: tuple[Target, ...]
    players: tuple[int, ...]
    order: tuple[int, ...]  # the players by rank
    numbers: tuple[int, ...]  # of the tables in use
    history: History
    people: Mapping[int, PlayerInfo]
    seated: tuple[Tables, ...] = ()  # the targets' tables, if all are seated with other players
    past: tuple[Tables, ...] = ()  # the stage's rounds if no other is seated, and none after the target

    @property
    def is_last(self) -> bool:
        planned = self.asked.planned
        return planned is not None and self.targets[-1].number >= planned


def job_of(facts: SeatingFacts, asked: PlanRequest) -> Job:
    targets = facts.targets(asked.first, asked.rounds)
    playing = facts.playing(asked)
    here = set(playing)
    ranked = [player for player in facts.order if player in here]
    return Job(
        asked=asked,
        targets=tuple(targets),
        players=tuple(sorted(playing)),
        order=(*ranked, *(player for player in playing if player not in set(ranked))),
        numbers=_numbers(asked, playing),
        history=facts.history(targets, playing),
        people=facts.people,
        seated=_seated_tables(facts, targets, here),
        past=_past_rounds(facts, targets),
    )


def _seated_tables(facts: SeatingFacts, targets: Sequence[Target], playing: set[int]) -> tuple[Tables, ...]:
    known = {each.round.pk: each for each in facts.rounds if each.tables}
    found = [known[target.round] for target in targets if target.round in known]
    same = set().union(*(each.players | each.out for each in found)) == playing
    return () if same or len(found) < len(targets) else tuple(each.tables for each in found)


def _past_rounds(facts: SeatingFacts, targets: Sequence[Target]) -> tuple[Tables, ...]:
    others = facts.others(targets)
    numbers = [each.round.number for each in others]
    first = targets[0]
    in_a_row = numbers == list(range(1, first.number))
    return tuple(each.tables for each in others) if in_a_row else ()


def _numbers(asked: PlanRequest, playing: Sequence[int]) -> tuple[int, ...]:
    count = len(playing) // SEATS
    fixed = {table for player, table in asked.fixed.items() if player in set(playing)}
    there = asked.tables or sorted({*range(1, count + 1), *fixed})
    return tuple(sorted(sorted(there, key=lambda number: (number not in fixed, number))[:count]))


# --- a whole schedule


@dataclass(frozen=True)
class FoundPlan:
    """A plan. Lower ``cost`` is better, none is below ``least``. Searches continue from ``state``."""

    plan: Plan
    cost: tuple[float, ...]
    seed: int
    least: int | None = None
    steps: int = 0
    state: Mapping[str, Any] | None = None
    figures: tuple[int, int] | None = None  # Swiss: repeats, and the sum of differences in rank
    otherwise: Mapping[str, "FoundPlan"] = field(default_factory=dict)  # Swiss: by each weight
    follows: bool = False  # Swiss: a schedule of all rounds that are left has this one

    @property
    def main_cost(self) -> float:
        """Return the part of the cost that is compared first."""
        main = self.cost[0]
        return main

    @property
    def is_best(self) -> bool:
        return self.least is not None and self.main_cost < self.least + 1


def search(
    job: Job, *, seed: int, legs: int, state: Mapping[str, Any] | None, most: int | None = None
) -> FoundPlan:
    """Return the whole schedule after ``legs`` legs in all, or after ``most`` more (None: ``SLICE``).

    The same job, seed and legs give the same plan, in one request or in many.
    """
    schedule = whole_schedule(
        len(job.players),
        len(job.targets),
        wishes=wishes_of(job),
        seated=_seated_places(job),
        seed=seed,
        steps=min(legs, (SLICE if most is None else most) + (state["legs"] if state else 0)) * LEG,
        state=None if state is None else State(**state),
    )
    return FoundPlan(
        plan=_with_ids(job, schedule),
        cost=(schedule.cost,),
        seed=seed,
        least=schedule.least_cost,
        steps=schedule.steps,
        state=asdict(schedule.state),
    )


def _seated_places(job: Job) -> list[list[list[int]]] | None:
    if not job.seated:
        return None
    gone = {p for round_ in job.seated for four in round_.values() for p in four} - set(job.players)
    place = {player: at for at, player in enumerate([*job.players, *sorted(gone)])}
    return [[[place[player] for player in four] for four in round_.values()] for round_ in job.seated]


def _with_ids(job: Job, schedule: Schedule) -> Plan:
    plan = [
        {
            number: tuple(job.players[place] for place in table)
            for number, table in zip(job.numbers, round_, strict=True)
        }
        for round_ in schedule.rounds
    ]
    if not job.history.winds:
        return tuple(plan)
    seats = give_winds([list(round_.values()) for round_ in plan], job.history.winds)
    return tuple(dict(zip(round_, tables, strict=True)) for round_, tables in zip(plan, seats, strict=True))


def wishes_of(job: Job) -> Wishes:
    asked, place = job.asked, {player: at for at, player in enumerate(job.players)}
    table = {number: at for at, number in enumerate(job.numbers, start=1)}
    history = job.history
    return Wishes(
        apart=tuple(_apart(job)),
        forbidden=frozenset(_places(asked.forbidden, place)),
        wished=frozenset(_places(asked.wished, place)),
        fixed={place[p]: table[n] for p, n in asked.fixed.items() if p in place and n in table},
        met={
            (place[one], place[other]): times
            for (one, other), times in history.met.items()
            if one in place and other in place
        },
        sat_out={place[p]: round(times) for p, times in history.sat_out.items() if p in place},
        sat_at={
            (place[p], table[n]): times
            for (p, n), times in history.sat_at.items()
            if p in place and n in table
        },
        out_before=frozenset(place[p] for p in history.out_before if p in place),
        out_after=frozenset(place[p] for p in history.out_after if p in place),
    )


def _places(pairs: frozenset[tuple[int, int]], place: Mapping[int, int]) -> list[tuple[int, int]]:
    return [(place[one], place[other]) for one, other in pairs if one in place and other in place]


def _apart(job: Job) -> list[Apart]:
    found = []
    for groups, until in groups_apart(job.asked, job.people):
        rounds = None if until == 0 else sum(target.number <= until for target in job.targets)
        found.append(Apart([groups.get(player) for player in job.players], rounds))
    return found


def groups_apart(
    asked: PlanRequest, people: Mapping[int, PlayerInfo]
) -> list[tuple[dict[int, Hashable], int]]:
    """Return (player → club or country, last round in which its members stay apart, or 0 for every round)."""
    wanted: list[tuple[dict[int, Hashable], int | None]] = [
        ({player: info.club for player, info in people.items() if info.club}, asked.clubs),
        ({player: info.country for player, info in people.items() if info.country}, asked.countries),
    ]
    return [(groups, until) for groups, until in wanted if until is not None]


# --- one round


def one_round(job: Job, *, seed: int) -> FoundPlan:
    target = job.targets[0]
    number = target.number
    wanted = [
        (groups, until == 0 or number <= until) for groups, until in groups_apart(job.asked, job.people)
    ]
    wishes = RoundWishes(
        apart=[groups for groups, still in wanted if still],
        were_apart=[groups for groups, still in wanted if not still],
        forbidden=job.asked.forbidden,
        wished=job.asked.wished,
        fixed={p: n for p, n in job.asked.fixed.items() if p in set(job.players) and n in job.numbers},
        lowest_out=job.asked.fill == LOWEST,
    )
    if job.asked.method != SWISS:
        seated = _seat_round(job, wishes, seed)
        return FoundPlan(plan=(seated.tables,), cost=(seated.unmet, seated.repeats), seed=seed)
    of_schedule = _closest_of_the_rest(job)
    seated = _seat_round(job, wishes, seed, given=of_schedule)
    apart = ranks_apart(job.order, seated.tables.values())
    figures = seated.repeats, apart
    cost = _swiss_cost(job.asked.weighs, seated.unmet, *figures)
    return FoundPlan(
        plan=(seated.tables,), cost=cost, seed=seed, figures=figures, follows=of_schedule is not None
    )


def _swiss_cost(weighs: str, unmet: float, repeats: int, apart: int) -> tuple[float, ...]:
    weight = WEIGHS[weighs]
    return (unmet, repeats, apart) if weight is None else (unmet, weight * repeats + apart)


def _weighed(job: Job, *, seed: int) -> FoundPlan:
    """Return the Swiss round with those of all other weights.

    A weight takes another's round if it is better. The one of fewest repeats looks ahead, so it stays.
    """
    found = {
        each: one_round(replace(job, asked=replace(job.asked, weighs=each)), seed=seed) for each in WEIGHS
    }
    plans = {FEW: found[FEW]}
    for weighs in WEIGHS.keys() - {FEW}:
        costs = {
            each: _swiss_cost(weighs, plan.main_cost, *(plan.figures or (0, 0)))
            for each, plan in found.items()
        }
        best = min(costs, key=costs.__getitem__)
        plans[weighs] = replace(found[best], cost=costs[best])
    return replace(plans[job.asked.weighs], otherwise={each: plans[each] for each in WEIGHS})


def _closest_of_the_rest(job: Job) -> Tables | None:
    """Return the round of closest ranks of a schedule of all rounds that are left, or None without one.

    The schedule depends only on the rounds before it, so that the next round finds it again. After a round
    that is not part of it, a new one begins, and after a second one each round makes its own.
    """
    planned, past, here = job.asked.planned or 0, job.past, set(job.players)
    first = _rounds_by_rank(job)
    if first is None:
        return None
    # substitutes and players who have left are in none of its rounds
    begins = max([first, *(at for at, each in enumerate(past, 1) if set().union(*each.values()) != here)])
    for strange_rounds in range(3):
        if not begins <= len(past) < planned or begins > planned - 2:
            return None
        left = {_meetings(each): each for each in _schedule_after(job, begins)}
        played = enumerate(past[begins:], begins + 1)
        strange = [at for at, each in played if left.pop(_meetings(each), None) is None]
        if not strange or not left:
            break
        begins = len(past) if strange_rounds else strange[0]
    return min(left.values(), key=lambda each: ranks_apart(job.order, each.values()), default=None)


def _rounds_by_rank(job: Job) -> int | None:
    """Return how many rounds are seated by rank before a schedule of all others, or None for all rounds.

    Measured: if players meet most others, a schedule of the last three rounds saves about as many repeats as
    a longer one. If they meet nearly all, only a long one saves them.
    """
    players, rounds = len(job.players), job.asked.planned
    if job.asked.weighs != FEW or rounds is None or not job.numbers or len(job.numbers) * SEATS != players:
        return None
    others_met = (SEATS - 1) * rounds / (players - 1)
    if others_met < 2 / 3:
        return None
    return 2 if others_met > 0.85 else max(2, rounds - 3)


def _schedule_after(job: Job, rounds: int) -> Plan:
    """Return the schedule of all rounds after so many, or no round if wishes differ by round."""
    assert job.asked.planned is not None, "known before"
    later = replace(
        job,
        targets=tuple(Target(number, None) for number in range(rounds + 1, job.asked.planned + 1)),
        history=history_of(job.past[:rounds], job.players),
        seated=(),
    )
    differs = any(each.rounds not in (None, 0, len(later.targets)) for each in _apart(later))
    return () if differs else search(later, seed=0, legs=SLICE, state=None).plan


def _meetings(tables: Tables) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, tables.values()))


def _step(job: Job) -> int | None:
    if job.asked.spread == HALVES:
        return -(-len(job.numbers) // 2)
    return int(job.asked.spread) if job.asked.spread else None


def _seat_round(job: Job, wishes: RoundWishes, seed: int, *, given: Tables | None = None) -> SeatedRound:
    facts: RoundArguments = {
        "history": job.history,
        "wishes": wishes,
        "tables": job.numbers,
        "seed": seed,
    }
    if given is not None:
        return report_round(job.order, given=given, **facts)
    if job.asked.method == SWISS:
        return seat_swiss(job.order, last=job.is_last, ranks_a_repeat=WEIGHS[job.asked.weighs], **facts)
    if job.asked.method == RANK:
        return seat_by_rank(job.order, **facts)
    if job.asked.method == INTERVAL:
        return seat_by_interval(job.order, step=_step(job), **facts)
    if job.asked.method in (RANDOM, LOTS):
        return seat_at_random(job.order, few_repeats=job.asked.method == RANDOM, **facts)
    raise ValueError(f"no method for one round: {job.asked.method}")


def make_plan(job: Job, *, seed: int, legs: int | None = None) -> FoundPlan:
    if job.asked.given:
        return FoundPlan(plan=job.asked.given, cost=(0,), seed=seed)
    if job.asked.method == SCHEDULE:
        return search(job, seed=seed, legs=BUDGET, state=None, most=legs)
    return _weighed(job, seed=seed) if job.asked.method == SWISS else one_round(job, seed=seed)
