"""The book of offences of a division in a competition file: named, or carried along as a league's own."""

from typing import Any

from django.utils.translation import gettext as _

from league.interchange.imports.nodes import Node
from league.interchange.services.divisions import CatalogueFacts
from league.penalty_rules.services import LONGEST_CODE, MOST_ENTRIES
from players.text import has_control_characters
from scoring.infractions import catalogues, entry_of, extended

LONGEST = 500  # characters of any text of an entry
_NAME, _SLUG = 110, 40  # a name that the league has already gets a number


def named_catalogue(rules: Node) -> str:
    """The slug of a published book; empty for that of the preset. A later release may know more of them."""
    return rules.slug("catalogue") if rules.value.get("catalogue") is not None else ""


def own_catalogue(rules: Node) -> CatalogueFacts | None:
    """A league's own book, its entries in our own spelling; None without one. What is wrong is noted."""
    node = rules.object("own_catalogue", needed=False)
    if node is None:
        return None
    name = node.text("name", most=_NAME)
    base = node.choice("base", (each.slug for each in catalogues()))
    entries = _entries(node, base) if node.good else []
    return CatalogueFacts(name=name, base=base, entries=tuple(entries))


def _entries(node: Node, base: str) -> list[dict[str, Any]]:
    found = node.items("entries")
    if len(found) > MOST_ENTRIES:
        node.note(
            "entries", _("A catalogue has at most %(count)s entries of its own.") % {"count": MOST_ENTRIES}
        )
        return []
    try:
        book = extended(base, found, slug="own", names={})
    except ValueError:
        node.note("entries", _("The book cannot hold these entries: one of them is incomplete or wrong."))
        return []
    codes = dict.fromkeys(entry["code"] for entry in found)
    entries = [entry_of(book.infractions[code]) for code in codes]
    for index, entry in enumerate(entries):
        if problem := _problem(entry):
            node.note(f"entries[{index}]", problem)
    return entries


def _problem(entry: dict[str, Any]) -> str:
    """What is wrong with the texts of an entry; empty if nothing is."""
    if not 0 < len(entry["code"]) <= LONGEST_CODE:
        return _("A code has 1 to %(most)s characters.") % {"most": LONGEST_CODE}
    if not any(entry["names"].values()):
        return _("Name the offence, in one language at least.")
    texts = list(_texts(entry))
    if any(len(text) > LONGEST for text in texts):
        return _("At most %(most)s characters in each text.") % {"most": LONGEST}
    if any(has_control_characters(text) for text in texts):
        return _("This text contains an invisible control character. Take it out.")
    return ""


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, part in value.items() for text in (key, *_texts(part))]
    return [text for part in value for text in _texts(part)] if isinstance(value, list) else []
