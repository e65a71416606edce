"""Team standings in files: the rows that the page shows, and the players who made them."""

import io
import json
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE, Column, average_text
from league.core.files.csv import csv_text
from league.core.files.xlsx import BAND, PLAIN, ExcelBook
from league.models import Stage
from league.standings.exports import PLACES
from league.teams.queries.teams import MemberLine, TeamLine, team_standings
from scoring.units import decimal_text

_COLUMNS = (
    Column("rank", gettext_lazy("Rank"), WHOLE),
    Column("team", gettext_lazy("Key")),
    Column("name", gettext_lazy("Team")),
    Column("games", gettext_lazy("Games"), WHOLE),
    Column("score", gettext_lazy("Score"), SCORE),
    Column("penalty", gettext_lazy("Penalties"), SCORE),
    Column("deducted", gettext_lazy("Of it the team’s own"), SCORE),
    Column("adjusted", gettext_lazy("Rounds not played"), SCORE),
    Column("carried", gettext_lazy("Carried over"), SCORE),
    Column("total", gettext_lazy("Total"), SCORE),
    *PLACES,
)
_MEMBER_COLUMNS = (
    Column("team", gettext_lazy("Team")),
    Column("name", pgettext_lazy("of a person", "Name")),
    Column("games", gettext_lazy("Games"), WHOLE),
    Column("total", gettext_lazy("Total"), SCORE),
    Column("score", gettext_lazy("Score"), SCORE),
    Column("penalty", gettext_lazy("Penalties"), SCORE),
    Column("firsts", gettext_lazy("1st places"), WHOLE),
    Column("seconds", gettext_lazy("2nd places"), WHOLE),
    Column("thirds", gettext_lazy("3rd places"), WHOLE),
    Column("fourths", gettext_lazy("4th places"), WHOLE),
    Column("average_place", gettext_lazy("Average place"), AVERAGE),
    Column("best_points", gettext_lazy("Best points"), POINTS),
    Column("player", gettext_lazy("Key")),
)


def team_standings_file(stage: Stage, form: str, *, public: bool) -> bytes:
    """The team standings of a stage as ``json``, ``csv`` or ``xlsx`` (with a sheet of the players)."""
    lines = team_standings(stage, public=public).rows
    if form == "json":
        return _json(stage, lines)
    if form == "csv":
        return csv_text(_COLUMNS, [_row(line) for line in lines]).encode()
    book = ExcelBook(heading=stage.division.competition.name)
    add_team_sheets(book, [stage], public=public)
    if not lines:
        book.sheet(_("Teams"), _COLUMNS)  # a workbook without a sheet cannot be opened
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def add_team_sheets(book: ExcelBook, stages: Sequence[Stage], *, public: bool) -> None:
    """A sheet of the teams and one of their players for each stage that has team standings."""
    found = [(stage, team_standings(stage, public=public, every=stages).rows) for stage in stages]
    for stage, lines in [(stage, rows) for stage, rows in found if rows]:
        whose = "" if len(stages) == 1 else f" {stage.division.name} {stage.name}"
        sheet = book.sheet(_("Teams") + whose, _COLUMNS, frozen=3)
        for line in lines:
            sheet.add(_row(line))
        sheet = book.sheet(_("Team members") + whose, _MEMBER_COLUMNS, frozen=2)
        for number, line in enumerate(lines):
            for member in line.members:
                sheet.add(_member_row(line, member), look=BAND if number % 2 else PLAIN)


def _row(line: TeamLine) -> list[Any]:
    row = line.row
    scores = [row.score, row.penalty, line.deducted, row.adjusted, row.carried, row.total]
    places = [*row.places, row.average_place, row.best_points]
    return [row.rank, line.team.key, line.team.name, row.games, *scores, *places]


def _member_row(line: TeamLine, member: MemberLine) -> list[Any]:
    row = member.row
    places = [*row.places, row.average_place, row.best_points]
    before = [line.team.name, member.player.name, row.games, row.total, row.score, row.penalty]
    return [*before, *places, member.player.key]


def _json(stage: Stage, lines: Sequence[TeamLine]) -> bytes:
    """Scores as exact text, as in the file of the players' standings."""
    division = stage.division
    head = {"competition": division.competition.slug, "division": division.slug, "stage": stage.slug}
    rows = [
        {
            "rank": line.row.rank,
            "team": line.team.key,
            "name": line.team.name,
            "games": line.row.games,
            "score": decimal_text(line.row.score),
            "penalty": decimal_text(line.row.penalty),
            "carried": decimal_text(line.row.carried),
            "total": decimal_text(line.row.total),
            "places": list(line.row.places),
            "average_place": average_text(line.row.average_place),
            "players": [
                {
                    "player": each.player.key,
                    "games": each.row.games,
                    "total": decimal_text(each.row.total),
                }
                for each in line.members
            ],
        }
        for line in lines
    ]
    return (json.dumps(head | {"rows": rows}, ensure_ascii=False, indent=1) + "\n").encode()
