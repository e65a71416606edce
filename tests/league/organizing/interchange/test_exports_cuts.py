"""Cuts and lots in files: the competition file there and back, standings and workbook with head starts."""

import copy
import io
import json

import openpyxl
import pytest

from league.models import Lots, Stage
from league.organizing.interchange.exports.files import standings_file
from league.organizing.interchange.exports.workbook import write_workbook
from league.organizing.roster.services.roster import withdraw_entrant
from league.play.rounds.services import close_round, open_round, set_visibility
from league.ranking.stages.queries import story_of
from league.ranking.stages.services import cut_stage, draw
from league.ranking.standings.queries.standings import compute_standings
from scoring.cuts import Terms
from tests.factories import Club, club
from tests.league.organizing.interchange.files import check_problem, competition_file, each_case, loaded
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    """A final of four of nine: one withdrew, lots decided, one was chosen by hand, head starts."""
    made = club("spring", players=9)
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    made.record((45_000, 35_000, 25_000, 15_000), number=2)
    close_round(round_=made.rounds[0], by=made.alice)
    for first in (0, 1, 2):
        players = [made.players[first].pk, made.players[first + 4].pk]
        draw(stage=made.stage, players=players, seed=first, by=made.alice)
    withdraw_entrant(entrant=made.competition.entrants.get(key="p1"), by=made.alice)
    made.competition.entrants.filter(key="p2").update(previous_rank=3)
    terms = Terms(top=3, picked=(made.players[8].pk,), head_starts=(400, 205))
    final = cut_stage(
        source=made.stage, name="Final", terms=terms, carry="half", hanchan=2, seated=True, by=made.alice
    )
    round_ = final.rounds.get(number=1)
    open_round(round_=round_, by=made.alice)
    set_visibility(round_=round_, visibility="results", by=made.alice)
    made.competition.refresh_from_db()
    return made


def final_of(slug: str) -> Stage:
    found = Stage.objects.select_related("division__competition", "division__rule_set")
    return found.get(division__competition__slug=slug, slug="final")


def test_a_cut_travels_with_its_players_decisions_and_lots(spring):
    file = competition_file(spring.competition)
    regular, final = file["divisions"][0]["stages"]
    first, second, third, fourth = (each["player"] for each in final["entrants"])

    assert final["entrants"] == [
        {"player": first, "how": "rank", "head_start": 40.0},
        {"player": second, "how": "rank", "head_start": 20.5},
        {"player": third, "how": "rank", "head_start": 0.0},
        {"player": "p9", "how": "hand", "head_start": 0.0},
    ]
    assert (first, {second, third}, fourth) == ("p5", {"p2", "p6"}, "p9")
    assert (final["cut"]["from"], final["cut"]["picked"], final["cut"]["gone"]) == (
        "regular-season",
        ["p9"],
        ["p1"],
    )
    assert [set(each["players"]) for each in regular["lots"]] == [{"p1", "p5"}, {"p2", "p6"}, {"p3", "p7"}]
    assert [each.get("previous_rank") for each in file["players"][:3]] == [None, 3, None]
    assert "cut" not in regular
    assert (regular.get("planned_rounds"), final["planned_rounds"]) == (None, 2)

    copied = loaded(file | {"slug": "elsewhere"})

    assert competition_file(copied) == file | {"slug": "elsewhere"}
    here, there = (compute_standings(final_of(slug), public=False) for slug in ("spring", "elsewhere"))
    assert [(r.row.rank, r.player.key, r.row.carried, r.head_start) for r in there.rows] == [
        (r.row.rank, r.player.key, r.row.carried, r.head_start) for r in here.rows
    ]
    stages = list(copied.divisions.get().stages.all())
    story = story_of(stages[1], stages)
    assert story is not None
    assert [info.key for info in story.gone] == ["p1"]
    assert Lots.objects.filter(stage=stages[0]).count() == 3


def test_replacing_a_competition_by_its_own_file_keeps_the_cut(spring):
    file = competition_file(spring.competition)

    assert competition_file(loaded(file, spring.league)) == file


def test_a_file_without_cuts_says_nothing_of_them():
    made = club("plain")
    (stage,) = competition_file(made.competition)["divisions"][0]["stages"]
    assert list(stage) == ["slug", "name", "carry", "rounds"]


@pytest.mark.parametrize(
    "case",
    each_case(
        ("cut", (..., "Only a stage with a “cut”", "divisions[0].stages[1].entrants"), ([], "object")),
        ("cut.from", ("nowhere", "Choose from: regular-season")),
        ("cut.top", (-1, "too small")),
        ("cut.wild_card_by", ("coin", "“coin” is not available")),
        ("cut.picked", (["p99"], "no player “p99”", "[0]")),
        ("cut.decided", ([{"in": ["p2"], "out": ["p6"], "by": "coin"}], "“coin” is not available", "[0].by")),
        ("entrants[1].player", ("p5", "is listed twice")),
        ("entrants[0].how", ("luck", "“luck” is not available")),
        ("entrants[0].head_start", (1.25, "one decimal")),
        ("lots", ([{"players": ["p2", 7], "seed": 1}], "Enter text, not", "[0].players[1]")),
        ("lots", ([{"players": ["p2"]}], "missing", "[0].seed")),
    ),
    ids=str,
)
def test_each_problem_of_a_cut_has_its_place(spring, case):
    file = competition_file(spring.competition)

    check_problem(file, f"divisions[0].stages[1].{case[0]}", *case[1:], only=True)


def test_a_first_stage_has_nothing_to_cut(spring):
    file = competition_file(spring.competition)
    cut = copy.deepcopy(file["divisions"][0]["stages"][1]["cut"])

    check_problem(
        file,
        "divisions[0].stages[0].cut",
        cut,
        "A division’s first stage has no earlier stage to qualify from",
        only=True,
    )


def test_standings_in_files_name_the_head_start(spring):
    rows = json.loads(standings_file(final_of("spring"), "json", public=False))["rows"]
    by_key = {row["player"]: row for row in rows}

    assert (by_key["p5"]["carried"], by_key["p5"]["head_start"], by_key["p5"]["total"]) == (
        "70.0",
        "40.0",
        "70.0",
    )
    assert (by_key["p9"]["carried"], by_key["p9"]["head_start"]) == ("0.0", "0.0")
    heading = standings_file(final_of("spring"), "csv", public=False).decode("utf-8-sig").splitlines()[0]
    assert "carried,head_start,total" in heading


def test_a_stage_without_head_starts_has_no_such_column(spring):
    first = spring.stage
    first = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=first.pk)
    assert "head_start" not in standings_file(first, "csv", public=False).decode()


def test_the_workbook_names_the_head_start(spring):
    stream = io.BytesIO()
    write_workbook(spring.competition, stream, public=False)
    book = openpyxl.load_workbook(io.BytesIO(stream.getvalue()))
    sheet = next(sheet for sheet in book if "Final" in sheet.title)
    rows = [row for row in sheet.iter_rows(values_only=True) if any(cell is not None for cell in row)]
    head = next(row for row in rows if "Total" in row)
    column = head.index("Head start (in carried over)")

    assert sorted(row[column] for row in rows[rows.index(head) + 1 :]) == [0, 0, 20.5, 40]
