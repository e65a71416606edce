"""Rescue work: leagues, their owners and roles can be edited; facts and the audit log are read only.

Changes to a competition go through its pages, which check them, log them and raise the revision.
"""

from django.contrib import admin

from league.models import (
    AuditEntry,
    Competition,
    Division,
    Entrant,
    Invitation,
    League,
    Penalty,
    Role,
    Round,
    RuleBook,
    RuleSet,
    Seat,
    Sheet,
    Stage,
    Submission,
    Table,
    Team,
)
from players.admin import ReadOnly


@admin.register(League)
class LeagueAdmin(admin.ModelAdmin):
    list_display = ["name", "slug"]
    search_fields = ["name", "slug"]
    filter_horizontal = ["owners"]


@admin.register(Role)
class RoleAdmin(admin.ModelAdmin):
    list_display = ["competition", "user", "kind"]
    list_filter = ["kind"]
    list_select_related = ["competition", "user"]
    raw_id_fields = ["competition", "user"]


@admin.register(Competition)
class CompetitionAdmin(ReadOnly):
    list_display = ["name", "slug", "league", "kind", "visibility", "revision"]
    list_select_related = ["league"]
    search_fields = ["name", "slug"]


@admin.register(Sheet)
class SheetAdmin(ReadOnly):
    list_display = ["table_id", "version", "is_current", "status", "entered_by", "entered_at"]
    list_select_related = ["entered_by"]


@admin.register(Penalty)
class PenaltyAdmin(ReadOnly):
    list_display = [
        "competition",
        "player",
        "infraction",
        "level",
        "score",
        "created_at",
        "revoked_at",
    ]
    list_select_related = ["competition", "player"]


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    list_display = ["competition", "sequence", "at", "actor", "action", "target"]
    list_select_related = ["competition", "actor"]


admin.site.register(
    [Division, Entrant, Invitation, Round, RuleBook, RuleSet, Seat, Stage, Submission, Table, Team], ReadOnly
)
