"""Swiss rounds near the end of an event, which come from one schedule of all rounds that are left."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from league.organizing.seating.queries.seating import FEW, SWISS, PlanRequest, Tables, Target
from league.organizing.seating.services import plans
from league.organizing.seating.services.plans import Job, Plan, one_round, search
from league.people.members.queries import PlayerInfo
from scoring.seating import schedule
from scoring.seating.checker import check_plan
from scoring.seating.rounds import history_of

Lengths = list[int]


@pytest.fixture
def lengths(monkeypatch) -> Lengths:
    """The rounds of each schedule that a Swiss round makes. The search is short."""
    found: Lengths = []

    def short(job: Job, **arguments) -> plans.FoundPlan:
        found.append(len(job.targets))
        return search(job, **arguments | {"legs": 2})

    monkeypatch.setattr(plans, "search", short)
    monkeypatch.setattr(schedule, "place_players", partial(schedule.place_players, steps=2_000))
    return found


def swiss(past: Sequence[Tables], order: Sequence[int], planned: int, **asked) -> Tables:
    request = PlanRequest(method=SWISS, planned=planned, **{"weighs": FEW} | asked)
    job = Job(
        asked=request,
        targets=(Target(len(past) + 1, None),),
        players=tuple(sorted(order)),
        order=tuple(order),
        numbers=tuple(range(1, len(order) // 4 + 1)),
        history=history_of(past, order),
        people={p: PlayerInfo(p, p, f"p{p}", f"Player {p}", "", "HK", f"Club {p % 3}") for p in order},
        past=tuple(past),
    )
    return one_round(job, seed=len(past)).plan[0]


def event(
    order: Sequence[int], planned: int, *, changed: Callable[[int, Tables], Tables] = lambda _, tables: tables
) -> Plan:
    """Play an event whose ranks turn by three places after each round. `changed`: by hand before a round."""
    past: list[Tables] = []
    for number in range(planned):
        turned = [*order[3 * number :], *order[: 3 * number]]
        past.append(changed(number, swiss(past, turned, planned)))
    return tuple(past)


def groups(tables: Tables) -> set[frozenset[int]]:
    return set(map(frozenset, tables.values()))


def test_rounds_at_the_end_are_those_of_one_schedule_with_even_winds(lengths):
    played = event(range(20), 8)

    assert lengths == [6] * 6
    report = check_plan([list(map(tuple, each.values())) for each in played])
    assert (report.faults, report.uneven) == ((), ())


def test_the_closest_ranks_of_the_schedule_are_played_first(lengths):
    past = event(range(24), 8)[:2]
    orders = [list(range(24)), sorted(range(24), key=lambda player: player * 3 % 24)]

    first, other = (swiss(past, order, 8) for order in orders)

    assert groups(first) != groups(other)
    for mine, round_, another in ((orders[0], first, other), (orders[1], other, first)):
        assert plans.ranks_apart(mine, round_.values()) < plans.ranks_apart(mine, another.values())


def test_a_round_changed_by_hand_begins_a_new_schedule(lengths):
    def swapped(number: int, tables: Tables) -> Tables:
        if number != 3:
            return tables
        (a, *first), (b, *second), *others = tables.values()
        return dict(enumerate([(b, *first), (a, *second), *others], start=1))

    played = event(range(16), 7, changed=swapped)

    assert lengths == [5, 5, *[5, 3] * 3]
    assert check_plan([list(map(tuple, each.values())) for each in played]).faults == ()


def test_after_two_changed_rounds_each_round_makes_its_own_schedule(lengths):
    played = list(event(range(16), 7)[:3])
    for turn in (1, 2):
        line = [player for table in played[0].values() for player in table]
        line = line[turn:] + line[:turn]
        played.append({at + 1: tuple(line[4 * at : 4 * at + 4]) for at in range(4)})
    lengths.clear()

    swiss(played, range(16), 7)

    assert lengths == [5, 3, 2]


def test_the_schedule_begins_after_the_last_round_of_who_has_left(lengths):
    past = event(range(20), 8)[:4]
    lengths.clear()

    tables = swiss(past, range(16), 8)

    assert lengths == [4]
    assert sorted(player for four in tables.values() for player in four) == list(range(16))


@pytest.mark.parametrize(
    ("players", "planned", "asked"),
    [
        (40, 6, {}),  # few have met
        (18, 6, {}),  # two sit out
        (16, 4, {"weighs": "close"}),
        (16, 6, {"clubs": 4}),  # of the first four rounds only
        (16, 3, {}),  # no round but the last
    ],
)
def test_ranks_alone_seat_where_a_schedule_buys_nothing_or_cannot_be_made(lengths, players, planned, asked):
    order = list(range(players))
    past = [dict(enumerate((tuple(order[at : at + 4]) for at in range(0, players - 3, 4)), start=1))] * 2

    tables = swiss(past, order, planned, **asked)

    assert len(tables) == players // 4
    assert lengths == []
