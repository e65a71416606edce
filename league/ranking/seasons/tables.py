from typing import Any, ClassVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.tables import Column, Inside, Rows, ScoreColumn
from league.core.tags import rank
from league.ranking.seasons.queries import DivisionEnd, MoveLine
from scoring.promotion import DOWN, PLAY_OFF, UP


class DivisionEndTable(Rows):
    """The players of a division, and where each goes at the end of the season, in pages of their own."""

    class Meta:
        row_attrs: ClassVar = {"class": lambda record: f"move-{record.move.kind}"}

    css = "season-table"

    rank = Column(_("Rank"), css="number")
    player = Column(_("Player"), accessor="info__name", css="name", heads_row=True)
    to = Inside("seasons/_move.html", _("Next season"))
    total = ScoreColumn(_("Total"), attrs={"cell": {"class": "number"}})

    def __init__(self, end: DivisionEnd, **options: Any) -> None:
        super().__init__(end.lines, page_field=f"page_{end.division.pk}", **options)
        self.end, self.caption = end, end.division.name

    def render_rank(self, record: MoveLine) -> SafeString | str:
        return rank(record)


class SizesTable(Rows):
    """The players of each division now and next season."""

    caption = _("Players next season")
    css = ""

    division = Column(_("Division"), css="name", heads_row=True)
    players = Column(pgettext_lazy("players", "Now"), css="number")
    promoted = Column(_("Promoted"), accessor=f"counts__{UP}", css="number")
    relegated = Column(_("Relegated"), accessor=f"counts__{DOWN}", css="number")
    play_off = Column(_("Play-off"), accessor=f"counts__{PLAY_OFF}", css="number")
    next_players = Inside("seasons/_next_players.html", _("Next season"), css="number")
