from typing import Any, ClassVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.tables import Column, Inside, Rows, ScoreColumn
from league.core.tags import rank, score
from league.models import StageEntrant
from league.ranking.standings.words import unranked_words
from scoring.standings import Row

NUMBER: dict[str, Any] = {"class": "number"}


def _why_unranked(record: Any) -> str | None:
    row = record.row
    return unranked_words(row) if row and row.shown_rank is None else None


class CutTable(Rows):
    """The players in and out of a cut, with rank and total in the stage before, on one page."""

    class Meta:
        row_attrs: ClassVar = {"class": lambda record: "" if record.position else "cut-out"}

    caption = _("Qualifiers")
    css = ""
    per_page = 10_000

    position = Column(_("Position"), css="number", empty_values=(0,))
    name = Column(_("Player"), accessor="info__name", css="name", heads_row=True)
    rank = Column(_("Rank"), accessor="row", attrs={"th": NUMBER, "td": NUMBER | {"title": _why_unranked}})
    total = ScoreColumn(_("Total"), accessor="row__total", attrs={"cell": NUMBER})
    brought = Column(_("Carried over and head start"), css="number")
    how = Column(_("Qualified by"), default=pgettext_lazy("of the cut", "out"))

    def render_rank(self, value: Row) -> SafeString | str:
        return rank(value)

    def render_brought(self, value: int, record: Any) -> str:
        return score(value) if record.position else ""

    def render_how(self, value: str) -> str:
        return str(StageEntrant.How(value).label)


class TeamCutTable(CutTable):
    name = Column(_("Team"), accessor="info__name", css="name", heads_row=True)


class QualifiersTable(Rows):
    """The players of a stage and how they came into it, on one page."""

    caption = _("Qualifiers for this stage")
    css = ""
    per_page = 10_000

    position = Column(_("Position"), accessor="entrant__position", css="number")
    name = Column(_("Player"), accessor="info__name", css="name", heads_row=True)
    head_start = ScoreColumn(_("Head start"), accessor="entrant__head_start", attrs={"cell": NUMBER})
    how = Inside("stages/_how.html", _("Qualified by"))
