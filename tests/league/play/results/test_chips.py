"""Chips (祝儀), typed with the points and worth what the rules say, from the sheet to standings and files."""

import json
import uuid

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from league.core.errors import Refused
from league.models import AuditEntry, Entrant, Seat, Sheet
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.schema.problems import BrokenFile
from league.organizing.interchange.services.competition_file import import_competition
from league.play.open_play.services import enter_slip
from league.play.results.exports import json_rows, result_columns, table_lines
from league.play.results.services import record_result, void_result
from league.play.rounds.services import set_visibility
from league.play.substitutions.services.substitutions import substitute_player
from league.ranking.standings.exports import standings_json
from league.ranking.standings.queries.standings import standings
from tests.factories import Club, as_seen, club, signed_in
from tests.league.organizing.interchange.files import competition_file
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

WINDS = ("east", "south", "west", "north")
IN_ORDER = (45000, 35000, 25000, 15000)
CHIPS = (5, -1, 0, -4)


@module_fixture
def here() -> Club:
    made = club("chips", overrides={"chip_value": 2.5})
    made.add_round()
    made.add_players(1)
    return made


@module_fixture
def plain() -> Club:
    made = club("plain")
    made.add_round()
    return made


def typed(chips: tuple[object, ...] = CHIPS, **more: object) -> dict[str, object]:
    return {
        "key": str(uuid.uuid4()),
        "number": 1,
        "based_on": 0,
        **dict(zip(WINDS, (450, 350, 250, 150), strict=True)),
        **{f"{wind}_chips": each for wind, each in zip(WINDS, chips, strict=True)},
        "sticks": 0,
        **more,
    }


def enter(made: Club, **fields: object):
    seated = "-".join(
        str(player) for player in Seat.objects.filter(table=made.table()).values_list("player_id", flat=True)
    )
    where = reverse("results:enter_round", args=(made.slug, made.rounds[0].pk))
    return signed_in(made.charlie).post(where, typed(**fields) | {"seated": seated})


def record(made: Club, chips: tuple[int, int, int, int] = CHIPS, **how: object) -> Sheet:
    cache.clear()
    return record_result(
        table=made.table(), points=IN_ORDER, chips=chips, by=made.charlie, **{"based_on": 0} | how
    )


def rows(made: Club, *, public: bool = True) -> dict[str, tuple[object, ...]]:
    cache.clear()
    found = standings(made.stage, public=public).rows
    return {line.player.key: (line.row.total, line.row.chips, line.row.place_sum) for line in found[:4]}


def test_typed_chips_count_in_the_total_and_are_shown_beside_it(here):
    assert enter(here).status_code == 302

    assert Sheet.objects.get().chips == CHIPS
    plain_total = (600, 100, -200, -500)
    assert rows(here) == {
        f"p{seat + 1}": (plain_total[seat] + 25 * CHIPS[seat], CHIPS[seat], seat + 1) for seat in range(4)
    }
    client, stage = signed_in(here.charlie), here.stage
    pages = [
        client.get(reverse("standings:stage", args=(here.slug, stage.division.slug, stage.slug))).text,
        client.get(reverse("standings:player", args=(here.slug, here.competition.entrants.first().pk))).text,
        client.get(reverse("results:table", args=(here.slug, here.table().pk))).text,
    ]
    assert all("Chips" in page for page in pages)
    assert "Chips 5</span>" in pages[1]
    assert "Chips: East +5, South −1, North −4" in pages[2]
    (entry,) = AuditEntry.objects.filter(action="result.record")
    assert entry.after["chips"] == list(CHIPS)


def test_a_value_of_zero_shows_the_chips_and_counts_nothing():
    made = club("shown", overrides={"chip_value": 0})
    made.add_round()
    record(made)

    assert rows(made)["p1"] == (600, 5, 1)


@pytest.mark.parametrize(
    ("chips", "sentence"),
    [
        ((5, "", "", "-4"), "Chips must sum to zero, not 1."),
        (("x", 0, 0, 0), "Enter chips as whole numbers"),
        (("1.5", "-1.5", 0, 0), "Enter chips as whole numbers"),
        (("9999999", 0, 0, 0), "Enter chips as whole numbers"),
    ],
)
def test_chips_that_cannot_be_come_back_with_what_was_typed(here, chips, sentence):
    answer = enter(here, chips=chips)

    assert (answer.status_code, sentence in answer.text) == (422, True)
    assert f'value="{chips[0]}"' in answer.text
    assert not Sheet.objects.exists()


def test_rules_without_chips_ask_for_none_and_refuse_them(here, plain):
    with pytest.raises(Refused, match="no chips"):
        record(plain)
    with pytest.raises(Refused, match="sum to zero"):
        record(here, (1, 0, 0, 0))
    assert enter(plain).status_code == 302  # chips of another form are not read
    assert Sheet.objects.get().chips == (0, 0, 0, 0)
    page = signed_in(plain.charlie).get(reverse("results:table", args=(plain.slug, plain.table().pk))).text
    assert "hips" not in page
    assert "chips" not in standings_json(plain.stage, public=True)["rows"][0]
    assert "chips" not in {column.key for column in result_columns(plain.competition, public=True)}
    with CaptureQueriesContext(connection) as asked:
        rows(plain)
    assert "chips" not in " ".join(query["sql"] for query in asked)


def test_changing_only_chips_is_a_correction_with_its_reason(here):
    first = record(here)
    with pytest.raises(Refused, match="Nothing to correct"):
        record(here, based_on=first.pk, reason="again")

    second = record(here, (4, 0, 0, -4), based_on=first.pk, reason="one chip went to South")

    assert (second.version, rows(here)["p1"]) == (2, (700, 4, 1))
    void_result(**as_seen(here.table()), reason="wrong table", by=here.charlie)
    assert (Sheet.objects.get(is_current=True).chips, rows(here)["p1"][1]) == ((4, 0, 0, -4), 0)


def test_two_people_see_the_chips_that_the_other_typed(here):
    enter(here)

    answer = enter(here, chips=(4, 0, 0, -4))

    assert answer.status_code == 409
    assert '<input type="hidden" name="east_chips" value="4">' in answer.text
    assert answer.text.count('class="sheet-differs"') == 1


def test_the_public_sees_no_chips_of_a_hidden_round(here, client):
    record(here)
    set_visibility(round_=here.rounds[0], visibility="seating", by=here.alice)

    assert rows(here, public=False)["p1"][1] == 5
    assert {each[1] for each in rows(here).values()} == {0}
    assert "Chips" not in client.get(reverse("results:table", args=(here.slug, here.table().pk))).text


def test_chips_of_a_substitute_count_for_no_one(here):
    Entrant.objects.filter(competition=here.competition, key="p9").update(is_substitute=True)
    substitute_player(
        seat=Seat.objects.get(table=here.table(), wind=0),
        substitute=here.players[8].pk,
        late=False,
        score=0,
        reason="ill",
        by=here.alice,
    )
    record(here)

    assert sorted(each[1] for each in rows(here).values()) == [-4, -1, 0, 0]


def test_a_slip_names_the_chips_of_each_player(here):
    here.stage.play = "free"
    here.stage.save()
    day = here.competition.created_at.date()
    four = [player.pk for player in here.players[:4]]
    sheet = enter_slip(
        stage=here.stage,
        on=day,
        today=day,
        four=four,
        points=IN_ORDER,
        sticks=0,
        last_dealer=3,
        sashiuma={},
        chips=CHIPS,
        by=here.charlie,
    )

    seated = Seat.objects.filter(table=sheet.table).order_by("wind").values_list("player_id", flat=True)
    assert dict(zip(seated, sheet.chips, strict=True)) == dict(zip(four, CHIPS, strict=True))


def test_the_preview_counts_them(here):
    where = reverse("results:preview", args=(here.slug, here.rounds[0].pk))

    shown = signed_in(here.charlie).get(where, typed()).json()["seats"]
    wrong = signed_in(here.charlie).get(where, typed(chips=(1, 0, 0, 0))).json()["seats"]

    assert ([seat["score"] for seat in shown][::3], wrong) == (["+72.5", "−60.0"], [])


def test_files_have_the_chips_and_the_competition_file_comes_back(here, tmp_path):
    record(here)
    (line, *_others) = table_lines(here.competition, public=True)
    assert [row["chips"] for row in json_rows([line])] == list(CHIPS)
    assert standings_json(here.stage, public=True)["rows"][0]["chips"] == 5
    answer = signed_in(here.alice).get(reverse("interchange:workbook", args=(here.slug,)))
    path = tmp_path / "chips.xlsx"
    path.write_bytes(b"".join(answer.streaming_content) if answer.streaming else answer.content)
    lines = list(load_workbook(path)["Tables"].iter_rows(values_only=True))
    rows = [dict(zip(lines[0], row, strict=True)) for row in lines[1:5]]
    assert [row["Chips"] for row in rows] == list(CHIPS)
    parts = ("Score from points", "Uma", "Oka", "Deposits", "Value of chips")
    assert [round(sum(row[part] for part in parts), 6) for row in rows] == [row["Score"] for row in rows]

    written = competition_json(here.competition)
    here.competition.slug = "chips-first"
    here.competition.save()
    second = import_competition(facts=read_competition_file(written.encode()), league=None, by=None)

    assert competition_json(second) == written


@pytest.mark.parametrize(
    ("value", "sentence"),
    [(1, "Chips must sum to zero, not 1."), ("x", "whole number"), (2**40, "too large")],
)
def test_a_file_with_chips_that_cannot_be_is_refused(here, value, sentence):
    here.record(IN_ORDER)
    file = competition_file(here.competition)
    file["divisions"][0]["stages"][0]["rounds"][0]["tables"][0]["seats"][0]["chips"] = value

    with pytest.raises(BrokenFile) as refused:
        read_competition_file(json.dumps(file).encode())

    assert sentence in refused.value.problems[0].message
