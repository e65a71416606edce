from django import template
from django.utils import timezone

from league.models import Competition
from league.registration.queries import Offer, announced
from league.registration.words import moments_of

register = template.Library()


@register.simple_tag
def announced_registrations(competition: Competition) -> list[tuple[Offer, dict[str, str]]]:
    """Return the registrations for the front page, with their times in words. Queries: 1 without any."""
    now = timezone.now()
    return [(each, moments_of(each.registration, now)) for each in announced(competition)]
