"""League, competition (season or event), divisions with their rule sets, stages, teams and entrants."""

import datetime
import json
import secrets
import zoneinfo
from functools import cache, cached_property, lru_cache
from typing import ClassVar, cast

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.names import GivenName
from league.models.querysets import Entrants, StageRows, Stages
from players.models import COUNTRY, Player, Register
from players.text import validate_visible
from scoring.rules import Rules
from scoring.standings import Numbers

LATEST_BEGIN = 12  # the hour at which a day of play can begin
LONGEST_OBJECTION = 10_080  # minutes: a week
MOST_GAMES = 1000
MOST_PLANNED = 999  # rounds of a stage, and places of its cut
LOWEST_RANK = 100_000


@cache
def time_zones() -> frozenset[str]:
    """Return the names of all time zones. Cached, because listing them opens hundreds of files."""
    return frozenset(zoneinfo.available_timezones())


def validate_timezone(name: str) -> None:
    if name not in time_zones():
        raise ValidationError(
            _("“%(name)s” is not a time zone. Choose one such as Asia/Hong_Kong or Europe/Paris."),
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


class RuleBook(models.Model):
    """A league's own rules, in numbered editions. An edition in use never changes."""

    league = models.ForeignKey(League, models.CASCADE, related_name="rule_books")
    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["league", "slug"],
                name="rule_book_slug_once_a_league",
                violation_error_message=_(
                    "Other rules of this league have this address. Choose another one."
                ),
            ),
            models.UniqueConstraint(
                fields=["league", "name"],
                name="rule_book_name_once_a_league",
                violation_error_message=_(
                    "This league already has rules with this name. Choose another one."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OwnCatalogue(models.Model):
    """A league's own penalty rules. `base`: the slug of the rules that they extend, or empty. `entries`: the
    added or changed offences (`scoring.infractions`).
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="catalogues")
    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    base = models.CharField(max_length=40, blank=True)
    entries = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["league", "slug"],
                name="catalogue_slug_once_a_league",
                violation_error_message=_("Other penalty rules of this league have this address."),
            )
        ]

    def __str__(self) -> str:
        return self.name


class RuleSet(models.Model):
    """The chosen values of a rule set. A later edition of the preset never changes them.

    It is an edition of a book, with its `number`, or a copy for one division, made from `preset` and
    `edition`. `readings` says which text was chosen where the preset's sources contradict each other
    (`league.rules.rule_sets.readings`). The penalty rules are the preset's, or those of `catalogue` (a slug
    of `scoring.infractions`) or `own_catalogue`.
    """

    preset = models.CharField(max_length=40)
    edition = models.CharField(max_length=40, blank=True)
    values = models.JSONField()
    book = models.ForeignKey(RuleBook, models.CASCADE, null=True, blank=True, related_name="editions")
    number = models.PositiveIntegerField(_("edition"), null=True, blank=True)
    readings = models.JSONField(default=list, blank=True)
    catalogue = models.CharField(max_length=40, blank=True)
    own_catalogue = models.ForeignKey(
        OwnCatalogue, models.PROTECT, null=True, blank=True, related_name="rule_sets"
    )
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["book", "number"],
                name="edition_number_once_a_book",
                violation_error_message=_("These rules already have an edition with this number."),
            ),
            models.CheckConstraint(
                condition=Q(book__isnull=True, number__isnull=True)
                | Q(book__isnull=False, number__isnull=False, number__gte=1),
                name="edition_of_a_book_has_its_number",
                violation_error_message=_("Editions of a league’s own rules are numbered from 1."),
            ),
        ]

    def __str__(self) -> str:
        made_from = f"{self.preset} {self.edition}".strip()
        return made_from if self.book_id is None else f"{made_from}, {self.book_id}#{self.number}"

    @cached_property
    def rules(self) -> Rules:
        return _rules_of(json.dumps(self.values))


@lru_cache(maxsize=64)
def _rules_of(values: str) -> Rules:
    """Parse the rules of these values in JSON once, because that costs more than the rest of a short page."""
    return Rules.from_values(json.loads(values))


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

    `HIDES_NOTHING`: the fields whose change hides nothing from visitors. Every other field decides what they
    see (`league.models.publicity`).
    """

    HIDES_NOTHING: ClassVar = frozenset(
        {
            *("id", "league", "slug", "name", "timezone", "day_begins", "place", "first_day", "last_day"),
            *("tie_breaks", "approval_from", "objection_minutes", "table_key", "previous"),
            *("least_hanchan", "most_hanchan", "short_name", "city", "country", "mers_weight"),
            *("notice", "notice_until", "finished_at", "revision", "version", "created_at"),
        }
    )

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
        help_text=_("The best games are those with the best scores. Penalties always count in full."),
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
