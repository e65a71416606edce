from datetime import date, timedelta

from django import template
from django.utils.formats import date_format

from league.competitions.queries.head import Head, head_of
from league.core.access import Access
from league.core.zones import day_of

register = template.Library()
SEASON = timedelta(days=45)  # a longer time is given in months


@register.simple_tag(name="head_of")
def find_head(access: Access, public: bool) -> Head:
    return head_of(access.competition, public=public, today=day_of(access.competition))


@register.simple_tag
def span(first: date | None, last: date | None) -> str:
    """Return a day, a few days, or the months of a season: "October 2018 – January 2019"."""
    if first is None:
        return ""
    last = last or first
    form = "YEAR_MONTH_FORMAT" if last - first > SEASON else "DATE_FORMAT"
    days = dict.fromkeys(date_format(day, form) for day in (first, last))
    return " – ".join(days)
