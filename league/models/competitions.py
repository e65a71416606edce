"""Leagues and competitions (a season or an event)."""

import datetime
import secrets
import zoneinfo
from functools import cache
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.models import COUNTRY, Register
from players.text import validate_visible

LATEST_BEGIN = 12  # the hour at which a day of play can begin
LONGEST_OBJECTION = 10_080  # minutes: a week
MOST_GAMES = 1000
NOT_CITIES = ("Etc", "SystemV", "US", "Canada", "Brazil", "Chile", "Mexico", "posix")  # as in US/Eastern


@cache
def time_zones() -> frozenset[str]:
    """Return the names of all time zones. Cached, because listing them opens hundreds of files."""
    return frozenset(zoneinfo.available_timezones())


def zone_city(name: str) -> str:
    """Return the city of a time zone. Return the zone's whole name if it names no city."""
    area, _slash, place = name.partition("/")
    shown = name if area in NOT_CITIES or not place else place.rpartition("/")[2]
    return shown.replace("_", " ")


def validate_timezone(name: str) -> None:
    if name not in time_zones():
        raise ValidationError(
            _("“%(name)s” is not a time zone. Choose a city such as Hong Kong or Paris."),
            code="timezone",
            params={"name": name},
        )


def new_token() -> str:
    """Return 24 random bytes for a secret address."""
    return secrets.token_urlsafe(24)


class League(models.Model):
    slug = models.SlugField(
        _("address"),
        max_length=60,
        unique=True,
        help_text=_("Letters, digits and hyphens, used in links to the league’s page."),
    )
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    register = models.OneToOneField(Register, models.PROTECT, related_name="+")
    owners = models.ManyToManyField("auth.User", related_name="leagues", blank=True)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class WholeCompetitions(models.Manager["Competition"]):
    """The default manager without drafts, so that no page, list or file finds one."""

    def get_queryset(self) -> models.QuerySet["Competition"]:
        return super().get_queryset().filter(is_draft=False)


class Competition(models.Model):
    """A season or an event. Its day of play begins at the hour `day_begins` and not at midnight.

    The secret parts of the tables' QR codes are made from `table_key`. Visitors call a referee with them if
    `takes_calls`, and players enter their score sheet if `takes_sheets` (`league.models.at_table`). Players
    object to a score sheet or penalty of their table for `objection_minutes` after it was entered.

    Every change raises `version`. A change that public pages show raises `revision`, too
    (`league.core.changes`). A finished competition (`finished_at`) does not change until it is reopened.

    Reports to federations name `short_name`, `city`, `country` (ISO 3166 alpha-2) and `mers_weight`.

    A draft (`is_draft`) belongs to an import that is writing it or has replaced it. Only
    `league.organizing.interchange.services.drafts` uses drafts.

    `league.models.publicity` says which fields keep something from visitors.
    """

    class Kind(models.TextChoices):
        SEASON = "season", _("Season")
        EVENT = "event", _("Tournament")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("Public: everyone can see the published rounds")
        PRIVATE = "private", _("Private: only invited people can see it")

    class Counting(models.TextChoices):
        ENTERED = "entered", _("as soon as they are entered")
        CONFIRMED = "confirmed", _("after a second person has confirmed them")

    class PenaltiesShown(models.TextChoices):
        ALL = "all", _("every penalty, with offence and reason")
        COUNTS = "counts", _("number and sum per player")
        SCORES = "scores", _("only what the standings deduct")

    class Expulsion(models.TextChoices):
        SUBSTITUTE = "substitute", _("a substitute plays on")
        FORFEIT = "forfeit", _("the seat stays empty: the table is forfeited")

    class Signatures(models.TextChoices):
        NONE = "none", pgettext_lazy("signatures", "no one")
        FOUR = "four", _("all four players")
        WINNER = "winner", _("the winner and one other player")
        STAFF = "staff", _("a referee or staff member")

    class Release(models.TextChoices):
        HAND = "hand", _("when the organizer publishes the round")
        COMPLETE = "complete", _("as soon as all tables of the round are in")
        AT_ONCE = "at_once", _("at once, table by table")

    class TeamPlay(models.TextChoices):
        NONE = "none", _("no teams")
        SUM = "sum", _("teams sum their players’ scores")
        LINE_UPS = "line_ups", _("teams choose their players each round")

    league = models.ForeignKey(League, models.CASCADE, related_name="competitions")
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.SEASON)
    timezone = models.CharField(
        _("time zone"),
        max_length=60,
        default="UTC",
        validators=[validate_timezone],
        help_text=_("Enter a city. Dates and times are shown in this zone."),
    )
    day_begins = models.PositiveSmallIntegerField(
        _("the day of play begins at"),
        default=5,
        validators=[MaxValueValidator(LATEST_BEGIN)],
        help_text=_(
            "Tables and payments before this hour belong to the evening before. With 0:00 an evening ends at "
            "midnight."
        ),
    )
    visibility = models.CharField(
        _("visibility"), max_length=10, choices=Visibility, default=Visibility.PUBLIC
    )
    counting = models.CharField(_("results count"), max_length=10, choices=Counting, default=Counting.ENTERED)
    tie_breaks = models.JSONField(_("tie-breaks"), default=list)
    suggest_fourth = models.BooleanField(
        _("suggest the fourth score while a score sheet is entered"),
        default=True,
        help_text=_(
            "If this is off, all four scores must be entered, and a wrong sum reveals a typing error."
        ),
    )
    approval_from = models.CharField(
        _("chief referee approves from level"),
        max_length=40,
        blank=True,
        help_text=_(
            "Until approved, such a penalty is a request: it does not count, and visitors do not see it."
        ),
    )
    penalties_shown = models.CharField(
        _("penalties shown to visitors"),
        max_length=10,
        choices=PenaltiesShown,
        default=PenaltiesShown.ALL,
        help_text=_(
            "This applies to every page and every file. Referees, scorers and organizers always see "
            "everything."
        ),
    )
    names_misconduct = models.BooleanField(
        _("visitors read what misconduct it was"),
        default=False,
        help_text=_("Otherwise they read level and effect of unfair play, such as insults or gambling."),
    )
    expulsion = models.CharField(
        _("seats of an expelled player"),
        max_length=10,
        choices=Expulsion,
        default=Expulsion.SUBSTITUTE,
        help_text=_("The default for the remaining seats. You can change it for each seat."),
    )
    takes_calls = models.BooleanField(
        _("tables can call a referee"),
        default=True,
        help_text=_("Visitors scan the QR code on their table."),
    )
    objection_minutes = models.PositiveSmallIntegerField(
        _("time for objections, in minutes"),
        default=30,
        validators=[MaxValueValidator(LONGEST_OBJECTION)],
        help_text=_(
            "Players of a table can object to its score sheet or a penalty for this long. 0: not at all."
        ),
    )
    table_key = models.CharField(max_length=64, default=new_token, editable=False)
    takes_sheets = models.BooleanField(
        _("tables can enter their score sheets"),
        default=True,
        help_text=_(
            "Players scan the QR code on their table and enter the scores. Paper is always valid beside it."
        ),
    )
    signatures = models.CharField(
        _("signed at the table by"), max_length=10, choices=Signatures, default=Signatures.NONE
    )
    signed_counts = models.BooleanField(
        _("signed score sheets count at once"),
        default=False,
        help_text=_("Otherwise they wait until staff approve them."),
    )
    one_phone = models.BooleanField(
        _("one phone may collect several signatures"),
        default=True,
        help_text=_(
            "If this is off, each player signs on their own phone. A second signature from one phone is "
            "marked and does not count until the player signs elsewhere or staff sign for the seat."
        ),
    )
    shows_hands = models.BooleanField(
        _("visitors see the points during play"),
        default=False,
        help_text=_("Only of tables that keep their hands, in rounds whose results are published."),
    )
    shows_chances = models.BooleanField(
        _("show marks and chances"),
        default=True,
        help_text=_(
            "In the last rounds standings show who is through or out. A page estimates everyone’s chances."
        ),
    )
    release = models.CharField(
        _("results are published"),
        max_length=10,
        choices=Release,
        default=Release.HAND,
        help_text=_(
            "Rounds follow this setting from their start. A change here hides nothing that is published, and "
            "publishes nothing."
        ),
    )
    previous = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="next_seasons",
        verbose_name=_("previous season"),
    )
    team_play = models.CharField(_("teams"), max_length=10, choices=TeamPlay, default=TeamPlay.NONE)
    least_hanchan = models.PositiveIntegerField(
        _("minimum games per player for the team"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_GAMES)],
        help_text=_("Counted in the division’s first stage. Players below this number are marked."),
    )
    most_hanchan = models.PositiveIntegerField(
        _("maximum games per player for the team"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_GAMES)],
        help_text=_("Counted in the division’s first stage. Players who reach it can no longer be picked."),
    )
    place = models.CharField(_("venue"), max_length=120, blank=True, validators=[validate_visible])
    first_day = models.DateField(
        _("first day"), null=True, blank=True, help_text=_("Leave empty to show the days of the rounds.")
    )
    last_day = models.DateField(_("last day"), null=True, blank=True)
    short_name = models.CharField(_("short name"), max_length=40, blank=True, validators=[validate_visible])
    city = models.CharField(_("city"), max_length=60, blank=True, validators=[validate_visible])
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[COUNTRY])
    mers_weight = models.DecimalField(
        _("MERS weight"),
        max_digits=3,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    notice = models.CharField(
        _("notice"),
        max_length=300,
        blank=True,
        validators=[validate_visible],
        help_text=_("Shown on top of every page of the competition. Leave empty to remove it."),
    )
    notice_until = models.DateField(
        _("last day of the notice"),
        null=True,
        blank=True,
        help_text=_("Leave empty to show it until you remove it."),
    )
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)
    revision = models.PositiveBigIntegerField(default=1, editable=False)
    version = models.PositiveBigIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    is_draft = models.BooleanField(default=False, editable=False)

    objects = WholeCompetitions()
    with_drafts = models.Manager["Competition"]()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(least_hanchan__lte=F("most_hanchan")),
                name="least_hanchan_up_to_the_most",
                violation_error_message=_("The maximum must not be lower than the minimum."),
            ),
            models.CheckConstraint(condition=~Q(previous=F("id")), name="season_does_not_follow_on_itself"),
            models.CheckConstraint(
                condition=Q(last_day__isnull=True) | Q(first_day__isnull=False, last_day__gte=F("first_day")),
                name="last_day_not_before_the_first",
                violation_error_message=_("The last day must not be before the first day."),
            ),
            models.CheckConstraint(
                condition=Q(day_begins__lte=LATEST_BEGIN),
                name="day_begins_in_the_morning",
                violation_error_message=_("The day of play begins at an hour from 0 to 12."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def seen_version(self, *, public: bool) -> str:
        """The version of what the public sees, or of what staff and players see."""
        return f"r{self.revision}" if public else f"v{self.version}"

    @property
    def zone_city(self) -> str:
        return zone_city(self.timezone)

    @property
    def crowns_teams(self) -> bool:
        """Return whether the winner is a team and not a player."""
        return self.team_play == self.TeamPlay.LINE_UPS

    @property
    def only_day(self) -> datetime.date | None:
        sole = self.last_day == self.first_day or (not self.last_day and self.kind == self.Kind.EVENT)
        return self.first_day if sole else None

    @property
    def counted_statuses(self) -> tuple[str, ...]:
        return ("confirmed",) if self.counting == self.Counting.CONFIRMED else ("entered", "confirmed")
