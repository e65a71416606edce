"""The facts that come from a table: its score sheet before it counts, signatures, and its hands."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.play import Seat, Sheet, SheetFacts, Table
from league.models.querysets import TableRows, Versions
from players.models import Player
from players.text import validate_visible


class Proposal(SheetFacts):
    """A score sheet as the table typed it, which does not count yet.

    `number` counts those of the table. The current one waits for its signatures. `sheet` is the result that
    was recorded from it, or for which a correction asks for new signatures. `player`: whose phone typed it.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="proposals")
    number = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    sheet = models.OneToOneField(Sheet, models.CASCADE, null=True, blank=True, related_name="proposal")
    user = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    objects = Versions["Proposal"].as_manager()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "number"],
                name="proposal_number_once_a_table",
                violation_error_message=_("Someone else saved this table a moment ago."),
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(is_current=True),
                name="one_current_proposal_a_table",
                violation_error_message=_("This table already has a current score sheet."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} p{self.number}"


class Signature(models.Model):
    """An answer to a proposal: a signature, or with `agrees` false an objection with the points as they
    should be, if typed (four numbers).

    `wind` is the seat that signs, or None for the referee or staff member of `Competition.Signatures.STAFF`.
    Staff sign for a seat with a reason. `device`: the number that the browser keeps in a cookie, "" if it was
    not asked for one. A device that signs for a second seat of the table signs `SHARED`.
    """

    class How(models.TextChoices):
        ACCOUNT = "account", pgettext_lazy("signed", "with their account")
        PHONE = "phone", pgettext_lazy("signed", "on their own phone")
        SHARED = "shared", pgettext_lazy("signed", "on one phone with another player")
        STAFF = "staff", pgettext_lazy("signed", "by staff")

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="signatures")
    wind = models.PositiveSmallIntegerField(choices=Seat.Wind, null=True)
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    user = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    agrees = models.BooleanField(default=True)
    how = models.CharField(max_length=10, choices=How)
    device = models.CharField(max_length=32, blank=True)
    points = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=300, blank=True, validators=[validate_visible])
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["proposal", "wind"],
                condition=Q(agrees=True),
                name="seat_signs_once",
                violation_error_message=_("This seat has already signed."),
            ),
            models.CheckConstraint(
                condition=~Q(how="staff") | Q(user__isnull=False), name="staff_sign_by_name"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.proposal_id} {self.wind}"


class Claim(models.Model):
    """A phone that said at a table that it is this player's. `device`: its number, as in `Signature`."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="claims")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    device = models.CharField(max_length=32)
    at = models.DateTimeField()

    objects = TableRows["Claim"].as_manager()

    class Meta:
        ordering: ClassVar = ["at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "player", "device"], name="phone_claims_a_seat_once")
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.player_id}"


class HandEntry(models.Model):
    """One entry in the log of a table's hands. Entries are only added.

    The log is replayed in the order of `number`. `HAND` adds a hand after the last one, whose number becomes
    the name of that hand. `CORRECT`, `INSERT` (before it) and `REMOVE` name a hand by `target`. `RIICHI`
    replaces the riichi of the hand in play. `STEP` and `NAME` say which hand is played at a table that keeps
    no points. `START` says with which points the hands begin. `facts`: the hand as
    `scoring.hanchan.facts` writes it, or what the other kinds need. `key`: chosen by the device, so that an
    entry sent twice is one entry.
    """

    class Kind(models.TextChoices):
        HAND = "hand", pgettext_lazy("log of hands", "hand")
        CORRECT = "correct", pgettext_lazy("log of hands", "hand corrected")
        INSERT = "insert", pgettext_lazy("log of hands", "forgotten hand")
        REMOVE = "remove", pgettext_lazy("log of hands", "hand removed")
        RIICHI = "riichi", pgettext_lazy("log of hands", "riichi")
        STEP = "step", pgettext_lazy("log of hands", "next hand")
        NAME = "name", pgettext_lazy("log of hands", "current hand")
        START = "start", pgettext_lazy("log of hands", "points at the start")

    table = models.ForeignKey(Table, models.CASCADE, related_name="hand_entries")
    number = models.PositiveIntegerField()
    key = models.UUIDField()
    kind = models.CharField(max_length=10, choices=Kind)
    target = models.PositiveIntegerField(null=True, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    user = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    objects = TableRows["HandEntry"].as_manager()

    class Meta:
        ordering: ClassVar = ["number"]
        verbose_name_plural = "hand entries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "number"],
                name="hand_entry_number_once_a_table",
                violation_error_message=_("Someone else saved this table a moment ago."),
            ),
            models.UniqueConstraint(
                fields=["table", "key"],
                name="hand_entry_key_once_a_table",
                violation_error_message=_("This hand is already saved."),
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["correct", "insert", "remove"], target__isnull=False, target__lt=F("number")
                )
                | (~Q(kind__in=["correct", "insert", "remove"]) & Q(target__isnull=True)),
                name="hand_entry_names_an_earlier_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} #{self.number} {self.kind}"
