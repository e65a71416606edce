"""Enter the results of a round table by table.

The script of a round's page sends ``since``, the newest sheet on the page. Instead of a redirect it gets the
tables whose sheets were saved or confirmed later.
"""

from collections.abc import Sequence
from contextlib import suppress

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.pages import number_in, page, reads, today, writes
from league.models import Round, Seat, Stage, Table
from league.play.calendar.queries.table_times import to_make_up
from league.play.entry.forms.sheets import SheetForm, SheetPreviewForm, parse_number
from league.play.entry.panels import kept_by, panel, preview, slip_panel, table_line
from league.play.entry.views.saving import (
    SavedSheet,
    about_round,
    counts_at_once,
    is_waiting,
    read_result,
    result_of,
    try_to_save,
    undo_of,
    undoable,
)
from league.play.hands.queries import games_of, table_game
from league.play.open_play.queries import open_evenings, plays_open_table, to_be_played
from league.play.results.queries.games import late_at
from league.play.results.queries.tables import TableResult, changed_tables, settle_tables, table_results
from league.play.rounds.queries.rounds import RoundCount, round_count, round_counts, withholds_results
from league.play.rounds.queries.steps import dashboard
from scoring.checks import check_sheet
from scoring.settlement import Ending, named_pairs, settle_ending
from scoring.units import WINDS


@reads(Can.SCORE)
def choose_round(request: HttpRequest, access: Access) -> HttpResponse:
    """Open the only open round or evening, or list them and the closed rounds with postponed tables.

    The tables of an evening are rounds of their own, and stand on its page.
    """
    seen = access.rounds().order_by("stage__division__position", "pk")
    is_open = seen.filter(status=Round.Status.OPEN)
    evenings = open_evenings(is_open)
    rounds = list(to_be_played(is_open.exclude(stage__play=Stage.Play.OPEN, date__isnull=False)))
    if len(rounds) == 1 and not evenings:
        (round_,) = rounds
        return redirect(access.address("results:enter_round", round_.pk))
    if len(evenings) == 1 and not rounds:
        ((stage, day, _tables),) = evenings
        return redirect(access.address("open_play:evening", stage.pk, day.isoformat()))
    late = to_make_up(Table.objects.filter(round__status=Round.Status.CLOSED)).values("round")
    rounds += seen.filter(pk__in=late)
    counts = round_counts([each.pk for each in rounds])
    progress = [(each, counts.get(each.pk, RoundCount())) for each in rounds]
    steps = (
        dashboard(access.competition).divisions if access.can_organize and not rounds and not evenings else ()
    )
    return page(
        request,
        access,
        "entry/choose.html",
        rounds=progress,
        evenings=evenings,
        steps=steps,
        several=len(steps) > 1,
        today=today(access.competition),
    )


@gzip_page
@writes(Can.SCORE)
def enter_round(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show all tables of the round, and the form of the first that has no sheet. `?table=7` opens another."""
    if request.method != "POST":
        return _entry_page(request, access, access.round(pk), request.GET.get("table", ""))
    number = request.POST.get("number", "")
    table = access.table_at(pk, _parse_table_number(number))
    if table is None:
        return _entry_page(request, access, access.round(pk), number)
    game = table_game(table).game
    form = SheetForm(request.POST, rules=table.rules, game=game)
    then = access.address("results:enter_round", pk)
    answer = try_to_save(request, access, table, form, then=then)
    if isinstance(answer, SavedSheet):
        since = number_in(request.POST, "since")
        if since is not None and table.round.status == Round.Status.OPEN:
            return _changes(request, access, answer, since)
        answer.say(request, read_result(access, table))
        return redirect(then)
    return answer or _entry_page(request, access, table.round, number, form)


@reads()
def sheet_preview(request: HttpRequest, access: Access, pk: int) -> JsonResponse:
    """Return places and scores of the current input, or no seats if it is incomplete or does not add up."""
    round_ = access.round(pk)
    at = access.table_at(pk, number_in(request.GET, "number") or 0) if access.code else None
    if not (access.can_score or plays_open_table(access.user.pk, round_) or (at and access.is_at(at))):
        raise PermissionDenied
    rules = round_.rules
    form = SheetPreviewForm(request.GET, rules=rules)
    number = form.cleaned_data["number"] if form.is_valid() else None
    late = late_at(Seat.objects.filter(round=round_, table__number=number or 0))
    return preview_answer(form, late)


def preview_answer(form: SheetPreviewForm, late: tuple[int, ...] = ()) -> JsonResponse:
    nothing = JsonResponse({"seats": []})
    if not form.is_valid():
        return nothing
    points, sticks = [form.cleaned_data[wind] for wind in WINDS], form.cleaned_data["sticks"] or 0
    if any(problem.level == "error" for problem in check_sheet(points, sticks, form.rules)):
        return nothing
    ending = Ending(sticks, form.last_dealer, named_pairs(form.sashiuma), form.chips, late)
    if sum(ending.chips):
        return nothing
    return JsonResponse({"seats": preview(settle_ending(points, ending, form.rules))})


def _entry_page(
    request: HttpRequest, access: Access, round_: Round, asked: str, form: SheetForm | None = None
) -> HttpResponse:
    results = table_results(Table.objects.filter(round=round_), access.competition, rounds=[round_])
    late = set(to_make_up(Table.objects.filter(round=round_)).values_list("pk", flat=True))
    kept = games_of([result.table for result in results])
    lines = [
        table_line(
            result,
            access.competition,
            postponed=result.table.pk in late,
            game=kept[result.table.pk].game,
        )
        for result in results
    ]
    lines.sort(key=lambda line: (line.has_sheet, line.table in late))
    chosen_table = _find_table(results, asked)
    typed = chosen_table.table.pk if chosen_table and form else None
    missing = [line.table for line in lines if line.has_form]
    asked_table = chosen_table.table.pk if chosen_table else None
    shown = asked_table or next(iter(missing), None)
    postponed = late if round_.status == Round.Status.CLOSED else set()
    opened = round_.status == Round.Status.OPEN or bool(postponed)
    return page(
        request,
        access,
        "entry/entry.html",
        panel=next(
            (
                panel(result, form, typed=kept_by(kept[shown].game))
                for result in results
                if result.table.pk == shown and opened and (shown in missing or shown == typed)
            ),
            None,
        ),
        blank=slip_panel(round_.rules) if missing else None,
        opened=opened,
        postponed=bool(postponed),
        saved=[line for line in lines if opened and line.has_sheet and line.table != typed],
        lines=lines,
        late=len(late),
        chosen=chosen_table.table.number if chosen_table else None,
        unknown="" if chosen_table else asked[:20],
        entered=sum(result.sheet is not None for result in results),  # a void one too
        waiting=sum(result.sheet is not None and is_waiting(access, result.sheet) for result in results),
        total=len(results) - len(late),
        withholds=access.can_organize and withholds_results(round_),
        since=_newest_sheet(results) if round_.status == Round.Status.OPEN else None,
        **undo_of(request, results if round_.status == Round.Status.OPEN else ()),
        **about_round(round_),
    )


def _changes(request: HttpRequest, access: Access, saved: "SavedSheet", since: int) -> HttpResponse:
    """Return the saved table and those that others saved or confirmed after the sheet ``since``."""
    round_ = saved.table.round
    tables = changed_tables(saved.table, since=since)
    results = settle_tables(tables, access.competition, rounds=[round_])
    saved.say(request, result_of(saved.table, results))
    count = round_count(round_)
    return page(
        request,
        access,
        "entry/_changes.html",
        status=200,
        lines=[table_line(result, access.competition) for result in results],
        since=max(since, _newest_sheet(results)),
        undo=undoable(request, [saved.sheet]),
        undo_table=saved.table,
        entered=count.with_sheet,
        waiting=0 if counts_at_once(access) else count.entered - count.confirmed,
        total=count.expected,
        late=count.postponed,
        withholds=access.can_organize and withholds_results(round_),
        round=round_,
    )


def _newest_sheet(results: Sequence[TableResult]) -> int:
    """Return the greatest id of a sheet, or 0. Ids follow the order of saving."""
    return max((result.sheet.pk for result in results if result.sheet), default=0)


def _find_table(results: Sequence[TableResult], typed: str) -> TableResult | None:
    number = _parse_table_number(typed)
    return next((result for result in results if result.table.number == number), None)


def _parse_table_number(typed: str) -> int:
    with suppress(ValueError):
        number = parse_number(typed) or 0
        return number if 0 < number < 2**31 else 0
    return 0
