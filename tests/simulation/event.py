"""An event as it is kept beside the database, and what is read of both."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from league.models import Entrant, Round, Seat, Stage, Table
from tests.factories import Club, club, signed_in
from tests.reckoning import RULE_BOOKS, TIE_BREAKS, Hanchan, Known, Line, Score, Sit, Worth, reckoned, rounded

Key = tuple[int, int]  # round, table


ROUNDINGS = ("down", "up", "half_down", "half_up", "half_away")
# Settings that an organizer may change, with the field of the reckoning and its value for each choice.
CHANGES: dict[str, tuple[str, dict[object, object]]] = {
    "tie_rule": ("ties", {"split": "share", "seat": "first dealer", "last_dealer": "last dealer"}),
    "split_remainder": ("rest", {"first_dealer": "first dealer", "drop": "nobody", "exact": "exact"}),
    "rounding": ("nearest", {each: each.replace("_", " ") for each in ROUNDINGS} | {"none": ""}),
    "leftover_sticks": ("first_takes_deposits", {"first": True, "nobody": False}),
    "sashiuma": ("named", {5: 50, 10: 100}),
    "chip_value": ("chip", {2: 20, 0.5: 5}),
}


def choose_rules(chance: random.Random, preset: str = "") -> tuple[str, Worth, dict[str, object]]:
    """Return a rule set, what it pays, and the settings that were changed in it."""
    preset = preset or chance.choice(sorted(RULE_BOOKS))
    worth, overrides = RULE_BOOKS[preset], dict[str, object]()
    for setting, (field_, choices) in CHANGES.items():
        if chance.random() < 0.2:
            overrides[setting] = chance.choice(list(choices))
            worth = replace(worth, **{field_: choices[overrides[setting]]})
    if preset == "ema-2016" and chance.random() < 0.6:
        overrides["game_length"], times = chance.choice((("east", Fraction(1, 2)), ("full", Fraction(2))))
        worth = replace(worth, times=times)
    return preset, worth, overrides


class Discrepancy(AssertionError):
    """Two answers to one question."""


def agree(what: str, got: object, wanted: object) -> None:
    if got != wanted:
        raise Discrepancy(f"{what}:\n  got    {got!r}\n  wanted {wanted!r}")


@dataclass
class Played:
    """A stage as the simulation played it, with its rounds by number. The database is compared with it."""

    stage: Stage
    hanchan: dict[Key, Hanchan] = field(default_factory=dict)
    # id → player, tenths, round, table
    penalties: dict[int, tuple[int, int, int | None, int | None]] = field(default_factory=dict)
    # round, player, kind → tenths; None: the average of the rounds before it
    given: dict[tuple[int, int, str], int | None] = field(default_factory=dict)
    sitting_out: dict[int, set[int]] = field(default_factory=dict)  # by the seating of each round
    came: list[int] | None = None  # through the cut
    brought: dict[int, Score] = field(default_factory=dict)
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
        preset, self.worth, overrides = choose_rules(self.chance)
        self.did.update([preset, *overrides])
        self.step = self.chance.choice((100, 1_000, 5_000, 10_000))  # coarse points make equal totals
        self.cast: Club = club(
            f"sim-{seed}", preset=preset, overrides=overrides, players=self.size(), kind="event"
        )
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
        """Return a number of players from 5. Small events are more frequent, because they have more corner
        cases.
        """
        return 5 + int((self.most_players - 4) * self.chance.random() ** 3)

    def _with_sit_out(self, stage: Stage) -> Stage:
        stage.sit_out = self.chance.choice(Stage.SitOut.values)
        stage.sit_out_score = self.chance.randrange(-200, 100, 5)
        if self.happens(0.3, "standard number of hanchan"):
            stage.standard_hanchan = self.chance.randint(1, 3)
            stage.beyond = self.chance.choice(("first", "best", "average"))
            self.did[stage.beyond] += 1
        stage.save()
        return stage

    def happens(self, share: float, what: str) -> bool:
        happened = self.chance.random() < share
        self.did[what] += happened
        return happened

    @property
    def players(self) -> list[int]:
        """Return the division's entries without its substitutes."""
        entered = [player for player, division in self.members.items() if division == self.division.pk]
        return [player for player in entered if player not in self.substitutes]

    @property
    def pool(self) -> list[int]:
        """Return the entries that can be seated in the stage."""
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

    def planned(self, number: int) -> list[int]:
        """The numbers of this round and of those after it, as far as they are there."""
        ahead = Round.objects.filter(stage=self.played.stage, number__gte=number).order_by("number")
        return list(ahead.values_list("number", flat=True))

    def has_sheet(self, number: int) -> bool:
        """Is a table of this round, which is not played yet, forfeited?"""
        return any(hanchan.forfeited for hanchan in self.played.tables(number).values())

    def sit_of(self, player: int, key: Key) -> Sit:
        hanchan = self.played.hanchan[key]
        return hanchan.seats[hanchan.players.index(player)]

    def give(self, number: int, player: int, kind: str, score: int | None) -> None:
        """Points for a round not played, in place of what was there."""
        self.played.given[number, player, kind] = score

    def given_in(self, rounds: Callable[[int], bool], hanchan: dict[Key, Hanchan]) -> list[tuple[int, int]]:
        """Return (player, tenths) of the points given in these rounds. An average counts the player's
        hanchan.
        """
        return [
            (player, self._average(player, number, hanchan) if tenths is None else tenths)
            for (number, player, _kind), tenths in self.played.given.items()
            if rounds(number)
        ]

    def _average(self, player: int, number: int, hanchan: dict[Key, Hanchan]) -> int:
        before = {key: each for key, each in hanchan.items() if key[0] < number}
        line = next((line for line in self.lines(before, standard=None) if line.player == player), None)
        return rounded(Fraction(line.score, len(line.games))) if line and line.games else 0

    def seats(self) -> dict[int, dict[int, list[Sit]]]:
        """Round → table → the seats from east, as the database has them."""
        found: dict[int, dict[int, list[Sit]]] = {}
        rows = Seat.objects.filter(round__stage=self.played.stage)
        rows = rows.order_by("round__number", "table__number", "wind")
        columns = ("round__number", "table__number", "player_id", "stands_for_id", "came_late", "until_back")
        for number, table, *sit in rows.values_list(*columns):
            found.setdefault(number, {}).setdefault(table, []).append(Sit(*sit))
        return found

    def lines(
        self, hanchan: dict[Key, Hanchan], tie_breaks: Sequence[str] = (), **more: object
    ) -> list[Line]:
        played = self.played
        listed = self.players if played.came is None else played.came
        standard = played.stage.standard_hanchan
        values = {"penalties": (), "given": (), "carried": {}, "known": played.known}
        values |= {"standard": standard and (standard, played.stage.beyond)} | more
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
        """Return the order as reckoned by hand. Drawn lots are the last tie-break if the competition has
        none.

        ``before``: the order for the seating of that round.
        """
        played = self.played
        names = [*(n for n in self.tie_breaks if n != "lots"), "lots"] if with_lots else self.tie_breaks
        rounds = Round.objects.filter(stage=played.stage, status=Round.Status.PLANNED)
        planned = set(rounds.values_list("number", flat=True))
        return self.lines(
            played.hanchan,
            names,
            penalties=[(player, tenths) for player, tenths, *_ in played.penalties.values()],
            given=self.given_in(lambda number: number not in planned, played.hanchan),
            carried=played.brought,
        )
