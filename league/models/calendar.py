from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.play import Table
from league.models.querysets import TableRows
from players.models import Player
from players.text import validate_visible


class Appointment(models.Model):
    """One statement about the time of a table. It never changes, and the newest one that is agreed or set
    applies. One that is set ends a postponement. Until then a postponed table only gets postponed and agreed
    ones.

    `meets_at` is empty for a postponement without a day, `place` if none was given.
    """

    class Kind(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        AGREED = "agreed", _("agreed by all four")
        SET = "set", _("set by the organizer")
        POSTPONED = "postponed", _("postponed")
        MADE_UP = "made_up", _("made up")

    table = models.ForeignKey(Table, models.CASCADE, related_name="appointments")
    kind = models.CharField(max_length=10, choices=Kind)
    meets_at = models.DateTimeField(_("meets at"), null=True, blank=True)
    place = models.CharField(
        _("venue"),
        max_length=120,
        blank=True,
        validators=[validate_visible],
        help_text=_("Visible to everyone."),
    )
    reason = models.CharField(
        _("reason"),
        max_length=300,
        blank=True,
        validators=[validate_visible],
        help_text=_("Visible to everyone, for example “typhoon”."),
    )
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    objects = TableRows["Appointment"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.table_id} {self.kind}"


class Consent(models.Model):
    """A player's answer to a proposal."""

    appointment = models.ForeignKey(Appointment, models.CASCADE, related_name="consents")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    declined = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["appointment", "player"], name="consent_once_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.appointment_id} {self.player_id}"
