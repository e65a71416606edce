"""The organizer's work on rounds: made, seated (drawn, by hand, pasted), opened, closed, published."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.core.access import Can, enter
from league.core.changes import sent_before
from league.core.errors import AlreadyDone, Refused
from league.core.forms import KeyedForm, attempt
from league.core.pages import SignedIn, context, page_before, sent, today
from league.models import Competition, Round, Stage
from league.rounds.forms import TEAMS, RoundForm, StatusForm, VisibilityForm
from league.rounds.services import (
    close_round,
    create_round,
    delete_round,
    open_round,
    set_visibility,
)
from league.seating.views.by_hand import HOW

# --- a round


@require_http_methods(["GET", "HEAD", "POST"])
def round_new(request: SignedIn, slug: str, stage: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    found = get_object_or_404(access.stages(), pk=stage)
    last = found.rounds.last()
    form = RoundForm(
        sent(request),
        last=last.number if last else 0,
        today=today(access.competition),
        teams=access.competition.team_play == Competition.TeamPlay.LINE_UPS,
    )
    if request.method == "POST" and form.is_valid() and (made := _create(form, found, by=request.user)):
        return redirect(_seat_address(slug, made, form.cleaned_data["how"], last))
    return render(request, "rounds/new.html", context(access) | {"form": form, "stage": found})


def _create(form: RoundForm, stage: Stage, *, by: User) -> int | None:
    """The number (pk) of the round that this form makes, or made when it came before."""
    typed = form.cleaned_data
    try:
        return create_round(
            stage=stage, number=typed["number"], date=typed["date"], by=by, form=form.submission(stage.pk)
        ).pk
    except AlreadyDone as done:
        return int(str(done.answer["round"]))
    except Refused as refusal:
        form.add_error("number", str(refusal))
        return None


def _seat_address(slug: str, made: int, how: str, last: Round | None) -> str:
    if how == TEAMS[0]:
        return reverse("teams:round", args=[slug, made])
    address = reverse("seating:by_hand", args=[slug, made])
    if how == "same" and last is not None:
        return f"{address}?how=random&as={last.pk}"
    return f"{address}?how={how}" if how in HOW else address


@require_POST
def round_status(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    form = StatusForm(request.POST)
    if not form.is_valid():
        return _refused(request, slug, form)
    write = open_round if form.cleaned_data["status"] == "open" else close_round
    visibility = _never_less(round_, form.cleaned_data["visibility"])
    done = attempt(
        form,
        lambda: write(
            round_=round_, visibility=visibility or None, by=request.user, form=form.submission(round_.pk)
        ),
    )
    if not done:
        return _refused(request, slug, form)
    messages.success(request, _status_sentence(round_, form.cleaned_data["status"], visibility))
    return _back(request, slug)


def _never_less(round_: Round, visibility: str) -> str:
    """A tick “show the seating” must not hide results that were published before."""
    published = round_.visibility == Round.Visibility.RESULTS
    return "" if published and visibility == Round.Visibility.SEATING else visibility


def _status_sentence(round_: Round, status: str, visibility: str) -> str:
    number = {"number": round_.number}
    if status == "open":
        if visibility == Round.Visibility.SEATING:
            return _("Round %(number)s is open, and everyone can see its seating.") % number
        return _("Round %(number)s is open: results can be entered.") % number
    if visibility == Round.Visibility.RESULTS:
        return _("Round %(number)s is closed and its results are published.") % number
    return _("Round %(number)s is closed.") % number


@require_POST
def round_visibility(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    form = VisibilityForm(request.POST)
    if not form.is_valid():
        return _refused(request, slug, form)
    visibility = form.cleaned_data["visibility"]
    done = attempt(
        form,
        lambda: set_visibility(
            round_=round_, visibility=visibility, by=request.user, form=form.submission(round_.pk)
        ),
    )
    if not done:
        return _refused(request, slug, form)
    sentences = {
        Round.Visibility.HIDDEN: _("Round %(number)s is hidden from the public."),
        Round.Visibility.SEATING: _("The seating of round %(number)s is published, its results are not."),
        Round.Visibility.RESULTS: _("The results of round %(number)s are published."),
    }
    messages.success(request, sentences[Round.Visibility(visibility)] % {"number": round_.number})
    return _back(request, slug)


@require_POST
def round_delete(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    form = KeyedForm(request.POST)
    round_ = access.rounds().filter(pk=pk).first()
    if round_ is None:
        if form.is_valid() and sent_before(form.submission(pk)):
            return redirect(
                "competitions:manage", slug
            )  # this very form deleted it; the first answer says so
        raise Http404
    if not form.is_valid() or not attempt(
        form, lambda: delete_round(round_=round_, by=request.user, form=form.submission(pk))
    ):
        return _refused(request, slug, form)
    messages.success(request, _("Round %(number)s is deleted.") % {"number": round_.number})
    return redirect("competitions:manage", slug)


def _back(request: SignedIn, slug: str) -> HttpResponseRedirect:
    """To the page that sent the form, if it is one of ours; else to the organizer's page."""
    return HttpResponseRedirect(page_before(request, reverse("competitions:manage", args=[slug])))


def _refused(request: SignedIn, slug: str, form: KeyedForm) -> HttpResponseRedirect:
    """A button's form has no page of its own: its refusal is shown on the page that it came from."""
    sentences = form.non_field_errors() or [_("This button was out of date. Try again from this page.")]
    for sentence in sentences:
        messages.error(request, str(sentence))
    return _back(request, slug)


# --- seating
