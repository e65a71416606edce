"""The organizer's pages of a competition: next step, settings, divisions, stages."""

import re
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.errors import Refused
from league.models import AuditEntry, Competition, Division, Entrant, Role, Round, RuleSet, Stage
from league.organizing.competitions.services import add_division, reopen_competition, update_competition
from league.play.rounds.services import close_round, create_round, open_round
from league.ranking.stages.services import add_stage
from scoring.presets import preset
from tests.factories import Club, club, last_entry, signed_in, user, with_texts
from tests.module_fixtures import module_fixture
from tests.pages.forms import forms_of
from tests.shown import errors, fields, html, key, said, text

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


# --- what to do next


def step(client: Client, here: Club) -> str:
    page = client.get(reverse("competitions:manage", args=[here.slug]))
    assert page.status_code == 200
    return page.context["dashboard"].divisions[0].step.code


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
        reverse("rounds:visibility", args=[here.slug, here.rounds[0].pk]),
        {"key": key(), "visibility": "results"},
    )
    assert step(alice, here) == "round"


def test_hidden_rounds_are_published_together_and_the_next_round_is_of_the_last_stage(here, alice):
    update_competition(competition=here.competition, values={"kind": "event"}, by=here.alice)
    for number in (1, 2):
        here.add_round(visibility="seating")
        for table in (1, 2):
            here.record((45000, 35000, 25000, 15000), round_number=number, number=table)
        close_round(round_=here.rounds[-1], by=here.alice)
    final = add_stage(division=here.division, name="Final", by=here.alice)
    manage = reverse("competitions:manage", args=[here.slug])

    page = alice.get(manage)
    shown = page.content.decode()
    answer = alice.post(
        reverse("rounds:publish", args=[here.slug]),
        {"key": key(), "round": [each.pk for each in here.rounds]},
        follow=True,
    )

    assert list(page.context["dashboard"].divisions[0].step.hidden) == here.rounds
    assert reverse("seating:next_round", args=[here.slug, final.pk]) in shown
    assert reverse("stages:cut", args=[here.slug, here.division.slug]) in shown
    assert "Results published." in answer.content.decode()
    assert set(Round.objects.values_list("visibility", flat=True)) == {"results"}


def test_a_seating_that_follows_hidden_results_is_not_published_by_default(here, alice):
    here.add_round(visibility="seating")
    for table in (1, 2):
        here.record((45000, 35000, 25000, 15000), number=table)
    close_round(round_=here.rounds[0], by=here.alice)
    here.add_round(opened=False, visibility="hidden")
    ticked = '<input type="checkbox" name="visibility" value="seating" checked>'
    manage = reverse("competitions:manage", args=[here.slug])

    by_chance = alice.get(manage).content.decode()
    Round.objects.filter(pk=here.rounds[1].pk).update(method=Round.Method.SWISS)
    by_rank = alice.get(manage).content.decode()

    assert ticked in by_chance
    assert ticked not in by_rank
    assert "they can tell who is ahead" in by_rank


def test_after_a_hidden_round_the_next_one_is_closed_without_publishing_unless_asked(here, alice):
    manage = reverse("competitions:manage", args=[here.slug])
    shown = []
    for number in (1, 2):
        round_ = here.add_round(visibility="seating")
        for table in (1, 2):
            here.record((45000, 35000, 25000, 15000), round_number=number, number=table)
        for place in (manage, reverse("results:enter_round", args=[here.slug, round_.pk])):
            page = alice.get(place).content.decode()
            shown.append(
                page.index("Close without publishing") < page.index("Close round and publish results")
            )
        close_round(round_=round_, by=here.alice)

    assert shown == [False, False, True, True]


def test_each_division_says_its_own_next_step(here, alice):
    add_division(competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice)
    page = alice.get(reverse("competitions:manage", args=[here.slug]))
    assert [d.step.code for d in page.context["dashboard"].divisions] == ["round", "players"]


@pytest.mark.slow
def test_as_many_queries_for_one_round_as_for_many(here, alice, django_assert_num_queries):
    here.add_round()
    address = reverse("competitions:manage", args=[here.slug])
    alice.get(address)
    with django_assert_num_queries(17):
        assert alice.get(address).content.count(b'class="round-row"') == 1
    for _ in range(9):
        close_round(round_=here.add_round(), by=here.alice)
    add_stage(division=here.division, name="Final", by=here.alice)
    with django_assert_num_queries(17):
        assert alice.get(address).content.count(b'class="round-row"') == 10


@pytest.mark.slow
def test_a_final_has_its_own_next_step_and_looking_creates_nothing(here, alice):
    made = here.add_round()
    for table in (1, 2):
        here.record((45000, 35000, 25000, 15000), number=table)
    close_round(round_=made, by=here.alice)
    final = add_stage(division=here.division, name="Final", by=here.alice)
    Entrant.objects.filter(competition=here.competition, key="p8").update(is_substitute=True)
    page = alice.get(reverse("competitions:manage", args=[here.slug]))
    step = page.context["dashboard"].divisions[0].step
    assert (step.code, step.stage, step.next_number, step.players) == ("round", final, 1, 7)
    assert "Final</span>: Seat round 1" in html(page)
    address = reverse("seating:next_round", args=[here.slug, final.pk])
    shown = fields(alice.get(address))
    assert final.rounds.count() == 0
    keys = {"p1", "p2", "p3", "p4"}
    plays = list(here.competition.entrants.filter(key__in=keys).values_list("player", flat=True))
    drawn = fields(alice.post(address, shown | {"step": "draw", "plays": plays}, follow=True))
    saved = drawn | {"step": "save", "plays": plays}
    assert [alice.post(address, saved).status_code for _ in range(2)] == [302, 302]
    assert [(each.number, each.seats.count()) for each in final.rounds.all()] == [(1, 4)]


def test_a_round_of_a_competition_to_come_is_on_its_first_day(here, alice):
    Competition.objects.filter(pk=here.competition.pk).update(first_day=date(2199, 5, 2))
    page = alice.get(reverse("seating:next_round", args=[here.slug, here.stage.pk]))
    assert 'datetime="2199-05-02"' in html(page)


# --- the doors


def test_every_link_is_found_on_the_page_and_stands_behind_its_door(here, alice):
    manage = alice.get(reverse("competitions:manage", args=[here.slug]))
    shown = html(manage)
    for door, address, links in manage.context["doors"]:
        assert f'href="{address}"' in shown
        behind = html(alice.get(address))
        assert [link.label for link in links if link.address.replace("&", "&amp;") not in behind] == [], door
    assert reverse("audit_log:index", args=[here.slug]) in shown


def test_the_page_of_print_has_the_papers_of_the_rounds_to_come_first(here, alice):
    address = reverse("competitions:print", args=[here.slug])
    assert "when the players are seated" in text(alice.get(address))
    here.add_round()
    for number in (1, 2):
        here.record((45000, 35000, 25000, 15000), number=number)
    close_round(round_=here.rounds[0], by=here.alice)
    here.add_round(opened=False)
    empty = create_round(stage=here.stage, by=here.alice)

    page = alice.get(address)

    assert [each.number for each in page.context["coming"]] == [2, 3]
    assert [each.number for each in page.context["closed"]] == [1]
    assert reverse("seating:papers", args=[here.slug, here.rounds[1].pk]) in html(page)
    assert reverse("seating:list", args=[here.slug, empty.pk]) not in html(page)


def menus_of(client: Client, here: Club) -> list[str]:
    """Return the labels of the menus beside the headings of rounds."""
    page = html(client.get(reverse("competitions:manage", args=[here.slug])))
    page = page[page.index('<section class="division">') :]
    return re.findall(r'<details class="menu[^>]*> <summary[^>]*>([^<]*)</summary>', page)


def test_every_menu_has_a_word_and_the_one_of_the_division_its_name(here, alice):
    assert menus_of(alice, here) == ["⋯ More"]
    add_stage(division=here.division, name="Final", by=here.alice)
    assert menus_of(alice, here) == ["… Division", "⋯ More", "⋯ More"]
    add_division(competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice)
    assert menus_of(alice, here) == ["… Main", "⋯ More", "⋯ More", "⋯ More"]


# --- the end


def test_a_finished_competition_is_frozen_until_it_is_reopened_with_a_reason(here, alice):
    address = reverse("competitions:finish", args=[here.slug])
    here.add_round(visibility="hidden")
    for number in (1, 2):
        here.record((45000, 35000, 25000, 15000), number=number)
    assert "Still open: round 1" in text(alice.get(address))
    assert alice.post(address, {"key": key()}).status_code == 422
    close_round(round_=here.rounds[0], by=here.alice)
    assert errors(alice.post(address, {"key": key()})) == {
        "publish": ["Not published yet: Main, Regular season, round 1. Publish these results, too."]
    }
    answer = alice.post(address, {"key": key(), "publish": "on"}, follow=True)
    assert "陳大文" in text(answer)
    assert step(alice, here) == "finished"
    with pytest.raises(Refused, match="finished"):
        create_round(stage=here.stage, by=here.alice)
    assert errors(alice.post(address, {"key": key(), "reason": ""})) == {
        "reason": ["Give a reason for reopening the competition. It is kept in the audit log."]
    }
    alice.post(address, {"key": key(), "reason": "a wrong sheet"})
    assert last_entry(here.competition).after == {"reason": "a wrong sheet"}
    assert create_round(stage=here.stage, by=here.alice).number == 2


def test_a_page_that_reopens_does_not_finish_what_another_organizer_has_reopened(here, alice):
    address = reverse("competitions:finish", args=[here.slug])
    here.add_round()
    for number in (1, 2):
        here.record((45000, 35000, 25000, 15000), number=number)
    close_round(round_=here.rounds[0], by=here.alice)
    finish = fields(alice.get(address))
    assert [alice.post(address, finish).status_code for _ in range(2)] == [302, 302]
    reopen = fields(alice.get(address)) | {"reason": "a wrong sheet"}
    reopen_competition(competition=here.competition, reason="a wrong sheet", by=here.alice)
    answer = alice.post(address, reopen, follow=True)
    assert "This competition is not finished." in said(answer)
    assert Competition.objects.get(pk=here.competition.pk).finished_at is None


# --- settings


PARTS = ("event", "results", "tables", "referees", "teams", "ties")


def settings_page(here: Club, part: str) -> str:
    return reverse(f"competitions:settings_{part}", args=[here.slug])


def settings_of(here: Club, client: Client, part: str, **values: str) -> dict[str, str]:
    return fields(client.get(settings_page(here, part))) | values


def test_each_page_of_settings_saves_what_changed_and_logs_it(here, alice):
    done = {}
    for part, values in (
        ("event", {"name": "Autumn", "timezone": "Asia/Tokyo"}),
        ("results", {"counting": "confirmed"}),
        ("tables", {"signatures": "winner"}),
        ("referees", {"objection_minutes": "45"}),
        ("teams", {"least_hanchan": "10"}),
        ("ties", {"tie_1": "lasts", "tie_2": "", "tie_3": "firsts"}),
    ):
        answer = alice.post(settings_page(here, part), settings_of(here, alice, part, **values))
        assert answer.url == reverse("competitions:settings", args=[here.slug])
        done[part] = with_texts(AuditEntry.objects.filter(competition=here.competition).last()).after

    assert done == {
        "event": {"name": "Autumn", "timezone": "Asia/Tokyo"},
        "results": {"counting": "confirmed"},
        "tables": {"signatures": "winner"},
        "referees": {"objection_minutes": 45},
        "teams": {"least_hanchan": 10},
        "ties": {"tie_breaks": ["lasts", "firsts"]},
    }
    here.competition.refresh_from_db()
    assert here.competition.tie_breaks == ["lasts", "firsts"]


def test_a_tick_that_is_taken_away_is_saved(here, alice):
    typed = settings_of(here, alice, "results")
    del typed["suggest_fourth"]
    alice.post(settings_page(here, "results"), typed)
    assert last_entry(here.competition).after == {"suggest_fourth": False}


def test_every_setting_has_its_page_and_the_first_page_leads_to_all(here, alice):
    first = html(alice.get(reverse("competitions:settings", args=[here.slug])))
    assert [part for part in PARTS if settings_page(here, part) in first] == list(PARTS)
    assert "Better average place" in first
    named = [name for part in PARTS for name in alice.get(settings_page(here, part)).context["form"].names]
    elsewhere = {"short_name", "city", "country", "mers_weight"}  # with the forms of federations
    editable = {each.name for each in Competition._meta.get_fields() if getattr(each, "editable", False)}
    automatic = {"id", "league", "slug", "previous"}
    assert len(named) == len(set(named))
    assert set(named) == editable - elsewhere - automatic


def test_the_days_of_a_competition_are_changed_and_taken_away_again(here, alice):
    address = settings_page(here, "event")
    days = {"first_day": "2026-05-02", "last_day": "2026-05-03"}
    assert alice.post(address, settings_of(here, alice, "event", **days)).status_code == 302
    assert last_entry(here.competition).after == days
    none = {"first_day": "", "last_day": ""}
    assert alice.post(address, settings_of(here, alice, "event", **none)).status_code == 302
    assert last_entry(here.competition).before == days


def test_settings_take_back_nothing_that_another_organizer_has_changed_since(here, alice):
    address = settings_page(here, "event")
    one = settings_of(here, alice, "event", place="Wan Chai")
    other = settings_of(here, alice, "event", name="Autumn")
    assert [alice.post(address, typed).status_code for typed in (one, other)] == [302, 302]
    here.competition.refresh_from_db()
    assert (here.competition.name, here.competition.place) == ("Autumn", "Wan Chai")


@pytest.mark.parametrize("part", PARTS)
def test_settings_without_a_difference_change_nothing(here, alice, part):
    before = AuditEntry.objects.count()
    answer = alice.post(settings_page(here, part), settings_of(here, alice, part), follow=True)
    assert said(answer) == ["No changes to save."]
    assert AuditEntry.objects.count() == before


def test_a_tie_break_named_twice_is_refused_at_the_second(here, alice):
    typed = settings_of(here, alice, "ties", tie_1="firsts", tie_2="lasts", tie_3="firsts")
    answer = alice.post(settings_page(here, "ties"), typed)
    assert errors(answer) == {"tie_3": ["This tie-break is already listed above. Choose each one once."]}
    assert fields(answer)["tie_2"] == "lasts"


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("event", "name", ""),
        ("event", "name", "\u202e"),
        ("event", "timezone", ""),
        ("event", "key", ""),
        ("results", "counting", "never"),
        ("ties", "tie_1", "luck"),
    ],
)
def test_wrong_settings_are_refused(here, alice, part, name, value):
    answer = alice.post(settings_page(here, part), settings_of(here, alice, part) | {name: value})
    assert (answer.status_code, list(errors(answer))) == (422, [name])


def test_an_older_name_of_a_time_zone_can_be_kept(here, alice):
    Competition.objects.filter(pk=here.competition.pk).update(timezone="US/Eastern")
    typed = settings_of(here, alice, "event", name="Kept")
    assert typed["timezone"] == "US/Eastern"
    assert alice.post(settings_page(here, "event"), typed).status_code == 302


# --- divisions and stages


def test_a_division_with_other_rules_is_added_once(here, alice):
    address = reverse("competitions:division_new", args=[here.slug])
    typed = fields(alice.get(address)) | {"name": "B", "preset": "hkma-b-2025-04"}
    assert [alice.post(address, typed).status_code for _ in range(2)] == [302, 302]
    assert [(d.name, d.rule_set.preset) for d in here.competition.divisions.all()] == [
        ("Main", "hkma-a-2025-04"),
        ("B", "hkma-b-2025-04"),
    ]


def test_rules_are_changed_before_the_first_sheet_and_start_from_the_divisions_own(alice, here):
    own = club("own", overrides={"leftover_sticks": "nobody"})
    client, address = (
        signed_in(own.alice),
        reverse("rule_sets:division_rules", args=[own.slug, own.division.slug]),
    )
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
    client, address = (
        signed_in(own.alice),
        reverse("rule_sets:division_rules", args=[own.slug, own.division.slug]),
    )
    assert client.post(address, fields(client.get(address)) | {"preset": "mleague"}).status_code == 302
    own.division.refresh_from_db()
    assert own.division.rule_set.values == preset("mleague").values


def test_a_stage_is_added_with_what_it_brings_in(here, alice):
    address = reverse("stages:new", args=[here.slug, here.division.slug])
    typed = fields(alice.get(address)) | {"name": "決勝", "carry": "half"}
    assert [alice.post(address, typed).status_code for _ in range(2)] == [302, 302]
    assert [(s.name, s.carry) for s in Stage.objects.all()] == [("Regular season", "none"), ("決勝", "half")]
    assert list(errors(alice.post(address, typed | {"key": key(), "carry": "double"}))) == ["carry"]


def test_rules_of_a_preset_that_this_release_lacks_can_be_looked_at_and_replaced(here, alice):
    RuleSet.objects.update(preset="older-2019")
    pages = (
        reverse("competitions:division_new", args=[here.slug]),
        reverse("rule_sets:division_rules", args=[here.slug, "main"]),
    )
    assert [alice.get(page).status_code for page in pages] == [200, 200]
    form = next(f for f in forms_of(alice.get(pages[1]).content.decode(), pages[1]) if "uma" in f.fields)
    assert alice.post(pages[1], form.fields | {"preset": ["mleague"]}).status_code == 302
    assert Division.objects.get().rule_set.preset == "mleague"


def test_names_given_by_the_product_are_shown_only_beside_others(here):
    alice, address = signed_in(here.alice), reverse("rounds:new", args=["spring", here.stage.pk])
    assert "Main" not in text(alice.get(address))
    add_division(competition=here.competition, name="B", preset_slug="mleague", by=here.alice)
    assert "Main · Regular season" in text(alice.get(address))


def test_visitors_read_the_notice_until_its_last_day(here, alice):
    values = {"notice": "The hall opens at <9>", "notice_until": "2100-01-01"}
    alice.post(settings_page(here, "event"), settings_of(here, alice, "event", **values))
    assert "The hall opens at &lt;9&gt;" in html(Client().get("/c/spring/"))
    assert "The hall opens" in html(Client().get("/c/spring/rounds/"))

    competition = Competition.objects.get()
    update_competition(competition=competition, values={"notice_until": date(2020, 1, 1)}, by=here.alice)
    assert "The hall opens" not in html(Client().get("/c/spring/"))


@pytest.mark.slow
def test_an_organizer_reads_what_another_has_changed_until_it_is_read(here, alice):
    second = user("second")
    Role.objects.create(competition=here.competition, user=second, kind=Role.Kind.ORGANIZER)
    address = reverse("competitions:manage", args=["spring"])
    update_competition(competition=here.competition, values={"place": "Wan Chai"}, by=here.alice)
    assert "since you last looked" not in text(alice.get(address))

    update_competition(competition=here.competition, values={"place": "Central"}, by=second)
    shown = text(alice.get(address))
    assert "1 change by others since you last looked" in shown
    assert "second changed the settings" in shown
    assert "since you last looked" not in text(signed_in(second).get(address))

    seen = reverse("audit_log:seen", args=["spring"])
    assert alice.get(seen).status_code == 405
    alice.post(seen, {"sequence": AuditEntry.objects.order_by("-sequence")[0].sequence})
    assert "since you last looked" not in text(alice.get(address))
