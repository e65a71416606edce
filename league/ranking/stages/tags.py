from collections.abc import Iterable

from django import template

from league.core.text import listed
from league.people.members.queries import PlayerInfo
from league.ranking.standings.words import SIGNS, counted_words, kind_words, unranked_words

register = template.Library()
register.filter(unranked_words)
register.filter(counted_words)
register.filter("move_kind", kind_words)


@register.filter
def move_sign(kind: str) -> str:
    return SIGNS.get(kind, "")


@register.filter
def join_names(people: Iterable[PlayerInfo]) -> str:
    return listed(info.name for info in people)
