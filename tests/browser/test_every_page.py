"""Every page, in a competition where everything has a long or hostile name: axe-core (WCAG 2.2, A, AA) finds
nothing wrong, no name runs, and nothing is wider than the screen or a phone, unfolded.

Each page once here, for the person who sees most of it; ACCESSIBLE=all in the environment looks at every page
for every role, light and dark, on a phone and a desktop, which takes half an hour.
"""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.kit import PHONE, SCREEN
from tests.hostile_names import LONG, MARKUP, badly_named
from tests.pages.addresses import addresses
from tests.pages.rules import PAGES, RULES
from tests.pages.things import Things, client_of

pytestmark = pytest.mark.django_db(transaction=True)

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
WIDTHS = {"phone": PHONE, "desktop": DESKTOP}
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
}
ROLES = ("visitor", "player", "scorer", "referee", "organizer")
LOOKS = {
    "visitor": ("light", "desktop"),
    "player": ("dark", "phone"),
    "referee": ("dark", "phone"),
    "organizer": ("light", "desktop"),
}
# What sticks to an edge covers a part of what is scrolled beneath it, which axe takes for too small a target.
UNSTICK = """document.querySelectorAll("*").forEach((each) => {
    if (getComputedStyle(each).position === "sticky") each.style.position = "static";
})"""
UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
EVERYTHING = os.environ.get("ACCESSIBLE") == "all"
CASES = (
    [(role, theme, width) for role in ROLES for theme in ("light", "dark") for width in WIDTHS]
    if EVERYTHING
    else [(role, *look) for role, look in LOOKS.items()]
)


def pages(here: Things, role: str) -> list[str]:
    """The pages that this role sees; without ``EVERYTHING`` those that no later role of ``LOOKS`` sees."""
    later = list(LOOKS)[list(LOOKS).index(role) + 1 :] if not EVERYTHING else []
    names = [name for name in PAGES if role in RULES[name] and not RULES[name] & set(later)]
    client = client_of(role, here)
    answers = {address: client.get(address) for name in names for address in addresses(name, here)}
    return [
        address
        for address, answer in answers.items()
        if answer.status_code == 200 and "html" in answer["Content-Type"]
    ]


@pytest.mark.parametrize(("role", "theme", "width"), CASES)
def test_every_page_is_accessible_and_fits_whatever_things_are_called(role, theme, width, open_page, sign_in):
    here = badly_named((*LONG, *MARKUP))
    page = open_page(color_scheme=theme, **WIDTHS[width])
    said, wide, found, axe = [], {}, [], Axe()
    page.add_init_script(axe.axe_script)
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    if role != "visitor":
        club = here.club
        people = {"player": club.dora, "scorer": club.charlie, "referee": club.bob, "organizer": club.alice}
        sign_in(page, people[role])
    for address in pages(here, role):
        page.set_viewport_size(WIDTHS[width]["viewport"])
        page.goto(address)
        page.evaluate(UNSTICK)
        result = page.evaluate("options => axe.run(document, options)", OPTIONS)
        found += [
            f"{address} {each['id']}: {node['target']} {node.get('failureSummary', '')[-160:]}"
            for each in result["violations"]
            for node in each["nodes"]
        ]
        page.evaluate(UNFOLD)
        for size in (WIDTHS[width]["viewport"], SCREEN):
            page.set_viewport_size(size)
            needed = page.evaluate("document.documentElement.scrollWidth")
            if needed > size["width"]:
                wide[address] = needed
    assert "\n".join(found) == ""
    assert (wide, said) == ({}, [])
