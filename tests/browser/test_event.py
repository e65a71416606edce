"""An event of forty players by the organizer's own clicks: a schedule of ten rounds, someone who leaves, a
substitute, two wrong seats, a cut to sixteen, a semi-final with half the points, a final.
"""

import random

import pytest
from django.urls import reverse

from league.models import Entrant, Round, Seat, Sheet, Stage, Table
from league.organizing.seating.queries.seating import seating_facts
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from league.ranking.standings.queries.standings import compute_standings
from scoring.seating.checker import check_plan
from scoring.units import half
from tests.browser.kit import expect, fill, is_wide, press, press_keys, totals
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

WIDTH = 390  # a phone


@pytest.fixture
def here() -> Club:
    """Forty players, and two substitutes behind them."""
    made = club("spring", players=42, preset="ema-2025", kind="event")
    made.competition.entrants.filter(key__in=("p41", "p42")).update(is_substitute=True)
    return made


class Organizer:
    """Alice with her phone."""

    def __init__(self, page, here: Club) -> None:
        self.page, self.here = page, here

    def press(self, to: str, **holds: object) -> None:
        press(self.page, to, **holds)

    def manage(self) -> None:
        self.page.goto(reverse("competitions:manage", args=[self.here.slug]))

    def seat(self, stage: Stage, **asked: object) -> None:
        """Asks for a plan of the stage's seating, and sees it."""
        self.manage()
        self.press("seating:plan", pk=stage.pk)
        fill(self.page, **asked)
        self.press("seating:plan")

    def accept(self) -> None:
        self.press("seating:accept")

    def play(self, round_: Round, *, close: bool = True) -> None:
        """Opens the round, types its first table, lets the helpers enter the others, closes it."""
        self.manage()
        self.press("rounds:status", pk=round_.pk, status="open")
        tables = list(round_.tables.order_by("number"))
        self.let_enter(tables[1:])
        self.page.goto(reverse("results:enter_round", args=[self.here.slug, round_.pk]))
        expect(self.page.locator("#number")).to_be_focused()
        east, south, west, _north = points_of(round_, tables[0].number)
        press_keys(self.page, ("1", "Enter", *typed(east), *typed(south), *typed(west), "=", "Enter"))
        expect(self.page.locator(".sheet-list [data-show]")).to_have_count(0)
        if close:
            self.close(round_)

    def let_play(self, rounds: list[Round]) -> None:
        """Lets the helpers do all of it: the clicks would be those of the rounds before."""
        for round_ in rounds:
            open_round(round_=round_, visibility=Round.Visibility.RESULTS, by=self.here.alice)
            self.let_enter(list(round_.tables.order_by("number")))
            close_round(round_=round_, by=self.here.alice)

    def let_enter(self, tables: list[Table]) -> None:
        for table in tables:
            points = points_of(table.round, table.number)
            record_result(table=table, points=points, based_on=0, by=self.here.charlie)

    def close(self, round_: Round) -> None:
        self.manage()
        self.press("rounds:status", pk=round_.pk, status="close")


def typed(points: int) -> list[str]:
    return [*str(points // 100), "Enter"]


def points_of(round_: Round, table: int) -> tuple[int, int, int, int]:
    """The same for the same round and table: 120 000 in all."""
    chance = random.Random(f"{round_.stage.name}/{round_.number}/{table}")
    three = [100 * chance.randrange(100, 420) for _ in range(3)]
    return three[0], three[1], three[2], 120_000 - sum(three)


def rounds_of(stage: Stage) -> list[Round]:
    return list(stage.rounds.select_related("stage__division__competition").order_by("number"))


def plan_of(stage: Stage) -> list[list[list[int]]]:
    """Rounds of tables of players, as seated."""
    found = []
    for each in seating_facts(stage).rounds:
        found.append([list(four) for four in each.tables.values()])
    return found


def stage_named(name: str) -> Stage:
    return Stage.objects.select_related("division__competition", "division__rule_set").get(name=name)


@pytest.mark.slow
def test_an_event_of_forty_players_from_the_schedule_to_the_title(here, open_page, sign_in):
    page = open_page(viewport={"width": WIDTH, "height": 844})
    sign_in(page, here.alice)
    alice = Organizer(page, here)
    stage = stage_named(here.stage.name)

    # A schedule of ten rounds: seen with all it is, then accepted.
    alice.seat(stage, rounds=10)
    assert not is_wide(page)
    assert not Round.objects.exists()
    alice.accept()
    rounds = rounds_of(stage)
    assert check_plan(plan_of(stage)).is_perfect

    alice.play(rounds[0])
    alice.let_play(rounds[1:3])

    # Someone leaves: the rounds that remain are seated again, with a substitute at the last table.
    leaver = here.competition.entrants.get(key="p7")
    page.goto(reverse("roster:edit", args=[here.slug, leaver.pk]))
    alice.press("roster:withdraw")
    alice.manage()
    alice.press("seating:plan")
    assert page.locator("[name=first]").input_value() == str(rounds[3].pk)
    assert page.locator("[name=rounds]").input_value() == "7"
    alice.press("seating:plan")
    stop, again = (page.locator(f"button[name=do][value={name}]").first for name in ("stop", "again"))
    stop.or_(again).first.wait_for()
    if stop.is_visible():  # unless nothing better can be by now
        stop.click()
    again.wait_for()
    alice.accept()
    plan = plan_of(stage)
    assert [len(tables) for tables in plan] == [10] * 10
    assert check_plan(plan).faults == ()
    assert not Seat.objects.filter(player=leaver.player_id, round__number__gt=3).exists()
    assert Seat.objects.filter(player=here.players[40].pk).count() == 7

    alice.play(rounds[3])

    # For round 5 a substitute sits in for someone who comes back.
    absent = Seat.objects.get(round=rounds[4], player=here.players[2].pk)
    page.goto(reverse("substitutions:seat", args=[here.slug, absent.pk]))
    form = page.locator("form[action$='/substitute/']")
    form.locator("select").select_option(str(here.players[41].pk))
    form.locator("[name=reason]").fill("missed the train")
    alice.press("substitutions:substitute")
    alice.play(rounds[4])

    # In round 6 two sat in each other's seats; found out after the results.
    alice.play(rounds[5], close=False)
    one, other = (Seat.objects.get(round=rounds[5], table__number=number, wind=0) for number in (1, 2))
    page.goto(reverse("substitutions:round", args=[here.slug, rounds[5].pk]))
    form = page.locator("form[action$='/swap/']")
    for select, seat in zip(form.locator("select").all(), (one, other), strict=True):
        select.select_option(str(seat.player_id))
    form.locator("[name=reason]").fill("sat at each other's table")
    alice.press("substitutions:swap")
    alice.press("substitutions:swap")  # after the points before and after
    assert Seat.objects.get(pk=one.pk).player_id == other.player_id
    assert Sheet.objects.filter(table__round=rounds[5], is_current=True, version=2).count() == 2
    alice.close(rounds[5])

    alice.let_play(rounds[6:])

    # Sixteen go on, with half of their points; of those who are there.
    rows = compute_standings(stage, public=False).rows
    ranked = [line for line in rows if line.player.player != leaver.player_id]  # may well be ahead
    cut(alice, "Semi-final", top=16, carry="half", hanchan=2)
    semi = stage_named("Semi-final")
    before = {line.player.player: line.row.carried for line in compute_standings(semi, public=False).rows}
    assert before == {line.player.player: half(line.row.total) for line in ranked[:16]}
    alice.seat(semi)
    alice.accept()
    first, second = rounds_of(semi)
    alice.play(first)
    alice.let_play([second])

    # Four play for the title, with all that they have.
    four = compute_standings(semi, public=False).rows[:4]
    cut(alice, "Final", top=4, carry="all", hanchan=1)
    final = stage_named("Final")
    alice.manage()
    alice.press("seating:plan", pk=final.pk)
    page.locator("[name=method][value=rank]").check()
    alice.press("seating:plan")
    alice.accept()
    (last,) = rounds_of(final)
    alice.play(last)
    alice.manage()
    alice.press("rounds:publish")  # the last round was closed without publishing
    rows = compute_standings(final, public=True).rows
    assert {line.player.player for line in rows} == {line.player.player for line in four}
    page.goto(reverse("standings:stage", args=[here.slug, "main", final.slug]))
    assert list(totals(page)) == [line.player.name for line in rows]
    assert Entrant.objects.get(pk=leaver.pk).withdrawn_at is not None


def cut(alice: Organizer, name: str, *, top: int, carry: str, hanchan: int) -> None:
    alice.manage()
    alice.press("stages:cut")
    fill(alice.page, name=name, top=top, hanchan=hanchan)
    alice.page.locator(f"[name=carry][value={carry}]").check()
    alice.page.locator("[name=seated][value=later]").check()
    alice.press("stages:cut")
    alice.press("stages:cut", method="post")
