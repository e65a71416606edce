"""Practice: the hands of an invented table, on the device alone."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.core.extras import first_answer
from league.core.messages import in_language
from league.core.numbers import number_tenths
from scoring.implied import chombo_costs
from scoring.presets import find_preset, preset, presets, resolve

USUAL = "ema-2025"


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Render the keeper's page under a published rule set. It writes nothing."""
    chosen = find_preset(request.GET.get("rules", "")) or preset(USUAL)
    cost = chombo_costs(resolve(chosen.slug))
    state = {
        "number": 0,
        "hand": "",
        "keeps_points": False,
        "riichi": [],
        "bans": [],
        "dead": [],
        "names": ["A", "B", "C", "D"],
        "hands": [],
        "requests": [],
        "log": [],
    }
    values = {
        "choices": [(each.slug, in_language(each.name)) for each in presets()],
        "chosen": chosen.slug,
        "rules": dict(chosen.values),
        "chombo": {"score": number_tenths(-cost), "decides": "referee"} if cost else {},
        "state": state,
        "calculator": first_answer("rules.calculator", chosen.slug, default=""),
    }
    return render(request, "hands/practice.html", values)
