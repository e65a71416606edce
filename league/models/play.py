from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, ClassVar, Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Mod
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competitions import Competition
from league.models.entrants import Entrant
from league.models.querysets import RoundRows, Rounds, StageRows, Versions
from league.models.stages import Stage
from players.models import Player
from players.text import validate_visible
from scoring.rules import Rules
from scoring.settlement import Ending, Four, NamedPairs, SeatResult, settle_ending
from scoring.units import WINDS

LONGEST_CLOCK = 600  # minutes


class Round(models.Model):
    """One hanchan for everyone seated. `visibility` says what the public sees. The days of a planned round
    are public if it is `announced`. `method` and `seed` reproduce the seating.

    The tables of a round with `until` meet by agreement of their players, from `date` to `until`. Teams name
    their players before `line_ups_until`.
    """

    class Method(models.TextChoices):
        SCHEDULE = "schedule", _("whole schedule")
        SWISS = "swiss", _("Swiss")
        RANK = "rank", _("by rank")
        INTERVAL = "interval", _("interval")
        RANDOM = "random", _("random")
        HAND = "hand", _("by hand")
        PLAN = "plan", _("own plan")

    class Status(models.TextChoices):
        PLANNED = "planned", _("planned")
        OPEN = "open", pgettext_lazy("round", "open")
        CLOSED = "closed", pgettext_lazy("round", "closed")

    class Visibility(models.TextChoices):
        HIDDEN = "hidden", _("hidden")
        SEATING = "seating", _("seating published, results hidden")
        RESULTS = "results", _("published")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(9999)]
    )
    date = models.DateField(_("date"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.PLANNED)
    visibility = models.CharField(
        _("visibility"), max_length=10, choices=Visibility, default=Visibility.HIDDEN
    )

    announced = models.BooleanField(
        _("dates in the public calendar"),
        default=False,
        help_text=_("If this is off, only staff can see the dates until the rounds are published."),
    )
    until = models.DateField(
        _("until"),
        null=True,
        blank=True,
        help_text=_("Only if each table agrees on a time within a window."),
    )
    line_ups_until = models.DateTimeField(
        _("line-up deadline"),
        null=True,
        blank=True,
        help_text=_("Leave empty for no deadline before seating."),
    )
    clock_started_at = models.DateTimeField(null=True, blank=True)
    clock_minutes = models.PositiveSmallIntegerField(
        _("minutes of this round"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_CLOCK)],
    )
    method = models.CharField(max_length=12, choices=Method, blank=True)
    seed = models.BigIntegerField(null=True, blank=True)
    version = models.PositiveBigIntegerField(default=1, editable=False)

    objects = Rounds["Round"].as_manager()

    class Meta:
        ordering: ClassVar = ["number", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["stage", "number"],
                name="round_number_once_a_stage",
                violation_error_message=_("This stage already has a round with this number."),
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(date__isnull=False, until__gte=F("date")),
                name="window_ends_after_it_begins",
                violation_error_message=_("The window ends before it begins. Enter the later day second."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"

    @property
    def competition(self) -> Competition:
        return self.stage.competition

    @property
    def rules(self) -> Rules:
        return self.stage.rules

    @property
    def minutes(self) -> int | None:
        """Return the time limit: that of the rules, or that of the round's clock, or None."""
        return self.clock_minutes if self.rules.minutes is None else self.rules.minutes


class Table(models.Model):
    """Four seats in a round. `hand` is the present deal as noted by the referees: "E1.0" is east 1 without
    honba. `extra_seconds` are added to its clock. `meets_at` is the time of the table if it differs from the
    round's date (history: `league.models.calendar`).
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField(_("number"))
    hand = models.CharField(pgettext_lazy("one deal", "hand"), max_length=12, blank=True)
    extra_seconds = models.PositiveIntegerField(default=0)
    meets_at = models.DateTimeField(_("meets at"), null=True, blank=True)
    version = models.PositiveBigIntegerField(default=1, editable=False)

    objects = RoundRows["Table"].as_manager()

    class Meta:
        ordering: ClassVar = ["number", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "number"],
                name="table_number_once_a_round",
                violation_error_message=_("This round already has a table with this number."),
            )
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def competition(self) -> Competition:
        return self.round.competition

    @property
    def rules(self) -> Rules:
        return self.round.rules


class Seat(models.Model):
    """A player at the start of a table. `round` repeats the table's, so that the database refuses a second
    seat.

    A substitute sits for the player `stands_for`. `came_late`: play had begun. `until_back`: the substitute
    also sits for them in later rounds of the stage.
    """

    class Wind(models.IntegerChoices):
        EAST = 0, _("East")
        SOUTH = 1, _("South")
        WEST = 2, _("West")
        NORTH = 3, _("North")

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats", db_index=False)  # see indexes
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    wind = models.PositiveSmallIntegerField(_("wind"), choices=Wind)
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    stands_for = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    came_late = models.BooleanField(default=False)
    until_back = models.BooleanField(default=False)

    objects = RoundRows["Seat"].as_manager()

    class Meta:
        ordering: ClassVar = ["wind"]
        indexes: ClassVar = [models.Index(fields=["table", "wind", "player"], name="seat_players_of_a_table")]
        constraints: ClassVar = [
            # Always true (see Wind). With a condition SQLite does not search this index but
            # reads the covering one above, which spares a look-up for each seat of a season.
            models.UniqueConstraint(
                fields=["table", "wind"],
                condition=Q(wind__gte=0),
                name="wind_once_a_table",
                violation_error_message=_("This seat is already taken."),
            ),
            models.UniqueConstraint(
                fields=["round", "player"],
                name="one_seat_a_player_a_round",
                violation_error_message=_("This player already has a seat in this round."),
            ),
            # By this index standings read only the few seats of substitutes of a season.
            models.UniqueConstraint(
                fields=["round", "stands_for"],
                condition=Q(stands_for__isnull=False),
                name="one_substitute_a_player_a_round",
            ),
            models.CheckConstraint(
                condition=Q(stands_for__isnull=True, came_late=False, until_back=False)
                | (Q(stands_for__isnull=False) & ~Q(stands_for=F("player"))),
                name="substitute_stands_for_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}:{self.wind}"

    @property
    def competition(self) -> Competition:
        return self.round.competition

    @property
    def owner_id(self) -> int:
        """Return the player whose seat it is, also while a substitute sits there."""
        return self.stands_for_id or self.player_id

    @property
    def substitution(self) -> dict[str, Any]:
        return {
            "stands_for_id": self.stands_for_id,
            "came_late": self.came_late,
            "until_back": self.until_back,
        }


class SittingOut(models.Model):
    """A player who was present for a round without a seat in it. A player with neither a seat nor this row
    was absent. The row stays while the player sits for another one, so that they sit out again afterwards,
    and readers leave it out until then.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="sitting_out")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")

    objects = RoundRows["SittingOut"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        verbose_name_plural = "sitting out"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "player"], name="sits_out_once_a_round")
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.player_id}"


NOBODY = "----"


def named_text(sashiuma: Mapping[int, int]) -> str:
    """Encode the sashiuma of east, south, west and north: in "1---" east named south."""
    return "".join(str(sashiuma.get(seat, "-")) for seat in range(4))


@lru_cache(maxsize=1024)
def named_of(text: str) -> NamedPairs:
    """Return the pairs (seat, named seat) of `named_text`."""
    return tuple((seat, int(named)) for seat, named in enumerate(text) if named != "-")


def _whole_hundreds(field: str) -> Q:
    return Q(Exact(Mod(F(field), 100), 0))


class SheetFacts(models.Model):
    """The facts of a score sheet: raw points by seat, and riichi deposits left, in points.

    `last_dealer`, `named` and chips matter only if the rule set knows them.
    """

    east = models.IntegerField()
    south = models.IntegerField()
    west = models.IntegerField()
    north = models.IntegerField()
    sticks = models.PositiveIntegerField(default=0)
    # Only some rule sets need these: ties that count from the last dealer, sashiuma, and chips.
    last_dealer = models.PositiveSmallIntegerField(choices=Seat.Wind, default=Seat.Wind.NORTH)
    named = models.CharField(max_length=4, default=NOBODY)
    east_chips = models.IntegerField(default=0)
    south_chips = models.IntegerField(default=0)
    west_chips = models.IntegerField(default=0)
    north_chips = models.IntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def points(self) -> tuple[int, int, int, int]:
        return (self.east, self.south, self.west, self.north)

    @property
    def chips(self) -> tuple[int, int, int, int]:
        return (self.east_chips, self.south_chips, self.west_chips, self.north_chips)

    @property
    def ending(self) -> Ending:
        return Ending(self.sticks, self.last_dealer, named_of(self.named), self.chips)

    def settled(self, rules: Rules, *, late: Collection[int] = ()) -> tuple[SeatResult, ...]:
        return _settle(rules, self.points, self.ending._replace(late=tuple(late)))


def sheet_columns(points: Sequence[int], ending: Ending) -> dict[str, Any]:
    """Return the columns of `SheetFacts` for its `points` and `ending`."""
    return {
        **dict(zip(WINDS, points, strict=True)),
        "sticks": ending.sticks,
        "last_dealer": ending.last_dealer,
        "named": named_text(dict(ending.sashiuma)),
        **{f"{wind}_chips": chips for wind, chips in zip(WINDS, ending.chips, strict=True)},
    }


FORFEITED: Final = "forfeited"  # instead of "void", if the table was never played


def sheet_state(status: str, version: int) -> str:
    """Return the status of a sheet, or ``FORFEITED`` for a void first version, which has no game's points."""
    return FORFEITED if status == Sheet.Status.VOID and version == 1 else status


class Sheet(SheetFacts):
    """One version of a table's score sheet.

    A correction is the next version, with its reason. The current version is the table's result. `total` is
    four times the starting points of its rule set. `is_typed`: a person typed it, and it did not come with a
    file, with players or from another table.
    """

    class Status(models.TextChoices):
        ENTERED = "entered", _("entered")
        CONFIRMED = "confirmed", _("confirmed")
        VOID = "void", pgettext_lazy("result", "void")

    table = models.ForeignKey(Table, models.CASCADE, related_name="sheets")
    version = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.ENTERED)
    total = models.PositiveIntegerField()
    reason = models.CharField(_("reason"), max_length=300, blank=True, validators=[validate_visible])
    dispute = models.ForeignKey(
        "league.Dispute", models.RESTRICT, null=True, blank=True, related_name="sheets"
    )
    entered_by = models.ForeignKey(
        "auth.User", models.PROTECT, null=True, blank=True, related_name="entered_sheets"
    )
    entered_at = models.DateTimeField()
    is_typed = models.BooleanField(default=False)
    confirmed_by = models.ForeignKey(
        "auth.User", models.PROTECT, null=True, blank=True, related_name="confirmed_sheets"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)

    objects = Versions["Sheet"].as_manager()

    class Meta:
        ordering: ClassVar = ["version"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "version"],
                name="version_once_a_table",
                violation_error_message=_("Someone else saved this table a moment ago."),
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(is_current=True),
                name="one_current_result_a_table",
                violation_error_message=_("This table already has a current result."),
            ),
            models.CheckConstraint(
                condition=Q(total=F("east") + F("south") + F("west") + F("north") + F("sticks")),
                name="points_and_deposits_add_up",
                violation_error_message=_("Points and deposits must sum to four times the starting points."),
            ),
            models.CheckConstraint(
                condition=Q(
                    Exact(F("east_chips") + F("south_chips") + F("west_chips") + F("north_chips"), 0)
                ),
                name="chips_sum_to_zero",
                violation_error_message=_("Chips must sum to zero."),
            ),
            models.CheckConstraint(
                condition=_whole_hundreds("east")
                & _whole_hundreds("south")
                & _whole_hundreds("west")
                & _whole_hundreds("north"),
                name="points_in_hundreds",
                violation_error_message=_("Points must be multiples of 100."),
            ),
            models.CheckConstraint(
                condition=Q(Exact(Mod(F("sticks"), 1000), 0)),
                name="deposits_in_thousands",
                violation_error_message=_("Riichi deposits must be multiples of 1,000."),
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by__isnull=True)
                | Q(entered_by__isnull=True)
                | ~Q(confirmed_by=F("entered_by")),
                name="confirmed_by_a_second_person",
                violation_error_message=_(
                    "The person who entered a score sheet cannot confirm it. Ask a second person."
                ),
            ),
            models.CheckConstraint(
                condition=Q(status="confirmed", confirmed_at__isnull=False)
                | (~Q(status="confirmed") & Q(confirmed_at__isnull=True, confirmed_by__isnull=True)),
                name="confirmed_has_its_time",
                violation_error_message=_("A confirmed score sheet needs the time of confirmation."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} v{self.version}"

    @property
    def state(self) -> str:
        return sheet_state(self.status, self.version)


@lru_cache(maxsize=1024)  # of 1 kB each: with each sheet of a round that is saved others are read again
def _settle(rules: Rules, points: Four, ending: Ending) -> tuple[SeatResult, ...]:
    return settle_ending(points, ending, rules)


class Evening(models.Model):
    """A day of a stage with its own table fee, in any currency. Guests pay `guest_fee`, if it is set."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="evenings")
    day = models.DateField(_("Day"))
    fee = models.DecimalField(_("table fee"), max_digits=8, decimal_places=2, null=True, blank=True)
    guest_fee = models.DecimalField(
        _("table fee of guests"),
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        help_text=_("Leave empty if guests pay the same."),
    )

    class Meta:
        ordering: ClassVar = ["day"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["stage", "day"],
                name="evening_once_a_day",
                violation_error_message=_("This day already has an evening."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.day}"

    def fee_of(self, *, guest: bool) -> Decimal | None:
        return self.guest_fee if guest and self.guest_fee is not None else self.fee


class Presence(models.Model):
    """An entrant who came on a day of a stage. `sat_out` counts drawn hanchan without a seat. `left`: they
    went home. `paid`: the table fee `fee`, which is None if no amount was set. `paid_on` is None if the day
    of payment is unknown.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="presences")
    day = models.DateField(_("Day"))
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="presences")
    sat_out = models.PositiveSmallIntegerField(default=0)
    left = models.BooleanField(default=False)
    paid = models.BooleanField(default=False)
    paid_on = models.DateField(null=True, blank=True)
    fee = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)

    objects = StageRows["Presence"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["stage", "day", "entrant"],
                name="present_once_an_evening",
                violation_error_message=_("This player is already present."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} {self.day}"


class Adjustment(models.Model):
    """Points for a round that the player sat out or missed, or that a substitute played. `score` in tenths is
    added to the player's total without being a game. None: the player's present average of the stage's
    earlier rounds.

    Points carried in are those of `games` whose tables are not known, of a list that an organizer brought.
    These games count for the valid number, and for no place. `reason` names the round or the season.
    """

    class Kind(models.TextChoices):
        SAT_OUT = "sat_out", _("sat out")
        SUBSTITUTED = "substituted", _("was substituted")
        ABSENT = "absent", _("was absent")
        CARRIED_IN = "carried_in", _("carried in")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="adjustments")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="adjustments")
    player = models.ForeignKey(Player, models.PROTECT, related_name="adjustments")
    kind = models.CharField(max_length=12, choices=Kind)
    score = models.IntegerField(
        _("score"), null=True, help_text=_("At most one decimal, for example -30 or 2.5.")
    )
    games = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True, validators=[validate_visible])
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = StageRows["Adjustment"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "player", "kind"],
                condition=Q(revoked_at__isnull=True),
                name="one_adjustment_of_a_kind_a_round",
                violation_error_message=_("This player already has such an adjustment in this round."),
            ),
            # The constraint above takes rounds that are NULL for different ones.
            models.UniqueConstraint(
                fields=["stage", "player", "kind", "score", "reason"],
                condition=Q(revoked_at__isnull=True, round__isnull=True),
                name="no_equal_adjustments_without_a_round",
                violation_error_message=_("This player already has such an adjustment."),
            ),
            models.CheckConstraint(
                condition=Q(score__isnull=False) | Q(kind="sat_out", round__isnull=False),
                name="average_for_sitting_out_a_round",
            ),
            models.CheckConstraint(
                condition=Q(kind="carried_in", round__isnull=True) | (~Q(kind="carried_in") & Q(games=0)),
                name="games_of_points_carried_in_without_a_round",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind} {self.score}"

    @property
    def competition(self) -> Competition:
        return self.stage.competition


class SeatingDraft(models.Model):
    """A seating that is not accepted yet, at most one per stage.

    `rounds`: the ids of the rounds in order, null for a round created on acceptance. `asked`: the request
    (`seating.queries.seating.Asked`), participants and round numbers. `plan`: the best so far, for
    each round the table numbers with four player ids, east first. `search`: the state from which a search
    continues. `based_on`: a fingerprint of the facts behind the plan. Without a plan it stores the last
    request.
    """

    stage = models.OneToOneField(Stage, models.CASCADE, related_name="draft")
    method = models.CharField(max_length=12, choices=Round.Method)
    rounds = models.JSONField()
    asked = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField()
    plan = models.JSONField(default=list, blank=True)
    search = models.JSONField(default=dict, blank=True)
    based_on = models.CharField(max_length=64)
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    objects = StageRows["SeatingDraft"].as_manager()

    def __str__(self) -> str:
        return f"{self.stage_id} {self.method}"
