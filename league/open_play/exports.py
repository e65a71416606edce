from collections.abc import Sequence
from itertools import groupby
from typing import IO, Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.files.columns import DATE, MONEY, SCORE, TEXT, WHOLE, Column
from league.core.files.xlsx import BAND, PLAIN, ExcelBook, add_filled
from league.models import Stage
from league.open_play.queries import EveningRow, evening_rows, sum_fees


def write_evenings(stage: Stage, stream: IO[bytes]) -> None:
    rows = evening_rows(stage)
    date, name = Column("date", _("Date"), DATE), Column("name", pgettext("of a person", "Name"))
    money = [Column("amount_paid", _("Amount paid"), MONEY), Column("open", _("Open amount"), MONEY)]
    columns = [
        date,
        name,
        Column("games", _("Games"), WHOLE),
        Column("score", _("Score"), SCORE),
        Column("sat_out", _("Sat out"), WHOLE, optional=True),
        Column("paid", _("Paid")),
        *(
            Column(each.key, each.header, each.kind, optional=True)
            for each in (Column("fee", _("Table fee"), MONEY), *money)
        ),
        Column("player", _("Key")),
    ]
    book = ExcelBook(heading=f"{stage.division.competition.name} {stage.name}")
    add_filled(book, _("Evenings"), columns, [(PLAIN, _cells(row)) for row in rows], frozen=2)
    by_name = sorted(rows, key=lambda row: (row.info.name, row.info.player))
    by_day = [(day, list(same)) for day, same in groupby(rows, key=lambda row: row.day)]
    by_player = [
        (person, list(same))
        for (person, _key), same in groupby(by_name, key=lambda row: (row.info.name, row.info.player))
    ]
    players, evenings = Column("players", _("Players"), WHOLE), Column("evenings", _("Evenings"), WHOLE)
    _add_sums(book, _("Table fees by day"), [date, players, *money], by_day)
    _add_sums(book, _("Table fees by player"), [name, evenings, *money], by_player)
    book.save(stream)


def _add_sums(
    book: ExcelBook, title: str, columns: Sequence[Column], groups: Sequence[tuple[Any, Sequence[EveningRow]]]
) -> None:
    owing = [(head, [row for row in rows if row.fee is not None]) for head, rows in groups]
    owing = [(head, rows) for head, rows in owing if rows]
    if not owing:
        return
    sheet = book.sheet(title, columns)
    for head, rows in owing:
        sheet.add([head, len(rows), *_sums(rows)])
    every = [row for _head, rows in owing for row in rows]
    kinds = [TEXT, *(column.kind for column in columns[1:])]
    sheet.add([_("Total"), len(every), *_sums(every)], look=BAND, kinds=kinds)


def _sums(rows: Sequence[EveningRow]) -> tuple[Any, ...]:
    return sum_fees(row.presence for row in rows) or ()


def _cells(row: EveningRow) -> list[Any]:
    presence = row.presence
    paid = _("yes") if presence and presence.paid else _("no")
    sat_out = presence.sat_out or None if presence else None
    fees = [row.fee, *(sum_fees([presence]) or (None, None))]
    return [row.day, row.info.name, row.games, row.score, sat_out, paid, *fees, row.info.key]
