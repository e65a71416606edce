"""A team season in Chromium, with the players of M.League: teams seated, a captain's line-up on a phone
before the deadline, players seated from it, the result, the standings of teams, a team's penalty, the cut.
"""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from league.models import Competition, Role, Round, Seat, Stage, Team
from league.play.rounds.services import create_round
from league.ranking.teams.queries import compute_team_standings
from league.ranking.teams.services import name_players
from scoring.presets import resolve
from scoring.settlement import settle
from scoring.teams import carried_half
from tests.browser.kit import SCREEN, expect, fill, is_wide, press, totals
from tests.factories import user
from tests.league.organizing.interchange.files import loaded, real

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 12  # of the real season are played before
POINTS = (41_300, 28_800, 17_600, 12_300)  # of the hanchan that is played here, east first
WINDS = ("east", "south", "west", "north")


@pytest.fixture
def season() -> Competition:
    """The first rounds of the season, closed and published; no one is in a team yet."""
    file = real("mleague-2018-19.json")
    stage = file["divisions"][0]["stages"][0]
    stage["rounds"] = stage["rounds"][:ROUNDS]
    competition = loaded(file)
    competition.counting = Competition.Counting.ENTERED
    competition.team_play = Competition.TeamPlay.LINE_UPS
    competition.least_hanchan, competition.most_hanchan = 1, 40
    competition.save()
    Role.objects.create(competition=competition, user=user("alice"), kind=Role.Kind.ORGANIZER)
    return competition


def pasted(competition: Competition) -> str:
    """The teams as an organizer would paste them: team, player."""
    names = dict(competition.entrants.values_list("key", "player__name"))
    teams = real("mleague-2018-19.teams.json")["teams"]
    return "\n".join(f"{team['name']}, {names[player]}" for team in teams for player in team["players"])


def reckoned(competition: Competition, stage: str = "regular") -> dict[str, int]:
    found = Stage.objects.select_related("division__rule_set", "division__competition").get(
        division__competition=competition, slug=stage
    )
    rows = compute_team_standings(found, public=True).rows
    return {line.team.name: int(line.row.total) for line in rows}


def as_text(totals_: dict[str, int]) -> dict[str, str]:
    sign = {True: "+", False: "−"}
    return {
        name: f"{sign[total > 0] if total else ''}{abs(total) // 10:,}.{abs(total) % 10}"
        for name, total in totals_.items()
    }


def captain(competition: Competition, team: str) -> User:
    made = user("captain")
    Role.objects.create(
        competition=competition,
        user=made,
        kind=Role.Kind.CAPTAIN,
        team=Team.objects.get(competition=competition, name=team),
    )
    return made


def others_name(competition: Competition, round_: Round, but: str) -> None:
    for team in Team.objects.filter(seats__round=round_).exclude(name=but).select_related("competition"):
        first = team.members.order_by("pk").first()
        name_players(team=team, round_=round_, players=[first.player_id], organizes=True, by=user("alice"))


def test_a_season_of_teams_from_the_line_up_to_the_cut(season, open_page, sign_in):
    organizer, phone = open_page(), open_page(viewport=SCREEN)
    sign_in(organizer, user("alice"))

    # The organizer pastes the teams: what was played before counts for them.
    organizer.goto(reverse("teams:paste", args=[season.slug]))
    fill(organizer, teams=pasted(season))
    press(organizer, "teams:paste")
    before = reckoned(season)
    assert len(before) == 7
    organizer.goto(reverse("teams:index", args=[season.slug]))
    assert totals(organizer) == as_text(before)

    # Four teams are proposed for the next round and seated; captains have until tomorrow.
    stage = Stage.objects.select_related("division__competition").get(division__competition=season)
    round_ = create_round(stage=stage, by=user("alice"))
    organizer.goto(reverse("teams:round", args=[season.slug, round_.pk]))
    press(organizer, "teams:round", method="get")
    press(organizer, "teams:round", method="post")
    assert round_.team_seats.count() == 4
    fill(organizer, until=(timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M"))
    press(organizer, "teams:deadline")

    # A captain names a player on a phone.
    team = Team.objects.filter(seats__round=round_).order_by("seats__wind").first()
    sign_in(phone, captain(season, team.name))
    phone.goto(reverse("standings:competition", args=[season.slug]))
    phone.locator(f"a[href='{reverse('teams:line_ups', args=[season.slug])}']").first.click()
    assert not is_wide(phone)
    press(phone, "teams:line_up")
    assert not is_wide(phone)
    second = team.members.order_by("pk")[1].player
    phone.locator("main select").select_option(str(second.pk))
    press(phone, "teams:line_up")

    # The others follow; the organizer seats from the line-ups and opens the round.
    others_name(season, round_, team.name)
    organizer.goto(reverse("teams:round", args=[season.slug, round_.pk]))
    assert not is_wide(organizer)
    press(organizer, "teams:seat_line_ups")
    assert Seat.objects.filter(round=round_, player=second).exists()
    Round.objects.filter(pk=round_.pk).update(status="open", visibility="results")

    # The result is entered, and the standings of the teams follow.
    organizer.goto(reverse("results:enter_round", args=[season.slug, round_.pk]) + "?table=1")
    for wind, points in zip(WINDS, POINTS, strict=True):
        organizer.locator(f"#t1-{wind}").fill(str(points // 100))
    organizer.locator("#t1-north").press("Enter")
    expect(organizer.locator("#t1-east")).to_be_hidden()
    seats = settle(POINTS, resolve("mleague"))
    expected = dict(before)
    for seat, each in zip(round_.team_seats.order_by("wind").select_related("team"), seats, strict=True):
        expected[seat.team.name] += int(each.score)
    phone.goto(reverse("teams:index", args=[season.slug]))
    assert totals(phone) == as_text(expected)
    assert not is_wide(phone)

    # The team loses 20 for a line-up that came late.
    organizer.goto(reverse("teams:penalty_new", args=[season.slug, team.pk]))
    fill(organizer, score=20, reason="the line-up came late")
    press(organizer, "teams:penalty_new")
    expected[team.name] -= 200
    phone.reload()
    assert totals(phone) == as_text(expected)

    # The best four go on to a final with half of their points.
    Round.objects.filter(pk=round_.pk).update(status="closed")
    organizer.goto(reverse("stages:team_cut", args=[season.slug, "main"]))
    fill(organizer, name="Final")
    press(organizer, "stages:team_cut")
    press(organizer, "stages:team_cut", method="post")
    best = sorted(expected, key=lambda name: -expected[name])[:4]
    organizer.goto(reverse("teams:standings", args=[season.slug, "main", "final"]))
    assert totals(organizer) == as_text({name: carried_half(expected[name]) for name in best})
