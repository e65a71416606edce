"""Sentences about rows that replacing a competition removes."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.text import listed


def losses_words(losses: Mapping[str, int]) -> str:
    """Return "2 disputes, 3 photographs", or an empty text."""
    words = {
        "disputes": lambda n: ngettext("%(count)s dispute", "%(count)s disputes", n),
        "photographs": lambda n: ngettext("%(count)s photograph", "%(count)s photographs", n),
        "calls": lambda n: ngettext("%(count)s referee call", "%(count)s referee calls", n),
        "presences": lambda n: ngettext(
            "%(count)s entry of an attendance list", "%(count)s entries of attendance lists", n
        ),
    }
    return listed(words[what](count) % {"count": count} for what, count in losses.items() if count)


def removal_question(name: str, losses: Mapping[str, int]) -> str:
    said = {"name": name, "losses": losses_words(losses), "count": sum(losses.values())}
    return (
        _(
            "The file does not contain everything in “%(name)s”. These are permanently removed: "
            "%(losses)s. Enter %(count)s to confirm, and choose the file again."
        )
        % said
    )
