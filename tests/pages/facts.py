"""What a competition consists of, in whatever table: to see that it stays as it was."""

import hashlib
from collections.abc import Collection
from functools import cache

from django.apps import apps
from django.db import connection

from league.models import Competition

# Where the facts of each kind name their competition, its league or the league's register.
OWNERS: dict[str, dict[str, str]] = {
    "league_id": {
        "league.League": "pk",
        "league.OwnCatalogue": "league",
        "league.RuleBook": "league",
        "league.RuleSet": "book__league",
        "league.Ban": "league",
        "league.LeagueEntry": "league",
        "league.LogText": "league",
        "league.GameName": "league",
        "league.ImportJob": "league",
        "league.FederationForm": "league",
        "league.Logo": "league",
    },
    "league__register_id": {
        "players.Register": "pk",
        "players.Club": "register",
        "players.Player": "register",
        "players.FederationNumber": "player__register",
    },
    "pk": {
        "league.RuleSet": "divisions__competition",
        "league.Competition": "pk",
        "league.Division": "competition",
        "league.Stage": "division__competition",
        "league.StageEntrant": "stage__division__competition",
        "league.Lots": "stage__division__competition",
        "league.Team": "competition",
        "league.TeamSeat": "team__competition",
        "league.Lot": "lots__stage__division__competition",
        "league.TeamPenalty": "team__competition",
        "league.LineUp": "team__competition",
        "league.Waiver": "competition",
        "league.Entrant": "competition",
        "league.Role": "competition",
        "league.Invitation": "competition",
        "league.Round": "stage__division__competition",
        "league.Table": "round__stage__division__competition",
        "league.Seat": "round__stage__division__competition",
        "league.Adjustment": "stage__division__competition",
        "league.Evening": "stage__division__competition",
        "league.Presence": "stage__division__competition",
        "league.SittingOut": "round__stage__division__competition",
        "league.SeatingDraft": "stage__division__competition",
        "league.Appointment": "table__round__stage__division__competition",
        "league.Consent": "appointment__table__round__stage__division__competition",
        "league.HandEntry": "table__round__stage__division__competition",
        "league.Sheet": "table__round__stage__division__competition",
        "league.GameLog": "competition",
        "league.Proposal": "table__round__stage__division__competition",
        "league.Signature": "proposal__table__round__stage__division__competition",
        "league.Submission": "competition",
        "league.KeptFile": "competition",
        "league.Outgoing": "competition",
        "league.Channel": "entrant__competition",
        "league.AuditEntry": "competition",
        "league.Penalty": "competition",
        "league.Dispute": "competition",
        "league.DisputeStep": "dispute__competition",
        "league.Evidence": "dispute__competition",
        "league.Registration": "competition",
        "league.Registrant": "registration__competition",
        "league.KnownNumber": "competition",
        "league.ApiToken": "competition",
        "league.Screen": "competition",
        "league.Webhook": "competition",
        "league.Ceremony": "competition",
        "league.Call": "table__round__stage__division__competition",
        "league.Claim": "table__round__stage__division__competition",
    },
}


# The table of each kind of fact.
TABLES = {apps.get_model(name)._meta.db_table: name for paths in OWNERS.values() for name in paths}


OWNER = -1  # in the place of the number of a competition, league or register


@cache
def statement(name: str, path: str) -> tuple[str, tuple[object, ...]]:
    """Return the SQL that reads the facts of ``OWNER``. Building it takes longer than running it."""
    found: tuple[str, tuple[object, ...]] = (
        apps.get_model(name)._default_manager.filter(**{path: OWNER}).values_list().query.sql_with_params()
    )
    return found


def facts_of(
    competition: Competition, kinds: Collection[str] = frozenset(TABLES.values())
) -> dict[str, tuple[int, str]]:
    """Kind of fact and whose → how many there are of this competition, and a hash over all their values."""
    found = {}
    owned = Competition.objects.values(*OWNERS).get(pk=competition.pk)
    with connection.cursor() as cursor:
        for owner, paths in OWNERS.items():
            for name, path in paths.items():
                if name not in kinds:
                    continue
                sql, params = statement(name, path)
                cursor.execute(sql, [owned[owner] if param == OWNER else param for param in params])
                rows = cursor.fetchall()
                found[f"{name} by {path}"] = (
                    len(rows),
                    hashlib.sha256(repr(sorted(map(repr, rows))).encode()).hexdigest(),
                )
    return found
