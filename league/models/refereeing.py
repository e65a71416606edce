"""Penalties: logged once, revoked with a reason, never edited."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, Stage
from league.models.play import Round, Table
from players.models import Player
from players.text import validate_visible


class Penalty(models.Model):
    """``score`` is added to the player's total, in tenths: −20 for a deduction of 2.0.

    ``infraction`` and ``level`` are codes of the rule set's catalogue (A-II, 4+), or empty for free text.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="penalties")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="penalties")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="penalties")
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, related_name="penalties")
    player = models.ForeignKey(Player, models.PROTECT, related_name="penalties")
    infraction = models.CharField(_("offence"), max_length=40, blank=True)
    level = models.CharField(_("level"), max_length=40, blank=True)
    score = models.IntegerField(_("score"))
    reason = models.CharField(_("reason"), max_length=300, blank=True, validators=[validate_visible])
    logged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="logged_penalties"
    )
    logged_at = models.DateTimeField()
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="revoked_penalties"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoke_reason = models.CharField(max_length=300, blank=True, validators=[validate_visible])

    class Meta:
        ordering: ClassVar = ["-logged_at", "-pk"]
        verbose_name_plural = "penalties"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoke_reason="")
                | (Q(revoked_at__isnull=False) & ~Q(revoke_reason="")),
                name="revoked_with_a_reason",
                violation_error_message=_("A penalty is revoked with a reason."),
            ),
            models.CheckConstraint(
                condition=~Q(reason="") | ~Q(infraction=""),
                name="penalty_names_its_offence",
                violation_error_message=_("Choose an offence or write the reason."),
            ),
            models.CheckConstraint(
                condition=Q(table__isnull=True) | Q(round__isnull=False),
                name="penalty_table_has_its_round",
                violation_error_message=_("A penalty at a table belongs to that table's round."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.score}"
