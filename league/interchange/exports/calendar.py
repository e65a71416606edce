"""The calendar, written into a competition file (``league.interchange.imports.calendar`` reads it)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q

from league.models import Appointment, Competition, Round, Stage, Table
from players.text import tidy

Json = dict[str, Any]
_ORDER = ("division__position", "division_id", "position", "pk")


def calendar_json(competition: Competition, keys: Mapping[int, str]) -> Json:
    """What there is of it under ``calendar``; nothing where nothing was said. ``keys``: player id → id in
    the file.
    """
    free = Stage.objects.filter(division__competition=competition, play=Stage.Play.OPEN)
    windows = Round.objects.filter(stage__division__competition=competition, until__isnull=False)
    parts = {
        "free": [_stage(stage) for stage in free.select_related("division").order_by(*_ORDER)],
        "windows": [
            {**_stage(each.stage), "round": each.number, "until": each.until.isoformat()}
            for each in windows.select_related("stage__division").order_by(*_within("stage"), "number", "pk")
            if each.until is not None
        ],
        "tables": _tables(competition, keys),
    }
    found = {name: part for name, part in parts.items() if part}
    return {"calendar": found} if found else {}


def _within(path: str) -> list[str]:
    return [f"{path}__{name}" for name in _ORDER]


def _stage(stage: Stage) -> Json:
    return {"division": stage.division.slug, "stage": stage.slug}


def _tables(competition: Competition, keys: Mapping[int, str]) -> list[Json]:
    said = Appointment.objects.filter(table=OuterRef("pk"))
    found = Table.objects.filter(round__stage__division__competition=competition)
    found = found.filter(Q(meets_at__isnull=False) | Exists(said)).select_related("round__stage__division")
    every = Prefetch("appointments", Appointment.objects.order_by("pk").prefetch_related("consents"))
    order = (*_within("round__stage"), "round__number", "round_id", "number", "pk")
    return [_table(table, keys) for table in found.prefetch_related(every).order_by(*order)]


def _table(table: Table, keys: Mapping[int, str]) -> Json:
    found: Json = {**_stage(table.round.stage), "round": table.round.number, "table": table.number}
    if table.meets_at is not None:
        found["meets_at"] = _moment(table.meets_at)
    if said := [_said(each, keys) for each in table.appointments.all()]:
        found["said"] = said
    return found


def _said(appointment: Appointment, keys: Mapping[int, str]) -> Json:
    agreed = sorted(appointment.consents.all(), key=lambda consent: consent.pk)
    found: Json = {
        "kind": appointment.kind,
        "at": _moment(appointment.created_at),
        "meets_at": _moment(appointment.meets_at) if appointment.meets_at else None,
        "place": tidy(appointment.place),
        "reason": tidy(appointment.reason),
        "agreed": [keys[consent.player_id] for consent in agreed if consent.player_id in keys],
    }
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
