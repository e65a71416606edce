"""`/needs/`: every input reaches the conditions, errors are explained, the address holds all of it."""

import re
from html import unescape
from urllib.parse import parse_qs, quote_plus, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Competition
from league.rules.rule_sets.queries.rule_sets import division_key
from scoring.presets import presets
from tests.factories import club, signed_in
from tests.hands import phone_at
from tests.hostile_names import MARKUP
from tests.scoring.hanchan_logs import tsumo

pytestmark = pytest.mark.django_db

POINTS = {"p0": "300", "p1": "253", "p2": "245", "p3": "202"}
ASKED = {"rules": "mleague", "me": "1", **POINTS}


def get(**typed: str) -> str:
    response = Client().get("/needs/", typed)
    assert response.status_code == 200
    return response.content.decode()


def said(**typed: str) -> str:
    """Return the visible text of the answer, with white space folded."""
    body = get(**typed).split('id="answer"')[1].split("</section>\n</div>")[0].split(">", 1)[1]
    body = re.sub(r'<span class="wind.*?</span>', "", body)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", body).split()))


def test_an_empty_page_says_what_to_enter_and_has_an_example():
    html = get()
    assert "No points yet Enter the points of all four players." in said()
    example = unescape(re.search(r'href="(/needs/\?[^"]*)"', html)[1])
    answer = Client().get(example).content.decode()
    assert "Tsumo 1,000/2,000, ron 5,200, or 2,600 from the leader" in answer


def test_a_hand_is_answered_as_players_say_it_and_for_every_winner():
    answer = said(**ASKED)
    assert answer.startswith(
        "South 4 · 1st place West 25,300 Tsumo 1,000/2,000, ron 5,200, or 2,600 from the leader "
        "No draw is enough. The game continues if the dealer is tenpai. Wins of West Tsumo "
        "Missed up to 800/1,600 (1 han 100 fu, 2 han 50 fu, 3 han 25 fu) "
        "Reached from 1,000/2,000 (2 han 60 fu, 3 han 30 fu) "
        "Ron from South Missed up to 2,300 (1 han 70 fu) Reached from 2,600 (1 han 80 fu, 2 han 40 fu)"
    )
    assert "Wins of South Any win Never" in answer
    assert "Wins of East Any win Continues South 4 Draws" in answer


@pytest.mark.parametrize(
    ("rules", "call", "details"),
    [
        (
            "mleague",
            "Tsumo 3,000/6,000, ron 12,000 (shared, alone with 16,000), or 6,400 from the leader",
            "Missed up to 8,000 (Mangan) Reached, shared 12,000 (Haneman) Reached from 16,000 (Baiman)",
        ),
        (
            "tenhou",  # east is ahead of equal points
            "Tsumo 3,000/6,000, ron 16,000, or 6,400 from the leader",
            "Missed up to 12,000 (Haneman) Reached from 16,000 (Baiman)",
        ),
    ],
)
def test_a_shared_place_is_said_with_the_value_that_is_not_shared(rules, call, details):
    answer = said(rules=rules, me="1", p0="370", p1="250", p2="230", p3="150")

    assert call in answer
    assert details in answer


def test_a_shared_place_at_a_draw_is_said():
    answer = said(rules="mleague", me="1", p0="260", p1="250", p2="250", p3="240")

    assert "After some of these draws the goal is shared." in answer
    assert "Reached, shared West, North" in answer


def test_the_reason_is_that_of_the_value_named():
    answer = said(rules="tenhou", me="1", p0="270", p1="260", p2="240", p3="230")

    assert (
        "Reached from 1,000/2,000 (2 han 60 fu, 3 han 30 fu) from 16,000/32,000: a player fell below zero"
    ) in answer
    assert "Tsumo 1,000/2,000 or ron 4,500" in answer


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"p0": "30000", "p1": "25,300", "p2": "２４５００", "p3": "20200"}, "ron 5,200, or 2,600"),
        ({"honba": "2"}, "South 4, honba 2"),
        ({"honba": "2"}, "The values do not include honba."),
        ({"sticks": "1", "p3": "192"}, "1 riichi deposit on the table"),
        ({"r2": "1"}, "In riichi: North"),
        ({"goal": "place-3"}, "3rd place or better"),
        ({"alone": "1"}, "1st place, not shared"),
        ({"goal": "rank", "rank": "2", "t1": "10", "rivals": "80 60"}, "Rank 2 in the standings or better"),
        ({"goal": "total", "total": "40.5", "t1": "-5"}, "A total of +40.5 or more"),
        ({"at": "6"}, "South 3"),
        ({"n1": "Alice"}, "Wins of Alice"),
        ({"rules": "ema-2025", "p0": "400", "p1": "353", "p2": "245", "over": "1"}, "the time was up"),
        ({"rules": "tenhou", "double": "3"}, "Double ron West and South"),
        ({"rules": "tenhou", "at": "8"}, "West 1"),
    ],
)
def test_every_input_reaches_the_answer(changes, found):
    assert found in said(**{**ASKED, **changes})


def winds(html: str) -> list[str]:
    """Return the winds of the answer's players, with a star at the first dealer."""
    marks = re.findall(r'<h2 class="needs-name">(.*?)<span class="rest">', html, re.DOTALL)
    return [re.search(r'title="(\w+)"', each)[1] + "*" * ("First dealer" in each) for each in marks]


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("4", ["East*", "South", "West", "North"]),
        ("5", ["North*", "East", "South", "West"]),
        ("7", ["South*", "West", "North", "East"]),
    ],
)
def test_winds_are_those_of_the_hand_in_play(at, found):
    """South 1, South 2 and South 4."""
    html = get(**{**ASKED, "me": "all", "at": at})
    labels = re.findall(r'id="needs-me-\d" >([^<]*)<', html)
    rows = re.findall(r'id="needs-seat-\d".*?title="(\w+)"', html)

    assert winds(html) == found
    plain = [each.removesuffix("*") for each in found]
    assert labels == [*plain, "All four"]
    assert rows == plain
    names = re.findall(r'<section class="card needs-player" aria-label="(\w+)">', html)
    assert names == plain


def test_script_gets_the_winds_of_another_hand():
    answer = Client().get("/needs/", {**ASKED, "at": "5"}, headers={"HX-Request": "true"}).content.decode()
    swapped = re.findall(r'id="(needs-\w+(?:-\d)?)" hx-swap-oob="true">(?:<span[^>]*title="(\w+)")?', answer)

    assert [name for name, _wind in swapped] == [
        *("needs-hands", "needs-options", *(f"needs-me-{at}" for at in range(5))),
        *(f"needs-{name}-{seat}" for seat in range(4) for name in ("seat", "total")),
    ]
    assert [wind for _name, wind in swapped if wind] == [
        each for wind in ("North", "East", "South", "West") for each in (wind, wind)
    ]


def test_all_four_are_shown_side_by_side_for_a_commentator():
    answer = said(**{**ASKED, "me": "all"})
    assert answer.count("All wins and draws") == 4
    assert "起 South 30,000 Any win A draw that ends the game is enough." in answer
    assert "East Dealer 20,200 The game continues after any win" in answer


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"p3": "212"}, "1,000 too much: the four scores sum to 101,000, not 100,000."),
        ({"p3": "192"}, "1,000 missing"),
        ({"p3": ""}, "East: Enter this score."),
        (
            {"p3": "many"},
            "East, Points: Enter the points in hundreds or in full, for example 287",
        ),
        ({"rules": "nowhere"}, "Unknown rule set. Choose one from the list."),
        ({"goal": "total"}, "Total: Enter the total that is needed."),
        ({"goal": "fame"}, "Goal: "),
        ({"me": "5"}, "Asked by: "),
        ({"rank": "0"}, "Rank: "),
        ({"honba": "100"}, "Honba: "),
        ({"t2": "x"}, "North, Total before: "),
        ({"rivals": "12 x"}, "Enter totals with one decimal and a space between them"),
        ({"rivals": " ".join(["1"] * 101)}, "Enter at most 100 totals."),
        ({"p0": "995", "p1": "5", "p2": "0", "p3": "0", "rules": "tenhou", "r1": "1"}, "riichi"),
    ],
)
def test_what_does_not_fit_is_explained(changes, found):
    answer = said(**{**ASKED, **changes})
    assert answer.startswith("These numbers do not fit yet")
    assert found in answer


def test_a_hand_that_the_rule_set_does_not_have_becomes_its_last():
    assert said(**ASKED, at="99").startswith("South 4")
    assert said(**ASKED, at="west").startswith("South 4")


@pytest.mark.slow
def test_every_published_rule_set_answers():
    for each in presets():
        start = str(each.values["start_points"])
        assert "Wins of South" in said(rules=each.slug, me="1", **{f"p{seat}": start for seat in range(4)})


def test_the_address_of_the_answer_opens_the_same():
    html = get(**ASKED, honba="0", sticks="0", n2="<b>")
    shared = unescape(re.search(r'id="share" type="text" readonly value="([^"]*)"', html)[1])
    assert shared == ("http://testserver/needs/?rules=mleague&me=1&n2=%3Cb%3E&p0=300&p1=253&p2=245&p3=202")
    assert 'id="share"' not in get()


def test_script_gets_the_answer_alone():
    answer = Client().get("/needs/", ASKED, headers={"HX-Request": "true"})
    assert b"<form" not in answer.content
    assert b'id="needs-hands" hx-swap-oob="true"' in answer.content
    assert b"ron 5,200, or 2,600 from the leader" in answer.content
    assert "HX-Request" in answer["Vary"]


@pytest.mark.slow
def test_names_are_text():
    for name in MARKUP:
        html = get(**ASKED, n0=name[:40])
        assert name[:40] not in html.replace(unescape(name), "") or "<" not in name


def test_the_rules_of_a_hidden_competition_stay_hidden():
    here = club()
    here.competition.visibility = Competition.Visibility.PRIVATE
    here.competition.save()
    typed = {**ASKED, "rules": f"c:{here.slug}:main"}
    assert "Unknown rule set" in said(**typed)
    start = str(here.division.rules.start_points)
    own = signed_in(here.alice).get("/needs/", {**typed, **{f"p{seat}": start for seat in range(4)}})
    assert "Wins of South" in own.content.decode()


def test_the_page_is_only_read():
    assert Client().post("/needs/", ASKED).status_code == 405


@pytest.mark.slow
def test_a_phone_at_a_table_is_led_to_its_conditions_filled_in(db):
    made = club("spring", preset="mleague")
    made.add_round()
    phone, table = phone_at(made.table()), made.table()
    address = reverse("needs:at_table", args=[made.slug, table.pk])

    assert phone.client.get(address).url == f"/needs/?rules={quote_plus(division_key(made.stage.division))}"

    phone.play(tsumo(1))
    asked = parse_qs(urlsplit(phone.client.get(address).url).query)

    assert (asked["me"], asked["p1"], asked["at"]) == (["all"], ["26100"], ["1"])
    assert phone.client.get(address, follow=True).status_code == 200
    assert Client().get(address).status_code == 302  # to sign in


@pytest.mark.slow
def test_the_conditions_of_a_phone_that_is_known_are_those_of_its_player(db):
    made = club("spring", preset="mleague")
    made.add_round()
    phone, player = phone_at(made.table()), made.table().seats.get(wind=2).player
    phone.play(tsumo(1))
    entrant = made.competition.entrants.get(player=player)
    phone.client.post(reverse("seating:my_seat", args=[made.slug]), {"player": entrant.pk})

    found = phone.client.get(reverse("needs:at_table", args=[made.slug, made.table().pk]))

    assert "me=2" in found.url
