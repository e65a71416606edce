"""Practice: the hands of an invented table, on the device alone."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.core.messages import in_language
from scoring.presets import find_preset, preset, presets

USUAL = "ema-2025"


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Render the keeper's page under a published rule set. It writes nothing."""
    chosen = find_preset(request.GET.get("rules", "")) or preset(USUAL)
    state = {
        "number": 0,
        "hand": "",
        "keeps_points": False,
        "riichi": [],
        "bans": [],
        "dead": [],
        "names": ["A", "B", "C", "D"],
        "hands": [],
        "log": [],
    }
    values = {
        "choices": [(each.slug, in_language(each.name)) for each in presets()],
        "chosen": chosen.slug,
        "rules": dict(chosen.values),
        "state": state,
        "calculator": f"{reverse('calculator:hand')}?{urlencode({'rules': chosen.slug})}",
    }
    return render(request, "hands/practice.html", values)
