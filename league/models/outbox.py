"""Messages that leave the server later."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from league.models.competitions import Competition
from league.models.notices import Channel

WAITING = Q(sent_at=None, given_up_at=None)


class Outgoing(models.Model):
    """A message to a device, a mail address or a webhook. Backups do not contain it.

    `channel`: of a notice. `key`: of the message, which is put once. `stream`: messages of one stream leave
    one after the other, or in any order if it is empty. `address`: of a mail to an address that no other row
    has, until it has left or is given up. `due_at`: when it is tried next. While a process sends it, `due_at`
    is the end of that process's claim. `problem`: why the last attempt failed.
    """

    class Kind(models.TextChoices):
        PUSH = "push"
        MAIL = "mail"
        WEBHOOK = "webhook"

    competition = models.ForeignKey(Competition, models.CASCADE, null=True, blank=True, related_name="+")
    channel = models.ForeignKey(Channel, models.CASCADE, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=200, unique=True)
    stream = models.CharField(max_length=100, blank=True)
    address = models.CharField(max_length=2000, blank=True)
    payload = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        verbose_name_plural = "outgoing messages"
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="outgoing_by_due", condition=WAITING),
            models.Index(fields=["stream"], name="outgoing_by_stream", condition=WAITING),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(sent_at=None) | Q(given_up_at=None), name="outgoing_is_sent_or_given_up"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
