from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django import template
from django.utils.formats import date_format

from league.core.access import Access
from league.core.zones import day_of, day_of_play
from league.models import Competition, Stage
from league.models.names import is_given
from league.organizing.competitions.queries.doors import Link, links_at
from league.organizing.competitions.queries.head import Head, head_of

register = template.Library()
SEASON = timedelta(days=45)  # a longer time is given in months


@register.simple_tag(name="head_of")
def find_head(access: Access, public: bool) -> Head:
    return head_of(access.competition, public=public, today=day_of_play(access.competition))


@register.simple_tag(takes_context=True)
def door_links(context: Mapping[str, Any], place: str) -> list[Link]:
    """Return the links behind a door of the organizer's page."""
    return links_at(context["competition"], place)


@register.simple_tag
def notice_of(competition: Competition) -> str:
    """Return the organizer's notice to visitors until its last day."""
    until = competition.notice_until
    return competition.notice if until is None or day_of(competition) <= until else ""


@register.simple_tag(takes_context=True)
def part_name(context: Mapping[str, Any], part: Any) -> str:
    """Return the name, or "" for the only division or stage if the product has named it ("Main")."""
    access = context.get("access")
    public = context.get("public", True)
    says_nothing = part is None or (access and is_given(part) and access.is_sole(part, public=public))
    return "" if says_nothing else part.name


@register.simple_tag(takes_context=True)
def where(context: Mapping[str, Any], stage: Stage, then: str = "") -> str:
    """Return "A · Final", without the names that say nothing. ``then`` follows unless nothing is left."""
    names = filter(None, (part_name(context, stage.division), part_name(context, stage)))
    return text + then if (text := " · ".join(names)) else ""


@register.simple_tag
def span(first: date | None, last: date | None) -> str:
    """Return a day, a few days, or the months of a season: "October 2018 – January 2019"."""
    if first is None:
        return ""
    last = last or first
    form = "YEAR_MONTH_FORMAT" if last - first > SEASON else "DATE_FORMAT"
    days = dict.fromkeys(date_format(day, form) for day in (first, last))
    return " – ".join(days)
