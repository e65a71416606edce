"""An organizer reads games in Chromium, without script, and a visitor finds the hands in the statistics."""

import gzip

import pytest

from league.extras.statistics import views
from league.models import Stage, Table
from tests.browser.kit import PHONE, expect, press
from tests.factories import club
from tests.league.extras.game_logs.rules.game_log_files import NAMES, logged, write_json, write_mjlog
from tests.scoring.test_hanchan_records import tenhou_games

pytestmark = pytest.mark.django_db(transaction=True)


def test_games_become_tables_and_their_hands_statistics(open_page, sign_in, monkeypatch):
    monkeypatch.setattr(views, "LEAST_HANDS", 20)
    made = club("online", preset="tenhou")
    Stage.objects.filter(pk=made.stage.pk).update(play=Stage.Play.OPEN)
    records = [record for record, _number in zip(tenhou_games(), range(3), strict=False)]
    first, second, third = (logged(record) for record in records)
    files = [
        {"name": "first.json", "mimeType": "application/json", "buffer": write_json(*first, None)},
        {
            "name": "second.mjlog",
            "mimeType": "application/gzip",
            "buffer": gzip.compress(write_mjlog(*second, None)),
        },
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no game"},
    ]
    page = open_page(java_script_enabled=False, **PHONE)
    sign_in(page, made.alice)
    page.goto("/c/online/manage/")
    press(page, "game_logs:upload")
    page.get_by_label("Files").set_input_files(files)
    page.get_by_role("button", name="Check games").click()

    expect(page.get_by_text("notes.txt: This is not a game log.")).to_be_visible()
    expect(page.get_by_text("not saved", exact=True)).to_have_count(2)
    for name, player in zip(NAMES, made.players, strict=False):
        page.get_by_label(name).select_option(label=player.name)
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_text("new table")).to_have_count(2)
    page.get_by_role("button", name="Save 2 games").click()

    expect(page.get_by_text("2 games saved.")).to_be_visible()
    assert Table.objects.count() == 2
    page.goto("/c/online/manage/game-logs/")
    again = {"name": "x.json", "mimeType": "application/json", "buffer": write_json(*third, None)}
    page.get_by_label("Files").set_input_files([files[0], again])
    page.get_by_role("button", name="Check games").click()
    expect(page.get_by_text("This game is already saved.")).to_be_visible()
    expect(page.get_by_text("remembered").first).to_be_visible()
    page.get_by_role("button", name="Save 1 game").click()
    expect(page.get_by_text("1 game saved.")).to_be_visible()

    visitor = open_page(**PHONE)
    visitor.goto("/c/online/hands/?by=dealt_in")
    expect(visitor.locator("tbody tr")).to_have_count(4)
    expect(visitor.get_by_role("columnheader", name="Deal-in rate")).to_have_attribute(
        "aria-sort", "ascending"
    )
    visitor.locator("tbody a").first.click()
    expect(visitor.get_by_role("rowheader", name="Riichi income")).to_be_visible()
    expect(visitor.get_by_text("Most frequent yaku")).to_be_visible()
