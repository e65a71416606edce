from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.access import Access, Can
from league.core.forms import KeyedForm
from league.core.pages import Asked, page, page_before, posted, presses, save, takes, writes
from league.core.zones import zone_of
from league.models import Appointment, Table
from league.play.calendar.forms import AnswerForm, AppointmentForm, PostponeForm, TimeForm
from league.play.calendar.panels import TimePanel, may_postpone, time_panel
from league.play.calendar.queries.table_times import to_make_up
from league.play.calendar.services.table_times import (
    agree_to_time,
    disagree_with_time,
    postpone_tables,
    propose_time,
    restore_time,
    set_time,
)

SET_IDS, POSTPONE_IDS = "set_%s", "postpone_%s"  # several forms on one page


# --- the page of a table's time


def _time_page(request: HttpRequest, access: Access, panel: TimePanel, **refused: KeyedForm) -> HttpResponse:
    zone = zone_of(access.competition)
    forms: dict[str, Any] = {
        "propose": TimeForm(zone=zone),
        "chosen": TimeForm(zone=zone, auto_id=SET_IDS),
        "postponing": PostponeForm(zone=zone, auto_id=POSTPONE_IDS),
    }
    table = panel.times.table
    return page(
        request,
        access,
        "calendar/time.html",
        table=table,
        round=table.round,
        panel=panel,
        others=Table.objects.filter(round=table.round_id).count() > 1,
        **forms | refused,
    )


@writes(Can.VIEW)
def table_time(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show the appointments of a table to its players, organizers and referees, and propose a time."""
    table = access.table(pk)
    panel = time_panel(access, table, sees_results=True)
    if not panel.answers_for and (request.method == "POST" or not access.can_referee):
        raise PermissionDenied
    form = TimeForm(posted(request), zone=zone_of(access.competition))
    return save(
        request,
        form,
        lambda sent: propose_time(
            table=table, player=min(panel.mine, default=None), by=access.by, form=sent, **form.values()
        ),
        about=("propose", pk),
        done=_("Time proposed. Share the link below with the others."),
        then=access.address("results:table", pk),
    ) or _time_page(request, access, panel, propose=form)


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("calendar:table_time", pk))
def table_set_time(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    table = access.table(pk)
    form = TimeForm(request.POST, zone=zone_of(access.competition), auto_id=SET_IDS)
    return save(
        request,
        form,
        lambda sent: set_time(table=table, by=access.by, form=sent, **form.values()),
        about=("set", pk),
        done=_("Time set."),
        then=access.address("results:table", pk),
    ) or _time_page(request, access, time_panel(access, table, sees_results=True), chosen=form)


# --- postponed


@takes(Can.REFEREE, shown_on=lambda access, pk: access.address("calendar:table_time", pk))
def table_postpone(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    table = _table_to_postpone(access, pk)
    form = PostponeForm(request.POST, zone=zone_of(access.competition), auto_id=POSTPONE_IDS)

    def sentence(answer: Any) -> str:
        count = len(answer["appointments"])
        return ngettext("%(count)s table postponed.", "%(count)s tables postponed.", count) % {"count": count}

    return save(
        request,
        form,
        lambda sent: postpone_tables(
            tables=_unplayed_tables(table) if form.cleaned_data["whole_round"] else [table],
            by=access.by,
            form=sent,
            **form.values(),
        ),
        about=("postpone", pk),
        done=sentence,
        then=access.address("results:table", pk),
    ) or _time_page(request, access, time_panel(access, table, sees_results=True), postponing=form)


def _table_to_postpone(access: Access, pk: int) -> Table:
    table = access.table(pk)
    if not may_postpone(access, access.sits_at(table)):
        raise PermissionDenied
    return table


def _unplayed_tables(table: Table) -> list[Table]:
    same = Table.objects.filter(round=table.round_id).exclude(sheets__is_current=True)
    waiting = to_make_up(same).exclude(pk=table.pk).values("pk")
    return list(same.exclude(pk__in=waiting).with_competition().order_by("number")) or [table]


@presses(Can.REFEREE, done=gettext_lazy("Postponement undone."))
def table_restore(request: HttpRequest, access: Access, pk: int) -> Asked:
    table = _table_to_postpone(access, pk)

    def write(*, appointment: int, **how: Any) -> None:
        restore_time(appointment=_appointment(table, appointment), **how)

    return Asked(write, AppointmentForm(request.POST), then=access.address("results:table", pk))


# --- agreed


@presses(Can.VIEW)
def table_agree(request: HttpRequest, access: Access, pk: int) -> Asked:
    """Save a player's agreement. The organizer answers for players without an account."""
    table, answers_for = _table_to_answer(access, pk)

    def write(*, appointment: int, player: str, **how: Any) -> None:
        proposal = _appointment(table, appointment)
        if player == AnswerForm.ALL:
            agreed = proposal.consents.filter(declined=False).values_list("player_id", flat=True)
            players = sorted(answers_for - set(agreed))
        else:
            players = [_player(player, answers_for)]
        agree_to_time(appointment=proposal, players=players, **how)

    return Asked(
        write,
        AnswerForm(request.POST),
        done=lambda answer: _("All four agreed: the time is set.") if answer else _("Agreement saved."),
        then=page_before(request, access.address("results:table", pk)),
    )


@presses(
    Can.VIEW,
    done=gettext_lazy("Saved: you cannot play at this time. Propose another one on the table’s page."),
)
def table_disagree(request: HttpRequest, access: Access, pk: int) -> Asked:
    table, answers_for = _table_to_answer(access, pk)

    def write(*, appointment: int, player: str, **how: Any) -> None:
        disagree_with_time(
            appointment=_appointment(table, appointment), player=_player(player, answers_for), **how
        )

    then = page_before(request, access.address("results:table", pk))
    return Asked(write, AnswerForm(request.POST), then=then)


def _table_to_answer(access: Access, pk: int) -> tuple[Table, frozenset[int]]:
    """Return the table and the players for whom this person answers, or refuse if there are none."""
    table = access.table(pk)
    panel = time_panel(access, table, sees_results=True)
    if not panel.answers_for:
        raise PermissionDenied
    return table, panel.answers_for


def _player(typed: str, answers_for: frozenset[int]) -> int:
    if typed == AnswerForm.ALL or int(typed) not in answers_for:
        raise PermissionDenied
    return int(typed)


def _appointment(table: Table, pk: int) -> Appointment:
    return get_object_or_404(Appointment.objects.with_competition(), table=table, pk=pk)
