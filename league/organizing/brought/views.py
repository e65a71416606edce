"""The organizer's pages of results that are brought: the list, what was understood, and its undoing."""

import uuid
from collections.abc import Sequence
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from league.core.access import Access, Can, own_league
from league.core.files.list_forms import as_chosen
from league.core.limits import takes_up_to
from league.core.pages import Answer, Asked, SignedIn, page, presses, reads, save, takes, writes
from league.core.text import sentences
from league.models import Stage
from league.organizing.brought.forms import ResultsForm, ResultsPreviewForm, UndoForm, column_choices
from league.organizing.brought.queries.outcome import outcome
from league.organizing.brought.queries.plans import MOST_SHOWN, last_brought, plan_results
from league.organizing.brought.queries.reading import read_results
from league.organizing.brought.services import bring_results, undo_brought
from league.organizing.brought.tables import OutcomeTable, TablesTable, balances_table
from league.organizing.brought.tasks import MOST_IN_REQUEST, Job, find_job, queue_results
from players.files import Text, Unreadable


@login_required
@require_safe
def choose(request: SignedIn, slug: str) -> HttpResponse:
    """Render the competitions of a league that take results."""
    league = own_league(request.user, slug)
    competitions = league.competitions.filter(finished_at=None).order_by("-first_day", "-pk")
    return page(request, None, "brought/choose.html", league=league, competitions=competitions)


@takes_up_to(5)
@writes(Can.ORGANIZE)
def bring(request: HttpRequest, access: Access) -> HttpResponse:
    data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    stages = list(access.stages())
    form = ResultsForm(data, files, stages=stages)
    if form.is_valid():
        try:
            read = form.read()
        except Unreadable as error:
            form.add_error("file", str(error))
        else:
            stage = form.cleaned_data["stage"]
            initial = {"text": read.text, "stage": stage.pk, "read_as": read.encoding if read.guessed else ""}
            preview_form = ResultsPreviewForm(initial=initial, stages=stages)
            return _preview_page(request, access, preview_form, stage, text=read.text, read=read)
    return page(
        request,
        access,
        "brought/bring.html",
        form=form,
        last=last_brought(access.competition),
    )


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("brought:bring"))
def preview(request: HttpRequest, access: Access) -> HttpResponse:
    data = as_chosen(request, forget=["order"])
    if data.get("save") == "rest":
        data = data.copy()
        data["leave_out"] = "on"
    stages = list(access.stages())
    form = ResultsPreviewForm(data, stages=stages)
    if not form.is_valid():
        stage = form.cleaned_data.get("stage") or next(iter(stages), None)
        if stage is None:
            raise Http404
        text, picks = request.POST.get("text", ""), request.POST.getlist("picks")
        return _preview_page(request, access, form, stage, text=text, picks=picks, status=0)
    if "save" not in request.POST:
        return _checked_page(request, access, form)
    stage, about = form.cleaned_data["stage"], ("results_bring", access.competition.pk)
    results = read_results(form.cleaned_data["text"], stage.division.rules, **form.reading())
    if (count := max(len(results.games), len(results.balances))) > MOST_IN_REQUEST:
        queue = partial(queue_results, competition=access.competition, data=data, count=count, about=about)
        answer = save(
            request,
            form,
            lambda sent: queue(by=access.by, form=sent),
            about=about,
            then=access.address("brought:saving", form.cleaned_data["key"]),
        )
    else:
        answer = save(
            request,
            form,
            lambda sent: bring_results(**form.values(), by=access.by, form=sent),
            about=about,
            done=_describe,
            then=access.address("standings:stage", stage.division.slug, stage.slug),
        )
    return answer or _checked_page(request, access, form, status=0)


@never_cache
@reads(Can.ORGANIZE)
def saving(request: HttpRequest, access: Access, key: uuid.UUID) -> HttpResponse:
    """Render the progress or the end of saving a long list. The page polls itself until the end."""
    job = find_job(access.competition, key)
    if job is None:
        return redirect(access.address("brought:bring"))
    polls = "HX-Request" in request.headers
    if polls and job.answer is not None:
        messages.success(request, _describe(job.answer))
        return HttpResponseClientRedirect(access.address("standings:stage", *job.answer["stage"]))
    if polls and not job.is_under_way:
        return HttpResponseClientRedirect(request.path)
    if job.refusal:
        return _refused_page(request, access, job)
    done = "" if job.answer is None else _describe(job.answer)
    return page(request, access, "brought/saving.html", job=job, done=done)


def _refused_page(request: HttpRequest, access: Access, job: Job) -> HttpResponse:
    """Render the check of the list with the refusal. Another press of its button is another submission."""
    data = QueryDict(job.sent, mutable=True)
    data["key"] = str(uuid.uuid4())
    stages = list(access.stages())
    form = ResultsPreviewForm(data, stages=stages)
    if not form.is_valid():
        return redirect(access.address("brought:bring"))
    form.add_error(None, job.refusal)
    return _checked_page(request, access, form, status=0)


def _describe(answer: Answer) -> str:
    tables, people, skipped, balances = (answer[name] for name in ("tables", "people", "skipped", "balances"))
    counts = {
        ngettext("%(count)s table saved.", "%(count)s tables saved.", tables): tables,
        ngettext(
            "Points of %(count)s player carried in.", "Points of %(count)s players carried in.", balances
        ): balances,
        ngettext("%(count)s player added.", "%(count)s players added.", people): people,
        ngettext(
            "%(count)s table was saved before.", "%(count)s tables were saved before.", skipped
        ): skipped,
    }
    return sentences(words % {"count": count} for words, count in counts.items() if count)


def _checked_page(
    request: HttpRequest, access: Access, form: ResultsPreviewForm, *, status: int = 200
) -> HttpResponse:
    """Render the list with the choices of a valid form."""
    chosen = {name: form.cleaned_data[name] for name in ("stage", "text", "picks", "leave_out", "note")}
    return _preview_page(request, access, form, status=status, **chosen)


def _preview_page(
    request: HttpRequest,
    access: Access,
    form: ResultsPreviewForm,
    stage: Stage,
    *,
    text: str,
    picks: Sequence[str] = (),
    leave_out: bool = False,
    note: str = "",
    read: Text | None = None,
    status: int = 200,
) -> HttpResponse:
    results = read_results(text, stage.division.rules, **form.reading())
    form.offer_parts(results.sheet, results.sheets, results.separators)
    plan = plan_results(stage, results, picks=picks, leave_out=leave_out, note=note)
    return page(
        request,
        access,
        "brought/preview.html",
        status=status,
        form=form,
        plan=plan,
        results=results,
        tables=TablesTable(plan.shown, request=request),
        balances=balances_table(plan, request),
        unseen=max(len(plan.games), len(plan.balances)) - MOST_SHOWN,
        standings=OutcomeTable(outcome(stage, plan), request=request)
        if plan.new or plan.new_balances
        else None,
        bans=[line.ban for line in plan.people.plan.banned],
        unused=[
            title for title, field in results.columns if title and not field and title not in results.unneeded
        ],
        columns=column_choices(results.columns),
        shown=form.shown,
        read=read,
    )


@presses(Can.ORGANIZE, done=gettext_lazy("Results undone. The players stay in the list of players."))
def undo(request: HttpRequest, access: Access) -> Asked:
    form = UndoForm(request.POST)
    write = partial(undo_brought, competition=access.competition)
    return Asked(write, form, then=access.address("brought:bring"))
