"""Operations that write. They call the services of the pages, for the person who made the token."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest
from ninja import Path

from league.api import exports, schema, services
from league.api.views.api import (
    COMPETITION,
    ROUND,
    STAGE,
    TABLE,
    AtRound,
    AtStage,
    AtTable,
    access_of,
    save,
    writes,
)
from league.core.access import Can
from league.models import Round
from league.results.services import confirm_result, record_result
from league.rounds.services import close_round, open_round, seat_players, set_visibility


@writes("POST", f"{COMPETITION}/players", schema.PlayersSaved, need=Can.ORGANIZE)
def save_players(request: HttpRequest, slug: str, body: schema.PlayersIn) -> schema.PlayersSaved:
    """Enter players and change players.

    A player without `id` is entered, as by the import of a list. A player with `id` is changed.
    """
    competition = access_of(request).competition
    write = partial(services.save_players, competition=competition, players=body.players)
    return schema.PlayersSaved(**save(request, body, write))


@writes("POST", f"{STAGE}/rounds", schema.RoundTables, need=Can.ORGANIZE, status=201)
def make_round(request: HttpRequest, at: Path[AtStage], body: schema.NewRound) -> schema.RoundTables:
    """Create a round, planned and hidden, and seat it if tables or a draw are sent."""
    saved = save(request, body, partial(services.make_round, stage=at.find_stage(request), sent=body))
    access = access_of(request)
    return exports.round_tables(access, access.round(saved["round"]))


@writes("PATCH", ROUND, schema.RoundTables, need=Can.ORGANIZE)
def change_round(request: HttpRequest, at: Path[AtRound], body: schema.RoundChange) -> schema.RoundTables:
    """Open or close a round, and choose what visitors see of it."""
    round_, services_of = at.find_round(request), {"open": open_round, "closed": close_round}
    write: Callable[..., object] = services_of.get(body.status or "", set_visibility)
    if body.status or body.visibility:
        save(request, body, partial(write, round_=round_, visibility=body.visibility))
    return exports.round_tables(access_of(request), at.find_round(request))


@writes("PUT", f"{ROUND}/seating", schema.RoundTables, need=Can.ORGANIZE)
def seat_round(request: HttpRequest, at: Path[AtRound], body: schema.SeatingIn) -> schema.RoundTables:
    """Replace the seating of a round."""
    round_, access = at.find_round(request), access_of(request)
    tables = services.find_tables(access.competition, body.tables)
    by_hand = partial(seat_players, method=Round.Method.HAND)
    save(request, body, partial(by_hand, round_=round_, tables=tables, based_on=body.based_on))
    return exports.round_tables(access, at.find_round(request))


@writes("PUT", f"{TABLE}/sheet", schema.TableOut, need=Can.SCORE)
def save_sheet(request: HttpRequest, at: Path[AtTable], body: schema.SheetIn) -> schema.TableOut:
    """Enter or correct a score sheet.

    409 if another score sheet than `based_on` is saved. Read the table, compare, and send it again.
    """
    table, access = at.find_table(request), access_of(request)
    values = services.sheet_values(access.competition, body)
    save(request, body, partial(record_result, table=table, **values))
    return exports.table_at(access, table.round, at.table)


@writes("POST", f"{TABLE}/sheet/confirmation", schema.TableOut, need=Can.STAFF)
def confirm_sheet(request: HttpRequest, at: Path[AtTable], body: schema.ConfirmIn) -> schema.TableOut:
    """Confirm a score sheet as a second person.

    The maker of this token must not have entered it.
    """
    table = at.find_table(request)
    save(request, body, partial(confirm_result, table=table, based_on=body.based_on))
    return exports.table_at(access_of(request), table.round, at.table)
