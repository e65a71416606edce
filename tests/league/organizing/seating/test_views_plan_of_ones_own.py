"""A plan that an organizer brings as a file or text: read, looked at, used."""

import io
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from openpyxl import Workbook

from league.organizing.seating.queries.seating import draft_of
from tests.factories import Club, club, signed_in
from tests.league.organizing.seating.plan_forms import address, asked
from tests.module_fixtures import module_fixture
from tests.shown import text

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club(players=16, kind="event")


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def sent_twice(alice: Client, address: str, sent: dict[str, object]) -> HttpResponse:
    """Send a plan, look at how it was read, and send it again as the page has it."""
    page = alice.post(address, sent)
    assert page.status_code == 200
    text, shown = page.context["form"]["text"].value(), page.context["shown"]
    return alice.post(address, {**sent, "file": "", "text": text, "shown": shown})


def test_a_plan_comes_from_a_file_with_numbers_that_are_drawn(here, alice):
    plan = [[[4 * t + s + 1 for s in range(4)] for t in range(4)]]
    upload = SimpleUploadedFile("plan.json", json.dumps(plan).encode())
    sent = asked(method="plan", numbers="drawn", file=upload)
    assert sent_twice(alice, address(here), sent).status_code == 302
    draft = draft_of(here.stage)
    assert (draft.method, len(draft.plan), draft.asked["numbers"]) == ("plan", 1, [1])
    seated = sorted(player for four in draft.plan[0].values() for player in four)
    assert seated == sorted(player.pk for player in here.players)


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("en", "This plan has numbers from 0 to 15. Choose", "The numbers of this plan begin at 0."),
        ("zh-hant", "此座位安排的號碼由0至15", "此座位安排的號碼由0開始。"),
    ],
)
def test_a_plan_of_numbers_asks_whose_they_are_and_follows_the_list(here, alice, language, question, said):
    plan = "\n".join("-".join(str(4 * t + s) for s in range(4)) for t in range(4))
    sent = asked(method="plan", text=plan)
    speaks = {"headers": {"accept-language": language}}

    page = alice.post(address(here), sent, **speaks)
    assert (page.status_code, draft_of(here.stage)) == (422, None)
    assert question in text(page)
    saved = alice.post(address(here), sent | {"numbers": "list"}, follow=True, **speaks)

    ids = [player.pk for player in here.players]
    assert draft_of(here.stage).plan == [{str(t + 1): ids[4 * t : 4 * t + 4] for t in range(4)}]
    assert said in text(saved)
    assert "order" not in draft_of(here.stage).search


@pytest.mark.parametrize(("numbers", "is_listed"), [("list", True), ("drawn", False)])
def test_a_plan_by_numbers_of_the_list_seats_its_players_in_order(numbers, is_listed):
    made = club("listed", players=8)
    file = Path(__file__).parents[3] / "data" / "brought" / "plan-by-list-numbers.txt"
    upload = SimpleUploadedFile(file.name, file.read_bytes())

    sent = asked(method="plan", numbers=numbers, seed="7", file=upload)
    sent_twice(signed_in(made.alice), address(made), sent)

    ids = [player.pk for player in made.players]
    (plan,) = draft_of(made.stage).plan
    assert sorted([*plan["1"], *plan["2"]]) == ids
    assert (plan == {"1": ids[:4], "2": ids[4:]}) == is_listed


def test_a_plan_shows_how_it_was_read_before_it_is_used(here, alice):
    book, data = Workbook(), io.BytesIO()
    book.active.append(["Spring Open"])
    sheet = book.create_sheet("Plan")
    sheet.append(["Round", "Table", "Referee", "East", "South", "West", "North"])
    for table in range(4):
        sheet.append([1, table + 1, "Zed", *(f"p{4 * table + seat}" for seat in range(1, 5))])
    book.save(data)
    sent = asked(method="plan", file=SimpleUploadedFile("plan.xlsx", data.getvalue()))
    del sent["shown"]

    refused = alice.post(address(here), sent)
    assert (refused.status_code, draft_of(here.stage)) == (422, None)
    assert "Column “Referee” was not understood. Choose under “How it was read” what it is." in text(refused)
    form = refused.context["form"]
    fields = [
        next(value for value, _words, chosen in options if chosen)
        for _title, options in refused.context["columns"]
    ]
    assert fields == ["round", "table", "", "east", "south", "west", "north"]
    assert form["sheet"].value() == "Plan"

    shown = {
        "text": form["text"].value(),
        "shown": refused.context["shown"],
        "sheet": "Plan",
        "columns": fields,
    }
    del sent["file"]
    other = alice.post(address(here), sent | shown | {"sheet": "Sheet"})
    assert "was not understood: “Spring Open”" in text(other)
    turned = ["round", "table", "", "south", "east", "west", "north"]
    assert alice.post(address(here), sent | shown | {"columns": turned}).status_code == 302
    ids = [player.pk for player in here.players]
    assert draft_of(here.stage).plan[0]["1"] == [ids[1], ids[0], ids[2], ids[3]]


def test_the_encoding_of_a_plan_can_be_changed_after_it_was_read(here, alice):
    lines = [",".join(f"p{4 * table + seat}" for seat in range(1, 5)) for table in range(4)]
    data = "\n".join(["Łódź", *lines]).encode("cp1250")
    sent = asked(method="plan", file=SimpleUploadedFile("plan.csv", data))

    page = alice.post(address(here), sent)
    assert page.status_code == 200
    assert "The file does not state its character encoding." in text(page)
    read = page.context["form"]["text"].value()
    shown = {"text": read, "shown": page.context["shown"], "file": "", "read_as": "cp1252", "check": "1"}
    page = alice.post(address(here), sent | shown)
    assert (read[:4], page.context["form"]["text"].value()[:4]) == ("Łódź", "£ódŸ")
    assert draft_of(here.stage) is None


def test_a_pasted_plan_has_rounds_between_empty_lines(here, alice):
    text = "Round 1\np1,p2,p3,p4\n\nRound 2\n1\tp1\tp5\tp6\tp7\n2\tp2\tp8\tp9\tp10"
    assert alice.post(address(here), asked(method="plan", text=text)).status_code == 302
    ids = {f"p{n}": player.pk for n, player in enumerate(here.players, 1)}
    assert draft_of(here.stage).plan == [
        {"1": [ids[key] for key in ("p1", "p2", "p3", "p4")]},
        {
            "1": [ids[key] for key in ("p1", "p5", "p6", "p7")],
            "2": [ids[key] for key in ("p2", "p8", "p9", "p10")],
        },
    ]


@pytest.mark.slow
def test_a_plan_of_more_tables_than_there_are_numbers_is_refused(here, alice):
    plan = [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]] * 2_500]
    file = SimpleUploadedFile("plan.json", json.dumps(plan).encode())
    answer = alice.post(address(here), asked(method="plan") | {"file": file})
    assert "“1” has 2500 seats." in text(answer)


def test_table_numbers_of_a_plan_are_kept_and_the_other_tables_get_free_ones(here, alice):
    rows = ["7, p1, p2, p3, p4", "3, p5, p6, p7, p8", "p9, p10, p11, p12", "p13, p14, p15, p16"]
    alice.post(address(here), asked(method="plan", text="\n".join(rows), tables="3-7"))
    (plan,) = draft_of(here.stage).plan
    ids = [player.pk for player in here.players]
    assert plan == {"7": ids[:4], "3": ids[4:8], "4": ids[8:12], "5": ids[12:]}

    few = asked(method="plan", text="\n".join(rows), tables="1-4")
    assert "The plan needs more tables" in alice.post(address(here), few).content.decode()
    twice = asked(method="plan", text="\n".join([rows[0], rows[0].replace("p", "p1")]))
    assert "Round 1: table 7 is listed twice." in alice.post(address(here), twice).content.decode()


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"[" * 100_000, b"x" * 1_000_001])
def test_a_broken_file_is_refused(here, alice, content):
    upload = SimpleUploadedFile("plan.json", content)
    assert alice.post(address(here), asked(method="plan", file=upload)).status_code == 422
