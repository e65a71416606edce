from collections.abc import Collection
from datetime import datetime

from django.template.loader import render_to_string

from league.extras.registration.queries import open_registrations


def open_forms(competitions: Collection[int], *, at: datetime) -> dict[int, str]:
    """Return competition → the line about its open registration for its card on the front page."""
    return {
        number: render_to_string("registration/_card_line.html", {"registration": registration})
        for number, registration in open_registrations(competitions, at=at).items()
    }
