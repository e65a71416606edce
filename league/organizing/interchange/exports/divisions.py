"""A workbook with a sheet per division: the ranking with its marks, then every game of each player.

Leagues such as HKMA's publish their divisions like this, with points, uma and score of each game.
"""

from collections.abc import Mapping, Sequence
from typing import IO, Any

from django.utils.translation import gettext as _

from league.core.files.columns import POINTS, SCORE, WHOLE, Column
from league.core.files.looks import PLAIN
from league.core.files.xlsx import ExcelBook, add_filled
from league.core.stages import stages_of
from league.models import Competition, Stage
from league.play.results.exports import table_lines
from league.ranking.seasons.queries import zones_of
from league.ranking.standings.columns import WORKBOOK
from league.ranking.standings.exports import shown_columns
from league.ranking.standings.queries.standings import StandingsRow, standings_of
from league.ranking.standings.words import SIGNS, kind_words

COLUMNS_A_PAGE = 22  # on paper; rank and name stand on every page
Games = Mapping[int, Sequence[Any]]  # player → points, uma and score of each game in turn


def write_divisions(competition: Competition, stream: IO[bytes], *, public: bool) -> None:
    """Write the stages that have results. ``public``: published rounds only."""
    book = ExcelBook(heading=competition.name)
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    ranked = standings_of(stages, public=public, every=stages)
    games = _games_by_stage(competition, public=public)
    played = [stage for stage in stages if ranked[stage.pk].tables]
    for stage in played:
        several = sum(each.division_id == stage.division_id for each in played) > 1
        title = f"{stage.division.name} {stage.name}" if several else stage.division.name
        here = games.get((stage.division.slug, stage.slug), {})
        _add_stage(book, title, stage, ranked[stage.pk].rows, here, public=public)
    if not played:
        book.sheet(_("Divisions"), [Column("rank", _("Rank"), WHOLE)])  # a workbook has a sheet
    book.save(stream)


def _games_by_stage(competition: Competition, *, public: bool) -> dict[tuple[str, str], dict[int, list[Any]]]:
    """Return (division, stage) → games of its players, in playing order. A substitute's game is their own."""
    found: dict[tuple[str, str], dict[int, list[Any]]] = {}
    for line in table_lines(competition, public=public):
        if line.seats is None or line.points is None or line.status not in competition.counted_statuses:
            continue
        here = found.setdefault((line.division.slug, line.stage_slug), {})
        for player, points, seat in zip(line.players, line.points, line.seats, strict=True):
            here.setdefault(player.player, []).extend([points, seat.uma + seat.oka, seat.score])
    return found


def _add_stage(
    book: ExcelBook, title: str, stage: Stage, lines: Sequence[StandingsRow], games: Games, *, public: bool
) -> None:
    zones = zones_of(stage, public=public)
    kinds = zones.kinds if zones else {}
    ranking = shown_columns(WORKBOOK, stage, lines)
    most = max((len(each) for each in games.values()), default=0)
    columns = [
        Column("mark", _("Next season"), optional=True),
        *ranking,
        *(column for number in range(1, most // 3 + 1) for column in _game_columns(number)),
    ]
    rows = []
    for line in lines:
        kind, own = kinds.get(line.row.player), games.get(line.row.player, [])
        mark = f"{SIGNS[kind]} {kind_words(kind)}" if kind in SIGNS else None
        before = [column.value(line) for column in ranking]
        rows.append((PLAIN, [mark, *before, *own, *[None] * (most - len(own))]))
    has_marks = any(values[0] for _look, values in rows)
    sheet = add_filled(book, title, columns, rows, frozen=3 if has_marks else 2)
    sheet.worksheet.page_setup.fitToWidth = -(-len(sheet.columns) // COLUMNS_A_PAGE)
    sheet.worksheet.print_title_cols = "A:C" if has_marks else "A:B"


def _game_columns(number: int) -> list[Column]:
    words = {"number": number}
    return [
        Column("points", _("Game %(number)s: points") % words, POINTS),
        Column("uma", _("Game %(number)s: uma") % words, SCORE),
        Column("score", _("Game %(number)s: score") % words, SCORE),
    ]
