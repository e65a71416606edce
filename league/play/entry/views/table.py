from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.counted import shown_penalties
from league.core.errors import Conflict, Refused
from league.core.pages import Asked, number_in, page, posted, presses, save, writes
from league.models import Dispute, Penalty, Round, Sheet, Signature, Stage
from league.play.calendar.panels import time_panel
from league.play.calendar.queries.table_times import is_to_make_up
from league.play.disputes.panels import table_desk, versions_at
from league.play.entry.forms.sheets import SeenSheetForm, SheetForm, VoidForm
from league.play.entry.panels import history, kept_by, panel, prefilled
from league.play.entry.tables import VersionsTable
from league.play.entry.views.saving import (
    about_round,
    action_of,
    counts_at_once,
    entry_address,
    find_result,
    find_saved,
    ids_of,
    is_waiting,
    save_sheet,
    undo_of,
)
from league.play.hands.panels import calculator_at
from league.play.hands.queries import penalties_shown_in_hand, table_game
from league.play.hands.words.names import hand_words
from league.play.hands.words.penalties import penalty_lines
from league.play.open_play.queries import may_confirm_own, may_enter_own, plays_open_table
from league.play.results.services import confirm_result, undo_result, void_result
from league.play.results.words import ending_words, sum_note
from league.play.rounds.queries.rounds import round_count, stages_cut_after, withholds_results


def _versions(access: Access, pk: int) -> str:
    return versions_at(access, access.table(pk))


@public_page(_versions)
def versions(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Answer with the versions of this person's page of the table."""
    return JsonResponse({"revision": _versions(access, pk)})


@public_page(_versions)
def table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show seats, the settled sheet and penalties, and to staff all versions."""
    result = find_result(access, pk)
    table = result.table
    staff = access.is_staff
    round_ = table.round
    rules = table.rules
    is_published = round_.visibility == Round.Visibility.RESULTS
    if not (staff or is_published):
        result = replace(result, sheet=None, seats=())
    sheet = result.sheet
    own = may_confirm_own(access.user.pk, table, sheet)
    enters = may_enter_own(access.user.pk, table, sheet)
    here = Penalty.objects.filter(table=table).select_related("player", "created_by", "revoked_by")
    sheets = table.sheets.select_related("entered_by", "confirmed_by") if staff else []
    waits = sheet is not None and sheet.status == Sheet.Status.ENTERED
    return page(
        request,
        access,
        "entry/table.html",
        result=result,
        sashiuma=any(seat.sashiuma for seat in result.seats),
        table_score=sum(seat.score for seat in result.seats),
        endings=ending_words(sheet.ending, rules) if result.seats and sheet else [],
        sum_note=sum_note(sheet, result.seats, rules) if sheet else "",
        hidden=not (staff or is_published),
        only_staff=not is_published,
        penalties=penalty_lines(shown_penalties(here, public=not staff), round_.stage.division.rule_set),
        versions=VersionsTable(history(list(sheets), rules, late=result.late), request=request),
        form=SeenSheetForm(initial={"based_on": sheet.pk}) if sheet and (staff or own) else None,
        may_confirm=own or (staff and waits and sheet is not None and sheet.entered_by_id != access.by.pk),
        may_enter_own=enters,
        may_drop=plays_open_table(access.user.pk, round_)
        or (access.can_score and round_.stage.play == Stage.Play.OPEN),
        takes_result=round_.status == Round.Status.OPEN
        or (staff and is_to_make_up(table))
        or (access.can_organize and sheet is not None and not access.competition.finished_at),
        closing=_closing(access, round_) if sheet else {},
        signatures=_signatures(sheet),
        typed=staff and table.proposals.current().filter(sheet=None).exists(),
        time=time_panel(access, table, sees_results=staff or is_published),
        waits=(staff or own or enters) and sheet is not None and is_waiting(access, sheet),
        held=[
            line
            for line in penalty_lines(
                penalties_shown_in_hand(table, public=not (staff or access.sits_at(table))),
                round_.stage.division.rule_set,
            )
            if line.at_table.until_the_end
        ],
        hand=hand_words(table.hand),
        calculator=calculator_at(table),
        desk=table_desk(access, table, sees_results=staff or is_published),
        **undo_of(request, [result] if access.can_score and round_.status == Round.Status.OPEN else ()),
        **about_round(round_),
    )


def _closing(access: Access, round_: Round) -> dict[str, Any]:
    """Return what the buttons need that close the round, or nothing if a table lacks its sheet."""
    may_close = access.can_organize and round_.stage.play == Stage.Play.ROUNDS
    if not may_close or round_.status != Round.Status.OPEN:
        return {}
    count = round_count(round_)
    if count.with_sheet < count.expected:
        return {}
    waiting = 0 if counts_at_once(access) else count.entered - count.confirmed
    return {"waiting": waiting, "withholds": withholds_results(round_)}


def _signatures(sheet: Sheet | None) -> list[Signature]:
    """Return the signatures of the sheet, by seat. One query, or none without a sheet."""
    if sheet is None:
        return []
    signatures = Signature.objects.filter(proposal__sheet=sheet, agrees=True).select_related("player", "user")
    return list(signatures.order_by("wind", "at"))


@writes(Can.SCORE)
def correct(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Correct a sheet with a reason. `?dispute=7`: its ruling asks for the correction.

    An organizer corrects a sheet of a closed round, too.
    """
    result, dispute = find_result(access, pk), _find_dispute(request, access)
    if result.sheet is None and request.method != "POST":
        return redirect(entry_address(access, result.table))
    game = table_game(result.table).game
    form = SheetForm(posted(request), rules=result.table.rules, game=game)
    then = _address_after(access, pk, dispute)
    round_ = result.table.round
    is_closed = round_.status == Round.Status.CLOSED
    reopens = is_closed and access.can_organize and not access.competition.finished_at
    return save_sheet(request, access, result, form, then=then, dispute=dispute, reopens=reopens) or page(
        request,
        access,
        "entry/correct.html",
        panel=panel(result, form, typed=prefilled(result)),
        reopens=reopens,
        cut_after=stages_cut_after(round_.stage) if reopens else [],
        dispute=dispute,
        action=action_of(request, dispute),
        **about_round(result.table.round),
    )


@writes(Can.VIEW)
def enter_own(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Let a player of free play enter their table's sheet, or correct it until it is confirmed."""
    result = find_result(access, pk)
    table = result.table
    then = access.address("results:table", pk)
    game = table_game(table).game
    form = SheetForm(posted(request), rules=table.rules, game=game)
    answer = None
    if may_enter_own(access.user.pk, table, result.sheet):
        answer = save_sheet(request, access, result, form, then=then)
    elif may_enter_own(access.user.pk, table, None):
        closed = _("Players can no longer change this result. Ask a scorer.")
        if not form.is_bound:
            messages.info(request, closed)
            return redirect(then)
        if form.is_valid() and (saved := find_saved(request, table, form)):
            saved.say(request, result)
            return redirect(then)
        form.add_error(None, closed)
    elif access.can_score and table.round.stage.play == Stage.Play.OPEN and not form.is_bound:
        return redirect(entry_address(access, table))
    else:
        raise PermissionDenied
    return answer or page(
        request,
        access,
        "entry/own.html",
        panel=panel(result, form, typed=prefilled(result) or kept_by(game)),
        **about_round(table.round),
    )


@writes(Can.SCORE)
def void(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Void a result with a reason. `?dispute=7`: its ruling voids it."""
    result, dispute = find_result(access, pk), _find_dispute(request, access)
    if result.sheet is None:
        messages.info(request, _("This table has no result to void."))
        return redirect(access.address("results:table", pk))
    form = VoidForm(posted(request), initial={"based_on": result.seen})
    if answer := save(
        request,
        form,
        lambda sent: void_result(
            table=result.table, **form.values(), dispute=dispute, by=access.by, form=sent
        ),
        about=("void", pk, *ids_of(dispute)),
        done=_("Result of table %(table)s voided.") % {"table": result.table.number},
        then=_address_after(access, pk, dispute),
    ):
        return answer
    if form.is_bound:
        # The page shows the newest sheet, and the next attempt is based on that.
        result = find_result(access, pk)
        form.data = {name: form.data.get(name) for name in form.fields} | {"based_on": result.seen}
    about = about_round(result.table.round)
    return page(request, access, "entry/void.html", result=result, form=form, dispute=dispute, **about)


@presses(Can.SCORE, done=gettext_lazy("Table %(table)s: score sheet removed."))
def undo(request: HttpRequest, access: Access, pk: int) -> Asked:
    table = access.table(pk)

    def write(**typed: Any) -> None:
        try:
            undo_result(table=table, **typed)
        except Conflict as conflict:
            raise Refused(_("Too late to undo. Correct the score sheet instead.")) from conflict

    return Asked(
        write,
        SeenSheetForm(request.POST),
        then=entry_address(access, table),
        back=access.address("results:table", pk),
        table=table.number,
    )


@presses(Can.VIEW, done=gettext_lazy("Table %(table)s confirmed."))
def confirm(request: HttpRequest, access: Access, pk: int) -> Asked:
    """Confirm a sheet as a second person: staff, or in free play one of the four who did not enter it."""
    table = access.table(pk)
    sheet = table.sheets.current().first()
    if not (access.is_staff or may_confirm_own(access.user.pk, table, sheet)):
        raise PermissionDenied

    def write(**typed: Any) -> None:
        try:
            confirm_result(table=table, **typed)
        except Conflict as conflict:
            raise Refused(
                _("This table has been saved again. Check the score sheet, then confirm it.")
            ) from conflict

    return Asked(
        write, SeenSheetForm(request.POST), then=access.address("results:table", pk), table=table.number
    )


def _find_dispute(request: HttpRequest, access: Access) -> Dispute | None:
    if not request.GET.get("dispute"):
        return None
    pk = number_in(request.GET, "dispute")
    if pk is None:
        raise Http404
    return access.dispute(pk)


def _address_after(access: Access, pk: int, dispute: Dispute | None) -> str:
    return access.address("disputes:dispute", dispute.pk) if dispute else access.address("results:table", pk)
