"""What a penalty means for the hand, in the same sentences from the form to the player's page.

Conditions of a book are logged through the page, the first time and again in the same hand.
"""

from collections.abc import Iterable

import pytest
from django.db import transaction
from django.urls import reverse

from league.models import Penalty
from league.play.hands.words.penalties import Wordings
from league.referees.penalties.services.hands import set_hand
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from tests.factories import Club, club, signed_in
from tests.league.referees.penalties.log.requests import at_table, case, confirm, entrant, plain, tapped
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

# A dead hand, a tile that was shown, a payment by number, a redeal by the wall, an expulsion, all four.
QUICK = {
    "hkma": ["A-II.1", "A-X.1", "C-I.1", "T-8.2", "U-6.1", "D-V.1"],
    "ema": ["5.2-4.0"],
    "tnt": ["3.1", "1.0"],
}


def by_book(preset: str, slug: str) -> Club:
    made = club(slug, preset=preset, players=4)
    made.add_round()
    set_hand(table=made.table(), hand="E1.0", by=made.bob)
    return made


@module_fixture
def hkma() -> Club:
    return by_book("hkma-a-2025-04", "hkma")


@module_fixture
def ema() -> Club:
    return by_book("ema-2016", "ema")


@module_fixture
def tnt() -> Club:
    return by_book("tnt", "tnt")


@pytest.fixture
def made(request: pytest.FixtureRequest, book: str) -> Club:
    return request.getfixturevalue(book)


def has_same_sentences(made: Club, place: str) -> None:
    """Log the condition for the first player, and look for its sentences everywhere."""
    code, _dot, index = place.rpartition(".")
    bob = signed_in(made.bob)
    asked = case(confirm(made, bob, code), int(index))
    form = tapped(
        made, code, int(index), again="on", **{f"asked-c{index}": asked.asked, f"units-c{index}": "2"}
    )
    answer = bob.post(at_table(made), form)
    if answer.status_code == 422:  # a second step: all four, an expulsion
        form["reviewed"] = answer.context["confirm"]["review"]["text"]
        answer = bob.post(at_table(made), form)
    assert answer.status_code == 302, plain(answer)
    penalty = Penalty.objects.filter(player=made.players[0]).latest("pk")
    meaning = Wordings().line(penalty).at_table

    counted = meaning.payment if asked.unit else ""  # the form does not know the number yet
    assert {each for each in meaning.sentences if each != counted} <= set(asked.effects)
    desk = plain(bob.get(answer["Location"]))
    assert [each for each in meaning.sentences if each not in desk] == []  # the message
    pages = [
        bob.get(reverse("results:table", args=[made.slug, made.table().pk])),
        bob.get(reverse("standings:player", args=[made.slug, entrant(made)])),
    ]
    for page in map(plain, pages):
        assert [each for each in meaning.until_the_end if each not in page] == []


def walk(made: Club, places: Iterable[str]) -> None:
    """Log each condition twice, where it can follow itself."""
    rules = penalty_rules_of(made.division.rule_set)
    for place in places:
        ruling = rules.rulings[place]
        with transaction.atomic():
            if ruling.variant.repeat not in ("again", "again_in_hand"):
                has_same_sentences(made, place)
                if ruling.variant.repeat != "first" and not rules.expels(ruling.level):
                    has_same_sentences(made, place)
            transaction.set_rollback(True)


@pytest.mark.parametrize("book", QUICK)
def test_a_penalty_has_same_sentences_on_the_form_in_the_message_and_at_the_table(made, book):
    walk(made, QUICK[book])


@pytest.mark.slow
@pytest.mark.parametrize("book", QUICK)
def test_every_condition_of_a_book_has_same_sentences(made, book):
    walk(made, set(penalty_rules_of(made.division.rule_set).rulings) - set(QUICK[book]))
