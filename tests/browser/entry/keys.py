"""A keyboard that counts, and what the entry page says and saves."""

import re

from league.models import Sheet
from tests.browser.kit import KEPT, expect, press_keys
from tests.factories import Club

POINTS = (28700, 31200, 25000, 35100)
TYPED = "1⏎287⏎312⏎250⏎"  # but for the fourth
POSTING = re.compile(r"/enter/$")
FIRST = (1, 1, POINTS, 0)


class Keys:
    """A keyboard that counts."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def __call__(self, text: str) -> "Keys":
        """Press one key after the other; ⏎ is Enter, ⇥ is Tab."""
        keys = [{"⏎": "Enter", "⇥": "Tab", " ": "Space"}.get(character, character) for character in text]
        press_keys(self.page, keys)
        self.count += len(keys)
        return self


def entry(spring: Club) -> str:
    return f"/c/{spring.slug}/rounds/{spring.rounds[0].pk}/enter/"


def focused(page) -> str:
    return page.evaluate("document.activeElement.id || document.activeElement.name")


def value(page, seat: str, number: int = 1) -> str:
    return page.locator(f"#t{number}-{seat}").input_value()


def fill(page, *typed: str) -> None:
    """The first table's scores, east first."""
    for seat, score in zip(("east", "south", "west", "north"), typed, strict=True):
        page.locator(f"#t1-{seat}").fill(score)


def said(page) -> str:
    return page.locator("[data-panel]:not([hidden]) [data-sum]").inner_text()


def sheets() -> list[tuple[int, int, tuple[int, ...], int]]:
    found = Sheet.objects.select_related("table").order_by("table__number", "version")
    return [(s.table.number, s.version, s.points, s.sticks) for s in found]


def saved(page, *numbers: int) -> None:
    """These tables have their sheets, and the page shows it."""
    entered = page.locator(".sheet-list a:not([data-show]) .sheet-list-number")
    expect(entered).to_have_text([str(number) for number in numbers or (1,)])


def in_words(page, name: str) -> None:
    """The first kept line says this."""
    expect(page.locator(KEPT).first.locator("span")).to_have_text(name)


def compared(desk, spring: Club) -> None:
    """Another sheet than the one that is typed here was saved: the page shows both."""
    spring.record(POINTS, by=spring.alice)
    Keys(desk)("1⏎297⏎312⏎250⏎341⏎")
    expect(desk.locator(".sheet-compare")).to_be_visible()
