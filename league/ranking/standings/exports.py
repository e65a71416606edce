from collections.abc import Sequence
from typing import IO, Any

from django.utils.translation import pgettext

from league.core.files.columns import POINTS, SCORE, WHOLE, Column, exact_value
from league.core.files.xlsx import ExcelBook
from league.models import Stage
from league.ranking.standings.columns import CARRIED, CSV, GAMES, JSON, KEY, NAME, RANK, StandingsColumn
from league.ranking.standings.queries.rankings import RankingLine
from league.ranking.standings.queries.standings import StandingsRow, standings
from league.ranking.standings.words import ranking_words
from scoring.rankings import Ranking

_KINDS = {"points": POINTS, "games": WHOLE}  # of the value of a ranking, if it is not a score


def shown_columns(
    columns: Sequence[StandingsColumn], stage: Stage, lines: Sequence[StandingsRow]
) -> list[StandingsColumn]:
    """Leave out optional columns with only zeros, but show what a stage carries over."""
    carries = stage.carry != Stage.Carry.NONE
    return [column for column in columns if column.is_shown(lines) or (carries and column is CARRIED)]


def standings_table(stage: Stage, *, public: bool) -> tuple[list[StandingsColumn], list[list[Any]]]:
    """Return the columns and the rows of values: whole numbers, tenths, fractions, text."""
    lines = standings(stage, public=public).rows
    columns = shown_columns(CSV, stage, lines)
    return columns, [[column.value(line) for column in columns] for line in lines]


def standings_json(stage: Stage, *, public: bool) -> dict[str, Any]:
    """Return the standings in the contract of the competition file."""
    lines = standings(stage, public=public).rows
    columns = shown_columns(JSON, stage, lines)
    rows = [{column.key: exact_value(column, column.value(line)) for column in columns} for line in lines]
    return {**stage_json(stage), "rows": rows}


def write_rankings(
    stage: Stage, ranked: Sequence[tuple[Ranking, Sequence[RankingLine]]], stream: IO[bytes]
) -> None:
    """Write a workbook with a sheet per ranking."""
    book = ExcelBook(heading=f"{stage.competition.name} {stage.name}")
    for ranking, lines in ranked:
        value = Column("value", pgettext("of a fact", "Value"), _KINDS.get(ranking.kind, SCORE))
        sheet = book.sheet(ranking_words(ranking), [RANK, NAME, GAMES, value, KEY], frozen=2)
        for line in lines:
            of = line.ranked
            sheet.add([of.rank, line.player.name, of.games, of.value, line.player.key])
    book.save(stream)


def stage_json(stage: Stage) -> dict[str, Any]:
    division = stage.division
    return {"competition": division.competition.slug, "division": division.slug, "stage": stage.slug}
