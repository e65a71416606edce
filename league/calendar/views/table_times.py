"""When a table meets: proposed and agreed by the four, set, postponed, given back its former time."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.calendar.forms import AnswerForm, AppointmentForm, PostponeForm, TimeForm
from league.calendar.panels import TablePanel, _may_postpone, table_panel
from league.calendar.queries.table_times import (
    to_make_up,
    zone_of,
)
from league.calendar.services.table_times import agree, postpone, propose_time, restore, set_time, take_back
from league.core.access import Access, Can, enter
from league.core.forms import attempt
from league.core.pages import context_of, sent
from league.models import Appointment, Table

UNPROCESSABLE = 422
SET_IDS, POSTPONE_IDS = "set_%s", "postpone_%s"  # several forms on one page


def _open_table(request: HttpRequest, slug: str, pk: int) -> tuple[Access, Table, TablePanel]:
    """The table for those who may say something of its time: its players, organizers and referees."""
    access = enter(request.user, slug)
    table = access.table(pk)
    panel = table_panel(access, table, sees_results=True)
    if not (panel.answers_for or access.can_referee):
        raise PermissionDenied
    return access, table, panel


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_time(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """All about when a table meets; sent, it proposes a time."""
    access, table, panel = _open_table(request, slug, pk)
    form = TimeForm(sent(request), zone=zone_of(access.competition))
    if request.method != "POST":
        return _time_page(request, access, panel, propose=form)
    if not panel.answers_for:
        raise PermissionDenied
    typed = form.cleaned_data if form.is_valid() else {}
    proposer = min(panel.mine, default=None)
    if typed and attempt(
        form,
        lambda: propose_time(
            table=table,
            meets_at=typed["meets_at"],
            place=typed["place"],
            player=proposer,
            by=access.by,
            form=form.submission("propose", table.pk),
        ),
    ):
        messages.success(request, _("The time is proposed. The others agree to it on this table’s page."))
        return redirect("results:table", slug, pk)
    return _time_page(request, access, panel, propose=form)


@never_cache
@require_POST
def table_set_time(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    table = access.table(pk)
    form = TimeForm(request.POST, zone=zone_of(access.competition), auto_id=SET_IDS)
    if form.is_valid() and attempt(
        form,
        lambda: set_time(
            table=table,
            meets_at=form.cleaned_data["meets_at"],
            place=form.cleaned_data["place"],
            by=access.by,
            form=form.submission("set", table.pk),
        ),
    ):
        messages.success(request, _("The time is set."))
        return redirect("results:table", slug, pk)
    return _time_page(request, access, table_panel(access, table, sees_results=True), chosen=form)


@never_cache
@require_POST
def table_postpone(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.REFEREE)
    table = access.table(pk)
    if not _may_postpone(access, access.sits_at(table)):
        raise PermissionDenied
    form = PostponeForm(request.POST, zone=zone_of(access.competition), auto_id=POSTPONE_IDS)
    if form.is_valid():
        tables = _to_postpone(table, whole_round=form.cleaned_data["whole_round"])
        if attempt(form, lambda: _postpone(access, table, tables, form)):
            sentence = ngettext(
                "%(count)s table is postponed.", "%(count)s tables are postponed.", len(tables)
            )
            messages.success(request, sentence % {"count": len(tables)})
            return redirect("results:table", slug, pk)
    panel = table_panel(access, table, sees_results=True)
    return _time_page(request, access, panel, postponing=form)


def _to_postpone(table: Table, *, whole_round: bool) -> list[Table]:
    """The table; with ``whole_round`` all tables of its round without a sheet, but those postponed before."""
    if not whole_round:
        return [table]
    same = Table.objects.filter(round=table.round_id).exclude(sheets__is_current=True)
    waiting = to_make_up(same).exclude(pk=table.pk).values("pk")
    related = "round__stage__division__competition"
    return list(same.exclude(pk__in=waiting).select_related(related).order_by("number")) or [table]


def _postpone(access: Access, table: Table, tables: Sequence[Table], form: PostponeForm) -> object:
    return postpone(
        tables=tables,
        reason=form.cleaned_data["reason"],
        meets_at=form.cleaned_data["meets_at"],
        place=form.cleaned_data["place"],
        by=access.by,
        form=form.submission("postpone", table.pk),
    )


@never_cache
@require_POST
def table_restore(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A postponement is taken back, by whoever may postpone."""
    access = enter(request.user, slug, Can.REFEREE)
    table = access.table(pk)
    if not _may_postpone(access, access.sits_at(table)):
        raise PermissionDenied
    form = AppointmentForm(request.POST)
    if not form.is_valid():
        return _out_of_date(request, slug, pk)
    appointment = _appointment(table, form)
    if attempt(
        form,
        lambda: restore(appointment=appointment, by=access.by, form=form.submission("restore", table.pk)),
    ):
        messages.success(request, _("The postponement is taken back."))
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    return redirect("results:table", slug, pk)


@never_cache
@require_POST
def table_agree(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A player of the table agrees; the organizer for those who have no account."""

    def write(access: Access, found: Appointment, players: Sequence[int], form: AnswerForm) -> str:
        made = agree(
            appointment=found, players=players, by=access.by, form=form.submission("agree", found.pk)
        )
        if made.kind == Appointment.Kind.AGREED:
            return _("All four have agreed: this is when the table meets.")
        return _("The agreement is kept.")

    return _answered(request, slug, pk, write, everybody=True)


@never_cache
@require_POST
def table_disagree(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A player who had agreed takes it back."""

    def write(access: Access, found: Appointment, players: Sequence[int], form: AnswerForm) -> str:
        (player,) = players
        take_back(appointment=found, player=player, by=access.by, form=form.submission("take back", found.pk))
        return _("The agreement is taken back.")

    return _answered(request, slug, pk, write, everybody=False)


def _answered(
    request: HttpRequest,
    slug: str,
    pk: int,
    write: Callable[[Access, Appointment, Sequence[int], AnswerForm], str],
    *,
    everybody: bool,
) -> HttpResponse:
    access, table, panel = _open_table(request, slug, pk)
    if not panel.answers_for:
        raise PermissionDenied
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _out_of_date(request, slug, pk)
    appointment = _appointment(table, form)
    players = _answering(panel, appointment, form.cleaned_data["player"], everybody=everybody)
    said: list[str] = []
    if attempt(form, lambda: said.append(write(access, appointment, players, form))):
        messages.success(request, said[0] if said else _("This is kept already."))
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    return redirect("results:table", slug, pk)


def _out_of_date(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    messages.error(request, _("This page was out of date. Look at it again, then press once more."))
    return redirect("results:table", slug, pk)


def _appointment(table: Table, form: AppointmentForm) -> Appointment:
    """The word on this table's time that the person saw, or ``Http404``."""
    found = Appointment.objects.select_related("table__round__stage__division__competition")
    return get_object_or_404(found, table=table, pk=form.cleaned_data["appointment"])


def _answering(panel: TablePanel, appointment: Appointment, typed: str, *, everybody: bool) -> list[int]:
    """For whom is answered. ``PermissionDenied`` for somebody for whom this person does not answer."""
    if typed == "all" and everybody:
        agreed = {consent.player_id for consent in appointment.consents.all()}
        return sorted(panel.answers_for - agreed)
    if typed == "all" or int(typed) not in panel.answers_for:
        raise PermissionDenied
    return [int(typed)]


def _time_page(
    request: HttpRequest,
    access: Access,
    panel: TablePanel,
    *,
    propose: TimeForm | None = None,
    chosen: TimeForm | None = None,
    postponing: PostponeForm | None = None,
) -> HttpResponse:
    zone = zone_of(access.competition)
    bound = next((form for form in (propose, chosen, postponing) if form and form.is_bound), None)
    table = panel.times.table
    context = context_of(
        request,
        access,
        table=table,
        round=table.round,
        panel=panel,
        propose=propose or TimeForm(zone=zone),
        chosen=chosen or TimeForm(zone=zone, auto_id=SET_IDS),
        postponing=postponing or PostponeForm(zone=zone, auto_id=POSTPONE_IDS),
        others=Table.objects.filter(round=table.round_id).count() > 1,
    )
    return render(request, "calendar/time.html", context, status=UNPROCESSABLE if bound else 200)
