"""Panels of a table's page and a commentator's, filled in from a game, its players and the totals."""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.test import Client

from league.extras.needs.panels.hand import commentary, needs_address
from league.extras.needs.queries.hand import MOST_RIVALS
from league.people.members.queries import players_of
from league.ranking.standings.queries.standings import totals_before
from league.rules.rule_sets.queries.rule_sets import division_key
from scoring.hanchan import HandName, new_game
from scoring.presets import resolve
from tests.factories import club

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    made = club()
    made.add_round()
    return made


def game_of(here, points):
    rules = here.division.rules
    deposits = rules.total_points - sum(points)
    return new_game(rules, at=HandName(1, 4, 1), points=points, deposits=deposits)


def players(here):
    info = players_of(here.competition)
    return [info[player.pk] for player in here.players[:4]]


def text(html: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", html).split()))


@pytest.mark.slow
def test_the_address_of_a_table_asks_for_a_player_with_all_totals(here):
    start = here.division.rules.start_points
    game = game_of(here, (start + 5000, start + 300, start - 500, start - 4800))
    totals = {player.pk: 100 * index for index, player in enumerate(here.players)}
    address = needs_address(game, players(here), totals, me=1, rules_key=division_key(here.division))

    shown = text(Client().get(f"{address}&goal=rank&rank=5").content.decode())
    assert "South 4, honba 1 · Rank 5 in the standings or better" in shown
    assert f"{here.players[1].name} " in shown
    assert "Total before: +10.0" in shown
    assert f'value="{here.players[1].name}"' in Client().get(address).content.decode()


def test_a_commentator_sees_all_four(here):
    start = here.division.rules.start_points
    panel = commentary(game_of(here, (start,) * 4), players(here), {}, rules_key=division_key(here.division))

    assert [each.name for each in panel.players] == [player.name for player in here.players[:4]]
    assert [each.deals for each in panel.players] == [False, False, False, True]
    shown = text(render_to_string("needs/_panel.html", {"needs": panel}))
    assert shown.startswith("South 4, honba 1 · 1st place")
    opened = text(Client().get(panel.address).content.decode())
    for each in panel.players:
        assert each.call in shown
        assert each.call in opened


def test_a_commentator_reads_which_value_leads_to_a_shared_place(here):
    start = here.division.rules.start_points
    game = game_of(here, (start + 12000, start, start - 2000, start - 10000))
    panel = commentary(replace(game, honba=0), players(here), {}, rules_key=division_key(here.division))

    shown = text(render_to_string("needs/_panel.html", {"needs": panel}))
    call = "Tsumo 3,000/6,000, ron 12,000 (shared, alone with 16,000), or 6,400 from the leader"
    assert call in shown


def test_too_many_rivals_for_an_address_leave_a_goal_at_the_table(here):
    start = here.division.rules.start_points
    game, seated = game_of(here, (start,) * 4), players(here)
    few = {-number: number for number in range(1, MOST_RIVALS + 1)} | {here.players[0].pk: 70}

    assert "rivals=0.1" in needs_address(game, seated, few, rules_key="mleague", me=0)
    many = needs_address(game, seated, few | {-999: 0}, rules_key="mleague", me=0)
    assert "rivals" not in many
    assert "t0=7.0" not in many


def test_the_address_says_whether_the_time_is_up(here):
    rules = resolve("mleague", {"minutes": 60, "extra_hands": 2})
    game = new_game(rules, at=HandName(1, 2, 0))
    for late, is_over in ((None, False), (0, False), (1, True)):
        address = needs_address(replace(game, late=late), players(here), {}, rules_key="mleague")
        assert ("over=1" in address) == is_over


def test_totals_are_those_of_the_standings_if_every_game_counts(here):
    start = here.division.rules.start_points
    here.record((start + 10000, start, start, start - 10000))
    totals = totals_before(here.stage, public=True)

    assert totals is not None
    assert set(totals) == {player.pk for player in here.players[:4]}
    assert sum(totals.values()) == 0
    here.stage.standard_hanchan, here.stage.beyond = 1, "best"
    assert totals_before(here.stage, public=True) is None
