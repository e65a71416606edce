"""Pages of the roster: who may see them, a list in two steps, one player, two records merged."""

import io
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import Workbook

from league.models import Entrant
from league.services.competitions import add_division, create_competition
from league.services.register import PlayerValues
from league.services.roster import enter_player, import_roster
from players.models import Player
from tests.cast import Club, club, signed_in, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    return club(players=4)


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


def entrant(spring: Club, number: int = 0) -> Entrant:
    return spring.competition.entrants.get(player=spring.players[number])


def text_of_page(response) -> str:
    return " ".join(response.content.decode().split())


def messages_of(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


# --- who may


PAGES = ["roster", "roster_import", "roster_preview", "entrant_new", "merge"]
BUTTONS = ["entrant_withdraw", "entrant_reinstate", "entrant_remove"]


@pytest.mark.parametrize("name", [*PAGES, "entrant_edit", *BUTTONS])
def test_only_organizers_of_this_competition_see_the_roster(spring, name):
    args = (spring.slug,) if name in PAGES else (spring.slug, entrant(spring).pk)
    other = club("other")

    def answer(client: Client) -> int:
        ask = client.post if name in BUTTONS else client.get
        return ask(reverse(name, args=args)).status_code

    assert answer(signed_in(spring.alice)) in {200, 302}
    assert [answer(signed_in(person)) for person in (spring.bob, spring.charlie, spring.dora)] == [403] * 3
    assert answer(signed_in(user("mallory"))) == 403
    assert answer(signed_in(other.alice)) == 403
    visitor = Client().get(reverse("roster", args=(spring.slug,)))
    assert (visitor.status_code, visitor.url.startswith(reverse("login"))) == (302, True)


@pytest.mark.parametrize("name", ["entrant_edit", *BUTTONS])
@pytest.mark.parametrize("sent", [{}, {"key": uuid.uuid4()}])
def test_an_entrant_of_another_competition_is_not_there(spring, alice, name, sent):
    theirs = club("other").competition.entrants.first()

    response = alice.post(reverse(name, args=(spring.slug, theirs.pk)), sent)

    assert response.status_code == 404
    theirs.refresh_from_db()
    assert theirs.withdrawn_at is None


@pytest.mark.parametrize("name", BUTTONS)
def test_buttons_do_nothing_on_get(spring, alice, name):
    assert alice.get(reverse(name, args=(spring.slug, entrant(spring).pk))).status_code == 405


@pytest.mark.parametrize("pk", ["99999999999999999999999", "0"])
def test_a_number_that_is_no_entrant_is_not_there(spring, alice, pk):
    assert alice.get(f"/c/{spring.slug}/manage/players/{pk}/").status_code == 404


# --- the list


def test_the_list_shows_and_finds_players(spring, alice):
    import_roster(
        competition=spring.competition,
        text="name,romanized,club,EMA number\n新人,Shin Jin,赤坂,007\n<b>x</b>,,,",
        by=spring.alice,
    )
    address = reverse("roster", args=(spring.slug,))

    everybody = text_of_page(alice.get(address))
    assert all(name in everybody for name in ("新人", "陳大文", "&lt;b&gt;x&lt;/b&gt;", "EMA 007"))
    for asked in ("新", "shin", "赤坂", "007", "P5"):
        found = alice.get(address, {"q": asked}).context["page"].object_list
        assert [e.player.name for e in found] == ["新人"]


@pytest.mark.parametrize(
    "query", [{"q": "\0\u202e"}, {"page": "x"}, {"page": "999"}, {"division": "\0"}, {"state": "x"}]
)
def test_odd_questions_still_show_the_list(spring, alice, query):
    response = alice.get(reverse("roster", args=(spring.slug,)), query)

    assert response.status_code == 200
    assert len(response.context["page"].object_list) == 4


def test_the_list_takes_the_same_queries_for_one_and_for_many(alice, spring):
    address = reverse("roster", args=(spring.slug,))

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert alice.get(address).status_code == 200
        return len(captured)

    Entrant.objects.exclude(key="p1").delete()
    one = queries()
    text = "\n".join(f"Player {i},,HK,Club {i},{i}" for i in range(300))
    import_roster(competition=spring.competition, text=text, by=spring.alice)
    assert queries() == one <= 10


def test_an_empty_list_says_what_to_do(alice, spring):
    Entrant.objects.all().delete()

    assert reverse("roster_import", args=(spring.slug,)) in text_of_page(
        alice.get(reverse("roster", args=(spring.slug,)))
    )


# --- a list in two steps


def check(client: Client, spring: Club, text: str = "", **more: object):
    return client.post(reverse("roster_import", args=(spring.slug,)), {"text": text, **more})


def save(client: Client, spring: Club, text: str, **more: object):
    data = {"key": uuid.uuid4(), "text": text, "save": "1"} | more
    return client.post(reverse("roster_preview", args=(spring.slug,)), data, follow=True)


def test_the_first_step_shows_every_line_and_saves_nothing(spring, alice):
    response = check(alice, spring, "新人\n陳大文\n=1+1\n<b>")

    page = text_of_page(response)
    assert response.status_code == 200
    assert [line.action for line in response.context["plan"].lines] == ["new", "entered", "new", "new"]
    assert "&lt;b&gt;" in page
    assert "entered already: left out" in page
    assert Player.objects.count() == 4


def test_the_second_step_saves_what_was_shown(spring, alice):
    response = save(alice, spring, "新人\n陳大文\n=1+1\n<b>")

    assert messages_of(response) == ["3 players are entered. 1 line was left out."]
    names = spring.competition.entrants.order_by("pk").values_list("player__name", flat=True)
    assert list(names)[4:] == ["新人", "=1+1", "<b>"]


def test_the_second_step_sent_twice_saves_once(spring, alice):
    key = uuid.uuid4()
    first = save(alice, spring, "新人", key=key)
    again = save(alice, spring, "新人", key=key)

    assert (messages_of(first), messages_of(again)) == (["1 player is entered."], ["The list is saved."])
    assert spring.competition.entrants.count() == 5


def test_the_same_key_with_another_list_is_refused(spring, alice):
    key = uuid.uuid4()
    save(alice, spring, "新人", key=key)

    response = save(alice, spring, "Zoë", key=key)

    assert response.status_code == 422
    assert "sent before with other content" in text_of_page(response)
    assert spring.competition.entrants.count() == 5


def test_problems_are_shown_with_their_lines_and_nothing_is_saved(spring, alice):
    text = "name,country\nNew,HK\n,HK\nZoë,Atlantis"
    shown = check(alice, spring, text)
    page = text_of_page(shown)
    assert "Line 3</a>: The name is missing." in page
    assert "Line 4</a>: “Atlantis” is no country." in page
    assert 'name="save"' not in page

    forced = save(alice, spring, text)

    assert forced.status_code == 422
    assert "Atlantis" in forced.context["form"]["text"].value()
    assert Player.objects.count() == 4


def test_the_list_can_be_changed_and_checked_again_with_ticks_kept(spring, alice):
    response = alice.post(
        reverse("roster_preview", args=(spring.slug,)),
        {"key": uuid.uuid4(), "text": "陳大文\n新人", "pick": ["1:new"]},
    )

    assert response.status_code == 200
    assert [line.action for line in response.context["plan"].lines] == ["new", "new"]
    assert 'value="1:new" checked' in text_of_page(response)
    assert Player.objects.count() == 4


def test_a_tick_of_the_preview_is_saved(spring, alice):
    save(alice, spring, "陳大文", pick=["1:new"])

    assert Player.objects.filter(name="陳大文").count() == 2


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"save": "1"},
        {"key": "x", "text": "Zoë", "save": "1"},
        {"key": uuid.uuid4(), "text": "\0", "save": "1"},
        {"key": uuid.uuid4(), "text": "Zoë", "save": "1", "division": "nowhere"},
        {"key": uuid.uuid4(), "text": "Zoë", "save": "1", "pick": ["1:same:999"]},
        {"key": uuid.uuid4(), "text": "\n" * 50, "save": "1"},
    ],
)
def test_a_second_step_that_makes_no_sense_saves_nothing(spring, alice, data):
    response = alice.post(reverse("roster_preview", args=(spring.slug,)), data)

    assert response.status_code in {200, 422}
    assert Player.objects.count() == 4


def test_an_empty_first_step_asks_for_names(spring, alice):
    response = check(alice, spring, " \n ")

    assert response.status_code == 422
    assert "Paste the players’ names" in text_of_page(response)


def workbook(*rows) -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("list.csv", "姓名,國家\n新人,香港\n李小明,香港".encode("big5")),
        ("list.csv", "姓名,國家\n新人,香港\n李小明,香港".encode("utf-8-sig")),
        ("list.xlsx", workbook(["姓名", "國家"], ["新人", "香港"], ["李小明", "HK"])),
    ],
)
def test_a_file_is_read_and_comes_back_as_text(spring, alice, name, data):
    response = check(alice, spring, file=SimpleUploadedFile(name, data))

    lines = response.context["plan"].lines
    assert [(line.line.number, line.line.name, line.line.country) for line in lines] == [
        (2, "新人", "HK"),
        (3, "李小明", "HK"),
    ]
    save(alice, spring, response.context["form"]["text"].value())
    assert spring.competition.entrants.count() == 5


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"\0\0\0\0\xff", b"x" * 5_000_001])
def test_a_broken_file_is_a_sentence_at_its_field_and_the_text_is_kept(spring, alice, data):
    response = check(alice, spring, "Zoë", file=SimpleUploadedFile("list.xlsx", data))

    assert response.status_code == 422
    assert response.context["form"].errors["file"]
    assert "Zoë" in text_of_page(response)


def test_lines_without_a_division_go_to_the_chosen_one(spring, alice):
    second = add_division(
        competition=spring.competition, name="B", preset_slug="hkma-b-2025-04", by=spring.alice
    )
    first = check(alice, spring, "name,division\n新人,\nZoë," + spring.division.name, division=second.slug)
    assert [line.division for line in first.context["plan"].lines] == [second, spring.division]

    save(alice, spring, "name,division\n新人,\nZoë," + spring.division.name, division=second.slug)

    added = spring.competition.entrants.order_by("pk")[4:]
    assert [e.division for e in added] == [second, spring.division]


def test_a_thousand_players_are_imported_at_once(spring, alice):
    text = "name,country,EMA number\n" + "\n".join(f"Player {i},HK,{i:08}" for i in range(1000))

    assert messages_of(save(alice, spring, text)) == ["1000 players are entered."]
    assert len(alice.get(reverse("roster", args=(spring.slug,))).context["page"].object_list) == 100


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
    } | changes


def test_one_player_is_entered(spring, alice):
    response = alice.post(
        reverse("entrant_new", args=(spring.slug,)), filled(division=spring.division.slug), follow=True
    )

    assert messages_of(response) == ["新人 is entered."]
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
    ],
)
def test_what_does_not_fit_is_said_at_its_field_and_kept(spring, alice, changes, field):
    response = alice.post(reverse("entrant_new", args=(spring.slug,)), filled(**changes))

    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert response.context["form"]["romanized"].value() == "Shin Jin"
    assert spring.competition.entrants.count() == 4


def test_one_player_sent_twice_is_entered_once(spring, alice):
    data = filled()
    for _ in range(2):
        response = alice.post(reverse("entrant_new", args=(spring.slug,)), data)
        assert response.status_code == 302

    assert spring.competition.entrants.count() == 5


def test_somebody_like_one_of_the_register_is_asked_about(spring, alice):
    data = filled(name="陳大文")
    asked = alice.post(reverse("entrant_new", args=(spring.slug,)), data)
    assert asked.status_code == 422
    assert "Who is this?" in text_of_page(asked)
    assert spring.competition.entrants.count() == 4

    for _ in range(2):
        done = alice.post(reverse("entrant_new", args=(spring.slug,)), data | {"who": "new"})
        assert done.status_code == 302
    assert Player.objects.filter(name="陳大文").count() == 2


def test_a_player_of_the_register_can_be_entered_as_the_same_person(spring, alice):
    gone = entrant(spring)
    gone.delete()
    data = filled(name="陳大文")
    asked = alice.post(reverse("entrant_new", args=(spring.slug,)), data)
    assert asked.context["form"]["who"].value() == str(gone.player_id)

    alice.post(reverse("entrant_new", args=(spring.slug,)), data | {"who": gone.player_id})

    assert spring.competition.entrants.latest("pk").player_id == gone.player_id


def test_a_record_is_changed(spring, alice):
    address = reverse("entrant_edit", args=(spring.slug, entrant(spring).pk))
    assert 'value="陳大文"' in text_of_page(alice.get(address))

    response = alice.post(address, filled(name="陳大明", numbers="EMA 1"), follow=True)

    assert messages_of(response) == ["陳大明 is saved."]
    assert entrant(spring).player.name == "陳大明"
    assert 'value="EMA 1"' in text_of_page(alice.get(address))


def test_withdrawing_reinstating_and_taking_out(spring, alice):
    pk = entrant(spring).pk

    def press(name: str, key: uuid.UUID | None = None) -> list[str]:
        data = {"key": key or uuid.uuid4()}
        return messages_of(alice.post(reverse(name, args=(spring.slug, pk)), data, follow=True))

    assert press("entrant_withdraw") == ["陳大文 has withdrawn."]
    assert press("entrant_withdraw") == ["This player has withdrawn already."]
    assert press("entrant_reinstate") == ["陳大文 plays again."]
    key = uuid.uuid4()
    assert press("entrant_remove", key) == ["The player is taken out."]
    assert press("entrant_remove", key) == ["The player is taken out."]
    assert spring.competition.entrants.count() == 3


def test_a_seated_player_is_not_taken_out(spring, alice):
    spring.add_round()
    response = alice.post(
        reverse("entrant_remove", args=(spring.slug, entrant(spring).pk)), {"key": uuid.uuid4()}, follow=True
    )

    assert messages_of(response) == ["This player has been seated or has a penalty: withdraw them instead."]
    assert spring.competition.entrants.count() == 4


# --- two records


def twin(spring: Club) -> Player:
    values = PlayerValues(name="陳 大文", romanized="Chan Tai Man")
    made = enter_player(
        competition=spring.competition, values=values, division=spring.division, by=spring.alice
    )
    return made.player


def pair_address(spring: Club, *pks: object) -> str:
    return (
        reverse("merge", args=(spring.slug,))
        + "?"
        + "&".join(f"{name}={pk}" for name, pk in zip("ab", pks, strict=False))
    )


def test_records_that_look_alike_are_suggested_first(spring, alice):
    other = twin(spring)

    page = alice.get(reverse("merge", args=(spring.slug,)))

    assert [(a.pk, b.pk) for a, b, _exact in page.context["pairs"]] == [(spring.players[0].pk, other.pk)]


def test_two_records_are_shown_and_merged_once(spring, alice):
    other = twin(spring)
    spring.add_round()
    address = pair_address(spring, spring.players[0].pk, other.pk)
    page = alice.get(address)
    assert "round 1, table 1" in text_of_page(page)
    assert page.context["form"]["romanized"].value() == "Chan Tai Man"
    data = {"key": uuid.uuid4(), "keep": spring.players[0].pk, "name": "陳大文", "romanized": "Chan"}

    for _ in range(2):
        response = alice.post(address, data)
        assert (response.status_code, response.url) == (302, reverse("roster", args=(spring.slug,)))

    assert not Player.objects.filter(pk=other.pk).exists()
    assert entrant(spring).player.romanized == "Chan"


def test_a_pair_takes_no_more_queries_in_five_competitions_than_in_two(spring, alice):
    other = twin(spring)
    address = pair_address(spring, spring.players[0].pk, other.pk)

    def queries(*names: str) -> int:
        for name in names:
            made = create_competition(
                league=spring.league, name=name, slug=name, preset_slug="ema-2016", by=spring.alice
            )
            Entrant.objects.create(competition=made, player=other, key="p1")
        with CaptureQueriesContext(connection) as captured:
            assert alice.get(address).status_code == 200
        return len(captured)

    assert queries("autumn") == queries("winter", "summer", "cup")


def test_two_who_met_are_not_merged(spring, alice):
    spring.add_round()
    address = pair_address(spring, spring.players[0].pk, spring.players[1].pk)
    assert "these are two people and cannot be merged" in text_of_page(alice.get(address))

    response = alice.post(address, {"key": uuid.uuid4(), "keep": spring.players[0].pk, "name": "X"})

    assert response.status_code == 422
    assert Player.objects.count() == 4


def test_players_of_another_league_are_not_offered(spring, alice):
    other = club("other").players[0]
    address = pair_address(spring, spring.players[0].pk, other.pk)

    assert "form" not in alice.get(address).context
    alice.post(address, {"key": uuid.uuid4(), "keep": other.pk, "name": "X"})
    assert Player.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize("query", ["", "?a=x&b=\0", "?a=1&b=99999999999999999999999", "?a=-1", "?b=0"])
def test_odd_addresses_of_the_merge_page_break_nothing(spring, alice, query):
    address = reverse("merge", args=(spring.slug,)) + query

    assert alice.get(address).status_code == 200
    assert alice.post(address, {"key": "x"}).status_code in {302, 404}


def test_a_merge_form_that_does_not_fit_keeps_what_was_typed(spring, alice):
    other = twin(spring)
    address = pair_address(spring, spring.players[0].pk, other.pk)

    response = alice.post(address, {"key": uuid.uuid4(), "keep": 999, "name": "Kept", "country": "Atlantis"})

    assert response.status_code == 422
    assert sorted(response.context["form"].errors) == ["country", "keep"]
    assert response.context["form"]["name"].value() == "Kept"


def test_a_list_sent_without_its_key_is_refused_in_words(alice, spring):
    answer = alice.post(f"/c/{spring.slug}/manage/players/import/preview/", {"text": "新人", "save": "1"})
    assert answer.status_code == 422
    assert "This page was out of date" in answer.content.decode()
    assert not spring.competition.entrants.filter(player__name="新人").exists()
