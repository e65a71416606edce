"""Penalties of players whom the standings leave out: said before and after, and no alarm for visitors."""

import pytest
from django.test import Client

from league.models import Penalty, Stage
from league.play.rounds.services import close_round, open_round, set_visibility
from league.play.substitutions.services.substitutions import set_substitute, substitute_player
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.queries.places import stages_of_player
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club, signed_in
from tests.finals import final_of_four
from tests.league.referees.penalties.log.requests import (
    address,
    check_cells,
    entrant,
    no_table,
    plain,
    tapped,
)
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

POINTS = ((45_000, 35_000, 25_000, 15_000), (50_000, 33_000, 22_000, 15_000))
SUBSTITUTE, OUTSIDER = 8, 7


@module_fixture
def spring() -> Club:
    """Round 1 is over, four of eight play the final, and a ninth player is a substitute."""
    made = club("spring")
    made.add_round()
    for number, points in enumerate(POINTS, start=1):
        made.record(points, number=number)
    close_round(round_=made.rounds[0], by=made.alice)
    made.add_players(1)
    ninth = made.competition.entrants.get(player=made.players[SUBSTITUTE])
    set_substitute(entrant=ninth, is_substitute=True, by=made.alice)
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


@pytest.fixture
def final(spring) -> Stage:
    made = final_of_four(spring)
    return Stage.objects.select_related("division__competition", "division__rule_set").get(pk=made.pk)


def totals(stage: Stage) -> list[tuple[str, int]]:
    fresh = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=stage.pk)
    return sorted((line.player.key, line.row.total) for line in standings(fresh, public=True).rows)


def visitors_read(made: Club) -> list[tuple[str, str, int]]:
    """What visitors read under the heading of its own."""
    page = Client().get(f"/c/{made.slug}/penalties/")
    assert page.context["check"].fits
    assert "do not match" not in plain(page)
    return [(stage, info.name, score) for stage, info, score in page.context["outside"]]


def test_a_substitute_s_penalty_says_that_it_changes_no_total_and_alarms_nobody(spring, bob):
    before, name = totals(spring.stage), spring.players[SUBSTITUTE].name
    url = address(spring, f"?player={entrant(spring, SUBSTITUTE)}")
    sentence = (
        f"Not in the standings of Main, Regular season: {name}. A penalty there stays on record and changes "
        "no total."
    )

    page = bob.get(f"{url}&offence=C-III")
    form = no_table(spring, "C-III", player=spring.players[SUBSTITUTE].pk)
    answer = bob.post(page.context["place"].address(), form, follow=True)

    assert page.context["place"].table is None
    assert sentence in plain(page)
    assert "It counts at once." not in plain(page)
    said = [str(message) for message in answer.context["messages"]]
    assert said == [f"Logged for {name}: −25.0. {sentence}"]
    assert totals(spring.stage) == before
    assert visitors_read(spring) == [("Main, Regular season", name, -250)]
    assert check_cells(spring, bob)[1:] == [("Everyone", 0, 0, 0, -25), (name, 0, 0, 0, -25)]


@pytest.mark.slow
def test_a_substitute_at_a_table_is_named_before_anything_is_saved(spring, bob):
    spring.add_round(opened=False)
    round_ = open_round(round_=spring.rounds[1], by=spring.alice)
    seat = round_.seats.get(player=spring.players[0])
    substitute = spring.players[SUBSTITUTE]
    substitute_player(seat=seat, substitute=substitute.pk, late=False, score=0, reason="ill", by=spring.alice)
    before, url = totals(spring.stage), address(spring, f"?table={spring.table(2).pk}")

    page = bob.get(url)
    answer = bob.post(url, tapped(spring, "C-III", player=substitute.pk), follow=True)
    other = bob.post(url, tapped(spring, "C-III", player=spring.players[1].pk), follow=True)

    assert f"Not in the standings of Main, Regular season: {substitute.name}." in plain(page)
    assert "changes no total. Win ban for this hand." in plain(answer)
    assert "It counts at once. Win ban for this hand." in plain(other)
    lost = {spring.competition.entrants.get(player=spring.players[1]).key: 250}
    assert totals(spring.stage) == [(key, total - lost.get(key, 0)) for key, total in before]
    assert visitors_read(spring) == [("Main, Regular season", substitute.name, -250)]
    public = plain(Client().get(f"/c/{spring.slug}/penalties/"))
    assert "All penalties of players in the standings match them: −25.0 Not in the standings" in public
    assert check_cells(spring, bob)[1] == ("Everyone", -25, -25, 0, -25)


def test_a_player_without_a_division_is_offered_every_stage(spring):
    ninth = spring.competition.entrants.filter(player=spring.players[SUBSTITUTE])
    ninth.update(division=None)

    assert stages_of_player([spring.stage], ninth.get()) == [spring.stage]


def test_a_player_outside_the_final_is_offered_the_stage_that_ranks_them(spring, bob, final):
    name = spring.players[OUTSIDER].name
    before = totals(spring.stage)
    url = address(spring, f"?player={entrant(spring, OUTSIDER)}")

    place = bob.get(url).context["place"]
    bob.post(place.address(), no_table(spring, "C-III", player=spring.players[OUTSIDER].pk))

    assert (place.stage, place.unlisted) == (spring.stage, "")
    assert [words for _url, words in place.elsewhere] == ["Main, Final, no table"]
    assert totals(spring.stage) == sorted((k, t - 250 * (k == "p8")) for k, t in before)
    assert visitors_read(spring) == []
    assert check_cells(spring, bob)[1:] == [("Everyone", -25, -25, 0, 0), (name, -25, -25, 0, 0)]


def test_in_the_final_s_stage_the_penalty_of_an_outsider_is_said_to_change_no_total(spring, bob, final):
    name = spring.players[OUTSIDER].name
    before = totals(spring.stage), totals(final)
    url = address(spring, f"?player={entrant(spring, OUTSIDER)}&stage={final.pk}")

    page = bob.get(f"{url}&offence=C-III")
    form = no_table(spring, "C-III", player=spring.players[OUTSIDER].pk)
    answer = bob.post(url, form, follow=True)

    sentence = (
        f"Not in the standings of Main, Final: {name}. A penalty there stays on record and changes no total."
    )
    assert sentence in plain(page)
    assert sentence in plain(answer)
    assert [words for _url, words in page.context["place"].elsewhere] == ["Main, Regular season, no table"]
    assert (totals(spring.stage), totals(final)) == before
    assert visitors_read(spring) == [("Main, Final", name, -250)]
    assert check_cells(spring, bob)[1:] == [("Everyone", 0, 0, 0, -25), (name, 0, 0, 0, -25)]


@pytest.mark.slow
def test_a_finalist_is_offered_the_final_once_it_has_begun(spring, bob, final):
    qualified = final.qualified.order_by("position").first().player
    pk = spring.competition.entrants.get(player=qualified).pk
    before = bob.get(address(spring, f"?player={pk}&away=")).context["place"].stage
    round_ = open_round(round_=final.rounds.get(), by=spring.alice)
    set_visibility(round_=round_, visibility="results", by=spring.alice)

    place = bob.get(address(spring, f"?player={pk}&away=")).context["place"]
    bob.post(place.address(), no_table(spring, "C-III", player=qualified.pk))

    assert (before, place.stage) == (spring.stage, final)
    assert [total for _key, total in totals(final)].count(-250) == 1
    assert visitors_read(spring) == []


@pytest.mark.with_extra("api")
def test_visitors_read_no_penalty_of_a_final_that_would_tell_who_came_through(spring, bob, final):
    set_visibility(round_=spring.rounds[0], visibility="seating", by=spring.alice)
    qualified = final.qualified.order_by("position").first().player
    log_penalty(stage=final, player_id=qualified.pk, score=-333, reason="late", by=spring.bob)

    page = Client().get(f"/c/{spring.slug}/penalties/")
    api = Client().get(f"/api/v1/competitions/{spring.slug}/penalties").json()

    assert (page.context["check"].fits, page.context["outside"], page.context["lines"]) == (True, [], [])
    assert api["items"] == []
    assert check_cells(spring, Client())[1:] == [("Everyone", 0, 0, 0, 0)]
    staff = bob.get(f"/c/{spring.slug}/penalties/")
    assert [line.penalty.score for line, _player in staff.context["lines"]] == [-333]


def test_the_player_s_page_has_it_among_penalties_that_do_not_count(spring, bob):
    penalty = log_penalty(
        stage=spring.stage, player_id=spring.players[SUBSTITUTE].pk, score=-250, reason="late", by=spring.bob
    )

    page = Client().get(f"/c/{spring.slug}/players/{entrant(spring, SUBSTITUTE)}/")

    [view] = page.context["records"]
    assert (view["record"].row, view["steps"]) == (None, [])
    assert [line.penalty for line in view["off"]] == [penalty]
    assert "not in the standings" in plain(page)


def test_an_approved_request_says_it_too(spring):
    spring.competition.approval_from = "2"
    spring.competition.save()
    requested = signed_in(spring.bob).post(
        address(spring, f"?player={entrant(spring, SUBSTITUTE)}"),
        no_table(spring, "C-III", player=spring.players[SUBSTITUTE].pk),
    )
    form = {"key": no_table(spring, "")["key"], "verdict": "approve"}

    answer = signed_in(spring.alice).post(
        f"/c/{spring.slug}/penalties/{Penalty.objects.get().pk}/decide/", form, follow=True
    )

    assert requested.status_code == 302
    assert "Penalty approved. Not in the standings of Main, Regular season:" in plain(answer)
