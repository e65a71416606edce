"""The pages of penalties: a referee revokes, everyone reads."""

import re
import uuid

import pytest
from django.test import Client

from league.models import Penalty
from league.penalties.services import log_penalty, revoke_penalty
from tests.factories import Club, club, signed_in, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
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

    assert {ask(person) for person in (spring.bob, spring.alice)} == {200 if method == "get" else 422}
    refused = (spring.charlie, spring.dora, user("mallory"), autumn.alice, autumn.bob)
    assert [ask(person) for person in refused] == [403] * 5
    assert ask(None) == 302


def test_a_penalty_of_another_competition_does_not_exist_here(spring, bob):
    penalty = log(club("autumn"))

    assert bob.get(address(spring, f"{penalty.pk}/revoke/")).status_code == 404


@pytest.mark.parametrize(
    "query", ["table=x", "table=", "player=-1", "round=x", "table=%00", "table=９", "table=1e5"]
)
def test_a_bad_number_in_the_address_is_ignored(spring, bob, query):
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
    assert "0 active penalties" in re.sub(r"\s+", " ", listed)


def test_revoking_without_a_reason_is_refused_at_the_field(spring, bob):
    penalty = log(spring)

    answer = bob.post(address(spring, f"{penalty.pk}/revoke/"), {"key": uuid.uuid4(), "reason": " "})

    assert answer.context["form"].errors == {"reason": ["Give a reason for revoking the penalty."]}
    assert Penalty.objects.get().revoked_at is None


def test_revoking_twice_is_refused_in_words_and_the_first_reason_stays(spring, bob):
    penalty = log(spring)
    url = address(spring, f"{penalty.pk}/revoke/")
    revoke_penalty(penalty=penalty, reason="wrong player", by=spring.alice)

    answer = bob.post(url, {"key": uuid.uuid4(), "reason": "mine"})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "This penalty has already been revoked." in page
    assert "wrong player" in page
    assert 'value="mine"' in page
    assert Penalty.objects.get().revoke_reason == "wrong player"
    assert "Revoke penalty" not in bob.get(url).content.decode()


def test_the_same_revocation_twice_is_one(spring, bob):
    penalty = log(spring)
    form = {"key": uuid.uuid4(), "reason": "wrong player"}

    answers = [bob.post(address(spring, f"{penalty.pk}/revoke/"), form).status_code for _ in range(2)]

    assert answers == [302, 302]
