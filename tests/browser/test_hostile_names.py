"""Long and hostile names on a phone: nothing runs, and no page is wider than the screen."""

import pytest

from tests.browser.kit import SCREEN
from tests.hostile_names import LONG, MARKUP, badly_named
from tests.pages import PAGES, RULES, Things, addresses, client_of

pytestmark = pytest.mark.django_db(transaction=True)


def pages(here: Things) -> list[str]:
    """Every page that an organizer can look at."""
    client = client_of("organizer", here)
    names = [name for name in PAGES if "organizer" in RULES[name]]
    found = [address for name in names for address in addresses(name, here)]
    answers = {address: client.get(address) for address in found}
    return [
        a for a, answer in answers.items() if answer.status_code == 200 and "html" in answer["Content-Type"]
    ]


def test_no_name_breaks_a_page_on_a_phone(open_page, sign_in):
    here = badly_named((*LONG, *MARKUP))
    page = open_page(viewport=SCREEN)
    said, wide, seen = [], {}, 0
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    sign_in(page, here.club.alice)
    for address in pages(here):
        page.goto(address)
        seen += 1
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > SCREEN["width"]:
            wide[address] = width
    assert wide == {}
    assert said == []
    assert seen > 25
