"""Words of teams: the template library `teams`."""

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def at(texts: Mapping[int, str], key: int) -> str:
    """The text that is at this number; empty for none."""
    return texts.get(key, "")
