from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse

register = template.Library()
# Pages whose address other sites can turn into a frame (league.extras.embeds.views.FRAMES).
FRAMED = frozenset({"standings:competition", "standings:stage", "standings:player", "rounds:index"})


@register.simple_tag(takes_context=True)
def oembed_address(context: Mapping[str, Any]) -> str:
    """Return the absolute address of this page's oEmbed answer, or "" if no site can frame the page."""
    request = context["request"]
    match = request.resolver_match
    if match is None or match.view_name not in FRAMED:
        return ""
    page = request.build_absolute_uri(request.path)
    found: str = request.build_absolute_uri(f"{reverse('embeds:oembed')}?{urlencode({'url': page})}")
    return found
