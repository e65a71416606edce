from datetime import date
from decimal import Decimal
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.tables import Column, Inside, PersonColumn, Rows


class MoneyColumn(Column):
    """An amount, without cents if there are none."""

    def __init__(self, heading: Any) -> None:
        super().__init__(heading, css="text-end tabular")

    def render(self, value: Decimal) -> str:
        return floatformat(value, "-2")


class FeesTable(Rows):
    """Sums of table fees (`queries.FeeSum`). A subclass names what they are `of`, and what it counts."""

    css = ""

    of = Column(heads_row=True)
    fees = Column(css="text-end tabular")
    due = MoneyColumn(pgettext_lazy("money", "Due"))
    paid = MoneyColumn(_("Paid"))
    owed = MoneyColumn(pgettext_lazy("money", "Owed"))


class PersonFees(FeesTable):
    caption = _("By player")

    of = PersonColumn(_("Player"), heads_row=True)
    fees = Column(_("Evenings"), css="text-end tabular")
    open_days = Inside("open_play/_open_days.html", _("Not paid"))


class EveningFees(FeesTable):
    caption = _("By evening")

    of = Inside("open_play/_fee_day.html", _("Evening"), heads_row=True)
    fees = Column(_("Players"), css="text-end tabular")


class MonthFees(FeesTable):
    caption = _("By month")

    of = Column(_("Month"), heads_row=True)
    fees = Column(_("Fees"), css="text-end tabular")

    def render_of(self, value: date) -> str:
        return date_format(value, "YEAR_MONTH_FORMAT")
