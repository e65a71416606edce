"""What the tests in Chromium share: devices, pressing, what a page prints and what its tables show."""

import json
import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from django.http import Http404
from django.urls import resolve

sync_api = pytest.importorskip("playwright.sync_api")
expect, Page, Locator = sync_api.expect, sync_api.Page, sync_api.Locator
PATIENCE = 30  # seconds; a busy machine needs some
expect.set_options(timeout=PATIENCE * 1000)

SCREEN = {"width": 360, "height": 740}
PHONE = {"viewport": SCREEN, "has_touch": True, "is_mobile": True}
A4 = (210, 297)  # mm
PROBE = "/static/favicon.svg"
# The page sums in `window.shifts` how far its parts move from now on.
SHIFTS = """window.shifts = 0; new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifts += each.value;
}).observe({ type: "layout-shift", buffered: true })"""
KEPT = "[data-kept] .kept-line"  # what the page says of what the device keeps
LEADS = """all => all.map(each => {
    const form = each.form;
    const own = each.getAttribute(each.tagName === "A" ? "href" : "formaction");
    const address = own === null && form ? form.getAttribute("action") : own;
    const fields = form ? { method: form.method, ...Object.fromEntries(new FormData(form, each)) } : {};
    return [each.checkVisibility(), new URL(address || "", location.href).pathname, fields];
})"""


def way(page: Page, to: str, **holds: object) -> Locator:
    """The link, or the button of a form, in the page's own part that leads to the page named `to`.

    Of several the first that has these values in its address or its form, or its form's `method`; of those in
    menus, which are opened then, the first if no other is in view.
    """
    page.wait_for_load_state()
    found = page.locator("main a[href], main form button:not([type=button])")
    wanted = {name: str(value) for name, value in holds.items()}
    in_menus = []
    for at, (is_visible, path, fields) in enumerate(found.evaluate_all(LEADS)):
        name, arguments = leads_to(path)
        if name == to and wanted.items() <= (fields | arguments).items():
            if is_visible:
                return found.nth(at)
            in_menus.append(found.nth(at))
    for each in in_menus:
        menu = each.locator("xpath=ancestor::details[contains(@class, 'menu') or contains(@class, 'more')]")
        if menu.count():
            menu.locator("summary").click()
            return each
    pytest.fail(f"Nothing on {page.url} leads to {to} with {holds}.")


def press(page: Page, to: str, **holds: object) -> None:
    """Follows that link, or sends that form, and waits for the server's answer and its page.

    The tests read the database through the server's connection, which sees a change before its end.
    """
    button = way(page, to, **holds)
    with page.expect_response(lambda answer: leads_to(urlsplit(answer.url).path)[0] == to):
        button.click()
    page.wait_for_load_state()


class Clicks:
    """A mouse that counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, to: str, **holds: object) -> None:
        press(self.page, to, **holds)
        self.count += 1

    def on(self, selector: str) -> None:
        self.page.locator(selector).click()
        self.page.wait_for_load_state()
        self.count += 1

    def in_view(self, to: str, **holds: object) -> None:
        """Click what can be seen without opening a menu, so that no other click is hidden."""
        assert way(self.page, to, **holds).is_visible()
        assert self.page.locator("main details.menu[open]").count() == 0
        self(to, **holds)


def press_keys(page: Page, keys: Iterable[str]) -> None:
    """Presses keys once the page's scripts run: before that, Enter sends a form without them."""
    page.wait_for_load_state()
    for key in keys:
        page.keyboard.press(key)


def leads_to(path: str) -> tuple[str, dict[str, str]]:
    try:
        match = resolve(path)
    except Http404:
        return "", {}
    return match.view_name, {name: str(value) for name, value in match.kwargs.items()}


def unfold(page: Page, holding: str) -> None:
    """Opens the fold that holds this."""
    page.locator(f"main details:has({holding}) > summary").first.click()


def fill(page: Page, **fields: object) -> None:
    """Types into the fields of these names, in the page's own part."""
    for name, value in fields.items():
        page.locator(f"main [name={name}] >> visible=true").first.fill(str(value))


def is_wide(page: Page) -> bool:
    """Whether the page scrolls sideways."""
    page.wait_for_load_state()
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def rows(page: Page) -> list[Locator]:
    return page.locator("main table.standings tbody tr:has(td.total)").all()


def totals(page: Page) -> dict[str, str]:
    """Player or team → total, in the order of the page's table of standings."""
    found = {}
    for row in rows(page):
        name = row.locator("th").first
        inner = name.locator("a").first
        name = inner if inner.count() else name
        found[name.inner_text().strip()] = row.locator("td.total").first.inner_text().strip()
    return found


def printed_sheets(page: Page) -> list[tuple[int, int]]:
    """The size in mm of every sheet of paper that the browser would print."""
    printed = page.pdf(prefer_css_page_size=True)
    count = len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))
    boxes = re.findall(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", printed)
    sizes = [(round(float(w) * 25.4 / 72), round(float(h) * 25.4 / 72)) for w, h in boxes]
    assert len(sizes) in {1, count}  # said once for all, or of each
    return sizes * (count // len(sizes))


def look_again(page: Page) -> None:
    """The page comes into view, and asks the server what is new."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def intercept(page: Page, where: object, act: Callable[[object], object]) -> None:
    """Gives the page's requests to these addresses to `act`."""
    page.route(where, act)
    page.route(PROBE, lambda route: route.abort())
    _wait_until_intercepted(page)
    page.unroute(PROBE)


def intercept_posts(page: Page, where: object, act: Callable[[object], object]) -> None:
    """Gives the forms that the page sends to these addresses to `act`; what it reads there arrives."""
    intercept(page, where, lambda route: act(route) if route.request.method == "POST" else route.continue_())


def lose_answer(route: object) -> None:
    """For `intercept_posts`: the server saves what is sent, and the page gets no answer."""
    route.fetch(max_redirects=0)
    route.abort()


def _wait_until_intercepted(page: Page) -> None:
    """On a busy machine what the page sends still arrives for a moment."""
    page.evaluate("async (probe) => { for (;;) try { await fetch(probe) } catch { return } }", PROBE)


def cut_off(page: Page) -> None:
    """Nothing that this page's browser sends arrives.

    Unlike `set_offline`, which ends a moment before a page that is closed does: that page sends what waits.
    """
    page.context.route("**", lambda route: route.abort())
    _wait_until_intercepted(page)


def hold_posts(page: Page) -> None:
    """What the page's scripts post waits until `lose()` or `answer()` is called in it."""
    page.evaluate("""() => {
        const ask = window.fetch;
        const wait = (...asked) => new Promise((arrive, lose) =>
            Object.assign(window, { lose, answer: () => arrive(ask(...asked)) }));
        window.fetch = (at, more = {}) => (more.method === "POST" ? wait : ask)(at, more);
    }""")


def stop_timers(page: Page) -> None:
    """The page sends by itself no more what waits."""
    page.evaluate("for (let timer = setTimeout(() => undefined); timer; timer -= 1) clearTimeout(timer)")


def close(page: Page) -> Page:
    """Closes the page, and answers a new one of the same browser, with a network."""
    stop_timers(page)
    context = page.context
    page.close()
    context.unroute_all()
    return context.new_page()


def kept(page: Page) -> list[str]:
    """The states of the records that the device keeps, sorted: browsers keep them in no order."""
    records = page.evaluate("Object.entries(localStorage).filter(([name]) => name.startsWith('umaoka-'))")
    return sorted(json.loads(record)["state"] for name, record in records if name.count(":") > 1)


def listed(page: Page, *states: str) -> None:
    """Waits until the page lists records in these states: none of them is being sent."""
    lines = page.locator(KEPT)
    expect(lines).to_have_count(len(states))
    assert [line.get_attribute("data-state") for line in lines.all()] == list(states)


def wait_until_kept(page: Page, *states: str) -> None:
    """Waits until the device keeps records in these states alone.

    The page may give way to the next one meanwhile.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(sync_api.Error):
            if kept(page) == sorted(states):
                return
        page.wait_for_timeout(50)
    pytest.fail(f"The device keeps {kept(page)}, not {list(states)}.")


def word(page: Page, name: str, **values: object) -> str:
    """The sentence of the page's script of this name, with these values."""
    return page.locator(f"[data-word-{name}]").first.get_attribute(f"data-word-{name}").format(**values)
