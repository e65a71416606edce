"""Write the tokens of the API, and what programs send in bulk."""

import csv
import hashlib
import io
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.api.schema import Draw, NewRound, PlayerIn, ProblemOut, SeatingTable
from league.core.changes import Form, change, reread
from league.core.errors import Refused
from league.models import ApiToken, Competition, Division, Entrant, Role, Round, Stage
from league.roster.queries import entrants, plan_roster
from league.roster.services.register import values_of
from league.roster.services.roster import import_roster, reinstate_entrant, update_entrant, withdraw_entrant
from league.rounds.queries import players_by_stage
from league.rounds.services import create_round, random_seating, seat_players
from players.roster import read_roster

SECRET_BYTES = 32
PREFIX = 11  # characters of the secret by which people recognize it
NOTED_EVERY = timedelta(minutes=5)
ROLES = (Role.Kind.PLAYER, Role.Kind.SCORER, Role.Kind.REFEREE, Role.Kind.CHIEF, Role.Kind.ORGANIZER)


class ManyRefused(Refused):
    """A refusal of a list, with the problems of its lines."""

    def __init__(self, problems: Sequence[ProblemOut]) -> None:
        super().__init__(_("Nothing was saved: some lines need your attention."), code="lines")
        self.problems = problems


# --- tokens


def make_token(
    *,
    competition: Competition,
    name: str,
    role: str,
    days: int,
    by: User,
    form: Form | None = None,
    at: datetime | None = None,
) -> str:
    """Create a token that ends after so many days. Return its secret, which is stored nowhere."""
    secret = f"um_{secrets.token_urlsafe(SECRET_BYTES)}"
    with change(competition, by=by, form=form, at=at, even_finished=True, public=False) as done:
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
    *, token: ApiToken, by: User, form: Form | None = None, at: datetime | None = None
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


def remove_ended_tokens(*, before: datetime) -> int:
    """Remove tokens that ended or were revoked before this moment. Return how many.

    The log keeps who made them, and what programs did with them.
    """
    return ApiToken.objects.filter(Q(expires_at__lt=before) | Q(revoked_at__lt=before)).delete()[0]


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


@transaction.atomic
def save_players(*, competition: Competition, players: Sequence[PlayerIn], by: User, form: Form) -> None:
    """Enter the players without an ``id`` and change the others, all or none.

    Raise ``ManyRefused`` with the problems of all new players.
    """
    new = [(index, each) for index, each in enumerate(players) if each.id is None]
    old = [(index, each) for index, each in enumerate(players) if each.id is not None]
    if new:
        text, picks = _roster_text([each for _index, each in new])
        _check_roster(competition, new, text, picks)
        import_roster(competition=competition, text=text, picks=picks, by=by, form=form)
    known = {entrant.key: entrant for entrant in entrants(competition)}
    divisions = {division.slug: division for division in competition.divisions.all()}
    for place, (index, each) in enumerate(old):
        sent = form if place == 0 and not new else None
        _change_player(known, divisions, index, each, by=by, form=sent)


_COLUMNS = ("name", "romanized", "country", "club", "division", "team")


def _roster_text(players: Sequence[PlayerIn]) -> tuple[str, list[str]]:
    """Return the players as a list with headings, and the choices of its lines (``plan_roster``)."""
    federations = sorted({name for each in players for name in each.numbers})
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    writer.writerow([*_COLUMNS, *(f"{name} number" for name in federations)])
    for each in players:
        row = [getattr(each, column) or "" for column in _COLUMNS]
        writer.writerow([*row, *(each.numbers.get(name, "") for name in federations)])
    return stream.getvalue(), [f"{n}:{each.who}" for n, each in enumerate(players, 2) if each.who]


def _check_roster(
    competition: Competition, new: Sequence[tuple[int, PlayerIn]], text: str, picks: Sequence[str]
) -> None:
    plan = plan_roster(competition, read_roster(text), picks=picks)
    twin = _("Another line has the same name. Send “who”: “add” if this is another person.")
    problems = [
        ProblemOut(
            field=f"players.{new[line.line.number - 2][0]}",
            code=line.action,
            message=" ".join(line.problems) or twin,
            choices=[str(choice["value"]).partition(":")[2] for choice in line.choices],
        )
        for line in plan.lines
        if line.problems or line.action == "twin"
    ]
    problems += [ProblemOut(field="players", code="list", message=said) for said in plan.problems]
    if problems:
        raise ManyRefused(problems)


def _change_player(
    known: Mapping[str, Entrant],
    divisions: Mapping[str, Division],
    index: int,
    sent: PlayerIn,
    *,
    by: User,
    form: Form | None,
) -> None:
    entrant = known.get(sent.id or "")
    if entrant is None:
        why = _("No player here has the id “%(id)s”.") % {"id": sent.id}
        raise Refused(why, field=f"players.{index}.id", code="unknown_player")
    if sent.division and sent.division not in divisions:
        why = _("Unknown division “%(name)s”.") % {"name": sent.division}
        raise Refused(why, field=f"players.{index}.division", code="unknown_division")
    given = sent.model_fields_set
    values = values_of(entrant.player)
    texts = {name: getattr(sent, name) for name in ("romanized", "country", "club") if name in given}
    numbers = dict(values.numbers)
    if given & {"ema_number", "federation_numbers"}:
        numbers = sent.numbers
    values = replace(values, name=sent.name or values.name, numbers=tuple(numbers.items()), **texts)
    division = divisions[sent.division] if sent.division else entrant.division
    update_entrant(entrant=entrant, values=values, division=division, by=by, form=form)
    if sent.withdrawn is not None and sent.withdrawn != (entrant.withdrawn_at is not None):
        write = withdraw_entrant if sent.withdrawn else reinstate_entrant
        write(entrant=entrant, by=by)


# --- rounds


@transaction.atomic
def make_round(
    *, stage: Stage, sent: NewRound, keys: Mapping[str, int], by: User, form: Form | None = None
) -> Round:
    """Create a round, and seat it if tables or a draw are sent. ``keys``: id in files → player."""
    round_ = create_round(stage=stage, number=sent.number, date=sent.date, by=by, form=form)
    if sent.tables is not None:
        tables, method, seed = read_tables(sent.tables, keys), Round.Method.HAND, None
    elif sent.draw is not None:
        tables, method, seed = _draw(stage, sent.draw, keys), Round.Method.RANDOM, sent.draw.seed
    else:
        return round_
    return seat_players(round_=round_, tables=tables, by=by, seed=seed, method=method)


def read_tables(tables: Sequence[SeatingTable], keys: Mapping[str, int]) -> dict[int, list[int]]:
    """Return table number → players, east first. Raise ``Refused`` for unknown ids and numbers sent twice."""
    found = {
        each.number: [find_key(key, keys, f"tables.{index}.players") for key in each.players]
        for index, each in enumerate(tables)
    }
    if len(found) < len(tables):
        raise Refused(_("Two tables have the same number."), field="tables", code="number_taken")
    return found


def _draw(stage: Stage, draw: Draw, keys: Mapping[str, int]) -> dict[int, list[int]]:
    if draw.players is None:
        players = players_by_stage([stage], stage.division.competition)[stage.pk]
    else:
        players = [find_key(key, keys, "draw") for key in draw.players]
    return random_seating(players, seed=draw.seed)


def find_key(key: str, keys: Mapping[str, int], field: str) -> int:
    if key not in keys:
        why = _("No player here has the id “%(id)s”.") % {"id": key}
        raise Refused(why, field=field, code="unknown_player")
    return keys[key]
