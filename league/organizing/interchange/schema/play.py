"""Rounds, tables and seats of the competition file."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated

from django.utils.translation import gettext as _

from league.core.messages import chips_problem, sheet_problem
from league.models import Round, Sheet, Signature
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, Parts, by_field, omit
from league.organizing.interchange.schema.checks import File, Found, check
from league.organizing.interchange.schema.kinds import LARGEST, Choice, Once, Whole
from league.organizing.interchange.schema.problems import sentence_of
from scoring.checks import ERROR, check_sheet
from scoring.presets import presets, resolve
from scoring.rules import Rules
from scoring.settlement import NORTH
from scoring.units import WINDS

SCHEDULED = "scheduled"


class SeatFacts(FileFacts):
    """A seat of a table."""

    columns = ("came_late", "until_back")

    wind: kinds.Wind
    """The seat at the start: `east` is the first dealer."""
    player: kinds.PlayerId
    points: Annotated[int, Whole(least=-LARGEST)] | None = omit(None)
    """Raw points at the end, in points (28700, not 287), negative allowed. A scheduled table has none."""
    names: kinds.Wind | None = omit(None)
    """The wind that this player named for sashiuma. It counts only under rules with sashiuma."""
    chips: Annotated[int, Whole(least=-LARGEST)] = omit(0)
    """Chips won or lost; those of a table sum to zero. They count only under rules with chips."""
    stands_for: kinds.PlayerId | None = omit(None)
    """The absent player for whom a substitute sits."""
    came_late: bool = omit(False)
    """The substitute came when play had begun."""
    until_back: bool = omit(False)
    """The substitute sits in later rounds, too, until the player is back."""


class SignatureFacts(FileFacts):
    """An answer of a player or staff member to a score sheet that the table typed."""

    columns = ("how", "agrees", "reason")

    wind: kinds.Wind | None = omit(None)
    """The seat that signs. Left out: staff sign as such."""
    player: kinds.PlayerId | None = omit(None)
    """The player of the seat."""
    how: Annotated[str, Choice(*Signature.How.values)]
    """`account`, on their own `phone`, on one phone `shared` with another, or by `staff` with a `reason`."""
    phone: Annotated[int, Whole(least=1)] | None = omit(None)
    """Signatures of one score sheet with the same number came from one phone. Left out: not known."""
    at: kinds.Moment
    agrees: bool = omit(True)
    """False: an objection."""
    points: list[Annotated[int, Whole(least=-LARGEST)]] = omit([])
    """The four scores as the objecting player says, east first."""
    reason: kinds.ReasonOrEmpty = omit("")

    @check
    def _somebody_signs(self, file: File) -> Found:
        if self.how != Signature.How.STAFF and (self.wind is None or self.player is None):
            yield ("wind",), _("A signature of a player needs their seat and their id.")

    @check
    def _four_points(self, file: File) -> Found:
        if len(self.points) not in (0, 4):
            yield ("points",), _("An objection has four scores or none.")


class ProposalFacts(FileFacts):
    """The newest score sheet that the table typed, or that staff corrected after signatures. It counts only
    as the table's `status` says.
    """

    columns = ("sticks",)

    points: list[Annotated[int, Whole(least=-LARGEST)]]
    """Raw points of the four seats, east first."""
    sticks: Annotated[int, Whole(least=-LARGEST)] = 0
    last_dealer: kinds.Wind = omit(WINDS[NORTH])
    names: list[kinds.Wind | None] = omit([])
    """Sashiuma: for each seat, east first, the wind that it named, or null. Left out: nobody named anyone."""
    chips: list[Annotated[int, Whole(least=-LARGEST)]] = omit([])
    """Chips won or lost, east first. Left out: none."""
    player: kinds.PlayerId | None = omit(None)
    """The player whose phone typed it."""
    at: kinds.Moment
    is_result: bool = omit(False)
    """The table's sheet was recorded from it, or asks for its signatures again."""
    signatures: Parts[SignatureFacts] = omit([])

    @check
    def _four_of_each(self, file: File) -> Found:
        for name in ("points", "names", "chips"):
            found = self.__dict__.get(name)
            if isinstance(found, list) and len(found) != 4 and (found or name == "points"):
                yield (name,), _("A table has four seats: give four values, east first.")

    @check
    def _each_signs_once(self, file: File) -> Found:
        signed = [each.__dict__.get("wind") for each in self.signatures if each.__dict__.get("agrees", True)]
        for index, wind in enumerate(signed):
            if wind is not None and wind in signed[:index]:
                yield ("signatures",), _("This seat has already signed.")


class TableFacts(FileFacts):
    """A table with its current sheet. The sheet counts as entered at the time of the import."""

    columns = ("status", "sticks", "reason")

    number: kinds.Number
    """Unique in the round."""
    status: Annotated[str, Choice(SCHEDULED, *Sheet.Status.values)]
    """Only `confirmed` tables count, unless the competition's `counting` says otherwise. A void table keeps
    its points.
    """
    sticks: Annotated[int, Whole(least=-LARGEST)] = 0
    """Riichi deposits left on the table, in points: points and sticks make four times the starting points."""
    seats: Annotated[Parts[SeatFacts], Once("wind")]
    """Four, one of each wind."""
    last_dealer: kinds.Wind = omit(WINDS[NORTH])
    reason: kinds.ReasonOrEmpty = omit("")
    """Why the sheet was corrected or voided."""
    proposal: ProposalFacts | None = omit(None)
    """The score sheet of the table's phones, with its signatures."""

    @property
    def by_wind(self) -> list[SeatFacts]:
        return sorted(self.seats, key=lambda seat: WINDS.index(seat.wind))

    @property
    def everybody(self) -> Iterator[str]:
        for seat in self.seats:
            yield seat.player
            if seat.stands_for:
                yield seat.stands_for

    @check
    def _four_winds(self, file: File) -> Found:
        winds = {seat.wind for seat in self.seats}
        if len(winds) == len(self.seats) < 4:
            missing = ", ".join(wind for wind in WINDS if wind not in winds)
            yield ("seats",), _("A table needs four seats. Missing: %(winds)s.") % {"winds": missing}

    @check
    def _sashiuma(self, file: File) -> Found:
        """Check names even under rules without sashiuma, which leave them unused."""
        for index, seat in enumerate(self.seats):
            if seat.names is not None and seat.names == seat.wind:
                yield ("seats", index, "names"), _("A player must name one of the other three.")

    @check
    def _chips(self, file: File) -> Found:
        """Check chips even under rules without chips, which leave them unused."""
        chips = [seat.__dict__.get("chips", 0) for seat in self.seats]
        if sum(chips):
            yield ("seats",), chips_problem(chips)

    @check
    def _points_if_played(self, file: File) -> Found:
        scheduled = self.status == SCHEDULED
        for index, seat in enumerate(self.seats):
            points, where = seat.__dict__.get("points", ...), ("seats", index, "points")
            if scheduled and points is not None:
                yield where, _("A scheduled table has no points. Use “entered” if it was played.")
            if not scheduled and points is None:
                yield where, sentence_of("missing")
        if scheduled and self.sticks:
            yield ("sticks",), _("A scheduled table has no deposits. Use “entered” if it was played.")

    def check_sum(self, rules: Rules | None) -> Found:
        """Yield every error of the sheet. Without valid `rules` the sum cannot be judged."""
        seats = self.by_wind
        points = [seat.points for seat in seats]
        if self.status == SCHEDULED or None in points or tuple(seat.wind for seat in seats) != WINDS:
            return
        for problem in check_sheet(points, self.sticks, rules or resolve(presets()[0].slug)):
            of_the_sum = problem.seat is None and not problem.code.startswith("sticks_")
            if problem.level != ERROR or (of_the_sum and rules is None):
                continue
            sentence = sheet_problem(problem)
            if problem.code == "typed_in_points":  # that sentence is for forms, where hundreds are typed
                sentence = _("The points are a hundred times too large. Enter 28700 for 28,700 points.")
            if problem.seat is None:
                yield ("seats" if of_the_sum else "sticks",), sentence
            else:
                yield ("seats", self.seats.index(seats[problem.seat]), "points"), sentence


class RoundFacts(FileFacts):
    """A round: one hanchan for everyone seated."""

    columns = ("number", "date", "status", "visibility", "announced", "method", "seed")

    number: kinds.Number
    """Unique in the stage."""
    date: kinds.Day | None = None
    status: Annotated[str, Choice(*Round.Status.values)] | None = None
    """Left out: `closed` when all tables have a result, `planned` without tables, else `open`."""
    visibility: Annotated[str, Choice(*Round.Visibility.values)] = Round.Visibility.RESULTS.value
    """What the public sees of it."""
    announced: bool = omit(False)
    """The public sees the date of a hidden round that is planned."""
    method: Annotated[str, Choice(*Round.Method.values)] = omit("")
    """How it was seated."""
    seed: kinds.Number | None = omit(None)
    """Of the draw by which it was seated."""
    sitting_out: list[kinds.PlayerId] = omit([])
    """Players who were there and had no seat."""
    tables: Annotated[Parts[TableFacts], Once("number")]

    @cached_property
    def numbered(self) -> dict[int, TableFacts]:
        return by_field(self.tables, "number")

    @check
    def _fill_in_status(self, file: File) -> Found:
        if self.status is None:
            to_play = any(table.status == SCHEDULED for table in self.tables)
            played = Round.Status.OPEN if to_play else Round.Status.CLOSED
            self.status = (played if self.tables else Round.Status.PLANNED).value
        yield from ()

    @check
    def _one_place_each(self, file: File) -> Found:
        """A player sits once, and is not also absent or sitting out."""
        seats = [
            (("tables", number, "seats", index), seat.__dict__)
            for number, table in enumerate(self.tables)
            for index, seat in enumerate(table.__dict__.get("seats") or ())
        ]
        names = ("player", "stands_for")
        taken = [(where, name, seat.get(name)) for name in names for where, seat in seats]
        out = [(("sitting_out", index), "", player) for index, player in enumerate(self.sitting_out)]
        yield from file.find_twice([*taken, *out])


# --- stages
