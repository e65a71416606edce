"""Random last tables of a competition of eight, played to many ends, against what was said to be proven."""

import random

from league.extras.needs.rules import MISSED, RANK, REACHED, Goal
from league.extras.needs.rules.hanchan import (
    DEPENDS,
    Case,
    HanchanNeeds,
    LastHanchan,
    PointSpan,
    Record,
    hanchan_needs,
)
from scoring.presets import resolve
from scoring.rules import Rules
from scoring.settlement import Ending, settler
from scoring.standings import Game, Row, rank_players

CHANGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("mleague", {}),
    ("mleague", {"tie_rule": "seat"}),
    ("mleague", {"leftover_sticks": "nobody"}),
    ("ema-2025", {}),
    ("wrc-2025", {}),
    ("jpml-a", {}),
    ("jpml-a", {"tie_rule": "last_dealer"}),
    ("jpml-a", {"leftover_sticks": "first"}),
    ("tenhou", {}),
    ("tenhou", {"rounding": "half_down", "tie_rule": "split"}),
    ("mahjong-soul", {}),
    ("hkma-a-2025-04", {"rounding": "up"}),
    ("ema-2016", {"score_by_length": True, "game_length": "east"}),
)
TIE_BREAKS = (("average_place", "firsts", "best_points"), ("firsts",), ())


def legal_points(chance: random.Random, rules: Rules) -> tuple[list[int], int]:
    """Return points of a table and the deposits left over, often with ties, and close to the start."""
    sticks = 1000 * chance.choice((0, 0, 0, 1, 2, 5))
    spread = chance.choice((300, 3000, 20_000) if rules.bust else (300, 3000, 20_000, 90_000))
    points = [rules.start_points + 100 * round(chance.gauss(0, spread) / 100) for _ in range(4)]
    if chance.random() < 0.3:
        one, other = chance.sample(range(4), 2)
        points[one] = points[other]
    points[chance.randrange(4)] += rules.total_points - sticks - sum(points)
    return points, sticks


def table(chance: random.Random, players: list[int], rules: Rules) -> Game:
    points, sticks = legal_points(chance, rules)
    dealer = chance.randrange(4)
    a, b, c, d = players
    return (a, b, c, d, *points, Ending(sticks, dealer))  # type: ignore[return-value]


def said_of(found: HanchanNeeds, place: int, points: int, *, shared: bool) -> str | None:
    spans = (found.shared if shared else found.places)[place]
    return next((span.outcome for span in spans if contains(span, points)), None)


def contains(span: PointSpan, points: int) -> bool:
    return (span.first is None or span.first <= points) and (span.last is None or points <= span.last)


def suffices(case: Case, places: tuple[int, ...], points: list[int], seat: int) -> bool:
    alone = places.count(places[seat]) == 1
    return (
        alone
        and places[seat] == case.place
        and (case.points is None or points[seat] >= case.points)
        and all((places[each.seat] == each.place) != each.denied for each in case.where)
        and all(points[seat] - points[gap.seat] >= gap.points for gap in case.gaps)
    )


def has_rank(rows: list[Row], player: int, goal: Goal) -> bool:
    row = next(each for each in rows if each.player == player)
    shared = sum(each.rank == row.rank for each in rows) - 1 if goal.alone else 0
    return row.rank + shared <= goal.number


def compare(seed: int, ends: int) -> tuple[int, dict[str, int]]:
    """Play a random competition of eight before a last table many times. Return how many ends were compared,
    and how many of each outcome.
    """
    chance = random.Random(seed)
    slug, changes = CHANGES[seed % len(CHANGES)]
    rules, names = resolve(slug, changes), TIE_BREAKS[seed % len(TIE_BREAKS)]
    players = list(range(1, 9))
    played: list[Game] = []
    for _ in range(chance.randrange(4)):
        order = chance.sample(players, 8)
        played += [table(chance, order[:4], rules), table(chance, order[4:], rules)]
    played.append(table(chance, players[4:], rules))
    before = {row.player: row for row in rank_players(played, rules, entrants=players, tie_breaks=names)}
    east, south, west, north, *others = (Record(before[each].total, before[each].places) for each in players)
    last = LastHanchan(
        rules=rules, seats=(east, south, west, north), elsewhere=tuple(others), tie_breaks=names
    )
    goal = Goal(RANK, chance.randint(1, 7), alone=chance.random() < 0.5)
    answers = [hanchan_needs(last, seat, goal) for seat in range(4)]
    seen = dict.fromkeys((REACHED, MISSED, DEPENDS, "case"), 0)
    for _ in range(ends):
        game = table(chance, players[:4], rules)
        points = list(game[4:8])
        rows = rank_players([*played, game], rules, entrants=players, tie_breaks=names)
        places = settler(rules)(*game[4:])[0]
        for seat in range(4):
            true = has_rank(rows, players[seat], goal)
            tied = places.count(places[seat]) > 1
            said = said_of(answers[seat], places[seat], points[seat], shared=tied)
            assert said is not None, (seed, places, points, seat)
            assert said == DEPENDS or true == (said == REACHED), (seed, slug, said, places, points, seat)
            cases = [case for case in answers[seat].cases if suffices(case, places, points, seat)]
            assert true or not cases, (seed, slug, cases, places, points, seat)
            seen[said] += 1
            seen["case"] += bool(cases) and said == DEPENDS
    return 4 * ends, seen
