"""Screens in the hall, and the award ceremony that they show."""

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competitions import Competition
from league.models.stages import Division, Stage
from players.text import validate_visible

MOST_REVEALED = 50  # places one by one


class Screen(models.Model):
    """A screen in the hall, opened once at its address. An organizer sets what it `shows`.

    `division`: the only one that it shows, or None for all. `by_name` orders seats by player. A picture for a
    stream shows the table of the number `table`, `is_clear` without a background. Every change raises
    `version`, from which its page is made.
    """

    class Shows(models.TextChoices):
        BLANK = "blank", pgettext_lazy("screen", "nothing")
        CLOCK = "clock", pgettext_lazy("screen", "clock")
        SEATS = "seats", pgettext_lazy("screen", "seats")
        STANDINGS = "standings", pgettext_lazy("screen", "standings")
        TABLES = "tables", pgettext_lazy("screen", "live tables")
        MESSAGE = "message", pgettext_lazy("screen", "message")
        STREAM = "stream", pgettext_lazy("screen", "table for a stream")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="screens")
    slug = models.SlugField(max_length=60)
    name = models.CharField(_("name"), max_length=60, validators=[validate_visible])
    shows = models.CharField(max_length=10, choices=Shows, default=Shows.SEATS)
    text = models.CharField(_("message"), max_length=300, blank=True, validators=[validate_visible])
    division = models.ForeignKey(
        Division, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("division")
    )
    by_name = models.BooleanField(_("seats by name"), default=False)
    is_light = models.BooleanField(_("light background"), default=False)
    table = models.PositiveSmallIntegerField(
        _("table for a stream"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(9_999)],
        help_text=_("The number of the table. Add the screen’s address as a browser source."),
    )
    is_clear = models.BooleanField(_("transparent background for a stream"), default=False)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "slug"], name="screen_slug_once_a_competition")
        ]

    def __str__(self) -> str:
        return self.name


class Ceremony(models.Model):
    """The award ceremony of a stage, on all screens of the competition until the row is deleted.

    `places`: how many places are revealed one by one. All others are revealed by the first press. `revealed`:
    the number of presses.
    """

    competition = models.OneToOneField(Competition, models.CASCADE, related_name="ceremony")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="+", verbose_name=_("standings"))
    places = models.PositiveSmallIntegerField(
        _("places revealed one by one"),
        validators=[MinValueValidator(1), MaxValueValidator(MOST_REVEALED)],
        help_text=_("The first press reveals all others together."),
    )
    revealed = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "ceremonies"

    def __str__(self) -> str:
        return f"{self.stage_id} {self.revealed}"
