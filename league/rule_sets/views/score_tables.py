"""What every hand costs under a rule set, as score tables are printed."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.rule_sets.words.yaku import limit_name
from scoring.rules import Rules
from scoring.score_table import HAN, Cell, LimitRow, Price, ScoreTable, score_table


@dataclass(frozen=True, slots=True)
class Prices:
    """What one hand costs as score tables print it: "7700", "2000/3900"; "" where no hand wins so."""

    ron: str
    tsumo: str
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class FuRow:
    fu: int
    prices: tuple[Prices, ...]


@dataclass(frozen=True, slots=True)
class LimitLine:
    """Mangan or above; ``han``: what it takes, "" for a yakuman."""

    name: str
    han: str
    price: Prices


@dataclass(frozen=True, slots=True)
class ScoreSide:
    """What dealers win, or what the others do: a row of prices for each fu, and the limits."""

    rows: tuple[FuRow, ...]
    limits: tuple[LimitLine, ...]


@dataclass(frozen=True, slots=True)
class ScorePage:
    han: tuple[int, ...]
    dealer: ScoreSide
    other: ScoreSide


def score_page(rules: Rules) -> ScorePage:
    """The score table in the rule set's own values, as it is printed."""
    table = score_table(rules)
    return ScorePage(HAN, score_side(table, dealer=True), score_side(table, dealer=False))


def score_side(table: ScoreTable, *, dealer: bool) -> ScoreSide:
    def price(of: Cell | LimitRow) -> Price:
        return of.dealer if dealer else of.other

    columns = zip(*table.rows, strict=True)
    return ScoreSide(
        rows=tuple(
            FuRow(cells[0].fu, tuple(prices(price(cell), cell.limit) for cell in cells)) for cells in columns
        ),
        limits=tuple(
            LimitLine(limit_name(row.limit, row.multiples), han_words(row), prices(price(row)))
            for row in table.limits
        ),
    )


def prices(price: Price, limit: str | None = None) -> Prices:
    return Prices(
        ron="" if price.ron is None else str(price.ron),
        tsumo="" if price.tsumo is None else "/".join(map(str, price.tsumo)),
        is_limit=limit is not None,
    )


def han_words(row: LimitRow) -> str:
    if row.least is None:
        return ""
    if row.most is None:
        return _("%(least)s+ han") % {"least": row.least}
    if row.least == row.most:
        return _("%(count)s han") % {"count": row.least}
    return _("%(least)s–%(most)s han") % {"least": row.least, "most": row.most}
