"""The commentator's page of a table, and the picture of a table for a stream.

Visitors follow the tables whose points are public. Staff follow every table that they see.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from league.core.access import Access
from league.core.caching import public_page
from league.core.extras import first_answer
from league.core.pages import page
from league.extras.hall.queries.commentary import WatchedTable, watched_table
from league.extras.hall.queries.screens import screen_rounds
from league.extras.hall.queries.tables import hall_rounds, live_rounds, live_version
from league.models import Round, Screen, Table
from league.rules.rule_sets.queries.rule_sets import division_key


def _version(access: Access, pk: int) -> object:
    return live_version([access.table(pk).round])


@public_page(_version)
def versions(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return JsonResponse({"revision": _revision(access, access.table(pk))})


def _revision(access: Access, table: Table) -> str:
    return f"{access.seen_version} {live_version([table.round])}"


@public_page(_version)
def table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.table(pk)
    watched = _watch(access, found) if _may_follow(access, found) else None
    return page(
        request,
        access,
        "hall/commentary.html",
        table=found,
        watched=watched,
        needs=needs_of(watched) if watched else None,
        revision=_revision(access, found),
    )


def _may_follow(access: Access, table: Table) -> bool:
    if access.is_staff:
        return table.round.status == Round.Status.OPEN
    return any(round_.pk == table.round_id for round_ in live_rounds(access))


def _watch(access: Access, table: Table) -> WatchedTable | None:
    (round_,) = hall_rounds(access.competition, [table.round])
    found = next((each for each in round_.tables if each.table.pk == table.pk), None)
    return watched_table(found, public=not access.is_staff) if found else None


def needs_of(watched: WatchedTable) -> Any | None:
    """Return the conditions of all four for first place, or None while no points are kept, or if no extra has
    them.
    """
    if not watched.has_needs:
        return None
    key, riichi = division_key(watched.table.table.round.stage.division), watched.table.game.riichi
    game, players, totals = watched.game, watched.players, watched.totals
    return first_answer("hall.commentary", game, players, totals, riichi=riichi, rules_key=key)


def stream_parts(access: Access, screen: Screen) -> list[dict[str, Any]]:
    """Return the table of a picture for a stream, with what each player needs in the last hand."""
    for round_ in hall_rounds(access.competition, screen_rounds(live_rounds(access), screen)):
        for each in round_.tables:
            if each.table.number == screen.table:
                watched = watched_table(each, public=True)
                needs = needs_of(watched) if watched.is_last else None
                calls = [player.call for player in needs.players] if needs else [""] * len(watched.seats)
                return [{"watched": watched, "seats": list(zip(watched.seats, calls, strict=True))}]
    return []
