"""The seating as a sheet of the workbook: one row per table, with the four names from east to north."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.files.columns import DATE, WHOLE, Column
from league.core.files.looks import BAND, PLAIN
from league.core.files.xlsx import ROUNDS, ExcelBook
from league.core.zones import day_of
from league.models import Competition, Round
from league.organizing.seating.queries.lists import ListedSeat, ListedTable, seated_rounds, seating_lists
from league.play.results.queries.games import days_of_rounds


def add_seating(book: ExcelBook, competition: Competition, *, public: bool) -> None:
    """Add every seated round, or no sheet without one. ``public``: only published seatings."""
    rounds = Round.objects.of(competition)
    if public:
        rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
    found = seated_rounds(rounds.select_related("stage__division"))
    if not found:
        return
    sheet = book.sheet(_("Seating"), _columns(), frozen=0, tab=ROUNDS)
    days = days_of_rounds(competition)
    for number, listed in enumerate(seating_lists(found, competition, public=public)):
        for table in listed.tables:
            if sheet.is_full:
                sheet = book.sheet(_("Seating"), _columns(), frozen=0, tab=ROUNDS)
            sheet.add(list(_row(listed.round, table, days)), look=BAND if number % 2 else PLAIN)


def _columns() -> list[Column]:
    return [
        Column("division", _("Division")),
        Column("stage", _("Stage")),
        Column("round", _("Round"), WHOLE),
        Column("date", _("Date"), DATE),
        Column("table", _("Table"), WHOLE),
        Column("east", pgettext("wind", "East")),
        Column("south", pgettext("wind", "South")),
        Column("west", pgettext("wind", "West")),
        Column("north", pgettext("wind", "North")),
    ]


def _row(round_: Round, table: ListedTable, days: Mapping[int, date]) -> Iterator[Any]:
    competition, meets = round_.competition, table.table.meets_at
    day = day_of(competition, meets) if meets else round_.date or days.get(round_.pk)
    yield from (round_.stage.division.name, round_.stage.name, round_.number, day, table.table.number)
    winds = {seat.wind: seat for seat in table.seats}
    for wind in range(4):
        yield _player_words(winds[wind]) if wind in winds else None


def _player_words(seat: ListedSeat) -> str | None:
    if seat.player is None:
        return None
    if seat.stands_for is None:
        return seat.player.label
    return _("%(name)s for %(absent)s") % {"name": seat.player.label, "absent": seat.stands_for.label}
