from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Inside, Rows


class PlayersTable(Rows):
    """The entrants of a competition."""

    caption = _("Players")
    css = "table-hover align-middle table-sticky roster"
    per_page = 100

    player = Inside("roster/_player.html", _("Player"), css="sticky")
    division = Column()
    country = Column(accessor="player__country")
    club = Column(accessor="player__club")
    numbers = Inside("roster/_numbers.html", _("Federation numbers"))
    key = Column()
    state = Inside("roster/_state.html", _("State"))
