from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.tables import Column, Inside, Rows
from league.models import Registrant, Registration


class RegistrantsTable(Rows):
    """Registrations of a competition, for organizers, each with a box to choose it."""

    caption = _("Registrations")
    css = "table-sticky registrants"
    per_page = 200

    choice = Inside("registration/_choice.html", _("Choose"), unseen=True)
    name = Inside("registration/_name.html", pgettext_lazy("of a person", "Name"), css="sticky")
    state = Inside("registration/_state.html", _("State"))
    division = Column(_("Division"), accessor="registration__division")
    country = Column(_("Country"))
    club = Column(_("Club"))
    number = Inside("registration/_number.html", _("EMA number"))
    paid = Inside("registration/_paid.html", _("Paid"))


class ParticipantsTable(Rows):
    """The accepted people of a division, for visitors."""

    css = "table-sticky"

    name = Inside("registration/_participant.html", pgettext_lazy("of a person", "Name"), css="sticky")
    country = Column(_("Country"))
    club = Column(_("Club"))

    def __init__(self, offer: Registration, registrants: list[Registrant], **options: Any) -> None:
        super().__init__(registrants, prefix=f"{offer.division}-", **options)
        self.offer, self.caption = offer, offer.part.name
