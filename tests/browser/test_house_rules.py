"""A league's own rules by hand in Chromium: made from HKMA's, played, changed, and moved with open eyes."""

import pytest
from django.urls import reverse

from league.models import Competition, Division, RuleBook
from tests.browser.kit import SCREEN, expect, fill, press, totals, unfold
from tests.browser.test_main_job import TYPED, downloaded, workbook_totals
from tests.factories import Club, user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _everyone_begins_competitions(settings):
    settings.NEW_COMPETITIONS = settings.EVERYONE


def new_competition(page) -> Competition:
    page.goto("/new/")
    fill(page, name="Trial", league_name="Wan Chai Club")
    page.locator("[name=preset][value=hkma-a-2025-04]").check()
    press(page, "competitions:new")
    return Competition.objects.get()


def state(page, setting: str):
    return page.locator(f"#state-{setting}")


@pytest.mark.slow
def test_own_rules_from_a_preset_to_the_next_edition_under_a_played_season(
    organizer, open_page, expect_complaints
):
    page = organizer

    # A first competition brings the league; its own rules begin from HKMA's.
    league = new_competition(page).league
    page.goto(reverse("rule_sets:house_rules", args=[league.slug]))
    page.locator("main a[href$='from=hkma-a-2025-04']").first.click()

    # Every change is checked by the server at once; the typed place points do not balance.
    fill(page, name="Wan Chai rules", oka=0)
    wrong = state(page, "uma").locator(".field-errors")
    expect(wrong).to_be_visible()
    expect(state(page, "oka")).not_to_be_empty()  # changed
    expect(page.locator("[name=oka]")).to_be_focused()
    fill(page, oka=20)
    expect(wrong).to_have_count(0)
    # Of two texts that contradict each other the other one is chosen: the setting follows.
    unfold(page, "[name^=reading]")
    page.get_by_label("本聯賽不採用切上滿貫").check()
    expect(state(page, "kiriage_mangan")).not_to_be_empty()
    expect(page.locator("[name=kiriage_mangan]")).not_to_be_checked()
    press(page, "rule_sets:house_rule_new", method="post")
    page.wait_for_url("**/rules/wan-chai-rules/")
    book = RuleBook.objects.get()
    [record] = [each for each in book.editions.get().readings if each["settings"] == ["kiriage_mangan"]]
    assert (record["chosen"], record["by"]) == (2, user("alice").pk)

    # A competition plays it: eight players, one round, two sheets.
    press(page, "competitions:new")
    fill(page, name="Season")
    press(page, "competitions:new")
    season = Competition.objects.get(name="Season")
    division = season.divisions.get()
    assert division.rule_set == book.editions.get()
    here = Club(season, division, division.stages.get(), [], *(user(name) for name in "abcd"))
    here.alice = user("alice")
    here.add_players(8)
    here.add_round()
    for number, (east, south, west) in TYPED.items():
        points = [int(east) * 100, int(south) * 100, int(west) * 100]
        here.record((*points, 120_000 - sum(points)), number=number, by=user("alice"))
    visitor = open_page()
    visitor.goto(f"/c/{season.slug}/")
    before = totals(visitor)
    assert before["陳大文"] == "+60.0"

    # The edition is frozen: another uma makes the next one, and the season stays with the first.
    page.goto(reverse("rule_sets:house_rule_edit", args=[league.slug, book.slug]))
    fill(page, uma="40 10 -20 -30")
    expect(state(page, "uma")).not_to_be_empty()
    press(page, "rule_sets:house_rule_edit", method="post")
    assert book.editions.count() == 2
    visitor.reload()
    assert totals(visitor) == before

    # Moving shows what would change first, asks why, and only then changes anything.
    press(page, "rule_sets:division_rules")
    press(page, "rule_sets:division_rules", method="post")
    expect(page.locator("[name=proposal]")).to_have_count(1)
    visitor.reload()
    assert totals(visitor) == before
    press(page, "rule_sets:division_rules_move", method="post")
    expect(page.locator("main :is(.field-errors, .alert-danger)").first).to_be_visible()
    fill(page, reason="voted at the annual meeting")
    press(page, "rule_sets:division_rules_move", method="post")
    page.wait_for_url("**/manage/")
    assert Division.objects.get(competition=season).rule_set.number == 2

    # The standings, their file and the audit log follow.
    visitor.reload()
    after = totals(visitor)
    assert after["陳大文"] == "+70.0"
    changed = {name: (before[name], after[name]) for name in after if before[name] != after[name]}
    assert changed == {
        "陳大文": ("+60.0", "+70.0"),
        "王美麗": ("−20.0", "−30.0"),
        "Dora": ("+76.2", "+86.2"),
        "Émile": ("−16.3", "−26.3"),
    }
    held = workbook_totals(downloaded(visitor))
    assert {name: f"{total:+.1f}".replace("-", "−") for name, (_, total) in held.items()} == after
    page.goto(f"/c/{season.slug}/manage/audit/")
    entry = page.locator("tr", has_text="voted at the annual meeting").first.inner_text()
    assert ("alice" in entry, "+40.0" in entry) == (True, True)


@pytest.mark.slow
def test_without_script_the_server_asks_and_answers_the_same(open_page, sign_in, expect_complaints):
    page = open_page(viewport=SCREEN, java_script_enabled=False)
    sign_in(page, user("alice"))
    league = new_competition(page).league
    page.goto(f"{reverse('rule_sets:house_rule_new', args=[league.slug])}?from=hkma-a-2025-04")
    fill(page, name="Ours", honba=350)
    unfold(page, "[name^=reading]")
    page.get_by_label("本聯賽不採用切上滿貫").check()
    press(page, "rule_sets:house_rule_new", method="post")
    expect(state(page, "honba").locator(".field-errors")).to_be_visible()
    expect(page.locator("[name=kiriage_mangan]")).not_to_be_checked()
    fill(page, honba=600)
    press(page, "rule_sets:house_rule_new", method="post")
    page.wait_for_url("**/rules/ours/")
    rules = RuleBook.objects.get().editions.get().rules
    assert (rules.honba, rules.kiriage_mangan) == (600, False)
