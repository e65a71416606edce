"""Penalties, disputes with their steps and evidence, calls, and bans with their waivers.

A penalty is logged once and revoked with a reason, never edited. Steps are only added to a dispute.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competitions import Competition, League
from league.models.play import Round, Table
from league.models.querysets import TableRows
from league.models.stages import Stage
from players.models import Player
from players.text import validate_visible


class Dispute(models.Model):
    """A dispute at a table. `step` is its last step. The table's clock is paused from `paused_at` to
    `resumed_at`.

    The steps are those of the HKMA (罰則總則): 爭議, 初步裁決, 恢復比賽, 異議溝通, 裁決會議, 最終裁決.
    """

    class Step(models.TextChoices):
        OPENED = "opened", _("dispute")
        PRELIMINARY = "preliminary", _("preliminary ruling")
        RESUMED = "resumed", _("play resumed")
        OBJECTION = "objection", _("objection heard")
        MEETING = "meeting", _("ruling meeting")
        FINAL = "final", _("final ruling")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="disputes")
    table = models.ForeignKey(Table, models.CASCADE, related_name="disputes")
    hand = models.CharField(pgettext_lazy("one deal", "hand"), max_length=12, blank=True)
    subject = models.CharField(_("what happened"), max_length=500, validators=[validate_visible])
    step = models.CharField(max_length=12, choices=Step, default=Step.OPENED)
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True, blank=True)
    resumed_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = TableRows["Dispute"].as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(closed_at__isnull=True),
                name="one_open_dispute_a_table",
                violation_error_message=_("This table already has an open dispute."),
            ),
            models.CheckConstraint(
                condition=Q(resumed_at__isnull=True)
                | Q(resumed_at__gte=F("paused_at"), paused_at__isnull=False),
                name="dispute_resumes_what_it_paused",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.subject[:40]}"


class DisputeStep(models.Model):
    dispute = models.ForeignKey(Dispute, models.CASCADE, related_name="steps")
    kind = models.CharField(max_length=12, choices=Dispute.Step)
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField()
    said = models.TextField(_("what was said"), max_length=2000, blank=True)
    decided = models.TextField(_("what was decided"), max_length=2000, blank=True)
    redeal = models.BooleanField(
        _("hand replayed"), default=False, help_text=_("Lift the win ban for this hand")
    )

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"{self.dispute_id} {self.kind}"


class Evidence(models.Model):
    """A note or a photograph of a dispute. Files lie outside all served folders."""

    dispute = models.ForeignKey(Dispute, models.CASCADE, related_name="evidence")
    note = models.CharField(_("note"), max_length=500, blank=True, validators=[validate_visible])
    file = models.FileField(
        _("photograph"),
        upload_to="evidence/%Y/%m/",
        blank=True,
        help_text=_("JPEG, PNG or WebP, at most 10 MB. Date and place are removed."),
    )
    content_type = models.CharField(max_length=40, blank=True)
    size = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]
        verbose_name_plural = "evidence"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(note="") | ~Q(file=""),
                name="evidence_is_a_note_or_a_file",
                violation_error_message=_("Enter a note or choose a photograph."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.dispute_id} {self.note[:40]}"


class Call(models.Model):
    """A call for a referee, or a message of `player` about their table. Without `created_by` a visitor only
    claimed to be the player.
    """

    class Kind(models.TextChoices):
        REFEREE = "referee", pgettext_lazy("message", "call")
        OBJECTION = "objection", pgettext_lazy("message", "objection")
        LATE = "late", pgettext_lazy("message", "late")
        ABSENT = "absent", pgettext_lazy("message", "cannot come")

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.REFEREE)
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    table = models.ForeignKey(Table, models.CASCADE, related_name="calls")
    note = models.CharField(_("note"), max_length=200, blank=True, validators=[validate_visible])
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField()
    taken_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    taken_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = TableRows["Call"].as_manager()

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(closed_at__isnull=True, kind="referee"),
                name="one_open_call_a_table",
                violation_error_message=_("A referee has already been called to this table."),
            ),
            models.UniqueConstraint(
                fields=["table", "kind", "player"],
                condition=Q(closed_at__isnull=True),
                name="one_open_message_a_player",
                violation_error_message=_("Staff already have this message."),
            ),
            models.CheckConstraint(
                condition=Q(taken_by__isnull=True) | Q(taken_at__isnull=False), name="call_taken_has_its_time"
            ),
            models.CheckConstraint(
                condition=Q(closed_by__isnull=True) | Q(closed_at__isnull=False),
                name="call_closed_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.created_at:%H:%M}"


class Penalty(models.Model):
    """A penalty. `score` is added to the player's total, in tenths: −20 deducts 2.0.

    `infraction` and `level` are codes of the penalty rules (A-II, 4+), or empty for free text. `condition` is
    the index of the offence's condition, `units` the number of tiles or minutes. `suggested`: the levels of
    the rules if the referee departed from them. A ban on winning (`win_ban`) lasts while the table plays
    `hand`. `logged_hand`: number of the hand in the table's log that implied the penalty
    (`league.play.hands.offences`), or None if a referee logged it.
    """

    class Status(models.TextChoices):
        IN_FORCE = "in_force", _("in force")
        REQUESTED = "requested", _("awaiting the chief referee")
        DECLINED = "declined", _("declined by the chief referee")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="penalties")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="penalties")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="penalties")
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, related_name="penalties")
    player = models.ForeignKey(Player, models.PROTECT, related_name="penalties")
    infraction = models.CharField(_("offence"), max_length=40, blank=True)
    level = models.CharField(_("level"), max_length=40, blank=True)
    score = models.IntegerField(_("score"))
    reason = models.CharField(_("reason"), max_length=300, blank=True, validators=[validate_visible])
    hand = models.CharField(pgettext_lazy("one deal", "hand"), max_length=12, blank=True)
    logged_hand = models.PositiveIntegerField(null=True, blank=True)
    condition = models.PositiveSmallIntegerField(null=True, blank=True)
    units = models.PositiveSmallIntegerField(default=1)
    suggested = models.CharField(max_length=40, blank=True)
    win_ban = models.BooleanField(default=False)
    together = models.UUIDField(null=True, blank=True)
    dispute = models.ForeignKey(Dispute, models.RESTRICT, null=True, blank=True, related_name="penalties")
    status = models.CharField(max_length=10, choices=Status, default=Status.IN_FORCE)
    decided_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    decide_reason = models.CharField(max_length=300, blank=True, validators=[validate_visible])
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField()
    revoked_by = models.ForeignKey(
        "auth.User", models.PROTECT, null=True, blank=True, related_name="revoked_penalties"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoke_reason = models.CharField(max_length=300, blank=True, validators=[validate_visible])
    revoked_in = models.ForeignKey(
        Dispute, models.RESTRICT, null=True, blank=True, related_name="revoked_penalties"
    )

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        verbose_name_plural = "penalties"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(
                    revoked_at__isnull=True,
                    revoked_by__isnull=True,
                    revoked_in__isnull=True,
                    revoke_reason="",
                )
                | (Q(revoked_at__isnull=False) & ~Q(revoke_reason="")),
                name="revoked_with_a_reason",
                violation_error_message=_("A revoked penalty needs a reason."),
            ),
            models.CheckConstraint(
                condition=~Q(reason="") | ~Q(infraction=""),
                name="penalty_names_its_offence",
                violation_error_message=_("Choose an offence or enter a reason."),
            ),
            models.CheckConstraint(
                condition=Q(status="declined", decided_at__isnull=False) & ~Q(decide_reason="")
                | ~Q(status="declined"),
                name="declined_with_a_reason",
                violation_error_message=_("A declined request needs a reason."),
            ),
            models.CheckConstraint(
                condition=Q(table__isnull=True) | Q(round__isnull=False),
                name="penalty_table_has_its_round",
                violation_error_message=_("A penalty at a table must belong to that table’s round."),
            ),
            models.CheckConstraint(
                condition=Q(logged_hand__isnull=True) | Q(table__isnull=False),
                name="penalty_of_a_logged_hand_has_its_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.score}"

    @property
    def counts(self) -> bool:
        """Return whether it is in force and not revoked, even if its round is not published."""
        return self.revoked_at is None and self.status == self.Status.IN_FORCE

    @property
    def waits(self) -> bool:
        return self.revoked_at is None and self.status == self.Status.REQUESTED

    @property
    def is_of_hands(self) -> bool:
        """Return whether the table's log of hands asked for it."""
        return self.logged_hand is not None


class Ban(models.Model):
    """A player's ban from all competitions of the league, from `since` to `until` (None: permanent), or until
    it is lifted with a reason.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="bans")
    player = models.ForeignKey(Player, models.PROTECT, related_name="bans")
    since = models.DateField(pgettext_lazy("date", "from"))
    until = models.DateField(
        _("until"), null=True, blank=True, help_text=_("Leave empty for a permanent ban.")
    )
    reason = models.CharField(_("reason"), max_length=300, validators=[validate_visible])
    penalty = models.ForeignKey(Penalty, models.SET_NULL, null=True, blank=True, related_name="bans")
    created_by = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    lifted_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)
    lift_reason = models.CharField(max_length=300, blank=True, validators=[validate_visible])

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")),
                name="ban_ends_after_it_begins",
                violation_error_message=_("A ban cannot end before it begins."),
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by__isnull=True, lift_reason="")
                | (Q(lifted_at__isnull=False) & ~Q(lift_reason="")),
                name="ban_lifted_with_a_reason",
                violation_error_message=_("A lifted ban needs a reason."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.since} – {self.until or ''}"


class Waiver(models.Model):
    ban = models.ForeignKey(Ban, models.CASCADE, related_name="waivers")
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="waivers")
    reason = models.CharField(_("reason"), max_length=300, validators=[validate_visible])
    created_by = models.ForeignKey("auth.User", models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["ban", "competition"],
                name="waiver_once_a_competition",
                violation_error_message=_("This player is already allowed to play here despite the ban."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.ban_id} {self.competition_id}"
