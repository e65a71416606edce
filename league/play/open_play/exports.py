from collections.abc import Sequence
from typing import IO, Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.files.columns import DATE, MONEY, SCORE, TEXT, WHOLE, Column
from league.core.files.looks import BAND, PLAIN
from league.core.files.xlsx import ExcelBook, add_filled
from league.models import Stage
from league.play.open_play.queries import (
    EveningRow,
    FeeSum,
    evening_rows,
    fee_sums,
    fees_by_month,
    fees_by_person,
    sum_fees,
)


def write_evenings(stage: Stage, stream: IO[bytes]) -> None:
    rows = evening_rows(stage)
    date, name = Column("date", _("Date"), DATE), Column("name", pgettext("of a person", "Name"))
    money = [Column("amount_paid", _("Amount paid"), MONEY), Column("open", _("Open amount"), MONEY)]
    sums = [Column("due", _("Table fees due"), MONEY), *money]
    columns = [
        date,
        name,
        Column("guest", _("Guest"), optional=True),
        Column("games", _("Games"), WHOLE),
        Column("score", _("Score"), SCORE),
        Column("chips", _("Chips"), WHOLE, optional=True),
        Column("sat_out", _("Sat out"), WHOLE, optional=True),
        Column("paid", _("Paid")),
        Column("paid_on", _("Day of payment"), DATE, optional=True),
        *(
            Column(each.key, each.header, each.kind, optional=True)
            for each in (Column("fee", _("Table fee"), MONEY), *money)
        ),
        Column("player", _("Key")),
    ]
    book = ExcelBook(heading=f"{stage.competition.name} {stage.name}")
    add_filled(book, _("Evenings"), columns, [(PLAIN, _cells(row)) for row in rows], frozen=2)
    players, evenings = Column("players", _("Players"), WHOLE), Column("evenings", _("Evenings"), WHOLE)
    by_day = fee_sums(rows, lambda row: row.day)
    by_player = [fee._replace(of=fee.of.name) for fee in fees_by_person(rows)]
    by_month = [fee._replace(of=f"{fee.of:%Y-%m}") for fee in fees_by_month(rows)]
    month, fees = Column("month", _("Month")), Column("fees", _("Fees"), WHOLE)
    _add_sums(book, _("Table fees by day"), [date, players, *sums], by_day)
    _add_sums(book, _("Table fees by player"), [name, evenings, *sums], by_player)
    _add_sums(book, _("Table fees by month"), [month, fees, *sums], by_month)
    book.save(stream)


def _add_sums(book: ExcelBook, title: str, columns: Sequence[Column], sums: Sequence[FeeSum]) -> None:
    if not sums:
        return
    sheet = book.sheet(title, columns)
    for line in sums:
        sheet.add(line[:5])
    kinds = [TEXT, *(column.kind for column in columns[1:])]
    totals = [sum(column) for column in list(zip(*sums, strict=True))[1:5]]
    sheet.add([_("Total"), *totals], look=BAND, kinds=kinds)


def _cells(row: EveningRow) -> list[Any]:
    presence = row.presence
    paid = _("yes") if presence and presence.paid else _("no")
    sat_out = presence.sat_out or None if presence else None
    fees = sum_fees([(row.day, presence)])
    return [
        *(row.day, row.info.name, _("yes") if row.guest else None, row.games, row.score, row.chips or None),
        *(sat_out, paid, presence.paid_on if presence else None, row.fee),
        *((fees.paid, fees.owed) if fees else (None, None)),
        row.info.key,
    ]
