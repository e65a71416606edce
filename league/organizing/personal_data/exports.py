"""The data of one person as a file: JSON, and photographs that they handed in."""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.files.storage import default_storage

from league.models import (
    Adjustment,
    ApiToken,
    AuditEntry,
    Ban,
    BrowserSession,
    Call,
    Channel,
    Claim,
    Consent,
    Dispute,
    DisputeStep,
    Entrant,
    Evidence,
    GameName,
    HandEntry,
    Invitation,
    LeagueEntry,
    LineUp,
    Penalty,
    Presence,
    Registrant,
    Role,
    Seat,
    SecurityEvent,
    Sheet,
    Signature,
    SittingOut,
)
from players.models import Player

Facts = dict[str, Any]
REGISTERED = (
    *("name", "romanized", "email", "language", "country", "club", "number", "phone", "answer", "created_at"),
    *("confirmed_at", "accepted_at", "declined_at", "withdrawn_at", "paid_on", "paid"),
)


def account_archive(user: User) -> bytes:
    photographs = Evidence.objects.filter(created_by=user).exclude(file="").values_list("file", flat=True)
    return _archive(account_facts(user), photographs)


def player_archive(player: Player) -> bytes:
    return _archive(player_facts(player))


def _archive(facts: Facts, photographs: Iterable[str] = ()) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.json", json.dumps(facts, ensure_ascii=False, indent=1, default=str))
        for name in filter(default_storage.exists, photographs):
            with default_storage.open(name) as file:
                archive.writestr(f"photographs/{name}", file.read())
    return stream.getvalue()


def account_facts(user: User) -> Facts:
    roles = Role.objects.filter(user=user).select_related("competition", "player", "team")
    players = Player.objects.filter(pk__in=roles.exclude(player=None).values("player"))
    return {
        "account": {
            "user name": user.username,
            "name": user.get_full_name(),
            "email": user.email,
            "made": user.date_joined,
            "last sign-in": user.last_login,
        },
        "roles": [
            {
                "competition": role.competition.name,
                "role": role.kind,
                "plays as": role.player and role.player.name,
                "team": role.team and role.team.name,
            }
            for role in roles
        ],
        "leagues owned": [league.name for league in user.leagues.all()],
        "invitations accepted": list(
            Invitation.objects.filter(used_by=user).values("competition__name", "kind", "note", "used_at")
        ),
        "API tokens made": list(
            ApiToken.objects.filter(created_by=user)
            .order_by("pk")
            .values("competition__name", "name", "role", "created_at", "expires_at", "last_used_at")
        ),
        "sessions": list(BrowserSession.objects.filter(user=user).values("browser", "since", "expire_date")),
        "notices": list(
            Channel.objects.filter(user=user).values(
                "entrant__competition__name", "kind", "address", "browser", "created_at"
            )
        ),
        "security log": list(
            SecurityEvent.objects.filter(name__iexact=user.username).values("kind", "address", "at")
        ),
        "players": [player_facts(player) for player in players],
        "written": _written_by(user),
        "done": list(_done_by(user)),
    }


def _written_by(user: User) -> Facts:
    """Return the texts that the person wrote at a table. Reasons are in their own records."""
    own = {"created_by": user}
    table = ("table__round__stage__division__competition__name", "table__round__number", "table__number")
    return {
        "calls": list(Call.objects.filter(**own).values(*table, "note", "created_at")),
        "disputes": list(Dispute.objects.filter(**own).values(*table, "subject", "created_at")),
        "score sheets signed": list(_signatures(Signature.objects.filter(user=user))),
        "steps of disputes": list(
            DisputeStep.objects.filter(**own).values("kind", "said", "decided", "created_at")
        ),
        "hands": list(HandEntry.objects.filter(user=user).values(*table, "kind", "facts", "at")),
        "evidence": list(Evidence.objects.filter(**own).values("note", "file", "created_at")),
    }


def _done_by(user: User) -> Iterator[Facts]:
    """Yield the person's actions from the logs, without their targets, which may concern others."""
    columns = ("sequence", "at", "action")
    for entry in AuditEntry.objects.filter(actor=user).order_by("pk").values("competition__name", *columns):
        yield entry
    for entry in LeagueEntry.objects.filter(actor=user).order_by("pk").values("league__name", *columns):
        yield entry


def player_facts(player: Player) -> Facts:
    numbers = player.federation_numbers.values_list("federation", "number")
    entries = Entrant.objects.filter(player=player).order_by("pk")
    columns = ("competition__name", "division__name", "team__name", "key", "previous_rank", "withdrawn_at")
    seats = Seat.objects.with_rules().filter(player=player).select_related("table")
    penalties = Penalty.objects.filter(player=player).order_by("pk")
    kept = ("infraction", "level", "score", "reason", "status", "created_at", "revoked_at", "revoke_reason")
    return {
        "league": player.register.name,
        "name": player.name,
        "romanized name": player.romanized,
        "country": player.country,
        "club": player.club and player.club.name,
        "public profile since": player.profile_since,
        "federation numbers": dict(numbers),
        "names on services": list(GameName.objects.filter(player=player).values("service", "name")),
        "entries": list(entries.values(*columns)),
        "games": list(_games(seats.order_by("pk"))),
        "penalties": list(penalties.values("competition__name", "round__number", "table__number", *kept)),
        "points without a game": list(
            Adjustment.objects.filter(player=player).values("stage__name", "kind", "score", "reason")
        ),
        "rounds sat out": list(
            SittingOut.objects.filter(player=player).values("round__stage__name", "round__number")
        ),
        "came": list(
            Presence.objects.filter(entrant__player=player)
            .order_by("pk")
            .values("stage__name", "day", "left", "paid", "paid_on", "fee")
        ),
        "bans": list(Ban.objects.filter(player=player).values("since", "until", "reason", "lifted_at")),
        "named by a captain": list(
            LineUp.objects.filter(player=player).values("team__name", "round__number", "created_at")
        ),
        "registrations": list(
            Registrant.objects.filter(entrant__player=player)
            .order_by("pk")
            .values("registration__competition__name", *REGISTERED)
        ),
        "hands entered": list(
            HandEntry.objects.filter(player=player).values(
                "table__round__number", "table__number", "kind", "facts", "at"
            )
        ),
        "score sheets signed": list(_signatures(Signature.objects.filter(player=player))),
        "phones at tables": list(
            Claim.objects.filter(player=player).values(
                "table__round__number", "table__number", "device", "at"
            )
        ),
        "times answered": list(
            Consent.objects.filter(player=player).values("appointment__meets_at", "declined")
        ),
    }


def _signatures(signatures: Any) -> Any:
    where = "proposal__table__"
    columns = (f"{where}round__stage__division__competition__name", f"{where}round__number", f"{where}number")
    return signatures.order_by("pk").values(*columns, "agrees", "how", "device", "points", "reason", "at")


def _games(seats: Any) -> Iterator[Facts]:
    sheets = {
        sheet.table_id: sheet
        for sheet in Sheet.objects.current().filter(table__in=seats.order_by().values("table"))
    }
    for seat in seats:
        round_, sheet = seat.round, sheets.get(seat.table_id)
        stage = round_.stage
        yield {
            "competition": stage.competition.name,
            "stage": stage.name,
            "round": round_.number,
            "date": round_.date,
            "table": seat.table.number,
            "wind": str(Seat.Wind(seat.wind).name).lower(),
            "points": sheet.points[seat.wind] if sheet else None,
            "status": sheet.status if sheet else "scheduled",
        }


def file_name(of: str, at: datetime) -> str:
    """Return an ASCII name with the day."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in of).strip("-") or "person"
    return f"umaoka-{plain}-{at:%Y-%m-%d}.zip"
