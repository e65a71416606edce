"""A player of a table of open play enters its sheet."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.pages import page, writes
from league.models import Stage, Table
from league.open_play.queries import may_enter_own
from league.results.forms import SheetForm
from league.results.panels import Panel, panel, prefilled, words
from league.results.views.results import save_sheet
from league.rounds.queries import table_results


@writes(Can.VIEW)
def enter_own(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A player enters the sheet of their table, or corrects it until a second person confirms it."""
    table = access.table(pk)
    (result,) = table_results(Table.objects.filter(pk=table.pk), access.competition)
    if not may_enter_own(access.user.pk, table, result.sheet):
        if may_enter_own(access.user.pk, table, None):
            messages.info(request, _("This result is not changed by players any more: ask a scorer."))
            return redirect(access.address("results:table", pk))
        if access.can_score and table.round.stage.play == Stage.Play.OPEN:
            entry = access.address("results:enter_round", table.round_id)
            return redirect(f"{entry}?table={table.number}")
        raise PermissionDenied
    if request.method != "POST":
        return _sheet_page(request, access, panel(result, typed=prefilled(result)))
    form = SheetForm(request.POST, rules=table.round.stage.division.rules)

    def again(*, refused: bool = False) -> HttpResponse:
        return _sheet_page(request, access, panel(result, form, refused=refused))

    then = access.address("results:table", pk)
    return save_sheet(request, access, result, form, then=then, again=again)


def _sheet_page(request: HttpRequest, access: Access, shown: Panel) -> HttpResponse:
    round_ = shown.result.table.round
    total_points = round_.stage.division.rules.total_points
    return page(
        request,
        access,
        "results/own.html",
        round=round_,
        panel=shown,
        total_points=total_points,
        words=words(),
    )
