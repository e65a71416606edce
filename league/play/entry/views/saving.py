"""Save a sheet from a page, and compare two sheets if two people save one table at once.

A POST redirects only if the sheet is saved: now, before by the same form, or by another person. Otherwise the
input comes back with status 409 or 422. The script relies on this: it keeps the sheet on the device until a
redirect and sends it again when the network is back.
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
from league.core.changes import Sent, find_answer
from league.core.errors import AlreadyDone, Refused
from league.core.pages import page
from league.models import Dispute, Round, Seat, Sheet, Table
from league.play.entry.forms.sheets import SheetForm, fingerprint
from league.play.entry.panels import panel, saved_sentence
from league.play.results.queries.tables import TableResult, table_results
from league.play.results.services import may_undo, record_result
from league.play.results.words import compare_endings, script_words
from league.play.rounds.services import correct_result

CONFLICT = 409


@dataclass(frozen=True)
class SavedSheet:
    """A saved sheet. ``said``: the message if it was saved before."""

    table: Table
    sheet: Sheet
    level: int = levels.SUCCESS
    said: str = ""

    def say(self, request: HttpRequest, result: TableResult) -> None:
        sentence = self.said or saved_sentence(result, self.sheet, self.table.rules)
        messages.add_message(request, self.level, sentence)


def save_sheet(
    request: HttpRequest,
    access: Access,
    result: TableResult,
    form: SheetForm,
    *,
    then: str,
    dispute: Dispute | None = None,
    reopens: bool = False,
) -> HttpResponse | None:
    """Save a valid sheet and redirect. Return None if the form has errors. ``reopens``: also in a closed
    round.
    """
    answer = try_to_save(request, access, result.table, form, then=then, dispute=dispute, reopens=reopens)
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
    action: str = "",
    reopens: bool = False,
) -> SavedSheet | HttpResponse | None:
    """Save a valid sheet. ``action``: where a correction goes if another sheet is current. ``reopens``: also
    in a closed round.
    """
    if not form.is_valid():
        return None
    submission = _submission(table, form, dispute)
    about: dict[str, Any] = {"table": table, "dispute": dispute, "by": access.by, "form": submission}
    try:
        if reopens:
            sheet = correct_result(**about, **form.facts())
        else:
            sheet = record_result(**about, **form.values())
    except (AlreadyDone, Refused) as refusal:
        if saved := find_saved(request, table, form, dispute=dispute):
            return saved
        newest = _newest(table)
        if newest is None or newest.pk == form.cleaned_data["based_on"]:
            form.add_error(getattr(refusal, "field", None), str(refusal))
            form.is_refused = True
            return None
        more = {"refusal": str(refusal), "keep": then, "action": action or action_of(request, dispute)}
        return _compare_page(request, access, table, form, newest, **more)
    return SavedSheet(table, sheet)


def _submission(table: Table, form: SheetForm, dispute: Dispute | None = None) -> Sent:
    return form.submission("sheet", table.pk, *ids_of(dispute))


def _newest(table: Table) -> Sheet | None:
    return table.sheets.current().select_related("entered_by").first()


def find_saved(
    request: HttpRequest, table: Table, form: SheetForm, *, dispute: Dispute | None = None
) -> SavedSheet | None:
    newest = _newest(table)
    if newest is None:
        return None
    names = {"table": table.number, "name": newest.entered_by.get_username() if newest.entered_by else "–"}
    first = find_answer(_submission(table, form, dispute), by=request.user)
    if first is not None and first["sheet"] != newest.pk:
        sentence = _(
            "Table %(table)s: you had already saved this score sheet. %(name)s has since replaced it."
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
    """Compare numbers and players of a sheet saved after the page was opened. Seats may have changed too."""
    seats = Seat.objects.filter(table=table).order_by("wind").values_list("player_id", flat=True)
    same = (list(saved.points), saved.ending) == (form.points, form.ending)
    unseen = saved.pk != form.cleaned_data["based_on"] and saved.status != Sheet.Status.VOID
    return unseen and same and form.cleaned_data["seated"] == list(seats)


def _compare_page(
    request: HttpRequest, access: Access, table: Table, form: SheetForm, saved: Sheet, **more: str
) -> HttpResponse:
    result, round_ = replace(read_result(access, table), sheet=saved), table.round
    return page(
        request,
        access,
        "entry/compare.html",
        status=CONFLICT,
        result=result,
        saved=saved,
        lines=list(zip(range(4), result.players, saved.points, form.points, strict=True)),
        mine_sticks=form.deposits,
        endings=compare_endings(form.ending, saved, round_.rules),
        panel=panel(result, typed=form.data),
        sure=fingerprint(form.warnings),
        **about_round(round_),
        **more,
    )


def undo_of(request: HttpRequest, results: Iterable[TableResult]) -> dict[str, Any]:
    tables = {each.sheet.pk: each.table for each in results if each.sheet}
    undoable_sheet = undoable(request, [each.sheet for each in results])
    return {"undo": undoable_sheet, "undo_table": tables[undoable_sheet.pk]} if undoable_sheet else {}


def undoable(request: HttpRequest, sheets: Iterable[Sheet | None]) -> Sheet | None:
    now = timezone.now()
    own_sheets = [each for each in sheets if each and may_undo(each, request.user.pk, at=now)]
    return max(own_sheets, key=lambda each: each.pk, default=None)


def about_round(round_: Round) -> dict[str, Any]:
    total_points = round_.rules.total_points
    return {"round": round_, "total_points": total_points, "words": script_words()}


def find_result(access: Access, pk: int) -> TableResult:
    return read_result(access, access.table(pk))


def read_result(access: Access, table: Table) -> TableResult:
    results = table_results(Table.objects.filter(pk=table.pk), access.competition, rounds=[table.round])
    return result_of(table, results)


def result_of(table: Table, results: Sequence[TableResult]) -> TableResult:
    """Raise ``Http404`` if the table was deleted a moment ago."""
    for result in results:
        if result.table.pk == table.pk:
            return result
    raise Http404


def entry_address(access: Access, table: Table) -> str:
    return f"{access.address('results:enter_round', table.round_id)}?table={table.number}"


def ids_of(dispute: Dispute | None) -> tuple[int, ...]:
    return (dispute.pk,) if dispute else ()


def action_of(request: HttpRequest, dispute: Dispute | None) -> str:
    return f"{request.path}?dispute={dispute.pk}" if dispute else request.path


def is_waiting(access: Access, sheet: Sheet) -> bool:
    return sheet.status == Sheet.Status.ENTERED and not counts_at_once(access)


def counts_at_once(access: Access) -> bool:
    return Sheet.Status.ENTERED in access.competition.counted_statuses
