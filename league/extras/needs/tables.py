from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Inside, Rows, ScoreColumn
from league.core.tags import rank
from league.extras.needs.queries.race import Contestant


class ChanceLine(NamedTuple):
    """A contestant, and what is said of each line of the race."""

    contestant: Contestant
    cells: Sequence[dict[str, Any]]


class ChancesTable(Rows):
    """Everyone's chances, with a column per line. ``heads``: the short name of a line, and its words."""

    caption = _("Chances")
    css = "align-middle chances"
    per_page = 200

    rank = Column(_("Rank"), accessor="contestant__row", css="number")
    name = Inside("needs/_contestant.html", _("Player"), heads_row=True)
    total = ScoreColumn(_("Total"), accessor="contestant__row__total")

    def __init__(
        self,
        lines: Sequence[ChanceLine],
        heads: Sequence[tuple[Any, Any]],
        *,
        request: HttpRequest,
        **options: Any,
    ) -> None:
        columns = [
            (
                f"line_{number}",
                Inside(
                    "needs/_chance_cell.html",
                    short,
                    accessor=f"cells__{number}",
                    attrs={"th": {"title": words}},
                ),
            )
            for number, (short, words) in enumerate(heads)
        ]
        super().__init__(lines, request=request, extra_columns=columns, **options)

    def render_rank(self, value: Any) -> SafeString | str:
        return rank(value)


class TeamChancesTable(ChancesTable):
    name = Inside("needs/_contestant.html", _("Team"), heads_row=True)
