"""The cut of teams on its page, and on the pages of the stage and the teams."""

import re
import uuid
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Competition, Lots, Stage
from league.organizing.competitions.services import update_competition
from league.organizing.roster.services.roster import withdraw_entrant
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from league.ranking.stages.services import cut_stage
from league.ranking.standings.queries.standings import compute_standings
from scoring.cuts import Terms
from tests.factories import Club, signed_in
from tests.league.organizing.interchange.files import competition_file, loaded
from tests.module_fixtures import module_fixture
from tests.shown import text
from tests.teams import equal_pairs, team_of

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    """Reds and Greys 15.0 each, Blues and Greens −15.0."""
    return equal_pairs()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def page(here: Club, name: str, *arguments: object) -> str:
    return reverse(name, args=[here.slug, *arguments])


def asked(here: Club, *picked: str, **terms: object) -> str:
    """The address of a cut of the two best teams, with half of their points."""
    wanted = {"name": "Final", "source": here.stage.pk, "top": 2, "carry": "half", "hanchan": 16} | terms
    teams = [("picked", team_of(here, name).pk) for name in picked]
    return f"{page(here, 'stages:team_cut', here.division.slug)}?{urlencode([*wanted.items(), *teams])}"


def draw(here: Club, client: Client, where: str):
    """Press every button that draws lots on this page."""
    for _tied, button in client.get(where).context["draws"]:
        fields = {name: button[name].value() or "" for name in ("key", "players", "of_teams")}
        answer = client.post(page(here, "stages:lots", here.stage.pk), fields | {"next": where}, follow=True)
    return answer


def made(client: Client, where: str):
    form = client.get(where).context["fresh"]
    return client.post(where, {name: form[name].value() for name in ("key", "seen")}, follow=True)


def test_the_page_proposes_a_final_of_the_best_teams(here, alice):
    response = alice.get(page(here, "stages:team_cut", here.division.slug))

    assert response.context["plan"].of_teams
    assert response.context["form"]["name"].value() == "Final"
    assert [field.name for field in response.context["form"]] == [
        *("name", "source", "top", "carry", "hanchan", "picked")
    ]
    assert not response.context["form"].has_special
    assert alice.get(asked(here, top=0)).context["form"].errors.keys() == {"top"}


def test_equal_teams_draw_lots_on_the_page_and_go_on_with_half_of_the_teams_points(here, alice):
    where = asked(here)
    look = alice.get(where)
    assert look.context["why_not"] == "Some teams are tied in every respect. Draw lots between them first."
    assert "Tied after every tie-break: Reds, Greys. Draw lots" in text(look)
    assert "Create stage" not in text(look)

    answer = draw(here, alice, where)

    lots = Lots.objects.get()
    first, second = (here.competition.teams.get(pk=team).name for team in lots.drawn_ids)
    assert answer.redirect_chain == [(where, 302)]
    assert "Lots drawn." in text(answer)
    assert f"seed {lots.seed}): {first}, {second}." in text(answer)
    assert [(line.info.name, line.brought) for line in answer.context["plan"].inside] == [
        (first, 75),
        (second, 75),
    ]
    assert "4 players qualify:" in text(answer)
    answer = made(alice, where)
    final = Stage.objects.get(name="Final")
    assert answer.redirect_chain == [(page(here, "competitions:manage"), 302)]
    assert "Final created with 4 players." in text(answer)
    assert final.rounds.count() == 16
    standings = text(alice.get(page(here, "teams:standings", here.division.slug, final.slug)))
    assert re.search(r"=1 Reds.*\+7\.5.*=1 Greys \+7\.5", standings)
    assert "Greens" not in standings


@pytest.mark.slow
def test_a_cut_by_rank_is_called_so_and_no_player_is_chosen_by_hand(here, alice):
    draw(here, alice, asked(here))
    made(alice, asked(here))
    final = Stage.objects.get(name="Final")
    first, second = (here.competition.teams.get(pk=team).name for team in Lots.objects.get().drawn_ids)

    for where in (
        page(here, "stages:stage", final.pk),
        page(here, "standings:stage", here.division.slug, final.slug),
        page(here, "teams:standings", here.division.slug, final.slug),
    ):
        shown = text(alice.get(where))
        assert f"The 2 best teams of Regular season: {first}, {second}." in shown
        assert f"seed {Lots.objects.get().seed}): {first}, {second}." in shown
        assert "by hand" not in shown
    assert text(alice.get(page(here, "stages:stage", final.pk))).count("with their team") == 4


def test_lots_that_decided_who_is_in_are_named(here, alice):
    draw(here, alice, asked(here, top=1))
    lots = Lots.objects.get()
    first, second = (here.competition.teams.get(pk=team).name for team in lots.drawn_ids)
    decided = f"Tied: {first} (in) and {second} (out). Tie-break: Drawing lots."

    assert decided in text(alice.get(asked(here, top=1)))
    made(alice, asked(here, top=1))

    final = Stage.objects.get(name="Final")
    shown = text(Client().get(page(here, "teams:standings", here.division.slug, final.slug)))
    assert f"The best team of Regular season: {first}." in shown
    assert decided in shown


def test_teams_that_are_ticked_go_on_and_are_called_chosen_by_hand(here, alice):
    look = alice.get(asked(here, "Greens", top=1))
    assert [(line.info.name, line.how) for line in look.context["plan"].inside] == [("Greens", "hand")]
    assert (look.context["why_not"], look.context["draws"]) == ("", [])
    assert look.context["form"].has_special

    made(alice, asked(here, "Greens", top=1))

    final = Stage.objects.get(name="Final")
    assert "1 team chosen by hand: Greens." in text(alice.get(page(here, "stages:stage", final.pk)))


def test_no_lots_are_drawn_before_the_rounds_are_closed(here, alice):
    open_round(round_=here.rounds[0], by=here.alice)

    look = alice.get(asked(here))

    assert look.context["why_not"].startswith("Still open: round 1.")
    assert look.context["draws"] == ()
    assert alice.get(page(here, "stages:stage", here.stage.pk)).context["draws"] == []


def test_a_cut_that_changed_since_it_was_looked_at_is_shown_again(here, alice):
    draw(here, alice, asked(here))
    form = alice.get(asked(here)).context["fresh"]
    withdraw_entrant(entrant=here.competition.entrants.get(key="p1"), by=here.alice)

    answer = alice.post(asked(here), {name: form[name].value() for name in ("key", "seen")})

    assert "The competition has changed." in text(answer)
    assert not Stage.objects.filter(name="Final").exists()


def test_the_page_of_a_stage_offers_lots_to_equal_teams_and_keeps_them(here, alice):
    where = page(here, "stages:stage", here.stage.pk)
    named = [[each.name for each in tied] for tied, _form in alice.get(where).context["draws"]]
    assert named[-2:] == [["Reds", "Greys"], ["Blues", "Greens"]]

    answer = draw(here, alice, where)

    assert answer.context["draws"] == []
    assert [lots.of_teams for lots in Lots.objects.all()].count(True) == 2
    assert text(answer).count("Lots drawn on") == len(named)


def test_the_page_of_a_stage_leaves_out_a_chosen_team_that_was_removed(here, alice):
    terms = Terms(top=0, picked=(team_of(here, "Reds").pk, team_of(here, "Greens").pk))
    final = cut_stage(
        source=here.stage, name="Final", terms=terms, carry="none", of_teams=True, by=here.alice
    )
    team_of(here, "Greens").delete()

    answer = alice.get(page(here, "stages:stage", final.pk))

    assert answer.status_code == 200
    assert [team.name for team in answer.context["team_story"].teams] == ["Reds"]


def test_without_teams_a_stage_offers_lots_to_players_alone(here, alice):
    here.competition.team_play = "none"
    here.competition.save(update_fields=["team_play"])

    draws = alice.get(page(here, "stages:stage", here.stage.pk)).context["draws"]

    assert [button["of_teams"].value() for _tied, button in draws] == [False] * len(draws)


def test_lots_are_shown_with_the_team_standings_where_they_are_a_tie_break(here, alice):
    draw(here, alice, asked(here))
    where = page(here, "teams:standings", here.division.slug, here.stage.slug)
    assert "Lots drawn on" not in text(Client().get(where))

    update_competition(competition=here.competition, values={"tie_breaks": ["lots"]}, by=here.alice)

    shown = text(Client().get(where))
    assert "Total equal to the rank above. Tie-break: Drawing lots. Lots are drawn once" in shown
    assert f"seed {Lots.objects.get().seed}" in shown


def test_teams_of_another_competition_cannot_be_named(here, alice):
    other = equal_pairs("autumn")
    theirs = ",".join(str(team_of(other, name).pk) for name in ("Reds", "Greys"))
    fields = {"key": str(uuid.uuid4()), "players": theirs, "of_teams": "True"}

    answer = alice.post(page(here, "stages:lots", here.stage.pk), fields, follow=True)

    assert "These teams are no longer tied, or lots were already drawn" in text(answer)
    assert not Lots.objects.exists()
    assert alice.get(f"{asked(here)}&picked={team_of(other, 'Reds').pk}").context["form"].errors


def test_the_audit_log_names_the_teams(here, alice):
    draw(here, alice, asked(here))
    made(alice, asked(here))

    log = text(alice.get(page(here, "audit_log:index")))

    names = ", ".join(here.competition.teams.get(pk=team).name for team in Lots.objects.get().drawn_ids)
    assert log.count(f"teams: {names}") == 2
    assert "drew lots" in log


# --- a final of individuals


def individuals(here: Club, **terms: object) -> str:
    wanted = {"name": "Final", "source": here.stage.pk, "top": 4, "hanchan": 1, "seated": "now", "first": 1}
    wanted |= {"wild_cards": 0, "wild_card_by": "best_score"} | terms
    return f"{page(here, 'stages:cut', here.division.slug)}?{urlencode(wanted)}"


def test_a_final_of_individuals_asks_what_they_bring_in_and_for_whom_it_counts(here, alice):
    form = alice.get(individuals(here)).context["form"]
    assert set(form.errors) == {"carry", "counts_for"}
    assert form["carry"].initial is None


@pytest.mark.slow
def test_a_final_for_the_players_alone_leaves_the_team_standings_as_they_are(here, alice):
    teams = page(here, "teams:index")
    before = alice.get(teams).context["ranked"]

    where = individuals(here, carry="all", counts_for="players")
    draw(here, alice, where)
    answer = made(alice, where)

    final = Stage.objects.get(name="Final")
    assert (final.counts_for_teams, final.carry) == (False, "all")
    assert answer.redirect_chain == [(page(here, "competitions:manage"), 302)]
    assert "Its games count for players only" in text(alice.get(page(here, "stages:stage", final.pk)))
    round_ = final.rounds.get()
    open_round(round_=round_, visibility="results", by=here.alice)
    record_result(
        table=round_.tables.get(), points=(40_000, 30_000, 20_000, 10_000), based_on=0, by=here.charlie
    )
    shown = alice.get(teams).context
    assert shown["stage"] == here.stage
    assert shown["ranked"].rows == before.rows
    competition = Competition.objects.get(pk=here.competition.pk)
    file = competition_file(competition)
    assert file["divisions"][0]["stages"][1]["counts_for_teams"] is False
    copied = loaded(file | {"slug": "elsewhere"})
    assert competition_file(copied) == file | {"slug": "elsewhere"}


def test_a_final_of_individuals_is_not_a_stage_of_teams(here, alice):
    where = individuals(here, carry="all", counts_for="players", seated="later")
    draw(here, alice, where)
    made(alice, where)

    manage = alice.get(page(here, "competitions:manage")).content.decode()
    round_ = Stage.objects.get(name="Final").rounds.get()
    assert page(here, "seating:by_hand", round_.pk) in manage
    assert page(here, "teams:round", round_.pk) not in manage
    penalty = alice.get(page(here, "teams:penalty_new", team_of(here, "Reds").pk)).context["form"]
    cut = alice.get(asked(here)).context["form"]
    for field in (penalty.fields["stage"], cut.fields["source"]):
        assert [pk for pk, _name in field.choices] == [here.stage.pk]


def test_a_final_that_counts_for_the_teams_has_team_standings(here, alice):
    draw(here, alice, individuals(here, carry="none", counts_for="teams"))
    made(alice, individuals(here, carry="none", counts_for="teams"))
    final = Stage.objects.get(name="Final")
    assert final.counts_for_teams
    assert alice.get(page(here, "teams:standings", here.division.slug, final.slug)).status_code == 200


@pytest.mark.slow
def test_the_page_of_the_teams_ranks_players_by_all_stages(here, alice):
    draw(here, alice, individuals(here, carry="all", counts_for="players"))
    made(alice, individuals(here, carry="all", counts_for="players"))
    final = Stage.objects.get(name="Final")
    round_ = open_round(round_=final.rounds.get(), by=here.alice)
    record_result(
        table=round_.tables.get(), points=(43_300, 31_200, 18_600, 6_900), based_on=0, by=here.charlie
    )
    close_round(round_=round_, by=here.alice)
    last = cut_stage(source=final, name="Last", terms=Terms(top=4), carry="all", by=here.alice)

    alice.get(page(here, "teams:standings", here.division.slug, last.slug))

    kept = alice.get(page(here, "standings:stage", here.division.slug, last.slug)).context["ranked"]
    assert kept == compute_standings(Stage.objects.get(pk=last.pk), public=False)
