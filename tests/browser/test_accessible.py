"""axe-core (WCAG 2.2, A and AA) finds nothing wrong on any page: by role, theme and width.

Each page once here, for the person who sees most of it; ACCESSIBLE=all in the environment looks at every page
for every role, light and dark, on a phone and a desktop, which takes half an hour.
"""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.kit import PHONE
from tests.pages import PAGES, RULES, Things, addresses, client_of, ready_things

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
def test_axe_finds_nothing(role, theme, width, open_page, sign_in):
    here = ready_things("spring")
    page = open_page(color_scheme=theme, **WIDTHS[width])
    if role != "visitor":
        club = here.club
        people = {"player": club.dora, "scorer": club.charlie, "referee": club.bob, "organizer": club.alice}
        sign_in(page, people[role])
    axe, found = Axe(), []
    for address in pages(here, role):
        page.goto(address)
        page.evaluate(axe.axe_script)
        result = page.evaluate("options => axe.run(document, options)", OPTIONS)
        found += [
            f"{address} {each['id']}: {node['target']} {node.get('failureSummary', '')[-160:]}"
            for each in result["violations"]
            for node in each["nodes"]
        ]
    assert found == []
