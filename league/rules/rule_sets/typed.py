"""A form that the address holds, under the rule set that it names."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from league.core.caching import ANY, Among, answer, settle_address
from league.rules.rule_sets.queries.rule_sets import FoundRules, find_rules, preset_rules
from scoring.presets import preset, presets

USUAL_RULES: Final = "ema-2025"  # clubs of most countries play by it; an address names any other
Typed = dict[str, str]


def short_address(view: str, typed: Mapping[str, str], usual: Mapping[str, str]) -> str:
    """Return the address of a typed form without empty and usual values."""
    query = {name: value for name, value in typed.items() if value and value != usual.get(name)}
    return f"{reverse(view)}?{urlencode(query)}" if query else reverse(view)


def answer_address(
    request: HttpRequest,
    fields: Iterable[str],
    make: Callable[[Typed, FoundRules, list[str]], dict[str, Any]],
    *,
    template: str,
    part: str,
) -> HttpResponseBase:
    """Answer a form that the address holds, under the rule set that it names.

    `make` returns the context from the typed values, the rule set, and its problem. Script gets `part`.
    """
    names = list(fields)
    published = Among(each.slug for each in presets())
    may_keep = settle_address(request, dict.fromkeys(names, ANY) | {"rules": published})
    typed = {name: value for name in names if (value := request.GET.get(name, "")).strip()}
    found = find_rules(request.user, typed.get("rules", USUAL_RULES))
    problems = [] if found else [_("Unknown rule set. Choose one from the list.")]

    def respond() -> HttpResponse:
        context = make(typed, found or preset_rules(preset(USUAL_RULES)), problems)
        return render(request, part if request.headers.get("HX-Request") else template, context)

    facts = found.state if found else ("no such rules",)
    response = answer(request, facts, respond, may_keep=may_keep)
    patch_vary_headers(response, ("HX-Request",))  # going back must not show the part alone
    return response
