"""Words of cuts: the template library `stages`."""

from collections.abc import Iterable

from django import template

from league.joints import listed
from league.models import StageEntrant
from league.queries import PlayerInfo
from league.season_words import counted_words, unranked_words

register = template.Library()
register.filter(unranked_words)
register.filter(counted_words)


@register.filter
def join_names(people: Iterable[PlayerInfo]) -> str:
    """Names with commas between, as the language puts them."""
    return listed(info.name for info in people)


@register.filter
def how_in(code: str) -> str:
    """How somebody came into a stage: "by rank"."""
    return str(StageEntrant.How(code).label)
