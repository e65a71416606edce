from typing import Any

from django import template
from django.utils.functional import Promise

from league.core.tags import written
from league.ranking.standings.columns import FACTS

register = template.Library()


@register.filter
def facts(line: Any) -> list[tuple[str | Promise, str]]:
    """Return (name, value in words) of a player or a team for their own page."""
    return [
        (column.header, written(column.value(line), column.kind))
        for column in FACTS
        if column.is_shown([line])
    ]
