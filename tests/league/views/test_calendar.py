"""The pages of the calendar: planning, the time of a table for its players and the staff, and the feeds."""

import uuid
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Appointment, Role, Round
from league.services.calendar import agree, postpone, propose_time, set_dates, set_time
from league.services.rounds import close_round, set_visibility
from tests.cast import Club, club, signed_in, user
from tests.once import once_a_module

pytestmark = pytest.mark.django_db

POINTS = (45_000, 35_000, 25_000, 15_000)
HONG_KONG = ZoneInfo("Asia/Hong_Kong")


def today() -> date:
    return timezone.now().astimezone(HONG_KONG).date()


def evening(days: int) -> datetime:
    """Half past seven in the evening, so many days from now, in Hong Kong."""
    day = today() + timedelta(days=days)
    return datetime(day.year, day.month, day.day, 19, 30, tzinfo=HONG_KONG)


@once_a_module
def here() -> Club:
    """A round that is open, whose tables meet within two weeks; Dora is the first player."""
    made = club()
    round_ = made.add_round()
    set_dates(rounds=[round_], first=today(), until=today() + timedelta(days=13), by=made.alice)
    Role.objects.filter(user=made.dora).update(player=made.players[0])
    return made


def address(name: str, here: Club, *arguments: object) -> str:
    return reverse(name, args=[here.slug, *arguments])


def post(client: Client, where: str, **fields: object):
    return client.post(where, {"key": uuid.uuid4(), **fields})


def text(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def proposal(here: Club, days: int = 3) -> Appointment:
    return propose_time(table=here.table(), meets_at=evening(days), player=here.players[1].pk, by=here.alice)


# --- the page


def test_the_public_sees_days_of_planned_rounds_and_no_page_of_them(here, client):
    made = Round.objects.create(stage=here.stage, number=2, date=today() + timedelta(days=30))
    page = text(client.get(address("calendar", here)))
    assert f'href="{address("round", here, here.rounds[0].pk)}"' in page
    assert f'<time datetime="{made.date.isoformat()}">' in page
    assert address("round", here, made.pk) not in page


def test_a_hidden_round_that_is_played_is_not_in_the_calendar(here, client):
    made = Round.objects.create(stage=here.stage, number=2, date=today() + timedelta(days=30), status="open")
    mark = f'datetime="{made.date.isoformat()}"'
    assert mark not in text(client.get(address("calendar", here)))
    staff = signed_in(here.charlie)
    assert mark in text(staff.get(address("calendar", here)))
    assert mark not in text(staff.get(address("calendar", here) + "?view=public"))


def test_what_is_past_and_what_is_coming_are_apart(here, client):
    Round.objects.create(stage=here.stage, number=2, date=date(2020, 1, 5), visibility="results")
    coming = text(client.get(address("calendar", here)))
    past = text(client.get(address("calendar", here) + "?when=past"))
    assert ("2020-01-05" in coming, "2020-01-05" in past) == (False, True)
    assert (today().isoformat() in coming, f'time datetime="{today().isoformat()}"' in past) == (True, False)


def test_a_division_is_shown_alone_and_another_one_is_not_found(here, client):
    shown = client.get(address("calendar", here), {"division": here.division.slug})
    assert today().isoformat() in text(shown)
    assert client.get(address("calendar", here), {"division": "nowhere"}).status_code == 404


def test_times_are_those_of_the_competition_and_a_postponed_table_tells_both_days(here, client):
    set_time(table=here.table(), meets_at=evening(2), place="Club room", by=here.alice)
    postpone(tables=[here.table()], reason="typhoon", meets_at=evening(40), by=here.alice)
    page = text(client.get(address("calendar", here)))
    assert f'datetime="{evening(40).isoformat()}">19:30</time>' in page
    assert f'time datetime="{(today() + timedelta(days=2)).isoformat()}"' in page
    assert page.count("typhoon") == 2


def test_the_calendar_takes_as_many_queries_for_one_table_as_for_three(
    here, client, django_assert_num_queries
):
    def look() -> None:
        client.get(address("calendar", here) + f"?view=public&x={uuid.uuid4()}")

    set_time(table=here.table(), meets_at=evening(2), by=here.alice)
    look()
    with django_assert_num_queries(9):
        look()
    set_time(table=here.table(number=2), meets_at=evening(3), by=here.alice)
    for number in range(2, 9):
        Round.objects.create(stage=here.stage, number=number, date=today() + timedelta(days=number))
    with django_assert_num_queries(9):
        look()


# --- planning


def test_an_organizer_plans_many_rounds_at_once(here):
    alice = signed_in(here.alice)
    where = address("matchdays", here, here.stage.pk)
    fields = {"hanchan": 2, "first": "2026-06-01", "every": "14", "count": 3, "window": "14"}
    assert post(alice, where, **fields).url == address("calendar", here)
    found = here.stage.rounds.filter(number__gt=1).values_list("number", "date", "until")
    assert list(found) == [
        (2, date(2026, 6, 1), date(2026, 6, 14)),
        (3, date(2026, 6, 1), date(2026, 6, 14)),
        (4, date(2026, 6, 15), date(2026, 6, 28)),
        (5, date(2026, 6, 15), date(2026, 6, 28)),
        (6, date(2026, 6, 29), date(2026, 7, 12)),
        (7, date(2026, 6, 29), date(2026, 7, 12)),
    ]


def test_typed_days_go_before_and_a_window_may_be_typed(here):
    fields = {
        "hanchan": 1,
        "first": "2026-01-01",
        "count": 9,
        "typed": "2026-06-01\n\n2026-06-08 – 2026-06-20\n",
    }
    post(signed_in(here.alice), address("matchdays", here, here.stage.pk), **fields)
    assert list(here.stage.rounds.filter(number__gt=1).values_list("date", "until")) == [
        (date(2026, 6, 1), None),
        (date(2026, 6, 8), date(2026, 6, 20)),
    ]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"typed": "next Friday"}, "“next Friday” is no day"),
        ({"typed": "2026-02-30"}, "“2026-02-30” is no day"),
        ({"typed": "20026-06-01"}, "is no day"),
        ({"typed": "0001-06-01"}, "Check the year"),
        ({"typed": "2026-06-08 2026-06-01"}, "ends before it begins"),
        ({"first": ""}, "Choose the first day"),
        ({"first": "2026-06-01", "count": ""}, "How many days?"),
        ({"first": "2026-06-01", "count": "120", "hanchan": "2"}, "240 rounds"),
    ],
)
def test_a_plan_that_cannot_be_read_is_shown_again_with_what_was_typed(here, fields, why):
    where = address("matchdays", here, here.stage.pk)
    response = post(signed_in(here.alice), where, **({"hanchan": 1, "count": 2} | fields))
    assert response.status_code == 422
    assert why in response.content.decode()
    assert here.stage.rounds.count() == 1


def test_the_day_of_a_whole_matchday_is_changed_or_of_one_round(here):
    alice = signed_in(here.alice)
    rounds = [Round.objects.create(stage=here.stage, number=n, date=date(2026, 6, 1)) for n in (2, 3, 4)]
    where = address("round_dates", here, rounds[0].pk)
    assert "2, 3, 4" in text(alice.get(where))
    post(alice, where, date="2026-06-08", together="on")
    post(alice, where, date="2026-06-09")
    assert list(here.stage.rounds.filter(number__gt=1).values_list("date", flat=True)) == [
        date(2026, 6, 9),
        date(2026, 6, 8),
        date(2026, 6, 8),
    ]
    refused = post(alice, where, date="2026-06-09", until="2026-06-01")
    assert refused.status_code == 422
    assert "ends before it begins" in refused.content.decode()


# --- the time of a table


def test_a_player_proposes_and_agrees_on_the_tables_page(here):
    dora = signed_in(here.dora)
    where = address("table_time", here, here.table().pk)
    response = post(dora, where, meets_at=f"{evening(3):%Y-%m-%dT%H:%M}", place="3/F")
    assert response.url == address("table", here, here.table().pk)
    made = Appointment.objects.get()
    assert (made.meets_at, made.place, made.by) == (evening(3), "3/F", here.dora)
    assert [consent.player for consent in made.consents.all()] == [here.players[0]]
    page = text(dora.get(address("table", here, here.table().pk)))
    assert "I cannot come then after all" in page
    assert "I agree" not in page


def test_the_last_agreement_decides_and_the_page_says_when_it_meets(here, client):
    first = proposal(here)
    agree(appointment=first, players=[p.pk for p in here.players[2:4]], by=here.alice)
    dora = signed_in(here.dora)
    page = address("table", here, here.table().pk)
    assert "I agree" in text(dora.get(page))
    where = address("table_agree", here, here.table().pk)
    response = post(dora, where, appointment=first.pk, player=here.players[0].pk)
    assert response.url == page
    assert here.table().meets_at == evening(3)
    shown = text(dora.get(page))
    assert "All four have agreed" in shown
    assert "19:30" in text(client.get(page))


def test_a_player_takes_back_and_answers_for_nobody_else(here):
    first = proposal(here)
    dora = signed_in(here.dora)
    table = here.table().pk
    agreeing, taking = (address(name, here, table) for name in ("table_agree", "table_disagree"))
    for player in (here.players[2].pk, 10**9):
        assert post(dora, agreeing, appointment=first.pk, player=player).status_code == 403
    assert post(dora, taking, appointment=first.pk, player="all").status_code == 403
    post(dora, agreeing, appointment=first.pk, player="all")
    assert first.consents.count() == 2
    post(dora, taking, appointment=first.pk, player=here.players[0].pk)
    assert [consent.player for consent in first.consents.all()] == [here.players[1]]


def test_the_organizer_agrees_for_all(here):
    first = proposal(here)
    alice = signed_in(here.alice)
    page = text(alice.get(address("table", here, here.table().pk)))
    assert f"{here.players[0].name} agrees" in page
    assert "All agree" in page
    post(alice, address("table_agree", here, here.table().pk), appointment=first.pk, player="all")
    assert here.table().meets_at == evening(3)


def test_an_appointment_of_another_table_is_not_found(here):
    first = proposal(here)
    where = address("table_agree", here, here.table(number=2).pk)
    assert post(signed_in(here.alice), where, appointment=first.pk, player="all").status_code == 404


def test_times_in_words_that_cannot_be_are_shown_again(here):
    dora = signed_in(here.dora)
    where = address("table_time", here, here.table().pk)
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
    first, second = (address("table_time", here, here.table(number=n).pk) for n in (1, 2))
    assert signed_in(here.dora).get(first).status_code == 200
    assert signed_in(here.bob).get(first).status_code == 200
    for person, where in ((here.dora, second), (here.charlie, first), (user("mallory"), first)):
        assert signed_in(person).get(where).status_code == 403
    assert Client().get(first).status_code == 302


def test_a_referee_postpones_and_does_not_set_and_not_where_they_play(here):
    bob = signed_in(here.bob)
    table = here.table().pk
    when = f"{evening(3):%Y-%m-%dT%H:%M}"
    assert post(bob, address("table_set_time", here, table), meets_at=when).status_code == 403
    assert post(bob, address("table_time", here, table), meets_at=when).status_code == 403
    Role.objects.filter(user=here.bob).update(player=here.players[0])
    assert post(bob, address("table_postpone", here, table), reason="ill").status_code == 403
    Role.objects.filter(user=here.bob).update(player=None)
    assert post(bob, address("table_postpone", here, table), reason="ill").status_code == 302
    assert list(Appointment.objects.values_list("kind", "reason")) == [("postponed", "ill")]


def test_a_whole_round_is_postponed_but_for_what_was_played_or_postponed(here):
    alice = signed_in(here.alice)
    here.record(POINTS, number=2)
    where = address("table_postpone", here, here.table().pk)
    assert post(alice, where, reason=" ").status_code == 422
    post(alice, where, reason="typhoon", whole_round="on")
    assert [each.table for each in Appointment.objects.all()] == [here.table()]


def test_the_organizers_page_lists_what_is_to_be_made_up_and_its_round_can_be_closed(here):
    alice = signed_in(here.alice)
    here.record(POINTS, number=2)
    postpone(tables=[here.table()], reason="typhoon signal 8", by=here.alice)
    page = text(alice.get(address("manage", here)))
    assert "To be made up" in page
    assert "typhoon signal 8" in page
    assert "All but 1 postponed table" in page
    close_round(round_=here.rounds[0], by=here.alice)
    entering = address("enter_round", here, here.rounds[0].pk)
    assert "What is left are the tables that were postponed" in text(alice.get(entering))
    sheet = {"number": 1, "east": 450, "south": 350, "west": 250, "north": 150, "sticks": 0, "based_on": 0}
    seated = "-".join(str(player.pk) for player in here.players[:4])
    assert post(alice, entering, **sheet, seated=seated).status_code == 302
    assert here.table().sheets.get().points == POINTS
    assert "To be made up" not in text(alice.get(address("manage", here)))
    history = text(alice.get(address("table", here, here.table().pk)))
    assert history.index("postponed – typhoon") < history.index("made up")


def test_who_may_postpone_takes_a_postponement_back_with_one_button(here):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    postpone(tables=[here.table()], reason="typhoon", meets_at=evening(40), by=here.alice)
    where, page = (address(name, here, here.table().pk) for name in ("table_restore", "table"))
    seen = Appointment.objects.filter(kind="postponed").get().pk
    for person in (here.dora, here.charlie):
        assert post(signed_in(person), where, appointment=seen).status_code == 403
    bob = signed_in(here.bob)
    Role.objects.filter(user=here.bob).update(player=here.players[0])
    assert post(bob, where, appointment=seen).status_code == 403
    Role.objects.filter(user=here.bob).update(player=None)
    timing = text(bob.get(address("table_time", here, here.table().pk)))
    assert f'name="appointment" value="{seen}"' in timing
    assert "The table meets again as it was to" in timing
    assert post(bob, where, appointment=seen).url == page
    assert here.table().meets_at == evening(3)
    shown = text(bob.get(page))
    assert "The postponement is taken back." in shown
    assert shown.index("postponed: ") < shown.index("postponement taken back: ")
    assert "Take the postponement back" not in text(bob.get(address("table_time", here, here.table().pk)))
    calendar = text(bob.get(address("calendar", here)))
    assert (evening(3).isoformat() in calendar, "typhoon" in calendar) == (True, False)


def test_a_postponement_that_changed_meanwhile_is_not_taken_back_and_the_page_says_so(here):
    postpone(tables=[here.table()], reason="typhoon", by=here.alice)
    seen = Appointment.objects.get().pk
    alice = signed_in(here.alice)
    where, page = (address(name, here, here.table().pk) for name in ("table_restore", "table"))
    assert "The table meets with its round again." in text(
        alice.get(address("table_time", here, here.table().pk))
    )
    set_time(table=here.table(), meets_at=evening(40), by=here.bob)
    assert post(alice, where, appointment=seen).url == page
    assert "Another time was decided meanwhile. Look at it again." in text(alice.get(page))
    assert here.table().meets_at == evening(40)
    post(alice, where)
    assert "This page was out of date" in text(alice.get(page))
    other = address("table_restore", here, here.table(number=2).pk)
    assert post(alice, other, appointment=seen).status_code == 404


def test_nobody_learns_from_its_times_that_a_hidden_result_is_there(here, client):
    set_visibility(round_=here.rounds[0], visibility="seating", by=here.alice)
    proposal(here)
    postpone(tables=[here.table()], reason="typhoon", by=here.alice)
    proposal(here)
    pages = [address("table", here, here.table().pk), address("calendar", here)]
    feed = address("competition_feed", here)

    def seen() -> list[str]:
        texts = [text(client.get(page)) for page in pages]
        return [each.split("</header>")[1].partition("data-revision")[0] for each in texts] + [
            text(client.get(feed))
        ]

    before = seen()
    here.record(POINTS)
    assert seen() == before
    assert here.table().appointments.filter(kind="made_up").exists()


# --- feeds


def summaries(content: bytes) -> list[str]:
    return [str(event["summary"]) for event in icalendar.Calendar.from_ical(content).walk("VEVENT")]


def test_feeds_are_calendars_for_everybody_and_kept(here, client):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    entrant = here.competition.entrants.get(player=here.players[4])
    found = {
        address("competition_feed", here): 2,
        address("division_feed", here, here.division.slug): 2,
        address("player_feed", here, entrant.pk): 1,
    }
    for where, count in found.items():
        response = client.get(where)
        assert response["Content-Type"] == "text/calendar; charset=utf-8"
        assert len(summaries(response.content)) == count
        assert client.get(where, headers={"If-None-Match": response["ETag"]}).status_code == 304
    assert client.get(address("division_feed", here, "nowhere")).status_code == 404
    assert client.post(address("competition_feed", here)).status_code == 405


def test_a_feed_speaks_the_language_of_its_address(here, client):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    feed = address("competition_feed", here)
    said = [client.get(feed + query).content.decode() for query in ("", "?lang=ja", "?lang=xx")]
    assert ["East: 陳大文" in each for each in said] == [True, False, True]
    assert "東" in said[1]


def test_a_role_makes_and_renews_its_own_address_which_needs_no_session(here, client):
    bob = signed_in(here.bob)
    role = Role.objects.get(user=here.bob)
    post(bob, address("feed_renew", here), role=role.pk)
    role.refresh_from_db()
    first = reverse("own_feed", args=[role.feed_key])
    assert f"{first}?lang=en" in text(bob.get(address("calendar_feeds", here)))
    assert first not in text(client.get(address("calendar_feeds", here)))
    assert client.get(first).status_code == 200
    post(bob, address("feed_renew", here), role=role.pk)
    assert client.get(first).status_code == 404
    role.refresh_from_db()
    second = reverse("own_feed", args=[role.feed_key])
    assert client.get(second).status_code == 200
    role.delete()
    assert client.get(second).status_code == 404


def test_nobody_makes_the_address_of_another_role(here):
    role = Role.objects.get(user=here.bob)
    post(signed_in(here.charlie), address("feed_renew", here), role=role.pk)
    assert post(signed_in(user("mallory")), address("feed_renew", here), role=role.pk).status_code == 403
    role.refresh_from_db()
    assert role.feed_key is None


def test_an_owner_of_the_league_without_a_role_makes_an_address_too(here, client):
    alice, page = signed_in(here.alice), address("calendar_feeds", here)
    set_visibility(round_=here.rounds[0], visibility="hidden", by=here.alice)
    assert "You organize as an owner of the league." in text(alice.get(page))
    assert "You organize as an owner of the league." not in text(signed_in(here.bob).get(page))
    post(alice, address("feed_renew", here), role="")
    role = Role.objects.get(competition=here.competition, user=here.alice)
    feed = reverse("own_feed", args=[role.feed_key])
    shown = text(alice.get(page))
    assert f"{feed}?lang=en" in shown
    assert "You organize as an owner of the league." not in shown
    assert len(summaries(client.get(feed).content)) == 1  # what is hidden, too


def test_nobody_but_an_owner_makes_an_address_without_a_role(here):
    bob = signed_in(here.bob)
    post(bob, address("feed_renew", here), role="")
    assert "This page was out of date" in text(bob.get(address("calendar_feeds", here)))
    assert list(Role.objects.filter(user=here.bob).values_list("kind", "feed_key")) == [("referee", None)]


def test_a_secret_address_shows_staff_what_is_hidden_and_a_player_their_own_public_days(here, client):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    set_time(table=here.table(number=2), meets_at=evening(4), by=here.alice)
    feeds = {}
    for person in (here.bob, here.dora):
        role = Role.objects.get(user=person)
        post(signed_in(person), address("feed_renew", here), role=role.pk)
        role.refresh_from_db()
        feeds[person] = reverse("own_feed", args=[role.feed_key])
    assert [len(summaries(client.get(feeds[p]).content)) for p in (here.bob, here.dora)] == [3, 1]
    set_visibility(round_=here.rounds[0], visibility="hidden", by=here.alice)
    assert [len(summaries(client.get(feeds[p]).content)) for p in (here.bob, here.dora)] == [3, 0]


def test_a_private_competition_has_no_feed_but_the_secret_one(client):
    secret = club("secret", visibility="private")
    role = Role.objects.get(competition=secret.competition, user=secret.dora)
    post(signed_in(secret.dora), address("feed_renew", secret), role=role.pk)
    role.refresh_from_db()
    assert client.get(address("competition_feed", secret)).status_code == 404
    assert client.get(reverse("own_feed", args=[role.feed_key])).status_code == 200
