from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.tables import Column, Inside, MomentColumn, Rows


class SecurityTable(Rows):
    """The security log of the server, newest first."""

    caption = _("Security log")
    per_page = 100

    at = MomentColumn(pgettext_lazy("column", "Time"), form="H:i:s")
    kind = Inside("accounts/_event.html", _("Event"))
    name = Column(_("Name"), css="name text-break", default="")
    address = Column(pgettext_lazy("network", "Address"), default="")
    actions = Inside("accounts/_event_actions.html", _("Action"), unseen=True, css="text-end")
