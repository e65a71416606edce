"""The rules of a division: chosen, changed setting by setting, and moved with a look at what would change."""

import uuid

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Competition, Division, RuleBook, RuleSet
from league.organizing.division_rules.forms import SALT
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.log import log_offence
from league.rules.penalty_rules.services import choose_catalogue
from league.rules.rule_sets.services import (
    copied_rules,
    create_book,
    fingerprint,
    newest_edition,
    save_edition,
)
from scoring.infractions import catalogue
from scoring.presets import preset, resolve
from tests.factories import Club, club, signed_in, with_texts
from tests.module_fixtures import module_fixture
from tests.pages.forms import forms_of
from tests.shown import errors, fields, said, text

pytestmark = pytest.mark.django_db

HKMA = "hkma-a-2025-04"


@module_fixture
def here() -> Club:
    return club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def play(here: Club) -> None:
    here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    here.record((30000, 30000, 40000, 20000), number=2)


def address(here: Club, name: str = "rule_sets:division_rules") -> str:
    return reverse(name, args=[here.slug, here.division.slug])


def book(here: Club, name: str = "House rules", **changed: object) -> RuleBook:
    rules = copied_rules(HKMA, {**resolve(HKMA).as_values(), **changed}, by=here.alice)
    return create_book(league=here.league, name=name, rules=rules, by=here.alice)


def now(here: Club) -> RuleSet:
    return Division.objects.select_related("rule_set").get(pk=here.division.pk).rule_set


def form_of(client: Client, where: str) -> dict[str, list[str]]:
    """The page's own form, as a browser would send it."""
    found = forms_of(client.get(where).content.decode(), where)
    return next(
        form.fields
        for form in found
        if form.page in {"rule_sets:division_rules", "rule_sets:division_rules_edit"}
    )


# --- choosing


def test_an_edition_of_the_leagues_own_rules_is_chosen(here, alice):
    made = book(here, honba=600)
    edition = newest_edition(made)
    typed = form_of(alice, address(here)) | {"preset": [f"own:{edition.pk}"]}
    assert alice.post(address(here), typed).status_code == 302
    assert (now(here), now(here).rules.honba) == (edition, 600)
    assert "House rules, edition 1" in text(alice.get(address(here)))


def test_an_edition_with_a_changed_setting_becomes_a_copy(here, alice):
    made = book(here, honba=600)
    edition = newest_edition(made)
    typed = form_of(alice, address(here)) | {"preset": [f"own:{edition.pk}"], "leftover_sticks": ["nobody"]}
    assert alice.post(address(here), typed).status_code == 302
    assert (now(here).book, now(here).rules.honba, now(here).rules.leftover_sticks) == (None, 600, "nobody")
    assert newest_edition(made).rules.leftover_sticks == "first"


def test_the_address_proposes_an_edition(here, alice):
    edition = newest_edition(book(here))
    page = alice.get(f"{address(here)}?rules=own:{edition.pk}")
    assert fields(page)["preset"] == f"own:{edition.pk}"
    assert fields(alice.get(f"{address(here)}?rules=own:999999"))["preset"] == HKMA


def test_an_edition_of_another_league_is_refused(here, alice):
    theirs = newest_edition(book(club("autumn")))
    for choice in (f"own:{theirs.pk}", "own:1e9", "own:", "own:999999999999999999999", "no-such-rules"):
        answer = alice.post(address(here), form_of(alice, address(here)) | {"preset": [choice]})
        assert (answer.status_code, list(errors(answer))) == (422, ["preset"])
    assert now(here).preset == HKMA


def test_another_text_of_the_source_can_be_chosen_and_is_recorded(here, alice):
    index = next(i for i, each in enumerate(preset(HKMA).conflicts) if "kiriage_mangan" in each.settings)
    typed = form_of(alice, address(here)) | {f"reading-{HKMA}-{index}": ["2"]}
    assert alice.post(address(here), typed).status_code == 302
    assert now(here).values == {**resolve(HKMA).as_values(), "kiriage_mangan": False}
    [record] = [each for each in now(here).readings if each["settings"] == ["kiriage_mangan"]]
    assert (record["chosen"], record["by"]) == (2, here.alice.pk)
    assert "Chosen by alice-spring" in text(alice.get(address(here)))
    assert "Chosen by alice-spring" in text(alice.get(address(here, "rule_sets:division_rules_edit")))
    again = form_of(alice, address(here))
    assert again[f"reading-{HKMA}-{index}"] == ["2"]
    assert "No changes to save" in said(alice.post(address(here), again, follow=True))[0]
    back = again | {f"reading-{HKMA}-{index}": ["1"], "key": [str(uuid.uuid4())]}
    assert alice.post(address(here), back).status_code == 302
    assert now(here).rules.kiriage_mangan is True


def test_a_competition_is_made_with_the_text_that_the_organizer_chose(here, alice):
    index = next(i for i, each in enumerate(preset(HKMA).conflicts) if "uma" in each.settings)
    where = reverse("competitions:new")
    typed = fields(alice.get(where)) | {"name": "Older text", f"reading-{HKMA}-{index}": "2"}
    assert alice.post(where, typed).status_code == 302
    made = Competition.objects.get(name="Older text").divisions.get().rule_set
    assert made.rules.uma == (450, 150, -200, -400)
    assert {tuple(each["settings"]): each["chosen"] for each in made.readings}["uma", "oka"] == 2
    assert {each["by"] for each in made.readings} == {here.alice.pk}
    assert len(made.readings) == len(preset(HKMA).conflicts)


@pytest.mark.parametrize("answer", ["3", "x", "\x00", "1e9"])
def test_an_answer_that_chooses_no_text_is_refused(here, alice, answer):
    typed = form_of(alice, address(here)) | {f"reading-{HKMA}-0": [answer]}
    assert alice.post(address(here), typed).status_code == 422
    assert now(here).readings == []


def test_a_competition_of_one_league_does_not_play_anothers_rules(here, alice):
    autumn = club("autumn")
    autumn.league.owners.add(here.alice)
    edition = newest_edition(book(autumn))
    where = reverse("competitions:new")
    typed = fields(alice.get(where)) | {"name": "Mixed", "preset": f"own:{edition.pk}"}
    typed["league_name"] = here.league.name
    answer = alice.post(where, typed)
    assert errors(answer) == {"preset": ["These rules belong to another league. Choose others."]}
    typed |= {"league_name": autumn.league.name}
    assert alice.post(where, typed).status_code == 302
    assert Competition.objects.get(name="Mixed").divisions.get().rule_set == edition


def test_the_address_of_a_new_competition_proposes_rules_and_their_league(here, alice):
    autumn = club("autumn")
    autumn.league.owners.add(here.alice)
    edition = newest_edition(book(autumn))
    page = alice.get(f"{reverse('competitions:new')}?rules=own:{edition.pk}")
    assert (fields(page)["preset"], fields(page)["league_name"]) == (f"own:{edition.pk}", autumn.league.name)


# --- every setting


def test_any_setting_of_the_division_is_changed_in_full(here, alice):
    where = address(here, "rule_sets:division_rules_edit")
    typed = form_of(alice, where) | {"honba": ["600"], "local_yaku": ["uumensai"], "chombo_score": ["-30"]}
    assert alice.post(where, typed).status_code == 302
    rules = now(here).rules
    assert (rules.honba, rules.local_yaku, rules.chombo.score) == (600, ("uumensai",), -300)
    assert RuleSet.objects.count() == 1
    entry = AuditEntry.objects.last()
    assert (entry.action, entry.before["values"]["honba"], entry.after["values"]["honba"]) == (
        "division.rules",
        300,
        600,
    )


def test_a_form_that_changes_nothing_changes_nothing(here, alice):
    where, before = address(here, "rule_sets:division_rules_edit"), AuditEntry.objects.count()
    answer = alice.post(where, form_of(alice, where), follow=True)
    assert said(answer) == ["No changes to save."]
    assert AuditEntry.objects.count() == before


def test_contradictory_settings_are_refused_at_the_setting_and_what_was_typed_stays(here, alice):
    where = address(here, "rule_sets:division_rules_edit")
    answer = alice.post(where, form_of(alice, where) | {"oka": ["0"], "honba": ["600"]})
    assert (answer.status_code, list(errors(answer))) == (422, ["uma"])
    assert (fields(answer)["honba"], fields(answer)["oka"]) == ("600", "0")
    assert now(here).rules.honba == 300


def test_the_pages_script_gets_what_is_wrong_and_saves_nothing(here, alice):
    where, before = address(here, "rule_sets:division_rules_edit"), AuditEntry.objects.count()
    typed = form_of(alice, where) | {"oka": ["0"], "honba": ["600"]}
    answer = alice.post(where, typed, headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert (answer.status_code, "<html" in html) == (200, False)
    state = html.split('id="state-uma"')[1].split("</div>")[0]
    assert 'hx-swap-oob="true"' in state
    assert "do not balance" in state
    assert "in the source: 300" in html.split('id="state-honba"')[1].split("</div>")[0]
    assert (now(here).rules.honba, AuditEntry.objects.count()) == (300, before)
    untouched = alice.post(where, form_of(alice, where), headers={"HX-Request": "true"}).content.decode()
    assert "in the source" not in untouched


def test_the_script_gets_the_inputs_that_another_text_fills_in(here, alice):
    where = address(here, "rule_sets:division_rules_edit")
    index = next(i for i, each in enumerate(preset(HKMA).conflicts) if "uma" in each.settings)
    typed = form_of(alice, where) | {f"reading_{index}": ["2"]}
    html = alice.post(where, typed, headers={"HX-Request": "true"}).content.decode()
    assert 'value="45 15 -20 -40"' in html.split('id="line-uma"')[1]
    assert f'name="shown_{index}" value="2"' in html


def test_an_edition_that_a_division_changes_stays_as_it_is(here, alice):
    edition = newest_edition(book(here))
    Division.objects.filter(pk=here.division.pk).update(rule_set=edition)
    where = address(here, "rule_sets:division_rules_edit")
    assert alice.post(where, form_of(alice, where) | {"honba": ["600"]}).status_code == 302
    edition.refresh_from_db()
    assert (now(here).book, now(here).rules.honba, edition.values["honba"]) == (None, 600, 300)


# --- a division that was played


def preview(client: Client, here: Club, **changed: str):
    where = address(here, "rule_sets:division_rules_edit")
    return client.post(where, form_of(client, where) | {name: [value] for name, value in changed.items()})


def confirmation(page) -> dict[str, str]:
    """The confirming form of a preview, as a browser would send it."""
    found = forms_of(page.content.decode(), page.request["PATH_INFO"])
    form = next(each for each in found if each.page == "rule_sets:division_rules_move")
    return {name: values[0] for name, values in form.fields.items() if values}


def confirm(client: Client, here: Club, page, **typed: str):
    return client.post(
        address(here, "rule_sets:division_rules_move"), confirmation(page) | {"reason": "voted"} | typed
    )


def test_what_would_change_is_shown_before_anything_does(here, alice):
    play(here)
    before = AuditEntry.objects.count()
    page = preview(alice, here, uma="30 20 -20 -30")
    shown = text(page)
    assert page.status_code == 200
    assert "2 scores change (at 1 of 2 tables) · 0 ranks change" in shown
    assert "Round 1, table 1" in shown
    assert "Round 1, table 2" not in shown
    assert "+10.0 → +20.0" in shown
    assert (now(here).rules.uma[1], AuditEntry.objects.count()) == (100, before)


def test_nothing_that_changes_is_said_plainly(here, alice):
    play(here)
    shown = text(preview(alice, here, honba="600"))
    assert (
        "Nothing changes: the 2 played tables have the same scores and ranks under both rule sets." in shown
    )


def test_confirmed_the_rules_change_and_the_standings_with_them(here, alice):
    play(here)
    answer = confirm(alice, here, preview(alice, here, uma="30 20 -20 -30"))
    assert (answer.status_code, answer.url) == (302, reverse("competitions:manage", args=[here.slug]))
    here.stage.refresh_from_db()
    assert now(here).rules.uma == (300, 200, -200, -300)
    stage = here.stage.__class__.objects.get(pk=here.stage.pk)
    assert [row.row.total for row in standings(stage, public=True).rows if row.row.games][2] == 200
    entry = with_texts(AuditEntry.objects.filter(competition=here.competition).last())
    assert (entry.actor, entry.after["reason"], entry.after["scores_changed"]) == (here.alice, "voted", 2)
    log = text(alice.get(reverse("audit_log:index", args=[here.slug])))
    assert "changed the rules of a division" in log
    assert "scores changed: 2" in log
    assert "reason: voted" in log


def test_a_played_division_moves_to_the_next_edition_of_its_rules(here, alice):
    made = book(here)
    Division.objects.filter(pk=here.division.pk).update(rule_set=newest_edition(made))
    play(here)
    first = newest_edition(made)
    second = save_edition(
        book=made,
        name=made.name,
        rules=copied_rules(HKMA, {**first.values, "uma": [40, 10, -10, -40]}, by=here.alice),
        seen=fingerprint(first),
        by=here.alice,
    )
    page = alice.post(address(here), form_of(alice, address(here)) | {"preset": [f"own:{second.pk}"]})
    assert "From House rules, edition 1 to House rules, edition 2." in text(page)
    assert confirm(alice, here, page).status_code == 302
    assert now(here) == second
    log = text(alice.get(reverse("audit_log:index", args=[here.slug])))
    assert "edition: 1 → 2" in log
    assert list(RuleSet.objects.filter(book=made).values_list("number", flat=True)) == [1, 2]


def test_a_sheet_that_came_meanwhile_shows_the_preview_again(here, alice):
    play(here)
    page = preview(alice, here, uma="30 20 -20 -30")
    here.add_round()
    here.record((45000, 35000, 25000, 15000), round_number=2)
    answer = confirm(alice, here, page)
    assert answer.status_code == 409
    assert "This competition has changed since you opened the page" in text(answer)
    assert "4 scores change (at 2 of 3 tables)" in text(answer)
    assert confirmation(answer)["reason"] == "voted"
    assert now(here).rules.uma[1] == 100
    assert confirm(alice, here, answer).status_code == 302
    assert now(here).rules.uma[1] == 200


def test_an_edition_changed_meanwhile_shows_the_preview_again(here, alice):
    made = book(here)
    play(here)
    edition = newest_edition(made)
    page = alice.post(address(here), form_of(alice, address(here)) | {"preset": [f"own:{edition.pk}"]})
    save_edition(
        book=made,
        name=made.name,
        rules=copied_rules(HKMA, {**edition.values, "uma": [40, 10, -10, -40]}, by=here.alice),
        seen=fingerprint(edition),
        by=here.alice,
    )
    answer = confirm(alice, here, page)
    assert (answer.status_code, now(here).book) == (409, None)
    assert "Someone else has changed this edition" in text(answer)
    assert confirm(alice, here, answer).status_code == 302
    assert now(here).rules.uma[0] == 400


def test_the_first_sheet_that_came_meanwhile_brings_the_preview(here, alice):
    typed = form_of(alice, address(here, "rule_sets:division_rules_edit")) | {"uma": ["30 20 -20 -30"]}
    play(here)
    page = alice.post(address(here, "rule_sets:division_rules_edit"), typed)
    assert "2 scores change" in text(page)
    assert now(here).rules.uma[1] == 100


def test_rules_with_another_start_are_not_offered_for_confirmation(here, alice):
    play(here)
    page = alice.post(address(here), form_of(alice, address(here)) | {"preset": ["mleague"]})
    assert (
        "The score sheets were checked with other starting points and would not add up under these rules"
        in text(page)
    )
    assert [
        f for f in forms_of(page.content.decode(), "/") if f.page == "rule_sets:division_rules_move"
    ] == []
    assert now(here).preset == HKMA


def log(here: Club, code: str, index: int) -> None:
    act = {"infraction": code, "condition": 0}
    log_offence(stage=here.stage, table=here.table(), player_id=here.players[index].pk, **act, by=here.bob)


def choose(alice: Client, here: Club, slug: str):
    return alice.post(address(here), form_of(alice, address(here)) | {"preset": [slug]})


def test_offences_of_penalties_that_the_new_catalogue_lacks_are_named_and_stay_readable(here, alice):
    play(here)
    for index in (0, 1):
        log(here, "A-II", index)
    log(here, "A-X", 2)
    named = {
        code: f"{code} {catalogue('hkma-2025').infractions[code].names['en']}" for code in ("A-II", "A-X")
    }
    page = choose(alice, here, "ema-2025")

    assert "These logged penalties are missing or named differently in the new penalty rules" in text(page)
    assert f"{named['A-II']} · 2 penalties {named['A-X']} · 1 penalty" in text(page)
    assert confirm(alice, here, page).status_code == 302
    assert now(here).preset == "ema-2025"
    for where in (
        reverse("penalties:index", args=[here.slug]),
        reverse("penalties:desk", args=[here.slug]),
        reverse("results:table", args=[here.slug, here.table().pk]),
    ):
        assert all(name in text(alice.get(where)) for name in named.values()), where


def test_a_division_without_sheets_is_shown_what_its_penalties_lose(here, alice):
    here.add_round()
    log(here, "A-II", 0)
    page = choose(alice, here, "ema-2025")
    assert "· 1 penalty" in text(page)
    assert "tables played" not in text(page)
    assert (now(here).preset, confirm(alice, here, page).status_code) == (HKMA, 302)
    assert now(here).preset == "ema-2025"


def test_nothing_is_said_of_penalties_where_the_catalogue_stays(here, alice):
    play(here)
    log(here, "A-II", 0)
    choose_catalogue(division=here.division, slug="hkma-2025", by=here.alice)
    for page in (choose(alice, here, "ema-2025"), choose(alice, here, "hkma-b-2025-04")):
        assert "Effects of other rules in" in text(page)
        assert "penalty rules" not in text(page)


def test_a_penalty_that_came_meanwhile_shows_the_preview_again(here, alice):
    play(here)
    log(here, "A-II", 0)
    page = choose(alice, here, "ema-2025")
    log(here, "A-II", 1)
    answer = confirm(alice, here, page)
    assert (answer.status_code, now(here).preset) == (409, HKMA)
    assert "· 2 penalties" in text(answer)


def test_the_confirmation_sent_twice_changes_once(here, alice):
    play(here)
    typed = confirmation(preview(alice, here, uma="30 20 -20 -30")) | {"reason": "voted"}
    where = address(here, "rule_sets:division_rules_move")
    assert [alice.post(where, typed).status_code for _ in range(2)] == [302, 302]
    assert AuditEntry.objects.filter(action="division.rules").count() == 1


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("", "Give a reason for changing the rules"),
        ("x" * 301, "300"),
        ("a\u202eb", "invisible control character"),
    ],
)
def test_a_reason_that_is_none_is_asked_again(here, alice, reason, sentence):
    play(here)
    page = preview(alice, here, uma="30 20 -20 -30")
    answer = confirm(alice, here, page, reason=reason)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert "2 scores change" in text(answer)
    assert now(here).rules.uma[1] == 100


@pytest.mark.parametrize("wrong", ["", "x", "a:b:c", "9" * 400, "x" * 70_000, "\x00"])
def test_a_proposal_without_a_valid_signature_leads_back_to_the_choice(here, alice, wrong):
    play(here)
    typed = confirmation(preview(alice, here, uma="30 20 -20 -30")) | {"proposal": wrong, "reason": "x"}
    answer = alice.post(address(here, "rule_sets:division_rules_move"), typed, follow=True)
    assert said(answer) == ["This page is out of date. Choose the rules again."]
    assert now(here).rules.uma[1] == 100


def test_a_proposal_for_one_division_is_none_for_another(here, alice):
    play(here)
    page = preview(alice, here, uma="30 20 -20 -30")
    there = club("autumn")
    play(there)
    answer = confirm(signed_in(there.alice), there, page)
    assert (answer.status_code, answer.url) == (302, address(there))
    assert now(there).rules.uma[1] == 100
    forged = signing.dumps({"division": here.division.pk, "edition": 1, "revision": 1, "seen": ""}, salt="x")
    answer = alice.post(
        address(here, "rule_sets:division_rules_move"),
        confirmation(page) | {"proposal": forged, "reason": "x"},
    )
    assert (answer.url, SALT != "x") == (address(here), True)


def test_confirming_is_pressed_not_opened(here, alice):
    answer = alice.get(address(here, "rule_sets:division_rules_move"))
    assert (answer.status_code, answer.url) == (303, address(here))


def test_rules_of_a_preset_that_this_release_lacks_can_be_edited(here, alice):
    RuleSet.objects.update(preset="older-2019", edition="")
    where = address(here, "rule_sets:division_rules_edit")
    assert alice.post(where, form_of(alice, where) | {"honba": ["600"]}).status_code == 302
    assert (now(here).preset, now(here).rules.honba) == ("older-2019", 600)
