"""Framed pages for other sites, the page with their code for organizers, oEmbed, and the feed of results."""

from collections.abc import Mapping
from functools import partial
from operator import itemgetter
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import resolve, reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.core.access import Access, Can, enter
from league.core.caching import answer, facts_of, public_page
from league.core.pages import number_in, page, reads
from league.core.stages import stages_of
from league.core.text import labelled
from league.extras.embeds.exports import ResultsFeed, results_feed
from league.extras.embeds.forms import EmbedForm
from league.extras.embeds.frames import (
    AUTO,
    LANGUAGES,
    WIDTH,
    frame_code,
    frame_height,
    framed,
    language_of,
    rows_in,
    rows_of,
)
from league.extras.embeds.queries import publications
from league.models import Stage
from league.organizing.competitions.tags import where
from league.organizing.seating.panels import current_rounds
from league.organizing.seating.queries.lists import seating_lists
from league.people.members.queries import info_of, listed_entrants
from league.ranking.boards.panels import newest_standings
from league.ranking.standings.queries.player import player_records
from league.ranking.standings.queries.stages import chosen_stage
from league.ranking.standings.queries.standings import standings_of
from league.ranking.teams.queries import team_ranking

NOT_IMPLEMENTED = 501  # the answer that oEmbed 1.0 asks for in other formats (section 2.2)
# Pages that oEmbed knows, besides framed pages, and the framed page that shows the same.
FRAMES = {
    "standings:competition": "standings",
    "standings:stage": "stage",
    "standings:player": "player",
    "rounds:index": "tables",
}

# --- framed pages


@framed
def standings(
    request: HttpRequest, access: Access, division: str | None = None, stage: str | None = None
) -> HttpResponse:
    """Show the first rows of a stage's standings, by default of the newest one or of teams if they win."""
    here = _stage(access, division, stage)
    rows: Any = ()
    if division is None and access.competition.crowns_teams:
        rows = team_ranking(access.competition, public=True)
    elif here:
        rows = standings_of([here], public=True)[here.pk].rows
    played = [line for line in rows if line.row.games]
    size = rows_of(request, "standings")
    return _frame(request, access, "standings", stage=here, rows=played[:size], more=len(played) - size)


@framed
def tables(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the tables that play now or next, as far as their seating is published."""
    lists = seating_lists(current_rounds(access), access.competition, public=True)
    left = rows_of(request, "tables")
    shown = []
    for form in lists:
        tables = form.tables[:left]
        shown.append((form.round, tables))
        left -= len(tables)
    more = sum(len(form.tables) for form in lists) - sum(len(found) for _round, found in shown)
    filled = [(round_, tables) for round_, tables in shown if tables]
    return _frame(request, access, "tables", lists=filled, more=more)


@framed
def player(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show a player's rank, total and last games in the newest stage."""
    entrant = access.entrant(pk)
    choices = stages_of(access.competition, public=True)
    record = next(iter(player_records(entrant, access.competition, choices, public=True)), None)
    games = [step for step in reversed(record.steps) if step.game] if record else []
    values = {"info": info_of(entrant), "record": record, "games": games[: rows_of(request, "player")]}
    return _frame(request, access, "player", entrant=entrant, **values)


def _frame(request: HttpRequest, access: Access, name: str, **values: Any) -> HttpResponse:
    return page(request, access, f"embeds/{name}.html", theme=request.GET.get("theme") or AUTO, **values)


def _stage(access: Access, division: str | None, stage: str | None) -> Stage | None:
    """Return the stage at this address, or the newest one with results, if visitors may see it."""
    return chosen_stage(stages_of(access.competition, public=True), division, stage)


# --- the page of organizers


@reads(Can.ORGANIZE)
def site(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the code of a framed page for the choices in the address, and the page itself."""
    asked = request.GET if "show" in request.GET else {"show": "standings", "theme": "auto"}
    form = EmbedForm(asked, parts=_parts(access))
    values: dict[str, Any] = {}
    if form.is_valid():
        url = request.build_absolute_uri(f"/c/{access.competition.slug}/embed/{form.cleaned_data['show']}/")
        name, kwargs = _framed_page(request, url)
        path = reverse(f"embeds:{name}", kwargs=kwargs, query=form.query or None)
        title, height = _title(access, name, kwargs), frame_height(name, form.cleaned_data["rows"])
        code = frame_code(request.build_absolute_uri(path), title, width="100%", height=height)
        values = {"path": path, "height": height, "code": code, "frame_title": title}
    language = urlencode({"language": translation.get_language()})
    return page(
        request,
        access,
        "embeds/site.html",
        form=form,
        script=request.build_absolute_uri(f"/{settings.STATIC_URL.lstrip('/')}js/embed.js"),
        feed=request.build_absolute_uri(f"{access.address('embeds:feed')}?{language}"),
        public_address=request.build_absolute_uri(access.address("standings:competition")),
        is_private=access.competition.visibility == "private",
        **values,
    )


def _parts(access: Access) -> list[tuple[str, Any]]:
    """Return what a site can show: the address below ``embed/``, and its words."""
    stages = [choice.stage for choice in stages_of(access.competition, public=True)]
    named = [
        (f"standings/{stage.division.slug}/{stage.slug}", f"{stage.division.name} · {stage.name}")
        for stage in stages
    ]
    people = [
        (f"players/{entrant.pk}", entrant.player.name) for entrant in listed_entrants(access.competition)
    ]
    groups = [(_("Standings of a stage"), named if len(named) > 1 else []), (_("A player"), people)]
    return [("standings", _("Standings")), ("tables", _("Next tables")), *filter(itemgetter(1), groups)]


def _title(access: Access, name: str, kwargs: Mapping[str, Any]) -> str:
    """Return the name of what a framed page shows. Raise ``Http404`` if visitors may not see it."""
    words = _("Next tables") if name == "tables" else _("Standings")
    if name == "player":
        words = info_of(access.entrant(kwargs["pk"])).name
    elif name == "stage" and (found := _stage(access, kwargs["division"], kwargs["stage"])):
        here = where({"access": access, "public": True}, found)
        words = labelled(words, here) if here else words
    return f"{words} · {access.competition.name}"


# --- oEmbed


@require_safe
def oembed(request: HttpRequest) -> HttpResponseBase:
    """Answer with a frame for a page of ours (oEmbed 1.0). Raise ``Http404`` for other hosts and private
    pages.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=NOT_IMPLEMENTED)
    if "url" not in request.GET:
        return HttpResponse(status=400)
    name, kwargs = _framed_page(request, request.GET["url"])
    access = enter(AnonymousUser(), kwargs["slug"])
    make = partial(_rich, request, access, name, kwargs)
    response = answer(request, (*facts_of(access), "oembed"), make, may_keep=False)
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _framed_page(request: HttpRequest, url: str) -> tuple[str, dict[str, Any]]:
    """Return the framed page for an absolute address of this host, or raise ``Http404``."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise Http404 from None
    if parts.scheme not in {"http", "https"} or parts.netloc.lower() != request.get_host().lower():
        raise Http404
    match = resolve(unquote(parts.path))
    name = FRAMES.get(match.view_name, match.view_name.removeprefix("embeds:"))
    if name not in FRAMES.values():
        raise Http404
    return name, match.kwargs


def _rich(request: HttpRequest, access: Access, name: str, kwargs: dict[str, Any]) -> HttpResponse:
    width = min(number_in(request.GET, "maxwidth") or WIDTH, WIDTH)
    usual = frame_height(name)
    height = min(number_in(request.GET, "maxheight") or usual, usual)
    query = {"rows": rows_in(name, height)} if height < usual else None
    path = reverse(f"embeds:{name}", kwargs=kwargs, query=query)
    title = _title(access, name, kwargs)
    picture = access.address("standings:picture")
    if name == "player":
        picture = access.address("standings:player_picture", kwargs["pk"])
    return JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": title,
            "author_name": access.competition.league.name,
            "provider_name": "Umaoka",
            "provider_url": request.build_absolute_uri("/"),
            "thumbnail_url": request.build_absolute_uri(picture),
            "thumbnail_width": 1200,
            "thumbnail_height": 630,
            "html": frame_code(request.build_absolute_uri(path), title, width=width, height=height),
            "width": width,
            "height": height,
        }
    )


# --- the feed


@public_page(language=LANGUAGES)
def feed(request: HttpRequest, access: Access) -> HttpResponse:
    with translation.override(language_of(request)):
        found = publications(access.competition, stages_of(access.competition, public=True))
        final = newest_standings(access.competition) if access.competition.finished_at else []
        text = results_feed(request, access, found, final)
    return HttpResponse(text, content_type=ResultsFeed.content_type)
