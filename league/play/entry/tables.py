from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, PersonColumn, Rows, ScoreColumn


class RankingTable(Rows):
    """The scores of an evening's players (`EveningPlayer`)."""

    caption = _("This evening")
    css = ""

    info = PersonColumn(_("Player"), heads_row=True)
    games = Column(_("Games"), css="text-end tabular")
    score = ScoreColumn(_("Total"))
