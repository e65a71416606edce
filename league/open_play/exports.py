"""The evenings of open play for members and the treasurer: who came, what they won, who has paid."""

from typing import IO, Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.files.columns import DATE, SCORE, WHOLE, Column
from league.core.files.xlsx import PLAIN, ExcelBook, add_filled
from league.models import Stage
from league.open_play.queries import EveningRow, evening_rows


def write_evenings(stage: Stage, stream: IO[bytes]) -> None:
    """A workbook with a row for each player of each day."""
    columns = [
        Column("date", _("Date"), DATE),
        Column("name", pgettext("of a person", "Name")),
        Column("games", _("Games"), WHOLE),
        Column("score", _("Score"), SCORE),
        Column("sat_out", _("Sat out"), WHOLE, optional=True),
        Column("paid", _("Paid")),
        Column("player", _("Key")),
    ]
    book = ExcelBook(heading=f"{stage.division.competition.name} {stage.name}")
    add_filled(book, _("Evenings"), columns, [(PLAIN, _cells(row)) for row in evening_rows(stage)], frozen=2)
    book.save(stream)


def _cells(row: EveningRow) -> list[Any]:
    presence = row.presence
    paid = _("yes") if presence and presence.paid else _("no")
    sat_out = presence.sat_out or None if presence else None
    return [row.day, row.info.name, row.games, row.score, sat_out, paid, row.info.key]
