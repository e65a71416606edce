"""Team play of the competition file."""

from typing import Annotated

from django.utils.translation import gettext as _
from pydantic import Field

from league.models import Competition
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, Parts, omit
from league.organizing.interchange.schema.checks import File, Found, check
from league.organizing.interchange.schema.kinds import Choice, Once, Whole
from league.organizing.interchange.schema.places import InRound, InStage
from scoring.standings import TIE_BREAKS


class _OfTeam(FileFacts):
    team: kinds.TeamId


class TeamTableFacts(FileFacts):
    """A table of teams."""

    number: Annotated[int, Whole(least=1)]
    teams: list[kinds.TeamId]
    """Four, east first."""

    @check
    def _four_teams(self, file: File) -> Found:
        if len(self.teams) != 4 or len(set(self.teams)) != 4:
            yield ("teams",), _("A table needs four different teams, East first.")


class LineUpFacts(_OfTeam):
    """The players that a team named."""

    players: list[kinds.PlayerId]


class TeamRoundFacts(InRound):
    """A round with teams."""

    until: kinds.Moment | None = omit(None)
    """When teams name their players."""
    tables: Annotated[Parts[TeamTableFacts], Once("number")] = omit([])
    line_ups: Annotated[Parts[LineUpFacts], Once("team"), Once("players")] = omit([])


class TeamPenaltyFacts(InStage, _OfTeam):
    """A penalty of a team."""

    columns = ("score", "reason")

    score: kinds.Deduction
    reason: kinds.Reason
    revoked: kinds.ReasonOrEmpty = omit("")
    """The reason for which it no longer counts."""


class TeamLotsFacts(InStage):
    """Lots drawn between teams."""

    columns = ("seed",)

    teams: list[kinds.TeamId]
    """First drawn first."""
    seed: kinds.Number


class TeamDecisionFacts(FileFacts):
    """Equal teams on both sides of a cut's line."""

    inside: list[kinds.TeamId] = Field(default=[], alias="in")
    outside: list[kinds.TeamId] = Field(default=[], alias="out")
    by: Annotated[str, Choice(*TIE_BREAKS)]
    """What decided between them."""


class TeamCutFacts(InStage):
    """The cut by which the teams of a stage came into it."""

    top: Annotated[int, Whole(least=1)]
    by_hand: bool = False
    """They were chosen, and are not the `top` ones."""
    teams: list[kinds.TeamId]
    decided: Parts[TeamDecisionFacts] = []
    gone: list[kinds.TeamId] = []
    """Teams that had left."""
    moved_up: list[kinds.TeamId] = []
    """Teams that came in their place."""


class TeamPlayFacts(FileFacts):
    """The rules of team play, and its rounds."""

    columns = ("least_hanchan", "most_hanchan")

    mode: Annotated[str, Choice(*Competition.TeamPlay.values)]
    least_hanchan: Annotated[int, Whole(least=1)] | None = omit(None)
    """How many hanchan a player plays for the team at least."""
    most_hanchan: Annotated[int, Whole(least=1)] | None = omit(None)
    rounds: Parts[TeamRoundFacts] = omit([])
    penalties: Parts[TeamPenaltyFacts] = omit([])
    lots: Parts[TeamLotsFacts] = omit([])
    cuts: Parts[TeamCutFacts] = omit([])

    @check
    def _limits(self, file: File) -> Found:
        if self.least_hanchan and self.most_hanchan and self.least_hanchan > self.most_hanchan:
            yield ("most_hanchan",), _("The maximum must not be lower than the minimum.")

    @check
    def _rounds_once(self, file: File) -> Found:
        for index in file.find_repeated(self.rounds, "in_round"):
            yield ("rounds", index, "round"), _("This round is listed twice.")

    @check
    def _one_cut_each(self, file: File) -> Found:
        cuts = enumerate(self.cuts)
        yield from file.find_twice((("cuts", index), "stage", "/".join(cut.in_stage)) for index, cut in cuts)


# --- the calendar
