"""Write the tokens of the API, and what programs send in bulk."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.core.access import organized_by
from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.extras.api.schema import NewRound, PlayerIn, ProblemOut, SeatingTable, SheetIn
from league.models import ApiToken, Competition, Division, Entrant, Role, Round, Stage
from league.organizing.roster.queries import entrants, plan_roster
from league.organizing.roster.services.roster import Edit, enter_in_bulk, update_in_bulk
from league.people.register.services import register_change, values_of
from league.play.rounds.queries.rounds import players_by_stage
from league.play.rounds.services import create_round, random_seating, seat_players
from players.roster import read_lines
from scoring.units import WINDS

SECRET_BYTES = 32
PREFIX = 11  # characters of the secret by which people recognize it
NOTED_EVERY = timedelta(minutes=5)
ROLES = (Role.Kind.PLAYER, Role.Kind.SCORER, Role.Kind.REFEREE, Role.Kind.CHIEF, Role.Kind.ORGANIZER)


class Rejected(Refused):
    """A refusal of the API itself, with its status, headers and further fields of ``schema.Refusal``."""

    def __init__(
        self, message: str | Promise, status: int, code: str, headers: Mapping[str, str] = {}, **more: Any
    ) -> None:
        super().__init__(message, code=code)
        self.status, self.headers, self.more = status, headers, more


# --- tokens


def make_token(
    *,
    competition: Competition,
    name: str,
    role: str,
    days: int,
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> str:
    """Create a token that ends after so many days. Return its secret, which is stored nowhere.

    Raise ``Refused`` if the maker lost the role a moment ago.
    """
    secret = f"um_{secrets.token_urlsafe(SECRET_BYTES)}"
    with change(competition, by=by, form=form, at=at, even_finished=True, public=False) as done:
        if not organized_by(by, Competition.objects.filter(pk=done.competition.pk)).exists():
            raise Refused(_("Only organizers make tokens. Ask one of them."))
        token = ApiToken.objects.create(
            competition=done.competition,
            name=name,
            role=Role.Kind(role),
            prefix=secret[:PREFIX],
            digest=digest_of(secret),
            created_by=by,
            created_at=done.at,
            expires_at=done.at + timedelta(days=days),
        )
        done.log("token.create", f"token:{token.pk}", after={"role": str(token.role), "days": days})
        done.answer = {"token": token.pk}
    return secret


def revoke_token(
    *, token: ApiToken, by: User, form: Sent | None = None, at: datetime | None = None
) -> ApiToken:
    with change(token.competition, by=by, form=form, at=at, even_finished=True, public=False) as done:
        token = reread(ApiToken.objects.all(), pk=token.pk)
        if token.revoked_at is not None:
            raise Refused(_("This token has already been revoked."))
        token.revoked_at = done.at
        token.save(update_fields=["revoked_at"])
        done.log("token.revoke", f"token:{token.pk}", before={"role": str(token.role)})
        done.answer = {"token": token.pk}
        return token


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_token(secret: str, *, at: datetime) -> ApiToken | None:
    """Return the token of this secret if it is in force, and note its use at most every five minutes."""
    found = ApiToken.objects.select_related("competition__league", "created_by")
    token = found.filter(digest=digest_of(secret), revoked_at=None, expires_at__gt=at).first()
    if token is not None and (token.last_used_at is None or token.last_used_at < at - NOTED_EVERY):
        unnoted = Q(last_used_at=None) | Q(last_used_at__lt=at - NOTED_EVERY)
        ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=at)
    return token


# --- the roster

_COLUMNS = ("name", "romanized", "country", "club", "division", "team")


def save_players(
    *, competition: Competition, players: Sequence[PlayerIn], by: User, form: Sent | None = None
) -> None:
    """Enter the players without an ``id`` and change the others, all or none, in one change.

    Raise ``Rejected`` with the problems of all new players.
    """
    new = [(number, each) for number, each in enumerate(players, 1) if each.id is None]
    old = [(number, each) for number, each in enumerate(players, 1) if each.id is not None]
    with register_change(competition, by=by, form=form) as done:
        entered, skipped = _enter(done, new) if new else (0, 0)
        known = {entrant.key: entrant for entrant in entrants(competition)}
        divisions = {division.slug: division for division in competition.divisions.all()}
        update_in_bulk(done, [_edit(known, divisions, f"players.{n - 1}", each) for n, each in old])
        done.answer = {"entered": entered, "changed": len(old), "skipped": skipped}


def _enter(done: Change, new: Sequence[tuple[int, PlayerIn]]) -> tuple[int, int]:
    """Enter players with their numbers in the request. Return how many were entered, and how many skipped."""
    federations = sorted({name for _number, each in new for name in each.numbers})
    rows = [
        (number, [getattr(each, name) for name in _COLUMNS] + [each.numbers.get(f, "") for f in federations])
        for number, each in new
    ]
    roster = read_lines([*_COLUMNS, *(f"#{name}" for name in federations)], rows)
    plan = plan_roster(
        done.competition, roster, picks=[f"{number}:{each.who}" for number, each in new if each.who]
    )
    twin = _("Another line is identical. Send “who”: “add” if this is another person.")
    problems = [
        ProblemOut(
            field=f"players.{line.line.number - 1}",
            code=line.action,
            message=" ".join(line.problems) or twin,
            choices=[str(choice["value"]).removeprefix(f"{line.line.number}:") for choice in line.choices],
        )
        for line in plan.lines
        if line.problems or line.action == "twin"
    ]
    if problems:
        said = _("Nothing was saved: some lines need your attention.")
        raise Rejected(said, 422, "lines", problems=problems)
    result = enter_in_bulk(done, plan)
    return result.new + result.same, result.skipped


def _edit(
    known: Mapping[str, Entrant], divisions: Mapping[str, Division], field: str, sent: PlayerIn
) -> Edit:
    entrant = known.get(sent.id or "")
    if entrant is None:
        raise _unknown_player(sent.id, f"{field}.id")
    if sent.division and sent.division not in divisions:
        why = _("Unknown division “%(name)s”.") % {"name": sent.division}
        raise Refused(why, field=f"{field}.division", code="unknown_division")
    given, values = sent.model_fields_set, values_of(entrant.player)
    more: dict[str, Any] = {n: getattr(sent, n) for n in ("romanized", "country", "club") if n in given}
    if given & {"ema_number", "federation_numbers"}:
        more["numbers"] = tuple(sent.numbers.items())
    return Edit(
        entrant=entrant,
        values=replace(values, name=sent.name or values.name, **more),
        division=divisions[sent.division] if sent.division else entrant.division,
        withdrawn=sent.withdrawn,
    )


def _unknown_player(key: str | None, field: str) -> Refused:
    why = _("No player here has the id “%(id)s”.") % {"id": key}
    return Refused(why, field=field, code="unknown_player")


# --- rounds


@transaction.atomic
def make_round(*, stage: Stage, sent: NewRound, by: User, form: Sent | None = None) -> Round:
    """Create a round, and seat it if tables or a draw are sent."""
    competition = stage.competition
    round_ = create_round(stage=stage, number=sent.number, date=sent.date, by=by, form=form)
    if sent.tables is not None:
        tables, method, seed = find_tables(competition, sent.tables), Round.Method.HAND, None
    elif sent.draw is not None:
        method, seed = Round.Method.RANDOM, sent.draw.seed
        if sent.draw.players is None:
            players = players_by_stage([stage], competition)[stage.pk]
        else:
            [players] = find_players(competition, {"draw": sent.draw.players})
        tables = random_seating(players, seed=seed)
    else:
        return round_
    return seat_players(round_=round_, tables=tables, by=by, seed=seed, method=method)


def find_tables(competition: Competition, tables: Sequence[SeatingTable]) -> dict[int, list[int]]:
    """Return table number → players, east first. Raise ``Refused`` for unknown ids and numbers sent twice."""
    lists = {f"tables.{index}.players": each.players for index, each in enumerate(tables)}
    found = dict(zip((table.number for table in tables), find_players(competition, lists), strict=True))
    if len(found) < len(tables):
        raise Refused(_("Two tables have the same number."), field="tables", code="number_taken")
    return found


def find_players(competition: Competition, lists: Mapping[str, Sequence[str]]) -> list[list[int]]:
    """Return the players with these ids in files. Raise ``Refused`` for an unknown one. Queries: 1.

    ``lists``: field of the request → ids.
    """
    known = dict(competition.entrants.values_list("key", "player_id"))
    for field, keys in lists.items():
        for key in keys:
            if key not in known:
                raise _unknown_player(key, field)
    return [[known[key] for key in keys] for keys in lists.values()]


def sheet_values(competition: Competition, sent: SheetIn) -> dict[str, Any]:
    """Return the arguments of ``record_result``. The players are those for whom the sheet was typed."""
    by_wind = {seat.wind: seat for seat in sent.seats}
    if len(by_wind) < len(WINDS):
        raise Refused(_("Send one seat of each wind."), field="seats", code="winds")
    seats = [by_wind[wind] for wind in WINDS]
    (seated,) = find_players(competition, {"seats": [seat.player for seat in seats]})
    return {
        "points": [seat.points for seat in seats],
        "chips": tuple(seat.chips for seat in seats),
        "sashiuma": {w: WINDS.index(seat.names) for w, seat in enumerate(seats) if seat.names is not None},
        "seated": seated,
        "sticks": sent.sticks,
        "last_dealer": WINDS.index(sent.last_dealer),
        "reason": sent.reason,
        "based_on": sent.based_on,
        "despite_hands": sent.despite_hands,
    }
