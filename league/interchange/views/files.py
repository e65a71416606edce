"""Files of a competition: standings, results, the workbook, the competition file.

Each is made once a revision (``league.core.kept_files``). The public gets published rounds only. The staff
may ask for all of them (``?all=1``); the competition file holds everything, so that only organizers get it.
"""

from collections.abc import Callable, Iterable
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotModified
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.apart import command_output
from league.core.caching import etag, facts_of
from league.core.counted import lists_penalties
from league.core.kept_files import Busy, busy, kept_file, sent_file
from league.core.pages import reads
from league.core.stages import secret_stages
from league.interchange.exports.files import FORMATS, standings_file, whole_file
from league.models import Stage
from league.rounds.queries import is_large
from league.teams.exports import team_standings_file


@reads(kept=True)
def standings(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponseBase:
    return _stage_file(request, access, access.stage_at(division, stage), fmt, standings_file)


@reads(kept=True)
def teams(request: HttpRequest, access: Access, division: str, stage: str, fmt: str) -> HttpResponseBase:
    found = access.stage_at(division, stage)
    return _stage_file(request, access, found, fmt, team_standings_file, "teams", _("Teams"))


def _stage_file(
    request: HttpRequest, access: Access, stage: Stage, fmt: str, write: Callable[..., bytes], *of: str
) -> HttpResponseBase:
    """What ``write`` makes of a stage; the public learns nothing of a cut made from hidden results."""
    public = _published_only(request, access)
    if fmt not in FORMATS or (public and stage.cut and _is_secret(stage)):
        raise Http404
    name = (stage.division.slug, stage.slug, *of[:1])
    title = (stage.division.name, stage.name, *of[1:])

    def make() -> bytes:
        return write(stage, fmt, public=public)

    return _file(request, access, make, fmt, name, title, public=public, lane="stage")


@reads(kept=True)
def results(request: HttpRequest, access: Access, fmt: str) -> HttpResponseBase:
    if fmt not in FORMATS:
        raise Http404
    return _whole_file(request, access, "results", fmt, ["results"], [_("Results")])


@reads(kept=True)
def workbook(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The published rounds, for everyone; all rounds under another name, for staff who ask for them."""
    if _published_only(request, access):
        return _whole_file(request, access, "workbook", "xlsx")
    return _whole_file(request, access, "workbook", "xlsx", ["full"], [_("all rounds")])


@reads(kept=True)
def penalties(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The list of penalties, for those who read them one by one."""
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
    """The ``whole_file`` of this name, of a large competition made by a process of its own."""
    shown = _published_only(request, access) if public is None else public

    def make() -> bytes:
        if not is_large(access.competition):
            return whole_file(access.competition, which, fmt, public=shown)
        audience = "public" if shown else "staff"
        about = (str(access.competition.pk), which, fmt, audience, get_language() or "en")
        return command_output("make_file", *about)

    return _file(request, access, make, fmt, name, title, public=shown)


def _published_only(request: HttpRequest, access: Access) -> bool:
    return not (access.is_staff and request.GET.get("all") == "1")


def _file(
    request: HttpRequest,
    access: Access,
    make: Callable[[], bytes],
    fmt: str,
    name: Iterable[str] = (),
    title: Iterable[str] = (),
    *,
    public: bool,
    lane: str = "competition",
) -> HttpResponseBase:
    """The file, or 304 for a browser that has it. ``name`` is ASCII, ``title`` the words of the page."""
    facts = facts_of(access)
    tag = etag(request, facts)
    if tag[2:] in request.headers.get("If-None-Match", ""):
        response: HttpResponseBase = HttpResponseNotModified()
    else:
        try:
            file = kept_file((facts[:-1], get_language(), request.path, public), make, lane=lane)
        except Busy:
            return busy(request)
        response = sent_file(request, file, FORMATS[fmt])
        plain = f"{'-'.join([access.competition.slug, *name])}.{fmt}"
        words = f"{' '.join([access.competition.name, *title])}.{fmt}"
        safe = quote("".join(" " if c in '\\/:*?"<>|' else c for c in words))
        response["Content-Disposition"] = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{safe}"
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response


def _is_secret(stage: Stage) -> bool:
    """Would this one stage tell the public about unpublished results? Two queries."""
    return stage.pk in secret_stages(list(Stage.objects.filter(division=stage.division_id)))
