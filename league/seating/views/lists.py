"""Who sits where: lists to print, pages for the wall, and "where do I sit?" for a phone.

The wall and the phone show what is published, to whomever they belong. The phone remembers a player in a
cookie of this page alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from league.core.access import Access, enter
from league.core.caching import PAGES, answer, facts_of, public_page
from league.core.pages import AUDIENCES, context_of, for_public, number_in
from league.core.qr import qr_code
from league.models import Round
from league.open_play.queries import to_be_played
from league.people.queries import PlayerInfo, info_of, players_of
from league.seating.queries.lists import (
    ListedTable,
    OwnRound,
    SeatingList,
    SeatLine,
    from_current,
    named_like,
    own_rounds,
    seated_rounds,
    seating_lists,
)

ORDERS = frozenset({"name"})
TABLES_A_SCREEN = 9
NAMES_A_SCREEN = 30
FOUND = 40  # players shown for what was typed
REMEMBERED = "seat"  # the cookie
REMEMBERED_FOR = 180 * 24 * 3600  # seconds
# How many seats fit one sheet of paper in letters of which size: the class of the list, from the largest.
SIZES = ((40, "large"), (80, "middle"), (160, "small"))


def reads_han() -> bool:
    return (get_language() or "en").split("-")[0] in {"ja", "zh"}


# --- a round on paper


@public_page(by=ORDERS, view=AUDIENCES)
def seating_list(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The seats of a round to print, by table or (``by=name``) by name: one sheet of A4 for 40 tables."""
    public = for_public(request, access)
    round_ = access.round(pk)
    if public and round_.visibility == Round.Visibility.HIDDEN:
        raise Http404
    (listed,) = seating_lists([round_], access.competition, public=public)
    by_name = request.GET.get("by") == "name"
    address = request.build_absolute_uri(reverse("seating:my_seat", args=[access.competition.slug]))
    context = context_of(
        request,
        access,
        round=round_,
        list=listed,
        by_name=by_name,
        lines=listed.by_name(reads_han=reads_han()) if by_name else (),
        size=next((size for seats, size in SIZES if len(listed.seats) <= seats), "small"),
        code=qr_code(address),
        address=address.partition("://")[2],
    )
    return render(request, "seating/list.html", context)


# --- on the wall


@dataclass(frozen=True, slots=True)
class Screen:
    """What the wall shows at once: tables, or names, of one round."""

    list: SeatingList
    tables: Sequence[ListedTable] = ()
    lines: Sequence[SeatLine] = ()


@public_page(by=ORDERS, page=PAGES)
def seating_screen(request: HttpRequest, access: Access, pk: int | None = None) -> HttpResponse:
    """The published seating in large letters, one part after the other: of the rounds that go on, or of one
    (which staff may show before it is published).
    """
    rounds = [access.round(pk)] if pk is not None else _going_on(access)
    by_name = request.GET.get("by") == "name"
    lists = seating_lists(rounds, access.competition, public=not access.is_staff)
    screens = list(_screens(lists, by_name=by_name))
    page = Paginator(screens, 1).get_page(request.GET.get("page"))
    address = request.build_absolute_uri(reverse("seating:my_seat", args=[access.competition.slug]))
    context = context_of(
        request,
        access,
        page=page,
        screen=page.object_list[0] if screens else None,
        following=page.number % max(len(screens), 1) + 1,
        by_name=by_name,
        order="&by=name" if by_name else "",
        code=qr_code(address),
        address=address.partition("://")[2],
    )
    return render(request, "seating/screen.html", context)


def _going_on(access: Access) -> list[Round]:
    """The published rounds that are being played; of a division where none is, its current one."""
    shown = []
    for rounds in from_current(_published(access)):
        opened = [each for each in rounds if each.status == Round.Status.OPEN]
        shown += opened or rounds[:1]
    return shown


def _published(access: Access) -> list[Round]:
    shown = access.rounds().exclude(visibility=Round.Visibility.HIDDEN)
    return seated_rounds(to_be_played(shown))


def _screens(lists: Sequence[SeatingList], *, by_name: bool) -> Iterator[Screen]:
    for listed in lists:
        if by_name:
            lines = listed.by_name(reads_han=reads_han())
            for at in range(0, len(lines), NAMES_A_SCREEN):
                yield Screen(listed, lines=lines[at : at + NAMES_A_SCREEN])
        else:
            for at in range(0, len(listed.tables), TABLES_A_SCREEN):
                yield Screen(listed, tables=listed.tables[at : at + TABLES_A_SCREEN])


# --- on a phone


@dataclass(frozen=True, slots=True)
class Found:
    """A player found by name, with the first of their rounds."""

    player: PlayerInfo
    first: OwnRound | None


@require_http_methods(["GET", "HEAD", "POST"])
def my_seat(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Where does this player sit? Asked by name; a POST makes this phone remember a player, or forget."""
    access = enter(request.user, slug)
    if request.method == "POST":
        return _remember(request, access)
    here = reverse("seating:my_seat", args=[slug])
    remembered = _remembered(request, access)
    if remembered is not None and not {"q", "player"} & request.GET.keys():
        return HttpResponseRedirect(f"{here}?player={remembered}")
    # The page says whether this player is remembered, and its form holds a token made from a cookie.
    personal = remembered, request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    return answer(
        request,
        (*facts_of(access), personal),
        lambda: _seat_page(request, access, remembered),
        may_keep=False,
    )


def _seat_page(request: HttpRequest, access: Access, remembered: int | None) -> HttpResponse:
    people = players_of(access.competition)
    lists = _from_current(access, people)
    text = request.GET.get("q", "")[:100].strip()
    number = number_in(request.GET, "player")
    context = context_of(
        request, access, q=text, remembered=remembered, rounds=[each.round for each in lists]
    )
    if number is not None and not text:
        entrant = access.entrant(number)
        own = own_rounds(entrant.player_id, lists)
        return render(
            request,
            "seating/my_seat.html",
            context | {"entrant": entrant, "info": info_of(entrant), "own": own},
        )
    found = named_like(text, people.values()) if text else []
    lines = [Found(info, next(iter(own_rounds(info.player, lists)), None)) for info in found[:FOUND]]
    return render(request, "seating/find_seat.html", context | {"found": lines, "more": len(found) > FOUND})


def _from_current(access: Access, people: dict[int, PlayerInfo]) -> list[SeatingList]:
    rounds = [each for rounds in from_current(_published(access)) for each in rounds]
    return seating_lists(rounds, access.competition, public=True, people=people)


def _remembered(request: HttpRequest, access: Access) -> int | None:
    """The entrant whom this phone remembers, if there still is such a one."""
    kept = request.COOKIES.get(REMEMBERED, "")
    if not (kept.isascii() and kept.isdigit() and len(kept) <= 18):
        return None
    return int(kept) if access.competition.entrants.filter(pk=int(kept)).exists() else None


def _remember(request: HttpRequest, access: Access) -> HttpResponse:
    here = reverse("seating:my_seat", args=[access.competition.slug])
    number = number_in(request.POST, "player")
    if number is None:
        response = HttpResponseRedirect(here)
        response.delete_cookie(REMEMBERED, path=here, samesite="Lax")
        return response
    entrant = access.entrant(number)
    response = HttpResponseRedirect(f"{here}?player={entrant.pk}")
    response.set_cookie(
        REMEMBERED,
        str(entrant.pk),
        max_age=REMEMBERED_FOR,
        path=here,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
