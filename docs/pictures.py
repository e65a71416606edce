"""Makes the pictures of the README from a running demo.

Start `bin/demo`, then, in another window: `.venv/bin/python docs/pictures.py http://127.0.0.1:8000`.
Needs the packages of requirements-dev.txt, Chromium and, for the workbook, LibreOffice and pdftoppm.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent / "pictures"
DESK = {"width": 1200, "height": 800}
PHONE = {"width": 390, "height": 760}
LEAGUE = "/c/demo-league/"


def main(address: str) -> None:
    HERE.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        standings(browser, address)
        organizer(browser, address)
        seating(browser, address)
        teams(browser, address)
        hands(browser, address)
        referee(browser, address)
        player(browser, address)
        rule_set(browser, address)
        comparison(browser, address)
        wall(browser, address)
        calculator(browser, address)
        workbook(browser, address)
        browser.close()


def open_page(
    browser: Browser, address: str, size: dict[str, int], *, user: str = "", scheme: str = "light"
) -> Page:
    context = browser.new_context(
        base_url=address, viewport=size, device_scale_factor=1.5, locale="en", color_scheme=scheme
    )
    page = context.new_page()
    if user:
        page.goto("/accounts/login/")
        page.fill("[name=username]", user)
        page.fill("[name=password]", "umaoka-demo")
        page.click("main button[type=submit]")
    return page


def keep(page: Page, name: str, *, whole: bool = False) -> None:
    page.wait_for_timeout(500)
    page.screenshot(path=HERE / f"{name}.png", full_page=whole)


def standings(browser: Browser, address: str) -> None:
    page = open_page(browser, address, DESK)
    page.goto("/c/mleague-2018-19/")
    page.locator("main").get_by_role("link", name="Players", exact=True).first.click()
    page.wait_for_load_state()
    keep(page, "standings")


def organizer(browser: Browser, address: str) -> None:
    """A score sheet half typed: nothing is saved, so that the demo stays as it was."""
    page = open_page(browser, address, DESK, user="organizer")
    page.goto(f"{LEAGUE}enter/")
    page.get_by_role("link", name="Division A").click()
    page.locator("#number:focus").wait_for()
    page.wait_for_load_state()  # keys before the script would send the form
    for key in ["1", "Enter", *"412", "Enter", *"287", "Enter", *"335", "Enter", "="]:
        page.keyboard.press(key)
    keep(page, "organizer")


def seating(browser: Browser, address: str) -> None:
    """A plan of eight rounds, looked at and thrown away, so that the demo stays as it was."""
    page = open_page(browser, address, DESK, user="organizer")
    page.goto("/c/sample-24/manage/")
    page.locator("details:has(a:text('Create seating')) > summary").first.click()
    page.get_by_role("link", name="Create seating").first.click()
    page.check("[name=method][value=schedule]")
    page.fill("[name=rounds]", "8")
    page.get_by_role("button", name="plan").first.click()
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("button", name="Search longer").wait_for()
    keep(page, "seating")
    page.locator("details.menu:has(button:text('Discard this plan')) > summary").click()
    page.get_by_role("button", name="Discard this plan").click()
    page.wait_for_url("**/manage/")


def teams(browser: Browser, address: str) -> None:
    page = open_page(browser, address, DESK)
    page.goto("/c/mleague-2018-19/teams/")
    keep(page, "teams")


def hands(browser: Browser, address: str) -> None:
    """A ron in the practice of hands, before it counts."""
    page = open_page(browser, address, PHONE)
    page.goto("/practice/hands/?rules=hkma-a-2025-04")
    for name in ("seat-1", "ron", "seat-1", "seat-2", "value-3-40"):
        page.locator(f'[data-do="{name}"]').click()
    keep(page, "hands")


def referee(browser: Browser, address: str) -> None:
    page = open_page(browser, address, PHONE, user="referee")
    page.goto(f"{LEAGUE}desk/")
    page.locator("a.table-choice").first.click()
    page.locator("a.seat-choice").nth(1).click()
    page.locator("[data-group] a[data-offence=A-II]").click()
    keep(page, "referee")


def player(browser: Browser, address: str) -> None:
    page = open_page(browser, address, PHONE, scheme="dark")
    page.goto("/c/mleague-2018-19/")
    page.locator("main").get_by_role("link", name="Players", exact=True).first.click()
    page.locator("main tbody a[href*='/players/']").first.click()
    page.wait_for_url("**/players/**")
    keep(page, "player")


def rule_set(browser: Browser, address: str) -> None:
    """One published rule set, with a contradiction of its source opened."""
    page = open_page(browser, address, DESK)
    page.goto("/rules/hkma-a-2025-04/")
    page.locator("main summary").first.click()
    keep(page, "rules")


def comparison(browser: Browser, address: str) -> None:
    page = open_page(browser, address, DESK)
    page.goto("/rules/compare/?set=hkma-a-2025-04&set=ema-2025&set=mleague&set=tenhou&differences=1")
    keep(page, "compare")


def wall(browser: Browser, address: str) -> None:
    """The summary as paper shows it: A4 without its margins."""
    page = open_page(browser, address, {"width": 726, "height": 1054})
    page.goto("/rules/mleague/summary/")
    page.emulate_media(media="print")
    keep(page, "wall")


def calculator(browser: Browser, address: str) -> None:
    page = open_page(browser, address, PHONE)
    page.goto("/hand/?hand=234456m77p345678s&win=8s&how=tsumo&riichi=1&dora=2m&seat=1&rules=mleague")
    keep(page, "calculator")


def workbook(browser: Browser, address: str) -> None:
    """The workbook as LibreOffice prints it, first page."""
    office, painter = shutil.which("soffice"), shutil.which("pdftoppm")
    if not office or not painter:
        sys.stderr.write("LibreOffice or pdftoppm is missing: the workbook's picture stays as it is.\n")
        return
    page = open_page(browser, address, DESK)
    content = page.request.get("/c/mleague-2018-19/download/workbook.xlsx").body()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "workbook.xlsx")
        file.write_bytes(content)
        run = [office, "--headless", "--convert-to", "pdf", "--outdir", folder, str(file)]
        subprocess.run(run, check=True, capture_output=True)  # noqa: S603 - the programs found above
        paint = [painter, "-png", "-r", "90", "-f", "1", "-l", "1", "-singlefile", f"{folder}/workbook.pdf"]
        subprocess.run([*paint, str(HERE / "federation")], check=True)  # noqa: S603


if __name__ == "__main__":
    main(*sys.argv[1:])
