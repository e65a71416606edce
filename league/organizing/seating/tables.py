from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Inside, Rows


class DialTable(Rows):
    """Plans of a Swiss round by the weight of ranks, with the figures of each."""

    caption = _("Prefer")
    css = ""

    label = Column(_("Prefer"), heads_row=True)
    repeats = Column(_("Repeated meetings"), css="number")
    apart = Inside("seating/_apart.html", _("Average difference in rank"), css="number")
    choice = Inside("seating/_dial_choice.html", _("Action"), unseen=True)
