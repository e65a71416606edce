"""Fixtures for all tests: emptying a database whose audit log refuses it, and Chromium."""

import copy
import fcntl
import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, connections
from django.db.models.signals import post_migrate
from django.template import Context, RequestContext, Template
from django.test import TestCase
from django.test.signals import template_rendered
from django.test.testcases import LiveServerThread
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from league.organizing.seating.services import drafts, plans
from league.settings import ALL_EXTRAS
from scoring.seating import rounds
from tests import choice
from tests.cases import CasesTogether
from tests.empty_database import find_kept, make_empty_database
from tests.examples import FULL
from tests.factories import signed_in
from tests.live import PatientServer
from tests.module_fixtures import restore_module_fixtures

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer
    from pytest_django.plugin import DjangoDbBlocker

ROOT = Path(__file__).resolve().parent.parent
# The first one, which Debian has, is Chromium without its windows, and three times as quick.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_OPTIONS = (
    "--no-sandbox",  # root, as in a container, has no sandbox
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A page that follows one of the same site is drawn in its place, which takes a quarter less time.
    # Playwright enables the second; of several such lists the last one counts.
    "--enable-features=RenderDocument:level/crashed-frame,CDPScreenshotNewSurface",
    # No page lives long enough for code that is optimized in the background to pay.
    "--js-flags=--no-opt --no-maglev",
)
# Examples do not depend on chance, nor their verdict on the load of the machine. Another choice of examples:
# pytest --hypothesis-profile=explore, which prints how to repeat what fails. "quick" is bin/test's own.
hypothesis_settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile(
    "explore", hypothesis_settings.get_profile("repeatable"), derandomize=False, print_blob=True
)
hypothesis_settings.register_profile(
    "quick", hypothesis_settings.get_profile("repeatable"), max_examples=FULL // 5
)
hypothesis_settings.load_profile("repeatable")
LiveServerThread.server_class = PatientServer  # Django has no setting for the class of the server
# Pages and records need a plan, not a good one: how good plans are is tested in scoring/seating, which names
# its steps.
rounds.STEPS = 4_000
plans.SLICE = 1
drafts.MOST_SLICES = 1
FIRST_DATABASE: list[str] = []  # that all processes copy; nothing is connected to it
# Walks over all pages, journeys in a browser, programs that are started: they begin first, so that nothing
# waits for one of them at the end.
FIRST = ("test_", "browser/", "faults/")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--apart", action="store_true", help="each case of a test is a test of its own")
    parser.addoption("--long", action="store_true", help="the benchmarks and long runs of the faults too")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    return None if parent.config.option.apart else CasesTogether.from_parent(parent, path=module_path)


@pytest.hookimpl(tryfirst=True)  # before -m chooses by the markers
def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    if not config.option.long:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    items.sort(key=lambda item: not item.nodeid.removeprefix("tests/").startswith(FIRST))
    choice.mark_all(items)
    config.stash[choice.COUNTS] = choice.count_slow(items)
    config.stash[choice.MISSING] = choice.without_quick_case(items)
    for item in items:
        if choice.fixtures_of(item) & {"migrated", "empty_tables"} and not choice.uses_database(item):
            item.add_marker("django_db")  # without any such test pytest-django makes no tables
    if "LEFT_OUT" in os.environ:
        Path(os.environ["LEFT_OUT"]).write_text(choice.left_out(items))


def pytest_runtest_setup(item: pytest.Item) -> None:
    needed = {name for mark in item.iter_markers("with_extra") for name in mark.args}
    assert needed <= set(ALL_EXTRAS), f"unknown extras: {needed - set(ALL_EXTRAS)}"
    if left_out := needed - set(settings.EXTRAS):
        pytest.skip(f"without {', '.join(sorted(left_out))}")


def pytest_collection_finish() -> None:
    """The tests stay until the end: the collector of cycles need not look through them each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: "DjangoDbBlocker",
    tmp_path_factory: pytest.TempPathFactory,
    worker_id: str,
) -> Iterator[None]:
    """Makes the tables in the first process that needs a database; each process has a copy of it.

    Permissions of all models would be made again whenever a test has emptied the tables: they are not made.
    """
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    creation, run = connection.creation, tmp_path_factory.getbasetemp()
    if worker_id != "master":
        run = run.parent
    first, made = creation._get_test_db_name(), run / "database_made"
    with django_db_blocker.unblock(), (run / "database_lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make_empty_database(first)
            made.touch()
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = first
        FIRST_DATABASE.append(first)
        creation.clone_test_db(worker_id, verbosity=0)
        creation.setup_worker_connection(worker_id)
    yield
    with django_db_blocker.unblock():
        connection.settings_dict["NAME"] = first
        creation.destroy_test_db(suffix=worker_id, verbosity=0)


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Numbers of rows begin again with every test: what another test's competition left must not be found."""
    cache.clear()
    Path(settings.ERASED_FILE).unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _own_settings() -> None:
    """Settings that were changed inside an override, and restored after it, bring the override back."""
    assert os.environ["EVIDENCE_DIR"] == settings.EVIDENCE_DIR, "The test before left its settings behind."


@pytest.fixture(autouse=True)
def _restored() -> None:
    restore_module_fixtures()


@pytest.fixture(autouse=True)
def _default_language() -> Iterator[None]:
    """A request leaves its language behind in the thread; the next test must not read it."""
    translation.deactivate()
    yield
    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _contexts_of_pages() -> Iterator[None]:
    """The test client gets the context of each page, and no copy for each of the hundred parts of a page."""
    send = template_rendered.send

    def send_pages(*, template: Template, context: Context, **named: object) -> None:
        if context.template is template and isinstance(context, RequestContext):
            send(template=template, context=context, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template_rendered, "send", send_pages)
        yield


class TestsOfAModule(TestCase):
    """Its class-wide transaction is around all tests of a module; each has a savepoint in it."""


@pytest.fixture(scope="module")
def make_once(django_db_setup: None, django_db_blocker: "DjangoDbBlocker") -> Iterator[Callable[..., object]]:
    """`make_once(make)`: what `make` writes into the database, once for all tests of a module.

    Answers a function that gives each test a copy of what `make` returned. What a test changes is undone for
    the next one.
    """
    with django_db_blocker.unblock():
        TestsOfAModule.setUpClass()

    def made(make: Callable[[], object]) -> Callable[[], object]:
        with django_db_blocker.unblock():
            return partial(copy.deepcopy, make())

    yield made
    with django_db_blocker.unblock():
        TestsOfAModule.tearDownClass()
        TestsOfAModule.doClassCleanups()


@pytest.fixture
def undrawn_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of a round's papers is their page: a walk over all pages starts no process that draws it."""
    monkeypatch.setattr(
        "league.organizing.seating.views.papers.make_pdf", lambda html, **where: html.encode()
    )


@pytest.fixture
def live_server(transactional_db: None, live_server: "LiveServer") -> Iterator["LiveServer"]:
    """pytest-django's own; requests that a closed page left behind end before the tables are emptied."""
    yield live_server
    live_server.thread.httpd.wait_until_idle()


@pytest.fixture(scope="session")
def empty_tables(django_db_setup: None, request: pytest.FixtureRequest) -> str:
    """What `tests.places.new_place` copies on this run's engine: programs need not make the tables."""
    if connection.vendor == "sqlite":
        return str(request.getfixturevalue("migrated"))
    return FIRST_DATABASE[0]


@pytest.fixture(scope="session")
def migrated(
    django_db_setup: None, django_db_blocker: "DjangoDbBlocker", tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An SQLite file with empty tables, for programs with a database of their own, which need not make it."""
    path = tmp_path_factory.mktemp("migrated") / "empty.sqlite3"
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(path)])
        elif kept := find_kept(".sqlite3"):
            path.write_bytes(kept)
        else:
            env = os.environ | {"DATABASE_URL": f"sqlite:///{path}"}
            subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
    return path


@pytest.fixture(scope="session")
def browser(django_db_setup: None) -> Iterator["Browser"]:
    """One Chromium for the session; skips where none is installed."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    from playwright.sync_api import sync_playwright

    path = next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"no Chromium on this machine (looked for {', '.join(CHROMIUM_NAMES)})")
    # Playwright keeps an event loop running in this thread, which Django takes for asynchronous code: this
    # setting permits it. Other database connections are in use while the loop runs than before and after it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_OPTIONS))
        yield chromium
        chromium.close()
        connections.close_all()


@pytest.fixture
def page_problems() -> list[str]:
    """What the console of this test's pages complained of."""
    return []


@pytest.fixture
def expected_problems() -> list[str]:
    """How complaints begin that this test's pages may make, at any time until they are closed."""
    return []


@pytest.fixture
def open_page(
    browser: "Browser", live_server: "LiveServer", page_problems: list[str], expected_problems: list[str]
) -> Iterator[Callable[..., "Page"]]:
    """`open_page(**options)`: a page of a person of their own (own cookies), based on `live_server`.

    Options are those of a Playwright context (`viewport`, `locale`, `color_scheme`, `java_script_enabled`).
    The test fails when a console shows an error, a broken policy (CSP) included.
    """
    contexts = []

    def opened(**options: object) -> "Page":
        context = browser.new_context(
            **({"base_url": live_server.url, "locale": "en", "service_workers": "block"} | options)
        )
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: page_problems.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: page_problems.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [said for said in page_problems if not said.startswith(tuple(expected_problems))] == []


@pytest.fixture
def page(open_page: Callable[..., "Page"]) -> "Page":
    return open_page()


@pytest.fixture
def sign_in(live_server: "LiveServer") -> Callable[["Page", "User"], None]:
    """`sign_in(page, user)`: the page's person is signed in, without typing a password.

    As after a real sign-in, what older pages of this browser send is refused: their token is another one.
    """

    def sign_in(page: "Page", user: "User") -> None:
        value = signed_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        page.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
        page.context.add_cookies([
            {"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url},
        ])  # fmt: skip

    return sign_in
