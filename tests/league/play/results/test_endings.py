"""The ending of a hanchan in sheets, standings and files: the last dealer, and sashiuma."""

import json
import uuid

import pytest
from django.core.cache import cache
from django.urls import reverse
from openpyxl import load_workbook

from league.core.errors import Refused
from league.models import Sheet
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.schema.problems import BrokenFile
from league.organizing.interchange.services.competition_file import import_competition
from league.play.results.exports import table_lines
from league.play.results.queries.tables import table_results
from league.play.results.services import record_result
from league.ranking.standings.queries.standings import standings
from tests.factories import Club, club, signed_in
from tests.league.organizing.interchange.files import competition_file
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

BOTH = {"sashiuma": 10, "tie_rule": "last_dealer"}
TIED = (30000, 30000, 40000, 20000)  # of four times 30 000
IN_ORDER = (45000, 35000, 25000, 15000)


@module_fixture
def kanto() -> Club:
    made = club("kanto", players=4, overrides=BOTH)
    made.add_round()
    return made


def totals(competition_club: Club) -> dict[str, object]:
    cache.clear()
    found = standings(competition_club.stage, public=True)
    return {row.player.key: row.row.total for row in found.rows}


def places(competition_club: Club) -> list[int]:
    (line,) = table_lines(competition_club.competition, public=True)
    return [seat.place for seat in line.seats or ()]


def test_equal_points_are_ranked_from_the_last_dealer(kanto):
    record_result(table=kanto.table(), points=TIED, last_dealer=1, based_on=0, by=kanto.charlie)

    assert places(kanto) == [3, 2, 1, 4]
    assert totals(kanto) == {"p1": -150, "p2": 50, "p3": 550, "p4": -450}


def test_the_named_player_pays_and_every_place_of_the_site_says_the_same(kanto):
    record_result(table=kanto.table(), points=IN_ORDER, sashiuma={0: 3, 1: 0}, based_on=0, by=kanto.charlie)

    (result,) = table_results(type(kanto.table()).objects.all(), kanto.competition)
    (line,) = table_lines(kanto.competition, public=True)
    assert [seat.sashiuma for seat in result.seats] == [200, -100, 0, -100]
    assert line.seats == result.seats
    assert (
        totals(kanto)
        == {f"p{seat.wind + 1}": seat.score for seat in result.seats}
        == {"p1": 800, "p2": 0, "p3": -200, "p4": -600}
    )


def test_changing_only_who_dealt_last_is_a_correction(kanto):
    first = record_result(table=kanto.table(), points=TIED, based_on=0, by=kanto.charlie)

    with pytest.raises(Refused, match="Nothing to correct"):
        record_result(table=kanto.table(), points=TIED, based_on=first.pk, reason="typo", by=kanto.charlie)
    second = record_result(
        table=kanto.table(),
        points=TIED,
        last_dealer=0,
        based_on=first.pk,
        reason="east dealt last",
        by=kanto.charlie,
    )

    assert (second.version, second.last_dealer) == (2, 0)
    assert places(kanto) == [2, 3, 1, 4]


@pytest.mark.parametrize(("named", "sentence"), [({0: 1}, "no sashiuma"), ({}, None)])
def test_rules_without_sashiuma_refuse_names(named, sentence):
    plain = club("plain", players=4)
    plain.add_round()

    if sentence is None:
        assert record_result(
            table=plain.table(), points=IN_ORDER, sashiuma=named, based_on=0, by=plain.charlie
        )
        return
    with pytest.raises(Refused, match=sentence):
        record_result(table=plain.table(), points=IN_ORDER, sashiuma=named, based_on=0, by=plain.charlie)
    assert not Sheet.objects.exists()


def test_no_player_names_themselves(kanto):
    with pytest.raises(Refused, match="other three"):
        record_result(table=kanto.table(), points=IN_ORDER, sashiuma={2: 2}, based_on=0, by=kanto.charlie)


# --- typed in the browser


def post(made: Club, **typed: object):
    round_ = made.rounds[0]
    data = {
        "key": str(uuid.uuid4()),
        "number": 1,
        "based_on": 0,
        "seated": "-".join(str(player.pk) for player in made.players),
        **dict(zip(("east", "south", "west", "north"), (450, 350, 250, 150), strict=True)),
        "sticks": 0,
        **typed,
    }
    return signed_in(made.charlie).post(reverse("results:enter_round", args=(made.slug, round_.pk)), data)


def test_the_form_asks_only_where_the_rules_need_it(kanto):
    plain = club("plain", players=4)
    plain.add_round()
    pages = [
        signed_in(made.charlie).get(reverse("results:enter_round", args=(made.slug, made.rounds[0].pk)))
        for made in (kanto, plain)
    ]

    asks = [
        [name for name in ("last_dealer", "east_named", "north_named") if f'name="{name}"' in page.text]
        for page in pages
    ]
    assert asks == [["last_dealer", "east_named", "north_named"], []]


def test_what_is_chosen_is_saved_and_shown(kanto):
    answer = post(kanto, last_dealer="1", east_named="3", south_named="")

    sheet = Sheet.objects.get()
    assert answer.status_code == 302
    assert (sheet.last_dealer, sheet.named) == (1, "3---")
    page = signed_in(kanto.charlie).get(reverse("results:table", args=(kanto.slug, kanto.table().pk))).text
    assert "Dealer of the last hand: South" in page
    assert "Sashiuma: East → North" in page


def test_by_default_north_dealt_last_and_no_player_named_another(kanto):
    assert post(kanto).status_code == 302

    assert (Sheet.objects.get().last_dealer, Sheet.objects.get().named) == (3, "----")


@pytest.mark.parametrize(
    ("field", "value"),
    [("last_dealer", "4"), ("east_named", "0"), ("west_named", "<b>"), ("last_dealer", "x")],
)
def test_a_seat_that_cannot_be_comes_back_with_what_was_typed(kanto, field, value):
    answer = post(kanto, **{field: value})

    assert answer.status_code == 422
    assert not Sheet.objects.exists()
    assert 'value="450"' in answer.text
    assert f'id="t1-{field}-error"' in answer.text


def test_the_preview_follows_what_is_chosen(kanto):
    where = reverse("results:preview", args=(kanto.slug, kanto.rounds[0].pk))
    typed = dict(zip(("east", "south", "west", "north"), (450, 350, 250, 150), strict=True))

    plain = signed_in(kanto.charlie).get(where, typed).json()
    named = signed_in(kanto.charlie).get(where, typed | {"east_named": 3}).json()

    assert [seat["score"] for seat in plain["seats"]][::3] == ["+60.0", "−50.0"]
    assert [seat["score"] for seat in named["seats"]][::3] == ["+70.0", "−60.0"]


def test_two_people_see_what_the_other_chose(kanto):
    post(kanto, last_dealer="1")

    answer = post(kanto, last_dealer="2", east_named="3")

    assert answer.status_code == 409
    assert '<input type="hidden" name="last_dealer" value="2">' in answer.text
    assert '<input type="hidden" name="east_named" value="3">' in answer.text
    assert answer.text.count('class="sheet-differs"') == 2


# --- files


def test_the_competition_file_comes_back_as_it_went(kanto):
    record_result(
        table=kanto.table(), points=IN_ORDER, last_dealer=1, sashiuma={0: 3}, based_on=0, by=kanto.charlie
    )
    written = competition_json(kanto.competition)
    (table,) = competition_file(kanto.competition)["divisions"][0]["stages"][0]["rounds"][0]["tables"]
    assert (table["last_dealer"], table["seats"][0]["names"]) == ("south", "north")
    kanto.competition.slug = "kanto-first"
    kanto.competition.save()

    second = import_competition(facts=read_competition_file(written.encode()), league=None, by=None)

    assert competition_json(second) == written


@pytest.mark.parametrize(
    ("where", "value", "sentence"),
    [
        ("names", "east", "must name one of the other three"),
        ("names", "up", "“up” is not available here"),
        ("last_dealer", "nobody", "“nobody” is not available here"),
    ],
)
def test_a_file_with_a_seat_that_cannot_be_is_refused_with_the_place(kanto, where, value, sentence):
    kanto.record(IN_ORDER)
    file = json.loads(competition_json(kanto.competition))
    (table,) = file["divisions"][0]["stages"][0]["rounds"][0]["tables"]
    (table["seats"][0] if where == "names" else table)[where] = value

    with pytest.raises(BrokenFile) as refused:
        read_competition_file(json.dumps(file).encode())

    (problem,) = refused.value.problems
    assert sentence in problem.message


def test_the_workbook_has_a_column_for_sashiuma_where_it_is_played(kanto, tmp_path):
    record_result(table=kanto.table(), points=IN_ORDER, sashiuma={0: 3}, based_on=0, by=kanto.charlie)
    answer = signed_in(kanto.alice).get(reverse("interchange:workbook", args=(kanto.slug,)))
    path = tmp_path / "kanto.xlsx"
    path.write_bytes(b"".join(answer.streaming_content) if answer.streaming else answer.content)

    rows = list(load_workbook(path)["Tables"].iter_rows(values_only=True))

    column = rows[0].index("Sashiuma")
    assert [row[column] for row in rows[1:5]] == [10, 0, 0, -10]
