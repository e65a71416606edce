from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.entrants import Team
from league.models.play import Round, Seat
from league.models.querysets import RoundRows
from league.models.stages import Stage
from players.models import Player
from players.text import validate_visible


class LineUp(models.Model):
    """A player named by `team` for a round, or who played for it before changing team."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="line_ups")
    round = models.ForeignKey(Round, models.CASCADE, related_name="line_ups")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    objects = RoundRows["LineUp"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "player"], name="named_once_a_round")
        ]

    def __str__(self) -> str:
        return f"{self.team_id} {self.round_id} {self.player_id}"


class TeamSeat(models.Model):
    """A seat of a team in a round, before its line-up. `table` is the number of the future table. The team's
    first named player plays at its first table, and so on.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="team_seats")
    table = models.PositiveIntegerField(_("table"))
    wind = models.PositiveSmallIntegerField(_("wind"), choices=Seat.Wind)
    team = models.ForeignKey(Team, models.CASCADE, related_name="seats")

    class Meta:
        ordering: ClassVar = ["table", "wind"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "table", "wind"], name="team_seat_once_a_table"),
            models.UniqueConstraint(fields=["round", "table", "team"], name="team_once_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.table}:{self.wind}"


class TeamPenalty(models.Model):
    """Points deducted from the team itself, in tenths (0 or less). Players' standings stay the same."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="penalties")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="team_penalties")
    score = models.IntegerField(
        _("deduction from the team"),
        help_text=_("Score: 20 deducts 20,000 points from the team. Individual players lose nothing."),
    )
    reason = models.CharField(_("reason"), max_length=300, validators=[validate_visible])
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    revoke_reason = models.CharField(max_length=300, blank=True, validators=[validate_visible])

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(score__lte=0), name="team_penalty_takes_points"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by__isnull=True, revoke_reason="")
                | (Q(revoked_at__isnull=False) & ~Q(revoke_reason="")),
                name="team_penalty_revoked_with_a_reason",
                violation_error_message=_("A revoked penalty needs a reason."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id} {self.score}"
