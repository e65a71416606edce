"""A phone turns its notices on with one tap, gets one when a round opens, and turns them off."""

import json
from pathlib import Path

import pytest

from league.core.outbox import send_due
from league.models import Channel, Round
from league.play.rounds.services import open_round
from tests.browser.kit import PHONE, expect
from tests.factories import Club, club
from tests.league.extras.notices.receiver import Browser, push_service

# Chromium without its windows neither asks for permission nor reaches a push service.
SUBSCRIBE = """({ endpoint, p256dh, auth }) => {
    const bytes = (text) => Uint8Array.from(
        atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0)).buffer;
    let made = null;
    Object.defineProperty(Notification, "permission", { value: "default" });
    Notification.requestPermission = async () => "granted";
    PushManager.prototype.getSubscription = async () => made;
    PushManager.prototype.subscribe = async function (options) {
        made = {
            endpoint,
            options: { applicationServerKey: options.applicationServerKey.buffer },
            getKey: (name) => bytes({ p256dh, auth }[name]),
            unsubscribe: async () => { made = null; return true; },
        };
        return made;
    };
}"""

SCRIPT = (Path(__file__).parents[2] / "static" / "js" / "worker.js").read_text("utf-8")
# The worker's script with the parts of a browser that Chromium without its windows does not have. Each event
# is [type, event]. The answer lists what the script asked the browser to do.
PLAY = """async ({ windows, events }) => {
    const done = [], waits = [], handlers = {};
    const own = { location: { origin: "https://umaoka.example" } };
    own.addEventListener = (type, handler) => (handlers[type] = handler);
    own.registration = { showNotification: async (...given) => done.push(["show", ...given]) };
    const there = windows.map((url) => ({ url, focus: async () => done.push(["focus", url]) }));
    own.clients = { matchAll: async () => there, openWindow: async (url) => done.push(["open", url]) };
    ((self, fetch) => { SCRIPT })(own, async (...given) => done.push(["fetch", ...given]));
    for (const [type, event] of events) {
        event.waitUntil = (promise) => waits.push(promise);
        if (type === "push") {
            event.data = { json: () => event.sent };
        } else {
            event.notification.close = () => done.push(["close"]);
        }
        handlers[type](event);
        await Promise.all(waits);
    }
    return done;
}""".replace("SCRIPT", SCRIPT)
SENT = {
    "title": "Table 2, East",
    "body": "Round 1.\nSpring",
    "address": "/c/spring/seat/",
    "tag": "seated:1:2:0:0:1",
    "lang": "en",
    "off": "/notices/off/abc/",
    "off_words": "Turn off",
}


def play(page, *events: object, windows: tuple[str, ...] = ()) -> list:
    return page.evaluate(PLAY, {"windows": list(windows), "events": list(events)})


def click(action: str = "", **data: str) -> list:
    given = {name: SENT[name] for name in ("address", "off")} | data
    return ["notificationclick", {"action": action, "notification": {"data": given}}]


@pytest.mark.slow
def test_a_message_is_shown_with_its_words_and_the_tag_that_replaces_an_earlier_one(open_page):
    page = open_page()
    page.goto("about:blank")

    shown = play(page, ["push", {"sent": SENT}])

    assert shown == [
        [
            "show",
            "Table 2, East",
            {
                **{name: SENT[name] for name in ("body", "tag", "lang")},
                "icon": "/static/img/icon-192.png",
                "actions": [{"action": "off", "title": "Turn off"}],
                "data": {name: SENT[name] for name in ("address", "off")},
            },
        ]
    ]


@pytest.mark.slow
def test_a_tap_on_a_notice_goes_to_its_page_once_and_never_to_another_site(open_page):
    page = open_page()
    page.goto("about:blank")
    there, other = "https://umaoka.example/c/spring/seat/", "https://umaoka.example/c/spring/"

    assert play(page, click(), windows=(other, there)) == [["close"], ["focus", there]]
    assert play(page, click(), windows=(other,)) == [["close"], ["open", "/c/spring/seat/"]]
    assert play(page, click("off")) == [["close"], ["fetch", "/notices/off/abc/", {"method": "POST"}]]
    for elsewhere in ("https://evil.example/", "//evil.example/c/spring/seat/", "javascript:alert(1)"):
        assert play(page, click(address=elsewhere), windows=(there,)) == [["close"]]
        assert play(page, click("off", off=elsewhere)) == [["close"]]


@pytest.fixture
def spring(transactional_db) -> Club:
    return club("spring")


def open_notices(page, here: Club) -> None:
    """Say on the phone that it is Dora's, and open her notices."""
    page.goto(f"/c/spring/seat/?player={here.competition.entrants.get(player__name='Dora').pk}")
    page.get_by_role("button", name="This is me").click()
    page.get_by_role("link", name="Notices").click()


def test_a_phone_turns_notices_on_gets_one_and_turns_them_off(spring, open_page, settings):
    browser = Browser()
    round_ = spring.add_round(opened=False, visibility=Round.Visibility.HIDDEN)
    with push_service() as service:
        settings.PUSH_SERVICES = [service.origin]
        page = open_page(**PHONE, service_workers="allow")
        subscription = json.dumps({"endpoint": service.endpoint(), **browser.keys})
        page.add_init_script(f"({SUBSCRIBE})({subscription})")
        open_notices(page, spring)
        page.get_by_role("button", name="Turn on in this browser").click()
        expect(page.get_by_text("Notices are on in this browser.")).to_be_visible()
        assert Channel.objects.get().entrant.player.name == "Dora"

        open_round(round_=round_, visibility=Round.Visibility.SEATING, by=spring.alice)
        send_due.call()
        assert browser.read(service.requests[-1][2])["title"] == "Table 2, East"

        page.get_by_role("button", name="Turn off").click()
        expect(page.get_by_role("button", name="Turn on in this browser")).to_be_visible()
        assert not Channel.objects.exists()


@pytest.mark.slow
def test_a_phone_whose_notices_are_blocked_learns_what_to_do(spring, open_page):
    page = open_page(**PHONE)
    page.add_init_script("Object.defineProperty(Notification, 'permission', { value: 'denied' })")
    open_notices(page, spring)
    expect(page.get_by_text("Notices from this site are blocked.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on in this browser")).to_be_hidden()


@pytest.mark.slow
def test_without_script_the_page_says_what_it_needs(spring, open_page):
    page = open_page(**PHONE, java_script_enabled=False)
    open_notices(page, spring)
    expect(page.get_by_text("This browser cannot show notices.")).to_be_visible()
