"""Downloads of a competition: standings, results, the workbook, the competition file.

A task makes each once per revision (``league.core.kept_files``). The public gets published rounds only. Staff
may ask for all of them (``?all=1``). Only organizers get the competition file, which holds everything.
"""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.counted import lists_penalties
from league.core.kept_files import send_download
from league.core.pages import reads
from league.core.stages import secret_stages
from league.models import Stage
from league.organizing.interchange.exports.files import FORMATS
from league.organizing.interchange.tasks import write_stage_file, write_whole_file


@reads(kept=True)
def standings(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponseBase:
    return _stage_file(request, access, access.stage_at(division, stage), fmt)


@reads(kept=True)
def teams(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponseBase:
    stage_row = access.stage_at(division, stage)
    return _stage_file(request, access, stage_row, fmt, "teams", _("Teams"))


def _stage_file(request: HttpRequest, access: Access, stage: Stage, fmt: str, *of: str) -> HttpResponseBase:
    """Return a file of players or teams. The public gets none of a cut that tells hidden results."""
    public = _published_only(request, access)
    if fmt not in FORMATS or (public and stage.cut and _is_secret(stage)):
        raise Http404
    name = (stage.division.slug, stage.slug, *of[:1])
    title = (stage.division.name, stage.name, *of[1:])
    return send_download(
        request,
        access,
        write_stage_file,
        stage.pk,
        bool(of),
        fmt,
        fmt=fmt,
        name=name,
        title=title,
        public=public,
    )


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
def divisions(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Return the sheets of the divisions with every game, of published rounds or for staff of all rounds."""
    public = _published_only(request, access)
    name, title = ([], []) if public else (["full"], [_("all rounds")])
    return _whole_file(request, access, "divisions", "xlsx", ["divisions", *name], [_("Divisions"), *title])


@reads(kept=True)
def penalties(request: HttpRequest, access: Access, fmt: str) -> HttpResponseBase:
    """Return the list of penalties, or 404 if this audience sees no single ones."""
    if not lists_penalties(access.competition, public=_published_only(request, access)):
        raise Http404
    return _whole_file(request, access, "penalties", fmt, ["penalties"], [_("Penalties")])


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
    return send_download(
        request, access, write_whole_file, which, fmt, fmt=fmt, name=name, title=title, public=published
    )


def _published_only(request: HttpRequest, access: Access) -> bool:
    return not (access.is_staff and request.GET.get("all") == "1")


def _is_secret(stage: Stage) -> bool:
    """Return True if this stage alone would tell unpublished results. Queries: 2."""
    return stage.pk in secret_stages(list(Stage.objects.filter(division=stage.division_id)))
