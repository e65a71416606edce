"""When a table meets: for its players, the organizer and referees."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Appointment, Role
from league.play.calendar.services.table_times import agree_to_time, postpone_tables, set_time
from league.play.rounds.services import close_round, set_visibility
from tests.factories import Club, signed_in, user
from tests.league.play.calendar.evenings import POINTS, address, evening, evenings, post, proposal, text
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return evenings()


def entrant_of(here: Club, player: int) -> int:
    return here.competition.entrants.get(player=here.players[player]).pk


def test_a_player_proposes_and_agrees_on_the_tables_page(here):
    dora = signed_in(here.dora)
    where = address("calendar:table_time", here, here.table().pk)
    response = post(dora, where, meets_at=f"{evening(3):%Y-%m-%dT%H:%M}", place="3/F")
    assert response.url == address("results:table", here, here.table().pk)
    made = Appointment.objects.get()
    assert (made.meets_at, made.place, made.created_by) == (evening(3), "3/F", here.dora)
    assert [consent.player for consent in made.consents.all()] == [here.players[0]]
    page = text(dora.get(address("results:table", here, here.table().pk)))
    assert "I can’t make it after all" in page
    assert "I agree" not in page


def test_the_last_agreement_decides_and_the_page_says_when_it_meets(here, client):
    first = proposal(here)
    agree_to_time(appointment=first, players=[p.pk for p in here.players[2:4]], by=here.alice)
    dora = signed_in(here.dora)
    page = address("results:table", here, here.table().pk)
    assert "I agree" in text(dora.get(page))
    where = address("calendar:agree", here, here.table().pk)
    response = post(dora, where, appointment=first.pk, player=here.players[0].pk)
    assert response.url == page
    assert here.table().meets_at == evening(3)
    shown = text(dora.get(page))
    assert "All four agreed" in shown
    assert "19:30" in text(client.get(page))


def test_a_player_takes_back_and_answers_only_for_themselves(here):
    first = proposal(here)
    dora = signed_in(here.dora)
    table = here.table().pk
    agreeing, taking = (address(name, here, table) for name in ("calendar:agree", "calendar:disagree"))
    for player in (here.players[2].pk, 10**9):
        assert post(dora, agreeing, appointment=first.pk, player=player).status_code == 403
    assert post(dora, taking, appointment=first.pk, player="all").status_code == 403
    post(dora, agreeing, appointment=first.pk, player="all")
    assert first.consents.count() == 2
    post(dora, taking, appointment=first.pk, player=here.players[0].pk)
    answers = first.consents.order_by("player").values_list("player", "declined")
    assert list(answers) == [(here.players[0].pk, True), (here.players[1].pk, False)]


@pytest.mark.slow
def test_a_linked_player_answers_on_the_front_page_and_the_calendar(here):
    first = proposal(here)
    dora, home, calendar = (
        signed_in(here.dora),
        reverse("competitions:home"),
        address("calendar:calendar", here),
    )
    for page in (home, calendar, f"{address('seating:my_seat', here)}?player={entrant_of(here, 0)}"):
        assert "Can you play at this time?" in text(dora.get(page))
    assert "Can you play" not in text(signed_in(here.bob).get(home))
    decline = address("calendar:disagree", here, here.table().pk)

    answer = post(dora, decline, appointment=first.pk, player=here.players[0].pk, next=home)

    assert answer.url == home
    assert first.consents.get(player=here.players[0]).declined
    assert "Can you play" not in text(dora.get(home))
    page = text(dora.get(address("results:table", here, here.table().pk)))
    assert ("I agree" in page, "I can’t make it" in page) == (True, False)
    agree_to_time(appointment=first, players=[p.pk for p in here.players[2:4]], by=here.alice)
    post(
        dora,
        address("calendar:agree", here, here.table().pk),
        appointment=first.pk,
        player=here.players[0].pk,
    )
    assert here.table().meets_at == evening(3)


def test_a_remembered_player_signs_in_to_answer(here, client):
    proposal(here)
    where = address("seating:own_asked", here)
    assert client.get(where).status_code == 204

    post(client, address("seating:my_seat", here), player=entrant_of(here, 0))

    page = text(client.get(where))
    assert ("Sign in to answer" in page, "I agree" in page) == (True, False)
    assert "Can you play" in text(client.get(address("seating:own_next", here)))


def test_a_postponed_table_is_not_missing(here):
    here.record(POINTS, number=2)
    alice = signed_in(here.alice)
    entry = address("results:enter_round", here, here.rounds[0].pk)
    assert "1 of 2 tables entered" in text(alice.get(entry))

    postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice)

    page = text(alice.get(entry))
    assert ("1 of 1 tables entered" in page, "All results are entered." in page) == (True, True)
    assert ">missing<" not in page
    assert ">postponed<" in text(alice.get(address("results:table", here, here.table().pk)))
    assert "can be closed" in text(alice.get("/"))


def test_the_organizer_agrees_for_all(here):
    first = proposal(here)
    alice = signed_in(here.alice)
    page = text(alice.get(address("results:table", here, here.table().pk)))
    assert f"{here.players[0].name} agrees" in page
    assert "All agree" in page
    post(alice, address("calendar:agree", here, here.table().pk), appointment=first.pk, player="all")
    assert here.table().meets_at == evening(3)


def test_an_appointment_of_another_table_is_not_found(here):
    first = proposal(here)
    where = address("calendar:agree", here, here.table(number=2).pk)
    assert post(signed_in(here.alice), where, appointment=first.pk, player="all").status_code == 404


def test_times_in_words_that_cannot_be_are_shown_again(here):
    dora = signed_in(here.dora)
    where = address("calendar:table_time", here, here.table().pk)
    for typed, why in (
        ("soon", "valid date/time"),
        ("9999-12-31T23:59", "Check the year"),
        (f"{evening(20):%Y-%m-%dT%H:%M}", "This table meets from"),
        (f"{evening(-1):%Y-%m-%dT%H:%M}", "Choose a"),
    ):
        response = post(dora, where, meets_at=typed)
        assert response.status_code == 422
        assert why in response.content.decode()
        assert typed in response.content.decode() or typed.startswith("9999")
    assert Appointment.objects.count() == 0


def test_only_the_four_organizers_and_referees_come_to_the_page_of_the_time(here):
    first, second = (address("calendar:table_time", here, here.table(number=n).pk) for n in (1, 2))
    assert signed_in(here.dora).get(first).status_code == 200
    assert signed_in(here.bob).get(first).status_code == 200
    for person, where in ((here.dora, second), (here.charlie, first), (user("mallory"), first)):
        assert signed_in(person).get(where).status_code == 403
    assert Client().get(first).status_code == 302


def test_a_referee_postpones_and_does_not_set_and_not_where_they_play(here):
    bob = signed_in(here.bob)
    table = here.table().pk
    when = f"{evening(3):%Y-%m-%dT%H:%M}"
    assert post(bob, address("calendar:set_time", here, table), meets_at=when).status_code == 403
    assert post(bob, address("calendar:table_time", here, table), meets_at=when).status_code == 403
    Role.objects.filter(user=here.bob).update(player=here.players[0])
    assert post(bob, address("calendar:postpone", here, table), reason="ill").status_code == 403
    Role.objects.filter(user=here.bob).update(player=None)
    assert post(bob, address("calendar:postpone", here, table), reason="ill").status_code == 302
    assert list(Appointment.objects.values_list("kind", "reason")) == [("postponed", "ill")]


def test_a_whole_round_is_postponed_but_for_what_was_played_or_postponed(here):
    alice = signed_in(here.alice)
    here.record(POINTS, number=2)
    where = address("calendar:postpone", here, here.table().pk)
    assert post(alice, where, reason=" ").status_code == 422
    post(alice, where, reason="typhoon", whole_round="on")
    assert [each.table for each in Appointment.objects.all()] == [here.table()]


def test_the_organizers_page_lists_what_is_to_be_made_up_and_its_round_can_be_closed(here):
    alice = signed_in(here.alice)
    here.record(POINTS, number=2)
    postpone_tables(tables=[here.table()], reason="typhoon signal 8", by=here.alice)
    page = text(alice.get(address("competitions:manage", here)))
    assert "To be played later" in page
    assert "typhoon signal 8" in page
    assert "All tables have score sheets except 1 postponed table" in page
    close_round(round_=here.rounds[0], by=here.alice)
    entering = address("results:enter_round", here, here.rounds[0].pk)
    assert "This round is closed" in text(alice.get(entering))
    sheet = {"number": 1, "east": 450, "south": 350, "west": 250, "north": 150, "sticks": 0, "based_on": 0}
    seated = "-".join(str(player.pk) for player in here.players[:4])
    assert post(alice, entering, **sheet, seated=seated).status_code == 302
    assert here.table().sheets.get().points == POINTS
    assert "To be played later" not in text(alice.get(address("competitions:manage", here)))
    history = text(alice.get(address("results:table", here, here.table().pk)))
    assert history.index("postponed – typhoon") < history.index("made up")


def test_a_postponement_is_taken_back_with_one_button(here):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    postpone_tables(tables=[here.table()], reason="typhoon", meets_at=evening(40), by=here.alice)
    where, page = (address(name, here, here.table().pk) for name in ("calendar:restore", "results:table"))
    seen = Appointment.objects.filter(kind="postponed").get().pk
    for person in (here.dora, here.charlie):
        assert post(signed_in(person), where, appointment=seen).status_code == 403
    bob = signed_in(here.bob)
    Role.objects.filter(user=here.bob).update(player=here.players[0])
    assert post(bob, where, appointment=seen).status_code == 403
    Role.objects.filter(user=here.bob).update(player=None)
    timing = text(bob.get(address("calendar:table_time", here, here.table().pk)))
    assert f'name="appointment" value="{seen}"' in timing
    assert "The original time applies again" in timing
    assert post(bob, where, appointment=seen).url == page
    assert here.table().meets_at == evening(3)
    shown = text(bob.get(page))
    assert "Postponement undone." in shown
    assert shown.index("postponed: ") < shown.index("postponement undone: ")
    assert "Undo the postponement" not in text(bob.get(address("calendar:table_time", here, here.table().pk)))
    calendar = text(bob.get(address("calendar:calendar", here)))
    assert (evening(3).isoformat() in calendar, "typhoon" in calendar) == (True, False)


def test_a_postponement_that_changed_meanwhile_is_not_taken_back_and_the_page_says_so(here):
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice)
    seen = Appointment.objects.get().pk
    alice = signed_in(here.alice)
    where, page = (address(name, here, here.table().pk) for name in ("calendar:restore", "results:table"))
    assert "The table plays with its round again." in text(
        alice.get(address("calendar:table_time", here, here.table().pk))
    )
    set_time(table=here.table(), meets_at=evening(40), by=here.bob)
    assert post(alice, where, appointment=seen).url == page
    assert "Another time has been decided. Check it." in text(alice.get(page))
    assert here.table().meets_at == evening(40)
    post(alice, where)
    assert "This form was incomplete" in text(alice.get(page))
    other = address("calendar:restore", here, here.table(number=2).pk)
    assert post(alice, other, appointment=seen).status_code == 404


def test_the_times_do_not_tell_of_a_hidden_result(here, client):
    set_visibility(round_=here.rounds[0], visibility="seating", by=here.alice)
    proposal(here)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice)
    proposal(here)
    pages = [address("results:table", here, here.table().pk), address("calendar:calendar", here)]
    feed = address("calendar:competition_feed", here)

    def seen() -> list[str]:
        texts = [text(client.get(page)) for page in pages]
        return [each.split("</header>")[1].partition("data-revision")[0] for each in texts] + [
            text(client.get(feed))
        ]

    before = seen()
    here.record(POINTS)
    assert seen() == before
    assert here.table().appointments.filter(kind="made_up").exists()
