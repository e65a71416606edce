"""Screens and the ceremony in the database."""

import uuid

import pytest

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.extras.hall.queries.screens import ceremony_steps
from league.extras.hall.services import (
    add_screen,
    end_ceremony,
    remove_screen,
    reveal,
    set_screen,
    start_ceremony,
)
from league.models import Ceremony, Competition, Screen, Stage
from league.organizing.interchange.exports.competition_file import competition_json
from league.play.rounds.services import set_visibility
from league.ranking.standings.queries.standings import standings
from tests.factories import Club, club, last_entry, revision
from tests.league.organizing.interchange.files import loaded

FIRST, SECOND = (45_000, 35_000, 25_000, 15_000), (45_000, 35_000, 30_000, 10_000)


@pytest.fixture
def spring(db) -> Club:
    """Two tables with results that are not published. Two players share first place, two second."""
    made = club()
    made.add_round(visibility="seating")
    made.record(FIRST)
    made.record(SECOND, number=2)
    made.stage = Stage.objects.select_related("division__competition", "division__rule_set").get()
    return made


# --- screens


def test_screens_get_addresses_of_their_own(spring):
    made = [
        add_screen(competition=spring.competition, name=name, by=spring.alice)
        for name in ("Left", "左", "左")
    ]
    assert [each.slug for each in made] == ["left", "screen", "screen-2"]
    assert last_entry(spring.competition).action == "screen.add"


def test_a_change_of_a_screen_raises_its_version_and_no_revision(spring):
    screen = add_screen(competition=spring.competition, name="Left", by=spring.alice)
    public = revision(spring.competition)
    changed = set_screen(screen=screen, values={"shows": "clock"}, by=spring.alice)
    assert (changed.shows, changed.version) == ("clock", 2)
    assert revision(spring.competition) == public


def test_a_message_needs_its_text(spring):
    screen = add_screen(competition=spring.competition, name="Left", by=spring.alice)
    with pytest.raises(Refused, match="message"):
        set_screen(screen=screen, values={"shows": "message"}, by=spring.alice)
    assert set_screen(screen=screen, values={"shows": "message", "text": "Lunch"}, by=spring.alice).text


def test_a_removed_screen_is_gone_for_who_still_sees_it(spring):
    screen = add_screen(competition=spring.competition, name="Left", by=spring.alice)
    remove_screen(screen=screen, by=spring.alice)
    with pytest.raises(Refused, match="deleted"):
        set_screen(screen=screen, values={"shows": "clock"}, by=spring.alice)
    assert not Screen.objects.exists()


def test_a_finished_competition_has_its_ceremony(spring):
    Competition.objects.update(finished_at="2026-05-01T12:00Z")
    assert start_ceremony(stage=spring.stage, places=3, by=spring.alice).places == 3


def test_a_file_that_replaces_the_competition_keeps_its_screens_and_ends_the_ceremony(spring):
    screen = add_screen(competition=spring.competition, name="Left", by=spring.alice)
    set_screen(screen=screen, values={"division": spring.division}, by=spring.alice)
    start_ceremony(stage=spring.stage, places=3, by=spring.alice)
    loaded(competition_json(spring.competition).encode(), spring.league)
    assert list(Screen.objects.values_list("slug", "division")) == [("left", None)]
    assert not Ceremony.objects.exists()


# --- the ceremony


def test_the_steps_go_from_the_last_place_to_the_first_and_keep_ties_together(spring):
    steps = ceremony_steps(spring.stage, places=8)
    shown = [line for step in reversed(steps) for line in step]
    ranked = standings(spring.stage, public=False).rows
    assert shown == list(ranked)
    assert {len({line.row.rank for line in step}) for step in steps} == {1}
    assert [len(step) for step in steps] == [1, 1, 1, 1, 2, 2]


def test_the_first_press_reveals_all_below_the_named_places(spring):
    steps = ceremony_steps(spring.stage, places=3)
    assert [len(step) for step in steps] == [4, 2, 2]
    assert [line.row.rank for line in steps[0]] == [5, 6, 7, 8]


def test_nobody_without_results_has_a_ceremony(db):
    made = club()
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get()
    with pytest.raises(Refused, match="No results"):
        start_ceremony(stage=stage, places=3, by=made.alice)


def test_one_press_reveals_one_place_and_undo_hides_it(spring):
    ceremony = start_ceremony(stage=spring.stage, places=8, by=spring.alice)
    reveal(ceremony=ceremony, seen=0, by=spring.alice)
    reveal(ceremony=ceremony, seen=1, by=spring.alice)
    reveal(ceremony=ceremony, seen=2, back=True, by=spring.alice)
    assert Ceremony.objects.get().revealed == 1
    assert last_entry(spring.competition).action == "ceremony.undo"


def test_of_two_people_who_press_at_once_one_reveals(spring):
    ceremony = start_ceremony(stage=spring.stage, places=8, by=spring.alice)
    reveal(ceremony=ceremony, seen=0, by=spring.alice)
    for back in (False, True):
        with pytest.raises(Refused, match="a moment ago"):
            reveal(ceremony=ceremony, seen=0, back=back, by=spring.bob)
    assert Ceremony.objects.get().revealed == 1


def test_a_press_that_arrives_twice_reveals_one_place(spring):
    ceremony = start_ceremony(stage=spring.stage, places=8, by=spring.alice)
    form = Sent.of(uuid.uuid4(), "reveal")
    reveal(ceremony=ceremony, seen=0, by=spring.alice, form=form)
    with pytest.raises(AlreadyDone):
        reveal(ceremony=ceremony, seen=0, by=spring.alice, form=form)
    assert Ceremony.objects.get().revealed == 1


def test_after_the_first_place_nothing_is_left_to_reveal(spring):
    ceremony = start_ceremony(stage=spring.stage, places=1, by=spring.alice)
    for seen in range(2):
        reveal(ceremony=ceremony, seen=seen, by=spring.alice)
    with pytest.raises(Refused, match="All places"):
        reveal(ceremony=ceremony, seen=2, by=spring.alice)


def test_before_the_first_press_there_is_nothing_to_undo(spring):
    ceremony = start_ceremony(stage=spring.stage, places=1, by=spring.alice)
    with pytest.raises(Refused, match="No place"):
        reveal(ceremony=ceremony, seen=0, back=True, by=spring.alice)


def test_a_competition_has_one_ceremony_at_a_time(spring):
    ceremony = start_ceremony(stage=spring.stage, places=1, by=spring.alice)
    with pytest.raises(Refused, match="has already started"):
        start_ceremony(stage=spring.stage, places=2, by=spring.alice)
    end_ceremony(ceremony=ceremony, by=spring.alice)
    assert start_ceremony(stage=spring.stage, places=2, by=spring.alice).revealed == 0


def test_the_revealed_places_are_the_standings_that_are_published_then(spring):
    steps = ceremony_steps(spring.stage, places=8)
    set_visibility(round_=spring.rounds[0], visibility="results", by=spring.alice)
    spring.competition.refresh_from_db()
    spring.stage.division.competition = spring.competition
    published = standings(spring.stage, public=True).rows
    assert [(line.player, line.row.rank, line.row.tied) for step in reversed(steps) for line in step] == [
        (line.player, line.row.rank, line.row.tied) for line in published
    ]
