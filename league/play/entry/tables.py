from typing import Any

from django.utils.functional import lazy
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Inside, PersonColumn, Rows, ScoreColumn
from league.core.tags import wind


class RankingTable(Rows):
    """The scores of an evening's players (`EveningPlayer`)."""

    caption = _("This evening")
    css = ""

    info = PersonColumn(_("Player"), heads_row=True)
    games = Column(_("Games"), css="text-end tabular")
    score = ScoreColumn(_("Total"))


class PointsColumn(Inside):
    """Points of a version of a score sheet, marked if they changed."""

    def __init__(self, inside: str, heading: Any, **options: Any) -> None:
        attrs = {"th": {"class": "number"}, "td": {"class": "points"}}
        super().__init__(inside, heading, attrs=attrs, **options)


def _seat_column(seat: int) -> PointsColumn:
    return PointsColumn("entry/_version_seat.html", lazy(wind, SafeString)(seat), accessor=f"cells__{seat}")


class VersionsTable(Rows):
    """The versions of a score sheet (`panels.history`), newest first."""

    caption = _("History")
    css = "align-middle sheet-history"

    version = Column(_("Version"), accessor="sheet__version", css="number")
    east = _seat_column(0)
    south = _seat_column(1)
    west = _seat_column(2)
    north = _seat_column(3)
    sticks = PointsColumn("entry/_version_deposits.html", _("Deposits"))
    people = Inside("entry/_version_people.html", _("Person and time"))
    reason = Inside("entry/_version_reason.html", _("Reason"))
