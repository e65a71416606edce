"""Score sheets from tables and their signatures in the competition file and the workbook."""

import io

import openpyxl
import pytest

from league.models import Competition, Proposal, Signature, Table
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.exports.workbook import write_workbook
from league.organizing.interchange.services.competition_file import import_competition
from league.play.results.proposals import object_to
from league.play.results.queries.proposals import proposals_of
from league.play.rounds.services import set_visibility
from tests.factories import Club
from tests.league.organizing.interchange.files import competition_file, copy_of, facts_of, problems_of, small
from tests.league.play.entry.at_table import propose, seen, sign_seat, signing_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    """The first table signed its sheet, the fourth seat by staff; at the second one a player objects."""
    made = signing_club(slug="spring", preset="kanto")
    Competition.objects.filter(pk=made.competition.pk).update(shows_hands=True)
    made.competition.refresh_from_db()
    points = (30_000, 20_000, 27_000, 23_000)
    propose(made, points, sashiuma={0: 2})
    for wind in range(3):
        sign_seat(made, wind)
    sign_seat(made, 3, how="staff", by=made.bob, reason="went home")
    second = propose(made, points, table=made.table(number=2), player=made.players[4])
    object_to(
        table=made.table(number=2),
        proposal=second.pk,
        wind=1,
        how="phone",
        by=None,
        player=made.players[5],
        points=(30_000, 21_000, 26_000, 23_000),
    )
    return made


def states(competition: Competition) -> list[object]:
    tables = Table.objects.filter(round__stage__division__competition=competition).select_related(
        "round__stage__division__rule_set", "round__stage__division__competition"
    )
    found = proposals_of(tables.order_by("number"))
    return [
        (each.state, each.proposal.points, each.proposal.ending, set(each.signed), len(each.objections))
        for each in found.values()
    ]


def test_a_file_brings_back_sheets_and_signatures(spring):
    written = competition_json(spring.competition)
    Competition.objects.filter(pk=spring.competition.pk).update(slug="before")
    second = import_competition(facts=facts_of(written.encode()), league=spring.league, by=spring.alice)

    assert competition_json(second) == written
    assert states(second) == states(spring.competition)
    assert (second.signatures, second.signed_counts, second.takes_sheets, second.shows_hands) == (
        "four",
        True,
        True,
        True,
    )
    here = "proposal__table__round__stage__division__competition"
    said = [
        list(Signature.objects.filter(**{here: each}).values_list("at", "how", "reason", "points"))
        for each in (spring.competition, second)
    ]
    assert said[0] == said[1]


def test_a_file_says_which_signatures_came_from_one_phone(spring):
    for wind, (device, how) in enumerate([("a", "phone"), ("b", "phone"), ("a", "shared"), ("", "phone")]):
        found = Signature.objects.filter(proposal__table=spring.table(), wind=wind)
        found.update(device=device, how=how)
    second = copy_of(spring.competition)

    for each in (competition_file(spring.competition), competition_file(second)):
        table = each["divisions"][0]["stages"][0]["rounds"][0]["tables"][0]
        signed = [(one["how"], one.get("phone")) for one in table["proposal"]["signatures"]]
        assert signed[:3] == [("phone", 1), ("phone", 2), ("shared", 1)]
        assert "device" not in str(each)


def test_without_a_person_the_signatures_of_staff_are_left_out(spring):
    second = copy_of(spring.competition)
    assert [set(signed) for _state, _points, _ending, signed, _objections in states(second)] == [
        {0, 1, 2},
        set(),
    ]


def test_a_file_without_signatures_says_nothing_of_them():
    file = small()
    assert "proposal" not in str(file)
    made = import_competition(facts=facts_of(file), league=None, by=None)
    assert "proposal" not in str(competition_file(made))


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"points": [1, 2]}, "points"),
        ({"signatures": [{"how": "phone", "at": "2026-11-24T10:00:00Z"}]}, "wind"),
        ({"signatures": [{"how": "x", "at": "2026-11-24T10:00:00Z"}]}, "how"),
        (
            {
                "signatures": [{"how": "phone", "wind": "east", "player": "p1", "at": "2026-11-24T10:00:00Z"}]
                * 2
            },
            "signatures",
        ),
        ({"player": "nobody"}, "player"),
    ],
)
def test_each_problem_has_its_place(wrong, place):
    file = small()
    table = file["divisions"][0]["stages"][0]["rounds"][0]["tables"][0]
    points = [seat["points"] for seat in table["seats"]]
    table["proposal"] = {"points": points, "at": "2026-11-24T10:00:00Z"} | wrong
    assert any(place in problem for problem, _words in problems_of(file))


def headers(made: Club, *, public: bool) -> list[list[object]]:
    stream = io.BytesIO()
    write_workbook(made.competition, stream, public=public)
    book = openpyxl.load_workbook(io.BytesIO(stream.getvalue()))
    return [list(row) for row in book["Tables"].iter_rows(values_only=True)]


def test_the_workbook_says_how_and_when_each_seat_signed(spring):
    rows = headers(spring, public=False)
    at = rows[0].index("Signed")
    assert rows[0][at + 1].startswith("Signed at")
    assert [row[at] for row in rows[1:5]] == ["on their own phone"] * 3 + ["by staff"]
    assert all(row[at + 1] for row in rows[1:5])


@pytest.mark.parametrize("visibility", ["hidden", "seating"])
def test_the_public_workbook_tells_nothing_of_signatures_of_an_unpublished_round(spring, visibility):
    set_visibility(round_=spring.rounds[0], visibility=visibility, by=spring.alice)
    assert "Signed" not in str(headers(spring, public=True))


def test_only_the_current_proposal_is_in_the_file(spring):
    propose(
        spring,
        (31_000, 20_000, 26_000, 23_000),
        table=spring.table(number=2),
        player=spring.players[4],
        based_on=seen(spring, 2),
    )
    assert Proposal.objects.count() == 3
    assert competition_json(spring.competition).count('"proposal"') == 2
