from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition
from league.models.people import Role
from players.text import validate_visible


class ApiToken(models.Model):
    """A key with which a program acts in one competition, in `role`, for the person who made it.

    The secret is shown once. `digest` is its SHA-256, which is enough for a random secret of 256 bits.
    `prefix` begins the secret, so that people recognize it. A token ends at `expires_at`, when it is revoked,
    and when its maker no longer organizes the competition.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="api_tokens")
    name = models.CharField(
        _("name"),
        max_length=60,
        validators=[validate_visible],
        help_text=_("The program or site that uses it."),
    )
    role = models.CharField(
        _("role"),
        max_length=10,
        choices=Role.Kind,
        help_text=_("Choose “player” for a program that reads only what players of this competition see."),
    )
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(role="captain"), name="token_of_no_captain"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
