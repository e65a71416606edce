"""Practice of a table's score sheet: type, sign, object. Nothing is written, the address holds it all."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.core.messages import in_language
from league.core.pages import number_in, page, posted
from league.models import Competition, Seat
from league.play.entry.forms.sheets import SheetForm, SheetPreviewForm
from league.play.entry.panels import slip_panel
from league.play.entry.views.at_table import PAGE
from league.play.entry.views.rounds import preview_answer
from league.play.results.words import asked_words, ending_words, script_words
from scoring.checks import check_sheet
from scoring.presets import find_preset, preset, presets
from scoring.rules import Rules
from scoring.settlement import NORTH, Ending, settle_ending

USUAL: Final = "hkma-a-2025-04"
OWN: Final = 0  # the practising person sits east


@dataclass(frozen=True)
class Practice:
    """`points`: four numbers in hundreds, or none yet. `signed`, `wrong`: winds as digits ("03")."""

    rules: str
    points: tuple[int, ...] = ()
    sticks: int = 0
    last_dealer: int = NORTH
    signed: str = ""
    wrong: str = ""

    @property
    def address(self) -> str:
        query = {name: value for name, value in vars(self).items() if value not in ("", ())}
        query |= {"points": ".".join(map(str, self.points))} if self.points else {}
        return f"{reverse('results:practice')}?{urlencode(query)}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    now = _read(request)
    rules = Rules.from_values(dict(preset(now.rules).values))
    form = SheetForm(posted(request) if "east" in request.POST else None, rules=rules)
    if request.method == "POST" and not form.is_bound:
        return HttpResponseRedirect(_answered(request, now).address)
    if form.is_valid():
        hundreds = tuple(each // 100 for each in form.points)
        typed = Practice(now.rules, hundreds, form.deposits, form.last_dealer)
        return HttpResponseRedirect(typed.address)
    types = form.is_bound or not now.points or "type" in request.GET
    return page(request, None, PAGE, **_values(now, rules), panel=slip_panel(rules, form) if types else None)


@require_safe
def practice_preview(request: HttpRequest) -> JsonResponse:
    rules = Rules.from_values(dict(preset(_rules(request)).values))
    return preview_answer(SheetPreviewForm(request.GET, rules=rules))


def _rules(request: HttpRequest) -> str:
    asked = request.GET.get("rules", "")
    return asked if find_preset(asked) else USUAL


def _read(request: HttpRequest) -> Practice:
    """Return the state in the address. Impossible scores are none."""
    slug = _rules(request)
    try:
        points = tuple(int(each) for each in request.GET.get("points", "").split(".")[:4])
    except ValueError:
        return Practice(slug)
    rules, sticks = Rules.from_values(dict(preset(slug).values)), number_in(request.GET, "sticks") or 0
    problems = check_sheet([each * 100 for each in points], sticks, rules) if len(points) == 4 else None
    if problems is None or any(each.level == "error" for each in problems):
        return Practice(slug)
    signed, wrong = (
        "".join(each for each in "0123" if each in request.GET.get(name, "")) for name in ("signed", "wrong")
    )
    dealer = number_in(request.GET, "last_dealer")
    return Practice(slug, points, sticks, NORTH if dealer is None else min(dealer, NORTH), signed, wrong)


def _answered(request: HttpRequest, now: Practice) -> Practice:
    wind = request.POST.get("wind", "")
    if wind not in ("0", "1", "2", "3"):
        return now
    marks = {name: getattr(now, name).replace(wind, "") for name in ("signed", "wrong")}
    marks["wrong" if "wrong" in request.POST else "signed"] += wind
    return Practice(now.rules, now.points, now.sticks, now.last_dealer, **marks)


def _values(now: Practice, rules: Rules) -> dict[str, Any]:
    points = [each * 100 for each in now.points]
    ending = Ending(now.sticks, now.last_dealer)
    seats = settle_ending(points, ending, rules) if points else ()
    here = now.address
    lines = [
        {
            "wind": wind,
            "player": None,
            "seat": seats[wind] if seats else None,
            "signed": str(wind) in now.signed,
            "objection": str(wind) in now.wrong,
            "is_own": wind == OWN,
            "name": label,
        }
        for wind, label in Seat.Wind.choices
    ]
    is_complete = len(now.signed) == 4 and not now.wrong
    return {
        "parent": "entry/practice.html",
        "practice": True,
        "phone": SimpleNamespace(
            sheet=SimpleNamespace(
                seen=1, has_result=False, waits_again=False, is_complete=is_complete, objections=now.wrong
            ),
            wind=OWN,
            writes=True,
        ),
        "facts": bool(points),
        "lines": lines,
        "own": seats[OWN] if seats else None,
        "sticks": ending.sticks,
        "endings": ending_words(ending, rules) if points else [],
        "asked": asked_words(Competition.Signatures.FOUR),
        "may_sign": range(4) if points else (),
        "goes_round": True,
        "may_object": bool(points),
        "may_type": True,
        "rule_sets": [(each.slug, in_language(each.name), each.slug == now.rules) for each in presets()],
        "suggests": True,
        "act": {
            "sheet": here,
            "sign": here,
            "object": here,
            "preview": f"{reverse('results:practice_preview')}?rules={now.rules}",
            "back": reverse("results:practice"),
        },
        "total_points": rules.total_points,
        "words": script_words(),
    }
