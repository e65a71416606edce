"""The front door: sign-in and its throttle, sign-out, language, health, error pages."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from django.views.defaults import server_error

from league.core.network import client_address
from league.urls import urlpatterns as our_urlpatterns

pytestmark = pytest.mark.django_db
PASSWORD = "riichi-tsumo-ippatsu"


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice", password=PASSWORD)


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
    assert sign_in(Client(), "bob", PASSWORD).status_code == 302
    assert sign_in(Client(), "alice", PASSWORD, REMOTE_ADDR="192.0.2.7").status_code == 302


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


def test_a_page_for_everybody_holds_nothing_personal(client, alice):
    client.force_login(alice)
    signed_in = client.get("/nowhere").content.decode()
    assert "csrfmiddlewaretoken" in signed_in
    assert "alice" in signed_in

    answer = Client().get("/nowhere")

    assert "csrf" not in answer.content.decode().lower()
    assert dict(answer.cookies) == {}


@pytest.mark.parametrize("language", ["en", "zh-hant", "zh-hans", "ja"])
def test_the_language_is_kept_in_a_cookie_and_wins_over_the_browser(client, language):
    answer = client.post("/language/", {"language": language, "next": "/nowhere?a=1"})

    assert (answer.status_code, answer["Location"]) == (302, "/nowhere?a=1")
    page = client.get("/nowhere", headers={"Accept-Language": "de"})
    assert f'<html lang="{language}"' in page.content.decode()


def test_without_a_cookie_the_browser_chooses_the_language(client):
    page = client.get("/nowhere", headers={"Accept-Language": "zh-TW,zh;q=0.9,en;q=0.5"}).content.decode()

    assert '<html lang="zh-hant"' in page


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


def test_health_is_told_in_one_word(client):
    answer = client.get("/healthz")

    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_every_page_forbids_scripts_that_are_not_ours(client):
    policy = client.get("/nowhere")["Content-Security-Policy"]

    assert sorted(policy.split("; ")) == [
        "base-uri 'self'",
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

    assert "The mistake is on our side" in answer.content.decode()


def test_a_form_without_its_token_is_refused_with_a_way_out():
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"username": "a", "password": "b"})

    assert answer.status_code == 403
    assert "Nothing was saved" in answer.content.decode()


def test_a_forged_host_is_refused_with_a_page(client):
    answer = client.get("/healthz", headers={"Host": "mallory.example"})

    assert answer.status_code == 400
    assert "That request cannot be read" in answer.content.decode()


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


@pytest.mark.parametrize("javascript", [True, False])
def test_the_language_switch_works_in_a_browser(open_page, javascript):
    page = open_page(java_script_enabled=javascript)
    page.goto("/accounts/login/")
    page.locator("summary[aria-label='Language']").click()
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
    assert button.get_attribute("aria-label") == "Colours: light"


def test_signing_in_and_out_in_a_browser(page, alice):
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("summary[aria-label='Account']").click()
    page.get_by_role("button", name="Sign out").click()

    page.get_by_role("navigation", name="Main navigation").get_by_role("link", name="Sign in").wait_for()
