"""The list of penalties, what visitors see of it, and a player's record."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from league.models import Penalty
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.factories import Club, club, signed_in
from tests.league.asking import queries_of
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record((38_400, 21_600, 40_000, 20_000))
    return made


def address(made: Club, page: str = "") -> str:
    return f"/c/{made.slug}/penalties/{page}"


def entrant(made: Club, index: int = 0) -> int:
    return made.competition.entrants.get(player=made.players[index]).pk


def log(made: Club, index: int = 0, score: int = -20, **options) -> Penalty:
    options = {"reason": "late", "by": made.bob, "stage": made.stage} | options
    return log_penalty(player_id=made.players[index].pk, score=score, **options)


def offence(made: Club, index: int, code: str, condition: int = 0, **options: Any) -> Penalty:
    act = {"infraction": code, "condition": condition, "reason": options.pop("reason", "")}
    options = {"by": made.bob, "table": made.table(), "stage": made.stage} | options
    return log_offence(player_id=made.players[index].pk, **act, **options)[0]


def text(answer: HttpResponse) -> str:
    """The page's text without tags, one space between words."""
    body = re.sub(r"<(script|style).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_the_sum_on_the_page_is_that_of_the_standings(spring):
    log(spring, 0, -20)
    log(spring, 1, -80)
    log(spring, 2, 15)
    revoke_penalty(penalty=log(spring, 3, -250), reason="mistake", by=spring.bob)

    page = Client().get(address(spring))

    rows = standings(spring.stage, public=True).rows
    assert sum(line.row.penalty for line in rows) == -85
    assert page.context["counted"] == {"sum": -85, "count": 3}
    assert "−8.5" in page.content.decode()


def test_names_of_referees_are_for_staff(spring, bob):
    revoke_penalty(penalty=log(spring), reason="mistake", by=spring.alice)

    public, staff = (client.get(address(spring)).content.decode() for client in (Client(), bob))

    assert staff.count("bob-spring") > 1  # once he is signed in himself
    assert "alice-spring" in staff
    assert "bob-spring" not in public
    assert "alice-spring" not in public
    assert "mistake" in public


def test_the_public_sees_no_penalty_of_an_unpublished_round(spring, bob):
    spring.add_round(visibility="seating")
    log(spring, reason="seen by all", table=spring.table(1))
    hidden = log(spring, reason="not yet for the public", table=spring.table(2))
    revoke_penalty(
        penalty=log(spring, reason="nor this one", table=spring.table(2)), reason="mistake", by=spring.bob
    )

    public, staff = Client().get(address(spring)), bob.get(address(spring))

    for words in ("seen by all", "not yet for the public", "nor this one"):
        assert words in staff.content.decode()
    assert "seen by all" in public.content.decode()
    assert "not yet for the public" not in public.content.decode()
    assert "nor this one" not in public.content.decode()
    assert (public.context["counted"]["sum"], staff.context["counted"]["sum"]) == (-20, -40)
    assert f"round={hidden.round_id}" not in public.content.decode()
    assert str(hidden.round_id) not in choices(public, "round")
    assert str(hidden.round_id) in choices(staff, "round")


def test_the_list_narrows_to_a_player_and_a_round(spring):
    spring.add_round()
    log(spring, 0, -20, table=spring.table(1))
    log(spring, 1, -30, table=spring.table(1))
    log(spring, 0, -40, table=spring.table(2))

    def shown(query: str) -> tuple[list[int], int]:
        page = Client().get(address(spring, query))
        return [line.penalty.score for line, _player in page.context["lines"]], page.context["counted"]["sum"]

    player, round_ = entrant(spring, 0), spring.rounds[0].pk
    assert shown("") == ([-40, -30, -20], -90)
    assert shown(f"?player={player}") == ([-40, -20], -60)
    assert shown(f"?round={round_}") == ([-30, -20], -50)
    assert shown(f"?player={player}&round={round_}") == ([-20], -20)
    assert shown("?player=999999") == ([], None)


@pytest.mark.slow
def test_a_long_list_has_pages_and_keeps_its_filter(spring):
    for _ in range(51):
        log(spring)

    first = Client().get(address(spring, f"?player={entrant(spring)}"))
    second = Client().get(address(spring, f"?player={entrant(spring)}&page=2"))

    assert (len(first.context["lines"]), len(second.context["lines"])) == (50, 1)
    assert first.context["counted"]["sum"] == -1020
    assert f"player={entrant(spring)}&amp;page=2" in first.content.decode()


def test_an_empty_list_says_what_to_do(spring, bob):
    assert "No penalties yet" in Client().get(address(spring)).content.decode()
    assert "Log a penalty from a table or for a player" in bob.get(address(spring)).content.decode()


@pytest.mark.parametrize("person", ["public", "bob"])
def test_one_penalty_and_three_take_the_same_number_of_queries(spring, person):
    client = Client() if person == "public" else signed_in(spring.bob)

    log(spring, table=spring.table())
    one = queries_of(client, address(spring))
    log(spring, 4, table=spring.table(number=2))
    revoke_penalty(penalty=log(spring, 1), reason="mistake", by=spring.alice)
    three = queries_of(client, address(spring))

    assert one == three
    assert three <= 16  # six of them for the standings


def test_the_list_is_answered_304_until_something_changes(spring):
    log(spring, 0)
    first = Client().get(address(spring))
    known = {"If-None-Match": first["ETag"]}
    assert Client().get(address(spring), headers=known).status_code == 304

    log(spring, 1)

    changed = Client().get(address(spring), headers=known)
    assert changed.status_code == 200
    assert "李小明" in changed.content.decode()


def choices(answer: Any, name: str) -> dict[str, str]:
    """Return the options of a select, or nothing if it is left out."""
    return next((dict(each["choices"]) for each in answer.context["filters"] if each["name"] == name), {})


def sums(answer: Any) -> list[tuple[str, int, int, int]]:
    lines = answer.context["sums"]["lines"]
    return [
        (label, found.counted, found.not_counted, found.score) for found, label, _article, _query in lines
    ]


def record_url(made: Club, index: int = 0) -> str:
    return f"/c/{made.slug}/players/{entrant(made, index)}/penalties/"


def test_two_players_of_one_name_are_summed_apart(spring, bob):
    spring.players[1].name = spring.players[0].name
    spring.players[1].save()
    log(spring, 0, -20)
    log(spring, 1, -30)

    assert sums(bob.get(address(spring))) == [("陳大文", 1, 0, -30), ("陳大文", 1, 0, -20)]


def test_an_alarm_names_the_player_and_the_difference(spring, bob, monkeypatch):
    log(spring, 0, -20)
    assert standings(spring.stage, public=False).rows  # kept under the revision
    Penalty.objects.update(score=-50)  # past every service: as a broken database would

    page = text(bob.get(address(spring)))

    assert "do not match the standings: they sum to −5.0, while the standings have −2.0" in page
    assert "陳大文 : penalties −5.0, standings −2.0" in page


def test_the_list_tells_condition_article_hand_and_what_the_book_asked_for(spring, bob):
    act = {
        "infraction": "A-I",
        "condition": 0,
        "levels": ("4",),
        "hand": "S2.1",
        "reason": "third time this evening",
    }
    log_offence(
        stage=spring.stage, player_id=spring.players[0].pk, **act, by=spring.bob, table=spring.table()
    )

    staff, public = text(bob.get(address(spring))), text(Client().get(address(spring)))

    for page in (staff, public):
        assert "A-I Drawing before one’s turn: drew before their turn" in page
        assert "罰則 A Ⅰ" in page
        assert "South 2, honba 1" in page
        assert "third time this evening" in page
    assert "Level according to the rules: level 2." in staff
    assert "Level according to the rules" not in public


def test_an_empty_record_says_that_there_are_no_penalties(spring, bob):
    assert "No penalties on record" in text(bob.get(record_url(spring)))
