from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def at(texts: Mapping[int, str], key: int) -> str:
    return texts.get(key, "")
