from functools import partial
from itertools import groupby
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.core.access import Access, Can, enter_by_feed_key
from league.core.caching import answer, facts_of, public_page
from league.core.pages import Asked, page, presses, reads
from league.core.stages import stages_of
from league.core.text import labelled
from league.models import Role
from league.people.members.queries import linked_players
from league.play.calendar.exports import CONTENT_TYPE, Reader, calendar_feed
from league.play.calendar.forms import FeedForm
from league.play.calendar.queries.calendar import Calendar, calendar_of, calendar_of_player, seats_of_player
from league.play.calendar.services.calendar import renew_feed_key
from league.play.calendar.views.calendar import division_at

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


@reads()
def feeds(request: HttpRequest, access: Access) -> HttpResponse:
    competition = access.competition
    stages = [choice.stage for choice in stages_of(competition, public=not access.is_staff)]
    entrants = competition.entrants.filter(player__in=linked_players(access.user.pk, competition))
    divisions = [each for each, _same in groupby(stage.division for stage in stages)]
    return page(
        request,
        access,
        "calendar/feeds.html",
        whole=_feed_address(request, access.address("calendar:competition_feed")),
        divisions=[
            (division, _feed_address(request, access.address("calendar:division_feed", division.slug)))
            for division in divisions
        ],
        players=[
            (entrant, _feed_address(request, access.address("calendar:player_feed", entrant.pk)))
            for entrant in entrants.select_related("player")
        ],
        own=[(role, _own_address(request, role.feed_key)) for role in _roles(access)],
        is_private=competition.visibility == "private",
    )


def _roles(access: Access) -> list[Role]:
    """Return the person's own roles. Owners of the league get an organizer's role with its address."""
    if not access.user.is_authenticated:
        return []
    roles = list(Role.objects.filter(competition=access.competition, user=access.by).select_related("player"))
    if access.can_organize and Role.Kind.ORGANIZER not in {role.kind for role in roles}:
        roles.append(Role(competition=access.competition, user=access.by, kind=Role.Kind.ORGANIZER))
    return roles


def _own_address(request: HttpRequest, key: str | None) -> str:
    return _feed_address(request, reverse("calendar:own_feed", args=[key])) if key else ""


def _feed_address(request: HttpRequest, address: str) -> str:
    language = urlencode({"lang": translation.get_language()})
    return request.build_absolute_uri(f"{address}?{language}")


@presses(Can.VIEW, done=gettext_lazy("Address created. Add it to your calendar."))
def feed_renew(request: HttpRequest, access: Access) -> Asked:
    if not access.roles:
        raise PermissionDenied
    return Asked(
        partial(renew_feed_key, competition=access.competition),
        FeedForm(request.POST, organizes=access.can_organize),
        then=access.address("calendar:feeds"),
    )


@public_page(lang=LANGUAGES)
def competition_feed(request: HttpRequest, access: Access) -> HttpResponse:
    calendar = calendar_of(access.competition, public=True)
    return _feed(request, access, calendar, name=access.competition.name)


@public_page(lang=LANGUAGES)
def division_feed(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    divisions = [choice.stage.division for choice in stages_of(access.competition, public=True)]
    found_division = division_at(divisions, division)
    if found_division is None:
        raise Http404
    calendar = calendar_of(access.competition, public=True).of_division(found_division.pk)
    return _feed(request, access, calendar, name=labelled(access.competition.name, found_division.name))


@public_page(lang=LANGUAGES)
def player_feed(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _player_feed(request, access, access.entrant(pk).player_id)


def _player_feed(request: HttpRequest, access: Access, player: int) -> HttpResponse:
    entrant = get_object_or_404(access.competition.entrants.select_related("player"), player=player)
    calendar = calendar_of_player(calendar_of(access.competition, public=True), entrant)
    name = labelled(access.competition.name, entrant.player.name)
    return _feed(request, access, calendar, name=name, player=player)


@require_safe
def own_feed(request: HttpRequest, feed: str) -> HttpResponseBase:
    """Serve a role's secret address: everything for staff, a linked player's days, or the public calendar."""
    access, role = enter_by_feed_key(feed)

    def make() -> HttpResponse:
        player = role.player_id
        entered = access.competition.entrants.filter(player=player)
        if player is not None and not access.is_staff and entered.exists():
            return _player_feed(request, access, player)
        calendar = calendar_of(access.competition, public=not access.is_staff)
        return _feed(request, access, calendar, name=access.competition.name)

    facts = (*facts_of(access), role.pk, role.player_id)
    return answer(request, facts, make, may_keep=False)


def _feed(
    request: HttpRequest, access: Access, calendar: Calendar, *, name: str, player: int | None = None
) -> HttpResponse:
    competition = access.competition
    reader = Reader(
        name=name,
        site=request.get_host(),
        page=request.build_absolute_uri(access.address("calendar:calendar")),
        several_divisions=len({day.stage.division_id for day in calendar.days}) > 1,
        player=player,
        seats={} if player is None else seats_of_player(calendar, player),
    )
    asked = request.GET.get("lang", "")
    with translation.override(asked if asked in LANGUAGES else translation.get_language()):
        return HttpResponse(calendar_feed(calendar, competition, reader), content_type=CONTENT_TYPE)
