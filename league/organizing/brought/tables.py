from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Inside, PersonColumn, Rows, ScoreColumn
from league.organizing.brought.queries.plans import MOST_SHOWN, ResultsPlan


class TablesTable(Rows):
    """Tables of a list, as they will be saved."""

    caption = _("Tables")
    css = "align-middle blocks"
    per_page = MOST_SHOWN

    place = Inside("brought/_place.html", _("Table"))
    players = Inside("brought/_players.html", _("Players"))
    state = Inside("brought/_state.html", _("Saved as"))


class BalancesTable(Rows):
    """Players of a list without tables, as they will be saved."""

    caption = _("Points carried in")
    css = "align-middle blocks"
    per_page = MOST_SHOWN

    player = Column(_("Player"), accessor="balance__name", heads_row=True, css="name")
    parts = Inside("brought/_parts.html", _("Rounds"))
    games = Column(
        _("Games"),
        accessor="balance__games",
        attrs={"th": {"class": "number"}, "td": {"class": "number", "data-label": _("Games")}},
    )
    score = ScoreColumn(_("Score"), accessor="balance__score")
    state = Inside("brought/_state.html", _("Saved as"))


def balances_table(plan: ResultsPlan, request: HttpRequest) -> BalancesTable:
    """Return the players of a list without tables, without columns of which the list says nothing."""
    parts = [part for planned in plan.balances for part in planned.balance.parts]
    said = {"parts": any(part.note for part in parts), "games": any(part.games for part in parts)}
    without = [name for name, is_said in said.items() if not is_said]
    return BalancesTable(plan.shown_balances, request=request, without=without)


class OutcomeTable(Rows):
    """The standings with the tables of a list."""

    caption = _("Standings with these results")
    per_page = MOST_SHOWN

    rank = Column(_("Rank"), accessor="row__shown_rank", css="rank")
    player = PersonColumn(_("Player"), accessor="player", heads_row=True)
    games = Column(_("Games"), accessor="row__played", css="number")
    total = ScoreColumn(_("Total"), accessor="row__total")
