from django.utils.translation import gettext_lazy as _

from league.core.tables import Inside, Rows
from league.organizing.brought.queries.plans import MOST_SHOWN


class TablesTable(Rows):
    """Tables of a list, as they will be saved."""

    caption = _("Tables")
    css = "align-middle blocks"
    per_page = MOST_SHOWN

    place = Inside("brought/_place.html", _("Table"))
    players = Inside("brought/_players.html", _("Players"))
    state = Inside("brought/_state.html", _("Saved as"))
