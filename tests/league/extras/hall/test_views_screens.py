"""Screens: set from a phone, shown to all, and silent about what is hidden."""

import uuid

import pytest
from django.http import HttpResponse
from django.test import Client

from league.core.door import round_code, screen_key
from league.extras.hall.queries.screens import ceremony_steps
from league.extras.hall.services import add_screen, end_ceremony, reveal, set_screen, start_ceremony
from league.models import Competition, Round, Screen, Stage
from league.organizing.competitions.services import add_division
from league.play.calls.services import renew_table_codes, start_clock
from league.play.results.services import record_result
from league.play.rounds.services import close_round, set_visibility
from tests.factories import Club, as_seen, club, signed_in
from tests.teams import play_to_the_end, team_club

HIDDEN = (53_700, 41_300, 19_800, 5_200)


@pytest.fixture
def spring(db) -> Club:
    """One published round, and a second one whose results are hidden."""
    made = club(overrides={"minutes": 60})
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    made.record((44_000, 36_000, 25_000, 15_000), number=2)
    made.add_round(visibility="seating")
    made.record(HIDDEN, round_number=2)
    made.stage = Stage.objects.select_related("division__competition", "division__rule_set").get()
    return made


@pytest.fixture
def left(spring) -> Screen:
    return add_screen(competition=spring.competition, name="Left", by=spring.alice)


def shown(made: Club, query: str = "", client: Client | None = None) -> str:
    return (client or Client()).get(f"/c/{made.slug}/screens/left/{query}").content.decode()


def version(made: Club) -> str:
    return Client().get(f"/c/{made.slug}/screens/left/version/").json()["revision"]


def names(made: Club) -> list[str]:
    return [player.name for player in made.players]


@pytest.mark.parametrize("shows", Screen.Shows.values)
def test_every_kind_of_screen_is_shown_to_visitors_and_to_staff_alike(spring, left, shows):
    set_screen(screen=left, values={"shows": shows, "text": "Lunch <b>", "table": 1}, by=spring.alice)
    page = shown(spring)
    assert 'data-revision="' in page
    staff = shown(spring, client=signed_in(spring.alice))
    main = [text[text.index("<main") : text.index("</main>")] for text in (page, staff)]
    assert main[0] == main[1]
    assert ("Find my seat" in page) == (shows not in {"blank", "stream"})  # the code of the seat page stays
    assert "<b>" not in page


def test_a_screen_shows_what_it_is_set_to(spring, left):
    start_clock(round_=spring.table(2).round, by=spring.bob)
    holds = {
        "seats": "Table 1",
        "standings": "+",
        "clock": "data-clock",
        "message": "Lunch",
        "tables": "An organizer can show them in Settings.",
    }
    for shows, words in holds.items():
        set_screen(screen=left, values={"shows": shows, "text": "Lunch"}, by=spring.alice)
        assert words in shown(spring), shows


def test_a_screen_says_why_it_has_nothing_to_show(spring, left):
    set_screen(screen=left, values={"shows": "tables"}, by=spring.alice)
    Competition.objects.update(shows_hands=True)
    Round.objects.update(visibility="seating")
    assert "The results of this round are not published" in shown(spring)
    for each in Round.objects.filter(status=Round.Status.OPEN):
        close_round(round_=each, by=spring.bob)
    assert "No round is being played." in shown(spring)


def test_a_screen_without_a_time_limit_says_so(db):
    made = club(overrides={"minutes": None})
    made.add_round()
    add_screen(competition=made.competition, name="Left", by=made.alice)
    set_screen(screen=Screen.objects.get(), values={"shows": "clock"}, by=made.alice)
    assert "no time limit" in shown(made)
    start_clock(round_=made.rounds[0], by=made.alice, minutes=75)
    assert "data-clock" in shown(made)


def test_a_screen_names_the_competition_once_and_leads_nowhere(spring, left):
    set_screen(screen=left, values={"shows": "standings"}, by=spring.alice)
    page = shown(spring)
    main = page[page.index("<main") : page.index("</main>")]
    assert main.count(f">{spring.competition.name}<") == 1
    assert "<nav" not in main


def test_the_version_of_a_screen_changes_with_it_alone(spring, left):
    before = version(spring)
    answer = Client().get(f"/c/{spring.slug}/screens/left/version/")
    tag = {"If-None-Match": answer["ETag"]}
    assert Client().get(f"/c/{spring.slug}/screens/left/version/", headers=tag).status_code == 304
    add_screen(competition=spring.competition, name="Right", by=spring.alice)
    assert version(spring) == before
    set_screen(screen=left, values={"shows": "clock"}, by=spring.alice)
    assert version(spring) != before


def test_a_screen_of_one_division_shows_only_it(spring, left):
    other = add_division(competition=spring.competition, name="B", preset_slug="tenhou", by=spring.alice)
    set_screen(screen=left, values={"shows": "standings", "division": other}, by=spring.alice)
    assert names(spring)[0] not in shown(spring)
    set_screen(screen=left, values={"division": spring.division}, by=spring.alice)
    assert names(spring)[0] in shown(spring)


def test_no_screen_of_another_competition_is_found_here(spring, left):
    other = club("autumn")
    assert Client().get(f"/c/{other.slug}/screens/left/").status_code == 404
    sent = {"key": uuid.uuid4(), "shows": "clock"}
    answer = signed_in(other.alice).post(f"/c/{other.slug}/screens/left/shows/", sent)
    assert answer.status_code == 404


@pytest.mark.parametrize("shows", Screen.Shows.values)
def test_a_hidden_result_changes_no_screen(spring, left, shows):
    Competition.objects.update(shows_hands=True)
    set_screen(screen=left, values={"shows": shows, "text": "Lunch", "table": 2}, by=spring.alice)
    before = shown(spring), version(spring)
    record_result(**as_seen(spring.table(2)), points=(53_800, 41_200, 19_800, 5_200), by=spring.charlie)
    spring.record(HIDDEN, round_number=2, number=2)
    assert (shown(spring), version(spring)) == before


# --- from a phone


def test_an_organizer_makes_sets_and_deletes_a_screen(spring):
    client, address = signed_in(spring.alice), f"/c/{spring.slug}/screens/"
    client.post(address, {"key": uuid.uuid4(), "name": "Left"})
    client.post(
        f"{address}left/settings/", {"key": uuid.uuid4(), "name": "Left", "text": "Lunch", "is_light": "on"}
    )
    client.post(f"{address}left/shows/", {"key": uuid.uuid4(), "shows": "message"})
    found = Screen.objects.get()
    assert (found.text, found.is_light, found.shows, found.version) == ("Lunch", True, "message", 3)
    assert 'data-bs-theme="light"' in shown(spring)
    key = uuid.uuid4()
    for _twice in range(2):
        assert client.post(f"{address}left/remove/", {"key": key}).status_code == 302
    assert not Screen.objects.exists()


def test_bad_forms_save_nothing(spring, left):
    client, address = signed_in(spring.alice), f"/c/{spring.slug}/screens/"
    assert client.post(address, {"key": uuid.uuid4(), "name": ""}).status_code == 422
    answer = client.post(f"{address}left/settings/", {"key": uuid.uuid4(), "name": ""})
    assert answer.status_code == 422
    client.post(f"{address}left/shows/", {"key": uuid.uuid4(), "shows": "invented"})
    client.post(f"{address}left/shows/", {"key": uuid.uuid4(), "shows": "message"})  # without a text
    assert Screen.objects.get().version == 1


# --- the ceremony


def test_the_ceremony_shows_on_every_screen_only_what_was_revealed(spring, left):
    ceremony = start_ceremony(stage=spring.stage, places=8, by=spring.alice)
    steps = ceremony_steps(spring.stage, places=8)
    known: set[str] = set()
    assert not {name for name in names(spring) if name in shown(spring)}
    for number, step in enumerate(steps):
        reveal(ceremony=ceremony, seen=number, by=spring.alice)
        known |= {line.player.name for line in step}
        assert {name for name in names(spring) if name in shown(spring)} == known
    end_ceremony(ceremony=ceremony, by=spring.alice)
    assert "Table 1" in shown(spring)


def test_the_ceremony_changes_no_other_page_of_visitors(spring, left):
    pages = [f"/c/{spring.slug}/{path}" for path in ("", "rounds/", "players/", "standings/screen/")]
    before = [Client().get(each).content for each in pages]
    ceremony = start_ceremony(stage=spring.stage, places=1, by=spring.alice)
    for number in range(2):
        reveal(ceremony=ceremony, seen=number, by=spring.alice)
    assert [Client().get(each).content for each in pages] == before


def test_a_correction_during_the_ceremony_reaches_the_screens(spring, left):
    ceremony = start_ceremony(stage=spring.stage, places=1, by=spring.alice)
    reveal(ceremony=ceremony, seen=0, by=spring.alice)
    before = version(spring)
    record_result(**as_seen(spring.table(2)), points=(53_800, 41_200, 19_800, 5_200), by=spring.charlie)
    assert version(spring) != before


def test_a_long_first_step_turns_in_parts(db):
    made = club(players=48)
    made.add_round(visibility="seating")
    for number in range(1, 13):
        made.record((45_000 + 100 * number, 35_000, 25_000, 15_000 - 100 * number), number=number)
    add_screen(competition=made.competition, name="Left", by=made.alice)
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get()
    ceremony = start_ceremony(stage=stage, places=3, by=made.alice)
    reveal(ceremony=ceremony, seen=0, by=made.alice)
    parts = [shown(made, f"?page={number}") for number in (1, 2, 3)]
    assert [part.count("<li>") for part in parts] == [15, 15, 15]


def test_an_organizer_holds_the_ceremony_from_a_phone(spring, left):
    client, address = signed_in(spring.alice), f"/c/{spring.slug}/ceremony/"

    def press(where: str = "reveal/", **sent: object) -> str:
        answer = client.post(address + where, {"key": uuid.uuid4(), **sent}, follow=True)
        return answer.content.decode()

    client.post(address, {"key": uuid.uuid4(), "stage": spring.stage.pk, "places": 2})
    assert "0 of 3 revealed" in press("reveal/", seen="x")  # without a number nothing is pressed
    assert "1 of 3 revealed" in press(seen=0)
    assert "a moment ago" in press(seen=0)
    assert "2 of 3 revealed" in press(seen=1)
    assert "1 of 3 revealed" in press(seen=2, back="on")
    press(seen=1)
    assert "Publish 1 hidden round" in press(seen=2)
    press("end/")
    assert not Stage.objects.filter(division__competition__ceremony__isnull=False).exists()


@pytest.mark.parametrize("sent", [{}, {"stage": "x", "places": 3}, {"places": 0}, {"places": 99}])
def test_a_bad_ceremony_is_not_started(spring, sent):
    sent = {"key": uuid.uuid4(), "stage": spring.stage.pk, **sent}
    answer = signed_in(spring.alice).post(f"/c/{spring.slug}/ceremony/", sent)
    assert answer.status_code == 422


def test_a_stage_of_another_competition_cannot_be_chosen(spring):
    other = club("autumn")
    sent = {"key": uuid.uuid4(), "stage": other.stage.pk, "places": 3}
    assert signed_in(spring.alice).post(f"/c/{spring.slug}/ceremony/", sent).status_code == 422


def test_teams_that_win_have_their_ceremony(db):
    made = team_club()
    round_ = play_to_the_end(made, visibility="seating")
    add_screen(competition=made.competition, name="Left", by=made.alice)
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(
        pk=round_.stage_id
    )
    ceremony = start_ceremony(stage=stage, places=4, by=made.alice)
    steps = ceremony_steps(stage, places=4)
    reveal(ceremony=ceremony, seen=0, by=made.alice)
    page = shown(made)
    assert [line.team.name in page for step in steps for line in step] == [True, False, False, False]


# --- the codes of the rounds


def codes(made: Club, key: str) -> HttpResponse:
    return Client().get(f"/c/{made.slug}/hall/codes/{key}/")


def test_a_screen_shows_the_code_of_the_round_only_with_its_key(spring, left):
    digits, key = round_code(spring.table().round), screen_key(spring.competition)

    assert digits in codes(spring, key).content.decode()
    assert [codes(spring, other).status_code for other in ("0" * 20, "x", key[:-1])] == [404] * 3
    assert Client().post(f"/c/{spring.slug}/hall/codes/{key}/").status_code == 405
    assert digits not in shown(spring)
    assert key not in shown(spring)
    page = signed_in(spring.alice).get(f"/c/{spring.slug}/screens/").content.decode()
    assert f"/c/{spring.slug}/screens/left/#{key}" in page


def test_no_screen_shows_the_code_of_a_hidden_or_closed_round(spring, left):
    key = screen_key(spring.competition)
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.HIDDEN, by=spring.alice)
    for each in (Client(), signed_in(spring.alice)):
        answer = each.get(f"/c/{spring.slug}/hall/codes/{key}/")
        assert round_code(spring.table().round) not in answer.content.decode()
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.RESULTS, by=spring.alice)
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert round_code(spring.table().round) not in codes(spring, key).content.decode()


def test_renewed_codes_end_the_keys_of_screens(spring, left):
    old = screen_key(spring.competition)
    renew_table_codes(competition=spring.competition, by=spring.alice)
    assert codes(spring, old).status_code == 404
