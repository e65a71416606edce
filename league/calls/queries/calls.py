"""Calls for a referee that wait, for the queue and for the table's page."""

import uuid
from dataclasses import dataclass, field

from league.models import Call, Competition, Table


@dataclass(frozen=True)
class CallLine:
    """A call that waits. The keys are for the forms of its two buttons: each submission is saved once."""

    call: Call
    key: uuid.UUID = field(default_factory=uuid.uuid4)
    done_key: uuid.UUID = field(default_factory=uuid.uuid4)


def calls_of(competition: Competition) -> list[CallLine]:
    """The calls that nobody has dealt with, the longest waiting first. One query.

    `templates/disputes/_calls.html` shows them: it takes `calls` (this list), `competition` and `user`.
    """
    waiting = Call.objects.filter(table__round__stage__division__competition=competition)
    related = ("table__round__stage__division", "taken_by", "created_by")
    found = waiting.filter(closed_at__isnull=True).select_related(*related).order_by("created_at", "pk")
    return [CallLine(call) for call in found]


def open_call(table: Table) -> Call | None:
    """The call of this table that waits, if there is one."""
    return Call.objects.filter(table=table, closed_at__isnull=True).select_related("taken_by").first()
