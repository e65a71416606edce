"""Texts of mails, and the product's own words about what is kept."""

from datetime import datetime

from django.conf import settings
from django.template.defaultfilters import date as date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.core.text import labelled
from league.core.zones import zone_of
from league.models import Registrant, Registration

State = Registrant.State
CONFIRM_HOURS = 48  # in which an entry is to be confirmed


def privacy_of(registration: Registration) -> str:
    """Return the organizer's text about personal data, or the product's in the reader's language."""
    return registration.privacy or _(
        "Your details are kept to organize this competition. Only the organizers see your email address, "
        "phone number and answers. Accepted players appear in the list of players and in the results. All "
        "details of the registration are deleted after %(day)s, and earlier at your request. Results stay."
    ) % {"day": date_format(registration.kept_until, "DATE_FORMAT")}


def language_choices(registration: Registration) -> list[tuple[str, str]]:
    """Return the languages among which a person chooses, all of them if the organizer named none."""
    return [each for each in settings.LANGUAGES if each[0] in registration.languages] or settings.LANGUAGES


def compose_mail(registrant: Registrant, position: int, address: str) -> tuple[str, str]:
    """Return subject and text of the mail about the state of an entry, in the person's language.

    `position`: in the waiting list. `address`: of the person's own page.
    """
    with override(registrant.language):
        competition = registrant.registration.competition.name
        facts = {"competition": competition, "position": position, "hours": CONFIRM_HOURS}
        subject, said = _sentences(registrant.state)
        paragraphs = [
            _("Dear %(name)s,") % {"name": registrant.name},
            said % facts,
            *_payment(registrant),
            labelled(_("Your registration"), address),
            _("Keep this address secret. Anyone who has it can change or withdraw your registration."),
        ]
        return subject % facts, "\n\n".join(paragraphs) + "\n"


def _sentences(state: State) -> tuple[str, str]:
    """Return the subject of the mail and its sentence, with places for `competition` and other facts."""
    return {
        State.UNCONFIRMED: (
            _("Confirm your registration: %(competition)s"),
            _(
                "Please open the address below and confirm your registration for %(competition)s within "
                "%(hours)s hours. It counts only then. If you did not register, ignore this email."
            ),
        ),
        State.PENDING: (
            _("Registration received: %(competition)s"),
            _("You have confirmed your registration for %(competition)s. The organizer decides about it."),
        ),
        State.ACCEPTED: (
            _("Registration accepted: %(competition)s"),
            _("You have a place in %(competition)s. If you cannot come, please withdraw early."),
        ),
        State.WAITING: (
            _("Waiting list: %(competition)s"),
            _(
                "All places of %(competition)s are taken. You are number %(position)s on the waiting list. "
                "You get an email if a place becomes free."
            ),
        ),
        State.DECLINED: (
            _("Registration declined: %(competition)s"),
            _("The organizer has declined your registration for %(competition)s."),
        ),
        State.WITHDRAWN: (
            _("Registration withdrawn: %(competition)s"),
            _("Your registration for %(competition)s is withdrawn."),
        ),
    }[state]


def _payment(registrant: Registrant) -> list[str]:
    registration = registrant.registration
    if registrant.state != State.ACCEPTED or not (registration.fee or registration.payment):
        return []
    lines = [labelled(_("Fee"), registration.fee)] if registration.fee else []
    return ["\n".join([*lines, *registration.payment.splitlines()])]


def moments_of(registration: Registration, at: datetime) -> dict[str, str]:
    """Return the closing time, and a coming opening time, in words with their time zone, or empty texts."""
    zone = zone_of(registration.competition)
    opens, closes = registration.opens_at, registration.closes_at
    moments = {"opens": opens if opens and opens > at else None, "closes": closes}
    return {
        name: f"{date_format(at.astimezone(zone), 'DATETIME_FORMAT')} ({zone.key})" if at else ""
        for name, at in moments.items()
    }
