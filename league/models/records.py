"""Submission keys, and the audit log."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from league.models.competitions import Competition


class Submission(models.Model):
    """One form sent once. The same key again gets the first answer; with other content it is refused.

    A form about a league's own rules has no competition.
    """

    key = models.UUIDField(primary_key=True)
    competition = models.ForeignKey(Competition, models.CASCADE, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    fingerprint = models.CharField(max_length=64)
    answer = models.JSONField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.key)


class AuditEntry(models.Model):
    """One change: who, when, what, before and after, chained by hash to the entry before it.

    It holds ids, never names, so that the chain stays whole when a person is erased. The database refuses
    UPDATE and DELETE (``league.models.triggers``).
    """

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="audit_entries")
    sequence = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=60)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["sequence"]
        verbose_name_plural = "audit entries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "sequence"], name="audit_sequence_once_a_competition"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id}#{self.sequence} {self.action}"
