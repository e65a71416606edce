"""What the penalty rules do not know is logged in the referee's own words."""

import pytest

from league.models import Penalty
from tests.factories import club, signed_in
from tests.league.referees.penalties.log.requests import at_table, entrant, free, kept, plain

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"level": "5", "reason": "insult"}, ("", "5", -250, "insult")),
        ({"reason": "late", "deduction": "2"}, ("", "", -20, "late")),
        ({"reason": "late", "deduction": "▲2.0"}, ("", "", -20, "late")),
        ({"reason": "late", "deduction": "２"}, ("", "", -20, "late")),
        ({"reason": "our error", "deduction": "1.5", "add": "on"}, ("", "", 15, "our error")),
        ({"level": "4", "reason": "on purpose", "deduction": "20"}, ("", "4", -200, "on purpose")),
    ],
)
def test_what_is_typed_becomes_a_score(spring, bob, values, expected):
    answer = bob.post(at_table(spring), free(spring, **values))

    assert answer.status_code == 302, answer.context["free"].errors
    assert kept() == [expected]


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"player": "x", "reason": "late", "deduction": "2"}, "player", "valid choice"),
        ({"deduction": "2"}, "reason", "Enter a reason."),
        ({"level": "7", "reason": "x"}, "level", "valid choice"),
        ({"reason": "late"}, "deduction", "Enter an amount, for example 2"),
        ({"reason": "late", "deduction": "two"}, "deduction", "at most one decimal"),
        ({"reason": "late", "deduction": "8000"}, "deduction", "Enter a score, not points"),
        ({"reason": "late", "deduction": "+2"}, "deduction", "A deduction lowers the total"),
        ({"reason": "x", "deduction": "-2", "add": "on"}, "deduction", "without a minus"),
        ({"reason": "a\u202eb", "deduction": "2"}, "reason", "invisible control character"),
        ({"reason": "x" * 301, "deduction": "2"}, "reason", "at most 300 characters"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field(spring, bob, values, field, words):
    answer = bob.post(at_table(spring), free(spring, **values))

    assert answer.status_code == 422
    assert list(answer.context["free"].errors) == [field]
    assert words in plain(answer)
    assert Penalty.objects.count() == 0


def test_a_rule_set_without_a_book_offers_chombo_and_free_text(db):
    made = club("jpml", preset="jpml-a")
    made.add_round()
    bob = signed_in(made.bob)

    page = bob.get(at_table(made, more=f"&player={entrant(made)}"))
    answers = [
        bob.post(at_table(made), free(made, offence="chombo")),
        bob.post(at_table(made), free(made, offence="chombo", reason="noten riichi")),
        bob.post(at_table(made), free(made, reason="late", deduction="5")),
    ]

    assert page.context["step"] == "free"
    assert "Chombo (−20.0)" in plain(page)
    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert kept() == [("", "", -200, "chombo"), ("", "", -200, "chombo: noten riichi"), ("", "", -50, "late")]
