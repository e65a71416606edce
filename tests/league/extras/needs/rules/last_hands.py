"""Random last hands, and what they lead to by brute force: every value played, settled and ranked."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from league.extras.needs.rules import (
    GOES_ON,
    MISSED,
    PLACE,
    RANK,
    REACHED,
    SHARED,
    TOTAL,
    DoubleRon,
    Goal,
    LastHand,
    Span,
    Stakes,
    Stretch,
    Way,
    conditions,
    double_rons,
)
from scoring.hanchan import ExhaustiveDraw, Game, Hand, IllegalHand, Outcome, Riichi, Ron, Tsumo, check, play
from scoring.payments import HandValue, Win
from scoring.presets import presets, resolve
from scoring.rules import Rules, RulesError
from scoring.score_table import possible_values
from scoring.settlement import Ending, settle
from scoring.standings import rank_players
from scoring.units import Score

RULE_SETS = tuple(each.slug for each in presets())
CHANGES = {
    "tie_rule": ("split", "seat", "last_dealer"),
    "multiple_ron": ("head_bump", "double", "triple", "triple_aborts"),
    "multi_ron_sticks": ("first", "own_back"),
    "multi_ron_bonus": ("first", "all"),
    "honba_on_yakuman": (True, False),
    "bust": (True, False),
    "agari_yame": (True, False),
    "all_last_renchan": (True, False),
    "renchan": ("tenpai", "win", "none"),
    "rounding": ("none", "half_down", "half_up", "up"),
    "leftover_sticks": ("first", "nobody"),
    "split_remainder": ("first_dealer", "drop", "exact"),
    "composite_yakuman": (True, False),
    "sequences_fu": ("counted", "fixed"),
}
NO_REASON = "no reason"
RONS = (1000, 2000, 3900, 5200, 7700, 8000, 12_000)
EXTENSIONS = ("none", "sudden_death", "full_wind")


@dataclass(frozen=True)
class Asked:
    """A question of a player in a last hand."""

    game: Game
    riichi: tuple[int, ...]
    seat: int
    goal: Goal
    stakes: Stakes

    @property
    def rules(self) -> Rules:
        return self.game.rules


def asked(random: Random, slug: str) -> Asked:
    """Return a random last hand under these rules, every second time with a few settings changed."""
    rules = _rules(random, slug)
    start = rules.start_points
    deposits = 1000 * random.choice((0, 0, 0, 1, 2, 3))
    spread = random.choice((1500, 6000, 15000))
    east, south, west = (start + 100 * round(random.gauss(0, spread) / 100) for _ in range(3))
    if random.random() < 0.2:  # a win that makes two players equal
        east = south - random.choice(RONS)
    points = (east, south, west, 4 * start - deposits - east - south - west)
    last = {"east": 3, "half": 7, "full": 15, "east_north": 7, "east_east": 7, "each_hand": 0}
    turn = last[rules.game_length] + random.choice((0, 0, 0, 0, -1, 4 if rules.extension != "none" else 0))
    late = random.choice((None, rules.extra_hands - 1)) if rules.minutes else None
    game = Game(
        rules=rules,
        points=points,
        deposits=deposits,
        turn=max(0, turn),
        honba=random.choice((0, 0, 1, 2, 5)),
        late=late,
    )
    riichi = tuple(sorted(random.sample(range(4), random.choice((0, 0, 1, 2, 3)))))
    draw = Hand(outcome=ExhaustiveDraw(riichi), riichi=tuple(Riichi(seat) for seat in riichi))
    if check(game, draw):
        riichi = ()
    kind = random.choice((PLACE, PLACE, RANK, RANK, TOTAL))
    number = random.randint(1, 3) if kind == PLACE else random.randint(1, 5)
    width = random.choice((50, 200, 600))
    totals = [round(random.gauss(0, width)) for _ in range(4 + 4 * random.choice((0, 1, 2)))]
    return Asked(
        game=game,
        riichi=riichi,
        seat=random.randrange(4),
        goal=Goal(kind, random.randint(-width, width) if kind == TOTAL else number, random.random() < 0.5),
        stakes=Stakes((totals[0], totals[1], totals[2], totals[3]), tuple(totals[4:])),
    )


def _rules(random: Random, slug: str) -> Rules:
    if random.random() < 0.5:
        return resolve(slug)
    changed = random.sample(sorted(CHANGES), 4)
    changes: dict[str, object] = {name: random.choice(CHANGES[name]) for name in changed}
    start = resolve(slug).start_points
    extended = {"extension": random.choice(EXTENSIONS), "target_points": start + 5000}
    try:
        return resolve(slug, changes | (extended if random.random() < 0.5 else {}))
    except RulesError:
        return resolve(slug)


def every_win(asked: Asked) -> Iterator[tuple[Way, HandValue, str, str | None]]:
    """Play every value of every way to win, and yield the outcome and why the game is over."""
    for winner in range(4):
        for loser in (None, *(seat for seat in range(4) if seat != winner)):
            for value in possible_values(asked.rules, tsumo=loser is None):
                win = Win(winner, value)
                outcome = Tsumo(win) if loser is None else Ron((win,), loser)
                yield Way(winner, loser), value, *play_out(asked, outcome)


def every_draw(asked: Asked) -> Iterator[tuple[tuple[int, ...], str]]:
    """Play the draws that the rules allow."""
    for bits in range(16):
        tenpai = tuple(seat for seat in range(4) if bits >> seat & 1)
        try:
            yield tenpai, play_out(asked, ExhaustiveDraw(tenpai))[0]
        except IllegalHand:
            continue


def play_out(asked: Asked, outcome: Outcome) -> tuple[str, str | None]:
    """Return the outcome for the goal, and why the game is over."""
    riichi = tuple(Riichi(seat) for seat in asked.riichi)
    before = asked.game
    after = play(before, Hand(outcome=outcome, riichi=riichi))
    if after.over is None:
        return GOES_ON, None
    ahead, sharing = _ahead(asked, after.points, after.deposits, before.turn % 4)
    number = 1 if asked.goal.kind == TOTAL else asked.goal.number
    if ahead >= number or (asked.goal.alone and ahead + sharing >= number):
        return MISSED, after.over
    return (SHARED if ahead + sharing >= number else REACHED), after.over


def _ahead(asked: Asked, points: tuple[int, ...], deposits: int, dealer: int) -> tuple[int, int]:
    """Return how many are ahead and how many share the place or rank. For a total: whether it is missed."""
    rules, seat, goal = asked.rules, asked.seat, asked.goal
    if goal.kind == PLACE:
        places = [each.place for each in settle(points, rules, sticks=deposits, last_dealer=dealer)]
        return sum(place < places[seat] for place in places), places.count(places[seat]) - 1
    ranked = {row.player: row for row in _standings(asked, points, deposits, dealer)}
    row = ranked[seat]
    if goal.kind == TOTAL:
        return int(row.total < goal.number), 0
    return row.rank - 1, sum(other.rank == row.rank for other in ranked.values()) - 1


def _standings(asked: Asked, points: tuple[int, ...], deposits: int, dealer: int):
    """Rank the four and the rivals, who played each other with equal points."""
    rules = asked.rules
    ending = Ending(deposits, dealer)
    start = rules.start_points
    even = _even(rules)
    games = [(0, 1, 2, 3, *points, ending)]
    carried = dict(enumerate(asked.stakes.seats))
    for index, total in enumerate(asked.stakes.elsewhere):
        carried[4 + index] = total - even[index % 4]
    rivals = [4 + index for index in range(len(asked.stakes.elsewhere))]
    for first in range(0, len(rivals), 4):
        games.append((*rivals[first : first + 4], *(start,) * 4, 0))
    return rank_players(games, rules, carried=carried, tie_breaks=())


@cache
def _even(rules: Rules) -> tuple[Score, ...]:
    """Return the scores of a game that everyone ends as they began."""
    return tuple(each.score for each in settle((rules.start_points,) * 4, rules))


def two_wins(asked: Asked, loser: int, random: Random, size: int) -> Iterator[tuple[Ron, str]]:
    """Play some of the double rons on discards of one player."""
    values = possible_values(asked.rules, tsumo=False)
    for _ in range(size):
        first, second = random.sample([seat for seat in range(4) if seat != loser], 2)
        outcome = Ron((Win(first, random.choice(values)), Win(second, random.choice(values))), loser)
        yield outcome, play_out(asked, outcome)[0]


def answers(question: Asked, random: Random, pairs: int) -> Iterator[tuple[str, str, str | None]]:
    """Yield each result by brute force beside that of the conditions."""
    hand = LastHand(question.game, question.riichi)
    goal = question.goal
    found = conditions(hand, question.seat, goal, question.stakes)
    for way, value, expected, over in every_win(question):
        yield "values", expected, outcome_at(found.wins[way], value.base)
        yield "reasons", over or NO_REASON, reason_at(found.wins[way], value.base)
    draws = dict(every_draw(question))
    for tenpai in draws.keys() | found.draws.keys():
        said = found.draws.get(tenpai)
        yield "draws", draws.get(tenpai, "impossible"), said.code if said else None
    loser = random.randrange(4)
    pair = double_rons(hand, loser, question.seat, goal, question.stakes) if pairs else ()
    for outcome, expected in two_wins(question, loser, random, pairs if pair else 0):
        yield "double rons", expected, double_at(pair, outcome)


def outcome_at(spans: tuple[Span, ...], base: int) -> str | None:
    holding = [span for span in spans if _holds(span.stretch, base)]
    return holding[0].outcome.code if len(holding) == 1 else None


def reason_at(spans: tuple[Span, ...], base: int) -> str | None:
    """Return why the game is over with this value."""
    reasons = [reason for span in spans for reason in span.reasons if _holds(reason.stretch, base)]
    if not reasons:
        return NO_REASON
    return reasons[0].ending if len(reasons) == 1 else None


def _holds(stretch: Stretch, base: int) -> bool:
    return stretch.first.base <= base <= stretch.last.base


def double_at(found: tuple[DoubleRon, ...], outcome: Ron) -> str | None:
    base = {win.winner: win.value.base for win in outcome.wins}
    pair = next(each for each in found if {each.first, each.second} == base.keys())
    for block in pair.blocks:
        if block.stretch.first.base <= base[pair.first] <= block.stretch.last.base:
            return outcome_at(block.second, base[pair.second])
    return None
