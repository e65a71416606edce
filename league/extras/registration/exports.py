"""The list of entries as CSV or a workbook, for organizers."""

import io
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.files.columns import DATE, LONG, MOMENT, MONEY, WHOLE, Column, local_moment
from league.core.files.csv import csv_text
from league.core.files.xlsx import MEDIA_TYPE, PLAIN, ExcelBook, add_filled
from league.core.zones import zone_of
from league.models import Competition, Registrant

FORMATS = {"csv": "text/csv; charset=utf-8", "xlsx": MEDIA_TYPE}


def write_registrants(competition: Competition, entries: Sequence[Registrant], form: str) -> bytes:
    """Write entries whose `differences` are set."""
    columns, rows = _columns(), [_cells(competition, entry) for entry in entries]
    if form == "csv":
        return csv_text(columns, rows).encode()
    book, stream = ExcelBook(heading=competition.name), io.BytesIO()
    add_filled(book, _("Registrations"), columns, [(PLAIN, row) for row in rows], frozen=2)
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


def _cells(competition: Competition, entry: Registrant) -> list[object]:
    """Return the values in the order of the columns."""
    named = (entry.registration.division, entry.name, entry.romanized, entry.state.label, entry.position)
    typed = (entry.email, entry.language, entry.country, entry.club, entry.number, entry.phone, entry.answer)
    zone = zone_of(competition)
    moments = [local_moment(at, zone) for at in (entry.created_at, entry.confirmed_at)]
    noted = (entry.paid_on, entry.paid, entry.note, " ".join(entry.differences))
    return [None if value in ("", 0) else value for value in (*named, *typed, *moments, *noted)]
