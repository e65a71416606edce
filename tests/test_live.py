"""The tables are emptied after a test only when the live server has answered everything."""

import re
import socket
from collections.abc import Callable
from threading import Event, Timer
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

if TYPE_CHECKING:
    from playwright.sync_api import Page

arrived, go_on, answered = Event(), Event(), Event()


def slow(request: HttpRequest) -> HttpResponse:
    """Holds one table, then wants each of the others: while they are emptied, that would be a deadlock."""
    with transaction.atomic():
        User.objects.create(username="late")
        arrived.set()
        assert go_on.wait(10)
        for model in apps.get_models():
            model._default_manager.exists()
    answered.set()
    return HttpResponse("at last")


urlpatterns = [path("slow/", slow), path("", include("league.urls"))]


@pytest.fixture(autouse=True)
def _slow_page(settings) -> None:
    settings.ROOT_URLCONF = __name__
    for event in (arrived, go_on, answered):
        event.clear()


@pytest.fixture
def leave_in_the_middle(open_page: Callable[..., "Page"], live_server) -> Callable[[], None]:
    """Close a page before its request is answered. The answer arrives a little later."""

    def left() -> None:
        page = open_page()
        page.evaluate("url => { location.href = url }", live_server.url + "/slow/")
        assert arrived.wait(10)
        page.context.close()
        Timer(0.2, go_on.set).start()

    return left


def test_the_server_is_idle_when_the_request_of_a_closed_page_has_ended(
    leave_in_the_middle: Callable[[], None], live_server
) -> None:
    leave_in_the_middle()

    live_server.thread.httpd.wait_until_idle()

    assert answered.is_set()
    assert User.objects.get().username == "late"


def test_the_tables_are_emptied_after_a_page_was_closed_in_the_middle(
    leave_in_the_middle: Callable[[], None], live_server
) -> None:
    leave_in_the_middle()

    assert live_server.thread.httpd.connections > 0


@pytest.mark.usefixtures("transactional_db")
def test_a_connection_that_stays_open_is_reported(live_server) -> None:
    server = live_server.thread.httpd
    with (
        socket.create_connection(server.server_address),
        pytest.raises(TimeoutError, match=re.escape("still serves 1 connections 0.1 s after the test")),
    ):
        server.wait_until_idle(seconds=0.1)
