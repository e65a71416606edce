"""Rescue work: facts can be looked at and names mended; results, penalties and the log are read only here.

Changes to a competition go through its pages, which check, log and raise the revision.
"""

from typing import ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

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
    RuleSet,
    Seat,
    Sheet,
    Stage,
    Submission,
    Table,
    Team,
)


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """To look at, not to touch: no add, change or delete."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(League)
class LeagueAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display: ClassVar = ["name", "slug"]
    search_fields: ClassVar = ["name", "slug"]
    filter_horizontal: ClassVar = ["owners"]


@admin.register(Role)
class RoleAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display: ClassVar = ["competition", "user", "kind"]
    list_filter: ClassVar = ["kind"]
    list_select_related: ClassVar = ["competition", "user"]
    raw_id_fields: ClassVar = ["competition", "user"]


@admin.register(Competition)
class CompetitionAdmin(ReadOnly):
    list_display: ClassVar = ["name", "slug", "league", "kind", "visibility", "revision"]
    list_select_related: ClassVar = ["league"]
    search_fields: ClassVar = ["name", "slug"]


@admin.register(Sheet)
class SheetAdmin(ReadOnly):
    list_display: ClassVar = ["table_id", "version", "is_current", "status", "entered_by", "entered_at"]
    list_select_related: ClassVar = ["entered_by"]


@admin.register(Penalty)
class PenaltyAdmin(ReadOnly):
    list_display: ClassVar = [
        "competition",
        "player",
        "infraction",
        "level",
        "score",
        "logged_at",
        "revoked_at",
    ]
    list_select_related: ClassVar = ["competition", "player"]


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    list_display: ClassVar = ["competition", "sequence", "at", "actor", "action", "target"]
    list_select_related: ClassVar = ["competition", "actor"]


admin.site.register(
    [Division, Entrant, Invitation, Round, RuleSet, Seat, Stage, Submission, Table, Team], ReadOnly
)
