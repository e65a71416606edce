"""The objects of the API. Those of the competition file are taken from ``interchange.schema``.

Raw points are whole numbers in points. Scores are texts with one decimal, as in the exports of standings and
results, so that no program reads them as floats. The score of a penalty is a number, as in the competition
file. Players, teams, divisions and stages have the ids of the competition file, rounds and tables their
numbers. These stay the same when a competition moves to another server.
"""

from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from league.core.files.columns import POINTS, WHOLE
from league.models import Round, Stage
from league.organizing.interchange.schema import PenaltyFacts, PlayerFacts, kinds
from league.organizing.interchange.schema.base import omit
from league.organizing.interchange.schema.kinds import Choice, Whole
from league.ranking.standings.columns import EXACT_TOTAL, JSON, MEMBER_JSON, TEAM_JSON, StandingsColumn
from players.models import FederationNumber

MOST_PLAYERS, MOST_TABLES, MOST_SEED = 1000, 500, 999_999


class Shape(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", from_attributes=True, use_attribute_docstrings=True
    )


# --- refusals


class ProblemOut(Shape):
    """One thing that is wrong in a request."""

    field: str | None = None
    """Where it is in the body, for example `seats.2.points`."""
    code: str
    """A stable name, which no rewording changes."""
    message: str
    """The rule and the remedy, in the language of `Accept-Language`."""
    choices: list[str] = omit([])
    """Values of `who` that answer the question."""


class Refusal(ProblemOut):
    """Why a request was refused. Nothing was saved."""

    problems: list[ProblemOut] = omit([])
    """All problems, if there are several."""
    current: int | None = omit(None)
    """For a conflict over a score sheet: the revision of the sheet that was saved by another person."""


# --- lists


class Page(Shape):
    total: int
    """How many there are on all pages."""
    next: str | None
    """The address of the next page, null on the last one."""


# --- competitions, divisions, stages


class StageOut(Shape):
    """A stage of a division."""

    slug: str
    name: str
    carry: str
    """What it brings in from the stage before: `none`, `half`, `all`."""
    play: Annotated[str, Choice(*Stage.Play.values)]
    rounds: int
    """How many rounds you may see."""


class DivisionOut(Shape):
    """A group of players with one rule set."""

    slug: str
    name: str
    stages: list[StageOut]


class CompetitionOut(Shape):
    """A competition. `version` changes with everything that you may see of it."""

    slug: str
    name: str
    league: str
    kind: str
    visibility: str
    counting: str
    """`confirmed`: only confirmed score sheets count. `entered`: all do."""
    timezone: str
    place: str
    first_day: date | None
    last_day: date | None
    finished: bool
    version: str


class CompetitionParts(CompetitionOut):
    """A competition with its divisions and their stages."""

    divisions: list[DivisionOut]


class CompetitionPage(Page):
    items: list[CompetitionOut]


class PlayerPage(Page):
    items: list[PlayerFacts]


class PenaltyPage(Page):
    items: list[PenaltyFacts]


# --- rounds and tables


class RoundOut(Shape):
    """A round of a stage."""

    number: int
    date: date | None
    status: Annotated[str, Choice(*Round.Status.values)]
    visibility: Annotated[str, Choice(*Round.Visibility.values)]
    """What visitors see: nothing, the seating, or the results."""
    tables: int = Field(validation_alias="tables_count")


class RoundPage(Page):
    items: list[RoundOut]


class SeatOut(Shape):
    """A seat. Its result is null until there is one that you may see."""

    wind: kinds.Wind
    player: str | None
    """The id of the player, null for an empty seat."""
    name: str
    points: int | None
    place: int | None
    uma: str | None
    oka: str | None
    score: str | None
    """Points, uma and oka together, without penalties."""
    chips: int = omit(0)
    stands_for: str | None = omit(None)
    """The id of the player for whom a substitute sits here."""


class TableOut(Shape):
    """A table with its current score sheet."""

    number: int
    status: str
    """`scheduled` (no result that you may see), `entered`, `confirmed`, `void`."""
    sticks: int
    """Riichi deposits left on the table, in points."""
    last_dealer: kinds.Wind | None
    revision: int
    """The revision of the score sheet, 0 without one. Send it as `based_on`."""
    seats: list[SeatOut]


class RoundTables(RoundOut):
    """A round with its tables and their settled score sheets."""

    seating: str
    """The fingerprint of the seating. Send it as `based_on` to replace this seating only."""
    items: list[TableOut]


# --- standings


def _field(column: StandingsColumn) -> Any:
    """Return type and default of a column in JSON (``exact_value``)."""
    if column.key == "places":
        return list[int], ...
    kind: Any = int if column.kind in (WHOLE, POINTS) else str
    return (kind | None, omit(None) if column.optional else ...)


class Row(Shape):
    """A row made from columns, which have no docstrings for pydantic to search for."""

    model_config = ConfigDict(use_attribute_docstrings=False)


def _row(name: str, columns: tuple[StandingsColumn, ...], doc: str, **more: Any) -> type[BaseModel]:
    fields: dict[str, Any] = {column.key: _field(column) for column in columns}
    return create_model(name, __base__=Row, __doc__=doc, **fields, **more)


StandingsRow: Any = _row("StandingsRow", JSON, "A player in the standings. `rank` is null without a rank.")
TeamMember: Any = _row("TeamMember", MEMBER_JSON, "The share of a player in the total of a team.")
TeamRow: Any = _row(
    "TeamRow", (*TEAM_JSON, EXACT_TOTAL), "A team in the standings.", players=(list[TeamMember], ...)
)


class StandingsPage(Page):
    competition: str
    division: str
    stage: str


class PlayerStandings(StandingsPage):
    """The standings of a stage, as `export_standings` writes them."""

    items: list[StandingsRow]


class TeamStandings(StandingsPage):
    """The team standings of a stage."""

    items: list[TeamRow]


# --- what programs send


class PlayerIn(Shape):
    """A player to enter, or one to change by `id`. When changing, what is left out stays as it is."""

    id: kinds.Key | None = None
    name: kinds.NameOrEmpty = ""
    romanized: kinds.NameOrEmpty = ""
    country: kinds.Country = ""
    club: kinds.NameOrEmpty = ""
    division: kinds.AddressOrEmpty = ""
    team: kinds.NameOrEmpty = ""
    """The name of the team, when entering."""
    ema_number: kinds.CodeOrEmpty = ""
    federation_numbers: dict[kinds.Federation, kinds.Code] = {}
    withdrawn: bool | None = None
    """True withdraws the player, false reinstates them. When changing."""
    who: Annotated[str, Field(pattern=r"^(|new|add|same:[0-9]{1,18})$")] = ""
    """The answer to a question of a refusal: one of its `choices`."""

    @property
    def numbers(self) -> dict[str, str]:
        """Return federation → number, with federations spelled as in imported lists."""
        given = {name.upper() if name.isascii() else name: n for name, n in self.federation_numbers.items()}
        return given | ({FederationNumber.EMA: self.ema_number} if self.ema_number else {})


class PlayersIn(Shape):
    """Players to enter and to change. All are saved, or none."""

    players: Annotated[list[PlayerIn], Field(min_length=1, max_length=MOST_PLAYERS)]


class PlayersSaved(Shape):
    entered: int
    changed: int
    skipped: int
    """Players who were entered before."""


class SeatingTable(Shape):
    number: Annotated[int, Whole(least=1, most=9999)]
    players: Annotated[list[kinds.Key], Field(min_length=4, max_length=4)]
    """Ids of the four players, east first."""


Tables = Annotated[list[SeatingTable], Field(max_length=MOST_TABLES)]


class Draw(Shape):
    """A random draw. The same seed and players give the same tables."""

    seed: Annotated[int, Whole(most=MOST_SEED)]
    players: list[kinds.Key] | None = None
    """Left out: all players of the stage."""


class NewRound(Shape):
    """A round to create, hidden and planned. Send `tables` or `draw` to seat it."""

    number: Annotated[int, Whole(least=1, most=9999)] | None = None
    """Left out: the next one."""
    date: kinds.Day | None = None
    tables: Tables | None = None
    draw: Draw | None = None


class RoundChange(Shape):
    """Opens, closes, shows or hides a round, or takes its start back."""

    status: Annotated[str, Choice(*Round.Status.values)] | None = None
    """`planned` takes back a start until the round's first score sheet, hand, penalty or dispute."""
    sure: bool = False
    """Starts a round before earlier ones that are still to be played, or closes one with tables without a
    result. Otherwise these are refused, as `out_of_order` and `tables_missing`."""
    visibility: Annotated[str, Choice(*Round.Visibility.values)] | None = None


class SeatingIn(Shape):
    """The whole seating of a round."""

    tables: Tables
    based_on: str | None = None
    """`seating` of the round that you read. Left out: any seating is replaced."""


class SheetSeat(Shape):
    wind: kinds.Wind
    player: kinds.Key
    points: Annotated[int, Whole(least=-9_999_999, most=9_999_999)]
    """Raw points at the end, in points."""
    names: kinds.Wind | None = None
    """Sashiuma: the wind that this seat named."""
    chips: Annotated[int, Whole(least=-9999, most=9999)] = 0


class SheetIn(Shape):
    """A score sheet, or its correction."""

    seats: Annotated[list[SheetSeat], Field(min_length=4, max_length=4)]
    sticks: Annotated[int, Whole(most=999_999)] = 0
    last_dealer: kinds.Wind = "north"
    based_on: Annotated[int, Whole(most=2**63 - 1)]
    """`revision` of the table that you read, 0 without a score sheet."""
    reason: kinds.ReasonOrEmpty = ""
    """For the correction of a sheet that is confirmed, void or published."""
    despite_hands: bool = False
    """Save it although it does not agree with the hands that the table recorded."""


class ConfirmIn(Shape):
    """The score sheet that you checked."""

    based_on: Annotated[int, Whole(least=1, most=2**63 - 1)]
