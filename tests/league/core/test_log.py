"""Logs name pages and ids; metrics are for monitors that know the token."""

import io
import logging
from collections.abc import Iterator

import pytest
from django.test import Client

from tests.factories import club
from tests.served import served
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


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}])
def test_without_the_token_metrics_do_not_exist(headers, settings):
    settings.METRICS_TOKEN = TOKEN

    assert Client().get("/metrics", headers=headers).status_code == 404


def test_without_a_token_in_the_settings_no_one_reads_metrics(settings):
    settings.METRICS_TOKEN = ""

    assert Client().get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


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
