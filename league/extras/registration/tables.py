from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.columns import DATE, LONG, MOMENT, MONEY, WHOLE
from league.core.tables import Column, Inside, Rows
from league.models import Registrant, Registration


class RegistrantsTable(Rows):
    """Registrations of a competition, for organizers, each with a box to choose it. Their `differences` are
    set.
    """

    caption = _("Registrations")
    css = "table-sticky registrants"
    per_page = 200
    file = (
        *("division", "name", "romanized", "state", "position", "email", "language", "country", "club"),
        *("number", "phone", "answer", "registered", "confirmed", "paid_on", "amount", "note", "differences"),
    )

    choice = Inside("registration/_choice.html", _("Choose"), unseen=True)
    name = Inside("registration/_name.html", pgettext_lazy("of a person", "Name"), css="sticky")
    state = Inside("registration/_state.html", _("State"), raw=lambda row: row.state.label)
    division = Column(_("Division"), accessor="registration__division")
    country = Column(_("Country"), optional=True)
    club = Column(_("Club"), optional=True)
    number = Inside("registration/_number.html", _("EMA number"), key="ema_number", optional=True)
    paid = Inside("registration/_paid.html", _("Paid"))
    romanized = Column(_("Romanized name"), optional=True, on_page=False)
    position = Column(
        _("Position"), raw=lambda row: row.position or None, kind=WHOLE, optional=True, on_page=False
    )
    email = Column(_("Email"), on_page=False)
    language = Column(_("Language"), on_page=False)
    phone = Column(_("Phone number"), optional=True, on_page=False)
    answer = Column(_("Answer"), kind=LONG, optional=True, on_page=False)
    registered = Column(_("Registered"), accessor="created_at", kind=MOMENT, on_page=False)
    confirmed = Column(_("Confirmed"), accessor="confirmed_at", kind=MOMENT, optional=True, on_page=False)
    paid_on = Column(_("Paid on"), kind=DATE, optional=True, on_page=False)
    amount = Column(
        _("Amount paid"),
        raw=lambda row: row.paid or None,
        key="paid",
        kind=MONEY,
        optional=True,
        on_page=False,
    )
    note = Column(_("Note"), kind=LONG, optional=True, on_page=False)
    differences = Column(
        _("Differs from the list"),
        raw=lambda row: " ".join(row.differences),
        kind=LONG,
        optional=True,
        on_page=False,
    )


class ParticipantsTable(Rows):
    """The accepted people of a division, for visitors."""

    css = "table-sticky"

    name = Inside("registration/_participant.html", pgettext_lazy("of a person", "Name"), css="sticky")
    country = Column(_("Country"))
    club = Column(_("Club"))

    def __init__(self, offer: Registration, registrants: list[Registrant], **options: Any) -> None:
        super().__init__(registrants, prefix=f"{offer.division}-", **options)
        self.offer, self.caption = offer, offer.part.name
