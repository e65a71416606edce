"""Where a penalty is logged, and who may log it."""

import re

import pytest

from league.models import Dispute, Penalty, Role, Round
from league.play.disputes.services import open_dispute, take_step
from league.play.rounds.services import close_round
from league.referees.penalties.services.hands import set_hand
from tests.factories import club, signed_in
from tests.league.asking import queries_of
from tests.league.referees.penalties.log.requests import address, at_table, entrant, free, log, plain, tapped
from tests.win_bans import active_bans

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_a_player_s_newest_open_table_is_offered_first(spring, bob):
    second = spring.add_round(visibility="hidden")

    page = bob.get(address(spring, f"?player={entrant(spring)}"))

    place = page.context["place"]
    assert (place.table.round, place.chosen_player) == (second, spring.players[0])
    assert [words for _url, words in place.elsewhere] == [
        "Main, Regular season, round 1, table 1",
        "Main, Regular season, no table",
    ]
    assert all(bob.get(url).status_code == 200 for url, _words in place.elsewhere)


def test_the_players_to_choose_from_have_the_winds_of_the_hand_in_play(spring, bob):
    set_hand(table=spring.table(), hand="S3.0", by=spring.bob)  # the first dealer is west now

    page = bob.get(at_table(spring)).content.decode()

    seats = re.findall(r'data-player="(\d+)".*?class="wind[^"]*"[^>]*>(.)<', page, re.DOTALL)
    assert seats == [
        (str(player.pk), wind) for player, wind in zip(spring.players[:4], "西北東南", strict=True)
    ]
    assert page.count("first-dealer") == 1


def test_without_table_or_player_both_are_offered(spring, bob):
    second = spring.add_round()
    Round.objects.filter(pk=second.pk).update(status="closed")

    page = bob.get(address(spring))
    other = bob.get(address(spring, f"?round={second.pk}"))

    assert page.context["chosen"] == spring.rounds[0]  # tables of the newer one, which is closed, take none
    assert other.context["chosen"] == spring.rounds[0]
    links = re.findall(r"\?table=(\d+)", page.content.decode())
    assert sorted(map(int, links)) == sorted(spring.rounds[0].tables.values_list("pk", flat=True))
    assert len(page.context["players"]) == 8


def test_a_competition_without_players_says_what_to_do(db):
    made = club("empty", players=0)

    page = signed_in(made.bob).get(address(made))

    assert "Penalties are logged for players" in page.content.decode()


def test_a_closed_round_says_what_can_be_done_and_takes_nothing(spring, bob):
    close_round(round_=spring.rounds[0], by=spring.alice)

    page = bob.get(at_table(spring))
    answer = bob.post(at_table(spring), tapped(spring, "A-I"))

    assert "open a dispute about the table" in plain(page)
    assert 'name="infraction"' not in page.content.decode()
    assert (answer.status_code, Penalty.objects.count()) == (422, 0)


def test_the_ruling_of_a_dispute_logs_in_a_closed_round_and_keeps_the_link(spring, bob):
    dispute = open_dispute(table=spring.table(), hand="E1.0", subject="two melds", by=spring.bob)
    take_step(
        dispute=dispute,
        kind=Dispute.Step.PRELIMINARY,
        said="both shown",
        decided="a wrong call",
        by=spring.bob,
    )
    close_round(round_=spring.rounds[0], by=spring.alice)
    url = at_table(spring, more=f"&dispute={dispute.pk}")

    page, answer = bob.get(url), bob.post(url, tapped(spring, "A-I"))

    assert f"/disputes/{dispute.pk}/" in page.content.decode()
    assert page.context["seats"][0].address.endswith(f"&dispute={dispute.pk}&player={entrant(spring)}")
    assert answer.status_code == 302
    assert Penalty.objects.get().dispute == dispute


def test_the_ruling_logs_in_the_hand_of_its_dispute_which_may_be_dealt_again(spring, bob):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)
    dispute = open_dispute(table=spring.table(), subject="wrong win", by=spring.bob)
    take_step(dispute=dispute, kind="preliminary", decided="chombo", redeal=True, by=spring.bob)
    where = at_table(spring, more=f"&dispute={dispute.pk}")

    assert bob.get(where).context["confirm"]["hand"] == "East 1, honba 0"
    bob.post(where, tapped(spring, "C-III"))
    bob.post(where, free(spring, level="3", deduction="0", reason="stalls"))

    assert list(Penalty.objects.values_list("hand", "win_ban")) == [("E1.0", True)] * 2
    assert (spring.table().hand, active_bans(spring.competition)) == ("E1.0.1", [])


def test_referees_do_not_log_at_the_table_where_they_play(spring, bob):
    Role.objects.filter(user=spring.bob).update(player=spring.players[1])

    page = bob.get(at_table(spring))
    answer = bob.post(at_table(spring), tapped(spring, "A-I"))
    other = bob.post(at_table(spring, 2), tapped(spring, "A-I", player=spring.players[4].pk))

    assert "Referees cannot rule at their own table." in plain(page)
    assert 'name="infraction"' not in page.content.decode()
    assert (answer.status_code, other.status_code) == (422, 302)
    assert list(Penalty.objects.values_list("player", flat=True)) == [spring.players[4].pk]


@pytest.mark.parametrize("number", ["{table}", "999999", "9" * 18])
def test_a_table_of_another_competition_does_not_exist_here(spring, bob, number):
    autumn = club("autumn")
    autumn.add_round()
    url = address(spring, f"?table={number.format(table=autumn.table().pk)}")
    assert bob.get(at_table(spring)).status_code == 200

    assert bob.get(url).status_code == 404
    assert bob.post(url, tapped(spring, "A-I")).status_code == 404
    assert Penalty.objects.count() == 0


def test_players_stages_and_disputes_of_another_competition_do_not_exist_here(spring, bob):
    autumn = club("autumn")
    autumn.add_round()
    theirs = open_dispute(table=autumn.table(), hand="E1.0", subject="x", by=autumn.bob)
    other = open_dispute(table=spring.table(number=2), hand="E1.0", subject="x", by=spring.bob)
    table = spring.table().pk
    assert bob.get(address(spring, f"?player={entrant(spring)}")).status_code == 200

    queries = [
        f"?player={entrant(autumn)}",
        f"?player={entrant(spring)}&stage={autumn.stage.pk}",
        f"?table={table}&dispute={theirs.pk}",
        f"?table={table}&dispute={other.pk}",
    ]

    assert [bob.get(address(spring, query)).status_code for query in queries] == [404] * 4


def test_the_page_takes_no_other_method(spring, bob):
    assert bob.put(address(spring)).status_code == 405


@pytest.mark.slow
@pytest.mark.parametrize("query", ["", "?player={player}", "?table={table}"])
def test_the_page_takes_a_steady_number_of_queries(spring, bob, query):
    url = address(spring, query.format(player=entrant(spring), table=spring.table().pk))

    log(spring, "A-I")
    one = queries_of(bob, url)
    log(spring, "A-II", index=1)
    log(spring, "A-I", index=2)
    spring.add_round()
    assert queries_of(bob, url) == one
