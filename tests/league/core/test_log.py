"""Logs name pages and ids; metrics are for monitors that know the token."""

import io
import logging
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import ConnectionHandler, OperationalError
from django.db.backends.signals import connection_created
from django.test import Client

from league.server import log
from tests.factories import club, signed_in
from tests.served import free_port, served
from tests.wire import Visitor

TOKEN = "of-the-monitor"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What the server writes."""
    handler = next(each for each in logging.getLogger().handlers if each.get_name() == "stderr")
    stream = io.StringIO()
    before = handler.setStream(stream)
    yield stream
    handler.setStream(before)


@pytest.mark.django_db
def test_the_log_names_page_and_ids_and_no_address(lines):
    club("spring")

    Client().get("/invitations/a-secret-code/")
    Client().get("/c/spring/rounds/999/")
    Client().get("/of-a-person/")

    text = lines.getvalue()
    assert "Not Found: rounds:round spring 999" in text
    assert "Not Found: -" in text
    assert "secret" not in text
    assert "of-a-person" not in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "headers", "status", "line"),
    [
        ("/", {"Host": "elsewhere.example"}, 400, "ERROR django.security.DisallowedHost: Invalid HTTP_HOST"),
        ("/security/", {}, 403, "WARNING django.request: Forbidden (Permission denied): accounts:security"),
        ("/nowhere/", {}, 404, "WARNING django.request: Not Found: -"),
    ],
)
def test_a_refused_request_leaves_one_line(lines, address, headers, status, line):
    visitor = Client()
    if status == 403:
        visitor = signed_in(club("spring").dora)

    assert visitor.get(address, headers=headers).status_code == status

    (written,) = lines.getvalue().splitlines()
    assert line in written


def failure(server: dict[str, object]) -> BaseException:
    """The error of a request that cannot reach this database."""
    unreachable = ConnectionHandler({"default": server})["default"]
    with pytest.raises(OperationalError) as caught, unreachable.wrap_database_errors:
        unreachable.connect()
    return caught.value


def test_an_outage_of_the_database_leaves_a_line_at_its_start_and_one_at_its_end(lines):
    server = {"ENGINE": "django.db.backends.postgresql", "NAME": "umaoka", "HOST": "127.0.0.1"}
    down = failure(server | {"PORT": free_port()})
    for _ in range(3):
        logging.getLogger("django.request").error("Internal Server Error: %s", "-", exc_info=down)
    connection_created.send(sender=None)
    connection_created.send(sender=None)

    start, end = lines.getvalue().splitlines()
    assert "ERROR django.request: The database does not answer: " in start
    assert "Connection refused" in start
    assert end.endswith("WARNING league.server.log: The database answers again after 0 s. Failed requests: 3")


def test_another_fault_of_the_database_keeps_its_traceback(lines):
    broken = failure({"ENGINE": "django.db.backends.sqlite3", "NAME": "/nowhere/at/all"})
    for _ in range(2):
        logging.getLogger("django.request").error("Internal Server Error: %s", "-", exc_info=broken)

    assert lines.getvalue().count("Traceback (most recent call last)") == 4
    assert lines.getvalue().count("django.request: Internal Server Error") == 2


@pytest.mark.django_db
def test_a_page_whose_time_cannot_be_counted_is_shown(monkeypatch):
    def fail(*_names: object) -> None:
        raise FileNotFoundError("the folder of counts is gone")

    monkeypatch.setattr(log.SECONDS, "labels", fail)

    assert Client().get("/rules/").status_code == 200


@pytest.mark.slow
def test_a_worker_that_ends_in_order_leaves_the_counts_to_the_others(migrated, tmp_path, monkeypatch):
    monkeypatch.setenv("METRICS_TOKEN", TOKEN)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with served(tmp_path, migrated=migrated, WEB_CONCURRENCY="2") as url:
        monitor = Visitor(url, headers={"Authorization": f"Bearer {TOKEN}"})
        Visitor(url).get("/rules/")
        master = int(re.search(r"umaoka-metrics-(\d+)-", next(tmp_path.glob("umaoka-metrics-*")).name)[1])
        first = workers(master)
        os.kill(first[0], signal.SIGTERM)
        wait_until(lambda: first[0] not in workers(master) and len(workers(master)) == 2)

        for page in ("/healthz", "/rules/", "/offences/", "/accounts/login/") * 4:
            assert Visitor(url).get(page).status == 200
        assert 'page="penalty_rules:index",status="200"} 4.0' in monitor.get("/metrics").text

        os.kill(master, signal.SIGTERM)
        wait_until(lambda: not list(tmp_path.glob("umaoka-metrics-*")))


def workers(master: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split()]


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}])
def test_without_the_token_metrics_do_not_exist(headers, settings):
    settings.METRICS_TOKEN = TOKEN

    assert Client().get("/metrics", headers=headers).status_code == 404


def test_without_a_token_in_the_settings_no_one_reads_metrics(settings):
    settings.METRICS_TOKEN = ""

    assert Client().get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.slow
def test_metrics_of_all_workers_and_the_access_log_name_pages(migrated, tmp_path, monkeypatch):
    monkeypatch.setenv("METRICS_TOKEN", TOKEN)
    with served(tmp_path, migrated=migrated) as url:
        for _ in range(20):
            Visitor(url).get("/rules/?visitor=alice")
        read = Visitor(url, headers={"Authorization": f"Bearer {TOKEN}"}).get("/metrics").text

    counted = 'umaoka_request_seconds_count{method="GET",page="rule_sets:index",status="200"} 20.0'
    log = (tmp_path / "server.log").read_text()
    assert counted in read
    assert "GET rule_sets:index 200 " in log
    assert "alice" not in log
    assert "127.0.0.1 " not in log
