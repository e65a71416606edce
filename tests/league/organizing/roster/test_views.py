"""Pages of the roster: who may see them, the list, one player."""

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Entrant
from league.organizing.roster.services.roster import import_roster
from league.ranking.standings.queries.standings import compute_standings
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture
from tests.shown import html, said

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    return club(players=4)


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


def entrant(spring: Club, number: int = 0) -> Entrant:
    return spring.competition.entrants.get(player=spring.players[number])


# --- who may


BUTTONS = ["roster:withdraw", "roster:reinstate", "roster:remove"]


@pytest.mark.parametrize("name", BUTTONS)
def test_buttons_do_nothing_on_get(spring, alice, name):
    assert alice.get(reverse(name, args=(spring.slug, entrant(spring).pk))).status_code == 405


# --- the list


def test_the_list_shows_and_finds_players(spring, alice):
    import_roster(
        competition=spring.competition,
        text="name,romanized,club,EMA number\n新人,Shin Jin,赤坂,007\n<b>x</b>,,,",
        by=spring.alice,
    )
    address = reverse("roster:index", args=(spring.slug,))

    everybody = html(alice.get(address))
    assert all(name in everybody for name in ("新人", "陳大文", "&lt;b&gt;x&lt;/b&gt;", "EMA 007"))
    for asked in ("新", "shin", "赤坂", "007", "P5"):
        found = alice.get(address, {"q": asked}).context["players"].page
        assert [row.record.player.name for row in found] == ["新人"]


@pytest.mark.parametrize(
    "query", [{"q": "\0\u202e"}, {"page": "x"}, {"page": "999"}, {"division": "\0"}, {"state": "x"}]
)
def test_odd_questions_still_show_the_list(spring, alice, query):
    response = alice.get(reverse("roster:index", args=(spring.slug,)), query)

    assert response.status_code == 200
    assert len(response.context["players"].page) == 4


def test_the_list_takes_the_same_queries_for_one_and_for_many(alice, spring):
    address = reverse("roster:index", args=(spring.slug,))

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert alice.get(address).status_code == 200
        return len(captured)

    Entrant.objects.exclude(key="p1").delete()
    one = queries()
    text = "\n".join(f"Player {i},,HK,Club {i},{i}" for i in range(300))
    import_roster(competition=spring.competition, text=text, by=spring.alice)
    assert queries() == one <= 11


def test_an_empty_list_says_what_to_do(alice, spring):
    Entrant.objects.all().delete()

    assert reverse("roster:import", args=(spring.slug,)) in html(
        alice.get(reverse("roster:index", args=(spring.slug,)))
    )


# --- one player


def filled(**changes: object) -> dict[str, object]:
    return {
        "key": uuid.uuid4(),
        "name": "新人",
        "romanized": "Shin Jin",
        "country": "日本",
        "club": "赤坂",
        "numbers": "EMA 007, ara 5",
        "division": "",
        "plays_as": "player",
    } | changes


def test_one_player_is_entered(spring, alice):
    response = alice.post(
        reverse("roster:new", args=(spring.slug,)), filled(division=spring.division.slug), follow=True
    )

    assert said(response) == ["新人 added."]
    made = spring.competition.entrants.latest("pk")
    assert (made.player.country, made.player.club.name, made.division) == ("JP", "赤坂", spring.division)
    assert list(made.player.federation_numbers.values_list("federation", "number")) == [
        ("ARA", "5"),
        ("EMA", "007"),
    ]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u200b"}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "a\0b"}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"country": "Atlantis"}, "country"),
        ({"numbers": "007"}, "numbers"),
        ({"numbers": "EMA 1, ema 2"}, "numbers"),
        ({"numbers": "EMA " + "1" * 41}, "numbers"),
        ({"division": "nowhere"}, "division"),
        ({"plays_as": ""}, "plays_as"),
        ({"plays_as": "referee"}, "plays_as"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field_and_kept(spring, alice, changes, field):
    response = alice.post(reverse("roster:new", args=(spring.slug,)), filled(**changes))

    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert response.context["form"]["romanized"].value() == "Shin Jin"
    assert spring.competition.entrants.count() == 4


@pytest.mark.parametrize(
    ("plays_as", "facts", "ranked"),
    [("player", (False, False), True), ("guest", (True, False), True), ("substitute", (False, True), False)],
)
def test_a_player_plays_as_the_choice_says(spring, alice, plays_as, facts, ranked):
    data = filled(plays_as=plays_as, division=spring.division.slug)
    for _ in range(2):
        assert alice.post(reverse("roster:new", args=(spring.slug,)), data).status_code == 302

    made = spring.competition.entrants.latest("pk")
    assert (made.is_guest, made.is_substitute) == facts
    listed = {row.player.player for row in compute_standings(spring.stage, public=False).rows}
    assert (made.player_id in listed) is ranked


def test_a_page_that_lacks_players_gets_its_visitor_back(spring, alice):
    plan = reverse("seating:plan", args=(spring.slug, spring.stage.pk))
    add = reverse("roster:new", args=(spring.slug,))
    query = {"as": "substitute", "next": plan}
    form = alice.get(add, query)
    assert form.context["form"]["plays_as"].value() == "substitute"
    assert f'href="{plan}"' in html(form)

    answer = alice.post(add, filled(plays_as="substitute"), query_params=query)
    assert answer.url == plan
    another = alice.post(add, filled(name="更新", romanized="", numbers="", another="1"), query_params=query)
    assert alice.get(another.url).context["form"]["plays_as"].value() == "substitute"


@pytest.mark.parametrize("query", [{"as": "referee"}, {"as": "\0"}, {"next": "https://evil.example/"}])
def test_odd_wishes_of_a_link_are_ignored(spring, alice, query):
    form = alice.get(reverse("roster:new", args=(spring.slug,)), query)
    assert form.context["form"]["plays_as"].value() == "player"
    assert "evil.example" not in form.context["back"]


def test_one_player_sent_twice_is_entered_once(spring, alice):
    data = filled()
    for _ in range(2):
        response = alice.post(reverse("roster:new", args=(spring.slug,)), data)
        assert response.status_code == 302

    assert spring.competition.entrants.count() == 5


@pytest.mark.parametrize(("language", "label"), [("ja", "人物"), ("zh-hant", "選手"), ("zh-hans", "选手")])
def test_the_question_about_the_register_does_not_ask_for_a_user(spring, alice, language, label):
    alice.cookies["django_language"] = language

    asked = alice.post(reverse("roster:new", args=(spring.slug,)), filled(name="陳大文"))

    assert re.search(rf"<legend[^>]*>\s*{label}\s*</legend>", html(asked))


def test_a_person_like_one_of_the_register_is_asked_about(spring, alice):
    data = filled(name="陳大文")
    asked = alice.post(reverse("roster:new", args=(spring.slug,)), data)
    assert asked.status_code == 422
    assert "Person" in html(asked)
    assert spring.competition.entrants.count() == 4

    for _ in range(2):
        done = alice.post(reverse("roster:new", args=(spring.slug,)), data | {"who": "new"})
        assert done.status_code == 302
    assert Player.objects.filter(name="陳大文").count() == 2


def test_a_player_of_the_register_can_be_entered_as_the_same_person(spring, alice):
    gone = entrant(spring)
    gone.delete()
    data = filled(name="陳大文")
    asked = alice.post(reverse("roster:new", args=(spring.slug,)), data)
    assert asked.context["form"]["who"].value() == str(gone.player_id)

    alice.post(reverse("roster:new", args=(spring.slug,)), data | {"who": gone.player_id})

    assert spring.competition.entrants.latest("pk").player_id == gone.player_id


@pytest.mark.parametrize(("ticked", "country"), [({}, ""), ({"changes": "on"}, "HK")])
def test_the_record_of_the_chosen_person_changes_only_with_a_tick(spring, alice, ticked, country):
    gone = entrant(spring)
    gone.delete()
    data = filled(name="陳大文", country="HK")
    asked = html(alice.post(reverse("roster:new", args=(spring.slug,)), data))
    assert "Change the record of the chosen player" in asked
    assert "Country: – → HK" in asked

    for _ in range(2):
        done = alice.post(reverse("roster:new", args=(spring.slug,)), data | {"who": gone.player_id} | ticked)
        assert done.status_code == 302

    assert spring.competition.entrants.latest("pk").player.country == country


def test_a_record_is_changed(spring, alice):
    address = reverse("roster:edit", args=(spring.slug, entrant(spring).pk))
    assert 'value="陳大文"' in html(alice.get(address))

    response = alice.post(address, filled(name="陳大明", numbers="EMA 1"), follow=True)

    assert said(response) == ["陳大明 saved."]
    assert entrant(spring).player.name == "陳大明"
    assert 'value="EMA 1"' in html(alice.get(address))


def test_withdrawing_reinstating_and_taking_out(spring, alice):
    pk = entrant(spring).pk

    def press(name: str, key: uuid.UUID | None = None) -> list[str]:
        data = {"key": key or uuid.uuid4()}
        return said(alice.post(reverse(name, args=(spring.slug, pk)), data, follow=True))

    assert press("roster:withdraw") == ["陳大文 has withdrawn."]
    assert press("roster:withdraw") == ["This player has already withdrawn."]
    assert press("roster:reinstate") == ["陳大文 reinstated."]
    key = uuid.uuid4()
    assert press("roster:remove", key) == ["Player removed."]
    assert press("roster:remove", key) == ["Player removed."]
    assert spring.competition.entrants.count() == 3


def test_a_seated_player_is_not_taken_out(spring, alice):
    spring.add_round()
    response = alice.post(
        reverse("roster:remove", args=(spring.slug, entrant(spring).pk)), {"key": uuid.uuid4()}, follow=True
    )

    assert said(response) == [
        "A player who was seated or penalized cannot be removed. Withdraw the player instead."
    ]
    assert spring.competition.entrants.count() == 4
