"""The list of entries as CSV or a workbook, for organizers, and an own entry as JSON."""

import io
import json
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.files.columns import DATE, LONG, MOMENT, MONEY, WHOLE, Column
from league.core.files.csv import csv_text
from league.core.files.xlsx import MEDIA_TYPE, PLAIN, ExcelBook, add_filled
from league.core.zones import zone_of
from league.models import Competition, Registrant
from league.personal_data.exports import REGISTERED
from league.registration.queries import Line

FORMATS = {"csv": "text/csv; charset=utf-8", "xlsx": MEDIA_TYPE}


def write_registrants(competition: Competition, lines: Sequence[Line], form: str) -> bytes:
    if form == "csv":
        return csv_text(_columns(), [_cells(competition, line) for line in lines]).encode()
    book, stream = ExcelBook(heading=competition.name), io.BytesIO()
    rows = [(PLAIN, _cells(competition, line)) for line in lines]
    add_filled(book, _("Registrations"), _columns(), rows, frozen=2)
    book.save(stream)
    return stream.getvalue()


def _columns() -> list[Column]:
    return [
        Column("division", _("Division")),
        Column("name", pgettext("of a person", "Name")),
        Column("romanized", _("Romanized name"), optional=True),
        Column("state", _("State")),
        Column("position", _("Position"), WHOLE, optional=True),
        Column("email", _("Email")),
        Column("language", _("Language")),
        Column("country", _("Country"), optional=True),
        Column("club", _("Club"), optional=True),
        Column("ema_number", _("EMA number"), optional=True),
        Column("phone", _("Phone number"), optional=True),
        Column("answer", _("Answer"), LONG, optional=True),
        Column("registered", _("Registered"), MOMENT),
        Column("confirmed", _("Confirmed"), MOMENT, optional=True),
        Column("paid_on", _("Paid on"), DATE, optional=True),
        Column("paid", _("Amount paid"), MONEY, optional=True),
        Column("note", _("Note"), LONG, optional=True),
        Column("differences", _("Differs from the list"), LONG, optional=True),
    ]


def _cells(competition: Competition, line: Line) -> list[Any]:
    each, zone = line.registrant, zone_of(competition)
    moments = [
        at.astimezone(zone).replace(tzinfo=None, microsecond=0) if at else None
        for at in (each.created_at, each.confirmed_at)
    ]
    texts = [each.email, each.language, each.country, each.club, each.number, each.phone, each.answer]
    return [
        each.registration.division,
        each.name,
        each.romanized or None,
        str(line.state.label),
        line.position or None,
        *(text or None for text in texts),
        *moments,
        each.paid_on,
        each.paid,
        each.note or None,
        " ".join(line.differences) or None,
    ]


def own_file(registrant: Registrant) -> bytes:
    """Return all that is kept of an entry, without the organizer's note."""
    facts = {"competition": registrant.registration.competition.name, "state": registrant.state}
    facts |= {name: getattr(registrant, name) for name in REGISTERED}
    return json.dumps(facts, ensure_ascii=False, indent=1, default=str).encode()
