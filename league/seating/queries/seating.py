"""The facts from which a seating is made: who can be seated, the rounds, what was played, the ranks.

``seating_facts`` reads all of it at once; everything else is computed from that. Its ``fingerprint`` changes
with the facts from which a plan was made.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

from league.bans.queries import banned_here
from league.calendar.queries.table_times import POSTPONED, last_decision
from league.core.collector import pause_collector
from league.core.stages import stage_before
from league.models import Ban, Entrant, Round, Seat, SeatingDraft, SittingOut, Stage, Table
from league.people.queries import PlayerInfo, players_of
from league.results.queries import SEATED, with_facts
from league.rounds.queries import qualified_by_stage
from league.seating.engine.checker import SEATS
from league.seating.engine.rounds import History, history_of
from league.seating.engine.sitting_out import share_of_sitting_out
from league.standings.queries.standings import standings
from league.substitutions.queries.substitutes import Sitting, lasting_sittings, sittings

SUBSTITUTES, SIT_OUT = "substitutes", "sit_out"  # what happens when the players do not fill the tables
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

FEW, BOTH, CLOSE = "few", "both", "close"  # Swiss: few repeated meetings, close ranks, or some of both
HALVES = "halves"  # interval: over the tables of the better half, and of the other one

MOST_SITTING_OUT = 2  # rounds in a row

Tables = Mapping[int, Sequence[int]]  # table number → player ids, east first


# --- what is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What the organizer asks for; players are ids.

    ``rounds``: how many. ``first``: the id of the first round, None: the first that is not seated.
    ``planned``: how many rounds the stage is to have, None: not said. ``weighs``: what a Swiss round is to
    have. ``spread``: over how many tables an interval goes, ``HALVES``, or empty: all. ``out``: who does not
    play. ``tables``: the numbers of the tables in the room; empty: as many as needed. ``clubs``,
    ``countries``: members of one stay apart up to the round of this number, 0: in all, None: in none.
    ``fixed``: player → table number. ``unfinished``: takes ranks although results are missing. ``despite``:
    why players under a ban are seated. ``given``: a plan of the organizer's own; ``order``: of a plan of
    numbers, the players by number.
    """

    method: str = SCHEDULE
    rounds: int = 1
    first: int | None = None
    planned: int | None = None
    weighs: str = FEW
    spread: str = ""
    out: frozenset[int] = frozenset()
    fill: str = SIT_OUT
    tables: tuple[int, ...] = ()
    clubs: int | None = None
    countries: int | None = None
    forbidden: frozenset[tuple[int, int]] = frozenset()
    wished: frozenset[tuple[int, int]] = frozenset()
    fixed: Mapping[int, int] = field(default_factory=dict)
    unfinished: bool = False
    despite: str = ""
    given: tuple[Tables, ...] = ()
    order: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "rounds": self.rounds,
            "first": self.first,
            "planned": self.planned,
            "weighs": self.weighs,
            "spread": self.spread,
            "out": sorted(self.out),
            "fill": self.fill,
            "tables": list(self.tables),
            "clubs": self.clubs,
            "countries": self.countries,
            "forbidden": sorted(map(list, self.forbidden)),
            "wished": sorted(map(list, self.wished)),
            "fixed": {str(player): table for player, table in sorted(self.fixed.items())},
            "unfinished": self.unfinished,
            "despite": self.despite,
        }

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> "PlanRequest":
        """From what ``as_json`` kept; only the draft keeps a plan of the organizer's own."""
        return cls(
            method=kept.get("method", SCHEDULE),
            rounds=kept.get("rounds", 1),
            first=kept.get("first"),
            planned=kept.get("planned"),
            weighs=kept.get("weighs", FEW),
            spread=kept.get("spread", ""),
            out=frozenset(kept.get("out", ())),
            fill=kept.get("fill", SIT_OUT),
            tables=tuple(kept.get("tables", ())),
            clubs=kept.get("clubs"),
            countries=kept.get("countries"),
            forbidden=frozenset((one, other) for one, other in kept.get("forbidden", ())),
            wished=frozenset((one, other) for one, other in kept.get("wished", ())),
            fixed={int(player): table for player, table in kept.get("fixed", {}).items()},
            unfinished=kept.get("unfinished", False),
            despite=kept.get("despite", ""),
        )


# --- the facts


@dataclass(frozen=True, slots=True)
class StageRound:
    """A round of the stage: the seats, players ``away`` with a substitute, who was there and sits ``out``,
    how many tables have a sheet, and how many are postponed.
    """

    round: Round
    tables: Mapping[int, tuple[int, ...]]
    away: frozenset[int]
    out: frozenset[int]
    sheets: int
    postponed: int

    @property
    def is_unfinished(self) -> bool:
        """Seated, but a table that is not postponed has no sheet yet."""
        return bool(self.tables) and self.sheets + self.postponed < len(self.tables)

    @property
    def players(self) -> set[int]:
        return {player for four in self.tables.values() for player in four}


@dataclass(frozen=True, slots=True)
class Target:
    """A round to be seated: its number and id; None: accepting the seating creates it."""

    number: int
    round: int | None


@dataclass(frozen=True)
class SeatingFacts:
    """All facts that a seating of the stage is made from.

    ``pool``: who can be seated, in the order of entry; those in ``banned`` only in spite of the ban.
    ``reserves``: substitutes who could fill a table, best choice first. ``gone``: players who left and had a
    seat. ``sittings``: of players for whom a substitute sits until they are back.
    """

    stage: Stage
    people: Mapping[int, PlayerInfo]
    pool: tuple[int, ...]
    reserves: tuple[int, ...]
    banned: Mapping[int, Ban]
    gone: tuple[int, ...]
    rounds: tuple[StageRound, ...]
    sittings: tuple[Sitting, ...] = ()

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The pool in rank order; the standings are read from the cache where they are known."""
        return tuple(_ranked(self.stage, self.pool))

    def infos(self, players: Iterable[int]) -> list[PlayerInfo]:
        return [self.people[player] for player in players if player in self.people]

    @property
    def planned_rounds(self) -> int | None:
        """How many rounds the stage is to have: as was said, or as several that wait to be seated show."""
        last = max((each.round.number for each in self.rounds), default=0)
        if self.stage.planned_rounds is not None:
            return max(self.stage.planned_rounds, last)
        waiting = [each for each in self.rounds if not each.tables and _is_open_to_seating(each)]
        return last if len(waiting) > 1 else None

    def targets(self, first: int | None, count: int) -> list[Target]:
        """The next ``count`` rounds from ``first`` on (an id; None: the first planned one without a table):
        planned ones without a sheet, then new ones.
        """
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
        """Planned rounds that are seated."""
        return [each for each in self.rounds if each.tables and _is_open_to_seating(each)]

    def left_behind(self) -> list[StageRound]:
        """Planned rounds in which a player who left still has a seat."""
        gone = set(self.gone)
        return [each for each in self.prepared if gone & each.players]

    def newcomers(self) -> list[int]:
        """Players who came when several rounds were seated already, and have no seat in any."""
        if len(self.prepared) < MOST_SITTING_OUT:
            return []
        seated = {player for each in self.rounds for player in (*each.players, *each.away, *each.out)}
        return [player for player in self.pool if player not in seated and player not in self.banned]

    def others(self, targets: Iterable[Target]) -> list[StageRound]:
        """The seated rounds that stay as they are."""
        replaced = {target.round for target in targets}
        return [each for each in self.rounds if each.tables and each.round.pk not in replaced]

    def playing(self, asked: PlanRequest) -> list[int]:
        """Who takes part: the pool without players who are out or banned, and substitutes that fill the last
        table, or the other players of a plan of the organizer's own.
        """
        kept_out = asked.out if asked.despite else asked.out | self.banned.keys()
        found = [player for player in self.pool if player not in kept_out]
        if asked.given:
            named = {player for round_ in asked.given for four in round_.values() for player in four}
            return found + sorted(named - set(found))
        if asked.fill == SUBSTITUTES:
            found += self.free_reserves(asked)[: -len(found) % SEATS]
        return found

    def free_reserves(self, asked: PlanRequest) -> list[int]:
        """Those who can play, and are the substitute of no player."""
        playing = set(self.pool) - asked.out
        busy = {each.sits for each in self._ongoing(asked) if each.player in playing}
        kept_out = asked.out | self.banned.keys() | busy
        return [player for player in self.reserves if player not in kept_out]

    def _ongoing(self, asked: PlanRequest) -> list[Sitting]:
        """The substitutions that are not over when the first target begins."""
        return list(lasting_sittings(self.sittings, self.targets(asked.first, 1)[0].number).values())

    def sent_in(self, asked: PlanRequest, playing: Iterable[int]) -> tuple[list[Sitting], list[Sitting]]:
        """Which substitutions go on in the first target if these players are seated; and which cannot, since
        the substitute left, is banned, or has a seat of their own.
        """
        playing = set(playing)
        wanted = [each for each in self._ongoing(asked) if each.player in playing]
        cannot = {*playing, *asked.out, *self.banned, *self.gone}
        return (
            [each for each in wanted if each.sits not in cannot],
            [each for each in wanted if each.sits in cannot],
        )

    def history(self, targets: Sequence[Target], playing: Iterable[int]) -> History:
        """What was played in the rounds that stay."""
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
        """Changes with the facts from which the plan is made: three parts, for people, rounds and ranks."""
        reserves = self.reserves if asked.fill == SUBSTITUTES else ()
        may_play = {*self.pool, *reserves}
        people = [sorted(self.pool), sorted(reserves), sorted(self.banned.keys() & may_play)]
        people += [[each.round, each.player, each.sits] for each in self.sittings if each.until_back]
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
    """Who sits out in the first of these rounds in which they are there."""
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


@pause_collector()
def seating_facts(stage: Stage) -> SeatingFacts:
    """The facts as they are now."""
    competition = stage.division.competition
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
    """Substitutes of the stage's division first, those who sat least often before the others."""
    found = [each for each in entrants if each.is_substitute and each.withdrawn_at is None]
    sat = Counter(player for each in rounds for player in each.players) if found else {}
    found.sort(key=lambda e: (e.division_id != stage.division_id, sat.get(e.player_id, 0), e.pk))
    return [each.player_id for each in found]


def _rounds(stage: Stage) -> Iterator[StageRound]:
    """Four queries."""
    tables: dict[int, dict[int, tuple[int, ...]]] = {}
    entered: dict[int, int] = {}
    away: dict[int, set[int]] = {}
    out: dict[int, set[int]] = {}
    postponed: dict[int, int] = {}
    seated = with_facts(Table.objects.filter(round__stage=stage)).annotate(decision=last_decision())
    columns = ("round_id", "number", "now__pk", "decision", *SEATED)
    for round_, found in groupby(seated.order_by("round", "number").values_list(*columns), itemgetter(0)):
        rows = list(found)
        tables[round_] = {row[1]: tuple(filter(None, row[4:])) for row in rows}
        entered[round_] = sum(row[2] is not None for row in rows)
        postponed[round_] = sum(row[2] is None and row[3] == POSTPONED for row in rows)
    substituted = Seat.objects.filter(round__stage=stage, stands_for__isnull=False)
    for round_, instead in substituted.values_list("round_id", "stands_for_id"):
        away.setdefault(round_, set()).add(instead)
    for round_, player in SittingOut.objects.filter(round__stage=stage).values_list("round_id", "player_id"):
        out.setdefault(round_, set()).add(player)
    for each in Round.objects.filter(stage=stage).order_by("number", "pk"):
        yield StageRound(
            round=each,
            tables=tables.get(each.pk, {}),
            away=frozenset(away.get(each.pk, ())),
            out=frozenset(out.get(each.pk, ())),
            sheets=entered.get(each.pk, 0),
            postponed=postponed.get(each.pk, 0),
        )


def _ranked(stage: Stage, pool: Iterable[int]) -> list[int]:
    """The pool as the standings rank it; then players who are not in them yet, as in the stage before, then
    as entered.
    """
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
    """The seating that is being made in this stage, if any."""
    found = SeatingDraft.objects.filter(stage=stage).select_related("created_by").first()
    return found if found is not None and found.plan else None


def players_by_number(draft: SeatingDraft, facts: SeatingFacts) -> list[int]:
    """The players of the draft who can draw a number in the hall, in the order of the numbers: those of the
    organizer's plan; else 1 is east of the first table in the first round, 2 south, …, and those who sit out
    come last. Empty where it matters who sits where: by ranks, after other rounds, or with preferences.
    """
    if kept := draft.search.get("order"):
        return list(kept)
    asked = PlanRequest.of_json(draft.asked)
    seated = [p for _n, four in sorted(draft.plan[0].items(), key=lambda each: int(each[0])) for p in four]
    if asked.method == LOTS and not asked.fixed:
        return seated
    preferences = (asked.forbidden, asked.wished, asked.fixed)
    free = asked.clubs is None and asked.countries is None and not any(preferences)
    targets = facts.targets(asked.first, asked.rounds)
    if asked.method == SCHEDULE and free and not facts.others(targets):
        return seated + [player for player in draft.asked["players"] if player not in set(seated)]
    return []


def last_request(stage: Stage) -> PlanRequest | None:
    """What was asked for the last time, accepted or not; None for the first time."""
    found = SeatingDraft.objects.filter(stage=stage).first()
    return PlanRequest.of_json(found.asked) if found is not None and found.asked else None


def follows_results(method: str, stage: Stage) -> bool:
    """Whether a seating made by this method reveals the players' ranks."""
    return bool(stage.cut) or method in {Round.Method.SWISS, Round.Method.RANK, Round.Method.INTERVAL}
