"""A league's own rules by hand in Chromium: made from HKMA's, played, changed, and moved with open eyes."""

import pytest
from django.urls import reverse

from league.models import Competition, Division, RuleBook
from tests.browser.test_main_job import TYPED, shown_totals, workbook_totals
from tests.factories import Club, user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def organizer(open_page, sign_in):
    page = open_page(viewport={"width": 1280, "height": 900})
    sign_in(page, user("alice"))
    return page


def press(page, name: str) -> None:
    page.locator("main").get_by_role("button", name=name, exact=True).or_(
        page.locator("main").get_by_role("link", name=name, exact=True)
    ).first.click()


def state(page, setting: str):
    return page.locator(f"#state-{setting}")


def test_own_rules_from_a_preset_to_the_next_edition_under_a_played_season(
    organizer, open_page, page_problems
):
    page = organizer

    # A first competition brings the league; its own rules begin from HKMA's.
    page.goto("/new/")
    page.get_by_label("Name of the competition").fill("Trial")
    page.get_by_label("Name of your league or club").fill("Wan Chai Club")
    press(page, "Create the competition")
    league = Competition.objects.get().league
    page.goto(reverse("rule_sets:house_rules", args=[league.slug]))
    page.locator("main").get_by_role("link", name="HKMA league, division A (April 2025)").click()

    # Every change is checked by the server at once; the typed place points do not balance.
    page.get_by_label("Name of the rules").fill("Wan Chai rules")
    page.locator("[name=oka]").fill("0")
    state(page, "uma").get_by_text("do not balance").wait_for()
    state(page, "oka").get_by_text("changed").wait_for()
    assert page.locator("[name=oka]").evaluate("input => input === document.activeElement")
    page.locator("[name=oka]").fill("20")
    state(page, "uma").get_by_text("do not balance").wait_for(state="detached")
    # Of two texts that contradict each other the other one is chosen: the setting follows.
    page.locator("summary", has_text="The source leaves").click()
    page.get_by_label("本聯賽不採用切上滿貫").check()
    page.locator("#state-kiriage_mangan").get_by_text("the source has: yes").wait_for()
    assert not page.locator("[name=kiriage_mangan]").is_checked()
    press(page, "Save the rules")
    page.wait_for_url("**/rules/wan-chai-rules/")
    book = RuleBook.objects.get()
    [record] = [each for each in book.editions.get().readings if each["settings"] == ["kiriage_mangan"]]
    assert (record["chosen"], record["by"]) == (2, user("alice").pk)

    # A competition plays it: eight players, one round, two sheets.
    press(page, "New competition under these rules")
    page.get_by_label("Name of the competition").fill("Season")
    press(page, "Create the competition")
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
    before = shown_totals(visitor)
    assert before["陳大文"] == "+60.0"

    # The edition is frozen: another uma makes the next one, and the season stays with the first.
    page.goto(reverse("rule_sets:house_rule_edit", args=[league.slug, book.slug]))
    page.locator("[name=uma]").fill("40 10 -20 -30")
    state(page, "uma").get_by_text("changed").wait_for()
    press(page, "Save edition 2")
    page.get_by_text("1 setting is not as in edition 1").wait_for()
    visitor.reload()
    assert shown_totals(visitor) == before

    # Moving shows what would change first, asks why, and only then changes anything.
    press(page, "Move it to the newest edition")
    press(page, "See what would change")
    page.get_by_text("4 scores change, at 2 of 2 tables;").wait_for()
    visitor.reload()
    assert shown_totals(visitor) == before
    press(page, "Change the rules")
    page.get_by_text("Say why the rules change").wait_for()
    page_problems.clear()  # the browser reports that this was refused
    page.get_by_label("Why do the rules change?").fill("voted at the annual meeting")
    press(page, "Change the rules")
    page.wait_for_url("**/manage/")
    assert Division.objects.get(competition=season).rule_set.number == 2

    # The standings, their file and the audit log follow.
    visitor.reload()
    after = shown_totals(visitor)
    assert after["陳大文"] == "+70.0"
    changed = {name: (before[name], after[name]) for name in after if before[name] != after[name]}
    assert changed == {
        "陳大文": ("+60.0", "+70.0"),
        "王美麗": ("−20.0", "−30.0"),
        "Dora": ("+76.2", "+86.2"),
        "Émile": ("−16.3", "−26.3"),
    }
    with visitor.expect_download() as download:
        visitor.locator("main").get_by_role("link", name="Excel").click()
    held = workbook_totals(download.value.path().read_bytes())
    assert {name: f"{total:+.1f}".replace("-", "−") for name, (_, total) in held.items()} == after
    page.goto(f"/c/{season.slug}/manage/audit/")
    entry = page.locator("tr", has_text="changed the rules of a division").first
    for told in ("alice", "voted at the annual meeting", "edition:", "scores changed:", "+40.0"):
        assert told in entry.inner_text()


def test_without_script_the_server_asks_and_answers_the_same(open_page, sign_in, page_problems):
    page = open_page(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    sign_in(page, user("alice"))
    page.goto("/new/")
    page.get_by_label("Name of the competition").fill("Trial")
    page.get_by_label("Name of your league or club").fill("Club")
    press(page, "Create the competition")
    league = Competition.objects.get().league
    page.goto(f"{reverse('rule_sets:house_rule_new', args=[league.slug])}?from=hkma-a-2025-04")
    page.get_by_label("Name of the rules").fill("Ours")
    page.locator("[name=honba]").fill("350")
    page.locator("summary", has_text="The source leaves").click()
    page.get_by_label("本聯賽不採用切上滿貫").check()
    press(page, "Save the rules")
    state(page, "honba").get_by_text("must be a multiple of 100").wait_for()
    page_problems.clear()  # the browser reports that this was refused
    assert not page.locator("[name=kiriage_mangan]").is_checked()
    page.locator("[name=honba]").fill("600")
    press(page, "Save the rules")
    page.wait_for_url("**/rules/ours/")
    rules = RuleBook.objects.get().editions.get().rules
    assert (rules.honba, rules.kiriage_mangan) == (600, False)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_scrolls_sideways(open_page, sign_in, width, scheme):
    page = open_page(viewport={"width": width, "height": 740}, color_scheme=scheme)
    sign_in(page, user("alice"))
    page.goto("/new/")
    page.get_by_label("Name of the competition").fill("Trial")
    page.get_by_label("Name of your league or club").fill("W" * 120)
    press(page, "Create the competition")
    competition = Competition.objects.get()
    division = competition.divisions.get()
    start = f"{reverse('rule_sets:house_rule_new', args=[competition.league.slug])}?from=hkma-a-2025-04"
    page.goto(start)
    page.get_by_label("Name of the rules").fill("規" * 120)
    press(page, "Save the rules")
    book = RuleBook.objects.get()
    at = [competition.league.slug, book.slug]
    addresses = [
        start,
        reverse("rule_sets:house_rules", args=at[:1]),
        reverse("rule_sets:house_rule", args=at),
        reverse("rule_sets:house_rule_edit", args=at),
        reverse("competitions:division_rules", args=[competition.slug, division.slug]),
        reverse("competitions:division_rules_edit", args=[competition.slug, division.slug]),
    ]
    wide = []
    for address in addresses:
        page.goto(address)
        for fold in page.locator("main details:not([hidden]) > summary").all():
            fold.click()
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide.append(address)
    assert wide == []
