"""Addresses that hear of published results."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competitions import Competition
from players.text import validate_visible


class Event(models.TextChoices):
    """The type of an event, as receivers read it."""

    ROUND = "round.published", _("published round")
    FINAL = "standings.final", _("final standings")
    PENALTY = "penalty.logged", _("penalty")
    REVOKED = "penalty.revoked", _("revoked penalty")
    TEST = "test", _("test")


class Webhook(models.Model):
    """An address that hears of the events chosen for it.

    `site`: the scheme and host of this server, for links. `salt`: the signing key is made from it and from
    the server's secret key, and is stored nowhere. `failing_since`: the first of the failures that have had
    no success since. `turned_off_at`: when they had lasted too long.
    """

    class Kind(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        EVENTS = "events", pgettext_lazy("webhook", "signed events (Standard Webhooks)")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="webhooks")
    name = models.CharField(
        _("name"),
        max_length=60,
        validators=[validate_visible],
        help_text=_("For you, for example “Club Discord”."),
    )
    kind = models.CharField(_("receiver"), max_length=10, choices=Kind)
    address = models.CharField(
        _("webhook address"),
        max_length=1000,
        help_text=_("The receiver gives it to you. Anyone who knows it can post there, so do not share it."),
    )
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    site = models.CharField(max_length=300)
    salt = models.CharField(max_length=64)
    on_rounds = models.BooleanField(_("published rounds"), default=True)
    on_final = models.BooleanField(_("final standings"), default=True)
    on_penalties = models.BooleanField(_("penalties that visitors can read"), default=False)
    created_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    turned_off_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        """Return the stream of the outbox that keeps the order of this address."""
        return f"webhook:{self.pk}"

    @property
    def is_on(self) -> bool:
        return self.paused_at is None and self.turned_off_at is None
