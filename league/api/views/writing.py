"""Operations that write. They call the services of the pages, for the person who made the token."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from league.api import exports, schema, services
from league.api.views.api import COMPETITION, ROUND, STAGE, Key, access_of, save, writes
from league.core.access import Access, Can
from league.core.errors import Refused
from league.models import Round, Table
from league.results.services import confirm_result, record_result
from league.rounds.services import close_round, open_round, seat_players, set_visibility
from scoring.units import WINDS

SHEET = f"{ROUND}/tables/{{int:table}}/sheet"


@writes("POST", f"{COMPETITION}/players", schema.PlayersSaved, need=Can.ORGANIZE)
def save_players(
    request: HttpRequest, slug: str, body: schema.PlayersIn, key: Key = None
) -> schema.PlayersSaved:
    """Enter players and change players.

    A player without `id` is entered, as by the import of a list. A player with `id` is changed.
    """
    competition = access_of(request).competition
    answer = save(
        request,
        key,
        body,
        lambda by, form: services.save_players(
            competition=competition, players=body.players, by=by, form=form
        ),
    )
    return schema.PlayersSaved(
        entered=answer.get("new", 0) + answer.get("same", 0),
        skipped=answer.get("skipped", 0),
        changed=sum(each.id is not None for each in body.players),
    )


# --- rounds


@writes("POST", f"{STAGE}/rounds", schema.RoundTables, need=Can.ORGANIZE, status=201)
def make_round(
    request: HttpRequest, slug: str, division: str, stage: str, body: schema.NewRound, key: Key = None
) -> schema.RoundTables:
    """Create a round, planned and hidden, and seat it if tables or a draw are sent."""
    access = access_of(request)
    found, keys = access.stage_at(division, stage), _keys(access)
    answer = save(
        request,
        key,
        body,
        lambda by, form: services.make_round(stage=found, sent=body, keys=keys, by=by, form=form),
    )
    return exports.round_tables(access, access.round(answer["round"]))


@writes("PATCH", ROUND, schema.RoundTables, need=Can.ORGANIZE)
def change_round(
    request: HttpRequest,
    slug: str,
    division: str,
    stage: str,
    number: int,
    body: schema.RoundChange,
    key: Key = None,
) -> schema.RoundTables:
    """Open or close a round, and choose what visitors see of it."""
    access = access_of(request)
    round_ = access.round_at(division, stage, number)
    if body.status is not None:
        write = open_round if body.status == Round.Status.OPEN else close_round
        save(
            request,
            key,
            body,
            lambda by, form: write(round_=round_, visibility=body.visibility, by=by, form=form),
        )
    elif (visibility := body.visibility) is not None:
        save(
            request,
            key,
            body,
            lambda by, form: set_visibility(round_=round_, visibility=visibility, by=by, form=form),
        )
    return exports.round_tables(access, access.round_at(division, stage, number))


@writes("PUT", f"{ROUND}/seating", schema.RoundTables, need=Can.ORGANIZE)
def seat_round(
    request: HttpRequest,
    slug: str,
    division: str,
    stage: str,
    number: int,
    body: schema.SeatingIn,
    key: Key = None,
) -> schema.RoundTables:
    """Replace the seating of a round."""
    access = access_of(request)
    round_, keys = access.round_at(division, stage, number), _keys(access)
    save(
        request,
        key,
        body,
        lambda by, form: seat_players(
            round_=round_,
            tables=services.read_tables(body.tables, keys),
            method=Round.Method.HAND,
            based_on=body.based_on,
            by=by,
            form=form,
        ),
    )
    return exports.round_tables(access, access.round_at(division, stage, number))


# --- score sheets


@writes("PUT", SHEET, schema.TableOut, need=Can.SCORE)
def save_sheet(
    request: HttpRequest,
    slug: str,
    division: str,
    stage: str,
    number: int,
    table: int,
    body: schema.SheetIn,
    key: Key = None,
) -> schema.TableOut:
    """Enter or correct a score sheet.

    409 if another score sheet than `based_on` is saved. Read the table, compare, and send it again.
    """
    access = access_of(request)
    found, keys = _table(access, division, stage, number, table), _keys(access)
    save(
        request,
        key,
        body,
        lambda by, form: record_result(
            table=found, **_sheet_values(body, keys), based_on=body.based_on, by=by, form=form
        ),
    )
    return exports.table_at(access, found.round, table)


@writes("POST", f"{SHEET}/confirmation", schema.TableOut, need=Can.STAFF)
def confirm_sheet(
    request: HttpRequest,
    slug: str,
    division: str,
    stage: str,
    number: int,
    table: int,
    body: schema.ConfirmIn,
    key: Key = None,
) -> schema.TableOut:
    """Confirm a score sheet as a second person.

    The maker of this token must not have entered it.
    """
    access = access_of(request)
    found = _table(access, division, stage, number, table)
    save(
        request,
        key,
        body,
        lambda by, form: confirm_result(table=found, based_on=body.based_on, by=by, form=form),
    )
    return exports.table_at(access, found.round, table)


def _table(access: Access, division: str, stage: str, number: int, table: int) -> Table:
    found = access.table_at(access.round_at(division, stage, number).pk, table)
    if found is None:
        raise Http404
    return found


def _keys(access: Access) -> dict[str, int]:
    """Return id in files → player, of everyone who is entered."""
    return dict(access.competition.entrants.values_list("key", "player_id"))


def _sheet_values(sent: schema.SheetIn, keys: Mapping[str, int]) -> dict[str, Any]:
    """Return the arguments of ``record_result``. The players are those for whom the sheet was typed."""
    seats = {WINDS.index(seat.wind): seat for seat in sent.seats}
    if len(seats) < len(WINDS):
        raise Refused(_("Send one seat of each wind."), field="seats", code="winds")
    east_first = [seats[wind] for wind in range(len(WINDS))]
    return {
        "points": [seat.points for seat in east_first],
        "chips": tuple(seat.chips for seat in east_first),
        "sashiuma": {w: WINDS.index(s.names) for w, s in enumerate(east_first) if s.names is not None},
        "seated": [services.find_key(seat.player, keys, "seats") for seat in east_first],
        "sticks": sent.sticks,
        "last_dealer": WINDS.index(sent.last_dealer),
        "reason": sent.reason,
    }
