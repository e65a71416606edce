"""The same form sent twenty times at once through the network, and two people at one table.

The services have their own tests of these races; here the whole server is between.
"""

import re
import uuid

import pytest
from django.conf import settings
from django.test import Client

from league.models import AuditEntry, Entrant, Penalty, Round, Sheet
from league.organizing.audit_log.queries import verify_chain
from tests.factories import Club, club
from tests.pages.forms import forms_of
from tests.races import at_once
from tests.wire import Answer, Fields, Visitor

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 20
SCORES = {"east": ["450"], "south": ["350"], "west": ["250"], "north": ["150"], "sticks": ["0"]}
OTHERS = {"east": ["440"], "south": ["360"], "west": ["250"], "north": ["150"], "sticks": ["0"]}


@pytest.fixture
def spring() -> Club:
    return club("spring")


@pytest.fixture
def visitor(live_server):
    """Return `visitor(user)`, which signs the person in with another browser per call."""

    def signed_in(user) -> Visitor:
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        return Visitor(live_server.url, {name: client.cookies[name].value})

    return signed_in


def sent_by_many(person: Visitor, address: str, fields: Fields) -> list[Answer]:
    # All with the cookies that the form's page gave: one browser, its button pressed by an impatient finger.
    browsers = [Visitor(person.url, dict(person.cookies)) for _ in range(MANY)]
    return at_once(*(lambda browser=browser: browser.post(address, fields) for browser in browsers))


def changes(spring: Club) -> list[str]:
    actions = AuditEntry.objects.filter(competition=spring.competition).order_by("sequence")
    return list(actions.values_list("action", flat=True))


def assert_one_effect(
    spring: Club, before: tuple[int, list[str]], answers: list[Answer], action: str
) -> None:
    """Assert that one change was made and logged, and that all answers redirect to one place."""
    revision, actions = before
    assert {answer.status for answer in answers} == {302}
    assert len({answer.location for answer in answers}) == 1
    spring.competition.refresh_from_db()
    assert (spring.competition.revision, changes(spring)) == (revision + 1, [*actions, action])
    assert verify_chain(spring.competition).broken_at is None


def state(spring: Club) -> tuple[int, list[str]]:
    spring.competition.refresh_from_db()
    return spring.competition.revision, changes(spring)


def test_a_score_sheet_sent_twenty_times_is_recorded_once(spring, visitor):
    spring.add_round()
    scorer, address = visitor(spring.charlie), f"/c/spring/rounds/{spring.rounds[0].pk}/enter/"
    form = scorer.form(address, "results:enter_round", number="1")
    before = state(spring)

    answers = sent_by_many(scorer, form.action, form.fields | SCORES)

    assert_one_effect(spring, before, answers, "result.record")
    assert [sheet.points for sheet in Sheet.objects.all()] == [(45000, 35000, 25000, 15000)]


def said_after(person: Visitor, answer: Answer) -> str:
    """The message on the page that the answer leads to."""
    found = re.search(r'class="alert[^>]*>(.*?)</div>', person.get(answer.location).text, re.S)
    return found[1].strip() if found else ""


@pytest.mark.slow
def test_of_twenty_answers_to_one_sheet_only_that_of_the_new_sheet_says_saved(spring, visitor):
    spring.add_round()
    scorer, address = visitor(spring.charlie), f"/c/spring/rounds/{spring.rounds[0].pk}/enter/"
    form = scorer.form(address, "results:enter_round", number="1")
    # Ten times the same form, and ten people who typed the same numbers.
    keys = [form.fields["key"]] * 10 + [[str(uuid.uuid4())] for _ in range(10)]
    browsers = [Visitor(scorer.url, dict(scorer.cookies)) for _ in keys]
    pairs = list(zip(browsers, keys, strict=True))

    answers = at_once(*(
        lambda browser=browser, key=key: browser.post(form.action, form.fields | SCORES | {"key": key})
        for browser, key in pairs
    ))  # fmt: skip

    said = [said_after(browser, answer) for browser, answer in zip(browsers, answers, strict=True)]
    assert Sheet.objects.count() == 1
    assert sum(each.startswith("Table 1 saved") for each in said) == 1
    assert sum("saved th" in each and "already" in each for each in said) == MANY - 1


@pytest.mark.slow
def test_a_penalty_sent_twenty_times_is_logged_once(spring, visitor):
    spring.add_round()
    referee, entrant = visitor(spring.bob), spring.competition.entrants.get(player=spring.players[0])
    address = f"/c/spring/penalties/new/?table={spring.table().pk}&player={entrant.pk}&offence=A-I"
    form = referee.form(address, "penalties:new", infraction="A-I")
    typed = {"reason": ["twice"]}
    before = state(spring)

    answers = sent_by_many(referee, form.action, form.fields | typed)

    assert_one_effect(spring, before, answers, "penalty.log")
    assert [(p.player, p.score) for p in Penalty.objects.all()] == [(spring.players[0], -20)]


@pytest.mark.slow
def test_a_list_of_players_sent_twenty_times_is_imported_once(spring, visitor):
    organizer = visitor(spring.alice)
    form = organizer.form("/c/spring/manage/players/import/", "roster:import")
    typed = {"text": ["Frodo\nSam\n新人"]}
    preview = organizer.post(form.action, form.fields | typed)
    save = next(each for each in forms_of(preview.text, "") if each.page == "roster:preview")
    before = state(spring)

    answers = sent_by_many(organizer, save.action, save.fields | typed | {"save": ["yes"]})

    assert_one_effect(spring, before, answers, "roster.enter")
    assert Entrant.objects.filter(competition=spring.competition).count() == len(spring.players) + 3


@pytest.mark.slow
def test_a_round_opened_twenty_times_is_opened_once(spring, visitor):
    spring.add_round(opened=False)
    organizer = visitor(spring.alice)
    form = organizer.form("/c/spring/manage/", "rounds:status", status="open")
    before = state(spring)

    answers = sent_by_many(organizer, form.action, form.fields)

    assert_one_effect(spring, before, answers, "round.open")
    assert Round.objects.get().status == Round.Status.OPEN


@pytest.mark.slow
def test_a_round_deleted_twenty_times_is_gone_once(spring, visitor):
    spring.add_round(opened=False)
    organizer = visitor(spring.alice)
    form = organizer.form("/c/spring/manage/", "rounds:delete")
    before = state(spring)

    answers = sent_by_many(organizer, form.action, form.fields)

    assert_one_effect(spring, before, answers, "round.delete")
    assert not Round.objects.exists()


def test_of_two_who_save_one_table_one_wins_and_the_other_sees_both_sheets(spring, visitor):
    spring.add_round()
    people = [visitor(spring.charlie), visitor(spring.alice)]
    address = f"/c/spring/rounds/{spring.rounds[0].pk}/enter/"
    forms = [person.form(address, "results:enter_round", number="1") for person in people]
    before = state(spring)

    first, second = at_once(
        lambda: people[0].post(forms[0].action, forms[0].fields | SCORES),
        lambda: people[1].post(forms[1].action, forms[1].fields | OTHERS),
    )

    won, lost = (first, second) if first.status == 302 else (second, first)
    assert (won.status, lost.status) == (302, 409)
    assert_one_effect(spring, before, [won], "result.record")
    saved, typed = ("45,000", "44,000") if won is first else ("44,000", "45,000")
    assert Sheet.objects.get().east == int(saved.replace(",", ""))
    assert saved in lost.text
    assert typed in lost.text
