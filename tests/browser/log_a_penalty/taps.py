"""A thumb on the referee's phone, and what was logged."""

import re
from datetime import timedelta

from django.utils import timezone

from league.models import Penalty
from league.referees.penalties.services.log import log_offence
from tests.browser.kit import listed, wait_until_kept
from tests.factories import Club

POSTING = re.compile(r"/penalties/new/")
CONFIRM = "[data-step=confirm]"
SUBMIT = "[data-step]:not([hidden]) button[type=submit]"
TAKE_BACK = "[data-undo] button[type=submit]"
A1 = ("陳大文", "A-I", "2", -20)
CONTROLLED = """new Promise(done => navigator.serviceWorker.controller ? done()
    : navigator.serviceWorker.addEventListener("controllerchange", () => done()))"""


class Taps:
    """A thumb that counts, and needs room."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def __call__(self, selector: str) -> "Taps":
        target = self.page.locator(f"{selector} >> visible=true").first
        target.wait_for()
        self.page.wait_for_load_state()  # a page that still waits for its style sheets has other sizes
        box = target.bounding_box()
        assert min(box["height"], box["width"]) >= 44, f"{selector} is {box}"
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 360
        target.tap()
        self.count += 1
        return self


def condition(index: int) -> str:
    return f"{CONFIRM} label.choice:has([name=condition][value='{index}'])"


def amount(number: int) -> str:
    return f"{CONFIRM} label:has(.btn-check):has-text('{number}')"


def desk(spring: Club) -> str:
    return f"/c/{spring.slug}/desk/"


def log(spring: Club, code: str, condition: int = 0, *, index: int = 0, by=None) -> Penalty:
    return log_offence(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[index].pk,
        infraction=code,
        condition=condition,
        by=by or spring.bob,
    )[0]


def logged() -> list[tuple[str, str, str, int]]:
    found = Penalty.objects.select_related("player").order_by("pk")
    return [(p.player.name, p.infraction, p.level, p.score) for p in found]


def in_force() -> int:
    return Penalty.objects.filter(revoked_at__isnull=True).count()


def at_the_desk(page, *still_kept: str) -> None:
    """The penalty is logged, and the phone knows."""
    page.wait_for_url("**/desk/")
    wait_until_kept(page, *still_kept)


def give_time(page) -> None:
    """The ten seconds for taking back begin later, so that a slow machine has them too."""
    Penalty.objects.update(created_at=timezone.now() + timedelta(minutes=10))
    page.reload()


def to_confirm(page, code: str, *, seat: int = 0) -> Taps:
    """Three taps from the desk to the last one, at the first table."""
    return Taps(page)("a.table-choice")(f"li:nth-child({seat + 1}) > a.seat-choice")(
        f"a[data-offence='{code}']"
    )


def confirm_without_network(page, code: str = "A-I") -> Taps:
    taps = to_confirm(page, code)
    page.context.set_offline(True)
    taps(SUBMIT)
    listed(page, "unsent")
    return taps
