from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Inside, Rows


class CompetitionsTable(Rows):
    """The competitions of a league, newest first."""

    caption = _("Competitions")
    css = "table-sticky"

    name = Inside("competitions/_competition.html", _("Competition"), css="sticky")
    kind = Column()
    players = Column(_("Players"), css="number")
    rounds = Column(_("Rounds"), css="number")
    visibility = Inside("competitions/_visibility.html")
