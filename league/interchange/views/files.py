"""Downloads of a competition: standings, results, the workbook, the competition file.

A task makes each once per revision (``league.core.kept_files``). The public gets published rounds only. Staff
may ask for all of them (``?all=1``). Only organizers get the competition file, which holds everything.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotModified
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_tasks.base import Task

from league.core.access import Access, Can
from league.core.caching import etag, facts_of
from league.core.counted import lists_penalties
from league.core.kept_files import find_file, fingerprint, sent_file, wait_page
from league.core.pages import reads
from league.core.stages import secret_stages
from league.interchange.exports.files import FORMATS
from league.interchange.tasks import write_stage_file, write_whole_file
from league.models import Stage


@reads(kept=True)
def standings(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponseBase:
    return _stage_file(request, access, access.stage_at(division, stage), fmt)


@reads(kept=True)
def teams(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponseBase:
    found = access.stage_at(division, stage)
    return _stage_file(request, access, found, fmt, "teams", _("Teams"))


def _stage_file(request: HttpRequest, access: Access, stage: Stage, fmt: str, *of: str) -> HttpResponseBase:
    """Return a file of players or teams. The public gets none of a cut that tells hidden results."""
    public = _published_only(request, access)
    if fmt not in FORMATS or (public and stage.cut and _is_secret(stage)):
        raise Http404
    name = (stage.division.slug, stage.slug, *of[:1])
    title = (stage.division.name, stage.name, *of[1:])
    return _file(request, access, write_stage_file, (stage.pk, bool(of)), fmt, name, title, public=public)


@reads(kept=True)
def results(request: HttpRequest, access: Access, fmt: str) -> HttpResponseBase:
    if fmt not in FORMATS:
        raise Http404
    return _whole_file(request, access, "results", fmt, ["results"], [_("Results")])


@reads(kept=True)
def workbook(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Return the published rounds, or for staff who ask for them all rounds under another name."""
    if _published_only(request, access):
        return _whole_file(request, access, "workbook", "xlsx")
    return _whole_file(request, access, "workbook", "xlsx", ["full"], [_("all rounds")])


@reads(kept=True)
def penalties(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Return the list of penalties, or 404 if this audience sees no single ones."""
    if not lists_penalties(access.competition, public=_published_only(request, access)):
        raise Http404
    return _whole_file(request, access, "penalties", "xlsx", ["penalties"], [_("Penalties")])


@reads(Can.ORGANIZE, kept=True)
def competition_file(request: HttpRequest, access: Access) -> HttpResponseBase:
    return _whole_file(request, access, "competition", "json", public=False)


def _whole_file(
    request: HttpRequest,
    access: Access,
    which: str,
    fmt: str,
    name: Iterable[str] = (),
    title: Iterable[str] = (),
    *,
    public: bool | None = None,
) -> HttpResponseBase:
    published = _published_only(request, access) if public is None else public
    return _file(request, access, write_whole_file, (which,), fmt, name, title, public=published)


def _published_only(request: HttpRequest, access: Access) -> bool:
    return not (access.is_staff and request.GET.get("all") == "1")


def _file(
    request: HttpRequest,
    access: Access,
    task: "Task[Any, Any]",
    arguments: tuple[object, ...],
    fmt: str,
    name: Iterable[str] = (),
    title: Iterable[str] = (),
    *,
    public: bool,
) -> HttpResponseBase:
    """Return the file, the page that waits for it, or 304. ``name`` is ASCII, ``title`` the words of the
    page.
    """
    facts = facts_of(access)
    tag = etag(request, facts)
    # The same for all who get this file.
    facts = (access.competition.seen_version(public=public), *facts[2:-1])
    if tag[2:] in request.headers.get("If-None-Match", ""):
        response: HttpResponseBase = HttpResponseNotModified()
    else:
        about = (*arguments, fmt, public, get_language() or "en")
        file = find_file(request, access, task, *about, facts=facts, public=public)
        if file is None or file.content is None:
            return wait_page(request, failed=file is not None)
        response = sent_file(request, bytes(file.content), FORMATS[fmt])
        plain = f"{'-'.join([access.competition.slug, *name])}.{fmt}"
        words = f"{' '.join([access.competition.name, *title])}.{fmt}"
        safe = quote("".join(" " if c in '\\/:*?"<>|' else c for c in words))
        response["Content-Disposition"] = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{safe}"
        if file.facts != fingerprint(facts):
            tag = ""  # a former file
    if tag:
        response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response


def _is_secret(stage: Stage) -> bool:
    """Return True if this stage alone would tell unpublished results. Queries: 2."""
    return stage.pk in secret_stages(list(Stage.objects.filter(division=stage.division_id)))
