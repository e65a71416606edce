"""A list of players in two steps: shown, then saved once."""

import io
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from league.models import Competition, Role
from league.organizing.competitions.services import add_division, create_competition
from league.people.register.services import PlayerValues, values_of
from players.models import FederationNumber, Player
from tests.factories import Club, club, signed_in, user
from tests.pages.forms import PageForm, forms_of
from tests.shown import html, said
from tests.shown import text as text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    return club(players=4)


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


def check(client: Client, spring: Club, text: str = "", **more: object):
    return client.post(reverse("roster:import", args=(spring.slug,)), {"text": text, **more})


def save(client: Client, spring: Club, text: str, **more: object):
    data = {"key": uuid.uuid4(), "text": text, "save": "1"} | more
    return client.post(reverse("roster:preview", args=(spring.slug,)), data, follow=True)


def test_the_first_step_shows_every_line_and_saves_nothing(spring, alice):
    response = check(alice, spring, "新人\n陳大文\n@SUM(A1)\n<b>")

    page = html(response)
    assert response.status_code == 200
    assert [line.action for line in response.context["plan"].lines] == ["new", "entered", "new", "new"]
    assert "&lt;b&gt;" in page
    assert "already entered: skipped" in page
    assert Player.objects.count() == 4


def test_the_second_step_saves_what_was_shown(spring, alice):
    response = save(alice, spring, "新人\n陳大文\n@SUM(A1)\n<b>")

    assert said(response) == ["3 players added. 1 line skipped."]
    names = spring.competition.entrants.order_by("pk").values_list("player__name", flat=True)
    assert list(names)[4:] == ["新人", "@SUM(A1)", "<b>"]


def test_a_column_of_teams_is_said_before_it_is_saved(spring, alice):
    text = "name,Team\n新人,Dragons\n陳大文,Dragons"

    page = html(check(alice, spring, text))
    response = save(alice, spring, text)

    assert "already entered: joins the team" in page
    assert "Saving creates the teams" in page
    assert said(response) == ["1 player added. 1 line skipped. 2 players assigned to teams."]


def test_the_preview_moves_nobody_to_another_team(spring, alice):
    save(alice, spring, "name,Team\n陳大文,Winds")

    page = html(check(alice, spring, "name,Team\n新人,Dragons\n陳大文,Cranes"))

    assert "<td>Dragons</td>" in page
    assert "<td>Cranes</td>" not in page


def test_the_second_step_sent_twice_saves_once(spring, alice):
    key = uuid.uuid4()
    first = save(alice, spring, "新人", key=key)
    again = save(alice, spring, "新人", key=key)

    assert said(first) == said(again) == ["1 player added."]
    assert spring.competition.entrants.count() == 5


def test_the_same_key_with_another_list_is_refused(spring, alice):
    key = uuid.uuid4()
    save(alice, spring, "新人", key=key)

    response = save(alice, spring, "Zoë", key=key)

    assert response.status_code == 422
    assert "This form was already submitted with different content, which was saved" in html(response)
    assert spring.competition.entrants.count() == 5


def test_problems_are_shown_with_their_lines_and_nothing_is_saved(spring, alice):
    text = "name,country\nNew,HK\n,HK\nZoë,Atlantis"
    shown = check(alice, spring, text)
    page = html(shown)
    assert "Line 3</a>: The name is missing." in page
    assert "Line 4</a>: “Atlantis” is not a country." in page
    assert 'name="save"' not in page

    forced = save(alice, spring, text)

    assert forced.status_code == 422
    assert "Atlantis" in forced.context["form"]["text"].value()
    assert Player.objects.count() == 4


def test_the_list_can_be_changed_and_checked_again_with_ticks_kept(spring, alice):
    response = alice.post(
        reverse("roster:preview", args=(spring.slug,)),
        {"key": uuid.uuid4(), "text": "陳大文\n新人", "picks": ["1:new"]},
    )

    assert response.status_code == 200
    assert [line.action for line in response.context["plan"].lines] == ["new", "new"]
    assert 'value="1:new" checked' in html(response)
    assert Player.objects.count() == 4


def test_a_tick_of_the_preview_is_saved(spring, alice):
    save(alice, spring, "陳大文", picks=["1:new"])

    assert Player.objects.filter(name="陳大文").count() == 2


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"save": "1"},
        {"key": "x", "text": "Zoë", "save": "1"},
        {"key": uuid.uuid4(), "text": "\0", "save": "1"},
        {"key": uuid.uuid4(), "text": "Zoë", "save": "1", "division": "nowhere"},
        {"key": uuid.uuid4(), "text": "Zoë", "save": "1", "picks": ["1:same:999"]},
        {"key": uuid.uuid4(), "text": "\n" * 50, "save": "1"},
    ],
)
def test_a_second_step_that_makes_no_sense_saves_nothing(spring, alice, data):
    response = alice.post(reverse("roster:preview", args=(spring.slug,)), data)

    assert response.status_code in {200, 422}
    assert Player.objects.count() == 4


def test_an_empty_first_step_asks_for_names(spring, alice):
    response = check(alice, spring, " \n ")

    assert response.status_code == 422
    assert "Paste the players’ names" in html(response)


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
    assert "Zoë" in html(response)


def test_lines_without_a_division_go_to_the_chosen_one(spring, alice):
    second = add_division(
        competition=spring.competition, name="B", preset_slug="hkma-b-2025-04", by=spring.alice
    )
    first = check(alice, spring, "name,division\n新人,\nZoë," + spring.division.name, division=second.slug)
    assert [line.division for line in first.context["plan"].lines] == [second, spring.division]

    save(alice, spring, "name,division\n新人,\nZoë," + spring.division.name, division=second.slug)

    added = spring.competition.entrants.order_by("pk")[4:]
    assert [e.division for e in added] == [second, spring.division]


@pytest.mark.slow
def test_a_thousand_players_are_imported_at_once(spring, alice):
    text = "name,country,EMA number\n" + "\n".join(f"Player {i},HK,{i:08}" for i in range(1000))

    assert said(save(alice, spring, text)) == ["1000 players added."]
    assert len(alice.get(reverse("roster:index", args=(spring.slug,))).context["players"].page) == 100


def test_a_list_sent_without_its_key_is_refused_in_words(alice, spring):
    answer = alice.post(f"/c/{spring.slug}/manage/players/import/preview/", {"text": "新人", "save": "1"})
    assert answer.status_code == 422
    assert "This page was out of date" in answer.content.decode()
    assert not spring.competition.entrants.filter(player__name="新人").exists()


@pytest.mark.parametrize(("sent", "numbers"), [({}, []), ({"as_is": "on"}, [("EMA", "007")])])
def test_a_number_that_was_called_wrong_is_saved_only_when_confirmed(spring, alice, sent, numbers):
    text = "name,EMA number\n新人,007"
    assert "“007” is not an EMA number" in html(check(alice, spring, text))
    save(alice, spring, text, **sent)
    found = FederationNumber.objects.filter(player__name="新人")
    assert list(found.values_list("federation", "number")) == numbers


@pytest.fixture
def autumn(spring: Club) -> Competition:
    """A second competition of the same league."""
    return create_competition(
        league=spring.league, name="Autumn", slug="autumn", preset_slug="ema-2016", by=spring.alice
    )


def rename(player: Player, name: str) -> Player:
    player.name = name
    player.save()
    return player


def names_in(competition: Competition) -> list[tuple[str, str]]:
    found = competition.entrants.order_by("pk")
    return list(found.values_list("player__name", "player__romanized"))


def test_two_columns_in_a_new_competition_are_asked_and_rename_nobody_elsewhere(spring, alice, autumn):
    ng = rename(spring.players[0], "Ng")

    asked = check(alice, autumn, "Ng\tMax")
    refused = save(alice, autumn, "Ng\tMax")
    save(alice, autumn, "Ng\tMax", order="last,first")

    assert "What are the first two columns?" in html(asked)
    assert 'name="save"' not in html(asked)
    assert (refused.status_code, "What are the first two columns?" in html(refused)) == (422, True)
    assert names_in(autumn) == [("Max Ng", "")]
    assert values_of(Player.objects.get(pk=ng.pk)) == PlayerValues(name="Ng")


def test_an_answer_that_finds_a_known_person_leaves_the_record(spring, alice, autumn):
    ng = rename(spring.players[0], "Ng")

    shown = alice.post(
        reverse("roster:preview", args=(autumn.slug,)),
        {"key": uuid.uuid4(), "text": "Ng\tMax", "order": "name,romanized"},
    )
    save(alice, autumn, "Ng\tMax", columns=["name", "romanized"])

    assert "Change the record" in html(shown)
    assert "Romanized name: – → Max" in text_of(shown)
    assert names_in(autumn) == [("Ng", "")]
    assert autumn.entrants.get().player == ng


def test_a_record_changes_with_its_tick(spring, alice, autumn):
    ng = rename(spring.players[0], "Ng")

    saved = save(alice, autumn, "Ng\tMax", columns=["name", "romanized"], picks=[f"1:change:{ng.pk}"])

    assert said(saved) == ["1 player added. 1 record changed."]
    assert names_in(autumn) == [("Ng", "Max")]


def test_two_people_of_one_first_name_are_both_entered(spring, alice):
    save(alice, spring, "Anna\tHolm\nAnna\tRask", order="first,last")
    save(alice, spring, "name\tclub\nBen\tKiel\nBen\tBonn\nBen\tKiel")

    assert [name for name, _romanized in names_in(spring.competition)[4:]] == [
        *("Anna Holm", "Anna Rask", "Ben", "Ben")
    ]


def test_last_names_in_front_with_a_comma_are_asked_and_no_line_is_skipped(spring, alice, autumn):
    anna = rename(spring.players[0], "Berg")

    asked = check(alice, autumn, "Berg, Anna\nHolm, Anna\nNg, Max")
    save(alice, autumn, "Berg, Anna\nHolm, Anna\nNg, Max", order="last,first")

    assert "What are the first two columns?" in html(asked)
    assert "skipped" not in text_of(asked)
    assert names_in(autumn) == [("Anna Berg", ""), ("Anna Holm", ""), ("Max Ng", "")]
    assert values_of(Player.objects.get(pk=anna.pk)) == PlayerValues(name="Berg")


@pytest.mark.parametrize(
    "columns", ["name,romanized\n陳大文,Max", "name,club\n陳大文,Kiel", "name,EMA\n陳大文,04010023"]
)
def test_a_list_changes_no_known_person_without_a_tick(spring, alice, autumn, columns):
    before = values_of(spring.players[0])

    save(alice, autumn, columns)

    assert autumn.entrants.get().player == spring.players[0]
    assert values_of(Player.objects.get(pk=spring.players[0].pk)) == before


def test_a_person_with_another_romanized_name_is_only_offered(spring, alice, autumn):
    Player.objects.filter(pk=spring.players[0].pk).update(romanized="Chan Tai Man")

    save(alice, autumn, "name,romanized\n陳大文,Chen Dawen")

    assert names_in(autumn) == [("陳大文", "Chen Dawen")]
    assert autumn.entrants.get().player != spring.players[0]


def test_the_preview_says_who_has_the_same_name_and_which_line_is_double(spring, alice):
    page = html(check(alice, spring, "name\tclub\nBen\tKiel\nBen\tBonn\nBen\tKiel"))

    assert "Same name as line 2, but another person" in page
    assert "identical to line 2: skipped" in page


def test_a_record_that_others_show_offers_no_tick(spring, autumn):
    zoe = user("zoe")
    Role.objects.create(competition=autumn, user=zoe, kind=Role.Kind.ORGANIZER)
    client = signed_in(zoe)

    shown = check(client, autumn, "name,country\n陳大文,HK")
    forced = save(client, autumn, "name,country\n陳大文,HK", picks=[f"2:change:{spring.players[0].pk}"])

    assert "An owner of the league can change the record." in html(shown)
    assert "change:" not in html(shown)
    assert forced.status_code == 422
    assert Player.objects.get(pk=spring.players[0].pk).country == ""


@pytest.mark.parametrize("order", ["", "x", "first", "first,last,…", "name,name"])
def test_an_answer_that_was_not_offered_saves_nothing(spring, alice, order):
    response = save(alice, spring, "Anna\tHolm", order=order)

    assert response.status_code == 422
    assert Player.objects.count() == 4


# --- how it was read


def _bring(client: Client, spring: Club, name: str, data: bytes) -> PageForm:
    """Return the form of the page that shows what was understood of a file."""
    answer = check(client, spring, file=SimpleUploadedFile(name, data))
    return _preview_form(answer, spring)


def _preview_form(answer, spring: Club) -> PageForm:
    address = reverse("roster:preview", args=(spring.slug,))
    return next(form for form in forms_of(answer.content.decode(), address) if form.action == address)


def _send(client: Client, form: PageForm, **typed: object):
    return client.post(form.action, form.fields | typed, follow=True)


def _names(answer) -> list[str]:
    return [line.line.name for line in answer.context["plan"].lines]


def _two_sheets() -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.active.title = "Notes"
    book.active.append(["Read me"])
    for title, names in (("East", ["Anna", "Ben"]), ("West", ["Cho"])):
        sheet = book.create_sheet(title)
        for row in ("Name", *names):
            sheet.append([row])
    book.save(out)
    return out.getvalue()


def test_another_sheet_of_a_workbook_can_be_chosen_and_saved(spring, alice):
    form = _bring(alice, spring, "list.xlsx", _two_sheets())
    assert (form.fields["sheet"], form.fields["shown"]) == (["East"], ["East|unknown||"])

    other = _send(alice, form, sheet="West")
    saved = _send(alice, _preview_form(other, spring), save="1")

    assert _names(other) == ["Cho"]
    assert said(saved) == ["1 player added."]


def test_another_encoding_can_be_chosen_without_the_file(spring, alice):
    form = _bring(alice, spring, "list.csv", "Name;Club\nŁukasz;Gdańsk\nBéla;Pécs\n".encode("cp1250"))
    assert form.fields["read_as"] == ["cp1250"]

    wrong = _send(alice, form, read_as="cp1252")
    right = _send(alice, _preview_form(wrong, spring), read_as="cp1250")
    none = _send(alice, _preview_form(right, spring), read_as="cp932")

    assert (_names(wrong), _names(right)) == (["£ukasz", "Béla"], ["Łukasz", "Béla"])
    assert none.status_code in {200, 422}


def test_an_encoding_that_the_text_is_not_in_is_said(spring, alice):
    form = _bring(alice, spring, "list.csv", "Name;Club\nJosé;Málaga\n".encode("cp1252"))

    answer = _send(alice, form, read_as="utf-8")

    assert said(answer) == ["The text is not in this encoding. Choose another one."]
    assert _names(answer) == ["José"]


def test_the_first_row_is_a_player_if_somebody_says_so(spring, alice):
    form = _preview_form(check(alice, spring, "name,club\nAnna,Kiel"), spring)

    answer = _send(alice, form, has_headings="false")

    assert _names(answer) == ["name", "Anna"]


def test_columns_that_were_chosen_stay_until_the_rows_change(spring, alice):
    form = _preview_form(check(alice, spring, "name,club\nAnna,Kiel"), spring)

    answer = _send(alice, form, columns=["club", "name"])

    assert _names(answer) == ["Kiel"]
    assert _preview_form(answer, spring).fields["columns"] == ["club", "name"]
    again = _send(alice, _preview_form(answer, spring), has_headings="true")
    assert _names(again) == ["Anna"]


def test_an_answer_about_the_first_two_columns_stays_until_it_is_saved(spring, alice):
    book, out = Workbook(), io.BytesIO()
    book.active.append(["Notes"])
    sheet = book.create_sheet("List")
    for row in (["Anna", "Holm"], ["Ben", "Rask"]):
        sheet.append(row)
    book.save(out)
    form = _bring(alice, spring, "list.xlsx", out.getvalue())

    asked = _preview_form(_send(alice, form, sheet="List"), spring)
    answered = _send(alice, asked, order="first,last")
    saved = _send(alice, _preview_form(answered, spring), save="1")

    assert _names(answered) == ["Anna Holm", "Ben Rask"]
    assert said(saved) == ["2 players added."]


def test_another_separator_of_a_csv_can_be_chosen_and_saved(spring, alice):
    form = _bring(alice, spring, "list.csv", b"Name;Club\nBerg, Anna;Kiel, Nord, Ost\nKova, Ben;Graz, West\n")
    assert form.fields["separator"] == ["semicolon"]

    wrong = _send(alice, form, separator="comma")
    right = _send(alice, _preview_form(wrong, spring), separator="semicolon")
    saved = _send(alice, _preview_form(right, spring), save="1")

    assert [line.name for line in wrong.context["roster"].lines] == ["Name;Club", "Berg", "Kova"]
    assert _names(right) == ["Berg, Anna", "Kova, Ben"]
    assert said(saved) == ["2 players added."]


def test_a_chosen_separator_counts_when_the_list_is_saved(spring, alice):
    form = _bring(alice, spring, "list.csv", b"Berg; Anna, AT\nKova; Ben, DE\nLind; Cara; Eva, PL")
    assert form.fields["separator"] == ["semicolon"]

    other = _send(alice, form, separator="comma", has_headings="false")
    saved = _send(alice, _preview_form(other, spring), save="1", order="name,country")

    assert said(saved) == ["3 players added."]
    assert [player.name for player in Player.objects.order_by("pk")][-3:] == [
        "Berg; Anna",
        "Kova; Ben",
        "Lind; Cara; Eva",
    ]


def test_a_list_with_one_kind_of_separator_asks_for_none(spring, alice):
    form = _bring(alice, spring, "list.csv", b"Name;Land\nAnna;AT\n")

    assert "separator" not in form.fields
