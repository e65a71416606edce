"""Rescue work: leagues, their owners and roles can be edited. Facts and the audit log are read only.

Changes to a competition go through its pages, which check them, log them and raise the revision.
"""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import transaction

from league.core.changes import change as open_change
from league.core.changes import league_change
from league.models import (
    AuditEntry,
    Competition,
    Division,
    Entrant,
    Invitation,
    League,
    LeagueEntry,
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
from league.organizing.competitions.services import describe_league, log_league
from league.people.accounts.services import log_rights
from league.people.members.services import end_tokens, end_tokens_everywhere
from players.admin import ReadOnly


@admin.register(League)
class LeagueAdmin(admin.ModelAdmin):
    list_display = ["name", "slug"]
    search_fields = ["name", "slug"]
    filter_horizontal = ["owners"]
    readonly_fields = ["register"]

    def has_add_permission(self, request):
        return False  # a league is made with its register and its log

    def has_delete_permission(self, request, obj=None):
        return False  # its log stays

    def save_related(self, request, form, formsets, change):
        """Saves the league and its owners, and logs what changed: the form's own save comes too early."""
        owners = list(League.objects.get(pk=form.instance.pk).owners.all())
        with league_change(form.instance, by=request.user) as done:
            before = describe_league(done.league)
            form.instance.save()
            super().save_related(request, form, formsets, change)
            done.league.refresh_from_db()
            log_league(done, before)
        for owner in owners:
            end_tokens_everywhere(owner, by=request.user)

    def save_model(self, request, obj, form, change):
        pass


def _describe(role: Role) -> dict[str, object]:
    return {"role": role.kind, "player": role.player_id, "team": role.team_id}


@admin.register(Role)
class RoleAdmin(admin.ModelAdmin):
    list_display = ["competition", "user", "kind"]
    list_filter = ["kind"]
    list_select_related = ["competition", "user"]
    raw_id_fields = ["competition", "user", "player", "team"]

    def get_readonly_fields(self, request, obj=None):
        return ["competition", "user"] if obj else []

    def save_model(self, request, obj, form, change):
        with open_change(obj.competition, by=request.user, even_finished=True) as done:
            found = Role.objects.filter(pk=obj.pk).first()
            before = _describe(found) if found else None
            super().save_model(request, obj, form, change)
            after = _describe(obj)
            if before != after:
                done.log("role.grant", f"user:{obj.user_id}", before=before, after=after)
                end_tokens(done, obj.user)

    def delete_model(self, request, obj):
        with open_change(obj.competition, by=request.user, even_finished=True) as done:
            done.log("role.revoke", f"user:{obj.user_id}", before={"role": obj.kind})
            super().delete_model(request, obj)
            end_tokens(done, obj.user)

    def delete_queryset(self, request, queryset):
        with transaction.atomic():
            for role in queryset.select_related("competition"):
                self.delete_model(request, role)


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    def save_model(self, request, obj, form, change):
        before = User.objects.filter(pk=obj.pk).first()
        super().save_model(request, obj, form, change)
        log_rights(before, obj, by=request.user)
        end_tokens_everywhere(obj, by=request.user)


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


@admin.register(LeagueEntry)
class LeagueEntryAdmin(ReadOnly):
    list_display = ["league", "sequence", "at", "actor", "action", "target"]
    list_select_related = ["league", "actor"]


admin.site.register(
    [Division, Entrant, Invitation, Round, RuleBook, RuleSet, Seat, Stage, Submission, Table, Team], ReadOnly
)
