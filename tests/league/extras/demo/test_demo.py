"""`manage.py demo`: everything that the four jobs need, made once."""

import re
import uuid
from collections import Counter
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.extras.demo.demo import PASSWORD
from league.extras.registration.queries import entries_of
from league.models import (
    AuditEntry,
    Call,
    Competition,
    Dispute,
    League,
    Penalty,
    Registrant,
    Role,
    Round,
    Seat,
    Sheet,
    Table,
)
from league.organizing.audit_log.queries import verify_chain
from league.play.bans.queries import banned_here
from league.play.calendar.queries.table_times import waiting_tables
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.queries.penalties import check_standings
from players.models import Player
from tests.league.organizing.interchange.files import real
from tests.win_bans import active_bans

pytestmark = pytest.mark.django_db


def demo(*options: str) -> str:
    said = StringIO()
    call_command("demo", *options, stdout=said)
    return said.getvalue()


@pytest.fixture(scope="module", autouse=True)
def said(make_once) -> str:
    """Return the output of the command that makes the demo of every test here."""
    return make_once(demo)()


def state() -> list[object]:
    """Everything that a second run could have touched."""
    return [
        list(Competition.objects.order_by("pk").values_list("slug", "revision")),
        AuditEntry.objects.count(),
        list(User.objects.order_by("pk").values_list("username", "password")),
        Sheet.objects.count(),
        Penalty.objects.count(),
    ]


def test_the_first_run_makes_five_competitions_and_four_accounts_with_roles_in_all_of_them(said):
    slugs = ["demo-cup", "demo-league", "demo-open", "mleague-2018-19", "sample-24"]
    assert sorted(Competition.objects.values_list("slug", flat=True)) == slugs
    for name in ("organizer", "referee", "scorer", "player"):
        assert User.objects.get(username=name).check_password(PASSWORD)
        roles = Role.objects.filter(user__username=name).values_list("competition__slug", "kind")
        assert sorted(roles) == [(slug, name) for slug in slugs]
    assert PASSWORD in said
    assert "/c/demo-league/enter/" in said


def test_a_second_run_changes_nothing_and_says_so():
    before = state()

    said = demo()

    assert state() == before
    assert said.startswith("The demo data exists already. Nothing changed.")


def test_the_real_season_is_complete():
    season = Competition.objects.get(slug="mleague-2018-19")
    table = standings(season.divisions.get().stages.get(), public=True)

    assert (len(table.rows), table.tables) == (21, 106)
    assert sum(line.row.total for line in table.rows) == 0
    assert "u-10bei/mleague-stats" in season.league.name


def test_the_real_season_shows_its_teams_with_the_sum_of_the_published_scores():
    published: dict[str, Fraction] = {}
    for round_ in real("mleague-2018-19.expected.json")["rounds"]:
        for player, score in round_["scores"].items():
            published[player] = published.get(player, Fraction()) + Fraction(str(score))
    teams = real("mleague-2018-19.teams.json")["teams"]
    sums = {team["name"]: sum(published[player] for player in team["players"]) for team in teams}

    page = Client().get(reverse("teams:index", args=["mleague-2018-19"])).content.decode()

    rows = re.findall(
        r'class="sticky name"><a [^>]*>([^<]+)</a>.*?<td class="[^"]* total">([^<]+)<', page, re.S
    )
    said = {name: Fraction(total.replace("−", "-")) for name, total in rows}
    assert said == sums
    assert [name for name, _total in rows] == sorted(sums, key=lambda name: -sums[name])


def test_the_demo_league_waits_for_scores_with_its_first_round_played_and_a_penalty():
    league = Competition.objects.get(slug="demo-league")
    stage = league.divisions.get(name="Division A").stages.get()
    rounds = stage.rounds.order_by("number").values_list("number", "status", "visibility")
    penalty = Penalty.objects.get(competition=league, round__number=1)

    assert list(rounds) == [(1, "closed", "results"), (2, "open", "seating")]
    assert Sheet.objects.filter(table__round__stage=stage).count() == 2
    assert Round.objects.get(stage=stage, number=2).tables.count() == 2
    assert (penalty.infraction, penalty.level, penalty.score) == ("A-II", "2", -20)
    assert sum(line.row.penalty for line in standings(stage, public=True).rows) == -20


def test_the_referees_of_the_demo_league_are_at_work():
    league = Competition.objects.get(slug="demo-league")
    evening = Penalty.objects.filter(competition=league, round__number=2).order_by("pk")
    assert list(evening.values_list("infraction", "level", "status", "win_ban", "hand")) == [
        ("A-X", "3", "in_force", True, "E2.1"),
        ("A-XII", "5, 4, 4", "requested", True, ""),
    ]
    assert [penalty.table.number for penalty in active_bans(league)] == [1, 2]
    assert list(Dispute.objects.values_list("step", "closed_at")) == [("resumed", None)]
    assert Call.objects.get().closed_at is None
    (ban,) = banned_here(league).values()
    assert ban.player.name == "Zoë Lindqvist"
    assert league.entrants.get(player=ban.player).withdrawn_at is not None
    for each in Competition.objects.all():
        assert all(check_standings(each, public=public).fits for public in (True, False))
    assert check_standings(league, public=False).listed < 0


def test_the_second_division_shows_what_the_calendar_knows():
    made_on = timezone.localdate()
    league = Competition.objects.get(slug="demo-league")
    evenings, free = league.divisions.get(name="Division B").stages.order_by("position")
    rounds = Round.objects.filter(stage=evenings).order_by("number").values_list("date", "until", "status")

    def window(start: int) -> tuple[date, date]:
        return made_on + timedelta(days=start), made_on + timedelta(days=start + 13)

    assert list(rounds) == [
        (*window(-14), "closed"),
        (*window(0), "open"),
        (*window(14), "planned"),
        (*window(28), "planned"),
    ]
    tables = Table.objects.filter(round__stage=evenings).order_by("round__number", "number")
    said = [list(table.appointments.order_by("pk").values_list("kind", flat=True)) for table in tables]
    assert said == [[], ["postponed", "made_up"], ["proposed", "agreed"], ["postponed"], ["proposed"], []]
    evening = datetime.combine(made_on + timedelta(days=4), time(19, 30), ZoneInfo("Asia/Hong_Kong"))
    assert tables[2].meets_at == evening
    assert list(waiting_tables(league)) == [tables[3]]
    loose = (
        Round.objects.filter(stage=free)
        .order_by("number")
        .values_list("date", "method", "tables__sheets__version")
    )
    assert list(loose) == [
        (made_on - timedelta(days=5), "random", 1),
        (made_on - timedelta(days=2), "random", 1),
    ]


def test_the_player_of_the_demo_is_the_one_for_whom_a_table_waits():
    player = Client()
    player.force_login(User.objects.get(username="player"))
    table = Table.objects.get(round__stage__name="Evenings as agreed", round__number=3, number=1)
    page = player.get(reverse("results:table", args=["demo-league", table.pk])).content.decode()
    form = re.search(r'name="appointment" value="(\d+)"', page)
    assert form
    assert "I agree" in page

    role = Role.objects.get(user__username="player", competition__slug="demo-league", player__isnull=False)
    answer = {"key": uuid.uuid4(), "appointment": form[1], "player": role.player_id}
    player.post(reverse("calendar:agree", args=["demo-league", table.pk]), answer)

    assert [each.kind for each in table.appointments.order_by("pk")] == ["proposed", "agreed"]


@pytest.mark.slow
def test_the_cup_shows_marks_and_what_each_player_of_the_last_table_needs():
    cup = Competition.objects.get(slug="demo-cup")
    page = Client().get(reverse("standings:competition", args=[cup.slug]), follow=True).content.decode()
    for words in ("through", "out", "proven"):
        assert words in page
    own = Role.objects.get(user__username="player", competition=cup).player
    entrant = cup.entrants.get(player=own)
    needs = reverse("needs:player", args=[cup.slug, entrant.pk])
    shown = Client().get(reverse("standings:player", args=[cup.slug, entrant.pk])).content.decode()
    assert needs in shown
    card = Client().get(needs).content.decode()
    assert "1st place, not shared · 34,800 points or more" in card
    table = Table.objects.get(round__stage__division__competition=cup, sheets=None)
    assert Client().get(reverse("needs:table", args=[cup.slug, table.pk])).content.decode().count("<h2") == 4


def test_the_open_takes_registrations_and_has_one_person_on_the_waiting_list():
    [registration] = Competition.objects.get(slug="demo-open").registrations.all()
    states = [entry.state for entry in entries_of(registration)]
    state = Registrant.State
    assert Counter(states) == {state.ACCEPTED: 8, state.WAITING: 1}
    assert registration.competition.entrants.count() == 8
    assert Player.objects.filter(register=registration.competition.league.register).count() == 17
    assert mail.outbox == []
    page = Client().get(reverse("registration:form", args=["demo-open", registration.division]))
    assert page.status_code == 200


@pytest.mark.slow
def test_the_demo_is_the_same_on_the_same_day():
    def seats() -> list[tuple[object, ...]]:
        found = Seat.objects.filter(round__stage__division__competition__slug="demo-league")
        fields = ("round__stage__name", "round__number", "table__number", "wind", "player__name")
        return list(found.order_by(*fields).values_list(*fields))

    first = seats()
    Competition.objects.filter(slug="demo-league").update(slug="demo-league-before")
    League.objects.filter(slug="demo-club").update(slug="demo-club-before")
    demo()

    assert len(first) == 48
    assert seats() == first


def test_the_audit_logs_of_the_demo_are_whole():
    reports = [verify_chain(competition) for competition in Competition.objects.all()]

    assert [report.broken_at for report in reports] == [None] * 5
    assert all(report.entries for report in reports)


def test_changes_made_since_are_left_alone():
    Competition.objects.filter(slug="sample-24").update(name="Renamed")
    organizer = User.objects.get(username="organizer")
    organizer.set_password("my-own-secret-1")
    organizer.save()

    demo()

    assert Competition.objects.get(slug="sample-24").name == "Renamed"
    assert User.objects.get(username="organizer").check_password("my-own-secret-1")
