"""Divisions of a competition and their stages."""

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.competitions import MOST_GAMES, Competition
from league.models.names import GivenName
from league.models.querysets import Stages
from league.models.rules import RuleSet
from players.text import validate_visible
from scoring.rules import Rules
from scoring.standings import Numbers

MOST_PLANNED = 999  # rounds of a stage, and places of its cut


class Division(models.Model):
    """A group of players with one rule set. `movement`: promotion and relegation (`scoring.promotion`)."""

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="divisions")
    slug = models.SlugField(_("address"), max_length=60)
    name = GivenName(_("name"), max_length=120, validators=[validate_visible])
    position = models.PositiveSmallIntegerField(default=1)
    rule_set = models.ForeignKey(RuleSet, models.PROTECT, related_name="divisions")
    movement = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "slug"],
                name="division_slug_once_a_competition",
                violation_error_message=_("Another division of this competition has this address."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> Rules:
        return self.rule_set.rules


class Stage(models.Model):
    """A part of a division's season.

    `cut` and `team_cut` record how its players and teams qualified (`stages.services`), or are empty
    if everyone entered plays. Players who sit out a round get `sit_out`, with `sit_out_score` in tenths if it
    is fixed. `planned_rounds`: the intended number, if known. `planned_cut`: the number of players or teams
    who will go on to the next stage, if known. `rankings`: codes of the rankings shown first
    ("total-0 best-10"). Without `counts_for_teams` only players have standings, as in a final of individuals.
    A player with fewer hanchan than `valid_hanchan` has no rank. `beyond`: how hanchan beyond
    `standard_hanchan` count. `fee` and `guest_fee`: the fees of the newest evening. The first evening of a
    copy begins with them.
    """

    class SitOut(models.TextChoices):
        NOTHING = "nothing", _("nothing: the round does not count for them")
        AVERAGE = "average", _("their average score so far")
        FIXED = "fixed", _("a fixed score")

    class Play(models.TextChoices):
        ROUNDS = "rounds", _("in rounds seated by the organizer")
        OPEN = "free", _("free play: players create their own tables")

    class Beyond(models.TextChoices):
        ALL = "all", _("all games count")
        FIRST = "first", _("only the first games count")
        BEST = "best", _("only the best games count")
        RUN = "run", _("only the best games in a row count")
        AVERAGE = "average", _("the average of all games times the standard number")

    class Carry(models.TextChoices):
        NONE = "none", _("start from zero")
        HALF = "half", _("half of the points")
        ALL = "all", _("all points")

    division = models.ForeignKey(Division, models.CASCADE, related_name="stages")
    slug = models.SlugField(_("address"), max_length=60)
    name = GivenName(
        _("name"),
        max_length=120,
        validators=[validate_visible],
        help_text=_("For example “Semifinals” or “Final”."),
    )
    position = models.PositiveSmallIntegerField(default=1)
    carry = models.CharField(
        _("carried over from the stage before"), max_length=4, choices=Carry, default=Carry.NONE
    )
    cut = models.JSONField(default=dict, blank=True)
    team_cut = models.JSONField(default=dict, blank=True)
    play = models.CharField(_("stage format"), max_length=10, choices=Play, default=Play.ROUNDS)
    sit_out = models.CharField(
        _("points for sitting out"), max_length=10, choices=SitOut, default=SitOut.NOTHING
    )
    sit_out_score = models.IntegerField(default=0)
    counts_for_teams = models.BooleanField(default=True)
    planned_rounds = models.PositiveSmallIntegerField(
        _("number of rounds"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_PLANNED)],
        help_text=_("Leave empty if it is unknown. Then pages show neither marks nor chances."),
    )
    planned_cut = models.PositiveSmallIntegerField(
        _("places that qualify"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_PLANNED)],
        help_text=_("How many qualify for the next stage. Leave empty if this stage ends without a cut."),
    )
    rankings = models.CharField(max_length=120, blank=True)
    valid_hanchan = models.PositiveIntegerField(
        _("minimum games for a rank"),
        default=0,
        validators=[MaxValueValidator(MOST_GAMES)],
        help_text=_("Players with fewer games are listed last, without a rank. With 0, everyone is ranked."),
    )
    standard_hanchan = models.PositiveIntegerField(
        _("standard number of games"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_GAMES)],
        help_text=_("Games that each player is expected to play. Leave empty if not fixed."),
    )
    beyond = models.CharField(
        _("games beyond the standard number"),
        max_length=10,
        choices=Beyond,
        default=Beyond.ALL,
        help_text=_(
            "The best games are those with the best scores, and in a row the consecutive games with the best "
            "sum. Penalties always count in full."
        ),
    )
    fee = models.DecimalField(_("table fee"), max_digits=8, decimal_places=2, null=True, blank=True)
    guest_fee = models.DecimalField(
        _("table fee of guests"), max_digits=8, decimal_places=2, null=True, blank=True
    )

    objects = Stages["Stage"].as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["division", "slug"],
                name="stage_slug_once_a_division",
                violation_error_message=_("Another stage of this division has this address."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def competition(self) -> Competition:
        return self.division.competition

    @property
    def rules(self) -> Rules:
        return self.division.rules

    @property
    def links_chances(self) -> bool:
        """Return whether pages lead to chances and to what is needed. Both need a number of rounds, and end
        with the competition.
        """
        competition = self.division.competition
        is_planned = self.planned_rounds is not None and self.play == self.Play.ROUNDS
        return is_planned and competition.shows_chances and competition.finished_at is None

    @property
    def takes_line_ups(self) -> bool:
        """Return whether teams choose who plays each round of this stage."""
        return self.counts_for_teams and self.division.competition.crowns_teams

    @property
    def numbers(self) -> Numbers:
        return Numbers(valid=self.valid_hanchan, standard=self.standard_hanchan, beyond=self.beyond)
