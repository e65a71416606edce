"""A framed page in the page of another site, in Chromium."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browser.kit import SCREEN, expect
from tests.factories import Club, club
from tests.seeds import seeds

pytestmark = pytest.mark.django_db(transaction=True)

FRAME = (
    '<iframe src="{}/c/spring/embed/standings/?theme={}" title="Standings" width="100%" height="90"></iframe>'
)
SCRIPT = '<script src="{}/static/js/embed.js" async></script>'


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def site(tmp_path) -> Iterator[str]:
    """Serve the folder of another site on a port of its own."""
    (tmp_path / "favicon.ico").write_bytes(b"")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    made.record((45_000, 35_000, 25_000, 15_000), number=2)
    return made


def write(folder: Path, *parts: str) -> None:
    (folder / "index.html").write_text(f"<!DOCTYPE html><title>Club</title>{''.join(parts)}")


@pytest.mark.parametrize("late", seeds([False, True]))
def test_a_frame_gets_the_height_of_what_it_shows(late, spring, site, tmp_path, live_server, open_page):
    frame, script = FRAME.format(live_server.url, "dark"), SCRIPT.format(live_server.url)
    write(tmp_path, *([frame, script] if late else [script, frame]))
    page = open_page(viewport=SCREEN)
    page.goto(site)
    shown = page.frame_locator("iframe")
    expect(shown.locator("tbody tr")).to_have_count(8)
    page.wait_for_function("document.querySelector('iframe').offsetHeight > 300")
    inside = shown.locator("body").bounding_box()
    assert abs(page.locator("iframe").bounding_box()["height"] - inside["height"]) <= 6
    assert shown.locator("html").get_attribute("data-bs-theme") == "dark"
    assert page.context.cookies() == []
    with page.context.expect_page() as opened:
        shown.locator("tbody a").first.click()
    assert "/c/spring/players/" in opened.value.url
    assert opened.value.evaluate("window.opener") is None


@pytest.mark.slow
def test_a_frame_without_script_scrolls_inside_and_other_pages_stay_out(
    spring, site, tmp_path, live_server, open_page, expect_complaints, expected_problems
):
    expected_problems += ("Refused to frame", "Framing ")
    other = f'<iframe src="{live_server.url}/c/spring/" title="All"></iframe>'
    write(tmp_path, FRAME.format(live_server.url, "auto"), other)
    page = open_page(viewport=SCREEN, color_scheme="dark")
    page.goto(site)
    shown = page.frame_locator("iframe >> nth=0")
    expect(shown.locator("tbody tr")).to_have_count(8)
    assert page.locator("iframe").first.bounding_box()["height"] < 100
    assert shown.locator("html").get_attribute("data-bs-theme") == "dark"
    assert shown.locator("html").evaluate("each => each.scrollHeight > innerHeight")
    expect(page.frame_locator("iframe >> nth=1").locator("main")).to_have_count(0)
