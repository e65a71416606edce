"""An evening does not end at midnight: its date, fees, tables and attendance, in three time zones."""

import json
import uuid
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.zones import begin_of_day, day_of_play
from league.models import Competition, Entrant, Presence, Role, Round, Table
from league.organizing.competitions.services import update_competition
from league.organizing.interchange.exports.competition_file import competition_json
from league.play.bans.queries import banned_here
from league.play.bans.services import set_ban
from league.play.open_play.queries import evening_days, evening_rows, this_evening
from league.play.open_play.services import set_fee
from league.play.results.services import record_result
from league.referees.penalties.queries.referee import act_at
from tests.factories import Club, club, last_entry, signed_in
from tests.module_fixtures import module_fixture
from tests.shown import text

pytestmark = pytest.mark.django_db

ZONES = ("Asia/Hong_Kong", "America/New_York", "Europe/Berlin")
EVENING = date(2026, 5, 6)
NEXT = EVENING + timedelta(days=1)
# The nights in which the clock is set forward and back.
CHANGES = (
    ("Europe/Berlin", date(2026, 3, 28)),
    ("Europe/Berlin", date(2026, 10, 24)),
    ("America/New_York", date(2026, 3, 7)),
    ("America/New_York", date(2026, 10, 31)),
)


@module_fixture
def here() -> Club:
    made = club(players=10)
    made.stage.play = "free"
    made.stage.save()
    return made


class Clock:
    """A clock on a wall of the club."""

    def __init__(self, here: Club, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
        Competition.objects.filter(pk=here.competition.pk).update(timezone=zone)
        here.competition.timezone = zone
        self.zone, self.now = ZoneInfo(zone), datetime.now(UTC)
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def show(self, day: date, hour: int, minute: int = 0) -> None:
        self.now = datetime(day.year, day.month, day.day, hour, minute, tzinfo=self.zone).astimezone(UTC)


@pytest.fixture
def clock(here: Club, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(here, "Asia/Hong_Kong", monkeypatch)


def opened(client: Client, here: Club) -> str:
    """Return the day that *This evening* opens."""
    answer = client.get(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))
    return str(answer["Location"]).rstrip("/").rpartition("/")[2]


def press(client: Client, address: str, **fields: object) -> None:
    assert client.post(address, {"key": uuid.uuid4(), **fields}).status_code == 302


def tick(client: Client, here: Club, day: str, position: int) -> None:
    entrant = Entrant.objects.get(competition=here.competition, player=here.players[position])
    address = reverse("open_play:presence", args=[here.slug, here.stage.pk, day])
    press(client, address, entrant=entrant.pk, act="come")


def draw(client: Client, here: Club, day: str) -> None:
    press(client, reverse("open_play:draw", args=[here.slug, here.stage.pk, day]))


def draw_evening(
    client: Client, here: Club, clock: Clock, positions: Iterable[int], day: date = EVENING
) -> None:
    """Draw tables at ten in the evening for the players at these positions."""
    clock.show(day, 22)
    for position in positions:
        tick(client, here, day.isoformat(), position)
    draw(client, here, day.isoformat())


def fees_of(here: Club) -> list[tuple[date, Decimal | None]]:
    found = Presence.objects.filter(stage=here.stage).order_by("day", "pk")
    return list(found.values_list("day", "fee"))


@pytest.mark.parametrize("zone", ZONES)
def test_at_twenty_past_midnight_this_evening_is_the_one_with_running_tables(
    here: Club, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, client = Clock(here, zone, monkeypatch), signed_in(here.charlie)
    set_fee(stage=here.stage, on=EVENING, fee=Decimal(50), guest_fee=None, by=here.alice)

    clock.show(EVENING, 22)
    before = opened(client, here)
    for position in range(4):
        tick(client, here, before, position)
    draw(client, here, before)
    clock.show(NEXT, 0, 20)
    after = opened(client, here)
    tick(client, here, after, 0)
    for position in range(4, 8):
        tick(client, here, after, position)
    draw(client, here, after)

    assert [before, after] == [EVENING.isoformat()] * 2
    assert fees_of(here) == [(EVENING, Decimal(50))] * 8
    assert list(Round.objects.filter(stage=here.stage).values_list("date", flat=True)) == [EVENING] * 2
    assert evening_days(here.stage) == [EVENING]
    assert {row.day for row in evening_rows(here.stage)} == {EVENING}


@pytest.mark.parametrize(("zone", "day"), CHANGES)
def test_the_evening_keeps_its_date_while_the_clock_is_changed(
    here: Club, zone: str, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, client = Clock(here, zone, monkeypatch), signed_in(here.charlie)
    morning = day + timedelta(days=1)

    found = []
    hours = ((day, 5), (day, 23), *((morning, hour) for hour in (0, 1, 3, 4, 5)))
    for on, hour in hours:
        clock.show(on, hour)
        found.append(opened(client, here))

    assert found == [day.isoformat()] * 6 + [morning.isoformat()]


@pytest.mark.parametrize(("zone", "day"), CHANGES)
def test_every_hour_of_the_night_of_a_change_belongs_to_one_day(
    here: Club, zone: str, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    Clock(here, zone, monkeypatch)
    start = begin_of_day(here.competition, day).astimezone(UTC)

    found = [day_of_play(here.competition, start + timedelta(minutes=10 * step)) for step in range(6 * 50)]

    ends = begin_of_day(here.competition, day + timedelta(days=1)).astimezone(UTC)
    minutes = int((ends - start).total_seconds()) // 60
    morning = day + timedelta(days=1)
    following = day + timedelta(days=2)
    assert minutes in (23 * 60, 25 * 60)
    assert found[: minutes // 10] == [day] * (minutes // 10)
    assert set(found[minutes // 10 :]) <= {morning, following}


def test_a_new_table_of_players_after_midnight_gets_the_date_of_the_evening(here: Club, clock: Clock) -> None:
    Role.objects.filter(user=here.dora).update(player=here.players[0])
    dora, address = signed_in(here.dora), reverse("open_play:new_table", args=[here.slug, here.stage.pk])
    clock.show(NEXT, 0, 20)

    form = dora.get(address).context["form"]
    seats = [name for name in form.fields if name not in ("key", "winds", "date")]
    four = {name: player.pk for name, player in zip(seats, here.players[:4], strict=True)}
    dora.post(address, {"key": uuid.uuid4(), **four, "winds": "order", "date": form["date"].value()})

    assert form["date"].value() == EVENING
    assert Table.objects.get(round__stage=here.stage).round.date == EVENING


def test_an_evening_without_open_tables_ends_at_five(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)

    found = []
    for hour, minute in ((0, 20), (4, 59), (5, 0), (19, 0)):
        clock.show(NEXT, hour, minute)
        found.append(opened(client, here))

    assert found == [EVENING.isoformat()] * 2 + [NEXT.isoformat()] * 2


def test_an_evening_with_open_tables_goes_on_after_five(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    draw_evening(client, here, clock, range(4))

    clock.show(NEXT, 5, 30)

    assert opened(client, here) == EVENING.isoformat()


def test_a_table_forgotten_last_night_does_not_hold_up_the_next_evening(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    draw_evening(client, here, clock, range(4))

    clock.show(NEXT, 19)
    day = opened(client, here)
    page = client.get(reverse("open_play:evening", args=[here.slug, here.stage.pk, day])).content.decode()

    assert day == NEXT.isoformat()
    assert "Tables without a result on other evenings" in page
    assert reverse("open_play:evening", args=[here.slug, here.stage.pk, EVENING.isoformat()]) in page


def test_who_came_in_the_morning_begins_the_next_evening(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    draw_evening(client, here, clock, range(4))
    clock.show(NEXT, 9)

    tick(client, here, NEXT.isoformat(), 5)

    assert opened(client, here) == NEXT.isoformat()


def test_a_club_chooses_the_hour_at_which_its_day_begins(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    update_competition(competition=here.competition, values={"day_begins": 0}, by=here.alice)

    clock.show(NEXT, 0, 20)

    assert opened(client, here) == NEXT.isoformat()


def test_attendance_of_a_tournament_is_of_the_day_of_play(here: Club, clock: Clock) -> None:
    Competition.objects.filter(pk=here.competition.pk).update(kind=Competition.Kind.EVENT)
    here.stage.play = "rounds"
    here.stage.save()
    here.add_players(6)
    made = here.add_round()
    Round.objects.filter(pk=made.pk).update(date=EVENING)
    client = signed_in(here.charlie)

    clock.show(NEXT, 9)

    assert opened(client, here) == NEXT.isoformat()


def test_a_fee_paid_after_midnight_is_paid_on_the_evening(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    clock.show(EVENING, 22)
    tick(client, here, EVENING.isoformat(), 0)
    entrant = Entrant.objects.get(competition=here.competition, player=here.players[0])
    address = reverse("open_play:presence", args=[here.slug, here.stage.pk, EVENING.isoformat()])

    clock.show(NEXT, 0, 20)
    press(client, address, entrant=entrant.pk, act="pay")

    assert Presence.objects.get(stage=here.stage).paid_on == EVENING


def test_a_ban_until_the_evening_holds_until_the_evening_ends(here: Club, clock: Clock) -> None:
    set_ban(
        competition=here.competition,
        player_id=here.players[0].pk,
        since=EVENING,
        until=EVENING,
        reason="Cheating",
        by=here.alice,
    )

    clock.show(NEXT, 0, 20)
    during = set(banned_here(here.competition))
    clock.show(NEXT, 5)
    after = set(banned_here(here.competition))

    assert [during, after] == [{here.players[0].pk}, set()]


def test_the_day_of_the_referees_is_the_day_of_play(here: Club, clock: Clock) -> None:
    night, morning = (datetime(2026, 5, 7, hour, tzinfo=clock.zone) for hour in (4, 5))

    days = [act_at(here.competition, None, "1", hand="", at=at).day for at in (night, morning)]

    assert days == [EVENING, NEXT]


def test_the_calendar_marks_the_evening_as_today(here: Club, clock: Clock) -> None:
    clock.show(NEXT, 0, 20)

    page = signed_in(here.charlie).get(reverse("calendar:calendar", args=[here.slug]))

    assert page.context["today"] == EVENING


def test_an_organizer_chooses_the_hour_on_the_page_of_settings(here: Club) -> None:
    alice, address = signed_in(here.alice), reverse("competitions:settings_event", args=[here.slug])
    form = alice.get(address).context["form"]
    typed = {name: form[name].value() for name in form.fields if form[name].value() is not None}

    alice.post(address, {**typed, "day_begins": "7"})

    here.competition.refresh_from_db()
    entry = last_entry(here.competition)
    assert here.competition.day_begins == 7
    assert (entry.before, entry.after) == ({"day_begins": 5}, {"day_begins": 7})


def test_the_file_carries_the_hour(here: Club) -> None:
    update_competition(competition=here.competition, values={"day_begins": 7}, by=here.alice)
    here.competition.refresh_from_db()

    assert json.loads(competition_json(here.competition))["day_begins"] == 7


def test_this_evening_takes_the_moment_that_it_is_given(here: Club, clock: Clock) -> None:
    at = datetime(2026, 5, 7, 0, 20, tzinfo=clock.zone)

    assert this_evening(here.stage, at) == EVENING


# --- where results are entered


def enter(client: Client, here: Club) -> str:
    return str(client.get(reverse("results:enter", args=[here.slug])).headers.get("Location", ""))


def test_results_of_the_evening_are_entered_on_its_page_after_midnight(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    draw_evening(client, here, clock, range(8))

    found = []
    for hour in (0, 5, 19):
        clock.show(NEXT, hour, 20)
        found.append(enter(client, here))

    page = reverse("open_play:evening", args=[here.slug, here.stage.pk, EVENING.isoformat()])
    assert found == [page] * 3


def test_tables_of_two_evenings_are_called_by_their_evening_and_number(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    for day, first in ((EVENING, 0), (NEXT, 4)):
        draw_evening(client, here, clock, range(first, first + 4), day)

    page = text(client.get(reverse("results:enter", args=[here.slug])))

    assert "Evening of 7 May 2026 no result: table 1 Evening of 6 May 2026 no result: table 1" in page
    assert "Round 1" not in page


def test_the_page_of_one_table_of_an_evening_neither_names_a_round_nor_closes_one(
    here: Club, clock: Clock
) -> None:
    alice = signed_in(here.alice)
    draw_evening(alice, here, clock, range(4))
    table = Table.objects.get(round__stage=here.stage)
    record_result(table=table, points=(45_000, 35_000, 25_000, 15_000), based_on=0, by=here.charlie)

    pages = [
        text(alice.get(reverse(name, args=[here.slug, pk])))
        for name, pk in (("results:enter_round", table.round_id), ("results:table", table.pk))
    ]

    assert all("Evening of 6 May 2026" in page for page in pages)
    assert not any("Close round" in page or "Close without" in page for page in pages)


def test_a_closed_list_names_who_is_not_here(here: Club, clock: Clock) -> None:
    client = signed_in(here.charlie)
    clock.show(EVENING, 22)
    for position in range(7):
        tick(client, here, EVENING.isoformat(), position)

    page = client.get(reverse("open_play:evening", args=[here.slug, here.stage.pk, EVENING.isoformat()]))

    absent = page.content.decode().partition('<details class="absent" >')[2].partition("</summary>")[0]
    assert "Not here: 3" in absent
    assert [player.name in absent for player in here.players] == [False] * 7 + [True] * 3
