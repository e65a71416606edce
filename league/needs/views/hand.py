"""Conditions of a last hand by hand. The address holds all of it, and a script asks for the answer alone."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.calculator.panels import USUAL_RULES
from league.core.access import Access
from league.core.caching import ANY, Among, answer, settle_address
from league.core.me import find_me
from league.core.pages import reads
from league.hands.queries import table_game
from league.hands.words.problems import hanchan_problem
from league.needs.forms import DEFAULTS, NeedsForm
from league.needs.panels import NeedsPanel, address_of, make_panel, needs_address
from league.needs.queries.hand import SEAT_NAMES, last_hand, totals_before
from league.rule_sets.queries.rule_sets import (
    FoundRules,
    division_key,
    find_rules,
    preset_rules,
    rule_set_choices,
    rules_of,
)
from scoring.hanchan import ExhaustiveDraw, Hand, Riichi, check
from scoring.presets import preset, presets
from scoring.settlement import SEATS

SEAT_FIELDS = (f"{name}{seat}" for name in "nprt" for seat in SEATS)
FIELDS = (*NeedsForm.base_fields, "over", "double", *SEAT_FIELDS)
EXAMPLE = {"rules": "mleague", "p0": "300", "p1": "253", "p2": "245", "p3": "202", "me": "1"}


@dataclass(frozen=True)
class Answer:
    """`panel` is None while nothing is entered, or with `problems`."""

    form: NeedsForm
    found: FoundRules
    problems: list[str]
    panel: NeedsPanel | None


@require_safe
def needs(request: HttpRequest) -> HttpResponseBase:
    published = Among(each.slug for each in presets())
    may_keep = settle_address(request, dict.fromkeys(FIELDS, ANY) | {"rules": published})
    typed = {name: value for name in FIELDS if (value := request.GET.get(name, "")).strip()}
    found = find_rules(request.user, typed.get("rules", USUAL_RULES))

    def make() -> HttpResponse:
        context = context_of(typed, found)
        template = "needs/_script.html" if request.headers.get("HX-Request") else "needs/needs.html"
        if context["answer"].panel:
            context["share"] = request.build_absolute_uri(address_of(shortened(typed)))
        return render(request, template, context)

    facts = found.state if found else ("no such rules",)
    response = answer(request, facts, make, may_keep=may_keep)
    patch_vary_headers(response, ("HX-Request",))
    return response


@reads()
def at_table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Lead the phones at a table to the page filled in: for their player, or for all four."""
    table = access.table(pk)
    if not access.is_at(table):
        raise PermissionDenied
    division, now = table.round.stage.division, table_game(table)
    rules = {"rules": division_key(division)}
    players = [seat.player for seat in table.seats.select_related("player").order_by("wind")]
    if now.game is None or len(players) != len(SEATS):
        return redirect(address_of(rules))
    me = find_me(request, access)
    mine = [seat for seat, player in enumerate(players) if me and me.entrant.player_id == player.pk]
    return redirect(
        needs_address(
            now.game,
            players,
            totals_before(table.round.stage, public=not access.is_staff) or {},
            rules_key=rules["rules"],
            asking=tuple(mine or SEATS),
            riichi=now.riichi,
        )
    )


def shortened(typed: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in typed.items() if value != DEFAULTS.get(name)}


def context_of(typed: dict[str, str], asked: FoundRules | None) -> dict[str, Any]:
    found = asked or preset_rules(preset(USUAL_RULES))
    form = NeedsForm(typed, found.key, rules_of(found), rule_set_choices(found))
    problems = [] if asked else [_("Unknown rule set. Choose one from the list.")]
    problems += [sentence_on(form, name, error) for name, errors in form.errors.items() for error in errors]
    if not problems and not form.is_empty:
        problems = riichi_problems(form)
    panel = None if problems or form.is_empty else panel_of(form)
    return {
        "answer": Answer(form, found, problems, panel),
        "form": form,
        "example": address_of(EXAMPLE),
    }


def sentence_on(form: NeedsForm, name: str, error: object) -> str:
    """Prefix an error with its field, and with the wind of a seat."""
    if name == NON_FIELD_ERRORS:
        return str(error)
    field = form[name].label
    if name[-1].isdigit():
        field = _("%(wind)s, %(field)s") % {"wind": SEAT_NAMES[int(name[-1])], "field": field}
    return _("%(field)s: %(sentence)s") % {"field": field, "sentence": error}


def riichi_problems(form: NeedsForm) -> list[str]:
    riichi = form.riichi
    draw = Hand(outcome=ExhaustiveDraw(riichi), riichi=tuple(Riichi(seat) for seat in riichi))
    return [hanchan_problem(each) for each in check(form.game, draw)]


def panel_of(form: NeedsForm) -> NeedsPanel:
    return make_panel(
        last_hand(form.game, form.riichi),
        asking=form.asking,
        goal=form.asked_goal,
        stakes=form.stakes,
        names=form.names,
        double=form.double_loser,
    )
