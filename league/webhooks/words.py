"""Names of events and how their delivery ended."""

from django.utils.translation import gettext_lazy, ngettext, pgettext

from league.models import Outgoing

EVENT_NAMES = {
    "round.published": gettext_lazy("published round"),
    "standings.final": gettext_lazy("final standings"),
    "penalty.logged": gettext_lazy("penalty"),
    "penalty.revoked": gettext_lazy("revoked penalty"),
    "test": gettext_lazy("test"),
}


def event_name(delivery: Outgoing) -> str:
    event = delivery.payload.get("event", "")
    return str(EVENT_NAMES.get(event, event))


def outcome(delivery: Outgoing) -> str:
    """Return how the delivery ended, with the status and the first line of the answer."""
    if delivery.sent_at:
        words = pgettext("delivery", "sent")
        said = f"{delivery.payload.get('status', '')} {delivery.payload.get('answer', '')}".strip()
    elif delivery.given_up_at:
        words, said = pgettext("delivery", "given up"), delivery.problem
    elif delivery.attempts:
        words = ngettext("tried %(count)s time", "tried %(count)s times", delivery.attempts)
        words, said = words % {"count": delivery.attempts}, delivery.problem
    else:
        words, said = pgettext("delivery", "waiting"), ""
    return f"{words} · {said}" if said else words
