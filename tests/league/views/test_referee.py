"""The pages of penalties: a referee revokes, everybody reads."""

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Penalty
from league.queries import standings
from league.services.penalties import log_penalty, revoke_penalty
from tests.cast import Club, club, signed_in, user


@pytest.fixture
def spring(db) -> Club:
    made = club("spring")
    made.add_round()
    made.record((38_400, 21_600, 40_000, 20_000))
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


def address(made: Club, page: str = "") -> str:
    return f"/c/{made.slug}/penalties/{page}"


def entrant(made: Club, index: int = 0) -> int:
    return made.competition.entrants.get(player=made.players[index]).pk


def log(made: Club, index: int = 0, score: int = -20, **options) -> Penalty:
    options = {"reason": "late", "by": made.bob, "stage": made.stage} | options
    return log_penalty(player_id=made.players[index].pk, score=score, **options)


# --- who may


@pytest.mark.parametrize("method", ["get", "post"])
def test_only_referees_and_organizers_revoke(spring, method):
    penalty = log(spring)
    url = address(spring, f"{penalty.pk}/revoke/")
    autumn = club("autumn")

    def ask(person):
        client = signed_in(person) if person else Client()
        return getattr(client, method)(url).status_code

    assert {ask(person) for person in (spring.bob, spring.alice)} == {200}
    refused = (spring.charlie, spring.dora, user("mallory"), autumn.alice, autumn.bob)
    assert [ask(person) for person in refused] == [403] * 5
    assert ask(None) == 302


def test_a_penalty_of_another_competition_does_not_exist_here(spring, bob):
    penalty = log(club("autumn"))

    assert bob.get(address(spring, f"{penalty.pk}/revoke/")).status_code == 404


@pytest.mark.parametrize(
    "query", ["table=x", "table=", "player=-1", "round=x", "table=%00", "table=９", "table=1e5"]
)
def test_what_is_no_number_in_the_address_is_passed_over(spring, bob, query):
    assert bob.get(address(spring, f"?{query}&page=x")).status_code == 200


def test_the_list_is_only_read_and_the_form_takes_no_other_method(spring, bob):
    penalty = log(spring)

    answers = [bob.post(address(spring)), bob.delete(address(spring, f"{penalty.pk}/revoke/"))]

    assert [answer.status_code for answer in answers] == [405, 405]


# --- revoking


def test_revoking_shows_what_is_revoked_and_strikes_it_out(spring, bob):
    penalty = log(spring, infraction="A-II", level="2", reason="one tile", table=spring.table())
    url = address(spring, f"{penalty.pk}/revoke/")

    page = bob.get(url).content.decode()
    answer = bob.post(url, {"key": uuid.uuid4(), "reason": "it was a discard"}, follow=True)

    for words in (
        "陳大文",
        "−2.0",
        "A-II Illegal exposure of own non-discarded tiles: 1 tile",
        "one tile",
        "Table 1",
    ):
        assert words in page
    listed = answer.content.decode()
    assert "<s>−2.0</s>" in listed
    assert "it was a discard" in listed
    assert "0 count" in re.sub(r"\s+", " ", listed)


def test_revoking_without_a_reason_is_refused_at_the_field(spring, bob):
    penalty = log(spring)

    answer = bob.post(address(spring, f"{penalty.pk}/revoke/"), {"key": uuid.uuid4(), "reason": " "})

    assert answer.context["form"].errors == {"reason": ["Say why the penalty is revoked."]}
    assert Penalty.objects.get().revoked_at is None


def test_revoking_twice_is_refused_in_words_and_the_first_reason_stays(spring, bob):
    penalty = log(spring)
    url = address(spring, f"{penalty.pk}/revoke/")
    revoke_penalty(penalty=penalty, reason="wrong player", by=spring.alice)

    answer = bob.post(url, {"key": uuid.uuid4(), "reason": "mine"})

    page = answer.content.decode()
    assert answer.status_code == 200
    assert "This penalty was revoked already." in page
    assert "wrong player" in page
    assert 'value="mine"' in page
    assert Penalty.objects.get().revoke_reason == "wrong player"
    assert "Revoke the penalty" not in bob.get(url).content.decode()


def test_the_same_revocation_twice_is_one(spring, bob):
    penalty = log(spring)
    form = {"key": uuid.uuid4(), "reason": "wrong player"}

    answers = [bob.post(address(spring, f"{penalty.pk}/revoke/"), form).status_code for _ in range(2)]

    assert answers == [302, 302]


# --- the list


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
    assert str(hidden.round_id) not in dict(public.context["filters"]["rounds"])
    assert str(hidden.round_id) in dict(staff.context["filters"]["rounds"])


def test_the_list_narrows_to_a_player_and_a_round(spring):
    spring.add_round()
    log(spring, 0, -20, table=spring.table(1))
    log(spring, 1, -30, table=spring.table(1))
    log(spring, 0, -40, table=spring.table(2))

    def shown(query: str) -> tuple[list[int], int]:
        page = Client().get(address(spring, query))
        return [line.penalty.score for line in page.context["lines"]], page.context["counted"]["sum"]

    player, round_ = entrant(spring, 0), spring.rounds[0].pk
    assert shown("") == ([-40, -30, -20], -90)
    assert shown(f"?player={player}") == ([-40, -20], -60)
    assert shown(f"?round={round_}") == ([-30, -20], -50)
    assert shown(f"?player={player}&round={round_}") == ([-20], -20)
    assert shown("?player=999999") == ([], None)


def test_a_long_list_has_pages_and_keeps_its_filter(spring):
    for _ in range(51):
        log(spring)

    first = Client().get(address(spring, f"?player={entrant(spring)}"))
    second = Client().get(address(spring, f"?player={entrant(spring)}&page=2"))

    assert (len(first.context["lines"]), len(second.context["lines"])) == (50, 1)
    assert first.context["counted"]["sum"] == -1020
    assert f"player={entrant(spring)}&amp;page=2" in first.content.decode()


def test_an_empty_list_says_what_to_do(spring, bob):
    assert "No penalty has been logged" in Client().get(address(spring)).content.decode()
    assert "Log one from a table" in bob.get(address(spring)).content.decode()


def test_what_people_typed_is_shown_as_text(spring):
    spring.players[0].name = "<script>alert(1)</script>"
    spring.players[0].save()
    log(spring, reason="<b>bold</b> & =1+1")

    page = Client().get(address(spring)).content.decode()

    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; =1+1" in page


def test_a_private_competition_shows_its_penalties_to_its_people_only(db):
    made = club("private", visibility="private")
    log(made)

    answers = [client.get(address(made)).status_code for client in (signed_in(made.dora), Client())]
    stranger = signed_in(user("mallory")).get(address(made)).status_code

    assert answers == [200, 404]
    assert stranger == 404


@pytest.mark.parametrize("person", ["public", "bob"])
def test_one_penalty_and_three_take_the_same_number_of_queries(spring, person):
    client = Client() if person == "public" else signed_in(spring.bob)

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address(spring)).status_code == 200
        return len(caught)

    log(spring, table=spring.table())
    one = queries()
    log(spring, 4, table=spring.table(number=2))
    revoke_penalty(penalty=log(spring, 1), reason="mistake", by=spring.alice)
    three = queries()

    assert one == three
    assert three <= 9


def test_the_list_is_answered_304_until_something_changes(spring):
    log(spring, 0)
    first = Client().get(address(spring))
    known = {"If-None-Match": first["ETag"]}
    assert Client().get(address(spring), headers=known).status_code == 304

    log(spring, 1)

    changed = Client().get(address(spring), headers=known)
    assert changed.status_code == 200
    assert "李小明" in changed.content.decode()
