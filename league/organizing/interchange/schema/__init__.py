"""The competition file: each class of these modules is one of its objects.

A field without a default is needed. Null counts as left out. Unknown fields are ignored, since later versions
add some. Fields may be added, but none changes its meaning.

Reading validates (``interchange.imports``). Writing does not (``model_construct``), since the database
may hold values that a file may not. Points are in points, scores in tenths.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from django.utils.translation import gettext as _

from league.models import Competition
from league.models.competitions import LATEST_BEGIN
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, Parts, by_field, omit, with_settings
from league.organizing.interchange.schema.calendar import (
    AppointmentFacts,
    CalendarFacts,
    OpenStageFacts,
    TableTimeFacts,
    WindowFacts,
)
from league.organizing.interchange.schema.checks import File, Found, UnknownField, check, within
from league.organizing.interchange.schema.divisions import (
    CutFacts,
    DecisionFacts,
    DivisionFacts,
    EntrantFacts,
    LotsFacts,
    StageFacts,
)
from league.organizing.interchange.schema.game_logs import GameLogFacts, GameNameFacts
from league.organizing.interchange.schema.hands import HANDS_VERSION, HandEntryFacts, TableHandsFacts
from league.organizing.interchange.schema.kinds import Choice, Once, Whole
from league.organizing.interchange.schema.penalties import AdjustmentFacts, PenaltyFacts
from league.organizing.interchange.schema.people import PlayerFacts, TeamFacts
from league.organizing.interchange.schema.places import InStage, RoundKey, StageKey, TableKey
from league.organizing.interchange.schema.play import (
    SCHEDULED,
    ProposalFacts,
    RoundFacts,
    SeatFacts,
    SignatureFacts,
    TableFacts,
)
from league.organizing.interchange.schema.registration import RegistrationFacts
from league.organizing.interchange.schema.rules import OwnCatalogueFacts, ReadingFacts, RulesFacts
from league.organizing.interchange.schema.teams import (
    LineUpFacts,
    TeamCutFacts,
    TeamDecisionFacts,
    TeamLotsFacts,
    TeamPenaltyFacts,
    TeamPlayFacts,
    TeamRoundFacts,
    TeamTableFacts,
)
from scoring.rules import Rules
from scoring.standings import DEFAULT_TIE_BREAKS, TIE_BREAKS

__all__ = (
    "FORMAT",
    "HANDS_VERSION",
    "SCHEDULED",
    "VERSION",
    "AdjustmentFacts",
    "AppointmentFacts",
    "CalendarFacts",
    "CompetitionFacts",
    "CutFacts",
    "DecisionFacts",
    "DivisionFacts",
    "EntrantFacts",
    "GameLogFacts",
    "GameNameFacts",
    "HandEntryFacts",
    "LineUpFacts",
    "LotsFacts",
    "OpenStageFacts",
    "OwnCatalogueFacts",
    "PenaltyFacts",
    "PlayerFacts",
    "ProposalFacts",
    "ReadingFacts",
    "RegistrationFacts",
    "RoundFacts",
    "RoundKey",
    "RulesFacts",
    "SeatFacts",
    "SignatureFacts",
    "StageFacts",
    "StageKey",
    "TableFacts",
    "TableHandsFacts",
    "TableKey",
    "TableTimeFacts",
    "TeamCutFacts",
    "TeamDecisionFacts",
    "TeamFacts",
    "TeamLotsFacts",
    "TeamPenaltyFacts",
    "TeamPlayFacts",
    "TeamRoundFacts",
    "TeamTableFacts",
    "WindowFacts",
)

FORMAT = "umaoka-competition"
VERSION = 1


@with_settings(Competition, but=("team_play",))
class CompetitionHead(FileFacts):
    """The head of the file. It names the competition and has its settings that are yes or no or a choice."""

    columns: ClassVar[tuple[str, ...]] = (
        *("slug", "name", "timezone", "kind", "visibility", "counting", "tie_breaks"),
        "suggest_fourth",
    )

    format: str
    """`umaoka-competition`"""
    version: int
    """1"""
    slug: kinds.Address
    """The competition's address, unique on the server."""
    name: kinds.Name
    timezone: kinds.TimeZone
    kind: Annotated[str, Choice(*Competition.Kind.values)] = Competition.Kind.SEASON.value
    visibility: Annotated[str, Choice(*Competition.Visibility.values)] = Competition.Visibility.PUBLIC.value
    counting: Annotated[str, Choice(*Competition.Counting.values)] = Competition.Counting.CONFIRMED.value
    """Which results count."""
    tie_breaks: list[Annotated[str, Choice(*TIE_BREAKS)]] = list(DEFAULT_TIE_BREAKS)
    suggest_fourth: bool = True
    """Whether the fourth score of a table is suggested."""
    previous: kinds.AddressOrEmpty = omit("")
    """The season before, by its address, in the same league."""


class CompetitionFacts(CompetitionHead):
    """The file itself."""

    columns = (
        *CompetitionHead.columns,
        *("approval_from", "objection_minutes", "place", "first_day", "last_day", "day_begins"),
        *("notice", "notice_until", "short_name", "city", "country", "mers_weight"),
    )

    approval_from: kinds.CodeOrEmpty | None = None
    """The level from which on the chief referee approves penalties. Left out: as it is."""
    objection_minutes: Annotated[int, Whole(most=10_080)] | None = None
    """For how long players can object to a score sheet or penalty. Left out: as it is."""
    place: kinds.PlaceOrEmpty = omit("")
    """Where it is played."""
    first_day: kinds.Day | None = omit(None)
    """Left out: the competition has no days."""
    last_day: kinds.Day | None = omit(None)
    """Not before `first_day`, which it needs."""
    day_begins: Annotated[int, Whole(most=LATEST_BEGIN)] | None = None
    """The hour at which the day of play begins. Tables before it belong to the evening before. Left out: as
    it is."""
    notice: kinds.ReasonOrEmpty = omit("")
    """What the organizer tells visitors on every page."""
    notice_until: kinds.Day | None = omit(None)
    """The last day of `notice`. Left out: it has no end."""
    short_name: kinds.ShortNameOrEmpty = omit("")
    """The name in reports to federations."""
    city: kinds.CityOrEmpty = omit("")
    """The city of the venue, in reports."""
    country: kinds.Country = omit("")
    """The country of the venue, in reports."""
    mers_weight: kinds.MersWeight | None = omit(None)
    """The weight in EMA's ranking, in reports."""
    players: Annotated[Parts[PlayerFacts], Once("id")]
    teams: Annotated[Parts[TeamFacts], Once("id"), Once("players")] = []
    team_play: TeamPlayFacts | None = None
    """Left out: as it is."""
    divisions: Annotated[Parts[DivisionFacts], Once("slug")]
    """One at least."""
    penalties: Parts[PenaltyFacts] = []
    adjustments: Parts[AdjustmentFacts] = omit([])
    calendar: CalendarFacts | None = omit(None)
    hands: Parts[TableHandsFacts] = omit([])
    game_logs: Annotated[Parts[GameLogFacts], Once("digest")] = omit([])
    game_names: Parts[GameNameFacts] = omit([])
    """Names that the league remembers. A name that it knows already keeps its player."""

    def rounds(self) -> Iterator[tuple[StageKey, Rules, RoundFacts]]:
        for division in self.divisions:
            for stage in division.stages:
                for round_ in stage.rounds:
                    yield (division.slug, stage.slug), division.rules.resolved, round_

    @property
    def counts(self) -> dict[str, int]:
        tables = [table for *_, round_ in self.rounds() for table in round_.tables]
        return {
            "players": len(self.players),
            "rounds": sum(1 for _ in self.rounds()),
            "tables": len(tables),
            "sheets": sum(table.status != SCHEDULED for table in tables),
            "penalties": len(self.penalties),
        }

    @check
    def _some_division(self, file: File) -> Found:
        if not self.divisions:
            yield ("divisions",), _("A competition has at least one division.")

    @check
    def _days(self, file: File) -> Found:
        if self.last_day and (self.first_day is None or self.last_day < self.first_day):
            yield ("last_day",), _("The last day must not be before the first day.")

    @check
    def _tie_breaks_once(self, file: File) -> Found:
        for index, name in enumerate(self.tie_breaks):
            if name in self.tie_breaks[:index]:
                yield ("tie_breaks", index), _("“%(value)s” is listed twice.") % {"value": name}

    @check
    def _adjustments_once(self, file: File) -> Found:
        for index in file.find_repeated(self.adjustments, "identity"):
            sentence = _("This player already has such an adjustment in this round.")
            if self.adjustments[index].round is None:
                sentence = _("This player already has such an adjustment.")
            yield ("adjustments", index, "round"), sentence

    @check
    def _windows_in_order(self, file: File) -> Found:
        for index, window in enumerate(self.calendar.windows if self.calendar else ()):
            yield from within(("calendar", "windows", index), self._check_window(window))

    def _check_window(self, window: WindowFacts) -> Found:
        round_ = self._stage_of(window).numbered.get(window.round)
        if round_ and (round_.date is None or window.until < round_.date):
            yield ("until",), _("The window ends before it begins. Enter the later day second.")

    @check
    def _game_logs_once(self, file: File) -> Found:
        for index in file.find_repeated(self.game_logs, "at_table"):
            yield ("game_logs", index, "table"), _("This table is listed twice.")
        for index in file.find_repeated(self.game_logs, "named"):
            yield ("game_logs", index, "ref"), _("This game is listed twice.")

    @check
    def _hands_once(self, file: File) -> Found:
        for index in file.find_repeated(self.hands, "at_table"):
            yield ("hands", index, "table"), _("This table is listed twice.")
        for index, each in enumerate(self.hands):
            yield from within(("hands", index), self._check_hands(each))

    def _check_hands(self, hands: TableHandsFacts) -> Found:
        division = by_field(self.divisions, "slug").get(hands.division)
        if division is not None:
            yield from hands.check_log(division.rules.resolved)

    @check
    def _team_cuts(self, file: File) -> Found:
        for index, cut in enumerate(self.team_play.cuts if self.team_play else ()):
            yield from within(("team_play", "cuts", index), self._check_team_cut(cut))

    def _check_team_cut(self, cut: TeamCutFacts) -> Found:
        if self._stage_of(cut).cut is None:
            yield ("stage",), _("Only a stage with a “cut” lists its qualifiers.")

    def _stage_of(self, part: InStage) -> StageFacts:
        division = by_field(self.divisions, "slug").get(part.division)
        if division is None or part.stage not in division.named:
            raise UnknownField
        return division.named[part.stage]
