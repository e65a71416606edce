"""Penalties and adjustments of the competition file."""

from typing import Annotated

from django.utils.translation import gettext as _

from league.models import Adjustment, Penalty
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, omit
from league.organizing.interchange.schema.checks import File, Found, check
from league.organizing.interchange.schema.kinds import Choice, Whole
from league.organizing.interchange.schema.places import InStage, RoundKey, TableKey
from league.organizing.interchange.schema.problems import sentence_of
from league.referees.penalties.services.plan import MOST_UNITS

MOST_GAMES = 9999


class _OfPlayer(FileFacts):
    player: kinds.PlayerId


class _OfPlay(InStage, _OfPlayer):
    """Points of a player beside the games."""

    round: kinds.Number | None = None
    """Its number; null for none."""

    @property
    def in_round(self) -> RoundKey | None:
        return None if self.round is None else (*self.in_stage, self.round)


class PenaltyFacts(_OfPlay):
    """A penalty: with an `infraction` or a `reason`."""

    columns = (
        "score",
        "reason",
        "hand",
        "logged_hand",
        "condition",
        "units",
        "suggested",
        "win_ban",
        "status",
    )

    table: kinds.Number | None = None
    """Its number; null for none."""
    score: kinds.Score
    """Is added to the player's total, in score units (1.0 = 1000 points)."""
    reason: kinds.ReasonOrEmpty = ""
    infraction: kinds.CodeOrEmpty | None = None
    """The code of the offence in the penalty rules (`A-II`)."""
    level: kinds.Level | None = None
    """The level of the offence."""
    revoked: kinds.ReasonOrEmpty = omit("")
    """The reason for which it no longer counts."""
    hand: kinds.Hand = omit("")
    """The hand in which it was given."""
    logged_hand: Annotated[int, Whole(least=1)] | None = omit(None)
    """The number of the hand in the table's log that implied it. Left out: a referee logged it."""
    condition: Annotated[int, Whole(most=99)] | None = omit(None)
    """The index of the offence's condition in the penalty rules."""
    units: Annotated[int, Whole(least=1, most=MOST_UNITS)] = omit(1)
    """How many tiles or minutes."""
    suggested: kinds.CodeOrEmpty = omit("")
    """The levels that the penalty rules suggested."""
    win_ban: bool = omit(False)
    """The player could not win the hand."""
    status: Annotated[str, Choice(*Penalty.Status.values)] = omit(Penalty.Status.IN_FORCE.value)
    decided: kinds.ReasonOrEmpty = omit("")
    """Why the chief referee declined it."""
    together: kinds.Number | None = omit(None)
    """One number for all penalties of one act."""

    @property
    def at_table(self) -> TableKey | None:
        return None if self.in_round is None or self.table is None else (*self.in_round, self.table)

    @check
    def _round_of_table(self, file: File) -> Found:
        """Require the round only. The player need not sit there, since seats may change hands after the
        penalty.
        """
        if self.table is not None and self.round is None:
            yield ("round",), _("Enter the round of the table.")
        if self.logged_hand is not None and self.table is None:
            yield ("table",), sentence_of("missing")

    @check
    def _reasons(self, file: File) -> Found:
        if self.status == Penalty.Status.DECLINED and not self.decided:
            yield ("decided",), sentence_of("missing")
        if not self.infraction and not self.reason:
            yield ("reason",), _("Name the offence or enter a reason.")


class AdjustmentFacts(_OfPlay):
    """Points for a round sat out, missed, or played by a substitute, and points carried in."""

    columns = ("kind", "reason", "games")

    kind: Annotated[str, Choice(*Adjustment.Kind.values)]
    score: kinds.Score
    average: bool = omit(False)
    """The player's average in the rounds of the stage before follows the results; `score` is what it was."""
    games: Annotated[int, Whole(most=MOST_GAMES)] = omit(0)
    """How many games without known tables the points of `carried_in` are from."""
    reason: kinds.ReasonOrEmpty = ""
    revoked: bool = omit(False)
    """It no longer counts."""

    @check
    def _average_if_sat_out(self, file: File) -> Found:
        if self.average and (self.kind != Adjustment.Kind.SAT_OUT or self.round is None):
            yield ("average",), _("The average is only for players who sit out a round.")

    @check
    def _games_if_carried_in(self, file: File) -> Found:
        if self.kind == Adjustment.Kind.CARRIED_IN:
            if self.round is not None:
                yield ("round",), _("Points carried in belong to no round.")
        elif self.games:
            yield ("games",), _("Only points carried in have games.")

    @property
    def identity(self) -> tuple[object, ...] | None:
        """The values that only one adjustment in force may have, or None if it is revoked."""
        if self.revoked:
            return None
        same = (self.in_stage, self.round, self.player, self.kind)
        return same if self.round is not None else (*same, self.score, self.reason)


# --- teams
