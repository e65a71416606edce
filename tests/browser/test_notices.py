"""A phone turns its notices on with one tap, gets one when a round opens, and turns them off."""

import json

import pytest

from league.core.outbox import send_due
from league.models import Channel, Round
from league.rounds.services import open_round
from tests.browser.kit import PHONE, expect
from tests.factories import Club, club
from tests.league.notices.receiver import Browser, push_service

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


def test_a_phone_whose_notices_are_blocked_learns_what_to_do(spring, open_page):
    page = open_page(**PHONE)
    page.add_init_script("Object.defineProperty(Notification, 'permission', { value: 'denied' })")
    open_notices(page, spring)
    expect(page.get_by_text("Notices from this site are blocked.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on in this browser")).to_be_hidden()


def test_without_script_the_page_says_what_it_needs(spring, open_page):
    page = open_page(**PHONE, java_script_enabled=False)
    open_notices(page, spring)
    expect(page.get_by_text("This browser cannot show notices.")).to_be_visible()
