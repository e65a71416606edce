"""The first sheet of the workbook, for the wall: the event and its standings as pages show them."""

import io
from datetime import UTC, datetime
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from league.models import Adjustment, Competition, Entrant
from league.organizing.interchange.exports.workbook import write_workbook
from league.organizing.roster.services.roster import withdraw_entrant
from league.play.results.services import record_result
from league.play.rounds.services import open_round, set_visibility
from league.ranking.teams.services import seat_from_line_ups
from players.models import Player
from tests.factories import Club, club
from tests.finals import open_final, play_final, tournament
from tests.league.organizing.interchange.files import loaded, random_file, small
from tests.module_fixtures import module_fixture
from tests.teams import POINTS, fresh, name_all, team_club, team_round

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 29, 4, 30, tzinfo=UTC)
GREEN, RED = "FF0B6B4B", "FFB3362B"


def book_of(competition: Competition, *, public: bool = True, language: str = "en") -> "openpyxl.Workbook":
    stream = io.BytesIO()
    write_workbook(
        Competition.objects.get(pk=competition.pk), stream, public=public, language=language, at=AT
    )
    return openpyxl.load_workbook(stream)


def cover_of(competition: Competition, **options: Any) -> Worksheet:
    found: Worksheet = book_of(competition, **options).worksheets[0]
    return found


def cells_of(sheet: Worksheet) -> list[list[Any]]:
    """The rows without their empty cells."""
    return [[cell for cell in row if cell is not None] for row in sheet.values]


def names_of(sheet: Worksheet) -> list[str]:
    """The texts of the first two columns below the headings, without the notes."""
    head = next(row for row in range(1, 10) if sheet.cell(row, 2).value == "Name")
    rows = sheet.iter_rows(min_row=head + 1, max_col=2, values_only=True)
    return [str(name or first) for first, name in rows if name or first]


@module_fixture
def here() -> Club:
    return tournament()


def test_it_has_the_event_its_rules_and_how_many_results_are_checked(here):
    Competition.objects.filter(pk=here.competition.pk).update(
        place="Town hall", first_day="2026-11-28", last_day="2026-11-29"
    )

    rows = cells_of(cover_of(here.competition))

    assert rows[:4] == [
        ["League spring"],
        ["28 Nov 2026 – 29 Nov 2026 · Town hall · Club spring"],
        ["HKMA league, division A (April 2025) · 8 players · 2 tables counted"],
        ["1 round played · Results checked by a second person: 0 of 2"],
    ]


def test_no_column_has_a_key(here):
    head = [cell.value for cell in cover_of(here.competition)[5]]

    assert head == ["Rank", "Name", "Total", "Games", "Avg. place", "1st", "2nd", "3rd", "4th", "Best"]


def test_a_final_stands_before_the_main_event_and_its_players_have_the_medals(here):
    play_final(here, open_final(here), "results")

    book = book_of(here.competition)
    sheet = book.worksheets[0]

    found = names_of(sheet)
    assert (found[0], found[5]) == ("Final", "Main event")
    assert set(found[1:5]) < set(found[6:14])
    ranks = [sheet.cell(row, 1) for row in (7, 8, 9, 10)]
    assert [cell.value for cell in ranks] == [1, 2, 3, 4]
    assert [cell.fill.fgColor.rgb for cell in ranks] == ["FFE3B94F", "FFB9C3C9", "FFD79F78", "00000000"]
    assert book.sheetnames[:4] == ["Result", "Overall ranking", "Final", "Main event"]


@pytest.mark.parametrize("visibility", ["hidden", "seating"])
def test_a_round_that_is_not_published_changes_nothing(here, visibility):
    round_ = open_final(here)
    before = cells_of(cover_of(here.competition))

    play_final(here, round_, visibility)

    assert cells_of(cover_of(here.competition)) == before
    assert names_of(cover_of(here.competition, public=False))[0] == "Final"


def test_plus_is_green_and_minus_is_red(here):
    sheet = cover_of(here.competition)

    totals = [sheet.cell(row, 3) for row in range(6, 14)]
    assert [cell.font.color.rgb for cell in totals] == [GREEN if cell.value > 0 else RED for cell in totals]
    assert {cell.value > 0 for cell in totals} == {True, False}
    assert {cell.number_format for cell in totals} == {'+0.0;"−"0.0;0.0'}
    assert {cell.border.bottom.style for cell in totals} == {"thin"}


def test_a_name_that_looks_like_a_formula_is_text(here):
    Player.objects.filter(pk=here.players[0].pk).update(name="=1+1")
    Competition.objects.filter(pk=here.competition.pk).update(name="=A1 League", version=99, revision=99)

    sheet = cover_of(here.competition)

    found = [cell for row in sheet for cell in row if str(cell.value).startswith("=")]
    assert [cell.value for cell in found] == ["=A1 League", "=1+1"]
    assert {cell.data_type for cell in found} == {"s"}
    assert all(cell.quotePrefix for cell in found)


def test_characters_of_each_script_have_a_font_of_their_own(here):
    names = ("陳大文", "鈴木たろう", "김민준", "Chan", "陳")
    for player, name in zip(here.players, names, strict=False):
        Player.objects.filter(pk=player.pk).update(name=name, romanized="")
    Competition.objects.filter(pk=here.competition.pk).update(version=99, revision=99)

    def fonts(language: str) -> dict[str, tuple[str, float]]:
        cells = [cell for row in cover_of(here.competition, language=language) for cell in row]
        return {cell.value: (cell.font.name, cell.font.sz) for cell in cells if cell.value in names}

    assert fonts("en") == {
        "陳大文": ("Microsoft JhengHei", 13),
        "鈴木たろう": ("Yu Gothic", 13),
        "김민준": ("Malgun Gothic", 13),
        "Chan": ("Calibri", 13),
        "陳": ("Microsoft JhengHei", 13),
    }
    assert [fonts(language)["陳"][0] for language in ("zh-hans", "ja")] == ["Microsoft YaHei", "Yu Gothic"]


def test_tied_ranks_and_ties_that_were_broken_are_marked():
    made = club("ties")
    made.add_round()
    made.record((40_000, 30_000, 30_000, 20_000), number=1)
    made.record((40_000, 30_000, 30_000, 20_000), number=2)

    sheet = cover_of(made.competition)

    ranks = [(cell.value, cell.number_format) for cell in sheet["A"][5:13]]
    assert ranks[:2] == [(1, '"="0'), (1, '"="0')]
    assert {form for _rank, form in ranks[2:]} == {'"="0'}


def test_what_decided_a_tie_is_below_the_lines():
    file = small() | {"slug": "decided"}
    table = file["divisions"][0]["stages"][0]["rounds"][0]["tables"][0]
    for seat, points in zip(table["seats"], (40_000, 35_000, 25_000, 20_000), strict=True):
        seat["points"] = points
    file["penalties"] = [{"player": "p1", "score": -45.0, "reason": "late", "round": 1, "table": 1}]
    sheet = cover_of(loaded(file))

    marked = [cell for cell in sheet["C"] if cell.number_format.startswith('+0.0"*"')]
    assert [cell.value for cell in marked] == [10]
    assert cells_of(sheet)[-3][0].startswith(
        "* Total equal to the rank above. Tie-break: Better average place."
    )


def test_points_carried_in_players_who_left_and_rules_that_do_not_balance_are_explained():
    made = club("left", overrides={"uma": [300, 100, -100, -200], "unbalanced": True})
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    player = made.players[0].pk
    Adjustment.objects.create(
        stage=made.stage,
        player_id=player,
        kind=Adjustment.Kind.CARRIED_IN,
        score=100,
        games=4,
        created_by=made.alice,
        created_at=AT,
    )
    withdraw_entrant(entrant=Entrant.objects.get(player=player, competition=made.competition), by=made.alice)

    rows = cells_of(cover_of(made.competition))

    assert "Carried in †" in rows[4]
    assert [row[-1] for row in rows if "withdrawn" in row] == ["withdrawn"]
    notes = [row[0] for row in rows if row and isinstance(row[0], str)]
    assert any(note.startswith("Uma and oka of this rule set do not balance") for note in notes)
    assert any(note.startswith("† Carried in from a list without tables.") for note in notes)


def test_before_the_first_result_it_lists_the_players_by_name():
    made = club("begun", players=3)

    sheet = cover_of(made.competition)

    assert [cell.value for cell in sheet[5]] == ["Name"]
    assert cells_of(sheet)[3] == ["No results yet"]
    assert [cell.value for cell in sheet["A"][5:8]] == sorted(player.name for player in made.players)


def test_teams_stand_before_their_players_if_they_win():
    made = team_club("teams")
    round_ = team_round(made)
    name_all(made, round_)
    seat_from_line_ups(round_=round_, by=made.alice)
    open_round(round_=fresh(round_), by=made.alice)
    record_result(table=made.table(), points=POINTS, based_on=0, by=made.charlie)
    set_visibility(round_=fresh(round_), visibility="results", by=made.alice)

    book = book_of(made.competition)

    found = names_of(book.worksheets[0])
    assert found[:6] == ["Teams", "Reds", "Blues", "Greens", "Greys", "Players"]
    assert book.sheetnames[:4] == ["Result", "Teams", "Team members", "Standings"]


@pytest.mark.slow
def test_tabs_are_coloured_by_kind_and_sheets_for_the_desk_come_last():
    competition = loaded(random_file(4))

    book = book_of(competition)

    colours = [sheet.sheet_properties.tabColor.rgb for sheet in book]
    kinds = list(dict.fromkeys(colours))
    assert kinds == ["FF0E4A39", "FFF2B632", "FF7FB8A2", "FF7D8A92", "FFA5673F"]
    assert book.sheetnames[0] == "Result"
    assert book.sheetnames[-6:] == [
        *("Rules", "Check", "Recalculation", "Recalculated standings", "About", "Legend")
    ]


def test_it_is_printed_on_a_page_with_its_headings(here):
    sheet = cover_of(here.competition)

    assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (
        *("landscape", 1, 1),
    )
    assert sheet.print_title_rows == "$5:$5"
    assert sheet.freeze_panes == "A6"
    assert sheet.HeaderFooter.differentFirst
    assert sheet.firstHeader.left.text is None
    assert sheet.firstFooter.left.text == "Created at (Asia/Hong_Kong): 2026-11-29 12:30"
    assert sheet.oddHeader.left.text == "League spring"
    assert "A1:J1" in {str(each) for each in sheet.merged_cells.ranges}


def test_many_lines_are_upright_and_on_several_pages():
    made = club("many", players=60)

    sheet = cover_of(made.competition)

    assert (sheet.page_setup.orientation, sheet.page_setup.fitToHeight) == ("portrait", 0)
    assert sheet["A6"].font.sz == 11
