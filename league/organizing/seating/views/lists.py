"""Who sits where: lists to print, screens for the wall, and a page on which players find their seat.

Screens and the seat page show staff, too, only published rounds.
"""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.core.access import Access, enter
from league.core.caching import PAGES, answer, facts_of, public_page
from league.core.extras import answers
from league.core.me import Me, find_device, find_me, remember_device, remember_me
from league.core.pages import for_public, number_in, page, reads, screen_values
from league.core.qr import coded_address
from league.core.text import reads_han
from league.models import Round
from league.organizing.seating.panels import current_rounds, published_rounds, seating_parts
from league.organizing.seating.queries.lists import (
    SeatingList,
    coming_rounds,
    find_named,
    from_current,
    own_rounds,
    seating_lists,
)
from league.people.members.queries import players_of
from league.play.calendar.queries.table_times import awaited_answers
from league.ranking.boards.panels import own_line

ORDERS = frozenset({"name"})
FOUND = 40  # players shown for what was typed
# How many seats fit one sheet of paper in letters of which size: the class of the list, from the largest.
SIZES = ((40, "large"), (80, "middle"), (160, "small"))


# --- a round on paper


def list_size(listed: SeatingList) -> str:
    return next((size for seats, size in SIZES if len(listed.seats) <= seats), "small")


@public_page(by=ORDERS)
def seating_list(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Render the seats of a round to print, by table or by name. Forty tables fit one sheet of A4."""
    public = for_public(request, access)
    round_ = access.round(pk)
    if public and round_.visibility == Round.Visibility.HIDDEN:
        raise Http404
    (listed,) = seating_lists([round_], access.competition, public=public)
    by_name = request.GET.get("by") == "name"
    return page(
        request,
        access,
        "seating/list.html",
        round=round_,
        list=listed,
        by_name=by_name,
        lines=listed.by_name(reads_han=reads_han()) if by_name else (),
        size=list_size(listed),
        **coded_address(request, access.address("seating:my_seat")),
    )


# --- on the wall


@public_page(by=ORDERS, page=PAGES)
def seating_screen(request: HttpRequest, access: Access, pk: int | None = None) -> HttpResponse:
    """Show current rounds, or one that staff may show unpublished, in large letters."""
    rounds = [access.round(pk)] if pk is not None else current_rounds(access)
    by_name = request.GET.get("by") == "name"
    screens = seating_parts(access, rounds, public=not access.is_staff, by_name=by_name)
    return page(
        request,
        access,
        "seating/screen.html",
        by_name=by_name,
        order="&by=name" if by_name else "",
        **screen_values(request, access, screens, "seating:my_seat"),
    )


# --- on a phone


@require_http_methods(["GET", "HEAD", "POST"])
def my_seat(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Find a player's seat by name. A POST makes this phone remember or forget the player."""
    access = enter(request.user, slug)
    if request.method == "POST":
        return _remember(request, access)
    me = find_me(request, access)
    if me is not None and not {"q", "player"} & request.GET.keys():
        return HttpResponseRedirect(f"{access.address('seating:my_seat')}?player={me.entrant.pk}")
    # The page says whether this player is known, and its form holds a token made from a cookie.
    known = (me.entrant.pk, me.is_proved) if me else None
    personal = (known, request.COOKIES.get(settings.CSRF_COOKIE_NAME))
    return answer(
        request, (*facts_of(access), personal), lambda: _seat_page(request, access, me), may_keep=False
    )


@reads()
def own_row(request: HttpRequest, access: Access) -> HttpResponse:
    """Return the known player's line of the standings, whose page is cached for all, or 204."""
    me = find_me(request, access)
    line = own_line(me.entrant) if me else None
    if line is None:
        return HttpResponse(status=204)
    own = coming_rounds({access.competition: line.player.player}, most=1)
    return page(request, access, "seating/_own_row.html", line=line, next=next(iter(own), None))


@reads()
def own_next(request: HttpRequest, access: Access) -> HttpResponse:
    """Return the known player's next table for the front page, or 204."""
    me = find_me(request, access)
    own = coming_rounds({access.competition: me.entrant.player_id}, most=1) if me else []
    asked = _asked(me, back=reverse("competitions:home"))
    if not (own or asked["asked"]):
        return HttpResponse(status=204)
    return page(request, access, "seating/_next.html", each=next(iter(own), None), **asked)


@reads()
def own_asked(request: HttpRequest, access: Access) -> HttpResponse:
    """Return the times that await an answer of the known player, for the calendar, or 204."""
    asked = _asked(find_me(request, access), back=access.address("calendar:calendar"))
    if not asked["asked"]:
        return HttpResponse(status=204)
    return page(request, access, "calendar/_asked.html", **asked)


def _asked(me: Me | None, *, back: str) -> dict[str, Any]:
    player = {me.entrant.competition_id: me.entrant.player_id} if me else {}
    return {
        "asked": awaited_answers(player, now=timezone.now()),
        "proved": me is not None and me.is_proved,
        "back": back,
    }


def _seat_page(request: HttpRequest, access: Access, me: Me | None) -> HttpResponse:
    people = players_of(access.competition)
    rounds = [each for rounds in from_current(published_rounds(access)) for each in rounds]
    text = request.GET.get("q", "")[:100].strip()
    number = number_in(request.GET, "player")
    values: dict[str, Any] = {"q": text, "me": me, "rounds": rounds}

    def lists(*players: int) -> list[SeatingList]:
        return seating_lists(rounds, access.competition, public=True, people=people, only=players)

    if number is not None and not text:
        entrant = access.entrant(number)
        own = own_rounds(entrant.player_id, lists(entrant.player_id))
        mine = me if me and me.entrant == entrant else None
        values |= {"is_me": mine, "entrant": entrant, "info": people[entrant.player_id], "own": own}
        values["stages"] = [each.stage for each in rounds]
        values |= _asked(mine, back=access.address("seating:my_seat"))
        return page(request, access, "seating/my_seat.html", **values)
    matching = find_named(text, people.values()) if text else []
    first_matches = matching[:FOUND]
    listed = lists(*(info.player for info in first_matches)) if first_matches else []
    lines = [(info, next(iter(own_rounds(info.player, listed)), None)) for info in first_matches]
    values |= {"found": lines, "more": len(matching) > FOUND}
    return page(request, access, "seating/find_seat.html", **values)


def _remember(request: HttpRequest, access: Access) -> HttpResponse:
    here = access.address("seating:my_seat")
    number = number_in(request.POST, "player")
    entrant = access.entrant(number) if number is not None else None
    response = HttpResponseRedirect(f"{here}?player={entrant.pk}" if entrant else here)
    remember_me(response, access, entrant)
    answers("seat.remembered", device=find_device(request), entrant=entrant)
    if entrant is None:
        remember_device(response, access, None)
    return response
