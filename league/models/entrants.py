"""Teams and players of a competition, the players of a stage, and lots drawn between them."""

from typing import ClassVar, cast

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition
from league.models.querysets import Entrants, StageRows
from league.models.stages import Division, Stage
from players.models import Player
from players.text import validate_visible

LOWEST_RANK = 100_000


class Team(models.Model):
    """A team of entrants, whose captain has a role. `key` is its id in the competition file."""

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="teams")
    key = models.CharField(max_length=64)
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "key"], name="team_key_once_a_competition")
        ]

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """A player in a competition. `key` is the player's id in the competition file and in exports. A guest
    (`is_guest`) plays like all others, but a club's rankings and table fees can differ.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entrants")
    division = models.ForeignKey(
        Division,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="entrants",
        verbose_name=_("division"),
    )
    team = models.ForeignKey(Team, models.SET_NULL, null=True, blank=True, related_name="members")
    key = models.CharField(_("key in files"), max_length=64)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    previous_rank = models.PositiveIntegerField(
        _("rank of last season"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(LOWEST_RANK)],
        help_text=_("It breaks ties if the competition has this tie-break."),
    )
    is_substitute = models.BooleanField(_("substitute"), default=False)
    is_guest = models.BooleanField(
        _("guest"),
        default=False,
        help_text=_("Rankings can leave out guests. Guests can pay a different table fee."),
    )

    objects = Entrants["Entrant"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "key"], name="entrant_key_once_a_competition"),
            models.UniqueConstraint(
                fields=["competition", "player"],
                name="player_entered_once",
                violation_error_message=_("This player is already entered."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.player}"


class StageEntrant(models.Model):
    class How(models.TextChoices):
        RANK = "rank", _("by rank")
        WILD_CARD = "wild_card", _("by wild card")
        HAND = "hand", _("chosen by hand")
        TEAM = "team", _("with their team")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="qualified")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    position = models.PositiveIntegerField(_("position"))
    head_start = models.IntegerField(default=0)
    how = models.CharField(max_length=10, choices=How, default=How.RANK)

    objects = StageRows["StageEntrant"].as_manager()

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stage", "player"], name="qualified_once_a_stage"),
            models.UniqueConstraint(fields=["stage", "position"], name="position_once_a_stage"),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.position}"


class Lots(models.Model):
    """A draw of lots between tied players or teams. It never changes."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="lots")
    seed = models.BigIntegerField()
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    objects = StageRows["Lots"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        verbose_name_plural = "lots"

    def __str__(self) -> str:
        return f"{self.stage_id} {self.created_at:%Y-%m-%d}"

    @property
    def competition(self) -> Competition:
        return self.stage.competition

    @property
    def of_teams(self) -> bool:
        return any(lot.team_id is not None for lot in self.drawn.all())

    @property
    def drawn_ids(self) -> list[int]:
        return [lot.drawn_id for lot in self.drawn.all()]


class Lot(models.Model):
    lots = models.ForeignKey(Lots, models.CASCADE, related_name="drawn")
    position = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["lots", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["lots", "position"], name="lot_position_once_a_draw"),
            models.UniqueConstraint(fields=["lots", "player"], name="player_drawn_once"),
            models.UniqueConstraint(fields=["lots", "team"], name="team_drawn_once"),
            models.CheckConstraint(
                condition=Q(player__isnull=True) ^ Q(team__isnull=True), name="lot_of_a_player_or_a_team"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.lots_id}:{self.position}"

    @property
    def drawn_id(self) -> int:
        return cast("int", self.team_id if self.player_id is None else self.player_id)
