"""Score sheets in the browser: entered table by table, compared when two people save one, corrected, voided,
confirmed; and the page of a table with all versions of its sheet.

A page that takes a sheet redirects only when the sheet is saved; everything else comes back with what was
typed and a status of 409 or 422. The page's script relies on that: it keeps the sheet on the device until
then, and sends it again when the network is back.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.calendar.panels import time_panel
from league.calendar.queries.table_times import is_to_make_up, to_make_up
from league.calls.panels import table_desk
from league.core import access as doors
from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.counted import shown_penalties
from league.core.errors import AlreadyDone, Conflict, Refused
from league.core.pages import show
from league.core.rounds import hand_at
from league.core.substitutes import late_at
from league.models import Dispute, Penalty, Round, Seat, Sheet, Stage, Table
from league.open_play.queries import may_confirm_own, may_enter_own, plays_open_table, to_be_played
from league.penalties.queries.referee import bans_shown
from league.penalties.words import hand_words, penalty_lines
from league.results.forms import PreviewForm, SheetForm, VersionedForm, VoidForm, fingerprint, parse_number
from league.results.panels import (
    Panel,
    compared,
    compared_endings,
    ending_words,
    history,
    panel,
    prefilled,
    preview,
    saved_sentence,
    sum_note,
    words,
)
from league.results.services import confirm_result, record_result, void_result
from league.rounds.queries import RoundCount, TableResult, round_counts, table_results
from scoring.checks import check_sheet
from scoring.settlement import settle_ending
from scoring.units import WINDS

UNPROCESSABLE, CONFLICT = 422, 409


# --- entering


@require_safe
def choose_round(request: HttpRequest, slug: str) -> HttpResponse:
    """The open round, or the choice among several; then closed ones with tables to be made up stand there,
    too.
    """
    access = doors.enter(request.user, slug, Can.SCORE)
    seen = access.rounds().order_by("stage__division__position", "pk")
    rounds = list(to_be_played(seen.filter(status=Round.Status.OPEN)))
    if len(rounds) == 1:
        return redirect("results:enter_round", slug, rounds[0].pk)
    late = to_make_up(Table.objects.filter(round__status=Round.Status.CLOSED)).values("round")
    rounds += seen.filter(pk__in=late)
    counts = round_counts([each.pk for each in rounds])
    progress = [(each, counts.get(each.pk, RoundCount())) for each in rounds]
    return _render(request, access, "results/choose.html", {"rounds": progress})


@gzip_page  # the forms of 200 tables: 840 kB, 32 kB when compressed
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_round(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """All tables of the round, each with its own form; `?table=7` shows one."""
    access = doors.enter(request.user, slug, Can.SCORE)
    round_ = access.round(pk)
    if request.method != "POST":
        return _entry_page(request, access, round_)
    results = table_results(Table.objects.filter(round=round_), access.competition)
    result = _numbered(results, request.POST.get("number", ""))
    form = SheetForm(request.POST, rules=round_.stage.division.rules)
    if result is None:
        return _entry_page(
            request, access, round_, unknown=request.POST.get("number", ""), status=UNPROCESSABLE
        )

    def again(*, refused: bool = False) -> HttpResponse:
        return _entry_page(request, access, round_, bound=(result, form, refused), status=UNPROCESSABLE)

    return save_sheet(
        request, access, result, form, then=reverse("results:enter_round", args=(slug, pk)), again=again
    )


@never_cache
@require_safe
def sheet_preview(request: HttpRequest, slug: str, pk: int) -> JsonResponse:
    """Places and scores of what is typed; no seats while it is incomplete or does not add up."""
    access = doors.enter(request.user, slug)
    round_ = access.round(pk)
    if not (access.can_score or plays_open_table(access.user.pk, round_)):
        raise PermissionDenied
    rules = round_.stage.division.rules
    form = PreviewForm(request.GET, rules=rules)
    if not form.is_valid():
        return JsonResponse({"seats": []})
    points, sticks = [form.cleaned_data[wind] for wind in WINDS], form.cleaned_data["sticks"] or 0
    if any(problem.level == "error" for problem in check_sheet(points, sticks, rules)):
        return JsonResponse({"seats": []})
    ending = (sticks, form.last_dealer, form.sashiuma)
    late = late_at(Seat.objects.filter(round=round_, table__number=form.cleaned_data["number"]))
    return JsonResponse({"seats": preview(settle_ending(points, ending, rules, late=late))})


def _entry_page(
    request: HttpRequest,
    access: Access,
    round_: Round,
    *,
    bound: tuple[TableResult, SheetForm, bool] | None = None,
    unknown: str = "",
    status: int = 200,
) -> HttpResponse:
    results = table_results(Table.objects.filter(round=round_), access.competition)
    asked = request.GET.get("table", "")
    chosen = bound[0] if bound else _numbered(results, asked)
    if chosen is None and asked:
        unknown = unknown or asked
    postponed = set() if round_.status == Round.Status.OPEN else _made_up_later(round_)
    opened = round_.status == Round.Status.OPEN or bool(postponed)
    typed = bound[0].table.pk if bound else None
    forms = [
        panel(result, bound[1], refused=bound[2]) if bound and result.table.pk == typed else panel(result)
        for result in results
        if opened
        and (not postponed or result.table.pk in postponed)
        and (result.sheet is None or result.table.pk == typed)
    ]
    shown = {
        "round": round_,
        "panels": forms,
        "opened": opened,
        "postponed": bool(postponed),
        "saved": [r for r in results if opened and r.sheet and r.table.pk != typed],
        "tables": sorted(results, key=lambda result: result.sheet is not None),
        "chosen": chosen.table.number if chosen else None,
        "unknown": unknown[:20],
        "entered": sum(result.sheet is not None for result in results),  # a void one too
        "waiting": sum(result.sheet is not None and _waits(access, result.sheet) for result in results),
        "total": len(results),
        "words": words(),
        "total_points": round_.stage.division.rules.total_points,
    }
    return _render(request, access, "results/entry.html", shown, status=status)


def _made_up_later(round_: Round) -> set[int]:
    """The postponed tables whose result a closed round still takes."""
    if round_.status != Round.Status.CLOSED:
        return set()
    return set(to_make_up(Table.objects.filter(round=round_)).values_list("pk", flat=True))


# --- one table


@public_page()
def table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Seats, the current sheet settled, penalties; for staff all versions and what can be done."""
    result = _result(access, pk)
    round_, rules = result.table.round, result.table.round.stage.division.rules
    open_to_all = round_.visibility == Round.Visibility.RESULTS
    if not (access.is_staff or open_to_all):
        result = replace(result, sheet=None, seats=())
    staff, own = access.is_staff, may_confirm_own(access.user.pk, result.table, result.sheet)
    enters = may_enter_own(access.user.pk, result.table, result.sheet)
    here = Penalty.objects.filter(table=result.table).select_related("player", "created_by", "revoked_by")
    penalties = shown_penalties(here, public=not access.is_staff)
    sheets = result.table.sheets.select_related("entered_by", "confirmed_by") if access.is_staff else []
    shown = {
        "round": round_,
        "result": result,
        "total_points": rules.total_points,
        "sashiuma": any(seat.sashiuma for seat in result.seats),
        "table_score": sum(seat.score for seat in result.seats),
        "endings": ending_words(result.sheet.ending, rules) if result.seats and result.sheet else [],
        "sum_note": sum_note(result.sheet, result.seats, rules) if result.sheet else "",
        "hidden": not (access.is_staff or open_to_all),
        "only_staff": not open_to_all,
        "penalties": penalty_lines(penalties, round_.stage.division.rule_set),
        "versions": history(list(sheets), rules, late=result.late),
        "form": VersionedForm(initial={"based_on": _version(result)}) if staff or own else None,
        "may_confirm": _may_confirm(access, result) or own,
        "may_enter_own": enters,
        "may_drop": plays_open_table(access.user.pk, round_)
        or (access.can_score and round_.stage.play == Stage.Play.OPEN),
        "takes_result": round_.status == Round.Status.OPEN or (staff and is_to_make_up(result.table)),
        "time": time_panel(access, result.table, sees_results=staff or open_to_all),
        "waits": (staff or own or enters) and result.sheet is not None and _waits(access, result.sheet),
        "words": words(),
        "bans": bans_shown(result.table, public=not (access.is_staff or access.sits_at(result.table))),
        "hand": hand_words(hand_at(result.table)),
        "desk": table_desk(access, result.table, sees_results=access.is_staff or open_to_all),
    }
    return _render(request, access, "results/table.html", shown)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The sheet's form with what it says now; a reason is asked for. `?dispute=7`: a ruling asks for it."""
    access = doors.enter(request.user, slug, Can.SCORE)
    result = _result(access, pk)
    dispute = _dispute(request, access)
    rules = result.table.round.stage.division.rules
    if result.sheet is None:
        entry = reverse("results:enter_round", args=(slug, result.table.round_id))
        return redirect(f"{entry}?table={result.table.number}")
    if request.method != "POST":
        return _correct_page(request, access, panel(result, typed=prefilled(result)), dispute)
    form = SheetForm(request.POST, rules=rules)

    def again(*, refused: bool = False) -> HttpResponse:
        shown = panel(result, form, refused=refused)
        return _correct_page(request, access, shown, dispute, status=UNPROCESSABLE)

    then = _back(slug, pk, dispute)
    return save_sheet(request, access, result, form, then=then, again=again, dispute=dispute)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def void(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take the result out of the count, with a reason. `?dispute=7`: a ruling asks for it."""
    access = doors.enter(request.user, slug, Can.SCORE)
    result = _result(access, pk)
    dispute = _dispute(request, access)
    if result.sheet is None:
        messages.info(request, _("This table has no result to void."))
        return redirect("results:table", slug, pk)
    form = VoidForm(request.POST or None, initial={"based_on": _version(result)})
    if request.method == "POST" and form.is_valid():
        try:
            void_result(
                table=result.table,
                based_on=form.cleaned_data["based_on"],
                reason=form.cleaned_data["reason"],
                dispute=dispute,
                by=access.by,
                form=form.submission("void", pk, *_named(dispute)),
            )
        except AlreadyDone:
            pass
        except Refused as refusal:
            # A conflict too: the page shows the newer sheet, and the next attempt is based on that.
            form = _on_newest(form, _result(access, pk))
            form.add_error(refusal.field, str(refusal))
        if not form.errors:
            messages.success(request, _("Table %(table)s counts no more.") % {"table": result.table.number})
            return redirect(_back(slug, pk, dispute))
    shown = {"round": result.table.round, "result": _result(access, pk), "form": form, "dispute": dispute}
    return _render(request, access, "results/void.html", shown, status=UNPROCESSABLE if form.errors else 200)


@require_POST
def confirm(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A second person vouches for the sheet: any of the staff, or in open play any of the four, but whoever
    entered it.
    """
    access = doors.enter(request.user, slug)
    table = access.table(pk)
    sheet = table.sheets.filter(is_current=True).first()
    if not (access.is_staff or may_confirm_own(access.user.pk, table, sheet)):
        raise PermissionDenied
    form = VersionedForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("This page was incomplete or too old. Look at the sheet, then confirm it again.")
        )
        return redirect("results:table", slug, pk)
    try:
        confirm_result(
            table=table,
            based_on=form.cleaned_data["based_on"],
            by=access.by,
            form=form.submission("confirm", pk),
        )
    except Conflict:
        messages.error(request, _("This table was saved anew meanwhile. Look at the sheet, then confirm it."))
        return redirect("results:table", slug, pk)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("results:table", slug, pk)
    except AlreadyDone:
        pass
    messages.success(request, _("Table %(table)s is confirmed.") % {"table": table.number})
    return redirect("results:table", slug, pk)


def _correct_page(
    request: HttpRequest, access: Access, shown: Panel, dispute: Dispute | None, *, status: int = 200
) -> HttpResponse:
    round_ = shown.result.table.round
    values = {
        "round": round_,
        "panel": shown,
        "dispute": dispute,
        "action": _action(request, dispute),
        "words": words(),
        "total_points": round_.stage.division.rules.total_points,
    }
    return _render(request, access, "results/correct.html", values, status=status)


# --- saving


def save_sheet(
    request: HttpRequest,
    access: Access,
    result: TableResult,
    form: SheetForm,
    *,
    then: str,
    again: Callable[..., HttpResponse],
    dispute: Dispute | None = None,
) -> HttpResponse:
    """Save the sheet and go to `then`; or the form `again`; or both sheets when somebody else was first."""
    if not form.is_valid():
        return again()
    try:
        sheet = _record(access, result.table, form, dispute)
    except AlreadyDone as first:
        sheet = Sheet.objects.get(pk=cast(int, first.answer["sheet"]))
    except Refused as refusal:
        newest = result.table.sheets.filter(is_current=True).select_related("entered_by").first()
        if newest is None or newest.version == form.cleaned_data["based_on"]:
            form.add_error(refusal.field, str(refusal))
            return again(refused=True)
        if _says_the_same(newest, form):
            messages.info(request, _same_sentence(newest, result))
            return redirect(then)
        more: dict[str, object] = {
            "refusal": str(refusal),
            "keep": then,
            "action": _action(request, dispute),
        }
        return _compare_page(request, access, result, form, newest, more)
    messages.success(request, saved_sentence(result, sheet, result.table.round.stage.division.rules))
    return redirect(then)


def _record(access: Access, table: Table, form: SheetForm, dispute: Dispute | None) -> Sheet:
    typed = form.cleaned_data
    return record_result(
        table=table,
        points=form.points,
        sticks=form.deposits,
        last_dealer=form.last_dealer,
        sashiuma=form.sashiuma,
        based_on=typed["based_on"],
        seated=typed["seated"],
        reason=typed["reason"],
        dispute=dispute,
        by=access.by,
        form=form.submission("sheet", table.pk, *_named(dispute)),
    )


def _says_the_same(saved: Sheet, form: SheetForm) -> bool:
    same = (list(saved.points), saved.ending) == (form.points, form.ending)
    return same and saved.status != Sheet.Status.VOID


def _same_sentence(saved: Sheet, result: TableResult) -> str:
    return _("Table %(table)s: %(name)s had saved the same sheet already. Nothing is left to do.") % {
        "table": result.table.number,
        "name": saved.entered_by.get_username() if saved.entered_by else "–",
    }


def _compare_page(
    request: HttpRequest,
    access: Access,
    result: TableResult,
    form: SheetForm,
    saved: Sheet,
    more: dict[str, object],
) -> HttpResponse:
    """The sheet of whoever lost the race beside the saved one; nothing typed is lost."""
    result = replace(result, sheet=saved)
    shown = more | {
        "round": result.table.round,
        "result": result,
        "saved": saved,
        "lines": compared(result, form.points, saved),
        "mine_sticks": form.deposits,
        "endings": compared_endings(form.ending, saved, result.table.round.stage.division.rules),
        "panel": panel(result, typed=form.data),
        "sure": fingerprint(form.warnings),
        "total_points": result.table.round.stage.division.rules.total_points,
        "words": words(),
    }
    return _render(request, access, "results/compare.html", shown, status=CONFLICT)


# --- small things


def _render(
    request: HttpRequest, access: Access, template: str, shown: dict[str, object], *, status: int = 200
) -> HttpResponse:
    # The keys are for the organizer's buttons, which open, close and publish the round.
    keys = {"action_key": uuid.uuid4(), "other_key": uuid.uuid4()}
    return show(request, access, template, {**keys, **shown}, status)


def _result(access: Access, pk: int) -> TableResult:
    """The table with its current sheet, if this person may see it."""
    return table_results(Table.objects.filter(pk=access.table(pk).pk), access.competition)[0]


def _dispute(request: HttpRequest, access: Access) -> Dispute | None:
    """The dispute whose ruling is carried out, if the address names one."""
    typed = request.GET.get("dispute", "")
    if not typed:
        return None
    if not (typed.isascii() and typed.isdigit() and len(typed) < 19):
        raise Http404
    return access.dispute(int(typed))


def _named(dispute: Dispute | None) -> tuple[int, ...]:
    """What a submission says of its dispute; nothing where there is none, as before there were any."""
    return (dispute.pk,) if dispute else ()


def _action(request: HttpRequest, dispute: Dispute | None) -> str:
    return f"{request.path}?dispute={dispute.pk}" if dispute else request.path


def _back(slug: str, pk: int, dispute: Dispute | None) -> str:
    """Where a sheet was asked for: the dispute, or the table."""
    return (
        reverse("disputes:dispute", args=(slug, dispute.pk))
        if dispute
        else reverse("results:table", args=(slug, pk))
    )


def _numbered(results: Sequence[TableResult], typed: str) -> TableResult | None:
    try:
        number = parse_number(typed)
    except ValueError:
        return None
    return next((result for result in results if result.table.number == number), None)


def _waits(access: Access, sheet: Sheet) -> bool:
    """Does this sheet count only once a second person has confirmed it?"""
    return sheet.status == Sheet.Status.ENTERED and sheet.status not in access.competition.counted_statuses


def _version(result: TableResult) -> int:
    return result.sheet.version if result.sheet else 0


def _on_newest(form: VoidForm, result: TableResult) -> VoidForm:
    """The same form, with what was typed, for the sheet that is there now."""
    newest = VoidForm({**{name: form.data.get(name) for name in form.fields}, "based_on": _version(result)})
    newest.is_valid()
    return newest


def _may_confirm(access: Access, result: TableResult) -> bool:
    if result.sheet is None or not access.is_staff:
        return False
    return result.sheet.status == Sheet.Status.ENTERED and result.sheet.entered_by_id != access.by.pk
