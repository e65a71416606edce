"""Conditions of a last hand by hand. The address holds all of it, and a script asks for the answer alone."""

from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.core.access import Access
from league.core.me import find_me
from league.core.pages import reads
from league.extras.needs.forms import NeedsForm
from league.extras.needs.panels.hand import NeedsPanel, address_of, needs_address
from league.people.members.queries import players_of
from league.play.hands.queries import table_game
from league.play.hands.words.problems import hanchan_problem
from league.ranking.standings.queries.standings import totals_before
from league.rules.rule_sets.queries.rule_sets import FoundRules, division_key, rule_set_choices, rules_of
from league.rules.rule_sets.typed import answer_address
from scoring.hanchan import ExhaustiveDraw, Hand, Riichi, check
from scoring.settlement import SEATS

FIELDS = (*NeedsForm.base_fields, "over", "double", *(f"{name}{seat}" for name in "nprt" for seat in SEATS))
EXAMPLE = {"rules": "mleague", "p0": "300", "p1": "253", "p2": "245", "p3": "202", "me": "1"}


@require_safe
def needs(request: HttpRequest) -> HttpResponseBase:
    def make(typed: dict[str, str], found: FoundRules, problems: list[str]) -> dict[str, Any]:
        form = NeedsForm(typed, found.key, rules_of(found), rule_set_choices(found))
        problems = problems + _problems(form)
        return {
            "form": form,
            "found": found,
            "problems": problems,
            "needs": None if problems or form.is_empty else NeedsPanel(**form.asked()),
            "example": address_of(EXAMPLE),
            "share": request.build_absolute_uri(address_of(typed)),
        }

    return answer_address(request, FIELDS, make, template="needs/needs.html", part="needs/_script.html")


def _problems(form: NeedsForm) -> list[str]:
    if form.is_valid() and not form.is_empty:
        draw = Hand(outcome=ExhaustiveDraw(form.riichi), riichi=tuple(map(Riichi, form.riichi)))
        return [hanchan_problem(each, form.words) for each in check(form.game, draw)]
    return [_sentence_on(form, name, error) for name, errors in form.errors.items() for error in errors]


def _sentence_on(form: NeedsForm, name: str, error: object) -> str:
    """Prefix an error with its field, and with the wind of a seat."""
    if name == NON_FIELD_ERRORS:
        return str(error)
    field = form[name].label
    seat = name[-1]
    if seat.isdigit():
        field = _("%(wind)s, %(field)s") % {"wind": form.words[int(seat)], "field": field}
    return _("%(field)s: %(sentence)s") % {"field": field, "sentence": error}


@reads()
def at_table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Lead the phones at a table to the page filled in: for their player, or for all four."""
    table = access.table(pk)
    if not access.is_at(table):
        raise PermissionDenied
    now, rules = table_game(table), division_key(table.round.stage.division)
    seated = list(table.seats.order_by("wind").values_list("player_id", flat=True))
    people = players_of(access.competition, set(seated))
    players = [people[player] for player in seated if player in people]
    if now.game is None or len(players) != len(SEATS):
        return redirect(address_of({"rules": rules}))
    me = find_me(request, access)
    mine = (seat for seat, player in enumerate(players) if me and me.entrant.player_id == player.pk)
    return redirect(
        needs_address(
            now.game,
            players,
            totals_before(table.round.stage, public=not access.is_staff) or {},
            rules_key=rules,
            me=next(mine, None),
            riichi=now.riichi,
        )
    )
