"""Penalties between games, after a game and after the last round: no table, no ban, and the right total."""

import pytest
from django.test import Client

from league.core.errors import Refused
from league.models import Dispute, Penalty, Role, Round, Stage
from league.organizing.competitions.services import finish_competition
from league.play.disputes.services import open_dispute, take_step
from league.play.rounds.services import close_round, open_round, set_visibility
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.log import log_offence
from tests.factories import Club, club, signed_in
from tests.league.referees.penalties.log.requests import (
    address,
    at_table,
    case,
    check_cells,
    entrant,
    free,
    no_table,
    plain,
    tapped,
)
from tests.module_fixtures import module_fixture
from tests.win_bans import active_bans

pytestmark = pytest.mark.django_db

POINTS = (38_400, 21_600, 40_000, 20_000)
NO_BAN = "No win ban: it holds only in the hand of the offence."
WHERE = ("stage", "round", "table", "hand", "win_ban", "score")


@module_fixture
def spring() -> Club:
    """Round 1 is over, round 2 is seated and planned."""
    made = club("spring")
    made.add_round()
    for number in (1, 2):
        made.record(POINTS, number=number)
    close_round(round_=made.rounds[0], by=made.alice)
    made.add_round(opened=False, visibility="seating")
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


def totals(made: Club, *, public: bool = True) -> list[tuple]:
    """(score, penalty, total) of the eight players as the standings show them."""
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=made.stage.pk)
    rows = {line.row.player: line.row for line in standings(stage, public=public).rows}
    mine = [rows[player.pk] for player in made.players]
    return [(row.score, row.penalty, row.total) for row in mine]


def with_penalty(before: list[tuple], index: int, tenths: int) -> list[tuple]:
    score, penalty, total = before[index]
    changed = (score, penalty + tenths, total + tenths)
    return [changed if place == index else row for place, row in enumerate(before)]


def logged() -> list[tuple]:
    return list(Penalty.objects.order_by("pk").values_list(*WHERE))


def offered(page) -> list[tuple[str, str]]:
    return [(value, str(words)) for value, words in page.context["confirm"]["form"].when]


# --- between games


def test_between_games_a_penalty_counts_at_once_and_bans_nobody_in_the_next_round(spring, bob):
    before = totals(spring)

    page = bob.get(address(spring, f"?player={entrant(spring)}&offence=C-III"))
    place = page.context["place"]
    answer = bob.post(place.address(), no_table(spring, "C-III"), follow=True)

    assert (place.table, place.words) == (None, "Main, Regular season, no table")
    assert "It counts at once." in plain(page)
    assert list(case(page).effects) == [NO_BAN]
    assert logged() == [(spring.stage.pk, None, None, "", False, -250)]
    assert totals(spring) == with_penalty(before, 0, -250)
    said = [str(message) for message in answer.context["messages"]]
    assert said == [f"Logged for {spring.players[0].name}: −25.0. It counts at once."]
    open_round(round_=spring.rounds[1], by=spring.alice)
    assert active_bans(spring.competition) == []


def test_in_the_referee_s_own_words_it_counts_at_once_too(spring, bob):
    before = totals(spring)

    place = bob.get(address(spring, f"?player={entrant(spring)}&offence=other")).context["place"]
    bob.post(place.address(), free(spring, level="5", reason="shouts"))

    assert logged() == [(spring.stage.pk, None, None, "", False, -250)]
    assert totals(spring) == with_penalty(before, 0, -250)


def test_visitors_read_it_and_the_checks_agree(spring, bob):
    bob.post(address(spring, f"?player={entrant(spring)}&stage={spring.stage.pk}"), no_table(spring, "C-III"))

    page = Client().get(f"/c/{spring.slug}/penalties/")

    name = spring.players[0].name
    assert "All penalties match the standings: −25.0" in plain(page)
    assert page.context["check"].fits
    assert check_cells(spring, bob)[1:] == [("Everyone", -25, -25, 0, 0), (name, -25, -25, 0, 0)]


def test_without_a_table_nothing_is_the_same_hand_or_hanchan(spring, bob):
    away = address(spring, f"?player={entrant(spring)}&stage={spring.stage.pk}")
    for _ in range(2):
        bob.post(away, no_table(spring, "A-I", again="on"))
    page = bob.get(f"{away}&offence=A-I")

    assert list(Penalty.objects.values_list("level", flat=True)) == ["2", "2"]
    assert (case(page).asked, case(page).because) == ("2", "")


def test_a_table_of_a_planned_round_takes_no_penalty_and_leads_on(spring, bob):
    url = address(spring, f"?table={spring.table(2).pk}&offence=C-III")

    page = bob.get(url)
    answer = bob.post(url, tapped(spring, "C-III"))

    assert "This round has not started" in plain(page)
    assert (answer.status_code, Penalty.objects.count()) == (422, 0)
    assert [name for _url, name in page.context["ways_out"]] == [p.name for p in spring.players[:4]]
    first = bob.get(page.context["ways_out"][0][0]).context
    assert (first["step"], first["place"].table, first["player"]) == ("confirm", None, spring.players[0])


@pytest.mark.parametrize("number", [1, 2])
def test_a_round_that_has_not_started_takes_no_penalty_by_the_service(spring, number):
    where = {"table": spring.table(2)} if number == 1 else {"round_": spring.rounds[1]}
    act = {"infraction": "C-III", "condition": 0}

    with pytest.raises(Refused, match="has not started"):
        log_offence(stage=spring.stage, player_id=spring.players[0].pk, **act, by=spring.bob, **where)


# --- unpublished rounds


@pytest.fixture
def hidden(spring) -> Round:
    """Round 1, unpublished."""
    return set_visibility(round_=spring.rounds[0], visibility="seating", by=spring.alice)


def test_what_belongs_to_an_unpublished_game_counts_with_its_publication(spring, bob, hidden):
    before = totals(spring, public=False)
    closed = bob.get(f"{at_table(spring)}&offence=C-III")
    url = closed.context["ways_out"][0][0]

    page = bob.get(url)
    offers = offered(page)
    answer = bob.post(url, no_table(spring, "C-III", counts=str(hidden.pk)), follow=True)

    assert offers == [("", "at once"), (str(hidden.pk), "when round 1 is published")]
    assert f'name="counts" value="{hidden.pk}" checked' in page.content.decode()
    assert logged() == [(spring.stage.pk, hidden.pk, None, "", False, -250)]
    assert "It counts when round 1 is published." in plain(answer)
    assert totals(spring, public=False) == with_penalty(before, 0, -250)
    assert totals(spring) == [(0, 0, 0)] * 8
    assert Client().get(f"/c/{spring.slug}/penalties/").context["lines"] == []
    set_visibility(round_=hidden, visibility="results", by=spring.alice)
    assert totals(spring) == with_penalty(before, 0, -250)


def test_away_from_a_game_it_counts_at_once_unless_the_referee_says_otherwise(spring, bob, hidden):
    url = address(spring, f"?player={entrant(spring)}")
    page = bob.get(f"{url}&offence=C-III")

    bob.post(page.context["place"].address(), no_table(spring, "C-III", counts=""))

    assert [value for value, _words in offered(page)] == ["", str(hidden.pk)]
    assert f'name="counts" value="{hidden.pk}" checked' not in page.content.decode()
    assert logged() == [(spring.stage.pk, None, None, "", False, -250)]
    assert totals(spring)[0] == (0, -250, -250)


def test_during_an_unpublished_round_it_counts_with_the_round_unless_the_referee_says_otherwise(spring, bob):
    before = totals(spring)
    round_ = open_round(round_=spring.rounds[1], by=spring.alice)
    spring.record(POINTS, round_number=2)

    page = bob.get(address(spring, f"?player={entrant(spring)}&offence=C-III"))
    place, form = page.context["place"], page.context["confirm"]["form"]
    bob.post(place.address(), no_table(spring, "C-III", counts=form["counts"].value()))

    assert (place.table, offered(page)[1:]) == (None, [(str(round_.pk), "when round 2 is published")])
    assert logged() == [(spring.stage.pk, round_.pk, None, "", False, -250)]
    assert totals(spring) == before
    set_visibility(round_=round_, visibility="results", by=spring.alice)
    assert totals(spring)[0][1] == -250


def test_a_round_published_meanwhile_is_still_taken_and_another_one_is_refused(spring, bob, hidden):
    away = address(spring, f"?player={entrant(spring)}&stage={spring.stage.pk}")
    set_visibility(round_=hidden, visibility="results", by=spring.alice)

    planned = bob.post(away, no_table(spring, "C-III", counts=str(spring.rounds[1].pk)))
    answer = bob.post(away, no_table(spring, "C-III", counts=str(hidden.pk)))

    assert (planned.status_code, answer.status_code) == (422, 302)
    assert logged() == [(spring.stage.pk, hidden.pk, None, "", False, -250)]
    assert totals(spring)[0][1] == -250


# --- after a game whose round is still open


@pytest.mark.slow
def test_after_its_game_a_player_is_offered_no_table(spring, bob):
    open_round(round_=spring.rounds[1], by=spring.alice)
    playing = bob.get(address(spring, f"?player={entrant(spring)}")).context["place"]
    spring.record(POINTS, round_number=2)

    after = bob.get(address(spring, f"?player={entrant(spring)}")).context["place"]
    other = bob.get(address(spring, f"?player={entrant(spring, 4)}")).context["place"]

    assert (playing.table, after.table) == (spring.table(2), None)
    assert other.table == spring.table(2, 2)


def test_at_a_table_whose_game_is_over_no_ban_is_said_or_kept(spring, bob):
    open_round(round_=spring.rounds[1], by=spring.alice)
    spring.record(POINTS, round_number=2)
    url = address(spring, f"?table={spring.table(2).pk}")

    page = bob.get(f"{url}&player={entrant(spring)}&offence=C-III")
    answer = bob.post(url, tapped(spring, "C-III", deal=""), follow=True)

    assert "The game at this table is over." in plain(page)
    assert page.context["confirm"]["deals"][0] == ("", "after the game", True)
    assert list(case(page).effects) == [NO_BAN]
    assert logged() == [(spring.stage.pk, spring.rounds[1].pk, spring.table(2).pk, "", False, -250)]
    assert "Win ban" not in plain(answer)


def test_a_hand_that_the_referee_names_keeps_the_ban_that_held_in_it(spring, bob):
    open_round(round_=spring.rounds[1], by=spring.alice)
    spring.record(POINTS, round_number=2)

    bob.post(address(spring, f"?table={spring.table(2).pk}"), tapped(spring, "C-III", deal="S2", honba="1"))

    assert logged() == [(spring.stage.pk, spring.rounds[1].pk, spring.table(2).pk, "S2.1", True, -250)]
    assert (spring.table(2).hand, active_bans(spring.competition)) == ("", [])


def test_the_same_offence_after_the_game_is_the_same_hanchan_and_no_hand(spring, bob):
    open_round(round_=spring.rounds[1], by=spring.alice)
    url = address(spring, f"?table={spring.table(2).pk}")
    bob.post(url, tapped(spring, "A-I", deal="S4"))
    spring.record(POINTS, round_number=2)

    bob.post(url, tapped(spring, "A-I", deal=""))

    assert list(Penalty.objects.order_by("pk").values_list("level", "hand")) == [("2", "S4.0"), ("4", "")]


# --- a phone that was late


def test_what_a_phone_sends_after_the_round_closed_comes_back_filled_in_without_a_table(spring, bob, hidden):
    late = tapped(spring, "C-III", deal="S4", honba="2", reason="shouts", others=[spring.players[1].pk])

    answer = bob.post(at_table(spring), late)

    place, form = answer.context["place"], answer.context["confirm"]["form"]
    assert (answer.status_code, Penalty.objects.count()) == (422, 0)
    assert form.all_errors == [
        "This round has closed. Not logged yet: log it here, without a table.",
        f"Then log it for the others, too: {spring.players[1].name}.",
    ]
    assert (place.table, form["counts"].value()) == (None, str(hidden.pk))
    said = "shouts (Main, Regular season, round 1, table 1, South 4, honba 2)"
    assert form["reason"].value() == said
    again = no_table(spring, "C-III", reason=said, counts=str(hidden.pk))
    assert bob.post(place.address(), again).status_code == 302
    assert Penalty.objects.values_list("round", "table", "win_ban", "reason").get() == (
        hidden.pk,
        None,
        False,
        said,
    )


# --- after the last game


@pytest.fixture
def ended(spring) -> Club:
    """Both rounds are closed."""
    open_round(round_=spring.rounds[1], by=spring.alice)
    for number in (1, 2):
        spring.record(POINTS, round_number=2, number=number)
    close_round(round_=Round.objects.get(pk=spring.rounds[1].pk), by=spring.alice)
    return spring


def links_to_logging(page) -> list[str]:
    parts = page.content.decode().split('href="')[1:]
    return [part.split('"')[0] for part in parts if "penalties/new/" in part.split('"')[0]]


@pytest.mark.parametrize("start", ["desk/", "players/{player}/", "players/{player}/penalties/", "manage/"])
def test_after_the_last_game_every_page_leads_to_a_penalty_without_a_table(ended, start):
    client = signed_in(ended.alice)
    page = client.get(f"/c/{ended.slug}/{start.format(player=entrant(ended))}")

    [link, *_] = links_to_logging(page)
    reached = client.get(link.partition("#")[0])
    if reached.context.get("place") is None:
        named = dict(reached.context["named"]) | {"player": entrant(ended)}
        reached = client.get(address(ended), named)
    place = reached.context["place"]
    answer = client.post(place.address(), no_table(ended, "C-III"))

    assert (place.table, answer.status_code) == (None, 302)
    assert logged() == [(ended.stage.pk, None, None, "", False, -250)]


def test_without_a_table_also_while_the_player_sits_at_one(spring, bob):
    open_round(round_=spring.rounds[1], by=spring.alice)
    named = dict(bob.get(address(spring)).context["named"])

    place = bob.get(address(spring), named | {"player": entrant(spring)}).context["place"]

    assert (place.table, place.words) == (None, "Main, Regular season, no table")


def test_a_closed_round_s_table_leads_to_each_of_its_players_without_a_table(ended, bob):
    page = bob.get(at_table(ended))

    for index, (url, name) in enumerate(page.context["ways_out"]):
        place = bob.get(url).context["place"]
        assert (name, place.chosen_player, place.table) == (
            ended.players[index].name,
            ended.players[index],
            None,
        )


def test_a_penalty_under_a_wrong_name_is_revoked_and_logged_for_the_right_one(ended, bob):
    before = totals(ended)
    away = address(ended, f"?player={entrant(ended)}&stage={ended.stage.pk}")
    bob.post(away, no_table(ended, "C-III"))
    wrong = Penalty.objects.get()

    form = {"key": tapped(ended, "")["key"], "reason": "wrong name", "next": "log"}
    chooser = bob.post(f"/c/{ended.slug}/penalties/{wrong.pk}/revoke/", form, follow=True)
    named = dict(chooser.context["named"]) | {"player": entrant(ended, 1)}
    page = bob.get(address(ended), named)
    bob.post(page.context["place"].address(), no_table(ended, "C-III", player=ended.players[1].pk))

    assert (page.context["step"], page.context["confirm"]["code"]) == ("confirm", "C-III")
    wrong.refresh_from_db()
    assert wrong.revoke_reason == "wrong name"
    assert totals(ended) == with_penalty(before, 1, -250)


def test_a_wrong_name_at_a_closed_table_leads_to_the_others_of_that_table(spring, bob):
    open_round(round_=spring.rounds[1], by=spring.alice)
    url = address(spring, f"?table={spring.table(2).pk}")
    bob.post(url, tapped(spring, "C-III"))
    close_round(round_=Round.objects.get(pk=spring.rounds[1].pk), by=spring.alice)
    wrong = Penalty.objects.get()

    form = {"key": tapped(spring, "")["key"], "reason": "wrong name", "next": "log"}
    page = bob.post(f"/c/{spring.slug}/penalties/{wrong.pk}/revoke/", form, follow=True)
    right = bob.get(page.context["ways_out"][1][0])

    assert [name for _url, name in page.context["ways_out"]] == [p.name for p in spring.players[:4]]
    assert (right.context["step"], right.context["confirm"]["code"]) == ("confirm", "C-III")
    assert right.context["player"] == spring.players[1]


def test_a_finished_competition_says_that_an_organizer_can_reopen_it(ended):
    finish_competition(competition=ended.competition, publish=True, by=ended.alice)
    away = f"?player={entrant(ended)}&stage={ended.stage.pk}"

    for who, reopens in ((ended.alice, True), (ended.bob, False)):
        client = signed_in(who)
        for query in ("", away):
            page = client.get(address(ended, query))
            assert "This competition is finished. An organizer can reopen it" in plain(page)
            assert 'name="infraction"' not in page.content.decode()
            assert ("/finish/" in page.content.decode().split("data-wrong")[1].split("</div>")[0]) is reopens
        answer = client.post(address(ended, away), no_table(ended, "C-III"))
        assert (answer.status_code, Penalty.objects.count()) == (422, 0)


def test_a_ruling_after_the_round_bans_nobody_without_a_known_hand(ended, bob):
    dispute = open_dispute(table=ended.table(), subject="shouting", by=ended.bob)
    take_step(dispute=dispute, kind=Dispute.Step.PRELIMINARY, said="heard", decided="penalty", by=ended.bob)

    bob.post(at_table(ended, more=f"&dispute={dispute.pk}"), tapped(ended, "C-III", deal=""))

    assert logged() == [(ended.stage.pk, ended.rounds[0].pk, ended.table().pk, "", False, -250)]


def test_strangers_and_scorers_are_not_let_in(ended):
    Role.objects.filter(user=ended.dora).delete()

    answers = [signed_in(who).get(address(ended)).status_code for who in (ended.charlie, ended.dora)]

    assert answers == [403, 403]
