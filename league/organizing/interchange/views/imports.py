"""The upload of a competition file, and the progress of its import.

A small file is imported at once. A task imports a large file, so that a phone that lost its network finds the
page.
"""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from league.core.access import own_league
from league.core.changes import Sent
from league.core.limits import takes_up_to
from league.core.pages import Answer, SignedIn, page, posted, save
from league.models import ImportJob
from league.organizing.interchange.forms import ImportForm
from league.organizing.interchange.services.competition_file import import_competition
from league.organizing.interchange.services.drafts import (
    begin_job,
    cancel_import,
    is_interrupted,
    jobs_under_way,
    keep_upload,
)
from league.organizing.interchange.tasks import import_upload


@takes_up_to(20)
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_file(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    form = ImportForm(posted(request), request.FILES or None, league=league)

    replace = form.data.get("replace") == "on"

    def write(submission: Sent) -> None:
        if form.facts is None:
            with transaction.atomic():
                job = begin_job(
                    league=league,
                    by=request.user,
                    form=submission,
                    replace=replace,
                    removes=form.cleaned_data.get("removes", 0),
                )
                keep_upload(job, form.cleaned_data["file"].read())
                import_upload.enqueue(job.pk, get_language() or "en")
        else:
            import_competition(
                facts=form.facts,
                league=league,
                by=request.user,
                replace=replace,
                removes=form.cleaned_data.get("removes", 0),
                form=submission,
            )

    def done(answer: Answer) -> str:
        return "" if form.facts is None else _is_here(form.facts.name)

    def then(answer: Answer) -> str:
        if form.facts is None:
            return reverse("interchange:job", args=[league.slug, answer["job"]])
        return reverse("competitions:manage", args=[form.facts.slug])

    return save(request, form, write, about=[league.pk], done=done, then=then) or page(
        request,
        None,
        "interchange/import.html",
        league=league,
        form=form,
        under_way=jobs_under_way().filter(league=league, user__isnull=False).first(),
        problems=[(problem.place, problem.message) for problem in form.problems],
        stopped=form.stopped,
    )


def _is_here(name: str) -> str:
    return _("%(name)s imported. Review it before sharing the link.") % {"name": name}


@never_cache
@login_required
@require_safe
def import_job(request: SignedIn, slug: str, job: int) -> HttpResponse:
    """Render the progress or the end of an import. The page polls this part of itself until the end."""
    league = own_league(request.user, slug)
    job_row = get_object_or_404(ImportJob.objects.select_related("competition"), league=league, pk=job)
    imported = job_row.competition if job_row.status == ImportJob.Status.DONE else None
    if imported is not None and "HX-Request" in request.headers:
        messages.success(request, _is_here(imported.name))
        return HttpResponseClientRedirect(reverse("competitions:manage", args=[imported.slug]))
    return page(
        request,
        None,
        "interchange/job.html",
        league=league,
        job=job_row,
        running=jobs_under_way().filter(pk=job_row.pk).exists(),
        interrupted=is_interrupted(job_row),
        done=_is_here(imported.name) if imported else "",
        problems=job_row.problems,
        stopped=job_row.stopped,
    )


@login_required
@require_POST
def import_cancel(request: SignedIn, slug: str, job: int) -> HttpResponse:
    league = own_league(request.user, slug)
    cancel_import(job=get_object_or_404(ImportJob, league=league, pk=job))
    return redirect("interchange:job", league.slug, job)
