from typing import Any

from django.utils import timezone

from league.core.access import Access
from league.models import Round, Table
from league.play.calls.queries import clock_of, message_kinds, open_call
from league.play.disputes.queries import disputes_at


def table_desk(access: Access, table: Table, *, sees_results: bool) -> dict[str, Any]:
    """Return the context of `templates/calls/_desk.html`, without forms so that pages can be cached."""
    is_open = table.round.status == Round.Status.OPEN
    call = open_call(table) if is_open else None
    reads = access.is_staff or access.sits_at(table)
    disputes = disputes_at(table) if reads else []
    kinds, until = (
        ([], None) if access.is_staff else message_kinds(table, public=not reads, now=timezone.now())
    )
    return {
        "clock": clock_of(table, sees_results=sees_results),
        "call": call,
        "may_call": is_open and call is None and access.competition.takes_calls,
        "kinds": kinds,
        "objections_until": until,
        "may_dispute": reads and (access.is_staff or kinds) and table.round.status != Round.Status.PLANNED,
        "open_dispute": next((dispute for dispute in disputes if dispute.closed_at is None), None),
        "closed_disputes": [dispute for dispute in disputes if dispute.closed_at is not None],
        "versions": versions_at(access, table),
    }


def versions_at(access: Access, table: Table) -> str:
    """Return the versions from which this person's page of the table is rendered."""
    return f"{access.seen_version} {table.round.version} {table.version}"
