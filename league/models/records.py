from typing import ClassVar

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, League


class Submission(models.Model):
    """One form sent once. A duplicate gets the first answer, and the same key with other content is refused.

    A form about a league's own rules has no competition.
    """

    key = models.UUIDField(primary_key=True)
    competition = models.ForeignKey(Competition, models.CASCADE, null=True, related_name="+")
    user = models.ForeignKey("auth.User", models.CASCADE, null=True, related_name="+")
    fingerprint = models.CharField(max_length=64)
    answer = models.JSONField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.key)


class ImportJob(models.Model):
    """The import of one competition file: how far it is, and how it ended.

    ``competition`` is its draft, and in the end the competition. Who works on it says so in ``seen_at`` all
    the time; after a long silence it is taken for killed (``league.organizing.interchange.services.drafts``).
    ``problems`` are those of the file, each with its place, or the one reason for which it was refused.
    """

    class Status(models.TextChoices):
        READING = "reading"
        WRITING = "writing"
        DONE = "done"
        REFUSED = "refused"
        CANCELLED = "cancelled"

    league = models.ForeignKey(League, models.CASCADE, null=True, related_name="+")
    user = models.ForeignKey("auth.User", models.CASCADE, null=True, related_name="+")
    key = models.UUIDField(null=True, unique=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    replace = models.BooleanField(
        _("replace the competition of this league with the same address"),
        default=False,
        help_text=_(
            "Its rounds, results and penalties are replaced by those in the file. Roles and the audit "
            "log are kept."
        ),
    )
    removes = models.PositiveIntegerField(
        _("number of disputes, photographs and calls to be removed"),
        null=True,
        validators=[MaxValueValidator(2**31 - 1)],
        help_text=_("Only needed if the replaced competition has any."),
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.READING)
    problems = models.JSONField(default=list)
    stopped = models.BooleanField(default=False)
    tables = models.PositiveIntegerField(default=0)
    written = models.PositiveIntegerField(default=0)
    cancel = models.BooleanField(default=False)
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()
    competition = models.ForeignKey(Competition, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.pk} {self.status}"


class KeptFile(models.Model):
    """A download that a task makes, or an upload that waits for its import. No backup holds it.

    ``asked`` and ``facts`` are fingerprints: of the facts at the last request, and of those of ``content``.
    Making it began at ``read_at``, when the public could see ``published``. ``refusal`` is the code of the
    reason why it cannot be made. ``asked_at`` is empty once the task has ended.
    """

    key = models.CharField(max_length=64, unique=True)
    competition = models.ForeignKey(Competition, models.CASCADE, null=True, related_name="+")
    asked = models.CharField(max_length=32, blank=True)
    asked_at = models.DateTimeField(null=True)
    facts = models.CharField(max_length=32, blank=True)
    read_at = models.DateTimeField(null=True)
    published = models.JSONField(default=list)
    refusal = models.CharField(max_length=40, blank=True)
    content = models.BinaryField(null=True)
    size = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.key


class LogEntry(models.Model):
    """One change with actor, time, and values before and after, chained by hash to the previous entry.

    It holds ids, never names, and digests of texts (`LogText`), so that the chain stays whole when a person
    is erased. The database refuses UPDATE and DELETE (`league.models.triggers`).
    """

    sequence = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    actor = models.ForeignKey("auth.User", models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=60)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        abstract = True
        ordering: ClassVar = ["sequence"]

    def __str__(self) -> str:
        return f"{self.owner_key}#{self.sequence} {self.action}"

    @property
    def target_pk(self) -> int:
        """Return the id of the target, which is written with its kind: "round:12"."""
        _kind, _colon, pk = self.target.partition(":")
        return int(pk)

    @property
    def owner_key(self) -> int | str:
        raise NotImplementedError


class AuditEntry(LogEntry):
    competition = models.ForeignKey(Competition, models.PROTECT, related_name="audit_entries")

    class Meta(LogEntry.Meta):
        abstract = False
        verbose_name_plural = "audit entries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "sequence"], name="audit_sequence_once_a_competition"
            )
        ]

    @property
    def owner_key(self) -> int | str:
        return self.competition_id


class LeagueEntry(LogEntry):
    league = models.ForeignKey(League, models.PROTECT, related_name="log_entries")

    class Meta(LogEntry.Meta):
        abstract = False
        verbose_name_plural = "league entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "sequence"], name="league_sequence_once_a_league")
        ]

    @property
    def owner_key(self) -> int | str:
        return f"league {self.league_id}"


class LogText(models.Model):
    """A text of the log. `digest` is the SHA-256 of `salt` and `text`. Erasing a person removes their name
    from the text, and the salt, so that the digest does not help to guess it.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    salt = models.CharField(max_length=32, blank=True)
    text = models.TextField()

    def __str__(self) -> str:
        return self.digest
