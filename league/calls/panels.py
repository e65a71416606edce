"""What a table's page shows of the referees."""

from dataclasses import dataclass

from league.calls.queries import Clock, clock_of, open_call
from league.core.access import Access
from league.disputes.queries import disputes_at
from league.models import Call, Dispute, Round, Table


@dataclass(frozen=True)
class TableDesk:
    """What a table's page shows of the referees: `templates/calls/_desk.html`.

    ``call`` is the call that waits; ``may_call``: there is none, and one may call. The button is a link: a
    public page holds no form, so that it can be kept. ``disputes`` are empty for those who may not read them.
    """

    clock: Clock | None
    call: Call | None
    may_call: bool
    may_dispute: bool
    disputes: tuple[Dispute, ...]
    versions: str

    @property
    def open_dispute(self) -> Dispute | None:
        return next((each for each in self.disputes if each.closed_at is None), None)

    @property
    def closed_disputes(self) -> list[Dispute]:
        return [each for each in self.disputes if each.closed_at is not None]


def table_desk(access: Access, table: Table, *, sees_results: bool) -> TableDesk:
    """Clock, call and disputes of a table, for this person."""
    is_open = table.round.status == Round.Status.OPEN
    call = open_call(table) if is_open else None
    reads = access.is_staff or access.sits_at(table)
    return TableDesk(
        clock=clock_of(table, sees_results=sees_results),
        call=call,
        may_call=is_open and call is None and access.competition.takes_calls,
        may_dispute=reads and table.round.status != Round.Status.PLANNED,
        disputes=tuple(disputes_at(table)) if reads else (),
        versions=versions_at(access, table),
    )


def versions_at(access: Access, table: Table) -> str:
    """The versions from which this person's page of the table is made."""
    return f"{access.seen_version} {table.round.version} {table.version}"
