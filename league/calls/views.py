"""Tables call a referee; referees see who waits, take a call and are done with it. And the round's clock."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.calls.forms import CallForm, StartClockForm, TakeForm
from league.calls.queries.calls import calls_of, open_call
from league.calls.services.calls import AlreadyCalled, call_referee, close_call, take_call
from league.calls.services.clock import start_clock
from league.core.access import Can, enter
from league.core.errors import AlreadyDone, Refused
from league.core.forms import KeyedForm, attempt
from league.core.pages import page_before, sent
from league.disputes.queries import open_disputes

UNPROCESSABLE = 422


@never_cache
@require_safe
def calls(request: HttpRequest, slug: str) -> HttpResponse:
    """Who waits for a referee, the longest first. Script asks for it again when something changed."""
    access = enter(request.user, slug, Can.REFEREE)
    context = {
        "access": access,
        "competition": access.competition,
        "calls": calls_of(access.competition),
        "disputes": open_disputes(access.competition),
    }
    return render(request, "calls/index.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def call(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A table calls a referee: anybody who sees the table may."""
    access = enter(request.user, slug)
    table = access.table(pk)
    form = CallForm(sent(request), auto_id="call_%s")
    if request.method == "POST" and form.is_valid():
        by = request.user if isinstance(request.user, User) else None
        try:
            call_referee(table=table, note=form.cleaned_data["note"], by=by, form=form.submission(table.pk))
        except AlreadyCalled as waiting:
            messages.info(request, str(waiting))
        except Refused as refusal:
            messages.error(request, str(refusal))
        except AlreadyDone:
            messages.success(request, _("A referee is called to this table."))
        else:
            messages.success(request, _("A referee is called to this table."))
        return redirect("results:table", slug, pk)
    context = {
        "access": access,
        "competition": access.competition,
        "table": table,
        "round": table.round,
        "form": form,
        "waiting": open_call(table),
    }
    return render(request, "calls/call.html", context, status=UNPROCESSABLE if form.errors else 200)


@require_POST
def call_take(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.REFEREE)
    found, form = access.call(pk), TakeForm(request.POST)

    def take() -> object:
        seen = form.cleaned_data["seen"]
        return take_call(call=found, seen=seen, by=access.by, form=form.submission(found.pk))

    _press(request, form, take, _("You go to table %(number)s.") % {"number": found.table.number})
    return _back(request, slug)


@require_POST
def call_done(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.REFEREE)
    found, form = access.call(pk), KeyedForm(request.POST)

    def close() -> object:
        return close_call(call=found, by=access.by, form=form.submission("done", found.pk))

    _press(request, form, close, _("Table %(number)s is served.") % {"number": found.table.number})
    return _back(request, slug)


@require_POST
def clock_start(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.REFEREE)
    round_, form = access.round(pk), StartClockForm(request.POST)

    def start() -> object:
        again = form.cleaned_data["again"]
        return start_clock(round_=round_, again=again, by=access.by, form=form.submission(round_.pk))

    _press(request, form, start, _("The clock of round %(number)s runs.") % {"number": round_.number})
    return redirect("rounds:round", slug, pk)


def _press(request: HttpRequest, form: KeyedForm, write: Callable[[], object], said: str) -> None:
    """Do what a button asked for, and say that it is done or why not."""
    if form.is_valid() and attempt(form, write):
        messages.success(request, said)
    else:
        messages.error(request, _refusal(form))


def _refusal(form: KeyedForm) -> str:
    """What is wrong with a button's form, which has no page of its own."""
    sentences = [str(error) for errors in form.errors.values() for error in errors]
    if "key" in form.errors or not sentences:
        return _("This page was out of date. Look at it again, then press once more.")
    return " ".join(sentences)


def _back(request: HttpRequest, slug: str) -> HttpResponse:
    """To the page of ours that showed the button; else to the queue."""
    return HttpResponseRedirect(page_before(request, reverse("calls:index", args=[slug])))
