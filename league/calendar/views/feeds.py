"""Calendars to subscribe to: of a competition, a division, a player, and of one's own role."""

from itertools import groupby
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.calendar.exports import CONTENT_TYPE, Reader, calendar_feed
from league.calendar.forms import FeedForm
from league.calendar.queries.calendar import Calendar, calendar_of, calendar_of_player, tables_of_player
from league.calendar.services.calendar import renew_feed_key
from league.calendar.views.calendar import chosen_division
from league.core.access import Access, enter, enter_by_feed_key
from league.core.caching import answer, facts_of, public_page
from league.core.forms import attempt
from league.core.pages import context_of
from league.core.stages import stages_of
from league.models import Role
from league.open_play.queries import linked_players

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


@never_cache
@require_safe
def feeds(request: HttpRequest, slug: str) -> HttpResponse:
    """The addresses to put into one's own calendar."""
    access = enter(request.user, slug)
    competition = access.competition
    stages = [choice.stage for choice in stages_of(competition, public=not access.is_staff)]
    entrants = competition.entrants.filter(player__in=linked_players(access.user.pk, competition))
    own = [(role, _own_address(request, role)) for role in _roles(access)]
    divisions = [found for found, _same in groupby(stage.division for stage in stages)]
    context = context_of(
        request,
        access,
        whole=_feed_address(request, "calendar:competition_feed", slug),
        divisions=[
            (each, _feed_address(request, "calendar:division_feed", slug, each.slug)) for each in divisions
        ],
        players=[
            (each, _feed_address(request, "calendar:player_feed", slug, each.pk))
            for each in entrants.select_related("player")
        ],
        own=[(role, address, FeedForm(initial={"role": role.pk}, auto_id=False)) for role, address in own],
        is_private=competition.visibility == "private",
    )
    return render(request, "calendar/feeds.html", context)


def _roles(access: Access) -> list[Role]:
    """One's own roles. Owners of the league are organizers without one: theirs is made with its address."""
    if not access.user.is_authenticated:
        return []
    found = Role.objects.filter(competition=access.competition, user=access.by).select_related("player")
    roles = list(found)
    if access.can_organize and Role.Kind.ORGANIZER not in {role.kind for role in roles}:
        roles.append(Role(competition=access.competition, user=access.by, kind=Role.Kind.ORGANIZER))
    return roles


def _own_address(request: HttpRequest, role: Role) -> str:
    return _feed_address(request, "calendar:own_feed", role.feed_key) if role.feed_key else ""


def _feed_address(request: HttpRequest, name: str, *arguments: object) -> str:
    """In the language of the page: calendars ask without one."""
    language = urlencode({"lang": translation.get_language()})
    return request.build_absolute_uri(f"{reverse(name, args=arguments)}?{language}")


@never_cache
@require_POST
def feed_renew(request: HttpRequest, slug: str) -> HttpResponse:
    """Make or renew the secret address of one's own role."""
    access = enter(request.user, slug)
    if not access.roles:
        raise PermissionDenied
    form = FeedForm(request.POST)
    is_own = form.is_valid() and (form.cleaned_data["role"] is not None or access.can_organize)
    if is_own and attempt(
        form,
        lambda: renew_feed_key(
            competition=access.competition,
            role_id=form.cleaned_data["role"],
            by=access.by,
            form=form.submission("feed"),
        ),
    ):
        messages.success(request, _("The address is ready: put it into your calendar."))
    else:
        messages.error(request, _("This page was out of date. Look at it again, then press once more."))
    return redirect("calendar:feeds", slug)


@public_page(lang=LANGUAGES, view=frozenset({"public"}))
def competition_feed(request: HttpRequest, access: Access) -> HttpResponse:
    """Everything that is public of the whole competition."""
    found = calendar_of(access.competition, public=True)
    return _feed(request, access, found, name=access.competition.name)


@public_page(lang=LANGUAGES, view=frozenset({"public"}))
def division_feed(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    shown = [choice.stage.division for choice in stages_of(access.competition, public=True)]
    chosen = chosen_division(shown, division)
    if chosen is None:
        raise Http404
    found = calendar_of(access.competition, public=True).of_division(chosen.pk)
    return _feed(request, access, found, name=f"{access.competition.name}: {chosen.name}")


@public_page(lang=LANGUAGES, view=frozenset({"public"}))
def player_feed(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What is public of one player's days and tables."""
    return _player_feed(request, access, access.entrant(pk).player_id)


def _player_feed(request: HttpRequest, access: Access, player: int) -> HttpResponse:
    entrant = get_object_or_404(access.competition.entrants.select_related("player"), player=player)
    found = calendar_of_player(calendar_of(access.competition, public=True), entrant)
    name = f"{access.competition.name}: {entrant.player.name}"
    return _feed(request, access, found, name=name, player=player)


@require_safe
def own_feed(request: HttpRequest, feed: str) -> HttpResponseBase:
    """The calendar of a role, for whoever has its secret address: staff see what staff see; a player who is
    known by name has their own days, and another one everybody's.
    """
    access, role = enter_by_feed_key(feed)

    def make() -> HttpResponse:
        plays = role.player_id is not None and access.competition.entrants.filter(player=role.player_id)
        if plays and not access.is_staff and role.player_id is not None:
            return _player_feed(request, access, role.player_id)
        found = calendar_of(access.competition, public=not access.is_staff)
        return _feed(request, access, found, name=access.competition.name)

    facts = (*facts_of(access), role.pk, role.player_id)
    return answer(request, facts, make, may_keep=False)


def _feed(
    request: HttpRequest, access: Access, found: Calendar, *, name: str, player: int | None = None
) -> HttpResponse:
    competition = access.competition
    reader = Reader(
        name=name,
        site=request.get_host(),
        page=request.build_absolute_uri(reverse("calendar:calendar", args=[competition.slug])),
        several_divisions=len({day.stage.division_id for day in found.days}) > 1,
        player=player,
        tables={} if player is None else tables_of_player(found, player),
    )
    asked = request.GET.get("lang", "")
    with translation.override(asked if asked in LANGUAGES else translation.get_language()):
        return HttpResponse(calendar_feed(found, competition, reader), content_type=CONTENT_TYPE)
