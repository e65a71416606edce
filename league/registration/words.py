"""Times, languages, and the product's own words about what is kept."""

from datetime import datetime

from django.conf import settings
from django.template.defaultfilters import date as date_format
from django.utils.translation import gettext as _

from league.core.zones import zone_of
from league.models import Registration

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


def moments_of(registration: Registration, at: datetime) -> dict[str, str]:
    """Return the closing time, and a coming opening time, in words with their time zone, or empty texts."""
    zone = zone_of(registration.competition)
    opens, closes = registration.opens_at, registration.closes_at
    moments = {"opens": opens if opens and opens > at else None, "closes": closes}
    return {
        name: f"{date_format(at.astimezone(zone), 'DATETIME_FORMAT')} ({zone.key})" if at else ""
        for name, at in moments.items()
    }
