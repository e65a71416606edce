from functools import partial
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core import signing
from django.forms import BooleanField, CharField, HiddenInput, IntegerField
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.core.access import Access, Can, left_tables, organized_by
from league.core.caching import answer
from league.core.door import has_card
from league.core.forms import KeyedForm, from_model
from league.core.pages import (
    Asked,
    SignedIn,
    Undo,
    page,
    page_before,
    posted,
    press,
    presses,
    reads,
    takes,
    writes,
)
from league.models import Call, Role, Round, Table
from league.play.calls import queries, services
from league.play.disputes.queries import open_disputes

NOTE = "calls.note"  # of a closed call, in the button that reopens it
MOST_SHOWN = 10  # calls of a competition that its pages can show on top


class CallForm(KeyedForm):
    note = from_model(Call, "note", label=gettext_lazy("Subject"))


class TakeForm(KeyedForm):
    """``seen``: the user who had taken the call on the page."""

    seen = IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=HiddenInput)


class UndoForm(KeyedForm):
    """``note``: the note that closing erased, as the server signed it."""

    note = CharField(required=False, max_length=4000, widget=HiddenInput)

    def clean_note(self) -> str:
        try:
            return str(signing.loads(self.cleaned_data["note"], salt=NOTE))
        except signing.BadSignature:
            return ""


class StartClockForm(KeyedForm):
    again = BooleanField(required=False, widget=HiddenInput)
    minutes = from_model(Round, "clock_minutes")


@reads(Can.REFEREE)
def calls(request: HttpRequest, access: Access) -> HttpResponse:
    waiting, disputes = queries.calls_of(access.competition), open_disputes(access.competition)
    left = left_tables(access.by.pk, [call.table_id for call in waiting])
    waiting.sort(key=lambda call: call.table_id in left)
    return page(request, access, "calls/index.html", calls=waiting, disputes=disputes, own_tables=left)


@require_safe
@login_required
def waiting(request: SignedIn) -> HttpResponseBase:
    """Return the calls that a referee sees on every page, or 204 if no competition of theirs is played.

    ``?at=``: the competition whose page is open. Calls of others are only counted there. Calls of the
    referee's own tables go to the other referees alone.
    """
    playing = organized_by(request.user, queries.in_play(), Role.Kind.CHIEF, Role.Kind.REFEREE).order_by("pk")
    competitions = list(playing)
    if not competitions:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)

    def make() -> HttpResponse:
        calls = queries.calls_of(*competitions)
        left = left_tables(request.user.pk, [call.table_id for call in calls])
        mine = [call for call in calls if call.taken_by_id in (None, request.user.pk)]
        mine = [call for call in mine if call.table_id not in left]
        here = [call for call in mine if call.table.competition.slug == request.GET.get("at", "")][
            :MOST_SHOWN
        ]
        rest = [call for call in mine if call not in here]
        home = reverse("competitions:home")
        return page(request, None, "calls/strip.html", calls=here, rest=rest, next=home)

    facts = tuple((competition.pk, competition.version) for competition in competitions)
    return answer(request, facts, make, may_keep=False)


@writes(Can.VIEW)
def call(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Call a referee as a person with a role here, or as a visitor with the table's code."""
    table, form = access.table(pk), CallForm(posted(request), auto_id="call_%s")
    by, may_call = _caller(request, access, table)
    if not (may_call and form.is_valid()):
        return page(
            request,
            access,
            "calls/call.html",
            table=table,
            round=table.round,
            form=form,
            waiting=queries.open_call(table),
            may_call=may_call,
        )
    back = page_before(request, access.address("results:table", pk))
    try:
        return press(
            request,
            lambda sent: services.call_referee(table=table, by=by, form=sent, **form.values()),
            form=form,
            about=(pk,),
            done=_("Referee called to this table."),
            back=back,
        )
    except services.AlreadyCalled as waiting_already:
        messages.info(request, str(waiting_already))
        return redirect(back)


def _caller(request: HttpRequest, access: Access, table: Table) -> tuple[User | None, bool]:
    """Return the caller (None: a visitor) and whether they may call.

    The card of the table is enough: a wrong call costs a walk, a slow one costs the time of the table.
    """
    by = access.user if isinstance(access.user, User) else None
    may_call = bool(access.roles) or has_card(table, access.code)
    return (by, may_call)


@takes(Can.VIEW)
def call_withdraw(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    table = access.table(pk)
    open_call = queries.open_call(table)
    by, may_call = _caller(request, access, table)
    if not may_call:
        return redirect(access.address("calls:call", pk))
    back = access.address("results:table", pk)
    if open_call is None:
        return redirect(back)
    return press(
        request,
        lambda sent: services.withdraw_call(call=open_call, by=by, form=sent),
        about=("back", open_call.pk),
        done=_("Call cancelled."),
        back=back,
    )


@presses(Can.REFEREE, done=gettext_lazy("Call from table %(number)s accepted."))
def call_take(request: HttpRequest, access: Access, pk: int) -> Asked:
    call = access.call(pk)
    return Asked(
        partial(services.take_call, call=call),
        TakeForm(request.POST),
        then=page_before(request, access.address("calls:index")),
        number=call.table.number,
    )


@presses(Can.REFEREE, done=gettext_lazy("Call from table %(number)s closed."))
def call_done(request: HttpRequest, access: Access, pk: int) -> Asked:
    call = access.call(pk)
    note = signing.dumps(call.note, salt=NOTE)
    return Asked(
        partial(services.close_call, call=call),
        then=page_before(request, access.address("calls:index")),
        undo=Undo(access.address("calls:undo", pk), {"note": note}, is_brief=True),
        number=call.table.number,
    )


@presses(Can.REFEREE, done=gettext_lazy("Call from table %(number)s is open again."))
def call_undo(request: HttpRequest, access: Access, pk: int) -> Asked:
    call = access.call(pk)
    return Asked(
        partial(services.reopen_call, call=call),
        UndoForm(request.POST),
        then=page_before(request, access.address("calls:index")),
        number=call.table.number,
    )


@presses(Can.ORGANIZE, done=gettext_lazy("Codes renewed. Print them and replace those on the tables."))
def codes_renew(request: HttpRequest, access: Access) -> Asked:
    return Asked(
        partial(services.renew_table_codes, competition=access.competition),
        then=access.address("calls:codes"),
    )


@presses(Can.REFEREE, done=gettext_lazy("Clock of round %(number)s started."))
def clock_start(request: HttpRequest, access: Access, pk: int) -> Asked:
    round_ = access.round(pk)
    return Asked(
        partial(services.start_clock, round_=round_),
        StartClockForm(request.POST),
        then=access.address("rounds:round", pk),
        number=round_.number,
    )
