"""How Umaoka writes its numbers and marks: the template library `umaoka`.

Every filter is also a plain function, so that tables, charts and tests print the same. Scores and points
carry a minus sign in English and the ▲ of score sheets in Chinese and Japanese; they are text, never rounded
through floats. Missing (None) is an en dash.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

from django import forms, template
from django.forms.boundfield import BoundField
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, pgettext_lazy

from league import VERSION
from league.core import messages
from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE
from league.core.numbers import minus_sign
from league.core.text import labelled, listed
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
    """Tenths with sign and one decimal: "+54.0", "−20.0" (▲20.0), "0.0"."""
    if value is None:
        return MISSING
    text = decimal_text(value)
    if text.startswith("-"):
        return minus_sign() + text[1:]
    return text if text == "0.0" else f"+{text}"


@register.filter
def score_apart(value: Score) -> str:
    """Tenths between two totals, with one decimal and no sign: "2.5"."""
    return decimal_text(abs(rounded(value)))


@register.filter
def score_class(value: Score | None) -> str:
    """The CSS classes of a score's cell; what rounds to zero has no sign."""
    sign = rounded(value) if value is not None else 0
    return "score score-plus" if sign > 0 else "score score-minus" if sign < 0 else "score"


@register.filter
def points(value: int | None) -> str:
    """Raw points with separators: "28,700", "−1,200" (▲1,200)."""
    if value is None:
        return MISSING
    return f"{minus_sign() if value < 0 else ''}{abs(value):,}"


@register.filter
def average(value: Fraction | int | None) -> str:
    """Two decimals, an exact half away from zero: Fraction(37, 16) is "2.31"."""
    if value is None:
        return MISSING
    hundredths = rounded(Fraction(value) * 100)
    whole, rest = divmod(abs(hundredths), 100)
    return f"{minus_sign() if hundredths < 0 else ''}{whole}.{rest:02}"


@register.filter
def wind(seat: int) -> SafeString:
    """The mark of a seat wind (0 is east): the character, with the word for those who cannot read it."""
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
def wind_word(seat: int) -> Promise:
    """ "East", "South", "West" or "North" in the reader's language."""
    return WIND_WORDS[seat]


@register.filter
def place(value: int | None) -> SafeString | str:
    """The badge of a place, 1 to 4: number and shape, so that colour is not needed to tell them apart."""
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
    """The language tag of a page: browsers draw the same character otherwise in each region."""
    return {"zh-hant": "zh-Hant-HK", "zh-hans": "zh-Hans"}.get(code, code)


register.filter(listed)


@register.simple_tag
def comma() -> str:
    """What is between two things of a list, in the marks of the reader's language."""
    return listed(("", ""))


@register.simple_tag
def colon() -> str:
    """What is between a label and its words."""
    return labelled("", "")


@register.filter
def in_language(names: Mapping[str, str]) -> str:
    """The name in the reader's language, of names by language code."""
    return messages.in_language(names)


@register.filter
def percent(value: Fraction | None) -> str:
    """A share with one decimal: Fraction(1, 3) is "33.3%"."""
    if value is None:
        return MISSING
    whole, rest = divmod(rounded(Fraction(value) * 1000), 10)
    return f"{whole}.{rest}%"


_WRITERS: Mapping[str, Callable[[Any], str]] = {SCORE: score, POINTS: points, AVERAGE: average, WHOLE: str}


@register.filter
def written(value: Any, kind: str) -> str:
    """A value of a column of this kind (``league.core.files.columns``) as pages write it."""
    return _WRITERS[kind](value) if kind in _WRITERS else value or ""


_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def romanized(self) -> str: ...


@register.filter
def romanized(person: Named) -> str:
    """The romanized name for those who need it: readers of Chinese and Japanese read Han themselves."""
    reads_han = (get_language() or "en").split("-")[0] in {"ja", "zh"}
    if person.romanized == person.name or (reads_han and _HAN.search(person.name)):
        return ""
    return person.romanized


@register.filter
def person(info: Named | None) -> SafeString | str:
    """A name in its own script, the romanized one below it; an en dash for an empty seat."""
    if info is None:
        return MISSING
    below = romanized(info)
    second = '<span class="name-romanized">{}</span>' if below else "{}"
    named = format_html(f'<span class="name">{{}}{second}</span>', info.name, below)
    return format_html("{} {}", named, withdrawn_badge()) if getattr(info, "withdrawn", False) else named


def withdrawn_badge() -> SafeString:
    """What is beside the name of a player who withdrew or was expelled."""
    return format_html('<span class="badge-state">{}</span>', gettext("withdrawn"))


@register.simple_tag(takes_context=True)
def current(context: template.Context, *names: str) -> SafeString:
    """`aria-current` for a link to the page in view, whose address is one of those called `names`."""
    match = getattr(context.get("request"), "resolver_match", None)
    return SafeString('aria-current="page"' if match and match.view_name in names else "")


@register.simple_tag(takes_context=True)
def current_below(context: template.Context, address: str, *but: str) -> SafeString:
    """`aria-current` for a link to the page in view or to one above it, except the pages called `but`."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    is_below = match and match.view_name not in but and str(getattr(request, "path", "")).startswith(address)
    return SafeString('aria-current="page"' if is_below else "")


@register.simple_tag
def bootstrap(field: BoundField) -> SafeString:
    """The field's widget in Bootstrap's classes, red when it has errors; the widget's own classes stay."""
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
