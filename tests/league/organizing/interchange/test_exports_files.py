"""Standings and results in JSON, CSV and workbooks: exact, by the contract, without formulas or secrets."""

import csv
import io
import json
import re
from datetime import date, datetime, timedelta
from typing import Any

import openpyxl
import pytest
from django.core.cache import cache
from django.utils import translation

from league.core.files.columns import LONG, TEXT, Column
from league.core.files.csv import csv_text, guard
from league.core.zones import day_of_play
from league.models import Competition, Entrant, Round, Sheet, Stage
from league.organizing.audit_log.queries import head_code
from league.organizing.interchange.exports.files import results_file, standings_file
from league.play.results.exports import table_lines
from league.play.rounds.services import set_visibility
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from players.models import FederationNumber
from players.text import tidy
from scoring.units import decimal_text
from tests.factories import Club, club
from tests.league.organizing.interchange.exported import (
    DANGEROUS,
    cells,
    json_standings,
    open_workbook,
    rows_of,
    stage_of,
    workbook_of,
)
from tests.league.organizing.interchange.files import loaded, random_file, real, small, table_of

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "zh-hant", "zh-hans", "ja")


def json_results(competition: Competition, *, public: bool = True) -> Any:
    return json.loads(results_file(competition, table_lines(competition, public=public), "json"))


def csv_rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


# --- the contract


def test_standings_have_the_keys_of_the_contract():
    competition = loaded(small())

    assert json_standings(competition) == {
        "competition": "small",
        "division": "main",
        "stage": "regular",
        "audit_log": head_code(competition),
        "rows": [
            _row(1, "p1", "陳大文", "55.0", "0.0", "55.0", [1, 0, 0, 0], "1.00", 40000),
            _row(2, "p2", "李", "10.0", "0.0", "10.0", [0, 1, 0, 0], "2.00", 35000),
            _row(3, "p3", "Dora", "-20.0", "0.0", "-20.0", [0, 0, 1, 0], "3.00", 25000),
            _row(4, "p4", "É", "-45.0", "-20.0", "-65.0", [0, 0, 0, 1], "4.00", 20000),
        ],
    }


def _row(rank, player, name, score, penalty, total, places, average, best):
    return {
        "rank": rank,
        "player": player,
        "name": name,
        "games": 1,
        "score": score,
        "penalty": penalty,
        "total": total,
        "places": places,
        "average_place": average,
        "best_points": best,
    }


def test_a_player_without_a_game_has_no_average_and_no_best():
    cast = club()

    row = json_standings(cast.competition)["rows"][0]

    assert (row["games"], row["score"], row["average_place"], row["best_points"]) == (0, "0.0", None, None)


def test_a_stage_that_carries_says_how_much():
    file = random_file(2)
    for division in file["divisions"]:
        division["stages"][1]["carry"] = "half"
        division["rules"]["overrides"].pop("split_remainder", None)  # thirds would not add up once rounded
    competition = loaded(file)
    stage = Stage.objects.filter(division__competition=competition, slug="final").first()
    assert stage is not None

    rows = json.loads(standings_file(stage, "json", public=False))["rows"]

    assert rows
    assert any(row["carried"] != "0.0" for row in rows)
    for row in rows:
        parts = [round(float(row[name]) * 10) for name in ("score", "penalty", "carried")]
        assert sum(parts) == round(float(row["total"]) * 10)


def test_thirds_are_written_exactly_beside_their_rounded_score():
    file = small()
    exact = {"tie_rule": "split", "split_remainder": "exact"}
    file["divisions"][0]["rules"] = {"preset": "mleague", "overrides": exact}
    for seat, points in zip(table_of(file)["seats"], (30000, 30000, 30000, 10000), strict=True):
        seat["points"] = points
    competition = loaded(file)

    rows, seats = json_standings(competition)["rows"], json_results(competition)["rows"]
    table = csv_rows(standings_file(stage_of(competition), "csv", public=True))

    assert [(row["total"], row["total_exact"]) for row in rows] == [("16.7", "16 2/3")] * 3 + [
        ("-70.0", None)
    ]
    assert [(row["score"], row["score_exact"]) for row in seats[2:]] == [("16.7", "16 2/3"), ("-50.0", None)]
    assert [row["total_exact"] for row in table] == ["16 2/3"] * 3 + [""]


def test_the_file_shows_the_rows_of_the_page():
    competition = loaded(real("sample-24-players.json"))
    page = standings(stage_of(competition), public=True)

    rows = json_standings(competition)["rows"]

    assert [(r["rank"], r["player"], r["total"]) for r in rows] == [
        (line.row.rank, line.player.key, decimal_text(line.row.total)) for line in page.rows
    ]


def test_results_have_the_keys_of_the_contract():
    competition = loaded(real("mleague-2018-19.json"))

    found = json_results(competition)

    assert found["competition"] == "mleague-2018-19"
    assert len(found["rows"]) == 424
    assert found["rows"][0] == {
        "division": "main",
        "stage": "regular",
        "round": 1,
        "table": 1,
        "wind": "east",
        "player": "p2",
        "name": "小林剛",
        "points": 38400,
        "place": 2,
        "uma": "10.0",
        "oka": "0.0",
        "score": "18.4",
        "status": "confirmed",
    }


def test_a_void_table_keeps_its_points_and_scores_nothing():
    file = small()
    table_of(file)["status"] = "void"

    rows = json_results(loaded(file))["rows"]

    assert [row["points"] for row in rows] == [40000, 35000, 25000, 20000]
    assert {(row["status"], row["place"], row["uma"], row["score"]) for row in rows} == {
        ("void", None, None, None)
    }


@pytest.mark.parametrize(("points", "state"), [(40_000, "void"), (30_000, "forfeited")])
def test_a_file_tells_a_voided_game_from_a_forfeited_table(points, state):
    file = small()
    table_of(file)["status"] = "void"
    for seat, value in zip(table_of(file)["seats"], (points, 30_000, 30_000, 60_000 - points), strict=True):
        seat["points"] = value

    loaded(file)

    assert Sheet.objects.get().state == state


def test_a_scheduled_table_has_its_players_and_nothing_more():
    file = small()
    table_of(file)["status"] = "scheduled"
    for seat in table_of(file)["seats"]:
        del seat["points"]

    competition = loaded(file)

    rows, book = json_results(competition)["rows"], workbook_of(competition)

    assert [row["player"] for row in rows] == ["p1", "p2", "p3", "p4"]
    assert {(row["status"], row["points"], row["score"]) for row in rows} == {("scheduled", None, None)}
    assert [len(rows_of(book, title)) for title in ("Tables", "Seating")] == [0, 1]


@pytest.mark.slow
def test_a_played_table_has_the_day_of_the_event_or_of_its_first_sheet():
    cast = club(kind="event")
    cast.add_round()
    cast.record((45_000, 35_000, 25_000, 15_000))
    day = day_of_play(cast.competition, cast.table().sheets.get().entered_at)

    def dates() -> set[date]:
        book = workbook_of(cast.competition)
        return {row["Date"].date() for title in ("Tables", "Seating") for row in rows_of(book, title)}

    cast.competition.first_day, cast.competition.last_day = day, day + timedelta(days=1)
    assert dates() == {day}
    cast.competition.first_day = cast.competition.last_day
    for last_day in (cast.competition.first_day, None):
        cast.competition.last_day = last_day
        assert dates() == {day + timedelta(days=1)}


def test_results_of_one_division_are_its_own():
    competition = loaded(random_file(4))

    everything = list(table_lines(competition, public=False))
    second = list(table_lines(competition, division="d1", public=False))

    assert {line.division.slug for line in everything} > {"d1"}
    assert {line.division.slug for line in second} == {"d1"}
    assert second == [line for line in everything if line.division.slug == "d1"]


def test_results_of_a_season_take_a_few_queries(django_assert_num_queries):
    competition = loaded(real("mleague-2018-19.json"))

    with django_assert_num_queries(4):
        assert len(list(table_lines(competition, public=True))) == 106


# --- CSV


def test_csv_holds_what_json_holds():
    competition = loaded(real("mleague-2018-19.json"))
    stage = stage_of(competition)

    rows = csv_rows(standings_file(stage, "csv", public=True))

    assert [(r["rank"], r["player"], r["name"], r["total"], r["average_place"]) for r in rows] == [
        (str(r["rank"]), r["player"], r["name"], r["total"], r["average_place"])
        for r in json_standings(competition)["rows"]
    ]
    assert rows[0]["firsts"] == "8"


def test_csv_begins_with_the_mark_that_excel_needs():
    content = standings_file(stage_of(loaded(small())), "csv", public=True)

    assert content.startswith(b"\xef\xbb\xbfrank,player,name,games,score,penalty,total,firsts,")


@pytest.mark.parametrize("name", DANGEROUS)
def test_no_cell_of_a_csv_is_a_formula(name):
    file = small()
    file["players"][0]["name"] = name
    competition = loaded(file)

    standings_rows = csv_rows(standings_file(stage_of(competition), "csv", public=True))
    results_rows = csv_rows(results_file(competition, table_lines(competition, public=True), "csv"))

    assert standings_rows[0]["name"] == f"'{tidy(name)}"
    assert results_rows[0]["name"] == f"'{tidy(name)}"
    assert results_rows[3]["score"] == "-45.0"  # numbers stay numbers


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_every_sign_that_begins_a_formula_is_guarded(start):
    columns, text = [Column("name", "Name", TEXT), Column("reason", "Reason", LONG)], f"{start}1+1"
    rows = csv_rows(csv_text(columns, [[text, text]]).encode())
    assert rows == [{"name": f"'{text}", "reason": f"'{text}"}]


def test_an_ordinary_name_stays_as_it_is():
    assert [guard(name) for name in ("陳大文", "a=b", "'quoted", "")] == ["陳大文", "a=b", "'quoted", ""]


def test_a_name_with_comma_quote_and_line_end_stays_one_cell():
    text = csv_text([Column("name", "Name", TEXT)], [['a,"b"\r\nc']])

    assert csv_rows(text.encode()) == [{"name": 'a,"b"\r\nc'}]


# --- languages


@pytest.mark.slow
def test_another_language_changes_no_number_and_no_key():
    competition = loaded(random_file(6))
    stage = stage_of(competition)
    lines = list(table_lines(competition, public=True))
    plain = [standings_file(stage, form, public=True) for form in ("json", "csv")]
    plain += [results_file(competition, lines, form) for form in ("json", "csv")]
    numbers = numbers_of(workbook_of(competition))
    assert len(numbers) > 100

    for language in LANGUAGES[1:]:
        cache.clear()
        with translation.override(language):
            same = [standings_file(stage, form, public=True) for form in ("json", "csv")]
            same += [results_file(competition, lines, form) for form in ("json", "csv")]

        assert same == plain, language
        assert numbers_of(workbook_of(competition, language=language)) == numbers, language


def numbers_of(book: openpyxl.Workbook) -> list[tuple[str, Any, str]]:
    return [
        (cell.coordinate, cell.value, cell.number_format)
        for cell in cells(book)
        if isinstance(cell.value, int | float)
    ]


# --- nothing hidden


SECRET = "secret reason"


def half_hidden_club(visibility: str) -> Club:
    """Two rounds, of which the second is not published: with a result and a penalty that are secret."""
    cast = club(players=8)
    cast.add_round()
    cast.record((40000, 35000, 25000, 20000))
    cast.add_round(visibility="results")
    cast.record((77700, 20000, 12300, 10000), round_number=2)
    log_penalty(
        stage=cast.stage,
        player_id=cast.players[3].pk,
        score=-333,
        by=cast.bob,
        table=cast.table(2),
        reason=SECRET,
    )
    revoked = log_penalty(
        stage=cast.stage,
        player_id=cast.players[0].pk,
        score=-10,
        by=cast.bob,
        table=cast.table(2),
        reason=SECRET,
    )
    revoke_penalty(penalty=revoked, reason=SECRET, by=cast.bob)
    set_visibility(round_=cast.rounds[1], visibility=visibility, by=cast.alice)
    cast.competition.refresh_from_db()
    cast.stage = Stage.objects.select_related("division__competition", "division__rule_set").get(
        pk=cast.stage.pk
    )
    return cast


def every_export(cast: Club, *, public: bool) -> str:
    """All that could be read in any export, in one text, but times and digests: their digits are chance."""
    lines = list(table_lines(cast.competition, public=public))
    texts = [standings_file(cast.stage, form, public=public).decode() for form in ("json", "csv")]
    texts += [results_file(cast.competition, lines, form).decode() for form in ("json", "csv")]
    books = [
        open_workbook(standings_file(cast.stage, "xlsx", public=public)),
        open_workbook(results_file(cast.competition, lines, "xlsx")),
        workbook_of(cast.competition, public=public),
    ]
    values = [cell.value for book in books for cell in cells(book) if not isinstance(cell.value, datetime)]
    return re.sub("[0-9a-f]{64}", "", "\n".join([*texts, repr(values)]))


@pytest.mark.parametrize("visibility", [Round.Visibility.HIDDEN, Round.Visibility.SEATING])
def test_no_public_export_holds_a_round_that_is_not_published(visibility):
    cast = half_hidden_club(visibility)
    leaks = ("77700", "92.7", "33.3", SECRET)
    everything = every_export(cast, public=False)
    assert [leak for leak in leaks if leak not in everything] == []  # staff see all of it

    published = every_export(cast, public=True)

    assert [leak for leak in leaks if leak in published] == []
    assert {row["round"] for row in json_results(cast.competition)["rows"]} == {1}
    assert {row["games"] for row in json_standings(cast.competition)["rows"]} == {1, 0}


def test_only_staff_get_federation_numbers_and_the_names_of_referees():
    cast = half_hidden_club("results")
    FederationNumber.objects.create(player=cast.players[0], federation="EMA", number="04010099")
    everything = every_export(cast, public=False)
    assert "04010099" in everything
    assert "bob-spring" in everything

    published = every_export(cast, public=True)

    assert "04010099" not in published
    assert "bob-spring" not in published


def test_players_who_withdrew_stay_in_the_list_of_players():
    cast = club()
    Entrant.objects.filter(key="p1").update(withdrawn_at="2025-01-01T00:00:00Z")

    rows = rows_of(workbook_of(cast.competition), "Players")

    assert [(row["Key"], row["Withdrawn"]) for row in rows[:2]] == [("p1", "yes"), ("p2", None)]
