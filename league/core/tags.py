"""Formats of numbers and marks on pages, also as plain functions. Scores are never rounded through floats."""

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

from django import forms, template
from django.contrib.messages.storage.base import Message
from django.forms.boundfield import BoundField
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, pgettext_lazy

from league import VERSION
from league.core import messages
from league.core.extras import menu_at, pages_below, panels_at
from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE
from league.core.numbers import minus_sign
from league.core.text import labelled, listed, reads_han
from scoring.units import Score, decimal_text, rounded

register = template.Library()
register.simple_tag(lambda: VERSION, name="version")

MISSING = "–"
WIND_CHARACTERS, SIMPLIFIED_WIND_CHARACTERS = "東南西北", "东南西北"
WIND_WORDS = (
    pgettext_lazy("wind", "East"),
    pgettext_lazy("wind", "South"),
    pgettext_lazy("wind", "West"),
    pgettext_lazy("wind", "North"),
)
PLACE_WORDS = (
    gettext_lazy("1st place"),
    gettext_lazy("2nd place"),
    gettext_lazy("3rd place"),
    gettext_lazy("4th place"),
)


@register.filter
def score(value: Score | None) -> str:
    """Return tenths with sign and one decimal: "+54.0", "−20.0" (▲20.0), "0.0"."""
    if value is None:
        return MISSING
    text = decimal_text(value)
    if text.startswith("-"):
        return minus_sign() + text[1:]
    return text if text == "0.0" else f"+{text}"


@register.filter
def score_apart(value: Score) -> str:
    """Return tenths between two totals without a sign: "2.5"."""
    return decimal_text(abs(rounded(value)))


@register.filter
def score_class(value: Score | None) -> str:
    """Return the CSS classes of a score. A score that rounds to zero has no sign."""
    sign = rounded(value) if value is not None else 0
    return "score score-plus" if sign > 0 else "score score-minus" if sign < 0 else "score"


@register.filter
def points(value: int | None) -> str:
    """Return raw points with separators: "28,700", "−1,200" (▲1,200)."""
    if value is None:
        return MISSING
    return f"{minus_sign() if value < 0 else ''}{abs(value):,}"


def signed_points(value: Fraction | None, *, plain: bool = False) -> str:
    """Return an average of points, in whole points. ``plain``: without the sign of a gain."""
    if value is None:
        return MISSING
    whole = rounded(Fraction(value))
    return f"{'+' if whole > 0 and not plain else ''}{points(whole)}"


@register.filter
def average(value: Fraction | int | None) -> str:
    """Return two decimals, an exact half away from zero: Fraction(37, 16) is "2.31"."""
    if value is None:
        return MISSING
    hundredths = rounded(Fraction(value) * 100)
    whole, rest = divmod(abs(hundredths), 100)
    return f"{minus_sign() if hundredths < 0 else ''}{whole}.{rest:02}"


@register.filter
def wind(seat: int) -> SafeString:
    """Return the mark of a seat wind (0 is east): the character, with the word for screen readers."""
    return _wind(seat, get_language())


@cache  # a page may show a thousand of them
def _wind(seat: int, language: str | None) -> SafeString:
    characters = SIMPLIFIED_WIND_CHARACTERS if language == "zh-hans" else WIND_CHARACTERS
    return format_html(
        '<span class="wind wind-{0}" role="img" aria-label="{2}" title="{2}">{1}</span>',
        seat,
        characters[seat],
        WIND_WORDS[seat],
    )


@register.filter
def wind_now(seat: int, dealer: int | None) -> SafeString:
    """Return the mark of the seat's wind while `dealer` deals, with a mark at the first dealer.

    `dealer`: None if no hand is known. Then winds are those at the start.
    """
    if dealer is None:
        return wind(seat)
    mark = wind((seat - dealer) % 4)
    return mark if seat else format_html("{} {}", mark, _first_dealer(get_language()))


@cache
def _first_dealer(language: str | None) -> SafeString:
    return format_html(
        '<span class="first-dealer" role="img" aria-label="{0}" title="{0}">起</span>',
        gettext("First dealer"),
    )


@register.filter
def wind_word(seat: int) -> Promise:
    return WIND_WORDS[seat]


@register.filter
def place(value: int | None) -> SafeString | str:
    """Return the badge of a place, 1 to 4. Number and shape differ, so that colour is not needed."""
    if value is None:
        return MISSING
    if not 1 <= value <= len(PLACE_WORDS):
        raise ValueError(f"no such place at a table of four: {value}")
    return format_html(
        '<span class="place place-{0}" role="img" aria-label="{1}" title="{1}">{0}</span>',
        value,
        PLACE_WORDS[value - 1],
    )


@register.filter
def html_lang(code: str) -> str:
    """Return the language tag of a page. Browsers draw the same character differently per region."""
    return {"zh-hant": "zh-Hant-HK", "zh-hans": "zh-Hans"}.get(code, code)


register.filter(listed)


@register.simple_tag
def comma() -> str:
    return listed(("", ""))


@register.simple_tag
def colon() -> str:
    return labelled("", "")


@register.filter
def in_language(names: Mapping[str, str]) -> str:
    return messages.in_language(names)


class Ranked(Protocol):
    @property
    def rank(self) -> int | None: ...
    @property
    def tied(self) -> bool: ...


@register.filter
def rank(of: Ranked) -> SafeString | str:
    """Return "3", "=3" for a tied rank, or an en dash without one."""
    number = getattr(of, "shown_rank", of.rank)
    if number is None:
        return MISSING
    return (
        format_html('<span title="{}">={}</span>', gettext("tied rank"), number) if of.tied else str(number)
    )


@register.filter
def percent(value: Fraction | None) -> str:
    """Return a share with one decimal: Fraction(1, 3) is "33.3%"."""
    if value is None:
        return MISSING
    whole, rest = divmod(rounded(Fraction(value) * 1000), 10)
    return f"{whole}.{rest}%"


_WRITERS: Mapping[str, Callable[[Any], str]] = {SCORE: score, POINTS: points, AVERAGE: average, WHOLE: str}


@register.filter
def written(value: Any, kind: str) -> str:
    """Return a value of a column of this kind (``league.core.files.columns``) in its format."""
    return _WRITERS[kind](value) if kind in _WRITERS else value or ""


_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def romanized(self) -> str: ...


@register.filter
def romanized(person: Named) -> str:
    """Return the romanized name, except for Han names for readers of Chinese and Japanese."""
    if person.romanized == person.name or (reads_han() and _HAN.search(person.name)):
        return ""
    return person.romanized


@register.filter
def person(info: Named | None) -> SafeString | str:
    """Return a name with the romanized one below it, or an en dash for an empty seat.

    Players of one name get what tells them apart (`PlayerInfo.label`).
    """
    if info is None:
        return MISSING
    below = romanized(info)
    second = '<span class="name-romanized">{}</span>' if below else "{}"
    named = format_html(f'<span class="name">{{}}{second}</span>', getattr(info, "label", info.name), below)
    return format_html("{} {}", named, withdrawn_badge()) if getattr(info, "withdrawn", False) else named


def withdrawn_badge() -> SafeString:
    return format_html('<span class="badge-state">{}</span>', gettext("withdrawn"))


@register.simple_tag(takes_context=True)
def current(context: template.Context, *names: str, tab: str = "") -> SafeString:
    """Return `aria-current` for a link to the page in view, one of those called `names` or below `tab`."""
    match = getattr(context.get("request"), "resolver_match", None)
    is_here = match and (match.view_name in names or match.view_name in pages_below(tab))
    return SafeString('aria-current="page"' if is_here else "")


@register.simple_tag(takes_context=True)
def current_below(context: template.Context, address: str, *but: str) -> SafeString:
    """Return `aria-current` for a link to the page in view or one above it, except the pages called `but`."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    is_below = match and match.view_name not in but and str(getattr(request, "path", "")).startswith(address)
    return SafeString('aria-current="page"' if is_below else "")


register.simple_tag(menu_at, name="menu")


@register.simple_tag(takes_context=True)
def panels(context: template.Context, place: str) -> SafeString:
    """Render what extras show at this place of a page, with the page's context."""
    templates = [context.template.engine.get_template(name) for name in panels_at(place)]  # type: ignore[union-attr]
    return SafeString("".join(each.render(context) for each in templates))


@register.simple_tag
def bootstrap(field: BoundField) -> SafeString:
    """Return the widget with Bootstrap's classes, red if it has errors. The widget's own classes stay."""
    widget = field.field.widget
    classes = [str(widget.attrs.get("class", "")), bootstrap_class(widget)]
    if field.errors:
        classes.append("is-invalid")
    attrs: dict[str, Any] = {"class": " ".join(name for name in classes if name)}
    return field.as_widget(attrs=attrs)


def bootstrap_class(widget: forms.Widget) -> str:
    if isinstance(widget, forms.CheckboxInput):
        return "form-check-input"
    return "form-select" if isinstance(widget, forms.Select) else "form-control"


@register.filter
def undo_of(message: Message) -> dict[str, Any] | None:
    """Return the button that a message of `league.core.pages` has, or None."""
    tags = message.extra_tags or ""
    return json.loads(tags) if tags.startswith("{") else None


@register.filter
def at(texts: Mapping[int, str], key: int) -> str:
    return texts.get(key, "")
