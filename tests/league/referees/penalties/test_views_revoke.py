"""The pages of penalties: a referee revokes, everyone reads."""

import re
import uuid

import pytest

from league.models import Penalty
from league.referees.penalties.services.decisions import revoke_penalty
from tests.league.referees.penalties.test_views_list import address, log

pytestmark = pytest.mark.django_db


# --- who may


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
