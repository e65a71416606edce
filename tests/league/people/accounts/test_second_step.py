"""The second step of signing in: apps, passkeys, recovery codes, and who must have one."""

import json
import re
import time
import uuid
from base64 import b32decode, b32encode
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django_otp import oath
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp import models as totp_models
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp_webauthn.models import WebAuthnCredential

from league.models import Role, SecurityEvent
from tests.factories import club
from tests.shown import html

pytestmark = pytest.mark.django_db
PASSWORD = "riichi-tsumo-ippatsu"


@pytest.fixture(autouse=True)
def _stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app shows the same code however long a test takes."""
    now = time.time()
    monkeypatch.setattr(oath, "time", lambda: now)
    monkeypatch.setattr(totp_models, "time", SimpleNamespace(time=lambda: now))


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice", password=PASSWORD)


def sign_in(name: str = "alice") -> Client:
    client = Client()
    client.post("/accounts/login/", {"username": name, "password": PASSWORD})
    return client


def send(client: Client, name: str, *arguments: object, **typed: object):
    return client.post(reverse(name, args=arguments), {"key": uuid.uuid4(), "password": PASSWORD} | typed)


def code_of(secret: bytes, *, later: int = 0) -> str:
    """Return the app's code, `later` steps of 30 seconds from now."""
    return f"{totp(secret, drift=later):06d}"


def add_app(client: Client) -> tuple[bytes, list[str]]:
    """The app's secret, and the recovery codes."""
    secret = b32decode(client.get(reverse("accounts:app_new")).context["words"]["secret"])
    answer = send(client, "accounts:app_new", code=code_of(secret), secret=b32encode(secret).decode())
    return secret, answer.context["codes"]


# --- apps and recovery codes


def test_with_an_app_the_password_alone_opens_no_page(alice):
    secret, codes = add_app(sign_in())
    assert len(set(codes)) == 10
    client = sign_in()

    for page in ("/", "/accounts/", "/admin/", "/new/", reverse("accounts:app_new"), "/nowhere/"):
        assert client.get(page).url == "/accounts/second/", page
    assert send(client, "accounts:codes").url == "/accounts/second/"
    assert client.get("/accounts/", headers={"HX-Request": "true"})["HX-Redirect"] == "/accounts/second/"

    assert client.post("/accounts/second/", {"code": code_of(secret, later=1)}).url == "/"
    assert client.get("/accounts/").status_code == 200


def test_a_wrong_code_is_refused_noted_and_the_next_one_must_wait(alice):
    secret, _codes = add_app(sign_in())
    client = sign_in()

    wrong = client.post("/accounts/second/", {"code": "000000"})

    assert "Wrong code." in html(wrong)
    assert SecurityEvent.objects.get().name == "alice"
    assert client.post("/accounts/second/", {"code": code_of(secret, later=1)}).status_code == 422


def test_a_recovery_code_works_once_and_the_app_s_code_too(alice):
    secret, codes = add_app(sign_in())
    assert sign_in().post("/accounts/second/", {"code": f" {codes[0].upper()} "}).url == "/"
    assert sign_in().post("/accounts/second/", {"code": codes[0]}).status_code == 422
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    assert sign_in().post("/accounts/second/", {"code": code_of(secret)}).status_code == 422  # used before


def test_new_recovery_codes_end_the_ones_before(alice):
    client = sign_in()
    _secret, before = add_app(client)

    after = send(client, "accounts:codes").context["codes"]

    assert not set(before) & set(after)
    assert set(StaticToken.objects.values_list("token", flat=True)) == set(after)


def test_every_change_of_the_second_step_asks_for_the_password(alice):
    client = sign_in()
    secret = b32decode(client.get(reverse("accounts:app_new")).context["words"]["secret"])
    wrong = {"password": "wrong"}
    assert (
        send(
            client, "accounts:app_new", code=code_of(secret), secret=b32encode(secret).decode(), **wrong
        ).status_code
        == 422
    )
    assert not TOTPDevice.objects.filter(confirmed=True).exists()
    add_app(client)
    device = TOTPDevice.objects.get()
    assert send(client, "accounts:device_remove", "app", device.pk, **wrong).status_code == 422
    assert send(client, "accounts:codes", **wrong).status_code == 422
    begin = reverse("otp_webauthn:credential-registration-begin")
    assert send(client, "accounts:passkey_new", **wrong).status_code == 422
    assert client.post(begin).status_code == 403

    send(client, "accounts:device_remove", "app", device.pk)
    assert not TOTPDevice.objects.exists()
    assert not StaticToken.objects.exists()
    assert sign_in().get("/accounts/").status_code == 200


def test_no_one_removes_the_app_of_another_person(alice):
    add_app(sign_in())
    User.objects.create_user("mallory", password=PASSWORD)
    device = TOTPDevice.objects.get()
    assert send(sign_in("mallory"), "accounts:device_remove", "app", device.pk).status_code == 404
    assert TOTPDevice.objects.count() == 1


# --- who must have one


def test_where_it_is_required_organizers_set_one_up_before_any_other_page(settings):
    settings.REQUIRE_SECOND_STEP = True
    here = club("spring")
    for person in (here.alice, here.charlie):
        person.set_password(PASSWORD)
        person.save()
    organizer, scorer = sign_in("alice-spring"), sign_in("charlie-spring")

    assert scorer.get("/accounts/").status_code == 200
    assert organizer.get("/c/spring/manage/").url == "/accounts/second/new/"
    add_app(organizer)

    assert organizer.get("/c/spring/manage/").status_code == 200
    refused = send(organizer, "accounts:device_remove", "app", TOTPDevice.objects.get().pk)
    assert "Add another one first." in html(refused)


def test_an_open_session_is_led_to_the_second_step_when_it_becomes_required(settings):
    here = club("spring")
    for person in (here.alice, here.charlie):
        person.set_password(PASSWORD)
        person.save()
    organizer, scorer, later = (sign_in(f"{name}-spring") for name in ("alice", "charlie", "alice"))
    assert organizer.get("/c/spring/manage/").status_code == 200

    settings.REQUIRE_SECOND_STEP = True
    renamed = {"key": uuid.uuid4(), "name": "Autumn"}

    assert organizer.get("/c/spring/manage/").url == "/accounts/second/new/"
    assert organizer.post("/c/spring/manage/settings/event/", renamed).url == "/accounts/second/new/"
    here.competition.refresh_from_db()
    assert here.competition.name != "Autumn"
    assert scorer.get("/accounts/").status_code == 200
    Role.objects.filter(user=here.charlie).update(kind=Role.Kind.ORGANIZER)
    assert scorer.get("/accounts/").url == "/accounts/second/new/"
    add_app(organizer)
    assert organizer.get("/c/spring/manage/").status_code == 200
    assert later.get("/c/spring/manage/").url == "/accounts/second/"


# --- passkeys


def test_every_word_of_the_passkey_scripts_is_ours_in_each_language(settings):
    scripts = [finders.find(f"django_otp_webauthn/otp_webauthn_{name}.js") for name in ("auth", "register")]
    said = {each for path in scripts for each in re.findall(r'gettext\("(.+?)"\)', Path(path).read_text())}
    catalogs = []
    for language, _name in settings.LANGUAGES:
        words = Client().get(
            reverse("otp_webauthn:js-i18n-catalog"),
            headers={"Accept-Language": language, "Accept": "application/json"},
        )
        catalogs.append(json.loads(re.search(r"newcatalog = (\{.*?\});", html(words), re.DOTALL)[1]))

    assert len(said) > 20
    assert all(catalog.keys() == said for catalog in catalogs)
    assert all(len({catalog[each] for catalog in catalogs}) == len(catalogs) for each in said)


UNREADABLE = (b"", b"[]", b"\xff", b'"x"', b"{", b'{"id": 7, "response": []}', b"[" * 9999)


@pytest.mark.parametrize("body", UNREADABLE)
@pytest.mark.parametrize("step", ["registration", "authentication"])
def test_what_no_browser_sends_is_refused(alice, step, body):
    client = sign_in()
    send(client, "accounts:passkey_new")
    client.post(reverse(f"otp_webauthn:credential-{step}-begin"))

    answer = client.post(
        reverse(f"otp_webauthn:credential-{step}-complete"), body, content_type="application/json"
    )

    assert 400 <= answer.status_code < 500


def test_a_passkey_is_added_signs_in_alone_and_is_the_second_step_after_a_password(page, alice):
    browser = page.context.new_cdp_session(page)
    browser.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    options |= {"hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}
    browser.send("WebAuthn.addVirtualAuthenticator", {"options": options})

    def sign_out() -> None:
        page.locator("summary:has-text('Account')").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("navigation", name="Main navigation").get_by_role("link", name="Sign in").click()

    page.goto("/accounts/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("summary:has-text('Account')").wait_for()
    page.goto(reverse("accounts:passkey_new"))
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_text("Passkey added.").wait_for()
    assert WebAuthnCredential.objects.get().user == alice

    sign_out()
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.locator("summary:has-text('Account')").wait_for()
    page.goto("/accounts/")
    assert "/accounts/second/" not in page.url

    sign_out()
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/accounts/second/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(lambda url: "/accounts/" not in url)
    page.goto("/accounts/")
    assert page.locator("h1").inner_text() == "Your account"


@pytest.mark.parametrize(
    ("language", "label"), [("ja", "コード"), ("zh-hant", "驗證碼"), ("zh-hans", "验证码")]
)
def test_the_code_of_the_app_has_the_name_that_its_errors_have(alice, language, label):
    client = sign_in()
    client.cookies["django_language"] = language

    page = client.get(reverse("accounts:app_new")).content.decode()

    assert re.search(rf'<label [^>]*for="id_code"[^>]*>\s*{label}\s*</label>', page)
