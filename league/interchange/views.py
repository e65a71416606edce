"""Files of a competition: standings, results, the workbook, the competition file; and the way back in.

The public gets published rounds only. The staff may ask for all of them (``?all=1``); the competition file
holds everything, so that only organizers get it.
"""

import io
from collections.abc import Callable, Iterable
from urllib.parse import quote

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, own_league
from league.core.caching import etag, facts_of
from league.core.changes import Form
from league.core.counted import lists_penalties
from league.core.pages import SignedIn, page, reads, save, sent
from league.core.stages import is_secret
from league.interchange.exports.competition_file import competition_json
from league.interchange.exports.files import FORMATS, results_file, standings_file
from league.interchange.exports.workbook import write_workbook
from league.interchange.forms import ImportForm
from league.interchange.services.competition_file import import_competition
from league.models import Stage
from league.penalties.exports import write_penalties
from league.results.exports import table_lines
from league.teams.exports import team_standings_file

PROBLEMS_SHOWN = 200


@reads(kept=True)
def standings(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponse:
    return _stage_file(request, access, access.stage_at(division, stage), fmt, standings_file)


@reads(kept=True)
def teams(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponse:
    found = access.stage_at(division, stage)
    return _stage_file(request, access, found, fmt, team_standings_file, "teams", _("Teams"))


def _stage_file(
    request: HttpRequest, access: Access, stage: Stage, fmt: str, write: Callable[..., bytes], *of: str
) -> HttpResponse:
    """What ``write`` makes of a stage; the public learns nothing of a cut made from hidden results."""
    public = _published_only(request, access)
    if fmt not in FORMATS or (public and stage.cut and is_secret(stage)):
        raise Http404
    name = (stage.division.slug, stage.slug, *of[:1])
    title = (stage.division.name, stage.name, *of[1:])
    return _file(request, access, lambda: write(stage, fmt, public=public), fmt, name, title)


@reads(kept=True)
def results(request: HttpRequest, access: Access, fmt: str) -> HttpResponse:
    if fmt not in FORMATS:
        raise Http404
    public = _published_only(request, access)
    lines = table_lines(access.competition, public=public)

    def make() -> bytes:
        return results_file(access.competition, lines, fmt, public=public)

    return _file(request, access, make, fmt, ["results"], [_("Results")])


@reads(kept=True)
def workbook(request: HttpRequest, access: Access) -> HttpResponse:
    public = _published_only(request, access)
    return _file(request, access, lambda: _written(write_workbook, access, public=public), "xlsx")


@reads(kept=True)
def penalties(request: HttpRequest, access: Access) -> HttpResponse:
    """The list of penalties, for those who read them one by one."""
    public = _published_only(request, access)
    if not lists_penalties(access.competition, public=public):
        raise Http404

    def make() -> bytes:
        return _written(write_penalties, access, public=public)

    return _file(request, access, make, "xlsx", ["penalties"], [_("Penalties")])


def _written(write: Callable[..., object], access: Access, *, public: bool) -> bytes:
    stream = io.BytesIO()
    write(access.competition, stream, public=public)
    return stream.getvalue()


@reads(Can.ORGANIZE, kept=True)
def competition_file(request: HttpRequest, access: Access) -> HttpResponse:
    return _file(request, access, lambda: competition_json(access.competition).encode(), "json")


def _published_only(request: HttpRequest, access: Access) -> bool:
    return not (access.is_staff and request.GET.get("all") == "1")


def _file(
    request: HttpRequest,
    access: Access,
    make: Callable[[], bytes],
    fmt: str,
    name: Iterable[str] = (),
    title: Iterable[str] = (),
) -> HttpResponse:
    """The file, or 304 for a browser that has it. ``name`` is ASCII, ``title`` the words of the page."""
    tag = etag(request, facts_of(access))
    if tag[2:] in request.headers.get("If-None-Match", ""):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(make(), content_type=FORMATS[fmt])
        plain = f"{'-'.join([access.competition.slug, *name])}.{fmt}"
        words = f"{' '.join([access.competition.name, *title])}.{fmt}"
        safe = quote("".join(" " if c in '\\/:*?"<>|' else c for c in words))
        response["Content-Disposition"] = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{safe}"
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response


# --- the way in ---------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_file(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    form = ImportForm(sent(request), request.FILES or None, league=league)

    def write(submission: Form) -> None:
        replace = form.cleaned_data.get("replace", False)
        import_competition(facts=form.facts, league=league, by=request.user, replace=replace, form=submission)

    def done(_answer: object) -> str:
        return _("%(name)s is here. Look it over before you publish its address.") % {"name": form.facts.name}

    def then(_answer: object) -> str:
        return reverse("competitions:manage", args=[form.facts.slug])

    return save(request, form, write, about=[league.pk], done=done, then=then) or page(
        request,
        None,
        "interchange/import.html",
        league=league,
        form=form,
        problems=form.problems[:PROBLEMS_SHOWN],
        more=max(len(form.problems) - PROBLEMS_SHOWN, 0),
    )
