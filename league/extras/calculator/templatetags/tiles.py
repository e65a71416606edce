"""Mahjong tiles on a page: the template library `tiles`. ``tools.tile_art`` draws them."""

from collections.abc import Iterable

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.extras.calculator.words import tile_name

register = template.Library()

SPRITE = "img/tiles.svg"
BACK = "back"


@register.simple_tag
def tile_sprite() -> str:
    """The address of the pictures, for script that draws tiles itself."""
    return static(SPRITE)


@register.filter
def tile(name: str) -> SafeString:
    """Render one tile such as "0p", with its name for screen readers. "back" lies face down."""
    label = _("face-down tile") if name == BACK else tile_name(name)
    return format_html(
        '<svg class="tile" role="img" aria-label="{0}" viewBox="0 0 60 84"><title>{0}</title>{1}</svg>',
        label,
        _use(name),
    )


@register.filter
def tile_picture(name: str) -> SafeString:
    """One tile without a name: for a button that has the name itself."""
    return format_html('<svg class="tile" aria-hidden="true" viewBox="0 0 60 84">{}</svg>', _use(name))


@register.filter
def tile_row(names: Iterable[str]) -> SafeString:
    """Tiles side by side, as in a hand."""
    return format_html(
        '<span class="tile-row">{}</span>', format_html_join("", "{}", ((tile(name),) for name in names))
    )


@register.filter
def tile_label(name: str) -> str:
    """The tile's name."""
    return tile_name(name)


def _use(name: str) -> SafeString:
    return format_html('<use href="{}#t{}" />', static(SPRITE), name)
