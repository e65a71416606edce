"""Score sheets in the browser: entered table by table, compared when two people save one, corrected, voided,
confirmed; and the page of a table with all versions of its sheet.

A page that takes a sheet redirects only when the sheet is there: saved now, or before by the same form, or by
another person. What it says tells these apart. Everything else comes back with what was typed and a status of
409 or 422. The page's script relies on that: it keeps the sheet on the device until then, and sends it again
when the network is back.

The script of a round's page says ``since``, the newest sheet that the page shows. In place of the redirect it
gets what has changed: the tables of sheets that were saved or confirmed later, as the page shows them.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.messages import constants as levels
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from league.calculator.panels import calculator_at
from league.calendar.panels import time_panel
from league.calendar.queries.table_times import is_to_make_up, to_make_up
from league.calls.panels import table_desk
from league.competitions.queries.dashboard import dashboard
from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.changes import Form, find_answer
from league.core.counted import shown_penalties
from league.core.errors import AlreadyDone, Conflict, Refused
from league.core.pages import number_in, page, press, read_day, reads, save, sent, takes, today, writes
from league.core.stages import hides_results
from league.core.substitutes import late_at
from league.models import Dispute, Penalty, Round, Seat, Sheet, Stage, Table
from league.open_play.queries import (
    may_confirm_own,
    may_enter_own,
    open_stage,
    plays_open_table,
    present_players,
    to_be_played,
)
from league.open_play.services import enter_slip
from league.penalties.queries.referee import penalties_shown_in_hand
from league.penalties.words import hand_words, penalty_lines
from league.people.queries import Finder, candidates
from league.results.forms import (
    ConfirmForm,
    SheetForm,
    SheetPreviewForm,
    SlipForm,
    VersionedForm,
    VoidForm,
    fingerprint,
    parse_number,
)
from league.results.panels import (
    compare_seats,
    history,
    panel,
    prefilled,
    preview,
    saved_sentence,
    slip_panel,
    table_line,
)
from league.results.services import (
    confirm_result,
    may_undo,
    record_result,
    undo_result,
    void_result,
    was_typed,
)
from league.results.words import compare_endings, ending_words, script_words, sum_note
from league.rounds.queries import (
    RoundCount,
    TableResult,
    changed_tables,
    round_count,
    round_counts,
    settle_tables,
    table_results,
)
from scoring.checks import check_sheet
from scoring.settlement import Ending, settle_ending
from scoring.units import WINDS

CONFLICT = 409


# --- entering


@reads(Can.SCORE)
def choose_round(request: HttpRequest, access: Access) -> HttpResponse:
    """The open round, or the choice among several and among closed ones with tables to be made up; organizers
    see the next step where none is open.
    """
    seen = access.rounds().order_by("stage__division__position", "pk")
    rounds = list(to_be_played(seen.filter(status=Round.Status.OPEN)))
    if len(rounds) == 1:
        return redirect(access.address("results:enter_round", rounds[0].pk))
    late = to_make_up(Table.objects.filter(round__status=Round.Status.CLOSED)).values("round")
    rounds += seen.filter(pk__in=late)
    counts = round_counts([each.pk for each in rounds])
    progress = [(each, counts.get(each.pk, RoundCount())) for each in rounds]
    steps = dashboard(access.competition).divisions if access.can_organize and not rounds else ()
    return page(
        request,
        access,
        "results/choose.html",
        rounds=progress,
        steps=steps,
        several=len(steps) > 1,
        today=today(access.competition),
    )


@gzip_page  # the forms of 200 tables: 840 kB, 32 kB when compressed
@writes(Can.SCORE)
def enter_round(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """All tables of the round, each with its own form; `?table=7` shows one."""
    if request.method != "POST":
        return _entry_page(request, access, access.round(pk), request.GET.get("table", ""))
    number = request.POST.get("number", "")
    table = access.table_at(pk, _parse_table_number(number))
    if table is None:
        return _entry_page(request, access, access.round(pk), number)
    form = SheetForm(request.POST, rules=table.round.stage.division.rules)
    then = access.address("results:enter_round", pk)
    answer = _save(request, access, table, form, then=then)
    if isinstance(answer, SavedSheet):
        since = number_in(request.POST, "since")
        if since is not None and table.round.status == Round.Status.OPEN:
            return _changes(request, access, answer, since)
        answer.say(request, _read_result(access, table))
        return redirect(then)
    return answer or _entry_page(request, access, table.round, number, form)


@reads()
def sheet_preview(request: HttpRequest, access: Access, pk: int) -> JsonResponse:
    """Places and scores of what is typed; no seats while it is incomplete or does not add up."""
    round_ = access.round(pk)
    if not (access.can_score or plays_open_table(access.user.pk, round_)):
        raise PermissionDenied
    rules = round_.stage.division.rules
    form = SheetPreviewForm(request.GET, rules=rules)
    if not form.is_valid():
        return JsonResponse({"seats": []})
    points, sticks = [form.cleaned_data[wind] for wind in WINDS], form.cleaned_data["sticks"] or 0
    if any(problem.level == "error" for problem in check_sheet(points, sticks, rules)):
        return JsonResponse({"seats": []})
    ending = Ending(sticks, form.last_dealer, form.sashiuma, form.chips)
    if sum(ending.chips):
        return JsonResponse({"seats": []})
    late = late_at(Seat.objects.filter(round=round_, table__number=form.cleaned_data["number"]))
    return JsonResponse({"seats": preview(settle_ending(points, ending, rules, late=late))})


def _entry_page(
    request: HttpRequest, access: Access, round_: Round, asked: str, form: SheetForm | None = None
) -> HttpResponse:
    """``asked``: the number of the table to show, as it was typed; ``form``: its sheet, which was refused."""
    results = table_results(Table.objects.filter(round=round_), access.competition, rounds=[round_])
    lines = [table_line(result, access.competition) for result in results]
    chosen = _find_table(results, asked)
    typed = chosen.table.pk if chosen and form else None
    postponed = set() if round_.status == Round.Status.OPEN else _find_postponed(round_)
    opened = round_.status == Round.Status.OPEN or bool(postponed)
    return page(
        request,
        access,
        "results/entry.html",
        panels=[
            panel(result, form if result.table.pk == typed else None)
            for result in results
            if opened
            and (not postponed or result.table.pk in postponed)
            and (result.sheet is None or result.table.pk == typed)
        ],
        opened=opened,
        postponed=bool(postponed),
        saved=[line for line in lines if opened and line.has_sheet and line.table != typed],
        lines=sorted(lines, key=lambda line: line.has_sheet),
        chosen=chosen.table.number if chosen else None,
        unknown="" if chosen else asked[:20],
        entered=sum(result.sheet is not None for result in results),  # a void one too
        waiting=sum(result.sheet is not None and _waits(access, result.sheet) for result in results),
        total=len(results),
        hides=access.can_organize and hides_results(round_.stage.division_id),
        since=_newest_sheet(results) if round_.status == Round.Status.OPEN else None,
        **_undo_of(request, results if round_.status == Round.Status.OPEN else ()),
        **_about_round(round_),
    )


def _undo_of(request: HttpRequest, results: Iterable[TableResult]) -> dict[str, Any]:
    """The button that takes back what this person saved last, for a few seconds."""
    tables = {each.sheet.pk: each.table for each in results if each.sheet}
    found = _undoable(request, [each.sheet for each in results])
    if found is None or not was_typed(found, tables[found.pk]):
        return {}
    return {"undo": found, "undo_table": tables[found.pk]}


def _changes(request: HttpRequest, access: Access, saved: "SavedSheet", since: int) -> HttpResponse:
    """The saved table, and those whose sheets others saved or confirmed after the sheet ``since``."""
    round_ = saved.table.round
    tables = changed_tables(saved.table, since=since)
    results = settle_tables(tables, access.competition, rounds=[round_])
    saved.say(request, _result_of(saved.table, results))
    count = round_count(round_)
    return page(
        request,
        access,
        "results/_changes.html",
        status=200,
        lines=[table_line(result, access.competition) for result in results],
        since=max(since, _newest_sheet(results)),
        undo=_undoable(request, [saved.sheet]),
        undo_table=saved.table,
        entered=count.with_sheet,
        waiting=0 if _counts_at_once(access) else count.entered - count.confirmed,
        total=count.tables,
        hides=access.can_organize and hides_results(round_.stage.division_id),
        round=round_,
    )


def _newest_sheet(results: Sequence[TableResult]) -> int:
    """The newest sheet of these tables, 0 if they have none: sheets are numbered in the order of saving."""
    return max((result.sheet.pk for result in results if result.sheet), default=0)


def _find_postponed(round_: Round) -> set[int]:
    """The postponed tables whose result a closed round still takes."""
    if round_.status != Round.Status.CLOSED:
        return set()
    return set(to_make_up(Table.objects.filter(round=round_)).values_list("pk", flat=True))


# --- one table


@public_page()
def table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Seats, the current sheet settled, penalties; for staff all versions and what can be done."""
    result = _find_result(access, pk)
    found, staff = result.table, access.is_staff
    round_, rules = found.round, found.round.stage.division.rules
    is_published = round_.visibility == Round.Visibility.RESULTS
    if not (staff or is_published):
        result = replace(result, sheet=None, seats=())
    sheet = result.sheet
    own = may_confirm_own(access.user.pk, found, sheet)
    enters = may_enter_own(access.user.pk, found, sheet)
    here = Penalty.objects.filter(table=found).select_related("player", "created_by", "revoked_by")
    sheets = found.sheets.select_related("entered_by", "confirmed_by") if staff else []
    waits = sheet is not None and sheet.status == Sheet.Status.ENTERED
    return page(
        request,
        access,
        "results/table.html",
        result=result,
        sashiuma=any(seat.sashiuma for seat in result.seats),
        table_score=sum(seat.score for seat in result.seats),
        endings=ending_words(sheet.ending, rules) if result.seats and sheet else [],
        sum_note=sum_note(sheet, result.seats, rules) if sheet else "",
        hidden=not (staff or is_published),
        only_staff=not is_published,
        penalties=penalty_lines(shown_penalties(here, public=not staff), round_.stage.division.rule_set),
        versions=history(list(sheets), rules, late=result.late),
        form=_confirm_form(sheet) if sheet and (staff or own) else None,
        may_confirm=own or (staff and waits and sheet is not None and sheet.entered_by_id != access.by.pk),
        may_enter_own=enters,
        may_drop=plays_open_table(access.user.pk, round_)
        or (access.can_score and round_.stage.play == Stage.Play.OPEN),
        takes_result=round_.status == Round.Status.OPEN or (staff and is_to_make_up(found)),
        time=time_panel(access, found, sees_results=staff or is_published),
        waits=(staff or own or enters) and sheet is not None and _waits(access, sheet),
        held=[
            line
            for line in penalty_lines(
                penalties_shown_in_hand(found, public=not (staff or access.sits_at(found))),
                round_.stage.division.rule_set,
            )
            if line.penalty.win_ban or line.holds
        ],
        hand=hand_words(found.hand),
        calculator=calculator_at(found),
        desk=table_desk(access, found, sees_results=staff or is_published),
        **_undo_of(request, [result] if access.can_score and round_.status == Round.Status.OPEN else ()),
        **_about_round(round_),
    )


@writes(Can.SCORE)
def correct(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The sheet's form with what it says now; a reason is asked for. `?dispute=7`: a ruling asks for it."""
    result, dispute = _find_result(access, pk), _find_dispute(request, access)
    if result.sheet is None and request.method != "POST":
        return redirect(_entry_address(access, result.table))
    form = SheetForm(sent(request), rules=result.table.round.stage.division.rules)
    then = _address_after(access, pk, dispute)
    return save_sheet(request, access, result, form, then=then, dispute=dispute) or page(
        request,
        access,
        "results/correct.html",
        panel=panel(result, form, typed=prefilled(result)),
        dispute=dispute,
        action=_action(request, dispute),
        **_about_round(result.table.round),
    )


@writes(Can.VIEW)
def enter_own(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A player of open play enters the sheet of their table, or corrects it until it is confirmed."""
    result = _find_result(access, pk)
    table = result.table
    then = access.address("results:table", pk)
    form = SheetForm(sent(request), rules=table.round.stage.division.rules)
    answer = None
    if may_enter_own(access.user.pk, table, result.sheet):
        answer = save_sheet(request, access, result, form, then=then)
    elif may_enter_own(access.user.pk, table, None):
        closed = _("Players can no longer change this result. Ask a scorer.")
        if not form.is_bound:
            messages.info(request, closed)
            return redirect(then)
        if form.is_valid() and (saved := _find_saved(request, table, form)):
            saved.say(request, result)
            return redirect(then)
        form.add_error(None, closed)
    elif access.can_score and table.round.stage.play == Stage.Play.OPEN and not form.is_bound:
        return redirect(_entry_address(access, table))
    else:
        raise PermissionDenied
    return answer or page(
        request,
        access,
        "results/own.html",
        panel=panel(result, form, typed=prefilled(result)),
        **_about_round(table.round),
    )


@writes(Can.SCORE)
def void(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Take the result out of the count, with a reason. `?dispute=7`: a ruling asks for it."""
    result, dispute = _find_result(access, pk), _find_dispute(request, access)
    if result.sheet is None:
        messages.info(request, _("This table has no result to void."))
        return redirect(access.address("results:table", pk))
    form = VoidForm(sent(request), initial={"based_on": _version(result)})
    if answer := save(
        request,
        form,
        lambda sent: void_result(
            table=result.table, **form.values(), dispute=dispute, by=access.by, form=sent
        ),
        about=("void", pk, *_ids_of(dispute)),
        done=_("Result of table %(table)s voided.") % {"table": result.table.number},
        then=_address_after(access, pk, dispute),
    ):
        return answer
    if form.is_bound:
        # The page shows the newest sheet, and the next attempt is based on that.
        result = _find_result(access, pk)
        form.data = {name: form.data.get(name) for name in form.fields} | {"based_on": _version(result)}
    about = _about_round(result.table.round)
    return page(request, access, "results/void.html", result=result, form=form, dispute=dispute, **about)


@takes(Can.SCORE)
def undo(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Take back the sheet that this person has just saved, and type it again."""
    table = access.table(pk)
    form = VersionedForm(request.POST)

    def write(sent: Form) -> None:
        try:
            undo_result(table=table, **form.values(), by=access.by, form=sent)
        except Conflict as conflict:
            raise Refused(_("Too late to undo. Correct the score sheet instead.")) from conflict

    return press(
        request,
        write,
        about=("undo", pk),
        done=_("Table %(table)s: score sheet removed.") % {"table": table.number},
        back=access.address("results:table", pk),
        then=_entry_address(access, table),
        form=form,
    )


def _undoable(request: HttpRequest, sheets: Iterable[Sheet | None]) -> Sheet | None:
    """The newest of these sheets that this person may undo."""
    now = timezone.now()
    found = [each for each in sheets if each and may_undo(each, request.user.pk, at=now)]
    return max(found, key=lambda each: each.pk, default=None)


@takes(Can.VIEW)
def confirm(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A second person vouches for the sheet: staff, or in open play one of the four, who did not enter it."""
    table = access.table(pk)
    sheet = table.sheets.filter(is_current=True).first()
    if not (access.is_staff or may_confirm_own(access.user.pk, table, sheet)):
        raise PermissionDenied
    form = ConfirmForm(request.POST)

    def write(sent: Form) -> Sheet:
        try:
            return confirm_result(table=table, **form.values(), by=access.by, form=sent)
        except Conflict as conflict:
            raise Refused(
                _("This table has been saved again. Check the score sheet, then confirm it.")
            ) from conflict

    return press(
        request,
        write,
        about=("confirm", pk),
        done=_("Table %(table)s confirmed.") % {"table": table.number},
        back=access.address("results:table", pk),
        form=form,
    )


def _confirm_form(sheet: Sheet) -> ConfirmForm:
    return ConfirmForm(initial={"based_on": sheet.version, "seen": sheet.pk})


# --- saving


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
    answer = _save(request, access, result.table, form, then=then, dispute=dispute)
    if not isinstance(answer, SavedSheet):
        return answer
    answer.say(request, result)
    return redirect(then)


def _save(
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
        if saved := _find_saved(request, table, form, dispute=dispute):
            return saved
        newest = _newest(table)
        if newest is None or newest.version == form.cleaned_data["based_on"]:
            form.add_error(getattr(refusal, "field", None), str(refusal))
            form.is_refused = True
            return None
        action = _action(request, dispute)
        more = {"refusal": str(refusal), "keep": then, "action": action}
        return _compare_page(request, access, table, form, newest, **more)
    return SavedSheet(table, sheet)


def _submission(table: Table, form: SheetForm, dispute: Dispute | None = None) -> Form:
    return form.submission("sheet", table.pk, *_ids_of(dispute))


def _newest(table: Table) -> Sheet | None:
    return table.sheets.filter(is_current=True).select_related("entered_by").first()


def _find_saved(
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
    unseen = saved.version != form.cleaned_data["based_on"] and saved.status != Sheet.Status.VOID
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
    result, round_ = replace(_read_result(access, table), sheet=saved), table.round
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
        **_about_round(round_),
        **more,
    )


# --- small things


def _about_round(round_: Round) -> dict[str, Any]:
    """What the pages of a round's sheets and their script need."""
    total_points = round_.stage.division.rules.total_points
    return {"round": round_, "total_points": total_points, "words": script_words()}


def _find_result(access: Access, pk: int) -> TableResult:
    """The table with its current sheet, if this person may see it."""
    return _read_result(access, access.table(pk))


def _read_result(access: Access, table: Table) -> TableResult:
    found = table_results(Table.objects.filter(pk=table.pk), access.competition, rounds=[table.round])
    return _result_of(table, found)


def _result_of(table: Table, results: Sequence[TableResult]) -> TableResult:
    """``Http404`` for a table that was deleted a moment ago."""
    for result in results:
        if result.table.pk == table.pk:
            return result
    raise Http404


def _find_dispute(request: HttpRequest, access: Access) -> Dispute | None:
    """The dispute whose ruling is carried out, if the address names one."""
    if not request.GET.get("dispute"):
        return None
    pk = number_in(request.GET, "dispute")
    if pk is None:
        raise Http404
    return access.dispute(pk)


def _ids_of(dispute: Dispute | None) -> tuple[int, ...]:
    """What a submission says of its dispute."""
    return (dispute.pk,) if dispute else ()


def _action(request: HttpRequest, dispute: Dispute | None) -> str:
    return f"{request.path}?dispute={dispute.pk}" if dispute else request.path


def _address_after(access: Access, pk: int, dispute: Dispute | None) -> str:
    """Where a sheet was asked for: the dispute, or the table."""
    return access.address("disputes:dispute", dispute.pk) if dispute else access.address("results:table", pk)


def _entry_address(access: Access, table: Table) -> str:
    return f"{access.address('results:enter_round', table.round_id)}?table={table.number}"


def _find_table(results: Sequence[TableResult], typed: str) -> TableResult | None:
    """The table whose number a person typed."""
    number = _parse_table_number(typed)
    return next((result for result in results if result.table.number == number), None)


def _parse_table_number(typed: str) -> int:
    """0, which no table has, where it is not a number."""
    with suppress(ValueError):
        number = parse_number(typed) or 0
        return number if 0 < number < 2**31 else 0
    return 0


def _waits(access: Access, sheet: Sheet) -> bool:
    """Does this sheet count only once a second person has confirmed it?"""
    return sheet.status == Sheet.Status.ENTERED and not _counts_at_once(access)


def _counts_at_once(access: Access) -> bool:
    return Sheet.Status.ENTERED in access.competition.counted_statuses


def _version(result: TableResult) -> int:
    return result.sheet.version if result.sheet else 0


@writes(Can.SCORE)
def slip(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    """Names and points as a slip of paper has them: the result of a table, which it makes up if need be."""
    found, on = open_stage(access.stages(), stage), read_day(day)
    rules, here = found.division.rules, today(access.competition)
    finder, near = Finder(candidates(access.competition)), present_players(found, on)
    form = SlipForm(sent(request), rules=rules, finder=finder, near=near)
    return save(
        request,
        form,
        lambda sent: enter_slip(stage=found, on=on, today=here, by=access.by, form=sent, **form.values()),
        about=(stage, day),
        done=_("Result saved."),
        then=access.address("open_play:evening", stage, day),
    ) or page(
        request,
        access,
        "results/slip.html",
        slip=slip_panel(rules, form),
        names=sorted(finder.people[player].info.name for player in near),
        stage=found,
        day=on,
    )
