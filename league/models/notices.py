"""Where notices to players go."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from league.models.entrants import Entrant


class Channel(models.Model):
    """A browser (Web Push) or a mail address to which notices of a player go, in one competition.

    `user`: the account that turned it on, or None for a phone that says “This is me”. `address`: the endpoint
    of the push service, or the mail address. `p256dh`, `auth`: the keys of the browser (RFC 8291). Mail goes
    out after the address is confirmed. `site`: the origin of the page that turned it on.
    """

    class Kind(models.TextChoices):
        PUSH = "push"
        MAIL = "mail"

    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="channels")
    user = models.ForeignKey("auth.User", models.CASCADE, null=True, blank=True, related_name="channels")
    kind = models.CharField(max_length=10, choices=Kind)
    address = models.CharField(max_length=1000)
    p256dh = models.CharField(max_length=100, blank=True)
    auth = models.CharField(max_length=40, blank=True)
    browser = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=10)
    site = models.CharField(max_length=300)
    created_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entrant", "kind", "address"], name="channel_once_a_player"),
            models.CheckConstraint(
                condition=Q(kind="mail", user__isnull=False)
                | (~Q(kind="mail") & Q(confirmed_at__isnull=False)),
                name="channel_of_an_account_or_a_browser",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} {self.kind}"
