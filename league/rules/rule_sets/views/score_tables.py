"""Score tables of a rule set."""

from typing import Any

from django.utils.translation import gettext as _

from league.rules.rule_sets.words.yaku import limit_name
from scoring.rules import Rules
from scoring.score_table import HAN, Cell, LimitRow, Price, ScoreTable, score_table


def score_page(rules: Rules) -> dict[str, Any]:
    table = score_table(rules)
    return {"han": HAN, "dealer": score_side(table, dealer=True), "other": score_side(table, dealer=False)}


def score_side(table: ScoreTable, *, dealer: bool) -> dict[str, Any]:
    """Return the rows of prices by fu, and the limits from mangan up."""

    def price(of: Cell | LimitRow) -> Price:
        return of.dealer if dealer else of.other

    return {
        "rows": [
            (cells[0].fu, [prices(price(cell), cell.limit) for cell in cells])
            for cells in zip(*table.rows, strict=True)
        ],
        "limits": [
            (limit_name(row.limit, row.multiples), han_words(row), prices(price(row))) for row in table.limits
        ],
    }


def prices(price: Price, limit: str | None = None) -> dict[str, object]:
    """Return the prices as tables print them: "7700", "2000/3900", "" if no hand wins so."""
    return {
        "ron": "" if price.ron is None else str(price.ron),
        "tsumo": "" if price.tsumo is None else "/".join(map(str, price.tsumo)),
        "is_limit": limit is not None,
    }


def han_words(row: LimitRow) -> str:
    if row.least is None:
        return ""
    if row.most is None:
        return _("%(least)s+ han") % {"least": row.least}
    if row.least == row.most:
        return _("%(count)s han") % {"count": row.least}
    return _("%(least)s–%(most)s han") % {"least": row.least, "most": row.most}
