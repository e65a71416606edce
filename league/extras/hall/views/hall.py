"""The hall: all tables of the rounds that are on, for staff, and the points during play for visitors."""

from collections import Counter

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.pages import page, reads, takes
from league.extras.hall.queries.tables import hall_rounds, live_rounds, live_version, rounds_on
from league.extras.hall.words import State
from league.play.entry.panels import press_approval


@gzip_page
@reads(Can.STAFF)
def hall(request: HttpRequest, access: Access) -> HttpResponse:
    rounds = hall_rounds(access.competition, rounds_on(access))
    counts = Counter(state for round_ in rounds for table in round_.tables for state in table.states)
    asked = request.GET.get("state", "")
    chosen = State(asked) if asked in State.values else None
    shown = [
        (round_, [table for table in round_.tables if chosen is None or chosen in table.states])
        for round_ in rounds
    ]
    return page(
        request,
        access,
        "hall/hall.html",
        rounds=shown,
        filters=[(state, counts[state]) for state in State if counts[state] or state == chosen],
        count=sum(len(round_.tables) for round_ in rounds),
        chosen=chosen,
    )


@takes(Can.STAFF)
def approve(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Approve the score sheets that the page listed and that are still clean."""
    (now,) = hall_rounds(access.competition, [access.round(pk)])
    held = [table.sheet.proposal.pk for table in now.tables if table.held and table.sheet.proposal]
    return press_approval(request, access, now.round, held=held, back=access.address("hall:index"))


# --- for visitors


def _live(access: Access) -> int:
    return live_version(live_rounds(access))


@public_page(_live)
def live(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the points during play, if the competition shows them."""
    rounds = live_rounds(access)
    return page(
        request,
        access,
        "hall/live.html",
        rounds=hall_rounds(access.competition, rounds) if rounds else [],
        revision=f"r{access.competition.revision} {live_version(rounds)}",
    )


@public_page(_live)
def live_versions(request: HttpRequest, access: Access) -> HttpResponse:
    return JsonResponse({"revision": f"r{access.competition.revision} {_live(access)}"})
