"""How pages save a sheet, and compare two when people save one at once.

A page that takes a sheet redirects only when the sheet is there: saved now, or before by the same form, or by
another person. What it says tells these apart. Everything else comes back with what was typed and a status of
409 or 422. The page's script relies on that: it keeps the sheet on the device until then, and sends it again
when the network is back.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.messages import constants as levels
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.access import Access
from league.core.changes import Form, find_answer
from league.core.errors import AlreadyDone, Refused
from league.core.pages import page
from league.models import Dispute, Round, Seat, Sheet, Table
from league.results.forms import (
    SheetForm,
    fingerprint,
)
from league.results.panels import (
    compare_seats,
    panel,
    saved_sentence,
)
from league.results.services import (
    may_undo,
    record_result,
)
from league.results.words import compare_endings, script_words
from league.rounds.queries import (
    TableResult,
    table_results,
)

CONFLICT = 409


@dataclass(frozen=True)
class SavedSheet:
    """A sheet that is there: saved now, or before, which ``said`` says."""

    table: Table
    sheet: Sheet
    level: int = levels.SUCCESS
    said: str = ""

    def say(self, request: HttpRequest, result: TableResult) -> None:
        sentence = self.said or saved_sentence(result, self.sheet, self.table.round.stage.division.rules)
        messages.add_message(request, self.level, sentence)


def save_sheet(
    request: HttpRequest,
    access: Access,
    result: TableResult,
    form: SheetForm,
    *,
    then: str,
    dispute: Dispute | None = None,
) -> HttpResponse | None:
    """Saves a sheet that was sent and is valid, and goes on to `then`. Shows both sheets when another person
    was first; None when the form says what is wrong.
    """
    answer = try_to_save(request, access, result.table, form, then=then, dispute=dispute)
    if not isinstance(answer, SavedSheet):
        return answer
    answer.say(request, result)
    return redirect(then)


def try_to_save(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: SheetForm,
    *,
    then: str,
    dispute: Dispute | None = None,
) -> SavedSheet | HttpResponse | None:
    if not form.is_valid():
        return None
    submission = _submission(table, form, dispute)
    try:
        sheet = record_result(table=table, **form.values(), dispute=dispute, by=access.by, form=submission)
    except (AlreadyDone, Refused) as refusal:
        if saved := find_saved(request, table, form, dispute=dispute):
            return saved
        newest = _newest(table)
        if newest is None or newest.pk == form.cleaned_data["based_on"]:
            form.add_error(getattr(refusal, "field", None), str(refusal))
            form.is_refused = True
            return None
        action = action_of(request, dispute)
        more = {"refusal": str(refusal), "keep": then, "action": action}
        return _compare_page(request, access, table, form, newest, **more)
    return SavedSheet(table, sheet)


def _submission(table: Table, form: SheetForm, dispute: Dispute | None = None) -> Form:
    return form.submission("sheet", table.pk, *ids_of(dispute))


def _newest(table: Table) -> Sheet | None:
    return table.sheets.filter(is_current=True).select_related("entered_by").first()


def find_saved(
    request: HttpRequest, table: Table, form: SheetForm, *, dispute: Dispute | None = None
) -> SavedSheet | None:
    """The sheet of this valid form if it was there already, saved by this very form or by another person."""
    newest = _newest(table)
    if newest is None:
        return None
    names = {
        "table": table.number,
        "name": newest.entered_by.get_username() if newest.entered_by else "–",
    }
    first = find_answer(_submission(table, form, dispute), by=request.user)
    if first is not None and first["sheet"] != newest.pk:
        sentence = _(
            "Table %(table)s: you had already saved this score sheet; %(name)s has since replaced it."
        )
        return SavedSheet(table, newest, levels.WARNING, sentence % names)
    if first is not None:
        sentence = _("Table %(table)s: you have already saved this score sheet. Nothing more to do.")
    elif _says_the_same(newest, table, form):
        sentence = _("Table %(table)s: %(name)s has already saved the same sheet. Nothing more to do.")
    else:
        return None
    return SavedSheet(table, newest, levels.INFO, sentence % names)


def _says_the_same(saved: Sheet, table: Table, form: SheetForm) -> bool:
    """Saved after the page was opened: the same numbers for the same people, because seats change too."""
    seats = Seat.objects.filter(table=table).order_by("wind").values_list("player_id", flat=True)
    same = (list(saved.points), saved.ending) == (form.points, form.ending)
    unseen = saved.pk != form.cleaned_data["based_on"] and saved.status != Sheet.Status.VOID
    return unseen and same and form.cleaned_data["seated"] == list(seats)


def _compare_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: SheetForm,
    saved: Sheet,
    **more: str,
) -> HttpResponse:
    """The sheet of the person who came second beside the saved one; nothing typed is lost."""
    result, round_ = replace(read_result(access, table), sheet=saved), table.round
    return page(
        request,
        access,
        "results/compare.html",
        status=CONFLICT,
        result=result,
        saved=saved,
        lines=compare_seats(result, form.points, saved),
        mine_sticks=form.deposits,
        endings=compare_endings(form.ending, saved, round_.stage.division.rules),
        panel=panel(result, typed=form.data),
        sure=fingerprint(form.warnings),
        **about_round(round_),
        **more,
    )


def undo_of(request: HttpRequest, results: Iterable[TableResult]) -> dict[str, Any]:
    """The button that takes back what this person saved last, for a few seconds."""
    tables = {each.sheet.pk: each.table for each in results if each.sheet}
    found = undoable(request, [each.sheet for each in results])
    return {"undo": found, "undo_table": tables[found.pk]} if found else {}


def undoable(request: HttpRequest, sheets: Iterable[Sheet | None]) -> Sheet | None:
    """The newest of these sheets that this person may undo."""
    now = timezone.now()
    found = [each for each in sheets if each and may_undo(each, request.user.pk, at=now)]
    return max(found, key=lambda each: each.pk, default=None)


def about_round(round_: Round) -> dict[str, Any]:
    """What the pages of a round's sheets and their script need."""
    total_points = round_.stage.division.rules.total_points
    return {"round": round_, "total_points": total_points, "words": script_words()}


def find_result(access: Access, pk: int) -> TableResult:
    """The table with its current sheet, if this person may see it."""
    return read_result(access, access.table(pk))


def read_result(access: Access, table: Table) -> TableResult:
    found = table_results(Table.objects.filter(pk=table.pk), access.competition, rounds=[table.round])
    return result_of(table, found)


def result_of(table: Table, results: Sequence[TableResult]) -> TableResult:
    """``Http404`` for a table that was deleted a moment ago."""
    for result in results:
        if result.table.pk == table.pk:
            return result
    raise Http404


def entry_address(access: Access, table: Table) -> str:
    return f"{access.address('results:enter_round', table.round_id)}?table={table.number}"


def ids_of(dispute: Dispute | None) -> tuple[int, ...]:
    """What a submission says of its dispute."""
    return (dispute.pk,) if dispute else ()


def action_of(request: HttpRequest, dispute: Dispute | None) -> str:
    return f"{request.path}?dispute={dispute.pk}" if dispute else request.path


def is_waiting(access: Access, sheet: Sheet) -> bool:
    """Does this sheet count only once a second person has confirmed it?"""
    return sheet.status == Sheet.Status.ENTERED and not counts_at_once(access)


def counts_at_once(access: Access) -> bool:
    return Sheet.Status.ENTERED in access.competition.counted_statuses
