"""The pages for a plan: request, search, review, accept, access and bad forms."""

import re
import uuid
from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.core.zones import day_of_play
from league.models import Round, Seat, SeatingDraft, Stage, Table
from league.organizing.competitions.services import add_division
from league.organizing.roster.services.roster import remove_entrant
from league.organizing.seating.queries.seating import (
    FEW,
    LOTS,
    SCHEDULE,
    PlanRequest,
    draft_of,
    seating_facts,
)
from league.organizing.seating.services import drafts
from league.organizing.seating.services.drafts import begin_seating, seen_state
from league.organizing.seating.services.plans import WEIGHS, FoundPlan
from league.play.open_play.services import keep_attendance
from league.play.rounds.services import create_round
from league.play.substitutions.services.substitutions import substitute_player
from tests.factories import Club, club, signed_in, user
from tests.league.organizing.seating.plan_forms import address, asked
from tests.module_fixtures import module_fixture
from tests.shown import text, ticked

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club(players=16, kind="event")


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def errors(response) -> list[str]:
    return re.findall(r"<li>([^<]+)</li>|<p class=\"mb-0\">([^<]+)</p>", response.content.decode())


def begun(here: Club, method: str = LOTS, **more) -> SeatingDraft:
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)
    return begin_seating(stage=stage, asked=PlanRequest(method=method, **more), seed=1, by=here.alice)


# --- who may


@pytest.mark.parametrize("name", ["seating:plan", "seating:search", "seating:accept", "seating:drop"])
def test_only_organizers_of_this_competition_come_in(here, name):
    method = "get" if name == "seating:plan" else "post"
    for person, status in ((here.charlie, 403), (here.dora, 403), (user("mallory"), 403)):
        assert getattr(signed_in(person), method)(address(here, name)).status_code == status
    other = club("autumn")
    foreign = reverse(name, args=[other.slug, here.stage.pk])
    assert getattr(signed_in(other.alice), method)(foreign).status_code == 404


@pytest.mark.parametrize("name", ["seating:search", "seating:accept", "seating:drop"])
def test_what_writes_takes_no_get(here, alice, name):
    assert alice.get(address(here, name)).status_code == 405


# --- asked for


def test_only_a_swiss_round_lets_the_lowest_ranked_sit_out(here, alice):
    here.add_players(1)
    refused = alice.post(address(here), asked(fill="lowest"))

    assert refused.status_code == 422
    assert "Only a Swiss round lets the lowest-ranked sit out." in refused.content.decode()

    page = alice.post(address(here), asked(method="swiss", fill="lowest", planned="5"), follow=True)
    assert page.status_code == 200
    assert draft_of(here.stage).asked["fill"] == "lowest"


def test_from_the_form_through_the_plan_to_the_seats(here, alice):
    assert "Create plan" in alice.get(address(here)).content.decode()

    answer = alice.post(address(here), asked(), follow=True)

    page = answer.content.decode()
    assert "Seating plan for rounds 1 to 5" in page
    assert "No repeated meetings." in page
    assert not Round.objects.exists()

    seen = re.search(r'name="seen" value="([0-9a-f]+)"', page)[1]
    answer = alice.post(
        address(here, "seating:accept"), {"key": str(uuid.uuid4()), "seen": seen}, follow=True
    )
    assert "Rounds 1 to 5 seated." in answer.content.decode()
    assert (Round.objects.count(), Seat.objects.count()) == (5, 80)


def test_the_seed_that_was_typed_gives_the_same_plan_again(here, alice):
    plans = []
    for _time in range(2):
        alice.post(address(here), asked(method="lots", seed="4711"))
        plans.append(draft_of(here.stage).plan)
    assert plans[0] == plans[1]
    assert draft_of(here.stage).seed == 4711


def test_names_tables_and_wishes_are_read(here, alice):
    typed = asked(
        method="random",
        tables="1-3, 8",
        clubs="0",
        countries="2",
        forbidden="陳大文, 李小明, Dora",
        wished="p6, p7",
        fixed="Émile: 8",
    )
    assert alice.post(address(here), typed).status_code == 302
    kept = PlanRequest.of_json(draft_of(here.stage).asked)
    ids = [player.pk for player in here.players]
    assert (kept.tables, kept.clubs, kept.countries) == ((1, 2, 3, 8), 0, 2)
    assert kept.forbidden == {(ids[0], ids[1]), (ids[0], ids[4]), (ids[1], ids[4])}
    assert (kept.wished, kept.fixed) == ({(ids[5], ids[6])}, {ids[6]: 8})


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"method": "chess"}, "Select a valid choice"),
        ({"rounds": ""}, "Enter the number of rounds."),
        ({"rounds": "61"}, "less than or equal to 60"),
        ({"tables": "1-x"}, "“1-x” is not a table number"),
        ({"tables": "9-1"}, "“9-1” is not a table number"),
        ({"forbidden": "陳大文"}, "Enter at least two names per line"),
        ({"forbidden": "陳大文, Stranger"}, "“Stranger” is not entered"),
        ({"fixed": "陳大文"}, "enter a name, a comma and a table number"),
        ({"sit_out_score": "1.55"}, "at most one decimal"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"tables": "1-3"}, "4 tables are needed, but only 3 are available"),
        ({"method": "plan"}, "No plan yet"),
        ({"method": "plan", "text": "[[1.5]]"}, "This JSON is not a plan"),
        ({"method": "plan", "text": "p1, p2, p3"}, "Round 1, table 1: a table needs four players."),
        ({"method": "plan", "text": "p1, p2, p3, p1"}, "“p1” has 2 seats."),
        ({"method": "plan", "text": "p1, p2, p3, zz"}, "“zz” is not entered"),
        ({"method": "plan", "text": "1,2,3,4"}, "numbers from 1 to 4. Choose whose numbers they are."),
        (
            {"method": "plan", "text": "1,2,3,4", "numbers": "drawn"},
            "The plan is for 4 players, but 16 play.",
        ),
    ],
)
def test_what_is_typed_wrong_is_said_and_stays_typed(here, alice, typed, sentence):
    response = alice.post(address(here), asked(**typed))
    assert response.status_code == 422
    assert sentence in response.content.decode().replace("&#x27;", "'")
    assert draft_of(here.stage) is None


def test_players_who_are_not_ticked_sit_out_and_unknown_ones_are_ignored(here, alice):
    offered = ",".join([*(str(player.pk) for player in here.players[:4]), "999999", "x"])
    assert alice.post(address(here), asked(method="lots", offered=offered, plays="x")).status_code == 302
    seated = {player for four in draft_of(here.stage).plan[0].values() for player in four}
    assert seated == {player.pk for player in here.players[4:]}


def test_swiss_asks_a_tournament_how_many_rounds_it_has_and_remembers_it(here, alice):
    swiss = asked(method="swiss")
    assert "Required. Include rounds already played." in text(alice.get(address(here)))
    assert (
        "Enter the total number of rounds of this stage." in alice.post(address(here), swiss).content.decode()
    )
    create_round(stage=here.stage, number=3, by=here.alice)
    few = alice.post(address(here), asked(method="swiss", planned="2")).content.decode()
    assert "The total must be at least 3, the round being seated." in few

    assert alice.post(address(here), asked(method="swiss", planned="5")).status_code == 302

    assert 'name="planned" value="5"' in alice.get(f"{address(here)}?new=1").content.decode()


@pytest.mark.parametrize(("spread", "apart"), [("", 4), ("halves", 2), ("3", 3)])
def test_an_interval_goes_over_all_tables_or_so_many_at_a_time(here, alice, spread, apart):
    assert alice.post(address(here), asked(method="interval", spread=spread)).status_code == 302
    order = seating_facts(here.stage).order
    ranks = [sorted(map(order.index, four)) for four in draft_of(here.stage).plan[0].values()]
    assert [0, apart, 2 * apart, 3 * apart] in ranks
    assert f'value="{spread}" selected' in alice.get(f"{address(here)}?new=1").content.decode()


def test_the_page_shows_repeats_and_ranks_of_each_way_to_weigh_them(here, alice):
    here.add_round(opened=False)
    alice.post(address(here), asked(method="swiss", planned="5", unfinished="on"))
    page = text(alice.get(address(here)))
    assert re.search(r"few repeated meetings, then similar ranks 0 \d+\.\d shown here", page)
    assert len(re.findall(r" \d+ \d+\.\d (?:shown here|Show this plan)", page)) == 5

    alice.post(address(here, "seating:search"), {"do": "weigh", "weighs": "close"})

    page = text(alice.get(address(here)))
    assert re.search(r"similar ranks, then few repeated meetings [1-9]\d* \d+\.\d shown here", page)
    assert re.search(r"few repeated meetings, then similar ranks 0 \d+\.\d Show this plan", page)


def test_a_round_that_follows_a_plan_says_that_another_try_gives_the_same(here, alice, monkeypatch):
    here.add_round(opened=False)
    alice.post(address(here), asked(method="swiss", planned="5", unfinished="on"))
    assert "“Try again” creates another plan" in text(alice.get(address(here)))
    seats, first = draft_of(here.stage), "“Try again” gives the same tables"
    plan = tuple({int(number): tuple(four) for number, four in tables.items()} for tables in seats.plan)
    found = FoundPlan(plan=plan, cost=tuple(seats.search["cost"]), seed=2, figures=(0, 9), follows=True)
    otherwise = {weighs: replace(found, follows=weighs == FEW) for weighs in WEIGHS}
    monkeypatch.setattr(drafts, "make_plan", lambda *_, **__: replace(found, otherwise=otherwise))

    answer = alice.post(address(here, "seating:search"), {"do": "again"}, follow=True)
    assert first in text(answer)
    assert "The new plan was not better, so the previous one is kept." in text(answer)
    for weighs, follows in (("close", False), (FEW, True)):
        alice.post(address(here, "seating:search"), {"do": "weigh", "weighs": weighs})
        assert (first in text(alice.get(address(here)))) == follows


def test_swiss_in_a_season_goes_on_without_a_number_of_rounds():
    league = club("summer", players=16)
    assert "Leave empty if not fixed." in text(signed_in(league.alice).get(address(league)))
    assert signed_in(league.alice).post(address(league), asked(method="swiss")).status_code == 302
    assert draft_of(league.stage).asked["planned"] is None


@pytest.mark.slow
def test_the_form_does_not_propose_to_replace_a_seating_because_a_player_came_late(here, alice):
    """Players without a seat in the seated rounds are named once they come, with a link to seat again."""
    begun(here, SCHEDULE, rounds=3, out=frozenset(player.pk for player in here.players[12:]))
    alice.post(address(here, "seating:accept"), {"key": str(uuid.uuid4()), "seen": seen_state(here.stage)})
    keep_attendance(here.stage, day_of_play(here.competition), here=[p.pk for p in here.players], away=())
    page = alice.get(address(here)).content.decode()
    assert '<option value="" selected>4 (new)</option>' in page
    again = Round.objects.get(number=1).pk
    assert f'href="?new=1&amp;round={again}"' in page
    page = alice.get(f"{address(here)}?new=1&round={again}").content.decode()
    assert f'<option value="{again}" selected>' in page


def test_a_round_is_seated_again_from_its_own_button(here, alice):
    first, second = here.add_round(opened=False), here.add_round(opened=False)
    page = alice.get(address(here) + f"?round={second.pk}").content.decode()
    assert f'<option value="{second.pk}" selected>2 (already seated, will be replaced)</option>' in page
    alice.post(address(here), asked(method="lots", first=str(second.pk)))
    assert draft_of(here.stage).rounds == [second.pk]
    assert first.pk != second.pk


def test_an_odd_number_says_what_happens_before_and_who_sits_out_after(here, alice):
    here.add_players(1)
    assert "17 players: 1 sits out each round" in alice.get(address(here)).content.decode()
    page = alice.post(address(here), asked(), follow=True).content.decode()
    assert "5 players sit out" in page
    assert page.count("Sits out:") == 5


# --- looked at


def test_missing_players_lead_to_the_form_for_one_more_and_back():
    nine = club("nine", players=9)
    there = address(nine)
    page = signed_in(nine.alice).get(there).content.decode()
    assert "With 3 more, everyone plays." in page
    add = reverse("roster:new", args=[nine.slug])
    assert f"{add}?as=substitute&amp;next={there.replace('/', '%2F')}" in page


def test_players_who_meet_again_are_listed_with_the_bound(here, alice):
    here.add_round(opened=False)
    everyone = [player.pk for player in here.players]
    plan = {at // 4 + 1: tuple(everyone[at : at + 4]) for at in range(0, 16, 4)}
    begun(here, "plan", given=(plan,))
    page = " ".join(alice.get(address(here)).content.decode().split())
    assert "24 repeated meetings. No two players meet more than 2 times. Fewer may be possible." in page
    assert '<span class="name">陳大文</span> – <span class="name">李小明</span>' in page


@pytest.mark.parametrize(
    ("method", "out", "sentence"),
    [
        (LOTS, (), "Substitutes again, as before: Player 17 for 張志強."),
        (SCHEDULE, (), "Substitutes again, as before: Player 17 for 張志強."),
        (LOTS, (16,), "These substitutes cannot continue: Player 17 for 張志強."),
    ],
)
def test_the_plan_says_who_sits_down_for_whom_before_it_is_accepted(here, alice, method, out, sentence):
    here.add_players(1)
    here.competition.entrants.filter(key="p17").update(is_substitute=True)
    seat = Seat.objects.get(round=here.add_round(opened=False), player=here.players[3])
    substitute_player(
        seat=seat,
        substitute=here.players[16].pk,
        late=False,
        score=0,
        reason="ill",
        onwards=True,
        by=here.alice,
    )
    begun(here, method, out=frozenset(here.players[position].pk for position in out))

    assert sentence in alice.get(address(here)).content.decode()


def test_a_player_who_left_makes_the_plan_out_of_date(here, alice):
    draft = begun(here)
    here.competition.entrants.filter(key="p1").update(withdrawn_at=timezone.now())
    page = alice.get(address(here)).content.decode()
    assert "Players have joined or left since this plan was created" in page
    assert "Accept and seat" not in page
    before = draft_of(here.stage).search
    alice.post(address(here, "seating:search"), {"do": "again"})
    assert draft_of(here.stage).search == before
    assert draft.pk == draft_of(here.stage).pk


def test_a_draft_of_another_organizer_is_not_overwritten_unseen(here, alice):
    old = alice.get(address(here)).content.decode()
    begun(here)
    SeatingDraft.objects.update(created_by=here.bob)
    seen = re.search(r'name="seen" value="([0-9a-f]*)"|name="seen"', old)
    response = alice.post(address(here), asked(method="lots", seen=seen[1] or ""))
    assert response.status_code == 422
    assert "bob-spring has created a seating plan" in response.content.decode()


# --- searched


def searching(here: Club) -> None:
    """A search that has only begun: 22 players in 8 rounds."""
    here.add_players(6)
    draft = begun(here, SCHEDULE, rounds=8)
    draft.search |= {"status": "running", "budget": draft.search["state"]["legs"] + 1}
    draft.save()


def test_without_a_script_a_button_searches_on(here, alice):
    searching(here)
    page = alice.get(address(here)).content.decode()
    assert "Keep searching" in page
    before = draft_of(here.stage).search["state"]["legs"]
    assert alice.post(address(here, "seating:search"), {"do": "on"}).status_code == 302
    after = draft_of(here.stage).search
    assert (after["state"]["legs"], after["status"]) == (before + 1, "done")


def test_a_script_gets_the_progress_alone(here, alice):
    searching(here)
    answer = alice.post(
        address(here, "seating:search"), {"do": "stop"}, headers={"X-Requested-With": "fetch"}
    )
    text = answer.content.decode()
    assert answer.status_code == 200
    assert 'data-running="no"' in text
    assert "<html" not in text
    assert "Search longer" in text


def test_a_search_without_a_plan_says_that_the_plan_is_gone(here, alice):
    page = alice.post(address(here, "seating:search"), {"do": "on"}, follow=True).content.decode()
    assert "This seating plan was accepted or discarded a moment ago" in page


@pytest.mark.parametrize("form", [{}, {"do": "dance"}, {"do": "again", "seed": "x"}])
def test_a_button_that_says_nothing_changes_nothing(here, alice, form):
    begun(here)
    before = draft_of(here.stage).plan
    alice.post(address(here, "seating:search"), form)
    assert draft_of(here.stage).plan == before


# --- accepted, dropped


@pytest.mark.parametrize("form", [{}, {"seen": "x"}, {"key": "1", "seen": "y"}])
def test_a_bad_form_seats_no_one(here, alice, form):
    begun(here)
    alice.post(address(here, "seating:accept"), form)
    assert not Seat.objects.exists()


def test_a_plan_that_is_another_one_by_now_is_shown_again(here, alice):
    begun(here)
    form = {"key": str(uuid.uuid4()), "seen": "0" * 16}
    page = alice.post(address(here, "seating:accept"), form, follow=True).content.decode()
    assert "The plan has changed since you opened the page" in page
    assert not Seat.objects.exists()


def test_accepting_twice_is_accepting_once(here, alice):
    begun(here)
    seen = re.search(r'name="seen" value="([0-9a-f]+)"', alice.get(address(here)).content.decode())[1]
    form = {"key": str(uuid.uuid4()), "seen": seen}
    for _time in range(2):
        page = alice.post(address(here, "seating:accept"), form, follow=True).content.decode()
        assert "seated" in page
    assert Round.objects.count() == 1


def test_after_cancelling_the_next_form_keeps_the_wishes(here, alice):
    begun(here, clubs=0, forbidden=frozenset({(here.players[0].pk, here.players[1].pk)}))
    alice.post(address(here, "seating:drop"), {"key": str(uuid.uuid4())})
    page = alice.get(address(here)).content.decode()
    assert "陳大文, 李小明" in page
    assert '<option value="0" selected>in every round</option>' in page
    assert not Round.objects.exists()


# --- the hand-made ways keep how they were made


def test_a_round_seated_by_hand_or_drawn_says_so(here, alice):
    round_ = here.add_round(opened=False)
    page = alice.get(reverse("seating:by_hand", args=[here.slug, round_.pk]) + "?how=paste").content.decode()
    form = {
        "key": str(uuid.uuid4()),
        "how": "paste",
        "based_on": re.search(r'name="based_on" value="([0-9a-f]+)"', page)[1],
        "seating": "p1,p2,p3,p4",
    }
    assert alice.post(reverse("seating:by_hand", args=[here.slug, round_.pk]), form).status_code == 302
    round_.refresh_from_db()
    assert (round_.method, round_.seed) == ("hand", None)


def test_the_organizers_page_leads_back_to_a_seating_that_is_being_made(here, alice):
    manage = reverse("competitions:manage", args=[here.slug])
    assert "Create seating" in alice.get(manage).content.decode()
    begun(here)
    page = alice.get(manage).content.decode()
    assert f'href="{address(here)}">Continue seating</a>' in page
    alice.post(address(here, "seating:drop"), {"key": str(uuid.uuid4())})
    assert "Create seating" in alice.get(manage).content.decode()


def test_as_many_queries_for_one_round_as_for_five(here, alice, django_assert_num_queries):
    begun(here, SCHEDULE, rounds=1)
    alice.get(address(here))
    with CaptureQueriesContext(connection) as one:
        alice.get(address(here))
        count = len(one)
    begun(here, SCHEDULE, rounds=5)
    alice.get(address(here))
    with django_assert_num_queries(count):
        page = alice.get(address(here)).content.decode()
    assert page.count("seating-round") == 5


def test_a_plan_names_the_tables_that_another_division_uses(here, alice):
    other = add_division(
        competition=here.competition, name="Second", rules=here.division.rule_set, by=here.alice
    ).stages.get()
    round_ = Round.objects.create(stage=other, number=1)
    for number in (2, 3, 9):
        Table.objects.create(round=round_, number=number)
    begun(here, SCHEDULE, rounds=1)
    said = "Another division also sits at table 2–3."
    assert said in text(alice.get(address(here)))
    round_.status = Round.Status.CLOSED
    round_.save()
    assert said not in text(alice.get(address(here)))


def test_tables_of_another_division_may_be_used_on_another_day(here, alice):
    other = add_division(
        competition=here.competition, name="Second", rules=here.division.rule_set, by=here.alice
    ).stages.get()
    round_ = Round.objects.create(stage=other, number=1, date=date(2026, 11, 1))
    Table.objects.create(round=round_, number=1)
    own = Round.objects.create(stage=here.stage, number=1, date=date(2026, 11, 2))
    begun(here, SCHEDULE, rounds=1)
    said = "Another division also sits at table 1."
    assert said not in text(alice.get(address(here)))
    Round.objects.filter(pk=own.pk).update(date=date(2026, 11, 1))
    assert said in text(alice.get(address(here)))


def test_a_large_plan_shows_one_round_at_a_time(here, alice):
    begun(here, SCHEDULE, rounds=40)
    page = alice.get(address(here)).content.decode()
    assert (page.count("seating-round"), page.count("?show=")) == (1, 41)
    grid = alice.get(address(here) + "?show=grid").content.decode()
    assert (grid.count("seating-round"), grid.count('<th scope="row">')) == (0, 16)
    third = alice.get(address(here) + "?show=3").content.decode()
    assert 'href="?show=3" aria-current="page"' in third


def test_players_sit_by_the_numbers_of_the_plan_that_they_drew_in_the_hall(here, alice):
    plan = "1-2-3-4\n5-6-7-8\n9-10-11-12\n13-14-15-16\n\n1-5-9-13\n2-6-10-14\n3-7-11-15\n4-8-12-16"
    alice.post(address(here), asked(method="plan", numbers="drawn", text=plan))
    one, other = here.players[0].pk, here.players[15].pk
    numbers = address(here, "seating:numbers")

    twice = alice.post(numbers, {f"n{one}": "6", f"n{other}": "6"})
    assert twice.status_code == 422
    assert "has this number. Each number is drawn once." in text(twice)

    said = text(alice.post(numbers, {f"n{one}": "6", f"n{other}": "16"}, follow=True))
    assert "2 numbers saved." in said
    seated = draft_of(here.stage).plan
    assert (seated[0]["2"][1], seated[1]["2"][1]) == (one, one)
    assert (seated[0]["4"][3], seated[1]["4"][3]) == (other, other)
    for round_ in seated:
        assert sorted(p for four in round_.values() for p in four) == sorted(p.pk for p in here.players)
    assert 'value="6"' in alice.get(numbers).content.decode()


def test_numbers_of_a_plan_whose_player_was_removed_lead_to_the_plan(here, alice):
    gone = begun(here).plan[0]["1"][0]
    entrant = here.competition.entrants.get(player=gone)
    remove_entrant(competition=here.competition, entrant_id=entrant.pk, by=here.alice)

    answer = alice.get(address(here, "seating:numbers"), follow=True)

    assert "Players have joined or left since this plan was created." in text(answer)


@pytest.mark.parametrize(
    ("method", "seats"), [("lots", True), ("schedule", True), ("swiss", False), ("random", False)]
)
def test_numbers_of_a_draw_or_a_first_schedule_are_seats_of_the_first_round(here, alice, method, seats):
    alice.post(address(here), asked(method=method, planned="5"))
    alice.post(address(here, "seating:search"), {"do": "stop"})
    one = here.players[0].pk
    answer = alice.post(address(here, "seating:numbers"), {f"n{one}": "6"} if seats else {})
    assert ("Numbers drawn in the hall" in text(alice.get(address(here)))) == seats
    assert answer.status_code == (302 if seats else 422)
    assert (draft_of(here.stage).plan[0]["2"][1] == one) == seats


def test_who_was_away_is_not_ticked_for_the_next_round_of_the_day_only(here, alice):
    away = [str(player.pk) for player in here.players[:3]]
    create_round(stage=here.stage, number=1, by=here.alice)
    tomorrow = create_round(stage=here.stage, number=2, by=here.alice)
    Round.objects.filter(pk=tomorrow.pk).update(date=timezone.localdate() + timedelta(days=2))
    alice.post(address(here), asked(method="lots", offered=",".join(away)))
    accept = {"key": str(uuid.uuid4()), "seen": seen_state(here.stage)}
    assert alice.post(address(here, "seating:accept"), accept).status_code == 302

    create_round(stage=here.stage, number=3, by=here.alice)
    today = alice.get(f"{address(here)}?round={Round.objects.get(number=3).pk}")
    later = alice.get(f"{address(here)}?round={tomorrow.pk}")

    assert not set(ticked(today, "plays")) & set(away)
    assert "Only players on the day’s attendance list are ticked." in text(today)
    assert set(away) < set(ticked(later, "plays"))
