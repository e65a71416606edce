"""The form of a new competition: what is typed, how uma is read, and what a wrong value gets."""

import pytest
from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from league.models import Competition, Division, League, Role, Stage
from league.organizing.competitions.forms.zones import ZoneField
from league.organizing.competitions.services import create_league, preset_rules
from league.rules.rule_sets.services import create_book
from scoring.presets import preset
from tests.factories import Club, club, signed_in, user
from tests.shown import errors, fields, html, key, text

pytestmark = pytest.mark.django_db

HUGE = "9" * 400


@pytest.fixture
def here() -> Club:
    return club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def new_form(client: Client, **values: str) -> dict[str, str]:
    page = client.get(reverse("competitions:new"))
    assert page.status_code == 200
    return fields(page) | values


@pytest.fixture
def new(settings) -> Client:
    """A person without any role, on a server where everyone may begin competitions."""
    settings.NEW_COMPETITIONS = settings.EVERYONE
    return signed_in(user("new"))


def test_only_organizers_owners_and_people_with_the_permission_begin_competitions(here, settings):
    allowed = user("allowed")
    create_permissions(apps.get_app_config("league"), verbosity=0)
    allowed.user_permissions.add(Permission.objects.get(codename="add_competition"))
    Role.objects.create(competition=here.competition, user=user("second"), kind=Role.Kind.ORGANIZER)
    page, front = reverse("competitions:new"), reverse("competitions:home")

    def answers(*people: User) -> set[tuple[int, bool]]:
        """The status of the page, and whether the front page leads there."""
        clients = [signed_in(person) for person in people]
        return {(each.get(page).status_code, f'"{page}"' in html(each.get(front))) for each in clients}

    assert answers(here.alice, user("second"), allowed) == {(200, True)}
    assert answers(here.bob, here.charlie, here.dora, user("stranger")) == {(403, False)}
    assert "Ask the administrator" in text(signed_in(here.dora).post(page))

    settings.NEW_COMPETITIONS = settings.EVERYONE
    assert answers(here.dora, user("stranger")) == {(200, True)}


def test_a_visitor_signs_in_before_making_a_competition():
    assert Client().get(reverse("competitions:new")).status_code == 302


def test_a_name_and_a_club_are_enough_for_a_competition(new):
    answer = new.post(
        reverse("competitions:new"),
        new_form(new, name="Frühling 2026", preset="ema-2025", league_name="Club Nord"),
        follow=True,
    )
    made = Competition.objects.get()
    assert answer.redirect_chain == [(reverse("roster:import", args=[made.slug]), 302)]
    assert (made.name, made.league.name, made.kind, made.visibility) == (
        "Frühling 2026",
        "Club Nord",
        "season",
        "public",
    )
    assert list(made.league.owners.all()) == [user("new")]
    assert made.divisions.get().rule_set.values == preset("ema-2025").values
    assert "Add players" in text(answer)


@pytest.mark.slow
def test_no_rules_are_chosen_for_a_new_account_and_its_last_ones_after_that(new):
    form = new_form(new, name="Spring")
    assert "preset" not in form
    assert list(errors(new.post(reverse("competitions:new"), form))) == ["preset"]
    new.post(reverse("competitions:new"), form | {"preset": "tenhou"})
    again = new_form(new, name="Autumn")
    assert (again["preset"], again["league_name"]) == ("tenhou", League.objects.get().name)
    league, by = League.objects.get(), user("new")
    book = create_book(league=league, name="Ours", rules=preset_rules("tenhou", {}, by=by), by=by)
    Division.objects.update(rule_set=book.editions.get())
    assert new_form(new)["preset"] == f"own:{book.editions.get().pk}"


def test_the_page_proposes_the_last_league_and_takes_another_one_by_its_name(here, alice):
    second = create_league(name="Second club", slug="second", by=here.alice)
    typed = new_form(alice, name="Season")
    assert typed["league_name"] == here.competition.league.name
    without = alice.post(reverse("competitions:new"), typed | {"league_name": ""})
    assert errors(without) == {"league_name": ["Choose a league or club, or name a new one."]}
    asked = fields(alice.get(reverse("competitions:new") + "?league=second"))
    assert asked["league_name"] == "Second club"
    alice.post(reverse("competitions:new"), typed | {"league_name": "second CLUB"})
    assert Competition.objects.get(name="Season").league == second
    assert new_form(alice)["league_name"] == "Second club"


def test_a_refused_form_keeps_the_order_of_the_rule_sets(new):
    def order(answer) -> list[str]:
        groups = answer.context["form"].grouped_choices
        return [option.key for _radio, option in groups[""]]

    before = new.get(reverse("competitions:new"))
    chosen = order(before)[2]
    refused = new.post(reverse("competitions:new"), fields(before) | {"name": "", "preset": chosen})

    assert list(errors(refused)) == ["name"]
    assert order(refused) == order(before)
    assert not refused.context["form"].is_choice_folded
    folded = next(key for key in before.context["form"].options if key not in order(before))
    again = new.post(reverse("competitions:new"), fields(before) | {"name": "", "preset": folded})
    assert again.context["form"].is_choice_folded


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "asia/tokyo", " Tokyo", "tokyo", "東京", "Osaka"])
def test_a_time_zone_is_found_by_its_city(here, alice, zone):
    alice.post(reverse("competitions:new"), new_form(alice, name="Season", timezone=zone))
    assert Competition.objects.get(name="Season").timezone == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("zone", "city"),
    [
        ("Asia/Hong_Kong", "Hong Kong"),
        ("America/Argentina/Buenos_Aires", "Buenos Aires"),
        ("US/Eastern", "US/Eastern"),
        ("UTC", "UTC"),
        ("America/Buenos_Aires", "America/Buenos Aires"),  # an older name of the zone with that city
    ],
)
def test_a_time_zone_is_shown_by_its_city_and_stays(zone, city):
    field = ZoneField()

    assert field.prepare_value(zone) == city
    assert field.clean(city) == zone


def test_cities_are_offered_once(new):
    offered = new.get(reverse("competitions:new")).context["form"].fields["timezone"].zones

    assert ("Hong Kong", "Asia/Hong_Kong") in offered
    assert len({city.casefold() for city, _zone in offered}) == len(offered) > 400


def test_name_rules_and_days_are_enough_for_a_tournament(new):
    typed = new_form(new, name="Open 2026", preset="ema-2025", first_day="2026-05-02", last_day="2026-05-03")
    assert new.post(reverse("competitions:new"), typed).status_code == 302
    made = Competition.objects.get()
    assert (made.kind, made.league.name, made.first_day.day, made.last_day.day) == (
        "event",
        "Open 2026",
        2,
        3,
    )
    late = new_form(new, name="League", first_day="2026-05-02", last_day="2026-05-30")
    assert new.post(reverse("competitions:new"), late).status_code == 302
    assert Competition.objects.get(name="League").kind == "season"
    wrong = new_form(new, name="Open", first_day="2026-05-02", last_day="2026-05-01")
    assert list(errors(new.post(reverse("competitions:new"), wrong))) == ["last_day"]


def test_a_team_league_is_a_season_whose_captains_choose_the_players(new):
    typed = new_form(new, name="Teams", kind="teams", preset="ema-2025", league_name="Club")

    answer = new.post(reverse("competitions:new"), typed)

    made = Competition.objects.get(name="Teams")
    assert (made.kind, made.team_play, answer.url) == (
        "season",
        "line_ups",
        reverse("roster:import", args=["teams"]),
    )
    assert "A column “team” creates the teams" in text(new.get(answer.url))


def test_club_nights_are_a_season_of_free_play_and_lead_to_this_evening(new):
    answer = new.post(
        reverse("competitions:new"), new_form(new, name="Tuesdays", kind="club", preset="ema-2025")
    )

    made = Competition.objects.get()
    (stage,) = Stage.objects.filter(division__competition=made)
    assert (made.kind, stage.play, stage.name) == ("season", "free", "Club nights")
    assert answer.url == reverse("open_play:tonight", args=[made.slug, stage.pk])
    assert new.get(answer.url, follow=True).status_code == 200


def test_an_empty_home_leads_to_a_new_competition(new, settings):
    address = reverse("competitions:new")
    assert all(f'"{address}"' in html(each.get("/")) for each in (Client(), new))
    settings.NEW_COMPETITIONS = settings.ORGANIZERS
    assert "Ask an organizer for an invitation" in text(new.get("/"))


def test_the_same_form_sent_twice_makes_one_competition(new):
    typed = new_form(new, name="Season", preset="ema-2025", league_name="Club")
    answers = [new.post(reverse("competitions:new"), typed) for _ in range(2)]
    assert [a.url for a in answers] == [reverse("roster:import", args=["season"])] * 2
    assert (Competition.objects.count(), League.objects.count()) == (1, 1)


def test_everything_on_the_page_is_saved(here, alice):
    typed = new_form(
        alice,
        name="Open 2026",
        kind="event",
        division_names="A、B",
        timezone="Europe/Paris",
        visibility="private",
        return_points="30000",
        leftover_sticks="nobody",
    )
    assert "uma" in errors(alice.post(reverse("competitions:new"), typed))  # oka is still that of 35,000
    typed |= {"key": key(), "oka": "auto"}
    assert alice.post(reverse("competitions:new"), typed).status_code == 302
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
    assert alice.post(reverse("competitions:new"), typed).status_code == 302
    made = Competition.objects.get(name="Tenhou cup").divisions.get()
    assert made.rule_set.values == preset("tenhou").values


def test_a_changed_setting_stays_changed_under_another_rule_book(here, alice):
    typed = new_form(alice, name="Tenhou cup", preset="tenhou", leftover_sticks="nobody")
    assert preset("tenhou").values["leftover_sticks"] == "first"
    assert alice.post(reverse("competitions:new"), typed).status_code == 302
    made = Competition.objects.get(name="Tenhou cup").divisions.get()
    assert made.rule_set.values == {**preset("tenhou").values, "leftover_sticks": "nobody"}


def test_uma_that_does_not_balance_is_refused_with_the_difference_in_words(here, alice):
    typed = new_form(alice, name="Season", uma="30 10 -10 -20")
    answer = alice.post(reverse("competitions:new"), typed)
    assert answer.status_code == 422
    assert list(errors(answer)) == ["uma"]
    assert "10.0" in errors(answer)["uma"][0]
    assert fields(answer)["uma"] == "30 10 -10 -20"
    assert fields(answer)["name"] == "Season"
    assert Competition.objects.count() == 1
    answer = alice.post(reverse("competitions:new"), typed | {"unbalanced": "on"})
    assert answer.status_code == 302
    assert Division.objects.get(competition__name="Season").rules.imbalance == 100


@pytest.mark.slow
def test_uma_is_read_in_every_way_that_people_write_it(here, alice):
    for number, uma in enumerate(
        ("+30/+10/▲10/▲30", "30, 10, −10, −30", "30、10、△10、△30", "30 10 -10 -30.0")
    ):
        typed = new_form(alice, name=f"Season {number}", uma=uma)
        assert alice.post(reverse("competitions:new"), typed).status_code == 302
        stored = Division.objects.get(competition__name=f"Season {number}").rule_set.values
        assert stored == preset("hkma-a-2025-04").values


def test_floating_uma_is_a_line_a_count(here, alice):
    lines = "1: 12 -1 -3 -8\n2: 8 4 -4 -8\n3：8 3 1 ▲12"
    typed = new_form(alice, name="JPML", uma="8 4 -4 -8", oka="0", return_points="30000", floating_uma=lines)
    assert alice.post(reverse("competitions:new"), typed).status_code == 302
    rules = Division.objects.get(competition__name="JPML").rules
    assert rules.floating_uma == {1: (120, -10, -30, -80), 2: (80, 40, -40, -80), 3: (80, 30, 10, -120)}


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("name", "", "required"),
        ("name", "a\x07b", "invisible control character"),
        ("name", "a\x00b", "ull"),
        ("name", "x" * 121, "121"),
        ("preset", "no-such-rules", "not one of the available choices"),
        ("kind", "war", "not one of the available choices"),
        ("timezone", "Mars/Olympus", "not a time zone"),
        ("visibility", "secret", "not one of the available choices"),
        ("division_names", "A, a", "same name"),
        ("division_names", ",".join("ABCDEFGHIJKLM"), "At most 12"),
        ("start_points", "lots", "whole number"),
        ("start_points", HUGE, ""),
        ("start_points", "30050", "100"),
        ("uma", "30 10 -10", "not 3"),
        ("uma", "30 10 -10 north", "“north” is not a score"),
        ("uma", "30 10 -10 " + HUGE[:60], "is not a score"),
        ("oka", "some", "“some” is not a score"),
        ("tie_rule", "fight", "not one of the available choices"),
        ("floating_uma", "7: 1 2 3 4", "from 0 to 4"),
        ("floating_uma", "1: 1 2 3", "not 3"),
        ("floating_uma", "1: 12 -1 -3 -9", "1.0"),
        ("key", "not-a-key", "UUID"),
        ("league_name", HUGE, "at most 120 characters"),
    ],
)
def test_a_wrong_value_is_explained_at_its_field_and_what_was_typed_stays(here, alice, name, value, sentence):
    typed = new_form(alice, name="Season") | {name: value}
    answer = alice.post(reverse("competitions:new"), typed)
    assert answer.status_code == 422
    assert list(errors(answer)) == [name]
    assert sentence in " ".join(errors(answer)[name])
    if name != "name":
        assert fields(answer)["name"] == "Season"
    assert Competition.objects.count() == 1


def test_a_league_of_another_owner_cannot_be_chosen(here, alice):
    other = club("autumn")
    typed = new_form(alice, name="Season", league_name=other.league.name)
    alice.post(reverse("competitions:new"), typed)
    made = Competition.objects.get(name="Season").league
    assert (made == other.league, list(made.owners.all())) == (False, [here.alice])
    assert other.league.competitions.count() == 1


def test_a_second_league_is_made_on_the_way(here, alice):
    typed = new_form(alice, name="Season", league_name="Other club")
    assert alice.post(reverse("competitions:new"), typed).status_code == 302
    assert Competition.objects.get(name="Season").league.name == "Other club"


def test_an_empty_form_says_what_is_missing(new):
    assert set(errors(new.post(reverse("competitions:new"), {}))) == {
        "key",
        "name",
        "preset",
        "timezone",
        "visibility",
    }


def test_a_new_competition_can_begin_with_results(new):
    response = new.post(
        reverse("competitions:new"),
        new_form(new, name="Last year", preset="tenhou", league_name="Club", bring="1"),
    )

    assert response.url.endswith("/manage/results/bring/")
