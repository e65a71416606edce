"""The pages of teams: read by everyone, filled by organizers, named by captains and hidden from others."""

import csv
import io
import json
import re
import uuid
from datetime import date

import openpyxl
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import (
    Adjustment,
    Competition,
    Entrant,
    Invitation,
    LineUp,
    Role,
    Round,
    Seat,
    Team,
    TeamPenalty,
    TeamSeat,
)
from league.play.calendar.services.calendar import Day, plan_matchdays
from league.play.results.services import record_result
from league.play.rounds.services import open_round, set_visibility
from league.ranking.teams.services import add_team, assign, log_team_penalty, seat_from_line_ups, set_deadline
from players.models import Player
from scoring.settlement import Four
from tests.factories import Club, signed_in, user
from tests.module_fixtures import module_fixture
from tests.pages.forms import forms_of
from tests.shown import fields_to, html, said, text
from tests.teams import (
    NAMES,
    POINTS,
    equal_pairs,
    fresh,
    name_all,
    named,
    play_to_the_end,
    team_club,
    team_of,
    team_round,
)

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return team_club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


@pytest.fixture
def dora(here) -> Client:
    """The captain of the Reds."""
    return signed_in(here.dora)


def address(here: Club, name: str, *arguments: object) -> str:
    return reverse(name, args=[here.slug, *arguments])


def sent(client: Client, where: str, **fields: object):
    return client.post(where, {"key": str(uuid.uuid4()), **fields}, follow=True)


def played(here: Club, round_: Round, *, visibility: str = "results", points: Four = POINTS) -> Round:
    name_all(here, round_)
    seat_from_line_ups(round_=round_, by=here.alice)
    open_round(round_=fresh(round_), by=here.alice)
    record_result(table=here.table(round_.number), points=points, based_on=0, by=here.charlie)
    return set_visibility(round_=fresh(round_), visibility=visibility, by=here.alice)


# --- read by everyone


def test_everyone_reads_the_standings_of_teams_and_who_scored_them(here):
    played(here, team_round(here))

    page = text(Client().get(address(here, "teams:index")))

    assert re.search(r"1 Reds \+60\.0 1 1\.00.*2 Blues \+5\.0.*3 Greens −20\.0.*4 Greys −45\.0", page)
    assert re.search(r"Reds \+60\.0 陳大文 1 \+60\.0 Dora 0 0\.0", page)
    assert re.search(r"Individual score 陳大文 \+60\.0 Highest points 陳大文 40,000", page)


def test_the_public_reads_nothing_of_a_hidden_round(here, alice):
    played(here, team_round(here), visibility="hidden")

    for name, arguments in (("teams:index", ()), ("teams:team", (team_of(here, "Reds").pk,))):
        assert "+60.0" not in text(Client().get(address(here, name, *arguments)))
        assert "+60.0" in text(alice.get(address(here, name, *arguments)))
        assert "+60.0" not in text(alice.get(address(here, name, *arguments) + "?view=public"))


@pytest.fixture
def carried(here) -> Adjustment:
    """Points of two games that the first of the Reds carried in."""
    facts = {"kind": "carried_in", "score": 123, "games": 2, "reason": "2025", "created_by": here.alice}
    facts |= {"stage": here.stage, "created_at": timezone.now()}
    return Adjustment.objects.create(player=here.players[0], **facts)


def test_points_carried_in_have_a_column_of_their_own(here, carried):
    page = text(Client().get(address(here, "teams:standings", here.division.slug, here.stage.slug)))

    assert "Carried in † " in page
    assert "Not played" not in page
    assert "† Carried in from a list without tables." in page


def test_the_team_of_carried_points_has_them_with_their_games(here, carried):
    page = text(Client().get(address(here, "teams:team", team_of(here, "Reds").pk)))
    others = text(Client().get(address(here, "teams:team", team_of(here, "Blues").pk)))

    assert "Games 2 Carried in +12.3" in page
    assert "Carried in" not in others


def test_team_files_have_carried_points_at_their_end(here, carried):
    page = Client().get(address(here, "interchange:teams", here.division.slug, here.stage.slug, "csv"))

    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(page.content.decode("utf-8-sig")))}
    assert (rows["Reds"]["brought"], rows["Reds"]["brought_games"]) == ("12.3", "2")
    assert rows["Reds"]["adjusted"] == "0.0"
    assert rows["Blues"]["brought"] == "0.0"


def test_a_competition_without_teams_says_what_comes(here, alice):
    here.competition.entrants.update(team=None)
    Role.objects.filter(team__isnull=False).delete()
    Team.objects.all().delete()

    assert "Teams appear here" in text(Client().get(address(here, "teams:index")))
    assert "Create teams" in text(alice.get(address(here, "teams:index")))


def test_only_a_competition_of_teams_has_them_in_its_menu(here):
    link = f'href="{address(here, "teams:index")}"'.encode()
    assert link in Client().get(address(here, "standings:players")).content
    here.competition.team_play = "none"
    here.competition.save()
    here.competition.refresh_from_db()
    assert link not in Client().get(address(here, "standings:players") + "?sort=player").content


def test_a_teams_page_says_what_its_players_miss_and_how_far_they_may_go(here):
    here.competition.least_hanchan, here.competition.most_hanchan = 2, 2
    here.competition.save()
    played(here, team_round(here))

    page = text(Client().get(address(here, "teams:team", team_of(here, "Reds").pk)))

    assert re.search(r"陳大文 1 game missing \+60\.0 1", page)
    assert re.search(r"Dora 2 games missing", page)
    assert "plays 2 to 2 games of the first stage" in page


def test_a_round_says_for_which_team_each_player_plays(here):
    round_ = played(here, team_round(here))
    assign(competition=here.competition, teams={here.players[0].pk: team_of(here, "Blues").pk}, by=here.alice)

    page = text(Client().get(address(here, "rounds:round", round_.pk)))

    assert re.search(r"陳大文 Reds .*李小明 Blues .*王美麗 Greens .*張志強 Greys", page)


def test_a_note_distinguishes_equal_teams(here):
    # Reds and Blues change places in the second hanchan: first without a tie-break that distinguishes them.
    played(here, team_round(here))
    second = team_round(here, ("Blues", "Reds", "Greys", "Greens"))
    played(here, second)
    here.competition.tie_breaks = ["best_points"]
    here.competition.save()

    page = text(Client().get(address(here, "teams:index")))

    assert re.search(r"=1 Reds \+65\.0.*=1 Blues \+65\.0", page)
    sheet = here.table(2).sheets.get(is_current=True)
    sheet.east, sheet.north = sheet.east + 5_000, sheet.north - 5_000
    sheet.save()
    log_team_penalty(team=team_of(here, "Blues"), stage=here.stage, score=-50, reason="late", by=here.alice)
    page = text(Client().get(address(here, "teams:index")))
    assert re.search(r"1 Blues \+65\.0 \+70\.0 −5\.0 2.*2 Reds \+65\.0 \*", page)
    assert "* Total equal to the rank above. Tie-break: Best raw points." in page


def test_a_team_of_another_competition_is_not_found(here):
    there = team_club("autumn")
    assert Client().get(address(here, "teams:team", team_of(there, "Reds").pk)).status_code == 404


@pytest.mark.parametrize("fmt", ["csv", "json", "xlsx"])
def test_team_standings_are_offered_as_files(here, fmt):
    played(here, team_round(here))

    where = address(here, "interchange:teams", here.division.slug, here.stage.slug, fmt)
    content = Client().get(where).content

    if fmt == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(content))
        assert book.sheetnames == ["Teams", "Team members"]
        assert [row[2] for row in book["Teams"].values][1:] == list(NAMES)
    elif fmt == "csv":
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        assert [(row["name"], row["total"]) for row in rows][:2] == [("Reds", "60.0"), ("Blues", "5.0")]
    else:
        assert b'"name": "Reds",\n   "games": 1,\n   "score": "60.0"' in content


def test_exact_thirds_stand_beside_the_totals_of_teams():
    exact = team_club("autumn", overrides={"tie_rule": "split", "split_remainder": "exact"})
    round_ = team_round(exact)
    played(exact, round_, points=(30_000, 30_000, 30_000, 10_000))
    where = [
        address(exact, "interchange:teams", exact.division.slug, exact.stage.slug, fmt)
        for fmt in ("csv", "json")
    ]
    table, rows = (Client().get(each).content.decode("utf-8-sig") for each in where)

    totals = [row["total_exact"] for row in csv.DictReader(io.StringIO(table))]
    assert totals == [row["total_exact"] or "" for row in json.loads(rows)["rows"]]
    assert totals == ["16 2/3"] * 3 + [""]


def test_no_file_of_another_kind(here):
    where = address(here, "interchange:teams", here.division.slug, here.stage.slug, "exe")
    assert Client().get(where).status_code == 404


def test_the_list_of_teams_asks_as_much_for_one_as_for_many(here, alice):
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            alice.get(address(here, "teams:manage"))
        return len(asked)

    with_four = queries()
    for name in ("Whites", "Blacks", "Golds"):
        add_team(competition=here.competition, name=name, by=here.alice)

    assert queries() == with_four


# --- made and filled by the organizer


def test_the_organizer_makes_a_team(here, alice):
    answer = sent(alice, address(here, "teams:manage"), name="Whites")

    assert said(answer) == ["Whites created."]
    assert "Another team already has this name" in text(
        sent(alice, address(here, "teams:manage"), name="whites")
    )


def test_the_organizer_pastes_teams_and_players(here, alice):
    answer = sent(alice, address(here, "teams:paste"), teams="Whites, 陳大文\nwhites\tp2\n\nBlues，Dora")

    assert said(answer) == ["3 players assigned to teams."]
    members = here.competition.entrants.filter(team__name="Whites").values_list("key", flat=True)
    assert list(members) == ["p1", "p2"]


def test_every_bad_line_is_named_and_nothing_is_saved(here, alice):
    answer = sent(
        alice, address(here, "teams:paste"), teams="Whites, 陳大文\nBlacks\nReds, Visitor\nReds, p1"
    )

    page = text(answer)
    assert answer.status_code == 422
    for sentence in (
        "Line 2: Enter the team",
        "Line 3: “Visitor” is not entered",
        "Line 4: This player is listed",
    ):
        assert sentence in page
    assert not Team.objects.filter(name="Whites").exists()


def test_the_organizer_renames_a_team_and_moves_players(here, alice):
    where = address(here, "teams:edit", team_of(here, "Reds").pk)
    assert "李小明 (now in Blues)" in text(alice.get(where))
    players = [here.players[0].pk, here.players[1].pk]

    answer = sent(alice, where, name="Scarlets", players=players, earlier="stays")

    assert said(answer) == ["Scarlets saved."]
    assert list(here.competition.entrants.filter(team__name="Scarlets").values_list("key", flat=True)) == [
        "p1",
        "p2",
    ]


def test_an_empty_team_is_taken_out(here, alice):
    team = add_team(competition=here.competition, name="Whites", by=here.alice)
    assert "Remove this team" in text(alice.get(address(here, "teams:edit", team.pk)))

    assert said(sent(alice, address(here, "teams:remove", team.pk))) == ["Whites removed."]


def test_a_captain_is_invited_for_a_team(here, alice):
    where = address(here, "people:invitation_new")
    assert "Choose the captain’s team" in text(sent(alice, where, kind="captain"))

    sent(alice, where, kind="captain", team=team_of(here, "Blues").pk, note="for Eve")
    invitation = Invitation.objects.get(kind="captain")
    eve = signed_in(user("eve"))
    sent(eve, reverse("people:invitation", args=[invitation.token]))

    assert Role.objects.get(user__username="eve").team == team_of(here, "Blues")
    assert "team captain: Blues" in text(alice.get(address(here, "people:index")))


def test_all_captains_are_invited_at_once_and_begin_with_the_line_up_that_is_missing(here, alice):
    team_round(here)
    where = address(here, "people:captains")
    assert signed_in(user("mallory")).post(where).status_code == 403

    once = said(sent(alice, where))
    again = said(sent(alice, where))

    assert once == ["3 links created. Copy them from the list of invitations."]  # the Reds have Dora
    assert again == ["Every team has a captain or an open invitation."]
    invitation = Invitation.objects.get(team__name="Blues")
    assert f"Blues: http://testserver/invitations/{invitation.token}/" in html(
        alice.get(address(here, "people:index"))
    )
    eve = signed_in(user("eve"))
    link = reverse("people:invitation", args=[invitation.token])
    assert "invites you as the captain of Blues" in text(eve.get(link))
    accepted = eve.post(link, {"key": str(uuid.uuid4())})
    assert accepted.url == address(here, "teams:line_ups")
    assert said(eve.get(accepted.url)) == ["Welcome: you are the captain of Blues."]
    assert "round 1: your line-up is missing" in text(eve.get("/"))


def test_no_captains_are_invited_if_teams_sum_the_scores_of_their_players(here, alice):
    assert "Invite all captains" in text(alice.get(address(here, "people:index")))
    Competition.objects.update(team_play=Competition.TeamPlay.SUM)
    assert "Invite all captains" not in text(alice.get(address(here, "people:index")))


def test_the_settings_say_how_teams_play(here, alice):
    where = address(here, "competitions:settings_teams")
    page = alice.get(where)
    fields = {field.html_name: field.value() for field in page.context["form"]}
    fields = {name: value for name, value in fields.items() if value not in (None, False)}

    bad = sent(alice, where, **fields | {"least_hanchan": 10, "most_hanchan": 5})
    sent(alice, where, **fields | {"least_hanchan": 10, "most_hanchan": 45})

    assert "The maximum must not be lower than the minimum" in text(bad)
    here.competition.refresh_from_db()
    assert (here.competition.least_hanchan, here.competition.most_hanchan) == (10, 45)


# --- a round


def test_a_new_round_of_line_ups_leads_to_its_teams(here, alice):
    where = address(here, "rounds:new", here.stage.pk)
    page = alice.get(where)
    fields = {field.html_name: field.value() for field in page.context["form"]}
    assert fields["how"] == "teams"

    answer = sent(alice, where, number=fields["number"], date="", how="teams")

    made = Round.objects.get()
    assert answer.redirect_chain[-1][0] == address(here, "teams:round", made.pk)
    assert (
        address(here, "teams:round", made.pk).encode()
        in alice.get(address(here, "competitions:manage")).content
    )
    here.competition.team_play = "sum"
    here.competition.save()
    assert sent(alice, where, number=2, date="", how="teams").status_code == 422


def test_the_organizer_seats_proposed_teams(here, alice):
    round_ = team_round(here)
    TeamSeat.objects.all().delete()
    where = address(here, "teams:round", round_.pk)

    form = alice.get(f"{where}?tables=1&draw=7").context["form"]
    fields = {field.html_name: field.value() for field in form if field.html_name != "key"}
    answer = sent(alice, where, **fields)

    assert said(answer) == ["Teams seated. Captains can now choose their line-ups."]
    assert {fields[f"t1_{wind}"] for wind in range(4)} == set(
        TeamSeat.objects.filter(round=round_).values_list("team", flat=True)
    )
    assert "4 teams have no line-up yet." in text(answer)


@pytest.mark.parametrize(("language", "label"), [("ja", "卓数"), ("zh-hant", "桌數"), ("zh-hans", "桌数")])
def test_the_number_of_tables_is_labelled_as_a_number_in_every_language(here, alice, language, label):
    alice.cookies["django_language"] = language

    page = alice.get(address(here, "teams:round", team_round(here).pk))

    assert f'<label for="tables">{label}</label>' in page.content.decode()


def of_season(here, teams: int) -> Round:
    """A planned round of a stage with so many teams of one player each."""
    competition = here.competition
    for number in range(competition.teams.count() + 1, teams + 1):
        add_team(competition=competition, name=f"Team {number}", by=here.alice)
    players = competition.entrants.order_by("pk")
    for entrant, team in zip(players, competition.teams.order_by("pk"), strict=False):
        competition.entrants.filter(pk=entrant.pk).update(team=team)
    (round_,) = plan_matchdays(stage=here.stage, days=[Day(date(2026, 11, 1))], hanchan=1, by=here.alice)
    return round_


@pytest.mark.parametrize(
    ("teams", "words"),
    [
        (8, ["2 tables: every team plays", "1 table: 4 teams play, 4 sit out in turn"]),
        (9, ["2 tables: 8 teams play, 1 sits out in turn", "1 table: 4 teams play, 5 sit out in turn"]),
    ],
)
def test_as_many_tables_as_the_teams_fill_are_proposed_and_explained(here, alice, teams, words):
    of_season(here, teams)
    page = alice.get(address(here, "teams:season", here.stage.pk))
    form = page.context["form"]
    assert form["tables"].value() == 2
    assert [str(label) for _value, label in form.fields["tables"].choices] == words
    assert f"{teams} teams. {words[0]}. One player from each of four teams sits at a table." in text(page)
    at_round = alice.get(address(here, "teams:round", here.stage.rounds.last().pk))
    assert [label for _count, label in at_round.context["table_counts"]] == words


def test_a_seated_season_is_undone_from_its_message_with_its_deadlines(here, alice):
    round_, where = of_season(here, 8), address(here, "teams:season", here.stage.pk)
    done = sent(alice, where, tables=2, days_before=2, at="20:00")
    assert TeamSeat.objects.filter(round=round_).count() == 8
    undo = address(here, "teams:unseat", here.stage.pk)
    form = fields_to(done, undo)
    assert (form["rounds"], form["deadlines"]) == (str(round_.pk), "on")

    for _ in range(2):
        assert said(alice.post(undo, form, follow=True)) == ["Teams removed from 1 round."]
    round_.refresh_from_db()
    assert (TeamSeat.objects.filter(round=round_).count(), round_.line_ups_until) == (0, None)
    nothing = ["These rounds have no teams, or captains have chosen line-ups."]
    assert said(sent(alice, undo, rounds=round_.pk)) == nothing
    assert said(sent(alice, undo, rounds="x")) == ["This form was incomplete. Reload the page and try again."]


def test_teams_are_taken_out_of_rounds_without_line_ups_alone(here, alice, dora):
    named, undo = team_round(here), address(here, "teams:unseat", here.stage.pk)
    name_all(here, named)
    round_ = of_season(here, 8)
    sent(alice, address(here, "teams:season", here.stage.pk), tables=2)
    page = alice.get(address(here, "teams:season", here.stage.pk))
    assert page.context["seated"] == [round_]
    assert "1 planned round has teams, but no line-up yet." in text(page)
    assert said(sent(alice, undo, rounds=f"{named.pk},{round_.pk}")) == ["Teams removed from 1 round."]
    assert TeamSeat.objects.filter(round=named).exists()
    assert (dora.post(undo).status_code, alice.get(undo).status_code) == (403, 405)


def test_an_empty_form_seats_no_team_and_says_so(here, alice):
    round_ = team_round(here)
    where = address(here, "teams:round", round_.pk)

    assert said(sent(alice, where)) == ["This round no longer has teams at its tables."]
    assert not TeamSeat.objects.filter(round=round_).exists()

    again = sent(alice, where)
    assert again.status_code == 422
    assert "Choose four teams for at least one table." in text(again)


def test_half_a_table_of_teams_is_refused(here, alice):
    round_ = team_round(here)
    where = address(here, "teams:round", round_.pk)
    answer = sent(alice, where, t1_0=team_of(here, "Reds").pk, t1_1="", t1_2="", t1_3="")
    assert answer.status_code == 422
    assert "A table needs four teams" in text(answer)


def test_the_deadline_is_on_the_clock_of_the_competition(here, alice):
    round_ = team_round(here)

    sent(alice, address(here, "teams:deadline", round_.pk), until="2026-11-20T18:00")

    assert fresh(round_).line_ups_until.isoformat() == "2026-11-20T10:00:00+00:00"
    page = alice.get(address(here, "teams:round", round_.pk)).content.decode()
    assert 'value="2026-11-20T18:00"' in page
    assert sent(alice, address(here, "teams:deadline", round_.pk), until="soon").status_code == 422


def test_teams_are_seated_and_the_deadline_stays_on_the_page_that_refused_a_deadline(here, alice):
    round_ = team_round(here)
    TeamSeat.objects.all().delete()
    where = address(here, "teams:deadline", round_.pk)
    set_deadline(round_=round_, until=here.competition.created_at, by=here.alice)
    refused = sent(alice, where, until="soon")
    assert refused.status_code == 422

    proposing, seating = (
        form for form in forms_of(refused.content.decode(), where) if form.page == "teams:round"
    )
    teams = dict(zip([f"t1_{wind}" for wind in range(4)], here.competition.teams.all()[:4], strict=True))
    sent(alice, seating.action, **{name: team.pk for name, team in teams.items()})

    assert alice.get(proposing.action).status_code == 200
    assert TeamSeat.objects.filter(round=round_).count() == 4
    assert fresh(round_).line_ups_until == here.competition.created_at


def test_players_are_seated_from_the_line_ups(here, alice):
    round_ = team_round(here)
    where = address(here, "teams:seat_line_ups", round_.pk)
    name_all(here, round_, but=("Blues", "Greys"))
    assert said(sent(alice, where)) == ["Line-ups still missing: Blues, Greys."]
    assert not Seat.objects.exists()
    name_all(here, round_, but=("Reds", "Greens"))

    answer = sent(alice, where)

    assert said(answer) == ["Players seated according to the line-ups."]
    assert [seat.player for seat in Seat.objects.filter(round=round_)] == here.players[:4]
    assert "The seats match the line-ups." in text(answer)


# --- captains


def test_a_captain_names_a_player_of_a_hidden_round(here, dora):
    round_ = team_round(here)
    assert "no line-up yet" in text(dora.get(address(here, "teams:line_ups")))
    where = address(here, "teams:line_up", round_.pk, team_of(here, "Reds").pk)
    assert "Line-up for round 1" in text(dora.get(where))

    answer = sent(dora, where, player_1=here.players[4].pk)

    assert said(answer) == ["Line-up saved."]
    assert LineUp.objects.get().player == here.players[4]


def test_a_captains_list_asks_as_much_for_one_round_as_for_three(here, dora):
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            dora.get(address(here, "teams:line_ups"))
        return len(asked)

    team_round(here)
    with_one = queries()
    for _ in range(2):
        team_round(here)

    assert queries() == with_one


def test_the_audit_log_names_teams_and_players(here, alice):
    named(here, "Reds", team_round(here), 5)

    page = text(alice.get(address(here, "audit_log:index")))

    assert re.search(r"saved a team’s line-up Reds round: round 1 players: – → Dora", page)
    assert "teams: – → Reds, Blues, Greens, Greys" in page


@pytest.mark.parametrize("who", ["visitor", "stranger", "bob", "charlie", "other captain"])
def test_no_one_else_sees_or_names_a_line_up(here, who):
    round_ = team_round(here)
    named(here, "Reds", round_, 5)
    blues = user("eve")
    Role.objects.create(
        competition=here.competition, user=blues, kind=Role.Kind.CAPTAIN, team=team_of(here, "Blues")
    )
    people = {"bob": here.bob, "charlie": here.charlie, "stranger": user("mallory"), "other captain": blues}
    client = signed_in(people[who]) if who in people else Client()
    where = address(here, "teams:line_up", round_.pk, team_of(here, "Reds").pk)

    for answer in (client.get(where), client.post(where, {"player_1": here.players[0].pk})):
        assert answer.status_code in {302, 403}
        assert not (answer.status_code == 302 and not answer.url.startswith(reverse("login")))
    page = client.get(address(here, "teams:team", team_of(here, "Reds").pk)).content
    assert b"<summary>Line-ups</summary>" not in page
    assert LineUp.objects.get().player == here.players[4]


def test_a_captain_reaches_no_round_without_the_team(here, dora):
    whites = add_team(competition=here.competition, name="Whites", by=here.alice)
    Role.objects.filter(user=here.dora, kind="captain").update(team=whites)
    round_ = team_round(here)

    assert dora.get(address(here, "teams:line_up", round_.pk, whites.pk)).status_code == 404
    assert "No line-ups needed yet" in text(dora.get(address(here, "teams:line_ups")))


def test_after_the_deadline_the_captain_reads_and_the_organizer_names_with_a_reason(here, alice, dora):
    round_ = team_round(here)
    named(here, "Reds", round_, 5)
    set_deadline(round_=round_, until=here.competition.created_at, by=here.alice)
    where = address(here, "teams:line_up", round_.pk, team_of(here, "Reds").pk)

    page = text(dora.get(where))
    assert "It is too late to change the line-up" in page
    assert "Table 1 Dora" in page
    assert "It is too late" in text(sent(dora, where, player_1=here.players[0].pk))
    assert sent(alice, where, player_1=here.players[0].pk).status_code == 422
    sent(alice, where, player_1=here.players[0].pk, reason="phoned in time")

    assert LineUp.objects.get().player == here.players[0]


def test_a_user_who_is_not_a_captain_has_no_line_ups(here, alice):
    assert signed_in(here.bob).get(address(here, "teams:line_ups")).status_code == 403
    assert "You are not the captain of a team" in text(alice.get(address(here, "teams:line_ups")))


# --- penalties


def test_a_line_up_tells_two_members_of_one_name_apart(here, alice):
    Entrant.objects.filter(competition=here.competition, player=here.players[4]).update(key="r5")
    Player.objects.filter(pk__in=[here.players[0].pk, here.players[4].pk]).update(name="Anna Berg")
    round_ = team_round(here, NAMES)

    shown = text(alice.get(address(here, "teams:line_up", round_.pk, team_of(here, "Reds").pk)))

    assert "Anna Berg (p1) (games: 0" in shown
    assert "Anna Berg (r5) (games: 0" in shown


def test_a_penalty_of_a_team_is_logged_shown_and_revoked(here, alice):
    played(here, team_round(here))
    reds = team_of(here, "Reds")

    sent(
        alice,
        address(here, "teams:penalty_new", reds.pk),
        stage=here.stage.pk,
        score="20",
        reason="no line-up",
    )
    page = text(Client().get(address(here, "teams:team", reds.pk)))
    assert re.search(r"Team penalties −20\.0", page)
    assert "no line-up" in page
    assert "Reds +40.0" in text(Client().get(address(here, "teams:index")))

    penalty = TeamPenalty.objects.get()
    assert sent(alice, address(here, "teams:penalty_revoke", penalty.pk), reason="").status_code == 422
    sent(alice, address(here, "teams:penalty_revoke", penalty.pk), reason="the network was down")
    assert "Revoked: the network was down" in text(Client().get(address(here, "teams:team", reds.pk)))
    assert "Revoked on" in text(alice.get(address(here, "teams:penalty_revoke", penalty.pk)))


def test_a_chief_referee_punishes_a_team_and_a_referee_does_not(here):
    where = address(here, "teams:penalty_new", team_of(here, "Reds").pk)
    assert signed_in(here.bob).get(where).status_code == 403
    Role.objects.filter(user=here.bob).update(kind=Role.Kind.CHIEF)
    assert signed_in(here.bob).get(where).status_code == 200


@pytest.mark.parametrize("score", ["", "0", "much"])
def test_a_penalty_of_nothing_is_refused(here, alice, score):
    where = address(here, "teams:penalty_new", team_of(here, "Reds").pk)
    assert sent(alice, where, stage=here.stage.pk, score=score, reason="x").status_code == 422


def test_where_only_scores_are_shown_the_reason_of_a_penalty_is_not(here):
    here.competition.penalties_shown = "scores"
    here.competition.save()
    played(here, team_round(here))
    log_team_penalty(
        team=team_of(here, "Reds"), stage=here.stage, score=-200, reason="no line-up", by=here.alice
    )

    page = text(Client().get(address(here, "teams:team", team_of(here, "Reds").pk)))

    assert "no line-up" not in page
    assert "+40.0" in page


# --- who wins


@pytest.mark.slow
def test_a_finished_league_of_teams_crowns_teams(db):
    made = equal_pairs("crowned")
    play_to_the_end(made)
    alice, visitor = signed_in(made.alice), Client()
    finish = address(made, "competitions:finish")
    assert "teams/" in alice.get(finish).content.decode().split("winners")[1].split("</ol>")[0]
    finished = alice.post(finish, {"key": str(uuid.uuid4())})
    assert finished.url == address(made, "teams:index")

    front = visitor.get("/c/crowned/", follow=True)
    players = visitor.get(address(made, "standings:stage", "main", "regular-season")).content.decode()
    card = visitor.get("/").content.decode().split("card-best")[1].split("</p>")[0]
    big = visitor.get(address(made, "standings:screen")).content.decode()
    file = visitor.get(address(made, "interchange:workbook"))
    book = openpyxl.load_workbook(io.BytesIO(b"".join(file) if file.streaming else file.content))

    assert front.redirect_chain == [(address(made, "teams:index"), 302)]
    podium = front.content.decode().split('class="podium')[1].split("</ol>")[0]
    assert re.findall(r'class="name"[^>]*>([^<]+)<', podium) == ["Reds", "Blues", "Greys"]
    assert 'class="podium' not in players
    assert "Reds" in card
    assert "Reds" in big
    assert book.sheetnames[:3] == ["Result", "Teams", "Team members"]
    head, *rows = book["Tables"].iter_rows(values_only=True)
    assert {row[head.index("Team")] for row in rows} == set(NAMES)
