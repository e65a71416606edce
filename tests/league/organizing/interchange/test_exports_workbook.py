"""The workbook: its sheets, headings and numbers, without formulas, the rules and the penalties in it."""

import io
from typing import TYPE_CHECKING

import openpyxl
import pytest
from django.utils import translation
from django.utils.translation import gettext

from league.core.files.columns import TEXT, Column
from league.core.files.xlsx import ExcelBook, clean, display_width
from league.models import Penalty
from league.organizing.competitions.services import update_competition
from league.organizing.division_rules.services import change_rules
from league.organizing.interchange.exports.files import results_file, standings_file
from league.organizing.interchange.exports.workbook import column_meaning, write_workbook
from league.organizing.interchange.words import FEDERATION_NUMBER
from league.play.results.exports import table_lines
from league.play.results.services import record_result
from league.ranking.standings.columns import MEMBER_FILES, TEAM_FILES, WORKBOOK
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from league.rules.rule_sets.services import copied_rules, create_book, newest_edition
from league.rules.rule_sets.words.settings import setting_label
from players.models import FederationNumber, Player
from scoring.presets import NOT_NOTED, preset, resolve
from tests.factories import Club, club
from tests.league.organizing.interchange.exported import (
    DANGEROUS,
    cells,
    json_standings,
    open_workbook,
    rows_of,
    workbook_of,
)
from tests.league.organizing.interchange.files import loaded, random_file, real, small
from tests.simulation.play import thrown_away

if TYPE_CHECKING:
    from pytest_django.plugin import DjangoDbBlocker

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def season_workbook(django_db_setup: None, django_db_blocker: "DjangoDbBlocker") -> bytes:
    """The workbook of a real season, whose facts are gone again."""
    stream = io.BytesIO()
    with django_db_blocker.unblock(), thrown_away():
        write_workbook(loaded(real("mleague-2018-19.json")), stream, public=True)
    return stream.getvalue()


def dangerous_club() -> Club:
    """Names, clubs, reasons and numbers that a spreadsheet would run if they were formulas."""
    cast = club(players=8)
    for player, name in zip(cast.players, (*DANGEROUS, "Ordinary"), strict=True):
        Player.objects.filter(pk=player.pk).update(name=name, romanized=f"={name}")
    FederationNumber.objects.create(player=cast.players[0], federation="EMA", number="=0400123")
    cast.competition.name = "=A1&B1 League"
    cast.competition.save()
    cast.add_round()
    cast.record((40000, 35000, 25000, 20000))
    for reason in DANGEROUS:
        log_penalty(stage=cast.stage, player_id=cast.players[0].pk, score=-20, by=cast.bob, reason=reason)
    return cast


def test_no_cell_of_the_workbook_is_a_formula():
    cast = dangerous_club()

    every = list(cells(workbook_of(cast.competition, public=False)))
    found = [cell for cell in every if cell.data_type != "f"]
    computed = {cell.parent.title for cell in every if cell.data_type == "f"}

    assert computed == {"Check", "Recalculation", "Recalculated standings"}
    dangerous = [cell for cell in found if isinstance(cell.value, str) and cell.value.startswith(DANGEROUS)]
    assert len(dangerous) > 3 * len(DANGEROUS)
    assert {cell.data_type for cell in dangerous} == {"s"}
    assert {cell.data_type for cell in found} <= {"s", "n", "d"}
    assert all(cell.quotePrefix for cell in dangerous)


@pytest.mark.parametrize("form", ["standings", "results"])
def test_no_cell_of_the_small_workbooks_is_a_formula(form):
    cast = dangerous_club()
    content = (
        standings_file(cast.stage, "xlsx", public=True)
        if form == "standings"
        else results_file(cast.competition, table_lines(cast.competition, public=True), "xlsx")
    )

    found = list(cells(open_workbook(content)))

    assert {c.data_type for c in found if c.value in DANGEROUS} == {"s"}
    assert {c.data_type for c in found} <= {"s", "n", "d"}


def test_a_workbook_leaves_out_what_xml_cannot_hold():
    book = ExcelBook(heading="a\x00b & c")
    sheet = book.sheet("x[1]:\x01", [Column("name", "Na\x02me", TEXT)])
    sheet.add(["a\x00b\x0bc\ud800d\uffff<&>"])
    stream = io.BytesIO()
    book.save(stream)

    read = open_workbook(stream.getvalue())

    assert read.sheetnames == ["x 1"]
    assert [cell.value for cell in read["x 1"]["A"]] == ["Name", "abcd<&>"]
    assert clean("陳\x00") == "陳"


def test_the_workbook_has_its_sheets(season_workbook):
    book = open_workbook(season_workbook)

    assert book.sheetnames == [
        *("Result", "Standings", "Overall ranking", "Tables", "Seating", "Penalties", "Players", "Rules"),
        *("Check", "Recalculation", "Recalculated standings", "About", "Legend"),
    ]


def test_the_first_sheet_has_the_event_and_its_standings(season_workbook):
    rows = [list(row) for row in open_workbook(season_workbook).worksheets[0].values]

    assert [row[0] for row in rows[:4]] == [
        "M.League 2018-19",
        "October 2018 – January 2019",
        "M.League · 21 players · 106 tables counted",
        "Final standings · All results checked by a second person",
    ]
    assert rows[4] == ["Rank", "Name", "Total", "Games", "Avg. place", "1st", "2nd", "3rd", "4th", "Best"]
    assert [[*row[:4], round(row[4], 2), *row[5:]] for row in rows[5:26]] == [
        [1, "園田賢", 284.0, 21, 2.1, 8, 7, 2, 4, 52400],
        [2, "滝沢和典", 193.9, 22, 2.32, 6, 5, 9, 2, 75200],
        [3, "勝又健志", 182.9, 20, 2.25, 5, 7, 6, 2, 57900],
        [4, "黒沢咲", 160.9, 18, 2.28, 5, 6, 4, 3, 59200],
        [5, "松本吉弘", 136.7, 22, 2.41, 7, 5, 4, 6, 72800],
        [6, "佐々木寿人", 68.6, 28, 2.54, 9, 4, 6, 9, 81700],
        [7, "朝倉康心", 52.2, 19, 2.42, 4, 7, 4, 4, 56300],
        [8, "前原雄大", 39.4, 21, 2.43, 6, 6, 3, 6, 70600],
        [9, "鈴木たろう", 36.9, 24, 2.5, 8, 5, 2, 9, 61000],
        [10, "二階堂亜樹", 31.9, 18, 2.39, 4, 4, 9, 1, 43500],
        [11, "多井隆晴", 31.5, 17, 2.47, 5, 3, 5, 4, 55400],
        [12, "近藤誠一", -48.4, 15, 2.6, 4, 4, 1, 6, 55500],
        [13, "茅森早香", -60.7, 22, 2.59, 5, 4, 8, 5, 56400],
        [14, "萩原聖人", -87.0, 21, 2.67, 5, 4, 5, 7, 47200],
        [15, "村上淳", -87.1, 17, 2.53, 4, 6, 1, 6, 48500],
        [16, "石橋伸洋", -107.3, 20, 2.55, 4, 5, 7, 4, 47100],
        [17, "瀬戸熊直樹", -118.0, 21, 2.62, 5, 5, 4, 7, 49100],
        [18, "小林剛", -128.1, 21, 2.62, 2, 8, 7, 4, 48000],
        [19, "魚谷侑未", -141.3, 23, 2.61, 4, 7, 6, 6, 53000],
        [20, "高宮まり", -201.0, 13, 2.85, 1, 4, 4, 4, 43900],
        [21, "白鳥翔", -240.0, 21, 2.81, 5, 1, 8, 7, 51000],
    ]
    assert [row[0] for row in rows[26:]] == [
        *(None, "Results count after a second person has confirmed them.", "1.0 = 1,000 points"),
    ]
    assert {cell for row in rows[:5] + rows[26:] for cell in row[10:]} == set()


def test_every_heading_is_explained(season_workbook):
    book = open_workbook(season_workbook)
    legend = {row["Heading"]: row["Meaning"] for row in rows_of(book, "Legend")}

    cover, *sheets = book.worksheets[:-1]
    headings = {str(cell.value) for row in (cover[5], *(sheet[1] for sheet in sheets)) for cell in row}

    assert {heading for heading in headings - legend.keys() if not heading.startswith("Round ")} == set()
    assert legend["Key"].startswith("Code of a player or team.")
    assert str(FEDERATION_NUMBER) not in legend.values()
    unexplained = [heading for heading, meaning in legend.items() if not meaning]
    assert not unexplained, (
        f"The legend does not explain the heading “{unexplained[0]}”. Give its column a hint, or add its "
        "key to HEADINGS in league/organizing/interchange/words.py."
    )


def test_every_column_of_the_standings_is_explained_by_its_hint_or_the_legend():
    """A season's workbook leaves empty optional columns out."""
    every = (*WORKBOOK, *TEAM_FILES, *MEMBER_FILES)

    unexplained = [column.key for column in every if not column_meaning(column)]

    assert not unexplained, (
        f"Give the column “{unexplained[0]}” in league/ranking/standings/columns.py a hint, which says what "
        "its numbers are. The legend of the workbook and the heading on pages show it."
    )


def test_a_number_of_a_federation_is_explained():
    cast = club("spring")
    FederationNumber.objects.create(player=cast.players[0], federation="WRC", number="7")

    book = workbook_of(cast.competition, public=False)

    meanings = {row["Heading"]: row["Meaning"] for row in rows_of(book, "Legend")}
    assert meanings["WRC number"] == str(FEDERATION_NUMBER)


@pytest.mark.slow
def test_the_ranking_over_all_stages_comes_before_that_of_each():
    competition = loaded(random_file(4))
    competition.team_play = "none"

    names = workbook_of(competition).sheetnames[1:]

    overall = [name for name in names if name.startswith("Overall ranking")]
    assert names[: len(overall)] == overall


@pytest.mark.slow
def test_every_division_and_stage_has_its_own_standings():
    competition = loaded(random_file(4))
    expected = [
        f"組 {division[-1]} {stage}"
        for division in sorted(competition.divisions.values_list("slug", flat=True))
        for stage in ("Final", "Regular")
    ]

    assert [name for name in workbook_of(competition).sheetnames if name in expected] == expected


def test_sheets_of_the_same_name_get_numbers():
    book = ExcelBook(heading="")
    for _ in range(3):
        book.sheet("長" * 40, [])

    assert book.workbook.sheetnames == ["長" * 31, "長" * 27 + " (2)", "長" * 27 + " (3)"]


def test_a_sheet_with_emoji_has_a_name_that_excel_opens():
    book = ExcelBook(heading="")
    for _ in range(2):
        book.sheet("Liga " + "🀄" * 20, [])

    assert book.workbook.sheetnames == ["Liga " + "🀄" * 13, "Liga " + "🀄" * 11 + " (2)"]


@pytest.mark.slow
def test_standings_in_the_workbook_are_real_numbers():
    competition = loaded(real("mleague-2018-19.json"))

    book = workbook_of(competition)
    rows = rows_of(book, "Standings")

    assert [(r["Rank"], r["Key"], r["Total"], r["Penalties"], r["Best points"]) for r in rows] == [
        (r["rank"], r["player"], float(r["total"]), 0, r["best_points"])
        for r in json_standings(competition)["rows"]
    ]
    sheet = book["Standings"]
    formats = {cell.value: sheet.cell(row=2, column=cell.column).number_format for cell in sheet[1]}
    assert formats["Total"] == '+0.0;"−"0.0;0.0'
    assert formats["Best points"] == "#,##0"
    assert formats["Average place"] == "0.00"


def test_the_tables_sum_to_zero_in_the_workbook(season_workbook):
    rows = rows_of(open_workbook(season_workbook), "Tables")
    parts = ("Score from points", "Uma", "Oka", "Deposits")

    assert len(rows) == 424
    assert all(round(sum(row[part] for part in parts), 6) == row["Score"] for row in rows)
    assert [row["Table sum"] for row in rows[:8]] == [None, None, None, 0, None, None, None, 0]
    for first in range(0, 424, 4):
        assert round(sum(row["Score"] for row in rows[first : first + 4]), 6) == 0


def test_the_parts_of_a_score_with_sashiuma_and_chips_sum_to_it():
    made = club(preset="kanto", overrides={"sashiuma": 10, "chip_value": 2})
    made.add_round()
    record_result(
        table=made.table(),
        points=(40_000, 30_000, 20_000, 10_000),
        sashiuma={0: 2},
        chips=(3, -1, 0, -2),
        based_on=0,
        by=made.charlie,
    )
    rows = rows_of(workbook_of(made.competition), "Tables")
    parts = ("Uma", "Oka", "Deposits", "Sashiuma", "Value of chips")

    assert [row["Sashiuma"] for row in rows] == [10, 0, -10, 0]
    assert [row["Score from points"] for row in rows] == [15, 5, -5, -15]
    assert [row["Score from points"] + sum(row[part] for part in parts) for row in rows] == [
        row["Score"] for row in rows
    ]


def test_heads_stay_in_view_and_can_be_filtered_and_printed(season_workbook):
    book = open_workbook(season_workbook)
    for sheet in book.worksheets[1:]:
        assert sheet.freeze_panes is not None
        assert sheet.freeze_panes.endswith("2")
        assert sheet.auto_filter.ref == sheet.dimensions
        assert sheet.print_title_rows == "$1:$1"
        assert sheet.page_setup.fitToWidth == 1
        assert sheet.oddFooter.center.text == "&P / &N"
    assert (book["Players"].page_setup.orientation, book["Tables"].page_setup.orientation) == (
        *("portrait", "landscape"),
    )


def test_columns_are_as_wide_as_their_content():
    file = small()
    file["players"][0]["name"] = "國士無雙十三面待單騎"

    sheet = workbook_of(loaded(file))["Standings"]

    assert sheet.column_dimensions["B"].width == 2 * 10 + 2
    assert sheet.column_dimensions["A"].width < 12
    assert display_width("國士ab") == 6


def test_a_reader_that_streams_finds_all_rows(season_workbook):
    book = openpyxl.load_workbook(io.BytesIO(season_workbook), read_only=True)

    assert sum(1 for _ in book["Tables"].rows) == 425


def test_rules_name_their_source_and_what_was_changed():
    file = small()
    file["divisions"][0]["rules"]["overrides"] = {"tie_rule": "seat"}

    rows = {row["Setting"]: row for row in rows_of(workbook_of(loaded(file)), "Rules")}

    start = rows["Starting points"]
    assert (start["Value"], start["Changed by the organizer"]) == ("30,000", None)
    assert start["Document"]
    assert start["Article"]
    changed = [row for row in rows.values() if row["Changed by the organizer"]]
    assert [row["Setting"] for row in changed] == ["Equal final points"]
    assert (changed[0]["Document"], changed[0]["Article"]) == (None, None)


def test_the_notes_of_the_rules_are_in_the_reader_s_language():
    cast = club("online", preset="tenhou")
    with translation.override("ja"):
        bust, tie, rounding, pao = map(setting_label, ("bust", "tie_rule", "rounding", "pao"))
        title = gettext("Rules")

    rows = list(workbook_of(cast.competition, language="ja")[title].values)

    assert {row[2]: row[-1] for row in rows if row[2] in (bust, tie)} == {
        bust: "0点未満のとき。0点ちょうどは終わらない。",
        tie: "起家に近い席が上位。60半荘のうち一つで確かめられる。",
    }
    assert [row[2] for row in rows[-2:]] == [rounding, pao]  # the contradictions, below the settings
    assert rows[-2][-1].endswith("60半荘すべてのポイントが合うのは二つ目だけ：5,500は5ではなく6になった。")


def test_an_article_without_its_number_says_so_in_the_reader_s_language():
    cast = club("europe", preset="ema-2025")
    with translation.override("zh-hant"):
        title = gettext("Rules")

    cells = [cell for row in workbook_of(cast.competition, language="zh-hant")[title].values for cell in row]

    assert "沒有記下編號" in cells
    assert [cell for cell in cells if NOT_NOTED in str(cell)] == []


def test_the_text_that_was_chosen_and_the_leagues_own_edition_are_in_the_workbook():
    cast = club()
    index = next(i for i, each in enumerate(preset("hkma-a-2025-04").conflicts) if "uma" in each.settings)
    values = {**resolve("hkma-a-2025-04").as_values(), "uma": [45, 15, -20, -40], "oka": 0}
    rules = copied_rules(
        "hkma-a-2025-04", {**values, "return_points": 30000}, texts={index: 2}, by=cast.alice
    )
    book = create_book(league=cast.league, name="House rules", rules=rules, by=cast.alice)
    change_rules(division=cast.division, to=newest_edition(book), by=cast.alice)

    rows = rows_of(workbook_of(cast.competition), "Rules")

    assert rows[0]["Value"] == "House rules, edition 1"
    [row] = [row for row in rows if row["Setting"].startswith("Uma") and row["Part"].startswith("Contra")]
    quotation = preset("hkma-a-2025-04").conflicts[index].second.text
    meaning = "Place points of division A: 1st +45,000, 2nd +15,000, 3rd −20,000, 4th −40,000."
    assert (row["Value"], row["Article"]) == (f"{quotation} · {meaning}", "半莊結束 §6")


@pytest.mark.slow
def test_about_says_what_is_in_the_workbook():
    competition = loaded(real("mleague-2018-19.json"))

    facts = {row["Item"]: row["Value"] for row in rows_of(workbook_of(competition), "About")}

    assert facts["Competition"] == "M.League 2018-19"
    assert facts["Contents"] == "published rounds only"
    assert facts["Revision"] == competition.revision
    assert facts["Newest hash of the audit log"] == competition.audit_entries.last().hash
    assert (facts["Tables settled"], facts["Tables whose scores do not sum to zero"]) == (106, 0)
    assert "Created at (Asia/Tokyo)" in facts


def test_a_penalty_that_does_not_count_is_in_the_workbook_of_the_staff_alone():
    cast = club()
    for index, status in enumerate(("in_force", "requested", "declined")):
        penalty = log_penalty(
            stage=cast.stage, player_id=cast.players[index].pk, score=-20, by=cast.bob, reason=status
        )
        decided = {"decided_at": penalty.created_at, "decide_reason": "no proof"} if index == 2 else {}
        Penalty.objects.filter(pk=penalty.pk).update(status=status, **decided)

    staff, public = (rows_of(workbook_of(cast.competition, public=p), "Penalties") for p in (False, True))

    assert [(r["Reason"], r["State"], r["Reason for revoking or declining"]) for r in staff] == [
        ("in_force", None, None),
        ("requested", "awaiting the chief referee", None),
        ("declined", "declined", "no proof"),
    ]
    assert [r["Reason"] for r in public] == ["in_force"]


@pytest.mark.parametrize(
    ("shown", "rows"),
    [("counts", [{"Name": "陳大文", "Penalties": 2, "Sum": -5, "Key": "p1"}]), ("scores", None)],
)
def test_visitors_get_as_much_of_the_penalties_as_the_competition_shows(shown, rows):
    cast = club()
    for score in (-20, -30):
        log_penalty(stage=cast.stage, player_id=cast.players[0].pk, score=score, by=cast.bob, reason="late")
    update_competition(competition=cast.competition, values={"penalties_shown": shown}, by=cast.alice)
    cast.competition.refresh_from_db()

    public, staff = (workbook_of(cast.competition, public=p) for p in (True, False))

    assert (rows_of(public, "Penalties") if rows else None) == rows
    assert ("Penalties" in public.sheetnames) == bool(rows)
    assert len(rows_of(staff, "Penalties")) == 2


def test_a_revoked_penalty_is_struck_through_with_its_reason():
    cast = club()
    penalty = log_penalty(
        stage=cast.stage, player_id=cast.players[0].pk, score=-20, by=cast.bob, reason="late"
    )
    revoke_penalty(penalty=penalty, reason="on time after all", by=cast.bob)

    book = workbook_of(cast.competition, public=False)

    (row,) = rows_of(book, "Penalties")
    assert (row["Score"], row["Reason"], row["Reason for revoking or declining"]) == (
        -2,
        "late",
        "on time after all",
    )
    assert (row["Logged by"], row["Revoked by"]) == ("bob-spring", "bob-spring")
    assert book["Penalties"]["A2"].font.strike
