"""The facts of a seating. Their ``fingerprint`` changes if a fact of a plan has changed."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from league.core.stages import stage_before
from league.models import Ban, Entrant, Round, Seat, SeatingDraft, SittingOut, Stage, Table
from league.people.members.queries import PlayerInfo, players_of
from league.play.bans.queries import banned_here
from league.play.calendar.queries.table_times import POSTPONED, last_decision
from league.play.results.queries.games import SEATED, with_facts
from league.play.rounds.queries.rounds import qualified_by_stage
from league.play.substitutions.queries.substitutes import lasting_sittings, sittings
from league.ranking.standings.queries.standings import standings
from scoring.seating.checker import SEATS
from scoring.seating.rounds import History, history_of
from scoring.seating.sitting_out import share_of_sitting_out

# What happens when the players do not fill the tables
SUBSTITUTES, SIT_OUT, LOWEST = "substitutes", "sit_out", "lowest"
SCHEDULE, SWISS, RANK, INTERVAL = "schedule", "swiss", "rank", "interval"
RANDOM, LOTS, PLAN = "random", "lots", "plan"
BY_RANK = frozenset({SWISS, RANK, INTERVAL})  # methods that need ranks
METHODS = {
    SCHEDULE: Round.Method.SCHEDULE,
    SWISS: Round.Method.SWISS,
    RANK: Round.Method.RANK,
    INTERVAL: Round.Method.INTERVAL,
    RANDOM: Round.Method.RANDOM,
    LOTS: Round.Method.RANDOM,
    PLAN: Round.Method.PLAN,
}

FEW, BOTH, CLOSE = "few", "both", "close"
# Swiss → how many ranks closer make up for a repeated meeting, None: no number of them
WEIGHS: Mapping[str, int | None] = {FEW: None, "fewer": 22, BOTH: 12, "closer": 6, CLOSE: 3}
HALVES = "halves"  # interval: over the tables of the better half, and of the other one

MOST_SITTING_OUT = 2  # rounds in a row

Tables = Mapping[int, Sequence[int]]  # table number → player ids, east first


# --- what is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """The organizer's request. Players are ids.

    ``first``: a round's id, or None for the first unseated round. ``planned``: the stage's total of rounds.
    ``spread``: how many tables an interval spans, ``HALVES``, or "" for all. ``clubs``, ``countries``: keep
    members apart up to this round number (0: in all). ``order``: players by number for a plan of numbers.
    """

    method: str = SCHEDULE
    rounds: int = 1
    first: int | None = None
    planned: int | None = None
    weighs: str = FEW
    spread: str = ""
    out: frozenset[int] = frozenset()
    fill: str = SIT_OUT
    tables: tuple[int, ...] = ()  # empty: as many as needed
    clubs: int | None = None
    countries: int | None = None
    forbidden: frozenset[tuple[int, int]] = frozenset()
    wished: frozenset[tuple[int, int]] = frozenset()
    fixed: Mapping[int, int] = field(default_factory=dict)
    unfinished: bool = False  # accept ranks although results are missing
    despite: str = ""  # why banned players are seated
    given: tuple[Tables, ...] = ()  # the organizer's own plan
    order: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return everything but a plan of the organizer's own, which only the draft stores."""
        return {
            **{name: getattr(self, name) for name in _STORED},
            **{name: sorted(map(list, getattr(self, name))) for name in ("forbidden", "wished")},
            "out": sorted(self.out),
            "tables": list(self.tables),
            "fixed": {str(player): table for player, table in sorted(self.fixed.items())},
        }

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> "PlanRequest":
        found = {name: stored[name] for name in _STORED if name in stored}
        return cls(**{name: _READ[name](value) if name in _READ else value for name, value in found.items()})


_STORED = [each.name for each in fields(PlanRequest) if each.name not in ("given", "order")]
_READ: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("forbidden", "wished"), lambda pairs: frozenset(map(tuple, pairs))),
    "out": frozenset,
    "tables": tuple,
    "fixed": lambda tables: {int(player): table for player, table in tables.items()},
}


# --- the facts


@dataclass(frozen=True, slots=True)
class StageRound:
    """A round with its seats. ``away``: players with a substitute."""

    round: Round
    tables: Mapping[int, tuple[int, ...]]
    away: frozenset[int]
    out: frozenset[int]  # present without a seat
    sheets: int
    postponed: int

    @property
    def is_unfinished(self) -> bool:
        return bool(self.tables) and self.sheets + self.postponed < len(self.tables)

    @property
    def players(self) -> set[int]:
        return {player for four in self.tables.values() for player in four}


@dataclass(frozen=True, slots=True)
class Target:
    number: int
    round: int | None  # its id, or None: accepting the seating creates it


@dataclass(frozen=True)
class SeatingFacts:
    """All facts of a stage's seating.

    ``pool``: players who can be seated, in order of entry. ``reserves``: substitutes, best choice first.
    ``gone``: players who left and had a seat. ``sittings``: substitutions that last until the player is back.
    """

    stage: Stage
    people: Mapping[int, PlayerInfo]
    pool: tuple[int, ...]
    reserves: tuple[int, ...]
    banned: Mapping[int, Ban]
    gone: tuple[int, ...]
    rounds: tuple[StageRound, ...]
    sittings: tuple[Seat, ...] = ()

    @cached_property
    def order(self) -> tuple[int, ...]:
        return tuple(_rank(self.stage, self.pool))

    def tables_elsewhere(self, targets: Sequence[Target]) -> set[int]:
        """Return the tables of other divisions in rounds that are not over, except on other days."""
        division, rounds = self.stage.division, {target.round for target in targets}
        days = {each.round.date for each in self.rounds if each.round.pk in rounds}
        found = Table.objects.of(division.competition_id)
        found = found.exclude(round__stage__division=division).exclude(round__status=Round.Status.CLOSED)
        numbers = found.values_list("number", "round__date")
        return {number for number, day in numbers if day is None or None in days or not days or day in days}

    def infos(self, players: Iterable[int]) -> list[PlayerInfo]:
        return [self.people[player] for player in players if player in self.people]

    @property
    def planned_rounds(self) -> int | None:
        """Return the stage's total of rounds: as typed, or implied by several rounds without seating."""
        last = max((each.round.number for each in self.rounds), default=0)
        if self.stage.planned_rounds is not None:
            return max(self.stage.planned_rounds, last)
        waiting = [each for each in self.rounds if not each.tables and _is_open_to_seating(each)]
        return last if len(waiting) > 1 else None

    def targets(self, first: int | None, count: int) -> list[Target]:
        """Return the next ``count`` rounds to seat from ``first`` (an id) on, then new ones."""
        start = self._start(first)
        later = [
            each
            for each in self.rounds
            if start is not None
            and (each is start or (each.round.number > start.round.number and _is_open_to_seating(each)))
        ]
        found = [Target(each.round.number, each.round.pk) for each in later[:count]]
        last = max((each.round.number for each in self.rounds), default=0)
        return found + [Target(last + extra, None) for extra in range(1, count - len(found) + 1)]

    def _start(self, first: int | None) -> StageRound | None:
        if first is not None:
            return next((each for each in self.rounds if each.round.pk == first), None)
        return next((each for each in self.rounds if not each.tables and _is_open_to_seating(each)), None)

    @property
    def prepared(self) -> list[StageRound]:
        return [each for each in self.rounds if each.tables and _is_open_to_seating(each)]

    def left_behind(self) -> list[StageRound]:
        gone = set(self.gone)
        return [each for each in self.prepared if gone & each.players]

    def newcomers(self) -> list[int]:
        if len(self.prepared) < MOST_SITTING_OUT:
            return []
        seated = {player for each in self.rounds for player in (*each.players, *each.away, *each.out)}
        return [player for player in self.pool if player not in seated and player not in self.banned]

    def others(self, targets: Iterable[Target]) -> list[StageRound]:
        replaced = {target.round for target in targets}
        return [each for each in self.rounds if each.tables and each.round.pk not in replaced]

    def playing(self, asked: PlanRequest) -> list[int]:
        """Return the pool without absent or banned players, plus substitutes or given players."""
        kept_out = asked.out if asked.despite else asked.out | self.banned.keys()
        found = [player for player in self.pool if player not in kept_out]
        if asked.given:
            named = {player for round_ in asked.given for four in round_.values() for player in four}
            return found + sorted(named - set(found))
        if asked.fill == SUBSTITUTES:
            found += self.free_reserves(asked)[: -len(found) % SEATS]
        return found

    def free_reserves(self, asked: PlanRequest) -> list[int]:
        playing = set(self.pool) - asked.out
        busy = {seat.player_id for seat in self._ongoing(asked) if seat.owner_id in playing}
        kept_out = asked.out | self.banned.keys() | busy
        return [player for player in self.reserves if player not in kept_out]

    def _ongoing(self, asked: PlanRequest) -> list[Seat]:
        (target,) = self.targets(asked.first, 1)
        return list(lasting_sittings(self.sittings, target.number).values())

    def sent_in(self, asked: PlanRequest, playing: Iterable[int]) -> tuple[list[Seat], list[Seat]]:
        """Return substitutions that continue in the first target, and those whose substitute cannot play."""
        playing = set(playing)
        wanted = [seat for seat in self._ongoing(asked) if seat.owner_id in playing]
        cannot = {*playing, *asked.out, *self.banned, *self.gone}
        return (
            [seat for seat in wanted if seat.player_id not in cannot],
            [seat for seat in wanted if seat.player_id in cannot],
        )

    def history(self, targets: Sequence[Target], playing: Iterable[int]) -> History:
        others = self.others(targets)
        found = history_of([each.tables for each in others])
        out, due = Counter[int](), dict.fromkeys(playing, Fraction())
        for each in others:
            sitting_out = each.out - each.players
            out.update(sitting_out & due.keys())
            there = each.players | sitting_out
            for player in due.keys() & there:
                due[player] += Fraction(len(sitting_out), len(there))
        first = targets[0].number if targets else 0
        return replace(
            found,
            sat_out=share_of_sitting_out(out, due),
            out_before=_sit_out_first(each for each in reversed(others) if each.round.number < first),
            out_after=_sit_out_first(each for each in others if each.round.number > first),
        )

    def fingerprint(self, asked: PlanRequest) -> str:
        """Return hashes of people, rounds and ranks, joined by "-"."""
        reserves = self.reserves if asked.fill == SUBSTITUTES else ()
        may_play = {*self.pool, *reserves}
        people = [sorted(self.pool), sorted(reserves), sorted(self.banned.keys() & may_play)]
        people += [
            [seat.round_id, seat.owner_id, seat.player_id] for seat in self.sittings if seat.until_back
        ]
        seated = [
            [each.round.pk, each.round.number, sorted(each.tables.items()), sorted(each.out)]
            for each in self.rounds
        ]
        targets = {target.round for target in self.targets(asked.first, asked.rounds)}
        closed = [
            [each.round.pk, each.sheets > 0, each.round.status == Round.Status.CLOSED]
            for each in self.rounds
            if each.round.pk in targets
        ]
        ranks = list(self.order) if asked.method in BY_RANK else []
        return "-".join(_digest(part) for part in (people, [seated, closed], ranks))


def _sit_out_first(rounds: Iterable[StageRound]) -> frozenset[int]:
    met: set[int] = set()
    out: set[int] = set()
    for each in rounds:
        out |= each.out - each.players - met
        met |= each.out | each.players
    return frozenset(out)


def _is_open_to_seating(facts: StageRound) -> bool:
    return facts.round.status == Round.Status.PLANNED and not facts.sheets


def _digest(part: object) -> str:
    return hashlib.sha256(json.dumps(part).encode()).hexdigest()[:16]


def seating_facts(stage: Stage) -> SeatingFacts:
    competition = stage.competition
    entrants = list(Entrant.objects.filter(competition=competition).order_by("pk"))
    came = qualified_by_stage([stage])[stage.pk] if stage.cut else None
    pool = [each.player_id for each in entrants if _can_play(each, stage, came)]
    rounds = tuple(_rounds(stage))
    seated = {player for each in rounds for player in (*each.players, *each.away)}
    return SeatingFacts(
        stage=stage,
        people=players_of(competition),
        pool=tuple(pool),
        reserves=tuple(_reserves(entrants, stage, rounds)),
        banned=banned_here(competition, [each.player_id for each in entrants if not each.withdrawn_at]),
        gone=tuple(e.player_id for e in entrants if e.withdrawn_at is not None and e.player_id in seated),
        rounds=rounds,
        sittings=tuple(sittings(stage)),
    )


def _can_play(entrant: Entrant, stage: Stage, came: Mapping[int, int] | None) -> bool:
    if entrant.withdrawn_at is not None:
        return False
    if came is not None:
        return entrant.player_id in came
    return entrant.division_id == stage.division_id and not entrant.is_substitute


def _reserves(entrants: Iterable[Entrant], stage: Stage, rounds: Iterable[StageRound]) -> list[int]:
    found = [each for each in entrants if each.is_substitute and each.withdrawn_at is None]
    sat = Counter(player for each in rounds for player in each.players) if found else {}
    found.sort(key=lambda e: (e.division_id != stage.division_id, sat.get(e.player_id, 0), e.pk))
    return [each.player_id for each in found]


def _rounds(stage: Stage) -> Iterator[StageRound]:
    """Queries: 4."""
    tables: dict[int, dict[int, tuple[int, ...]]] = {}
    entered: Counter[int] = Counter()
    postponed: Counter[int] = Counter()
    away: dict[int, set[int]] = {}
    out: dict[int, set[int]] = {}
    seated = with_facts(Table.objects.filter(round__stage=stage)).annotate(decision=last_decision())
    columns = ("round_id", "number", "now__pk", "decision", *SEATED)
    in_order = seated.order_by("round", "number").values_list(*columns)
    for round_, number, sheet, decision, *players in in_order:
        tables.setdefault(round_, {})[number] = tuple(filter(None, players))
        entered[round_] += sheet is not None
        postponed[round_] += sheet is None and decision == POSTPONED
    substituted = Seat.objects.filter(round__stage=stage, stands_for__isnull=False)
    for round_, instead in substituted.values_list("round_id", "stands_for_id"):
        away.setdefault(round_, set()).add(instead)
    for round_, player in SittingOut.objects.filter(round__stage=stage).values_list("round_id", "player_id"):
        out.setdefault(round_, set()).add(player)
    for stage_round in Round.objects.filter(stage=stage).order_by("number", "pk"):
        pk = stage_round.pk
        yield StageRound(
            round=stage_round,
            tables=tables.get(pk, {}),
            away=frozenset(away.get(pk, ())),
            out=frozenset(out.get(pk, ())),
            sheets=entered[pk],
            postponed=postponed[pk],
        )


def _rank(stage: Stage, pool: Iterable[int]) -> list[int]:
    """Sort the pool by the standings, then by those of the stage before, then by order of entry."""
    listed = {line.player.player: None for line in standings(stage, public=False).rows}
    if not listed.keys() >= set(pool):
        every = list(Stage.objects.filter(division=stage.division_id).order_by("position", "pk"))
        before = stage_before(stage, every)
        if before is not None:
            before.division = stage.division
            listed |= {line.player.player: None for line in standings(before, public=False).rows}
    here = set(pool)
    order = [player for player in listed if player in here]
    return order + [player for player in pool if player not in listed]


def draft_of(stage: Stage) -> SeatingDraft | None:
    found = SeatingDraft.objects.filter(stage=stage).select_related("created_by").first()
    return found if found is not None and found.plan else None


def players_by_number(draft: SeatingDraft, facts: SeatingFacts) -> list[int]:
    """Return the draft's players in the order of numbers drawn in the hall, or [] if numbers cannot be drawn.

    Without the organizer's own plan, 1 is east of the first table in the first round, 2 south, and players
    who sit out come last. Numbers cannot be drawn by rank, after other rounds, or with preferences.
    """
    if order := draft.search.get("order"):
        return list(order)
    asked = PlanRequest.of_json(draft.asked)
    tables, *_later_rounds = draft.plan
    seated = [player for number in sorted(tables, key=int) for player in tables[number]]
    if asked.method == LOTS and not asked.fixed:
        return seated
    preferences = (asked.forbidden, asked.wished, asked.fixed)
    free = asked.clubs is None and asked.countries is None and not any(preferences)
    targets = facts.targets(asked.first, asked.rounds)
    if asked.method == SCHEDULE and free and not facts.others(targets):
        return seated + [player for player in draft.asked["players"] if player not in set(seated)]
    return []


def last_request(stage: Stage) -> PlanRequest | None:
    found = SeatingDraft.objects.filter(stage=stage).first()
    return PlanRequest.of_json(found.asked) if found is not None and found.asked else None
