"""The front door: sign-in and its throttle, sign-out, language, health, error pages."""

import io
import math
import shutil
import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from django.utils import timezone
from django.views.defaults import server_error

from league import VERSION
from league.core import site
from league.core.network import client_address
from league.models import Role, SecurityEvent
from league.urls import urlpatterns as our_urlpatterns
from tests.factories import club, signed_in

pytestmark = pytest.mark.django_db
PASSWORD = "riichi-tsumo-ippatsu"


@pytest.fixture(autouse=True)
def unchecked(monkeypatch):
    """No health check has been made yet."""
    monkeypatch.setattr(site, "_checked", (-math.inf, ""))


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice", password=PASSWORD)


@pytest.fixture
def limits(settings) -> None:
    """Lower the limits of wrong passwords from 10 for a name and 100 for an address to 3 and 10."""
    assert (settings.AXES_FAILURE_LIMIT, settings.ADDRESS_FAILURE_LIMIT) == (10, 100)
    settings.AXES_FAILURE_LIMIT, settings.ADDRESS_FAILURE_LIMIT = 3, 10


def sign_in(client, name, password, **extra):
    return client.post("/accounts/login/", {"username": name, "password": password}, **extra)


def test_a_right_password_signs_in_and_goes_where_one_wanted_to(client, alice):
    answer = client.post("/accounts/login/", {"username": "alice", "password": PASSWORD, "next": "/healthz"})

    assert (answer.status_code, answer["Location"]) == (302, "/healthz")
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_sign_in_never_leads_to_another_site(client, alice):
    answer = client.post(
        "/accounts/login/", {"username": "alice", "password": PASSWORD, "next": "https://mallory.example/"}
    )

    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_wrong_password_is_explained_and_the_name_kept(client, alice):
    answer = sign_in(client, "alice", "wrong")

    assert answer.status_code == 200
    assert "Name and password do not match" in answer.content.decode()
    assert 'value="alice"' in answer.content.decode()
    assert "_auth_user_id" not in client.session


def test_ten_wrong_passwords_pause_sign_in_for_that_name_at_that_address_only(client, alice):
    User.objects.create_user("bob", password=PASSWORD)
    answers = [sign_in(client, "alice", "wrong").status_code for _ in range(10)]
    assert answers[:9] == [200] * 9

    locked = sign_in(client, "alice", PASSWORD)

    assert locked.status_code == 429
    assert "Wait 15 minutes" in locked.content.decode()
    assert 0 < int(locked["Retry-After"]) <= 900
    assert sign_in(Client(), "bob", PASSWORD).status_code == 302
    assert sign_in(Client(), "alice", PASSWORD, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_no_one_in_a_hall_can_lock_out_an_organizer_whose_browser_has_signed_in_before(client, alice, limits):
    own = Client()
    sign_in(own, "alice", PASSWORD)
    own.post("/accounts/logout/")
    for n in range(11):
        sign_in(client, "alice" if n < 4 else f"name{n}", "wrong")

    assert sign_in(client, "alice", PASSWORD).status_code == 429
    assert sign_in(own, "alice", "a typo").status_code == 200
    assert sign_in(own, "alice", PASSWORD).status_code == 302


def test_a_browser_that_is_known_has_no_more_tries_than_others(client, alice, limits):
    sign_in(client, "alice", PASSWORD)
    client.post("/accounts/logout/")

    answers = [sign_in(client, "alice", f"guess {n}").status_code for n in range(4)]

    assert answers == [200] * 2 + [429] * 2
    forged = Client()
    forged.cookies["known"] = client.cookies["known"].value[:-3] + "abc"
    assert sign_in(forged, "alice", PASSWORD).status_code == 429  # like any browser that is not known


def test_one_password_tried_on_many_names_is_stopped(client, alice, limits):
    answers = [sign_in(client, f"name{n}", "Riichi2026").status_code for n in range(12)]

    assert answers == [200] * 9 + [429] * 3
    assert sign_in(Client(), "alice", PASSWORD).status_code == 429
    assert sign_in(Client(), "alice", PASSWORD, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_devices_of_one_household_are_seen_as_one_address(client, alice, settings):
    settings.TRUSTED_PROXIES = 1
    mapped, no_address = "::ffff:192.0.2.1", "1.2.3.4:5"
    for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", mapped, "192.0.2.1", "unknown", no_address):
        sign_in(client, "alice", "wrong", headers={"X-Forwarded-For": address})

    kept = SecurityEvent.objects.order_by("pk").values_list("address", flat=True)
    assert list(kept) == ["2001:db8:1:2::", "2001:db8:1:2::", "192.0.2.1", "192.0.2.1", None, None]


def test_an_organizer_ends_the_pause_of_a_person_with_a_role_in_the_competition(client, alice, limits):
    spring = club("spring")
    spring.bob.set_password(PASSWORD)
    spring.bob.save()
    bob, there = spring.bob.get_username(), f"/c/{spring.slug}/manage/people/"
    organizer = signed_in(spring.alice)
    assert "Allow sign-in" not in organizer.get(there).content.decode()
    for _ in range(3):
        sign_in(client, bob, "wrong")
        sign_in(client, "alice", "wrong")
    assert sign_in(client, bob, PASSWORD).status_code == 429
    assert "Allow sign-in" in organizer.get(there).content.decode()
    role = Role.objects.get(user=spring.bob)

    organizer.post(f"{there}roles/{role.pk}/allow/", {"key": uuid.uuid4()})

    assert sign_in(client, bob, PASSWORD).status_code == 302
    assert sign_in(client, "alice", PASSWORD).status_code == 429
    assert SecurityEvent.objects.get(kind="allowed").by == spring.alice


def test_an_organizer_ends_the_pause_of_the_owner_twice_an_hour_and_an_administrator_always(
    client, alice, limits
):
    spring = club("spring")
    spring.alice.set_password(PASSWORD)
    spring.alice.save()
    owner, there = spring.alice.get_username(), f"/c/{spring.slug}/manage/people/"
    mallory = User.objects.create_user("mallory")
    role, _own = (
        Role.objects.get_or_create(competition=spring.competition, user=each, kind=Role.Kind.ORGANIZER)[0]
        for each in (spring.alice, mallory)
    )
    organizer = signed_in(mallory)
    guesses = 0
    for _ in range(5):
        while guesses < 20 and sign_in(client, owner, "wrong").status_code != 429:
            guesses += 1
        answer = organizer.post(f"{there}roles/{role.pk}/allow/", {"key": uuid.uuid4()}, follow=True)

    assert guesses < 3 * 3
    assert "Wait an hour, or ask the administrator" in answer.content.decode()
    assert sign_in(client, owner, PASSWORD).status_code == 429
    admin = signed_in(User.objects.create_superuser("root"))
    admin.post("/security/allow/", {"key": uuid.uuid4(), "name": owner})
    assert sign_in(client, owner, PASSWORD).status_code == 302


def test_an_administrator_reads_who_failed_from_where_and_ends_a_pause(client, alice, limits):
    for n in range(10):
        sign_in(client, f"name{n}", "wrong")
    assert sign_in(client, "alice", PASSWORD).status_code == 429
    admin = signed_in(User.objects.create_superuser("root"))
    page = admin.get("/security/?q=name7").content.decode()
    assert "failed sign-in" in page
    assert "127.0.0.1" in page
    assert "name8" not in page
    assert "kept for 90 days" in page
    assert "name9" in admin.get("/security/?q=127.0.0.1").content.decode()

    admin.post("/security/allow/", {"key": uuid.uuid4(), "address": "127.0.0.1"})

    assert sign_in(client, "alice", PASSWORD).status_code == 302


def test_the_security_log_is_cleaned_after_the_stated_time(client, alice, settings):
    for _ in range(2):
        sign_in(client, "alice", "wrong")
    old = timezone.now() - timedelta(days=settings.SECURITY_LOG_DAYS, minutes=1)
    SecurityEvent.objects.filter(pk=SecurityEvent.objects.latest("pk").pk).update(at=old)

    call_command("clean_up", stdout=io.StringIO())

    assert SecurityEvent.objects.count() == 1


def test_sign_out_is_by_post_only(client, alice):
    client.force_login(alice)
    assert client.get("/accounts/logout/").status_code == 405
    assert "_auth_user_id" in client.session

    answer = client.post("/accounts/logout/")

    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert "_auth_user_id" not in client.session


def test_a_password_can_be_changed(client, alice):
    client.force_login(alice)
    new = "chiitoitsu-dora-dora"

    answer = client.post(
        "/accounts/password/",
        {"old_password": PASSWORD, "new_password1": new, "new_password2": new},
        follow=True,
    )

    assert "Password changed" in answer.content.decode()
    alice.refresh_from_db()
    assert alice.check_password(new)


def test_a_page_for_everyone_holds_nothing_personal(client, alice):
    client.force_login(alice)
    signed_in = client.get("/nowhere").content.decode()
    assert "csrfmiddlewaretoken" in signed_in
    assert "alice" in signed_in

    answer = Client().get("/nowhere")

    assert "csrf" not in answer.content.decode().lower()
    assert dict(answer.cookies) == {}


@pytest.mark.parametrize(
    ("language", "tag"), [("en", "en"), ("zh-hant", "zh-Hant-HK"), ("zh-hans", "zh-Hans"), ("ja", "ja")]
)
def test_the_language_is_kept_in_a_cookie_and_wins_over_the_browser(client, language, tag):
    answer = client.post("/language/", {"language": language, "next": "/nowhere?a=1"})

    assert (answer.status_code, answer["Location"]) == (302, "/nowhere?a=1")
    page = client.get("/nowhere", headers={"Accept-Language": "de"})
    assert f'<html lang="{tag}"' in page.content.decode()


def test_without_a_cookie_the_browser_chooses_the_language(client):
    page = client.get("/nowhere", headers={"Accept-Language": "zh-TW,zh;q=0.9,en;q=0.5"}).content.decode()

    assert '<html lang="zh-Hant-HK"' in page


def test_the_language_switch_needs_no_token_and_stays_on_this_site():
    strict = Client(enforce_csrf_checks=True)

    answer = strict.post("/language/", {"language": "ja", "next": "//mallory.example/"})

    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert answer.cookies["django_language"].value == "ja"
    assert strict.get("/language/").status_code == 405


def test_an_unknown_language_changes_nothing(client):
    answer = client.post("/language/", {"language": "tlh"})

    assert answer.status_code == 302
    assert dict(answer.cookies) == {}


def test_the_health_check_answers_ok_and_the_version(client):
    answer = client.get("/healthz")

    assert (answer.status_code, answer.content) == (200, f"ok {VERSION}\n".encode())


def test_health_is_asked_on_this_machine_whatever_the_server_is_called(client, settings):
    settings.ALLOWED_HOSTS = ["results.example.org"]

    for host in ("127.0.0.1:8000", "[::1]", "localhost"):
        assert client.get("/healthz", headers={"Host": host}).status_code == 200, host
    assert client.get("/", headers={"Host": "127.0.0.1:8000"}).status_code == 400


def test_a_disk_that_cannot_be_written_is_not_healthy(client, settings, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file where a folder should be")
    settings.EVIDENCE_DIR = str(taken)

    answer = client.get("/healthz")

    assert (answer.status_code, answer.content) == (503, b"disk full or read-only\n")


def test_a_full_disk_is_not_healthy(client, settings, tmp_path):
    settings.LEAST_DISK = shutil.disk_usage(tmp_path).total + 1

    assert client.get("/healthz").status_code == 503


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite; this run is on PostgreSQL")
def test_a_database_that_cannot_be_written_is_not_healthy(client):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        try:
            answer = client.get("/healthz")
        finally:
            cursor.execute("PRAGMA query_only = OFF")

    words = b"database can be read, not written: disk full or read-only\n"
    assert (answer.status_code, answer.content) == (503, words)


def test_a_database_that_does_not_answer_is_not_healthy(client, monkeypatch):
    def fail():
        raise OperationalError("no connection")

    monkeypatch.setattr(SecurityEvent.objects, "exists", fail)

    assert client.get("/healthz").content == b"database unavailable\n"


def test_many_health_checks_write_once_in_a_while(client, monkeypatch):
    writes = []
    monkeypatch.setattr(site, "_write_row", lambda: writes.append(1))

    assert {client.get("/healthz").status_code for _ in range(50)} == {200}
    assert len(writes) == 1

    monkeypatch.setattr(site, "CHECK_SECONDS", 0)
    client.get("/healthz")
    assert len(writes) == 2


def test_every_page_forbids_scripts_that_are_not_ours(client):
    policy = client.get("/nowhere")["Content-Security-Policy"]

    assert sorted(policy.split("; ")) == [
        "base-uri 'none'",
        "default-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "object-src 'none'",
    ]


def refuse(request):
    raise PermissionDenied


def crash(request):
    raise RuntimeError("on purpose")


urlpatterns = [*our_urlpatterns, path("test/refuse", refuse), path("test/crash", crash)]


@override_settings(ROOT_URLCONF=__name__)
def test_a_refusal_and_a_missing_page_say_what_to_do(client):
    refused, missing = client.get("/test/refuse"), client.get("/nowhere")

    assert (refused.status_code, missing.status_code) == (403, 404)
    assert "ask the organizer of the competition" in refused.content.decode()
    assert "The address may be mistyped" in missing.content.decode()


@override_settings(ROOT_URLCONF=__name__)
def test_a_crash_is_a_page_in_the_language_of_the_reader(client):
    client.raise_request_exception = False

    answer = client.get("/test/crash", headers={"Accept-Language": "ja"})

    assert answer.status_code == 500
    assert '<html lang="ja"' in answer.content.decode()


def test_the_crash_page_asks_the_database_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = server_error(RequestFactory().get("/"))

    assert "This is our fault and has been logged" in answer.content.decode()


def test_a_form_without_its_token_is_refused_with_a_way_out():
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"username": "a", "password": "b"})

    assert answer.status_code == 403
    assert "Nothing was saved" in answer.content.decode()


def test_a_forged_host_is_refused_with_a_page(client):
    answer = client.get("/healthz", headers={"Host": "mallory.example"})

    assert answer.status_code == 400
    assert "This request cannot be read" in answer.content.decode()


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.9", "10.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "1.1.1.1, 203.0.113.9", "203.0.113.9"),
        (2, "1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (1, "", "10.0.0.1"),
    ],
)
def test_only_what_trusted_proxies_wrote_is_believed(settings, proxies, forwarded, address):
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers={"X-Forwarded-For": forwarded})

    assert client_address(request) == address


@pytest.mark.parametrize("javascript", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_language_switch_works_in_a_browser(open_page, javascript):
    page = open_page(java_script_enabled=javascript)
    page.goto("/accounts/login/")
    page.locator("summary:has-text('Language')").click()
    page.get_by_role("button", name="日本語").click()

    assert page.locator("html").get_attribute("lang") == "ja"
    assert page.url.endswith("/accounts/login/")


def test_the_colours_follow_the_device_until_someone_chooses(open_page):
    page = open_page(color_scheme="dark")
    page.goto("/accounts/login/")
    html, button = page.locator("html"), page.locator("[data-theme-button]")
    assert html.get_attribute("data-bs-theme") == "dark"

    button.click()
    assert html.get_attribute("data-bs-theme") == "light"
    page.reload()

    assert html.get_attribute("data-bs-theme") == "light"
    assert button.get_attribute("aria-label") == "Theme: light"


def test_signing_in_and_out_in_a_browser(page, alice):
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("summary:has-text('Account')").click()
    page.get_by_role("button", name="Sign out").click()

    page.get_by_role("navigation", name="Main navigation").get_by_role("link", name="Sign in").wait_for()
