"""EMA's results form, read back by a reader made from its list of columns, and the facts that it lacks."""

import io
from datetime import date
from decimal import Decimal

import openpyxl
import pytest

from league.extras.reports.exports.forms import EMA, ema_file, ema_problems, federation_file, sample_form
from league.extras.reports.queries import (
    KNOWN,
    PENALTY,
    PLAYER,
    SINGLE,
    TABLE,
    Report,
    reports_of,
    split_name,
    values_of,
)
from league.models import Competition
from league.play.results.exports import table_lines
from league.referees.penalties.services.log import log_penalty
from players.models import FederationNumber, Player
from scoring.units import WINDS
from tests.factories import user
from tests.league.extras.reports.ema import COLUMNS, read_csv, read_xlsx, tournament
from tests.league.organizing.interchange.files import real

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample(db) -> Competition:
    return tournament()


def report_of(competition: Competition) -> Report:
    [found] = reports_of(competition)
    return found


def totals_by_hand() -> dict[str, int]:
    """Points above 30,000 with the uma of EMA's rules (3.7), which tied players share, and penalties."""
    file, totals = real("sample-24-players.json"), dict.fromkeys((f"p{n}" for n in range(1, 25)), 0)
    for round_ in file["divisions"][0]["stages"][0]["rounds"]:
        for table in round_["tables"]:
            points = [seat["points"] for seat in table["seats"]]
            for seat in table["seats"]:
                own = seat["points"]
                places = [at for at, each in enumerate(sorted(points, reverse=True)) if each == own]
                uma = sum((15_000, 5_000, -5_000, -15_000)[at] for at in places) // len(places)
                totals[seat["player"]] += own - 30_000 + uma
    for penalty in file["penalties"]:
        totals[penalty["player"]] += round(1000 * penalty["score"])
    return {f"Given{int(player[1:]):02}": total for player, total in totals.items()}


def test_the_form_of_the_24_player_tournament_is_read_back_from_its_list_of_columns(sample):
    rows = read_xlsx(ema_file(report_of(sample), "xlsx"))

    assert tuple(EMA) == COLUMNS
    assert len(rows) == 24
    assert read_csv(ema_file(report_of(sample), "csv")) == rows
    assert {row["First name"]: row["Score"] for row in rows} == totals_by_hand()
    scores = [row["Score"] for row in rows]
    assert [row["Place"] for row in rows] == [1 + sum(other > own for other in scores) for own in scores]
    first = rows[0]
    assert first["Tournament name"] == sample.name
    assert (first["Number of participants"], first["Days"], first["MERS"]) == (24, 2, 2.0)
    assert (first["Date"], first["Period"]) == ("13.09.2026", "12-13 September 2026")
    assert (first["Court country"], first["City"], first["Short name"]) == ("FIN", "Helsinki", "Sample")
    assert (first["Rules"], first["Table points"], first["Extra"]) == ("Riichi", 0, 0)
    by_name = {row["First name"]: row for row in rows}
    assert by_name["Given01"]["EMA number"] == "00000001"
    assert by_name["Given04"]["EMA number"] == "-1"
    assert by_name["Given01"]["Country"] == "DEU"


@pytest.mark.parametrize("fmt", ["xlsx", "csv"])
def test_a_name_like_a_formula_stays_text(sample, fmt):
    Player.objects.filter(name="Given01 Family01").update(name="=1+1 =2+2")
    content = ema_file(report_of(sample), fmt)
    if fmt == "csv":
        assert "'=1+1" in content.decode()
    else:
        cells = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
        found = [cell for row in cells.iter_rows() for cell in row if cell.value in ("=1+1", "=2+2")]
        assert [cell.data_type for cell in found] == ["s", "s"]


def test_a_complete_tournament_lacks_nothing(sample):
    assert list(ema_problems(report_of(sample))) == []


def test_each_missing_fact_is_named(sample):
    Player.objects.filter(name="Given01 Family01").update(name="Given01", country="")
    FederationNumber.objects.filter(number="00000002").update(number="123")
    Competition.objects.filter(pk=sample.pk).update(city="", mers_weight=None, first_day=None, last_day=None)
    sample.refresh_from_db()

    said = list(ema_problems(report_of(sample)))

    assert [words for words in said if "city" in words]
    assert [words for words in said if "MERS" in words]
    assert [words for words in said if "day" in words]
    assert [words for words in said if "one name: Given01." in words]
    assert [words for words in said if "missing: Given01." in words]
    assert [words for words in said if "“123”" in words and "Given02" in words]
    assert len(said) == 6


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("Anna Berg", "Anna", "BERG"),
        ("Anna Maria Berg", "Anna Maria", "BERG"),
        ("SATO Taro", "Taro", "SATO"),
        ("Maria DE LA CRUZ", "Maria", "DE LA CRUZ"),
        ("Jan van der Berg", "Jan", "VAN DER BERG"),
        ("Berg, Anna", "Anna", "BERG"),
        ("Ana de Souza Lima", "Ana de Souza", "LIMA"),
        ("F01", "", "F01"),
        ("J. R. R. TOLKIEN", "J. R. R.", "TOLKIEN"),
        ("SATO T.", "T.", "SATO"),
        ("J.-P. DUPONT", "J.-P.", "DUPONT"),
        ("McDONALD Ann", "Ann", "McDONALD"),
        ("Leo DiCAPRIO", "Leo", "DiCAPRIO"),
        ("Maria D' ANGELO", "Maria", "D' ANGELO"),
        ("STRAßE Otto", "Otto", "STRASSE"),
        ("Otto Straße", "Otto", "STRASSE"),
        ("JoAnn Berg", "JoAnn", "BERG"),
        ("", "", ""),
    ],
)
def test_first_and_last_names(name, first, last):
    assert split_name(name) == (first, last)


def test_the_sample_form_is_filled_in(sample):
    sheet = openpyxl.load_workbook(io.BytesIO(federation_file(report_of(sample), sample_form()))).active
    assert sheet is not None
    assert sheet["A1"].value == sample.name
    assert sheet["B3"].value.date() == sample.first_day
    assert [sheet.cell(row, 1).value for row in range(7, 31)] == list(range(1, 25))
    assert sheet["H30"].value == "=G$7-G30"
    assert sheet["G31"].value == "=SUM(G7:G30)"
    assert not [cell for row in sheet.iter_rows() for cell in row if "{{" in str(cell.value)]


def test_every_fact_of_a_form_has_a_value_of_a_plain_kind(sample):
    report = report_of(sample)
    stage, one = report.division.stages.get(), sample.entrants.order_by("pk")[0]
    log_penalty(stage=stage, player_id=one.player_id, score=-20, reason="late", by=user("referee"))
    lines = {
        "player": values_of(PLAYER, report.lines),
        "table": values_of(TABLE, table_lines(sample, public=False)),
        "penalty": values_of(PENALTY, report.penalties()),
        "single": values_of(SINGLE, [report]),
    }
    assert {name: len(found) for name, found in lines.items()} == {
        "player": 24,
        "table": sum(len(each["tables"]) for each in rounds_of_the_sample()),
        "penalty": 1,
        "single": 1,
    }
    assert {name for found in lines.values() for name in found[0]} == KNOWN
    kinds = {type(value) for found in lines.values() for line in found for value in line.values()}
    assert kinds <= {str, int, float, date, Decimal, type(None)}
    [penalty], first = lines["penalty"], lines["table"][0]
    assert (penalty["penalty.player"], penalty["penalty.score"]) == (one.player.name, -2.0)
    assert (penalty["penalty.reason"], penalty["penalty.round"]) == ("late", None)
    assert sum(first[f"table.{wind}_points"] for wind in WINDS) == 120_000


def rounds_of_the_sample() -> list:
    return real("sample-24-players.json")["divisions"][0]["stages"][0]["rounds"]
