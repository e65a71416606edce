"""Games that were played on a service and read from its logs."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, League
from league.models.play import Table
from players.models import Player
from players.text import validate_visible


class Service(models.TextChoices):
    TENHOU = "tenhou", _("Tenhou")
    MAHJONG_SOUL = "mahjong_soul", _("Mahjong Soul")


class GameName(models.Model):
    """A player's name on a service, remembered by the league that matched it."""

    league = models.ForeignKey(League, models.CASCADE, related_name="game_names")
    player = models.ForeignKey(Player, models.CASCADE, related_name="game_names")
    service = models.CharField(max_length=20, choices=Service)
    name = models.CharField(max_length=60, validators=[validate_visible])

    class Meta:
        ordering: ClassVar = ["service", "name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["league", "service", "name"],
                name="game_name_once_a_league",
                violation_error_message=_("This name already belongs to a player."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.service} {self.name}"


class GameLog(models.Model):
    """The log from which a table's result was read. `ref`: its id on the service, or "". `digest`: of players
    and points (`league.extras.game_logs.rules`), equal for each format of the file.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="game_logs")
    table = models.OneToOneField(Table, models.CASCADE, related_name="game_log")
    service = models.CharField(max_length=20, choices=Service)
    ref = models.CharField(max_length=60, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "digest"],
                name="game_once_a_competition",
                violation_error_message=_("This game is already saved."),
            ),
            models.UniqueConstraint(
                fields=["competition", "service", "ref"],
                condition=~Q(ref=""),
                name="game_id_once_a_competition",
                violation_error_message=_("This game is already saved."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.ref or self.digest[:12]}"
