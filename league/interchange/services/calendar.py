"""What a competition file says of the calendar: stages of open play, windows of rounds, the times of tables
with their history; and written as the file is imported.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from league.core.changes import Change
from league.interchange.services.keys import RoundKey, StageKey, TableKey
from league.models import Appointment, Consent, Round, Stage, Table
from players.models import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidFacts:
    """One word on when a table meets, and the ids of those who agreed to it."""

    kind: str
    at: datetime
    meets_at: datetime | None = None
    place: str = ""
    reason: str = ""
    agreed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFacts:
    """When a table meets, and what was said of it, oldest first."""

    table: TableKey
    meets_at: datetime | None = None
    said: tuple[SaidFacts, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarFacts:
    free: tuple[StageKey, ...] = ()
    windows: tuple[tuple[RoundKey, date], ...] = ()
    tables: tuple[TimeFacts, ...] = ()


def write_calendar(
    done: Change,
    facts: CalendarFacts,
    stages: Mapping[StageKey, Stage],
    rounds: Mapping[RoundKey, Round],
    players: Mapping[str, Player],
) -> None:
    """Write it after rounds, tables and people."""
    Stage.objects.filter(pk__in=[stages[key].pk for key in facts.free]).update(play=Stage.Play.OPEN)
    for key, until in facts.windows:
        rounds[key].until = until
    Round.objects.bulk_update([rounds[key] for key, _until in facts.windows], ["until"], batch_size=500)
    if not facts.tables:
        return
    found = Table.objects.filter(round__stage__division__competition=done.competition)
    by_place = {(table.round_id, table.number): table for table in found}
    spoken_of = []
    for each in facts.tables:
        division, stage, number, table_number = each.table
        table = by_place[rounds[division, stage, number].pk, table_number]
        table.meets_at = each.meets_at
        spoken_of.append((table, each))
    Table.objects.bulk_update([table for table, _facts in spoken_of], ["meets_at"], batch_size=500)
    _write_said(done, [(table, said) for table, each in spoken_of for said in each.said], players)


def _write_said(done: Change, every: list[tuple[Table, SaidFacts]], players: Mapping[str, Player]) -> None:
    made = Appointment.objects.bulk_create(
        Appointment(
            table=table,
            kind=said.kind,
            meets_at=said.meets_at,
            place=said.place,
            reason=said.reason,
            created_by=done.by,
            created_at=said.at,
        )
        for table, said in every
    )
    Consent.objects.bulk_create(
        Consent(appointment=appointment, player=players[player], created_at=said.at)
        for appointment, (_table, said) in zip(made, every, strict=True)
        for player in said.agreed
    )
