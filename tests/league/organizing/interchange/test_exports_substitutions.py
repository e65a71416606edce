"""Substitutions in files: the competition file there and back, standings and results with substitutes."""

import csv
import io
import json

import openpyxl
import pytest

from league.models import Adjustment, Competition, Entrant, Round, Seat, Stage
from league.organizing.interchange.exports.files import results_file, standings_file
from league.organizing.interchange.exports.workbook import write_workbook
from league.organizing.seating.queries.seating import SCHEDULE, PlanRequest
from league.organizing.seating.services.drafts import accept_seating, begin_seating, draft_state
from league.play.results.exports import table_lines
from league.play.rounds.services import open_round, set_visibility
from league.play.substitutions.services.substitutions import (
    add_adjustment,
    end_substitution,
    revoke_adjustment,
    substitute_player,
)
from league.ranking.standings.queries.standings import compute_standings
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club
from tests.league.organizing.interchange.files import (
    check_problem,
    competition_file,
    each_case,
    loaded,
    round_of,
)
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

ADJUSTMENT = {"player": "p10", "round": 1, "kind": "absent", "score": -15.5, "reason": "came late"}
TWICE = [ADJUSTMENT | {"round": None}] * 2
SHEET = (45_000, 35_000, 25_000, 15_000)


@module_fixture
def ema() -> Club:
    """Return a competition in which p9 is a late substitute for p4. p10 missed the round."""
    made = club("ema", preset="ema-2025")
    made.add_round()
    made.add_players(2)
    Entrant.objects.filter(competition=made.competition, key="p9").update(is_substitute=True)
    Entrant.objects.filter(competition=made.competition, key="p8").update(is_guest=True)
    log_penalty(
        stage=made.stage,
        player_id=made.players[3].pk,
        score=-20,
        reason="late",
        table=made.table(),
        by=made.bob,
    )
    substitute_player(
        seat=Seat.objects.get(player=made.players[3]),
        substitute=made.players[8].pk,
        late=True,
        score=-300,
        reason="ill",
        onwards=True,
        by=made.alice,
    )
    made.record(SHEET)
    late = Entrant.objects.get(player=made.players[9])
    for score in (-150, -155):
        found = Adjustment.objects.filter(player=late.player, revoked_at=None).first()
        if found:
            revoke_adjustment(adjustment=found, reason="typed wrong", by=made.alice)
        add_adjustment(
            stage=made.stage,
            round_=made.rounds[0],
            entrant=late,
            kind="absent",
            score=score,
            reason="came late",
            by=made.alice,
        )
    made.competition.refresh_from_db()
    return made


def totals(competition: Competition) -> dict[str, tuple[int, int]]:
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(
        division__competition=competition
    )
    rows = compute_standings(stage, public=False).rows
    return {row.player.key: (row.row.adjusted, row.row.total) for row in rows}


def test_the_file_comes_back_with_the_same_standings(ema):
    file = competition_file(ema.competition)
    there = loaded(file | {"slug": "elsewhere"})

    assert competition_file(there) == file | {"slug": "elsewhere"}
    assert totals(there) == totals(ema.competition)
    assert totals(there)["p4"] == (-300, -320)
    assert "p9" not in totals(there)


def test_the_file_takes_the_place_of_what_is_there(ema):
    file = competition_file(ema.competition)

    assert competition_file(loaded(file, ema.league)) == file
    assert Adjustment.objects.filter(revoked_at=None).count() == 2


def test_in_the_workbook_a_score_of_zero_is_a_number_in_a_column_that_others_need(ema):
    stream = io.BytesIO()
    write_workbook(ema.competition, stream, public=True)
    head, *rows = openpyxl.load_workbook(stream)["Standings"].iter_rows(values_only=True)
    found = {row[head.index("Key")]: row[head.index("Rounds not played")] for row in rows}
    nothing = {f"p{number}": 0 for number in (1, 2, 3, 5, 6, 7, 8)}
    assert found == nothing | {"p4": -30, "p10": -15.5}


def test_what_the_file_says_of_it(ema):
    file = competition_file(ema.competition)

    seat = file["divisions"][0]["stages"][0]["rounds"][0]["tables"][0]["seats"][3]
    assert seat == {
        **{"wind": "north", "player": "p9", "points": 15_000},
        **{"stands_for": "p4", "came_late": True, "until_back": True},
    }
    assert [player["id"] for player in file["players"] if player.get("substitute")] == ["p9"]
    late = ADJUSTMENT | {"division": "main", "stage": "regular-season"}
    assert file["adjustments"] == [
        late | {"player": "p4", "kind": "substituted", "score": -30.0, "reason": "ill"},
        late | {"score": -15.0, "revoked": True},
        late,
    ]


@pytest.mark.slow
def test_who_sits_out_and_an_average_that_follows_the_results_travel():
    here = club("odd", players=5, preset="ema-2025")
    Stage.objects.update(sit_out="average")
    draft = begin_seating(
        stage=fresh(here), asked=PlanRequest(method=SCHEDULE, rounds=2), seed=1, by=here.alice
    )
    accept_seating(stage=fresh(here), seen=draft_state(draft), by=here.alice)
    first = Round.objects.select_related("stage__division__competition").get(stage=here.stage, number=1)
    open_round(round_=first, by=here.alice)
    here.record(SHEET)

    file = competition_file(here.competition)

    rounds = file["divisions"][0]["stages"][0]["rounds"]
    seats = rounds[1]["tables"][0]["seats"]
    (out,) = {f"p{n}" for n in range(1, 6)} - {seat["player"] for seat in seats}
    assert rounds[1]["sitting_out"] == [out]
    given = next(each for each in file["adjustments"] if each["round"] == 2)
    assert (given["player"], given["average"]) == (out, True)
    assert given["score"] != 0

    copied = loaded(file | {"slug": "elsewhere"})

    assert competition_file(copied) == file | {"slug": "elsewhere"}
    copies = Adjustment.objects.filter(stage__division__competition=copied)
    assert list(copies.values_list("score", flat=True)) == [None, None]
    place, given = "divisions[0].stages[0].rounds[1].sitting_out[0]", "adjustments[0]"
    for case in (
        (place, "p77", "no player “p77”"),
        (place, seats[0]["player"], "is listed twice"),
        (f"{given}.kind", "absent", "The average is only", f"{given}.average"),
    ):
        check_problem(competition_file(here.competition), *case, only=False)


@pytest.mark.slow
def test_a_player_who_sits_out_and_then_for_another_one_is_seated_in_the_file():
    here = club("turn", players=9, kind="event")
    here.add_round()
    seat = Seat.objects.get(player=here.players[0])
    substitute_player(
        seat=seat, substitute=here.players[8].pk, late=False, score=0, reason="ill", by=here.alice
    )

    during = competition_file(here.competition)

    assert "sitting_out" not in round_of(during)
    assert competition_file(loaded(during | {"slug": "elsewhere"})) == during | {"slug": "elsewhere"}
    seat.refresh_from_db()
    end_substitution(seat=seat, reason="back", by=here.alice)
    assert round_of(competition_file(here.competition))["sitting_out"] == ["p9"]


SEAT = "divisions[0].stages[0].rounds[0].tables[0].seats[3]"


@pytest.mark.parametrize(
    "case",
    each_case(
        (f"{SEAT}.stands_for", ("p77", "no player “p77”"), ("p1", "is listed twice")),
        (f"{SEAT}.came_late", ("yes", "true or false")),
        (f"{SEAT}.until_back", (1, "true or false")),
        ("adjustments[0].round", (9, "no round 9")),
        ("adjustments[0].kind", ("bored", "“bored” is not available")),
        ("adjustments[0].score", (0.25, "one decimal")),
        ("adjustments[1]", (ADJUSTMENT, "has such an adjustment", "adjustments[2].round")),
        ("adjustments", (TWICE, "This player already has such an adjustment", "adjustments[1].round")),
        ("players[0].substitute", (3, "true or false")),
    ),
    ids=str,
)
def test_each_problem_of_a_substitution_has_its_place(ema, case):
    check_problem(competition_file(ema.competition), *case, only=False)


# --- standings and results


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def fresh(here: Club) -> Stage:
    return Stage.objects.select_related("division__rule_set", "division__competition").get(pk=here.stage.pk)


def test_standings_have_a_column_for_rounds_not_played_where_there_are_any(ema):
    rows = rows_of(standings_file(fresh(ema), "csv", public=True))
    assert {row["player"]: (row["adjusted"], row["total"]) for row in rows if row["adjusted"] != "0.0"} == {
        "p4": ("-30.0", "-32.0"),
        "p10": ("-15.5", "-15.5"),
    }
    found = json.loads(standings_file(fresh(ema), "json", public=True))["rows"]
    assert {row["player"]: row["adjusted"] for row in found}["p4"] == "-30.0"

    set_visibility(round_=ema.rounds[0], visibility="hidden", by=ema.alice)

    hidden = rows_of(standings_file(fresh(ema), "csv", public=True))
    assert hidden
    assert "adjusted" not in hidden[0]


def test_results_say_for_whom_a_substitute_sat(ema):
    lines = list(table_lines(ema.competition, public=True))
    rows = rows_of(results_file(ema.competition, lines, "csv"))
    assert [(row["player"], row["place"], row["stands_for"]) for row in rows[:4]] == [
        ("p1", "1", ""),
        ("p2", "2", ""),
        ("p3", "3", ""),
        ("p9", "4", "p4"),
    ]
    found = json.loads(results_file(ema.competition, lines, "json"))["rows"]
    assert [row.get("stands_for") for row in found[:4]] == [None, None, None, "p4"]
    assert "stands_for" not in found[0]


def test_a_competition_without_substitutes_has_no_such_column(db):
    here = club("spring")
    here.add_round()
    here.record(SHEET)

    rows = rows_of(results_file(here.competition, table_lines(here.competition, public=True), "csv"))

    assert rows
    assert "stands_for" not in rows[0]
    assert "adjustments" not in competition_file(here.competition)


@pytest.mark.slow
def test_the_workbook_has_what_was_given_beside_the_penalties(ema):
    stream = io.BytesIO()
    write_workbook(ema.competition, stream, public=True, language="en")

    sheet = openpyxl.load_workbook(stream)["Standings"]
    head = [cell.value for cell in sheet[1]]
    rows = [dict(zip(head, (cell.value for cell in row), strict=True)) for row in sheet.iter_rows(min_row=2)]
    assert {row["Key"]: row["Rounds not played"] for row in rows if row["Rounds not played"]} == {
        "p4": -30,
        "p10": -15.5,
    }
