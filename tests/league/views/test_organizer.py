"""The organizer's pages: from nothing to a seated round, and what a wrong form or a stranger gets."""

import re
import uuid
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import AuditEntry, Competition, Division, Entrant, League, Round, RuleSet, Stage
from league.services.competitions import add_division, add_stage
from league.services.rounds import close_round, create_round, open_round, seating
from scoring.presets import preset
from tests.cast import Club, club, signed_in, user
from tests.pages import forms_of

pytestmark = pytest.mark.django_db

HUGE = "9" * 400


@pytest.fixture
def here() -> Club:
    return club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def key() -> str:
    return str(uuid.uuid4())


def fields(response) -> dict[str, str]:
    """What the page's first form holds, hidden fields included, as a browser would send it."""
    found = {}
    html = response.content.decode()
    for tag in re.findall(r"<input[^>]*>", html):
        name, kind = _attribute(tag, "name"), _attribute(tag, "type")
        if name and (kind not in {"radio", "checkbox"} or " checked" in tag):
            ticked = "on" if kind == "checkbox" else ""
            found[name] = unescape(_attribute(tag, "value") or ticked)
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.search(r'<option value="([^"]*)"[^>]* selected', options)
        found[name] = unescape(chosen[1] if chosen else "")
    for name, text in re.findall(r'<textarea name="([^"]+)"[^>]*>\s?(.*?)</textarea>', html, re.S):
        found[name] = unescape(text)
    return found


def _attribute(tag: str, name: str) -> str | None:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else None


def errors(response) -> dict[str, list[str]]:
    return {name: [str(each) for each in found] for name, found in response.context["form"].errors.items()}


def text(response) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


def said(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


# --- who may


def addresses(here: Club) -> dict[str, str]:
    """Every page of the organizer's for one competition."""
    round_ = Round.objects.filter(stage=here.stage).first() or here.add_round()
    slug, division = here.slug, here.division.slug
    return {
        "manage": reverse("manage", args=[slug]),
        "competition_settings": reverse("competition_settings", args=[slug]),
        "division_new": reverse("division_new", args=[slug]),
        "division_rules": reverse("division_rules", args=[slug, division]),
        "stage_new": reverse("stage_new", args=[slug, division]),
        "round_new": reverse("round_new", args=[slug, here.stage.pk]),
        "seat": reverse("seat", args=[slug, round_.pk]),
        "round_status": reverse("round_status", args=[slug, round_.pk]),
        "round_visibility": reverse("round_visibility", args=[slug, round_.pk]),
        "round_delete": reverse("round_delete", args=[slug, round_.pk]),
    }


PAGES = (
    "manage",
    "competition_settings",
    "division_new",
    "division_rules",
    "stage_new",
    "round_new",
    "seat",
)
BUTTONS = ("round_status", "round_visibility", "round_delete")


@pytest.mark.parametrize("name", PAGES)
def test_an_organizer_opens_the_page(here, alice, name):
    assert alice.get(addresses(here)[name]).status_code == 200


@pytest.mark.parametrize("name", BUTTONS)
def test_a_button_is_pressed_not_opened(here, alice, name):
    assert alice.get(addresses(here)[name]).status_code == 405


def test_the_organizers_page_takes_no_form(here, alice):
    assert alice.post(addresses(here)["manage"]).status_code == 405


@pytest.mark.parametrize("name", [*PAGES, *BUTTONS])
@pytest.mark.parametrize("who", ["bob", "charlie", "dora", "mallory", "organizer of another league"])
def test_nobody_but_an_organizer_gets_in(here, name, who):
    people = {"mallory": user("mallory"), "organizer of another league": club("autumn").alice}
    person = people.get(who) or getattr(here, who)
    address = addresses(here)[name]
    before = AuditEntry.objects.count()
    client = signed_in(person)
    if name not in BUTTONS:
        assert client.get(address).status_code == 403
    assert client.post(address, {"key": key(), "status": "close"}).status_code in {403, 405}
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize("name", PAGES)
def test_a_visitor_is_asked_to_sign_in(here, name):
    answer = Client().get(addresses(here)[name])
    assert (answer.status_code, answer.url.split("?")[0]) == (302, reverse("login"))


def test_a_private_competition_does_not_exist_for_a_stranger():
    here = club(visibility="private")
    assert signed_in(here.alice).get(reverse("manage", args=[here.slug])).status_code == 200
    assert signed_in(user("mallory")).get(reverse("manage", args=[here.slug])).status_code == 404


def test_what_belongs_to_another_competition_is_not_found(here, alice):
    other = club("autumn")
    theirs = other.add_round()
    assert signed_in(other.alice).get(reverse("seat", args=[other.slug, theirs.pk])).status_code == 200
    for name in ("seat", "round_status", "round_visibility", "round_delete"):
        address = reverse(name, args=[here.slug, theirs.pk])
        assert (
            alice.post(address, {"key": key(), "status": "close", "visibility": "hidden"}).status_code == 404
        )
    assert alice.get(reverse("round_new", args=[here.slug, other.stage.pk])).status_code == 404
    assert alice.get(reverse("division_rules", args=[here.slug, "b"])).status_code == 404
    theirs.refresh_from_db()
    assert (theirs.status, theirs.visibility) == ("open", "results")


def test_numbers_that_no_database_holds_are_not_found(here, alice):
    assert alice.get(f"/c/{here.slug}/manage/rounds/{HUGE}/seat/").status_code == 404
    assert alice.get(f"/c/{here.slug}/manage/stages/{HUGE}/rounds/new/").status_code == 404


# --- a new competition


def new_form(client: Client, **values: str) -> dict[str, str]:
    page = client.get(reverse("competition_new"))
    assert page.status_code == 200
    return fields(page) | values


def test_a_visitor_signs_in_before_making_a_competition():
    assert Client().get(reverse("competition_new")).status_code == 302


def test_a_name_and_a_club_are_enough_for_a_competition():
    client = signed_in(user("new"))
    answer = client.post(
        reverse("competition_new"),
        new_form(client, name="Frühling 2026", league_name="Club Nord"),
        follow=True,
    )
    made = Competition.objects.get()
    assert answer.redirect_chain == [(reverse("manage", args=[made.slug]), 302)]
    assert (made.name, made.league.name, made.kind, made.visibility) == (
        "Frühling 2026",
        "Club Nord",
        "season",
        "public",
    )
    assert list(made.league.owners.all()) == [user("new")]
    assert made.divisions.get().rule_set.values == preset("hkma-a-2025-04").values
    assert "Add the players" in text(answer)


def test_the_same_form_sent_twice_makes_one_competition():
    client = signed_in(user("new"))
    typed = new_form(client, name="Season", league_name="Club")
    answers = [client.post(reverse("competition_new"), typed) for _ in range(2)]
    assert [a.url for a in answers] == [reverse("manage", args=["season"])] * 2
    assert (Competition.objects.count(), League.objects.count()) == (1, 1)


def test_everything_on_the_page_is_saved(here, alice):
    typed = new_form(
        alice,
        name="Open 2026",
        kind="event",
        divisions="A、B",
        timezone="Europe/Paris",
        visibility="private",
        return_points="30000",
        leftover_sticks="nobody",
    )
    assert "uma" in errors(alice.post(reverse("competition_new"), typed))  # oka is still that of 35,000
    typed |= {"key": key(), "oka": "auto"}
    assert alice.post(reverse("competition_new"), typed).status_code == 302
    made = Competition.objects.get(name="Open 2026")
    assert (made.league, made.kind, made.timezone, made.visibility) == (
        here.league,
        "event",
        "Europe/Paris",
        "private",
    )
    rules = made.divisions.first().rules
    assert [d.name for d in made.divisions.all()] == ["A", "B"]
    assert (rules.start_points, rules.oka, rules.leftover_sticks, rules.return_points) == (
        30000,
        0,
        "nobody",
        30000,
    )


def test_another_rule_book_chosen_without_script_brings_all_its_values(here, alice):
    """The fields still hold what division A's rules filled in: untouched, so they follow the choice."""
    typed = new_form(alice, name="Tenhou cup", preset="tenhou")
    assert (typed["prefilled"], typed["uma"], typed["start_points"]) == (
        "hkma-a-2025-04",
        "30 10 -10 -30",
        "30000",
    )
    assert alice.post(reverse("competition_new"), typed).status_code == 302
    made = Competition.objects.get(name="Tenhou cup").divisions.get()
    assert made.rule_set.values == preset("tenhou").values


def test_a_changed_setting_stays_changed_under_another_rule_book(here, alice):
    typed = new_form(alice, name="Tenhou cup", preset="tenhou", leftover_sticks="nobody")
    assert preset("tenhou").values["leftover_sticks"] == "first"
    assert alice.post(reverse("competition_new"), typed).status_code == 302
    made = Competition.objects.get(name="Tenhou cup").divisions.get()
    assert made.rule_set.values == {**preset("tenhou").values, "leftover_sticks": "nobody"}


def test_uma_that_does_not_balance_is_refused_with_the_difference_in_words(here, alice):
    typed = new_form(alice, name="Season", uma="30 10 -10 -20")
    answer = alice.post(reverse("competition_new"), typed)
    assert answer.status_code == 200
    assert list(errors(answer)) == ["uma"]
    assert "10.0" in errors(answer)["uma"][0]
    assert fields(answer)["uma"] == "30 10 -10 -20"
    assert fields(answer)["name"] == "Season"
    assert Competition.objects.count() == 1
    answer = alice.post(reverse("competition_new"), typed | {"unbalanced": "on"})
    assert answer.status_code == 302
    assert Division.objects.get(competition__name="Season").rules.imbalance == 100


def test_uma_is_read_in_every_way_that_people_write_it(here, alice):
    for number, uma in enumerate(
        ("+30/+10/▲10/▲30", "30, 10, −10, −30", "30、10、△10、△30", "30 10 -10 -30.0")
    ):
        typed = new_form(alice, name=f"Season {number}", uma=uma)
        assert alice.post(reverse("competition_new"), typed).status_code == 302
        stored = Division.objects.get(competition__name=f"Season {number}").rule_set.values
        assert stored == preset("hkma-a-2025-04").values


def test_floating_uma_is_a_line_a_count(here, alice):
    lines = "1: 12 -1 -3 -8\n2: 8 4 -4 -8\n3：8 3 1 ▲12"
    typed = new_form(alice, name="JPML", uma="8 4 -4 -8", oka="0", return_points="30000", floating_uma=lines)
    assert alice.post(reverse("competition_new"), typed).status_code == 302
    rules = Division.objects.get(competition__name="JPML").rules
    assert rules.floating_uma == {
        1: (120, -10, -30, -80),
        2: (80, 40, -40, -80),
        3: (80, 30, 10, -120),
    }


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("name", "", "required"),
        ("name", "a\x07b", "invisible control character"),
        ("name", "a\x00b", "ull"),
        ("name", "x" * 121, "121"),
        ("preset", "no-such-rules", "not one of the available choices"),
        ("kind", "war", "not one of the available choices"),
        ("timezone", "Mars/Olympus", "not one of the available choices"),
        ("visibility", "secret", "not one of the available choices"),
        ("divisions", "A, a", "same name"),
        ("divisions", ",".join("ABCDEFGHIJKLM"), "At most 12"),
        ("start_points", "lots", "whole number"),
        ("start_points", HUGE, ""),
        ("start_points", "30050", "100"),
        ("uma", "30 10 -10", "There are 3 here"),
        ("uma", "30 10 -10 north", "“north” is no score"),
        ("uma", "30 10 -10 " + HUGE[:60], "is no score"),
        ("oka", "some", "“some” is no score"),
        ("tie_rule", "fight", "not one of the available choices"),
        ("floating_uma", "7: 1 2 3 4", "from 0 to 4"),
        ("floating_uma", "1: 1 2 3", "There are 3 here"),
        ("floating_uma", "1: 12 -1 -3 -9", "1.0"),
        ("key", "not-a-key", "UUID"),
        ("league", HUGE, "not one of the available choices"),
        ("league", "x", "not one of the available choices"),
    ],
)
def test_a_wrong_value_is_explained_at_its_field_and_what_was_typed_stays(here, alice, name, value, sentence):
    typed = new_form(alice, name="Season") | {name: value}
    answer = alice.post(reverse("competition_new"), typed)
    assert answer.status_code == 200
    assert list(errors(answer)) == [name]
    assert sentence in " ".join(errors(answer)[name])
    if name != "name":
        assert fields(answer)["name"] == "Season"
    assert Competition.objects.count() == 1


def test_the_league_of_somebody_else_cannot_be_chosen(here, alice):
    other = club("autumn")
    typed = new_form(alice, name="Season") | {"league": str(other.league.pk)}
    assert list(errors(alice.post(reverse("competition_new"), typed))) == ["league"]
    assert other.league.competitions.count() == 1


def test_a_second_league_is_made_on_the_way(here, alice):
    typed = new_form(alice, name="Season", league_name="Other club")
    assert typed["league"] == str(here.league.pk)
    assert alice.post(reverse("competition_new"), typed).status_code == 302
    assert Competition.objects.get(name="Season").league.name == "Other club"


def test_an_empty_form_says_what_is_missing():
    client = signed_in(user("new"))
    assert set(errors(client.post(reverse("competition_new"), {}))) == {
        "key",
        "name",
        "league_name",
        "preset",
        "kind",
        "timezone",
        "visibility",
    }


# --- what to do next


def step(client: Client, here: Club) -> str:
    page = client.get(reverse("manage", args=[here.slug]))
    assert page.status_code == 200
    return page.context["board"].divisions[0].step.code


def test_the_page_says_what_comes_next_from_the_first_player_to_the_published_round(here, alice):
    Entrant.objects.all().update(withdrawn_at=timezone.now())
    assert step(alice, here) == "players"
    Entrant.objects.all().update(withdrawn_at=None)
    assert step(alice, here) == "round"
    made = create_round(stage=here.stage, by=here.alice)
    assert step(alice, here) == "seat"
    made.delete()
    here.add_round(opened=False, visibility="hidden")
    assert step(alice, here) == "open"
    open_round(round_=here.rounds[0], by=here.alice)
    assert step(alice, here) == "enter"
    here.record((45000, 35000, 25000, 15000), number=1)
    assert step(alice, here) == "enter"
    here.record((45000, 35000, 25000, 15000), number=2)
    assert step(alice, here) == "close"
    close_round(round_=here.rounds[0], by=here.alice)
    assert step(alice, here) == "publish"
    alice.post(
        reverse("round_visibility", args=[here.slug, here.rounds[0].pk]),
        {"key": key(), "visibility": "results"},
    )
    assert step(alice, here) == "round"


def test_each_division_says_its_own_next_step(here, alice):
    add_division(competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice)
    page = alice.get(reverse("manage", args=[here.slug]))
    assert [d.step.code for d in page.context["board"].divisions] == ["round", "players"]


def test_as_many_queries_for_one_round_as_for_many(here, alice, django_assert_num_queries):
    here.add_round()
    address = reverse("manage", args=[here.slug])
    alice.get(address)
    with django_assert_num_queries(11):
        assert alice.get(address).content.count(b'class="round-row"') == 1
    for _ in range(9):
        close_round(round_=here.add_round(), by=here.alice)
    add_stage(division=here.division, name="Final", by=here.alice)
    with django_assert_num_queries(11):
        assert alice.get(address).content.count(b'class="round-row"') == 10


# --- settings


def settings_of(here: Club, client: Client, **values: str) -> dict[str, str]:
    return fields(client.get(reverse("competition_settings", args=[here.slug]))) | values


def test_settings_are_saved_and_only_what_changed_is_logged(here, alice):
    typed = settings_of(
        here, alice, name="Autumn", timezone="Asia/Tokyo", tie_1="lasts", tie_2="", tie_3="firsts"
    )
    del typed["suggest_fourth"]
    answer = alice.post(reverse("competition_settings", args=[here.slug]), typed)
    assert answer.url == reverse("manage", args=[here.slug])
    here.competition.refresh_from_db()
    assert here.competition.tie_breaks == ["lasts", "firsts"]
    logged = AuditEntry.objects.filter(competition=here.competition).last()
    assert logged.after == {
        "name": "Autumn",
        "timezone": "Asia/Tokyo",
        "suggest_fourth": False,
        "tie_breaks": ["lasts", "firsts"],
    }


def test_settings_without_a_difference_change_nothing(here, alice):
    before = AuditEntry.objects.count()
    answer = alice.post(
        reverse("competition_settings", args=[here.slug]), settings_of(here, alice), follow=True
    )
    assert said(answer) == ["Nothing was different: the settings stay as they were."]
    assert AuditEntry.objects.count() == before


def test_a_tie_break_named_twice_is_refused_at_the_second(here, alice):
    typed = settings_of(here, alice, tie_1="firsts", tie_2="lasts", tie_3="firsts", name="Kept")
    answer = alice.post(reverse("competition_settings", args=[here.slug]), typed)
    assert errors(answer) == {"tie_3": ["This tie-break stands above already. Choose each one once."]}
    assert fields(answer)["name"] == "Kept"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""),
        ("name", "\u202e"),
        ("tie_1", "luck"),
        ("counting", "never"),
        ("timezone", ""),
        ("key", ""),
    ],
)
def test_wrong_settings_are_refused(here, alice, name, value):
    answer = alice.post(
        reverse("competition_settings", args=[here.slug]), settings_of(here, alice) | {name: value}
    )
    assert (answer.status_code, list(errors(answer))) == (200, [name])


def test_an_older_name_of_a_time_zone_can_be_kept(here, alice):
    Competition.objects.filter(pk=here.competition.pk).update(timezone="US/Eastern")
    typed = settings_of(here, alice, name="Kept")
    assert typed["timezone"] == "US/Eastern"
    assert alice.post(reverse("competition_settings", args=[here.slug]), typed).status_code == 302


# --- divisions and stages


def test_a_division_with_other_rules_is_added_once(here, alice):
    address = reverse("division_new", args=[here.slug])
    typed = fields(alice.get(address)) | {"name": "B", "preset": "hkma-b-2025-04"}
    assert [alice.post(address, typed).status_code for _ in range(2)] == [302, 302]
    assert [(d.name, d.rule_set.preset) for d in here.competition.divisions.all()] == [
        ("Main", "hkma-a-2025-04"),
        ("B", "hkma-b-2025-04"),
    ]


def test_rules_are_changed_before_the_first_sheet_and_start_from_the_divisions_own(alice, here):
    own = club("own", overrides={"leftover_sticks": "nobody"})
    client, address = signed_in(own.alice), reverse("division_rules", args=[own.slug, own.division.slug])
    typed = fields(client.get(address))
    assert (typed["prefilled"], typed["leftover_sticks"]) == ("current", "nobody")
    assert client.post(address, typed | {"split_remainder": "drop"}).status_code == 302
    own.division.refresh_from_db()
    assert own.division.rule_set.values == {
        **preset("hkma-a-2025-04").values,
        "leftover_sticks": "nobody",
        "split_remainder": "drop",
    }


def test_another_rule_book_replaces_the_divisions_own_values():
    own = club("own", overrides={"leftover_sticks": "nobody"})
    client, address = signed_in(own.alice), reverse("division_rules", args=[own.slug, own.division.slug])
    assert client.post(address, fields(client.get(address)) | {"preset": "mleague"}).status_code == 302
    own.division.refresh_from_db()
    assert own.division.rule_set.values == preset("mleague").values


def test_a_stage_is_added_with_what_it_brings_in(here, alice):
    address = reverse("stage_new", args=[here.slug, here.division.slug])
    typed = fields(alice.get(address)) | {"name": "決勝", "carry": "half"}
    assert [alice.post(address, typed).status_code for _ in range(2)] == [302, 302]
    assert [(s.name, s.carry) for s in Stage.objects.all()] == [("Regular season", "none"), ("決勝", "half")]
    assert list(errors(alice.post(address, typed | {"key": key(), "carry": "double"}))) == ["carry"]


# --- rounds


def test_one_button_makes_the_round_and_goes_to_its_seats(here, alice):
    page = alice.get(reverse("manage", args=[here.slug]))
    assert "Make and seat round 1" in text(page)
    typed = {name: fields(page)[name] for name in ("key", "number", "date", "how")}
    answers = [alice.post(reverse("round_new", args=[here.slug, here.stage.pk]), typed) for _ in range(2)]
    made = Round.objects.get()
    assert [a.url for a in answers] == [reverse("seat", args=[here.slug, made.pk]) + "?how=random"] * 2
    assert (made.number, made.status, made.visibility) == (1, "planned", "hidden")
    assert made.date is not None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", "1"),
        ("number", "0"),
        ("number", HUGE),
        ("number", ""),
        ("date", "yesterday"),
        ("how", "luck"),
    ],
)
def test_a_round_that_cannot_be_made_is_explained_at_its_field(here, alice, name, value):
    here.add_round()
    address = reverse("round_new", args=[here.slug, here.stage.pk])
    typed = fields(alice.get(address)) | {"date": "2026-04-05"}
    answer = alice.post(address, typed | {name: value})
    assert (answer.status_code, list(errors(answer)), Round.objects.count()) == (200, [name], 1)
    if name != "date":
        assert fields(answer)["date"] == "2026-04-05"


def press(client: Client, here: Club, name: str, round_: Round, **typed: str):
    return client.post(reverse(name, args=[here.slug, round_.pk]), {"key": key(), **typed}, follow=True)


def test_opening_can_show_the_seating_and_closing_the_results(here, alice):
    made = here.add_round(opened=False, visibility="hidden")
    answer = press(alice, here, "round_status", made, status="open", visibility="seating")
    assert said(answer) == ["Round 1 is open, and everyone can see its seating."]
    made.refresh_from_db()
    assert (made.status, made.visibility) == ("open", "seating")
    answer = press(alice, here, "round_status", made, status="close", visibility="results")
    assert said(answer) == ["Round 1 is closed and its results are published."]
    made.refresh_from_db()
    assert (made.status, made.visibility) == ("closed", "results")


def test_opening_again_hides_nothing_that_was_published(here, alice):
    made = close_round(round_=here.add_round(), by=here.alice)
    press(alice, here, "round_status", made, status="open", visibility="seating")
    made.refresh_from_db()
    assert (made.status, made.visibility) == ("open", "results")


def test_a_round_is_hidden_and_published_by_its_buttons(here, alice):
    made = here.add_round()
    for visibility in ("hidden", "seating", "results"):
        press(alice, here, "round_visibility", made, visibility=visibility)
        made.refresh_from_db()
        assert made.visibility == visibility


def test_a_button_that_makes_no_sense_changes_nothing_and_says_so(here, alice):
    made = here.add_round(opened=False)
    empty = create_round(stage=here.stage, by=here.alice)
    assert said(press(alice, here, "round_status", empty, status="open")) == [
        "Seat the players first: this round has no table."
    ]
    out_of_date = ["This button was out of date. Try again from this page."]
    assert said(press(alice, here, "round_status", made, status="explode")) == out_of_date
    assert said(press(alice, here, "round_visibility", made, visibility="everyone")) == out_of_date
    assert said(press(alice, here, "round_delete", made, key="\x00")) == out_of_date
    made.refresh_from_db()
    assert (made.status, Round.objects.count()) == ("planned", 2)


def test_after_a_button_the_person_is_back_where_it_was_but_never_elsewhere(here, alice):
    made, there = here.add_round(), reverse("rounds", args=[here.slug])
    answer = press(alice, here, "round_visibility", made, visibility="hidden", next=there)
    assert answer.redirect_chain[0][0] == there
    for elsewhere in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        answer = press(alice, here, "round_visibility", made, visibility="hidden", next=elsewhere)
        assert answer.redirect_chain[0][0] == reverse("manage", args=[here.slug])


def test_a_round_without_sheets_is_deleted_and_one_with_sheets_stays(here, alice):
    first, second = here.add_round(), here.add_round()
    here.record((45000, 35000, 25000, 15000))
    assert said(press(alice, here, "round_delete", second)) == ["Round 2 is deleted."]
    assert "This round has score sheets" in said(press(alice, here, "round_delete", first))[0]
    assert list(Round.objects.all()) == [first]


def test_rules_of_a_preset_that_this_release_lacks_can_be_looked_at_and_replaced(here, alice):
    RuleSet.objects.update(preset="older-2019")
    pages = (reverse("division_new", args=[here.slug]), reverse("division_rules", args=[here.slug, "main"]))
    assert [alice.get(page).status_code for page in pages] == [200, 200]
    form = next(f for f in forms_of(alice.get(pages[1]).content.decode(), pages[1]) if "uma" in f.fields)
    assert alice.post(pages[1], form.fields | {"preset": ["mleague"]}).status_code == 302
    assert Division.objects.get().rule_set.preset == "mleague"


def test_a_deletion_sent_twice_is_answered_twice(here, alice):
    made = here.add_round(opened=False)
    address, typed = reverse("round_delete", args=[here.slug, made.pk]), {"key": key()}
    answers = [alice.post(address, typed) for _ in range(2)]
    assert [(answer.status_code, answer.url) for answer in answers] == [(302, f"/c/{here.slug}/manage/")] * 2
    assert alice.post(address, {"key": key()}).status_code == 404


# --- seats at random


@pytest.fixture
def planned(here) -> Round:
    return create_round(stage=here.stage, by=here.alice)


def seat_address(here: Club, round_: Round, how: str = "") -> str:
    return reverse("seat", args=[here.slug, round_.pk]) + (f"?how={how}" if how else "")


def test_a_draw_is_shown_first_and_saved_exactly_as_shown(here, alice, planned):
    page = alice.get(seat_address(here, planned))
    shown = [[info.player for info in four] for _, four in page.context["drawn"]]
    assert seating(planned) == {}
    answer = alice.post(seat_address(here, planned), fields(page) | {"step": "save"}, follow=True)
    assert said(answer) == ["Round 1 is seated: 2 tables."]
    assert list(seating(planned).values()) == shown
    logged = AuditEntry.objects.filter(action="round.seat").last()
    assert logged.after["seed"] == page.context["seed"]


def test_drawing_again_saves_nothing_and_gives_another_draw(here, alice, planned):
    page = alice.get(seat_address(here, planned))
    draws = {
        alice.post(seat_address(here, planned), fields(page) | {"step": "draw"}).context["seed"]
        for _ in "12345"
    }
    assert len(draws) > 1
    assert seating(planned) == {}


def test_the_same_draw_accepted_twice_is_saved_once(here, alice, planned):
    typed = fields(alice.get(seat_address(here, planned))) | {"step": "save"}
    assert [alice.post(seat_address(here, planned), typed).status_code for _ in range(2)] == [302, 302]
    assert AuditEntry.objects.filter(action="round.seat").count() == 1


def test_two_too_many_choose_who_sits_out(alice):
    here = club("ten", players=10)
    client, planned = signed_in(here.alice), create_round(stage=here.stage, by=here.alice)
    page = client.get(seat_address(here, planned))
    assert "2 too many: choose who sits out." in text(page)
    assert page.context["drawn"] == []
    out = [str(here.players[position].pk) for position in (0, 9)]
    page = client.post(seat_address(here, planned), fields(page) | {"step": "draw", "out": out})
    assert (len(page.context["drawn"]), page.context["over"]) == (2, 0)
    answer = client.post(seat_address(here, planned), fields(page) | {"step": "save", "out": out})
    assert answer.status_code == 302
    seated = {player for four in seating(planned).values() for player in four}
    assert seated == {player.pk for player in here.players[1:9]}


def test_a_draw_is_not_saved_when_somebody_withdrew_or_was_ticked_since(here, alice, planned):
    typed = fields(alice.get(seat_address(here, planned))) | {"step": "save"}
    four_out = [str(player.pk) for player in here.players[:4]]
    answer = alice.post(seat_address(here, planned), typed | {"out": four_out})
    assert answer.context["stale"]
    assert "Here is a new one" in text(answer)
    assert len(answer.context["drawn"]) == 1
    Entrant.objects.filter(player=here.players[0]).update(withdrawn_at=timezone.now())
    assert alice.post(seat_address(here, planned), typed).context["stale"]
    assert seating(planned) == {}


def test_a_seating_saved_meanwhile_by_somebody_else_is_not_overwritten(here, alice, planned):
    mine = fields(alice.get(seat_address(here, planned)))
    theirs = fields(alice.get(seat_address(here, planned)))
    assert alice.post(seat_address(here, planned), theirs | {"step": "save"}).status_code == 302
    saved = seating(planned)
    answer = alice.post(seat_address(here, planned), mine | {"step": "save"})
    assert "Somebody else seated this round meanwhile" in text(answer)
    assert seating(planned) == saved


def test_only_players_of_the_division_who_are_there_are_drawn(here, alice, planned):
    other = add_division(competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice)
    Entrant.objects.filter(player=here.players[0]).update(division=other)
    Entrant.objects.filter(player=here.players[1]).update(withdrawn_at=timezone.now())
    page = alice.get(seat_address(here, planned))
    assert {info.player for info, _ in page.context["pool"]} == {p.pk for p in here.players[2:]}


def test_a_draw_like_the_round_before_leaves_out_who_did_not_play(here, alice, planned):
    played = create_round(stage=here.stage, by=here.alice)
    ids = [player.pk for player in here.players]
    typed = {"key": key(), "number": "3", "how": "same"}
    alice.post(
        seat_address(here, played), paste_form(alice, here, played, "\t".join(f"p{n}" for n in range(1, 5)))
    )
    assert seating(played) == {1: ids[:4]}
    answer = alice.post(reverse("round_new", args=[here.slug, here.stage.pk]), typed, follow=True)
    assert [info.player for info, out in answer.context["pool"] if out] == ids[4:]
    assert len(answer.context["drawn"]) == 1


def test_tables_with_sheets_are_not_drawn_again(here, alice):
    made = here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    page = alice.get(seat_address(here, made, "random"))
    assert [number for number, _ in page.context["drawn"]] == [2]
    assert "1 table has a score sheet and stays" in text(page)
    answer = alice.post(seat_address(here, made), fields(page) | {"step": "save", "how": "random"})
    assert answer.status_code == 302
    ids = [player.pk for player in here.players]
    now = seating(made)
    assert now[1] == ids[:4]
    assert sorted(now[2]) == ids[4:]


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": "x"},
        {"seed": HUGE},
        {"seed": "-1"},
        {"players": ""},
        {"players": "1,2,x"},
        {"players": "0" * 30},
        {"players": "1,2,3,4"},
        {"out": HUGE},
        {"out": ["x", "\x00", "-1"]},
        {"key": "no"},
        {"based_on": ""},
        {"based_on": "x" * 500},
        {"how": "luck"},
    ],
)
def test_a_draw_that_was_tampered_with_is_not_saved(here, alice, planned, wrong):
    typed = fields(alice.get(seat_address(here, planned))) | {"step": "save"} | wrong
    answer = alice.post(seat_address(here, planned), typed)
    saved = answer.status_code == 302
    assert saved == (wrong.keys() <= {"out", "how"})  # nobody has such a number, so nobody sits out
    assert answer.status_code in {200, 302}
    assert bool(seating(planned)) == saved


# --- seats by hand


def hand_form(client: Client, here: Club, round_: Round, **typed: str) -> dict[str, str]:
    return fields(client.get(seat_address(here, round_, "hand"))) | typed


def four(number: int, names: str) -> dict[str, str]:
    return {f"t{number}_{wind}": name for wind, name in enumerate(names.split("|"))}


def test_names_keys_and_romanized_names_are_understood(here, alice, planned):
    here.players[5].romanized = "Yamada Taro"
    here.players[5].save()
    typed = (
        hand_form(alice, here, planned)
        | four(1, "陳大文|P2| 王美麗|ＤＯＲＡ")
        | four(2, "p4|yamada taro|Émile|ngô bảo")
    )
    answer = alice.post(seat_address(here, planned, "hand"), typed, follow=True)
    assert said(answer) == ["Round 1 is seated: 2 tables."]
    ids = [player.pk for player in here.players]
    assert seating(planned) == {
        1: [ids[0], ids[1], ids[2], ids[4]],
        2: [ids[3], ids[5], ids[6], ids[7]],
    }


def test_every_problem_is_shown_at_its_seat_and_everything_typed_stays(here, alice, planned):
    club("autumn", players=1)
    Entrant.objects.filter(player=here.players[7]).update(withdrawn_at=timezone.now())
    typed = (
        hand_form(alice, here, planned)
        | four(1, "陳大文|陳大文|Nobody|")
        | four(2, "李小明|陳大文|Ngô Bảo|王美麗")
    )
    answer = alice.post(seat_address(here, planned, "hand"), typed)
    assert errors(answer) == {
        "t1_1": ["陳大文 sits at table 1 already."],
        "t1_2": ["“Nobody” is not entered in this competition. Check the spelling, or add the player."],
        "t1_3": ["This seat is empty: a table needs four players."],
        "t2_1": ["陳大文 sits at table 1 already."],
        "t2_2": ["Ngô Bảo has withdrawn."],
    }
    kept = fields(answer)
    assert {name: kept[name] for name in typed if name.startswith("t")} == {
        name: value for name, value in typed.items() if name.startswith("t")
    }
    assert seating(planned) == {}


def test_two_players_of_one_name_are_told_apart_by_key(here, alice, planned):
    here.players[1].name = "陳大文"
    here.players[1].save()
    page = alice.get(seat_address(here, planned, "hand"))
    assert {"陳大文 (p1)", "陳大文 (p2)"} <= set(page.context["labels"])
    typed = hand_form(alice, here, planned) | four(1, "陳大文|p3|p4|p5")
    assert errors(alice.post(seat_address(here, planned, "hand"), typed)) == {
        "t1_0": ["Several players are called “陳大文”. Type the key instead: p1, p2."]
    }
    typed |= {"t1_0": "陳大文 (p2)"}
    assert alice.post(seat_address(here, planned, "hand"), typed).status_code == 302
    assert seating(planned)[1][0] == here.players[1].pk


def test_a_table_that_got_a_sheet_meanwhile_keeps_its_players(here, alice):
    made = here.add_round()
    typed = hand_form(alice, here, made)
    assert typed["t1_0"] == "陳大文"
    here.record((45000, 35000, 25000, 15000), number=1)
    swapped = typed | {"t1_0": typed["t2_0"], "t2_0": typed["t1_0"]}
    answer = alice.post(seat_address(here, made, "hand"), swapped)
    assert errors(answer)["t1_0"] == ["This table has a score sheet: its players stay."]
    typed |= {"t2_0": typed["t2_1"], "t2_1": typed["t2_0"]}  # table 1 as it is: only table 2 changes
    assert alice.post(seat_address(here, made, "hand"), typed).status_code == 302
    ids = [player.pk for player in here.players]
    assert seating(made) == {1: ids[:4], 2: [ids[5], ids[4], ids[6], ids[7]]}


def test_one_table_more_keeps_what_was_typed(here, alice, planned):
    typed = hand_form(alice, here, planned) | four(1, "陳大文|李小明||")
    answer = alice.post(seat_address(here, planned, "hand"), typed | {"more": "1"})
    kept = fields(answer)
    assert (kept["t1_0"], kept["t1_1"]) == ("陳大文", "李小明")
    assert answer.context["form"].numbers == [1, 2, 3]
    assert seating(planned) == {}


@pytest.mark.parametrize(
    "typed",
    [
        {},
        {"t1_0": "\x00"},
        {"t1_0": "x" * 5000},
        {"t1_0": "\u202e"},
        {"t99999_0": "p1"},
        {"t1_9": "p1"},
        {"t0_0": "p1"},
        {"t٣_0": "p1"},
        {"more": "\x00"},
    ],
)
def test_odd_seats_save_nothing_and_break_nothing(here, alice, planned, typed):
    form = {name: v for name, v in hand_form(alice, here, planned).items() if not name.startswith("t")}
    assert alice.post(seat_address(here, planned, "hand"), form | typed).status_code == 200
    assert seating(planned) == {}


# --- seats pasted


def paste_form(client: Client, here: Club, round_: Round, seating_text: str) -> dict[str, str]:
    return fields(client.get(seat_address(here, round_, "paste"))) | {"seating": seating_text}


def test_a_pasted_seating_takes_tabs_commas_and_table_numbers(here, alice, planned):
    pasted = "7\t陳大文\t李小明\t王美麗\t張志強\n\nDora， 山田太郎, p7、p8,\r\n"
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert answer.status_code == 302
    ids = [player.pk for player in here.players]
    assert seating(planned) == {7: ids[:4], 1: ids[4:]}


def test_every_line_that_is_not_four_names_is_named(here, alice, planned):
    pasted = "p1,p2,p3\n3,p4,p5,p6,p7\np1\n3\tp1\tp2\tp3\tp8"
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert errors(answer)["seating"] == [
        "Line 1: 3 names instead of four.",
        "Line 2: Table 3 comes twice.",
        "Line 3: 1 name instead of four.",
        "Line 4: Table 3 comes twice.",
    ]
    assert fields(answer)["seating"] == pasted
    assert seating(planned) == {}


def test_every_problem_of_a_pasted_name_is_shown_with_its_table(here, alice, planned):
    pasted = "p1,p2,p3,Nobody\np4,p1,,p6"
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert errors(answer)["seating"] == [
        "Table 1: “Nobody” is not entered in this competition. Check the spelling, or add the player.",
        "Table 2: 陳大文 sits at table 1 already.",
        "Table 2: This seat is empty: a table needs four players.",
    ]
    assert seating(planned) == {}


def test_pasting_what_the_page_shows_changes_nothing(here, alice):
    made = here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    before = seating(made)
    typed = fields(alice.get(seat_address(here, made, "paste")))
    assert typed["seating"].startswith("2\t")
    assert alice.post(seat_address(here, made, "paste"), typed).status_code == 302
    assert seating(made) == before


@pytest.mark.parametrize(
    "pasted",
    [
        "",
        "\x00",
        "a\x00b,c,d,e",
        "x" * 70_000,
        "9" * 30 + ",p1,p2,p3,p4",
        "0,p1,p2,p3,p4,p5",
        "<b>,=1+1,@x,-1",
    ],
)
def test_an_odd_paste_saves_nothing_and_breaks_nothing(here, alice, planned, pasted):
    answer = alice.post(seat_address(here, planned, "paste"), paste_form(alice, here, planned, pasted))
    assert (answer.status_code, list(errors(answer))) == (200, ["seating"])
    assert b"<b>," not in answer.content
    assert seating(planned) == {}


def test_a_closed_round_shows_its_seating_and_takes_no_other(here, alice):
    made = close_round(round_=here.add_round(), by=here.alice)
    page = alice.get(seat_address(here, made))
    assert "This round is closed" in text(page)
    assert "key" not in fields(page)
    before = seating(made)
    typed = {"how": "paste", "key": key(), "based_on": page.context["based_on"], "seating": "p4,p3,p2,p1"}
    assert alice.post(seat_address(here, made), typed).status_code == 200
    assert seating(made) == before


# --- the league


def test_an_owner_sees_the_competitions_of_the_league_and_renames_it(here, alice):
    page = alice.get(reverse("league", args=[here.league.slug]))
    assert [(c.name, c.players, c.rounds) for c in page.context["competitions"]] == [("League spring", 8, 0)]
    answer = alice.post(
        reverse("league_edit", args=[here.league.slug]), {"name": "香港麻雀", "slug": "hk"}, follow=True
    )
    assert answer.redirect_chain == [(reverse("league", args=["hk"]), 302)]
    assert League.objects.get(pk=here.league.pk).name == "香港麻雀"


@pytest.mark.parametrize(
    ("name", "slug", "field"),
    [
        ("", "hk", "name"),
        ("HK", "", "slug"),
        ("HK", "two words", "slug"),
        ("HK", "autumn", "slug"),
        ("\x00", "hk", "name"),
    ],
)
def test_a_league_cannot_take_what_is_wrong_or_anothers(here, alice, name, slug, field):
    club("autumn", players=0)
    answer = alice.post(reverse("league_edit", args=[here.league.slug]), {"name": name, "slug": slug})
    assert (answer.status_code, list(errors(answer))) == (200, [field])
    assert League.objects.get(pk=here.league.pk).slug == "spring"


def test_nobody_but_its_owners_sees_the_inside_of_a_league(here):
    other = club("autumn", players=0)
    for person in (here.bob, here.charlie, other.alice):
        for name in ("league", "league_edit"):
            assert signed_in(person).get(reverse(name, args=[here.league.slug])).status_code == 404
    assert Client().get(reverse("league", args=[here.league.slug])).status_code == 404


def test_as_many_queries_for_one_competition_as_for_three(here, alice, django_assert_max_num_queries):
    address = reverse("league", args=[here.league.slug])
    alice.get(address)
    with django_assert_max_num_queries(6) as counted:
        assert len(alice.get(address).context["competitions"]) == 1
        one = len(counted)
    for number in range(2):
        alice.post(reverse("competition_new"), new_form(alice, name=f"Season {number}"))
    with django_assert_max_num_queries(one):
        assert len(alice.get(address).context["competitions"]) == 3
