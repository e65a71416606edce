"""The sheets of divisions: the ranking with its marks, and every game of each player."""

import io
from typing import Any

import openpyxl
import pytest

from league.models import Competition, Round, Stage
from league.organizing.interchange.exports.divisions import write_divisions
from league.play.results.exports import table_lines
from league.ranking.standings.queries.standings import standings
from scoring.units import Score
from tests.factories import club
from tests.league.organizing.interchange.files import loaded, real
from tests.seasons import played

pytestmark = pytest.mark.django_db


def sheets(competition: Competition, *, public: bool = True) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each sheet by heading."""
    stream = io.BytesIO()
    write_divisions(competition, stream, public=public)
    found = {}
    for sheet in openpyxl.load_workbook(stream).worksheets:
        head, *rows = sheet.iter_rows(values_only=True)
        found[sheet.title] = [dict(zip(head, row, strict=True)) for row in rows]
    return found


def test_the_106_games_of_a_season_are_all_there_and_make_the_totals():
    made = loaded(real("mleague-2018-19.json"))
    (rows,) = sheets(made).values()
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get()
    ranked = {line.player.name: line.row for line in standings(stage, public=True).rows}
    assert len(rows) == 21
    games = 0
    for row in rows:
        scores = [value for name, value in row.items() if name.startswith("Game ") and "score" in name]
        scores = [value for value in scores if value is not None]
        own = ranked[row["Name"]]
        assert len(scores) == own.games == row["Games"]
        assert round(10 * sum(scores)) == own.score
        assert round(10 * row["Total"]) == own.total
        games += len(scores)
    assert games == 4 * 106


def test_a_game_has_points_uma_and_score():
    made = loaded(real("mleague-2018-19.json"))
    line = next(iter(table_lines(made, public=True)))
    assert line.points is not None
    assert line.seats is not None
    (rows,) = sheets(made).values()
    row = next(row for row in rows if row["Name"] == line.players[0].name)
    seat = line.seats[0]
    uma: Score = seat.uma + seat.oka
    assert row["Game 1: points"] == line.points[0]
    assert (row["Game 1: uma"], row["Game 1: score"]) == (float(uma / 10), float(seat.score / 10))


def test_each_division_has_a_sheet_with_promotion_and_relegation():
    made = played()
    found = sheets(made.club.competition)
    assert set(found) == {division.name for division in made.club.competition.divisions.all()}
    marks = {row["Next season"] for rows in found.values() for row in rows if row.get("Next season")}
    assert "▼ relegated" in marks or "▲ promoted" in marks


def test_visitors_get_no_hidden_game():
    made = club()
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    made.add_round(visibility=Round.Visibility.SEATING)
    made.record((53_700, 41_300, 19_800, 5_200), round_number=2)
    (public,) = sheets(made.competition).values()
    (full,) = sheets(made.competition, public=False).values()
    assert not [row for row in public if 53_700 in row.values()]
    assert [row for row in full if 53_700 in row.values()]


def test_a_competition_without_results_has_a_sheet():
    assert list(sheets(club().competition).values()) == [[]]
