"""A registration that is open, and people who register."""

import re
import time
import uuid
from datetime import date, timedelta
from typing import Any

from django.core import mail
from django.core.signing import TimestampSigner, b62_encode
from django.utils import timezone

from league.core.outbox import send_due
from league.extras.registration.forms import STAMP
from league.extras.registration.queries import compare, entries_of
from league.extras.registration.services import confirm, register, set_registration
from league.models import Registrant, Registration
from tests.factories import Club

SITE = "https://league.example"
State = Registrant.State


def open_registration(here: Club, /, **values: Any) -> Registration:
    """Registration that opened a day ago, by Alice."""
    usual = {"opens_at": timezone.now() - timedelta(days=1), "kept_until": date(2199, 1, 1)}
    return set_registration(
        competition=here.competition,
        division=here.division.slug,
        site=SITE,
        by=here.alice,
        **usual | values,
    )


def sign_up(registration: Registration, name: str, **values: Any) -> Registrant:
    """An entry that is not confirmed, of a person whose mail address is made from the name."""
    usual = {"name": name, "email": f"{name.replace(' ', '.').lower()}@example.org", "language": "en"}
    values = usual | values
    register(registration=registration, values=values, site=SITE, address=None)
    send_due.call()
    found = Registrant.objects.filter(name=name, email=values["email"], withdrawn_at=None)
    return found.select_related("registration__competition__league").latest("pk")


def enrol(registration: Registration, name: str, **values: Any) -> Registrant:
    """An entry that is confirmed."""
    return confirm(registrant=sign_up(registration, name, **values), site=SITE)


def names(registration: Registration, state: State) -> list[str]:
    """The names in this state, the waiting list in its order."""
    registration = Registration.objects.select_related("competition").get(pk=registration.pk)
    return [each.name for each in entries_of(registration) if each.state == state]


def differences(registration: Registration) -> dict[str, tuple[str, ...]]:
    """Name → how the entry differs from its player and from the list of numbers."""
    entries = entries_of(registration)
    compare(registration.competition, entries)
    return {each.name: tuple(each.differences) for each in entries}


def roster(club: Club) -> set[str]:
    here = club.competition.entrants.filter(withdrawn_at=None)
    return set(here.values_list("player__name", flat=True))


def mails() -> list[tuple[str, str, str]]:
    """Address, subject and text of every mail that has left, oldest first."""
    send_due.call()
    return [(each.to[0], str(each.subject), str(each.body)) for each in mail.outbox]


def address_in(text: str) -> str:
    """The path of the own page in a mail."""
    found = re.search(rf"{SITE}(/c/\S+)", text) or re.search(r"https?://[^/\s]+(/c/\S+)", text)
    assert found is not None
    return found[1]


def stamp(age: float) -> str:
    """The hidden field of a public form that was opened so many seconds ago."""
    signer = TimestampSigner(salt=STAMP.salt)
    signer.timestamp = lambda: b62_encode(int(time.time() - age))  # type: ignore[method-assign]
    return signer.sign("")


def key() -> str:
    return str(uuid.uuid4())
