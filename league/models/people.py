from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, new_token
from league.models.entrants import Team
from players.models import Player


class Role(models.Model):
    """A person's role in one competition. Owners of the league are organizers of all its competitions.

    The person plays as `player`, and cannot rule at a table where that player sits. A captain acts for
    `team`. `feed_key` is the secret address of the role's calendar.
    """

    class Kind(models.TextChoices):
        ORGANIZER = "organizer", _("organizer")
        CHIEF = "chief", _("chief referee")
        REFEREE = "referee", _("referee")
        SCORER = "scorer", _("scorer")
        CAPTAIN = "captain", _("team captain")
        PLAYER = "player", _("player")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="roles")
    user = models.ForeignKey("auth.User", models.CASCADE, related_name="roles")
    kind = models.CharField(_("role"), max_length=10, choices=Kind)
    player = models.ForeignKey(
        Player,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("linked player"),
        help_text=_("Referees cannot rule at their own table. Another referee is called."),
    )
    team = models.ForeignKey(
        Team,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="captains",
        verbose_name=_("team"),
        help_text=_("For captains: the team whose line-ups they enter."),
    )
    feed_key = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)

    class Meta:
        ordering: ClassVar = ["kind", "user__username"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "user", "kind"],
                name="role_once_a_person",
                violation_error_message=_("This person already has this role."),
            ),
            models.CheckConstraint(
                condition=Q(team__isnull=True) | Q(kind="captain"), name="captains_speak_for_teams"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"


class Invitation(models.Model):
    """A link that gives its first user a role. It ends when used, withdrawn or expired.

    The account is then linked to `player`, if one is named.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="invitations")
    kind = models.CharField(_("role"), max_length=10, choices=Role.Kind, default=Role.Kind.PLAYER)
    team = models.ForeignKey(
        Team, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("team")
    )
    player = models.ForeignKey(
        Player,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("linked player"),
        help_text=_("The account is linked to this player."),
    )
    note = models.CharField(
        _("invited person"),
        max_length=120,
        blank=True,
        help_text=_("Only organizers see this note."),
    )
    token = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    created_by = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey("auth.User", models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(team__isnull=True) | Q(kind="captain"),
                name="invitation_of_a_captain_names_a_team",
            ),
            models.CheckConstraint(
                condition=Q(used_by__isnull=True) | Q(used_at__isnull=False),
                name="invitation_used_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.kind}"
