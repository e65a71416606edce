"""Random events, from the first entrant to the final, through the services; looked at after every round.

``python -m tests.simulation --events 5000 --seed 1`` plays so many in a database that is thrown away, and
names the seed of each in which something does not agree. The same seed plays the same event.

After each round: the independent checker finds nothing in the plan as the database has it; nobody who left
has a seat; who sits out is whoever has none; and the order of the standings, of the page, of the cut and of
the next pairing is one, that which `tests.reckoning` finds by hand in what was done.
"""

import argparse
import logging
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations

if __name__ == "__main__":
    os.environ |= {"DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    import django

    django.setup()

from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.test.utils import setup_test_environment
from django.urls import reverse
from tqdm import tqdm

from league.models import AuditEntry, Division, Entrant, Round, Seat, Sheet, Stage, Table
from league.queries.seasons import season_end
from league.queries.seating import INTERVAL, LOTS, PLAN, RANDOM, RANK, SCHEDULE, SWISS, Asked, ground_of
from league.queries.stages import plan_cut
from league.queries.standings import standings
from league.queries.substitutes import free_substitutes
from league.seating.checker import check_plan
from league.seating.schedule import whole_schedule
from league.services.competitions import add_division
from league.services.departures import FORFEIT, decide_seats
from league.services.mending import exchange_results, round_state, swap_players
from league.services.penalties import log_penalty, revoke_penalty
from league.services.people_in_motion import end_substitution, forfeit_seat, set_substitute, substitute_player
from league.services.results import record_result, void_result
from league.services.roster import PlayerValues, enter_player, reinstate_entrant, withdraw_entrant
from league.services.rounds import (
    close_round,
    create_round,
    delete_round,
    open_round,
    seat_players,
    set_visibility,
)
from league.services.seasons import NextSeason, make_next_season, set_movement
from league.services.seating import accept_seating, begin_seating, draft_state
from league.services.stages import cut_stage, draw
from league.templatetags.umaoka import score as score_text
from players.models import Player
from scoring.cuts import Terms, evenly_seated
from scoring.promotion import Movement
from tests.cast import Club, club, signed_in
from tests.reckoning import RULE_BOOKS, TIE_BREAKS, Hanchan, Known, Line, Sit, Worth, reckoned, rounded

Key = tuple[int, int]  # round, table
ONE_ROUND = (SWISS, RANK, INTERVAL, RANDOM, LOTS)


class Discrepancy(AssertionError):
    """Two answers to one question."""


def agree(what: str, got: object, wanted: object) -> None:
    if got != wanted:
        raise Discrepancy(f"{what}:\n  got    {got!r}\n  wanted {wanted!r}")


@dataclass
class Played:
    """A stage as it was played, kept beside the database; rounds by number."""

    stage: Stage
    hanchan: dict[Key, Hanchan] = field(default_factory=dict)
    penalties: dict[int, tuple[int, int, int | None]] = field(
        default_factory=dict
    )  # id → player, tenths, table
    given: dict[tuple[int, int, str], int] = field(default_factory=dict)  # round, player, kind → tenths
    sitting_out: dict[int, set[int]] = field(default_factory=dict)  # by the seating of each round
    came: list[int] | None = None  # through the cut
    brought: dict[int, int] = field(default_factory=dict)
    known: Known = field(default_factory=Known)

    def tables(self, number: int) -> dict[int, Hanchan]:
        return {table: hanchan for (round_, table), hanchan in self.hanchan.items() if round_ == number}

    def rounds(self) -> list[int]:
        return sorted({round_ for round_, _ in self.hanchan})


class Event:
    """One event. ``did`` counts what happened in it."""

    def __init__(self, seed: int, *, most_players: int = 60, most_rounds: int = 5) -> None:
        self.chance = random.Random(seed)
        self.most_players, self.most_rounds = most_players, most_rounds
        self.did: Counter[str] = Counter()
        preset = self.chance.choice(sorted(RULE_BOOKS))
        self.worth: Worth = RULE_BOOKS[preset]
        self.step = self.chance.choice((100, 1_000, 5_000, 10_000))  # coarse points make equal totals
        self.cast: Club = club(f"sim-{seed}", preset=preset, players=self.size(), kind="event")
        self.alice = self.cast.alice
        self.tie_breaks = self.chance.sample(TIE_BREAKS, self.chance.randint(1, 6))
        self.cast.competition.tie_breaks = self.tie_breaks
        self.cast.competition.save()
        self.gone: set[int] = set()
        self.substitutes: set[int] = set()
        self.most_tables = 99
        self.page = signed_in(self.alice)
        self._tables: tuple[object, dict[int, Table]] = (None, {})
        self.division = self.cast.division
        self.played = Played(self._with_sit_out(self.cast.stage))
        self.stages = [self.played]
        self.members = {player.pk: self.division.pk for player in self.cast.players}

    def size(self) -> int:
        """From 5 players; small events more often: those have more corners, and take less time."""
        return 5 + int((self.most_players - 4) * self.chance.random() ** 3)

    def _with_sit_out(self, stage: Stage) -> Stage:
        stage.sit_out = self.chance.choice(Stage.SitOut.values)
        stage.sit_out_score = self.chance.randrange(-200, 100, 5)
        stage.save()
        return stage

    def happens(self, share: float, what: str) -> bool:
        happened = self.chance.random() < share
        self.did[what] += happened
        return happened

    @property
    def players(self) -> list[int]:
        """Everyone entered in the division who is no substitute."""
        entered = [player for player, division in self.members.items() if division == self.division.pk]
        return [player for player in entered if player not in self.substitutes]

    @property
    def pool(self) -> list[int]:
        """Who can be seated in the stage."""
        came = self.played.came
        return [p for p in (self.players if came is None else came) if p not in self.gone]

    def fresh(self) -> Stage:
        found = Stage.objects.select_related("division__competition", "division__rule_set")
        return found.get(pk=self.played.stage.pk)

    def round(self, number: int) -> Round:
        found = Round.objects.select_related("stage__division__competition", "stage__division__rule_set")
        return found.get(stage=self.played.stage, number=number)

    def table(self, number: int, table: int) -> Table:
        """Kept while the round is played: services read again what may have changed."""
        key = self.played.stage.pk, number
        if self._tables[0] != key:
            related = ("round__stage__division__competition", "round__stage__division__rule_set")
            found = Table.objects.select_related(*related)
            found = found.filter(round__stage=self.played.stage, round__number=number)
            self._tables = key, {each.number: each for each in found}
        return self._tables[1][table]

    def entrant(self, player: int) -> Entrant:
        return self.cast.competition.entrants.select_related("competition").get(player=player)

    # --- the whole of it

    def play(self) -> None:
        for _ in range(self.chance.choice((0, 0, 1, 2, 4))):
            self.enter(substitute=True)
        self.play_division()
        if self.happens(0.15, "season of two divisions"):
            self.second_division()
            self.play_division()
            self.end_season()

    def play_division(self) -> None:
        self.play_stage(self.chance.randint(1, self.most_rounds))
        if self.happens(0.5, "cut") and self.cut():
            self.play_stage(self.chance.randint(1, 2))

    def play_stage(self, rounds: int) -> None:
        first = min(self.played.rounds(), default=1)
        for number in range(first, first + rounds):
            if number > 1:
                self.come_and_go(number)
            if len(self.pool) < 4:
                return self.finish(number)
            if not self.played.tables(number):
                self.seat(number)
            elif not self.has_sheet(number) and self.happens(0.1, "seated anew"):
                self.seat(number, anew=True)
            self.check_plan()
            self.play_round(number)
            self.check_plan()
            self.check_standings()
        self.finish(first + rounds)

    def finish(self, number: int) -> None:
        """Rounds that are planned and not played: a cut would wait for them."""
        for each in self.planned(number):
            if self.has_sheet(each):
                self.play_round(each)
            else:
                self.unseat([each])

    def planned(self, number: int) -> list[int]:
        """The numbers of this round and of those after it, as far as they are there."""
        ahead = Round.objects.filter(stage=self.played.stage, number__gte=number).order_by("number")
        return list(ahead.values_list("number", flat=True))

    def has_sheet(self, number: int) -> bool:
        """Is a table of this round, which is not played yet, forfeited?"""
        return any(hanchan.forfeited for hanchan in self.played.tables(number).values())

    # --- who comes and goes

    def enter(self, *, substitute: bool = False) -> None:
        number = len(self.cast.players) + 1
        entrant = enter_player(
            competition=self.cast.competition,
            values=PlayerValues(name=f"Late {number}"),
            division=self.division,
            by=self.alice,
        )
        self.cast.players.append(Player.objects.get(pk=entrant.player_id))
        self.members[entrant.player_id] = self.division.pk
        if substitute:
            set_substitute(entrant=self.entrant(entrant.player_id), is_substitute=True, by=self.alice)
            self.substitutes.add(entrant.player_id)

    def come_and_go(self, number: int) -> None:
        """Between two rounds; ``number`` is the next one."""
        if self.played.came is None and self.happens(0.15, "late entry"):
            self.enter()
        if self.happens(0.1, "table taken away"):
            self.most_tables = max(1, min(self.most_tables, len(self.pool) // 4) - 1)
        for player in sorted(self.gone):
            if self.happens(0.2, "came back"):
                reinstate_entrant(entrant=self.entrant(player), by=self.alice)
                self.gone.remove(player)
        for player in self.pool:
            if len(self.pool) > 4 and self.happens(0.03, "withdrawal"):
                self.withdraw(player, number)

    def withdraw(self, player: int, number: int) -> None:
        withdraw_entrant(entrant=self.entrant(player), by=self.alice)
        self.gone.add(player)
        ahead = {key: hanchan for key, hanchan in self.played.hanchan.items() if key[0] >= number}
        stays = any(hanchan.forfeited for hanchan in ahead.values())  # a round with a sheet stays
        mine = [key for key, each in ahead.items() if player in each.players and not each.forfeited]
        seats = [key for key in mine if self.sit_of(player, key).absent is None]
        for key in mine:
            if key not in seats:
                self.replace_substitute(player, key)
        if not seats:
            return
        if stays or self.chance.random() < 0.5:
            self.fill_seats(player, seats)
        else:
            self.unseat(self.planned(number))

    def sit_of(self, player: int, key: Key) -> Sit:
        hanchan = self.played.hanchan[key]
        return hanchan.seats[hanchan.players.index(player)]

    def replace_substitute(self, player: int, key: Key) -> None:
        """Who left sat for somebody, who is back, or gets another substitute, or the table is forfeited."""
        sit, wind = self.sit_of(player, key), self.played.hanchan[key].players.index(player)
        assert sit.absent is not None
        free = [each.player_id for each in free_substitutes(self.round(key[0]))]
        if sit.absent not in self.gone:
            end_substitution(seat=self.seat_of(*key, wind), reason="left", by=self.alice)
            self.played.hanchan[key].seats[wind] = Sit(sit.absent)
            del self.played.given[key[0], sit.absent, "substituted"]
        elif free:
            self.substitute(*key, wind=wind)
        else:
            self.forfeit(*key, wind=wind)
        self.did["substitute left"] += 1

    def fill_seats(self, player: int, seats: list[Key]) -> None:
        """A substitute for each seat ahead, or the table is forfeited."""
        score, choices = -self.chance.randrange(0, 300, 10), {}
        for number, table in seats:
            free = [each.player_id for each in free_substitutes(self.round(number))]
            chosen = self.chance.choice([FORFEIT, *free])
            choices[self.table(number, table).pk] = chosen
            hanchan = self.played.hanchan[number, table]
            if chosen == FORFEIT:
                hanchan.forfeited = True
            else:
                hanchan.seats[hanchan.players.index(player)] = Sit(chosen, player)
                self.give(number, player, "substituted", score)
            self.did["decided seat"] += 1
        entrant = self.entrant(player)
        decide_seats(entrant=entrant, choices=choices, reason="left", score=score, by=self.alice)

    def unseat(self, rounds: list[int]) -> None:
        """The rounds ahead are deleted, and seated one by one."""
        for number in rounds:
            delete_round(round_=self.round(number), by=self.alice)
            self._tables = None, {}
            for key in [key for key in self.played.hanchan if key[0] == number]:
                del self.played.hanchan[key]
            self.played.sitting_out.pop(number, None)
            for given in [given for given in self.played.given if given[0] == number]:
                del self.played.given[given]
            self.did["round deleted"] += 1

    def give(self, number: int, player: int, kind: str, score: int) -> None:
        """Points for a round not played, in place of what stood there."""
        self.played.given[number, player, kind] = score

    # --- seating

    def seat(self, number: int, *, anew: bool = False) -> None:
        """Seat this round, and with a whole schedule some after it."""
        last = max(self.played.rounds(), default=0)
        rounds = 1 if anew or number <= last else self.chance.choice((1, 1, 1, 2, 3))
        out = frozenset(
            player for player in self.pool if len(self.pool) > 8 and self.happens(0.02, "stays away")
        )
        playing = [player for player in self.pool if player not in out]
        if len(playing) >= 4 and not anew and number > last and self.happens(0.08, "seated: hand"):
            return self.seat_by_hand(number, playing)
        asked, check = self.ask(number, playing, out, rounds)
        round_ = self.round(number) if number <= last or anew else None
        asked = replace(asked, first=round_.pk if round_ else None)
        stage = self.fresh()
        draft = begin_seating(stage=stage, asked=asked, seed=self.chance.randrange(10**6), by=self.alice)
        accept_seating(stage=stage, seen=draft_state(draft), by=self.alice)
        self._tables = None, {}
        self.did[f"seated: {asked.method}"] += 1
        targets = range(number, number + len(draft.asked["numbers"]))
        agree("the rounds that were seated", list(draft.asked["numbers"]), list(targets))
        for target in targets:
            self.read_back(target, draft.asked["players"])
        check(number)

    def seat_by_hand(self, number: int, playing: list[int]) -> None:
        """As the organizer types it: nobody is said to sit out."""
        seated = self.chance.sample(playing, len(playing) // 4 * 4)
        tables = {at // 4 + 1: seated[at : at + 4] for at in range(0, len(seated), 4)}
        planned = Round.objects.filter(stage=self.played.stage, number=number).exists()
        round_ = self.round(number) if planned else create_round(stage=self.fresh(), by=self.alice)
        seat_players(round_=round_, tables=tables, by=self.alice)
        self._tables = None, {}
        self.read_back(number, [])
        agree("a seating by hand", {t: h.players for t, h in self.played.tables(number).items()}, tables)

    def ask(
        self, number: int, playing: list[int], out: frozenset[int], rounds: int
    ) -> tuple[Asked, Callable[[int], None]]:
        """What is asked for, and what this method promises about the round."""
        few = len(playing) // 4
        tables = tuple(range(1, self.most_tables + 1)) if self.most_tables < few else ()
        fits = len(playing) % 4 == 0 and not tables
        if rounds > 1 or (fits and self.happens(0.1, "whole schedule")):
            return self.ask_schedule(playing, out, rounds, fits=fits)
        method = self.chance.choice(ONE_ROUND)
        wishes = self.wishes(playing)
        check = partial(self.check_ranks, playing) if method == RANK and not wishes else _nothing
        return Asked(method=method, out=out, tables=tables, **wishes), check

    def ask_schedule(
        self, playing: list[int], out: frozenset[int], rounds: int, *, fits: bool
    ) -> tuple[Asked, Callable[[int], None]]:
        """A whole schedule by itself where it is stored; else one that is searched with few steps, since a
        search by the clock would not be the same again, and brought as a plan.
        """
        if fits and not self.played.hanchan:
            check = partial(self.check_winds, rounds)
            return Asked(method=SCHEDULE, rounds=rounds, out=out), check
        seed = self.chance.randrange(10**6)
        count = min(len(playing), 4 * self.most_tables) if not fits else len(playing)
        names = playing[: count if count % 4 == 0 else len(playing)]
        found = whole_schedule(len(names), rounds, seed=seed, steps=200)
        given = tuple(
            tuple(tuple(names[place] for place in table) for table in round_) for round_ in found.rounds
        )
        return Asked(method=PLAN, rounds=rounds, out=out, given=given), _nothing

    def wishes(self, playing: list[int]) -> dict[str, object]:
        if len(playing) < 12 or not self.happens(0.2, "wishes"):
            return {}
        one, other, third, fourth = self.chance.sample(playing, 4)
        return {
            "forbidden": frozenset({(min(one, other), max(one, other))}),
            "wished": frozenset({(min(third, fourth), max(third, fourth))}),
            "fixed": {one: 1} if self.chance.random() < 0.5 else {},
        }

    def read_back(self, number: int, asked: Sequence[int]) -> None:
        """The seats of a round as the database has them; who was asked for and has none sits out."""
        for key in [key for key in self.played.hanchan if key[0] == number]:
            del self.played.hanchan[key]
        for table, four in self.seats()[number].items():
            self.played.hanchan[number, table] = Hanchan([Sit(*sit) for sit in four])
        seated = {p for hanchan in self.played.tables(number).values() for p in hanchan.players}
        out = set(asked) - seated
        for given in [given for given in self.played.given if given[0] == number]:
            del self.played.given[given]  # a substitution ends when the round is seated anew
        agree("substitutes in a new seating", self.absent(number), {})
        self.played.sitting_out[number] = out
        self.compensate(number)
        self.did["sat out"] += len(out)

    def absent(self, number: int) -> dict[int, int]:
        """Substitute → for whom, in this round."""
        sits = (sit for hanchan in self.played.tables(number).values() for sit in hanchan.seats)
        return {sit.player: sit.absent for sit in sits if sit.absent is not None}

    def compensate(self, number: int) -> None:
        """What the stage gives to those who sit out, as it is now."""
        stage = self.played.stage
        if stage.sit_out == Stage.SitOut.NOTHING:
            return
        for player in self.played.sitting_out.get(number, ()):
            given = stage.sit_out_score
            if stage.sit_out == Stage.SitOut.AVERAGE:
                given = self.average(player, number)
            self.give(number, player, "sat_out", given)

    def average(self, player: int, number: int) -> int:
        before = {key: hanchan for key, hanchan in self.played.hanchan.items() if key[0] < number}
        line = next((line for line in self.lines(before) if line.player == player), None)
        return rounded(Fraction(line.score, len(line.games))) if line and line.games else 0

    def seats(self) -> dict[int, dict[int, list[tuple[int, int | None, bool]]]]:
        """Round → table → (player, for whom, late) from east, as the database has them."""
        found: dict[int, dict[int, list[tuple[int, int | None, bool]]]] = {}
        rows = Seat.objects.filter(round__stage=self.played.stage)
        rows = rows.order_by("round__number", "table__number", "wind")
        columns = ("round__number", "table__number", "player_id", "stands_for_id", "came_late")
        for number, table, *sit in rows.values_list(*columns):
            found.setdefault(number, {}).setdefault(table, []).append(tuple(sit))
        return found

    # --- a round

    def play_round(self, number: int) -> None:
        open_round(round_=self.round(number), by=self.alice)
        self.compensate(number)
        self.motion(number, started=False)
        for table, hanchan in sorted(self.played.tables(number).items()):
            if not hanchan.forfeited:
                self.enter_result(number, table)
        self.mend(number)
        self.penalize(number)
        visibility = self.chance.choice(("results", "results", "results", "seating", None))
        close_round(round_=self.round(number), visibility=visibility, by=self.alice)
        self.compensate(number)

    def motion(self, number: int, *, started: bool) -> None:
        """Before the results: substitutes, some of them late, some sent back; no-shows; wrong seats."""
        for table, hanchan in sorted(self.played.tables(number).items()):
            if hanchan.forfeited:
                continue
            if self.happens(0.06, "substitute"):
                self.substitute(number, table)
            elif self.happens(0.02, "no-show"):
                self.forfeit(number, table)
        if self.happens(0.15, "swap before results"):
            self.swap(number)

    def seat_of(self, number: int, table: int, wind: int) -> Seat:
        return Seat.objects.get(table=self.table(number, table), wind=wind)

    def substitute(self, number: int, table: int, wind: int | None = None) -> None:
        free = [each.player_id for each in free_substitutes(self.round(number))]
        if not free:
            return
        wind = self.chance.randrange(4) if wind is None else wind
        substitute = self.chance.choice(free)
        late, score = self.chance.random() < 0.5, -self.chance.randrange(0, 300, 10)
        sit = self.played.hanchan[number, table].seats[wind]
        absent = sit.absent or sit.player
        substitute_player(
            seat=self.seat_of(number, table, wind),
            substitute=substitute,
            late=late,
            score=score,
            reason="ill",
            by=self.alice,
        )
        self.played.hanchan[number, table].seats[wind] = Sit(substitute, absent, late)
        self.give(number, absent, "substituted", score)
        if absent not in self.gone and self.happens(0.2, "substitute sent back"):
            end_substitution(seat=self.seat_of(number, table, wind), reason="came", by=self.alice)
            self.played.hanchan[number, table].seats[wind] = Sit(absent)
            del self.played.given[number, absent, "substituted"]

    def forfeit(self, number: int, table: int, wind: int | None = None) -> None:
        wind = self.chance.randrange(4) if wind is None else wind
        score, others = -self.chance.randrange(0, 300, 10), self.chance.choice((None, 0, 50))
        hanchan = self.played.hanchan[number, table]
        forfeit_seat(
            seat=self.seat_of(number, table, wind), score=score, others=others, reason="away", by=self.alice
        )
        hanchan.forfeited = True
        gone = hanchan.seats[wind]
        self.give(number, gone.absent or gone.player, "absent", score)
        for sit in hanchan.seats:
            if others is not None and sit is not gone and sit.absent is None:
                self.give(number, sit.player, "sat_out", others)

    def points(self) -> tuple[tuple[int, int, int, int], int]:
        """Four totals, at most two of them equal, that add up; and deposits left."""
        while True:
            sticks = self.chance.choice((0, 0, 0, 1_000, 2_000))
            cuts = [self.chance.randrange(-10_000, 70_001, self.step) for _ in range(3)]
            last = 4 * self.worth.start - sticks - sum(cuts)
            if self.chance.random() < 0.1:
                cuts[1] = cuts[0]
                last = 4 * self.worth.start - sticks - sum(cuts)
            east, south, west = cuts
            points = (east, south, west, last)
            if -30_000 <= last <= 90_000 and max(Counter(points).values()) <= 2:
                return points, sticks

    def enter_result(self, number: int, table: int) -> None:
        hanchan, found = self.played.hanchan[number, table], self.table(number, table)
        hanchan.points, hanchan.sticks = self.points()
        self.record(found, hanchan, based_on=0)
        if self.happens(0.05, "correction"):
            hanchan.points, hanchan.sticks = self.points()
            self.record(found, hanchan, based_on=1, reason="typed wrongly")
        elif self.happens(0.03, "void"):
            void_result(table=found, based_on=1, reason="wrong tiles", by=self.alice)
            hanchan.points = None
            if self.chance.random() < 0.5:
                hanchan.points, hanchan.sticks = self.points()
                self.record(found, hanchan, based_on=2, reason="played again")

    def record(self, table: Table, hanchan: Hanchan, *, based_on: int, reason: str = "") -> None:
        assert hanchan.points is not None
        record_result(
            table=table,
            points=hanchan.points,
            sticks=hanchan.sticks,
            based_on=based_on,
            seated=hanchan.players,
            reason=reason,
            by=self.alice,
        )

    def mend(self, number: int) -> None:
        """After the results: two people sat elsewhere, or two sheets were typed at the wrong table."""
        if self.happens(0.2, "swap after results"):
            self.swap(number)
        with_points = [t for t, h in sorted(self.played.tables(number).items()) if h.points is not None]
        if len(with_points) > 1 and self.happens(0.1, "results exchanged"):
            one, other = self.chance.sample(with_points, 2)
            round_ = self.round(number)
            exchange_results(
                round_=round_,
                tables=(one, other),
                reason="mixed up",
                based_on=round_state(round_),
                by=self.alice,
            )
            a, b = (self.played.hanchan[number, table] for table in (one, other))
            a.points, a.sticks, b.points, b.sticks = b.points, b.sticks, a.points, a.sticks

    def swap(self, number: int) -> None:
        tables = [h for h in self.played.tables(number).values() if not h.forfeited]
        sits = [(hanchan, wind) for hanchan in tables for wind in range(4)]
        if len(sits) < 2:
            return
        (one, a), (other, b) = self.chance.sample(sits, 2)
        players = one.seats[a].player, other.seats[b].player
        penalties = self.chance.choice(("follow", "stay"))
        round_ = self.round(number)
        swap_players(
            round_=round_,
            players=players,
            penalties=penalties,
            reason="sat wrongly",
            based_on=round_state(round_),
            by=self.alice,
        )
        one.seats[a], other.seats[b] = other.seats[b], one.seats[a]
        if penalties == "stay":
            self.hand_over(number, players, (one, other))

    def hand_over(self, number: int, players: tuple[int, int], tables: tuple[Hanchan, Hanchan]) -> None:
        """What was logged at these tables was for whoever really sat there."""
        keys = [key[1] for hanchan in tables for key, each in self.played.hanchan.items() if each is hanchan]
        for pk, (player, tenths, round_, table) in list(self.played.penalties.items()):
            here = {t: self.table(number, t).pk for t in keys}
            for mine, key, theirs in zip(players, keys, reversed(players), strict=True):
                if (player, table) == (mine, here[key]):
                    self.played.penalties[pk] = theirs, tenths, round_, table

    def penalize(self, number: int) -> None:
        tables = sorted(self.played.tables(number))
        for player in self.chance.sample(self.pool, len(self.pool)):
            if not self.happens(0.03, "penalty"):
                continue
            at = next((t for t in tables if player in self.played.hanchan[number, t].players), None)
            table = None if at is None else self.table(number, at)
            tenths = -10 * self.chance.randint(1, 40)
            made = log_penalty(
                stage=self.fresh(), player_id=player, score=tenths, table=table, reason="late", by=self.alice
            )
            where = (number, table.pk) if table else (None, None)
            self.played.penalties[made.pk] = player, tenths, *where
            if self.happens(0.2, "penalty revoked"):
                revoke_penalty(penalty=made, reason="was there", by=self.alice)
                del self.played.penalties[made.pk]
        if self.happens(0.1, "swap after penalties"):
            self.swap(number)

    # --- the cut

    def cut(self) -> bool:
        """Make a cut, and go on with its players; False where there are too few."""
        self.draw_lots()
        source, gone = self.fresh(), self.gone
        order = [line.player for line in self.ranked(with_lots=True) if line.player not in gone]
        sizes = [size for size in (4, 5, 8, 12, 16, 20) if size <= len(order)]
        if not sizes or not any(h.points is not None for h in self.played.hanchan.values()):
            return False
        top = self.chance.choice(sizes)
        starts = tuple(self.chance.choice(((), (400, 300, 200, 100, 0), (50,))))
        carry, hanchan = self.chance.choice(("none", "half", "all")), self.chance.choice((0, 2, 5))
        terms = Terms(top=top, head_starts=starts)
        self.draw_lots(terms)
        order = [line.player for line in self.ranked(with_lots=True) if line.player not in gone]
        agree("the order of the cut", list(plan_cut(source, terms, carry).cut.players), order[:top])
        made = cut_stage(
            source=source,
            name="Final",
            terms=terms,
            carry=carry,
            hanchan=hanchan,
            seated=bool(hanchan) and evenly_seated(top, hanchan) and self.chance.random() < 0.5,
            seed=self.chance.randrange(10**6),
            by=self.alice,
        )
        self.go_on(made, order[:top], carry, starts)
        return True

    def draw_lots(self, terms: Terms | None = None) -> None:
        """Between all who are equal at the line of the cut, as long as there are any."""
        while terms is not None:
            equal = plan_cut(self.fresh(), terms, "none").cut.open
            if not equal:
                return
            made = draw(stage=self.fresh(), players=equal[0], seed=self.chance.randrange(99), by=self.alice)
            self.played.known.lots.append(made.players)
            self.did["lots drawn"] += 1

    def go_on(self, made: Stage, players: list[int], carry: str, starts: tuple[int, ...]) -> None:
        before = {line.player: line for line in self.ranked()}
        share = {"none": 0, "half": Fraction(1, 2), "all": 1}[carry]
        brought = {p: rounded(Fraction(before[p].total * share)) for p in players}
        for player, start in zip(players, starts, strict=False):
            brought[player] += start
        ranks = {player: line.rank for player, line in before.items()}
        self.played = Played(self._with_sit_out(made), came=players, brought=brought)
        self.played.known = Known(preliminary=ranks)
        self.stages.append(self.played)
        for number in made.rounds.order_by("number").values_list("number", flat=True):
            if number in self.seats():
                self.read_back(number, [])

    # --- the next season

    def second_division(self) -> None:
        """Everything from here on happens in another division, below the first one."""
        self.division = add_division(
            competition=self.cast.competition, name="Second", rules=self.cast.division.rule_set, by=self.alice
        )
        self.most_tables = 99
        self.played = Played(self._with_sit_out(self.division.stages.get()))
        self.stages.append(self.played)
        for _ in range(self.chance.randint(5, 12)):
            self.enter()

    def end_season(self) -> None:
        """The last of the first division change places with the first of the second one."""
        orders = [self.order_at_the_end(division) for division in (self.cast.division, self.division)]
        count = min(self.chance.randint(1, 3), *map(len, orders))
        vacancies = "leave_free"
        set_movement(
            division=self.cast.division, movement=Movement(down=count, vacancies=vacancies), by=self.alice
        )
        set_movement(division=self.division, movement=Movement(up=count, vacancies=vacancies), by=self.alice)
        for round_ in Round.objects.filter(stage__division__competition=self.cast.competition):
            set_visibility(round_=round_, visibility="results", by=self.alice)
        self.draw_between_divisions()
        upper, lower = (self.order_at_the_end(division) for division in (self.cast.division, self.division))
        end = season_end(self.cast.competition)
        wanted = NextSeason(name="Next", slug=f"next-{self.cast.slug}")
        made = make_next_season(
            competition=self.cast.competition, wanted=wanted, seen=end.fingerprint, by=self.alice
        )
        by_hand = {player: "Second" for player in (*upper[len(upper) - count :], *lower[count:])}
        by_hand |= {
            player: self.cast.division.name for player in (*upper[: len(upper) - count], *lower[:count])
        }
        entered = made.entrants.filter(is_substitute=False).values_list("player", "division__name")
        agree("the divisions of the next season", dict(entered), by_hand)
        self.did["next season"] += 1

    def draw_between_divisions(self) -> None:
        while found := season_end(self.cast.competition).open:
            stage, equal = found[0]
            players = [info.player for info in equal]
            made = draw(stage=stage, players=players, seed=self.chance.randrange(99), by=self.alice)
            played = next(each for each in self.stages if each.stage.pk == stage.pk)
            played.known.lots.append(made.players)
            self.did["lots drawn"] += 1

    def order_at_the_end(self, division: Division) -> list[int]:
        """Who is still there: those of a final that was played in its order, then the others in theirs."""
        order: list[int] = []
        now = self.division, self.played
        self.division = division
        for played in reversed([each for each in self.stages if each.stage.division_id == division.pk]):
            self.played = played
            if played.came is None or any(h.points is not None for h in played.hanchan.values()):
                order += [line.player for line in self.ranked(with_lots=True) if line.player not in order]
        self.division, self.played = now
        return [p for p in order if p not in self.gone and self.members[p] == division.pk]

    # --- what must be so

    def check_plan(self) -> None:
        """The independent checker on the plan of the stage, read back from the database."""
        found = self.seats()
        wanted: dict[int, dict[int, list[tuple[int, int | None, bool]]]] = {}
        for (number, table), hanchan in sorted(self.played.hanchan.items()):
            four = [(sit.player, sit.absent, sit.late) for sit in hanchan.seats]
            wanted.setdefault(number, {})[table] = four
        agree("who sits where", found, wanted)
        plan = {
            number: [[sit[0] for sit in four] for four in tables.values()] for number, tables in found.items()
        }
        report = check_plan(list(plan.values()), [player.pk for player in self.cast.players])
        agree("faults of the plan", list(map(str, report.faults)), [])
        agree("repeats", report.repeats, repeats_of(plan.values()))
        self.check_people()
        self.check_audit(plan)

    def check_people(self) -> None:
        """Nobody who left has a seat in a round that is not played yet, but at a forfeited table; nobody sits
        twice or sits out and sits.
        """
        waiting = Round.objects.filter(stage=self.played.stage, status=Round.Status.PLANNED)
        forfeited = Sheet.objects.filter(is_current=True, status=Sheet.Status.VOID).values("table")
        seats = Seat.objects.filter(round__in=waiting, player__in=self.gone).exclude(table__in=forfeited)
        agree("players who left and have a seat", list(seats.values_list("player", flat=True)), [])
        came = self.played.came
        if came is not None:
            theirs = Seat.objects.filter(round__stage=self.played.stage, stands_for__isnull=True)
            strangers = set(theirs.values_list("player", flat=True)) - set(came)
            agree("players who did not come through the cut", strangers, set())

    def check_audit(self, plan: dict[int, list[list[int]]]) -> None:
        """The repeats that an accepted seating was said to have, when it was the last thing that happened."""
        last = AuditEntry.objects.filter(competition=self.cast.competition).order_by("-pk").first()
        if last is None or last.action != "seating.accept":
            return
        others = [r for number, r in plan.items() if number not in last.after["rounds"]]
        repeats = repeats_of(plan.values()) - repeats_of(others)
        agree("the repeats in the audit log", last.after["repeats"], repeats)

    def check_winds(self, rounds: int, number: int) -> None:
        """A whole schedule from nothing has each wind once in every block of four rounds."""
        plan = [[h.players for h in self.played.tables(n).values()] for n in range(number, number + rounds)]
        report = check_plan(plan)
        agree("uneven winds of a schedule", (report.uneven, report.broken_blocks), ((), 0))

    def check_ranks(self, playing: list[int], number: int) -> None:
        """By rank: 1 to 4 together, 5 to 8, …"""
        out = self.played.sitting_out[number]
        order = [line.player for line in self.ranked(before=number) if line.player in set(playing) - out]
        fours = {frozenset(order[at : at + 4]) for at in range(0, len(order), 4)}
        agree("tables by rank", {frozenset(h.players) for h in self.played.tables(number).values()}, fours)

    def lines(
        self, hanchan: dict[Key, Hanchan], tie_breaks: Sequence[str] = (), **more: object
    ) -> list[Line]:
        played = self.played
        listed = self.players if played.came is None else played.came
        values = {"penalties": (), "given": (), "carried": {}, "known": played.known} | more
        return reckoned(
            hanchan,
            self.worth,
            listed=listed,
            tie_breaks=tie_breaks,
            nobody=self.substitutes,
            only=played.came,
            **values,
        )

    def ranked(self, *, with_lots: bool = False, before: int = 10**9) -> list[Line]:
        """By hand; with the lots that were drawn as the last tie-break where the competition has them not.
        ``before``: for the seating of that round, which is the same, since nothing of it is played.
        """
        played = self.played
        names = [*(n for n in self.tie_breaks if n != "lots"), "lots"] if with_lots else self.tie_breaks
        rounds = Round.objects.filter(stage=played.stage, status=Round.Status.PLANNED)
        planned = set(rounds.values_list("number", flat=True))
        return self.lines(
            played.hanchan,
            names,
            penalties=[(player, tenths) for player, tenths, *_ in played.penalties.values()],
            given=[(player, tenths) for (n, player, _k), tenths in played.given.items() if n not in planned],
            carried=played.brought,
        )

    def check_standings(self) -> None:
        """By hand, by the queries, on the page, before a cut and before a pairing: one order."""
        self.did["rounds"] += 1
        stage = self.fresh()
        by_hand = [(line.player, line.rank, line.total, len(line.games)) for line in self.ranked()]
        rows = [line.row for line in standings(stage, public=False).rows]
        agree("the standings", [(r.player, r.rank, r.total, r.games) for r in rows], by_hand)
        agree("the page", self.on_the_page(stage), [(r.player, score_text(r.total)) for r in rows])
        self.check_public(stage)
        able = [player for player, *_ in by_hand if player not in self.gone]
        agree("who is ahead in the pairing", list(ground_of(stage).order), able)
        plan = plan_cut(stage, Terms(top=len(able)), "none")
        with_lots = [line.player for line in self.ranked(with_lots=True) if line.player not in self.gone]
        agree("the cut", list(plan.cut.players), with_lots)
        if "lots" in self.tie_breaks or not self.played.known.lots:
            agree("the cut and the pairing", with_lots, able)

    def check_public(self, stage: Stage) -> None:
        """The public's standings are those of the published rounds; lots may tell of the others."""
        played = self.played
        if played.came is not None or "lots" in self.tie_breaks:
            return
        shown = Round.objects.filter(stage=stage, visibility=Round.Visibility.RESULTS)
        shown = shown.exclude(status=Round.Status.PLANNED)
        published = {None, *shown.values_list("number", flat=True)}
        lines = self.lines(
            {key: hanchan for key, hanchan in played.hanchan.items() if key[0] in published},
            self.tie_breaks,
            penalties=[
                (p, tenths) for p, tenths, number, _ in played.penalties.values() if number in published
            ],
            given=[(p, tenths) for (number, p, _), tenths in played.given.items() if number in published],
        )
        rows = [line.row for line in standings(stage, public=True).rows]
        by_hand = [(line.player, line.rank, line.total) for line in lines]
        agree("the public standings", [(r.player, r.rank, r.total) for r in rows], by_hand)

    def on_the_page(self, stage: Stage) -> list[tuple[int, str]]:
        """(player, total) of the rows of the standings page, from its HTML."""
        address = reverse("standings", args=[self.cast.slug, stage.division.slug, stage.slug])
        response = self.page.get(address)
        agree("the status of the page", response.status_code, 200)
        players = dict(
            Entrant.objects.filter(competition=self.cast.competition).values_list("pk", "player_id")
        )
        body = response.content.decode().split("<tbody", 1)[1].split("</tbody>", 1)[0]
        found = []
        for row in body.split("<tr")[1:]:
            entrant = re.search(rf"/c/{self.cast.slug}/players/(\d+)/", row)
            total = re.search(r'<td[^>]*class="[^"]*\btotal\b[^"]*"[^>]*>\s*([^<\s]+)', row)
            assert entrant, row
            assert total, row
            found.append((players[int(entrant[1])], total[1]))
        return found


def repeats_of(plan: Iterable[Sequence[Sequence[int]]]) -> int:
    """How often players meet again, by plain counting."""
    met = Counter(frozenset(pair) for round_ in plan for four in round_ for pair in combinations(four, 2))
    return sum(times - 1 for times in met.values())


def _nothing(_number: int) -> None:
    """A method that promises nothing of this kind."""


def play_event(seed: int, **limits: int) -> Counter[str]:
    """Play the event of this seed; returns what happened in it. Raises ``Discrepancy``."""
    cache.clear()
    event = Event(seed, **limits)
    event.play()
    return event.did


@contextmanager
def thrown_away() -> Iterator[None]:
    """What happens inside is not kept."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100, help="how many (default: 100)")
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first one; the others follow (default: 1)"
    )
    asked = parser.parse_args(words)
    setup_test_environment()
    logging.disable(logging.INFO)
    call_command("migrate", verbosity=0)
    did: Counter[str] = Counter()
    failed: list[int] = []
    began = time.monotonic()
    every = 0.5 if sys.stderr.isatty() else 60  # seconds
    for seed in tqdm(range(asked.seed, asked.seed + asked.events), mininterval=every):
        try:
            with thrown_away():
                did += play_event(seed)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong has a seed, and the next event is played
            failed.append(seed)
            sys.stdout.write(f"seed {seed}: {type(error).__name__}: {error}\n")
            sys.stdout.flush()
    seconds = time.monotonic() - began
    counts = ", ".join(f"{name} {count}" for name, count in sorted(did.items()))
    sys.stdout.write(
        f"{asked.events} events in {seconds:.0f} s, {len(failed)} failed {failed[:20]}\n{counts}\n"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
