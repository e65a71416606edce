"""Files of a competition: standings, results, the workbook, the competition file; and the way back in.

The public gets published rounds only. The staff may ask for all of them (``?all=1``); the competition file
holds everything, so that only organizers get it.
"""

import io
from collections.abc import Callable
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.core.access import Access, Can, enter, own_league
from league.core.caching import etag, facts_of
from league.core.counted import lists_penalties
from league.core.files.xlsx import MEDIA_TYPE
from league.core.forms import attempt
from league.core.pages import SignedIn
from league.core.stages import is_secret
from league.interchange.exports.competition_file import competition_json
from league.interchange.exports.files import FORMATS, results_file, standings_file
from league.interchange.exports.workbook import write_workbook
from league.interchange.forms import ImportForm
from league.interchange.services.competition_file import import_competition
from league.models import Competition, League, Stage
from league.penalties.exports import write_penalties
from league.results.exports import table_lines
from league.teams.exports import team_standings_file

PROBLEMS_SHOWN = 200


@require_safe
def download_standings(request: HttpRequest, slug: str, division: str, stage: str, fmt: str) -> HttpResponse:
    access, found = enter(request.user, slug), f"{slug}-{division}-{stage}.{fmt}"
    return _stage_file(request, access, access.stage(division, stage), fmt, standings_file, name=found)


@require_safe
def download_teams(request: HttpRequest, slug: str, division: str, stage: str, fmt: str) -> HttpResponse:
    access, found = enter(request.user, slug), f"{slug}-{division}-{stage}-teams.{fmt}"
    return _stage_file(
        request, access, access.stage(division, stage), fmt, team_standings_file, name=found, of=_("Teams")
    )


def _stage_file(
    request: HttpRequest,
    access: Access,
    stage: Stage,
    fmt: str,
    write: Callable[..., bytes],
    *,
    name: str,
    of: str = "",
) -> HttpResponse:
    """What ``write`` makes of a stage; the public learns nothing of a cut made from hidden results."""
    _check_format(fmt)
    public = _published_only(request, access)
    if public and stage.cut and is_secret(stage):
        raise Http404
    words = (access.competition.name, stage.division.name, stage.name, of)
    return _file(
        request,
        access,
        lambda: write(stage, fmt, public=public),
        media_type=FORMATS[fmt],
        name=name,
        title=f"{' '.join(word for word in words if word)}.{fmt}",
    )


@require_safe
def download_results(request: HttpRequest, slug: str, fmt: str) -> HttpResponse:
    access = enter(request.user, slug)
    _check_format(fmt)
    public = _published_only(request, access)
    lines = table_lines(access.competition, public=public)
    return _file(
        request,
        access,
        lambda: results_file(access.competition, lines, fmt, public=public),
        media_type=FORMATS[fmt],
        name=f"{slug}-results.{fmt}",
        title=f"{access.competition.name} {_('Results')}.{fmt}",
    )


@require_safe
def download_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug)
    public = _published_only(request, access)

    def workbook() -> bytes:
        stream = io.BytesIO()
        write_workbook(access.competition, stream, public=public)
        return stream.getvalue()

    return _file(
        request,
        access,
        workbook,
        media_type=MEDIA_TYPE,
        name=f"{slug}.xlsx",
        title=f"{access.competition.name}.xlsx",
    )


@require_safe
def download_penalties(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of penalties, for whoever reads them one by one."""
    access = enter(request.user, slug)
    public = _published_only(request, access)
    if not lists_penalties(access.competition, public=public):
        raise Http404

    def workbook() -> bytes:
        stream = io.BytesIO()
        write_penalties(access.competition, stream, public=public)
        return stream.getvalue()

    return _file(
        request,
        access,
        workbook,
        media_type=MEDIA_TYPE,
        name=f"{slug}-penalties.xlsx",
        title=f"{access.competition.name} {_('Penalties')}.xlsx",
    )


@require_safe
def download_file(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    return _file(
        request,
        access,
        lambda: competition_json(access.competition).encode(),
        media_type="application/json",
        name=f"{slug}.json",
        title=f"{access.competition.name}.json",
    )


def _check_format(fmt: str) -> None:
    if fmt not in FORMATS:
        raise Http404


def _published_only(request: HttpRequest, access: Access) -> bool:
    return not (access.is_staff and request.GET.get("all") == "1")


def _file(
    request: HttpRequest,
    access: Access,
    make: Callable[[], bytes],
    *,
    media_type: str,
    name: str,
    title: str,
) -> HttpResponse:
    """The file, or 304 to who has it already. ``name`` is ASCII, ``title`` for who can read more."""
    tag = etag(request, facts_of(access))
    known = request.headers.get("If-None-Match", "")
    response = (
        HttpResponseNotModified() if tag[2:] in known else HttpResponse(make(), content_type=media_type)
    )
    if response.status_code == 200:
        plain = "".join(" " if c in '\\/:*?"<>|' else c for c in title)
        response["Content-Disposition"] = f"attachment; filename=\"{name}\"; filename*=UTF-8''{quote(plain)}"
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response


# --- the way in ---------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_file(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    is_post = request.method == "POST"
    form = ImportForm(request.POST if is_post else None, request.FILES if is_post else None, league=league)
    if is_post and form.is_valid() and (made := _imported(form, league, request)):
        messages.success(
            request, _("%(name)s is here. Look it over before you publish its address.") % {"name": made}
        )
        return redirect("competitions:manage", made.slug)
    context = {
        "league": league,
        "form": form,
        "problems": form.problems[:PROBLEMS_SHOWN],
        "more": max(len(form.problems) - PROBLEMS_SHOWN, 0),
    }
    return render(request, "interchange/import.html", context)


def _imported(form: ImportForm, league: League, request: SignedIn) -> Competition | None:
    """The competition of this upload, or of the same one sent before; None when it was refused."""
    facts = form.facts
    assert facts is not None
    done = attempt(
        form,
        lambda: import_competition(
            facts=facts,
            league=league,
            by=request.user,
            replace=form.cleaned_data.get("replace", False),
            form=form.submission(league.pk),
        ),
    )
    return Competition.objects.get(slug=facts.slug) if done else None
