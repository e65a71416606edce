from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.tables import Column, Inside, Rows
from league.core.text import listed
from league.people.members.queries import PlayerInfo
from league.ranking.standings.columns import TEAM_PAGE
from league.ranking.standings.tables import StandingsTable


class TeamsTable(StandingsTable):
    all_columns = TEAM_PAGE
    sortable = False
    caption = _("Teams")


class AwardsTable(Rows):
    """The best players of a team competition."""

    caption = _("Best players")

    label = Column(pgettext_lazy("an award", "For"), heads_row=True)
    players = Column(_("Player"), css="name")
    value = Inside("boards/_award.html", pgettext_lazy("of a fact", "Value"), css="number")

    def render_players(self, value: Sequence[PlayerInfo]) -> str:
        return listed(info.name for info in value)
