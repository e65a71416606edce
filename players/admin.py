"""Read-only admin pages of people. The roster's pages change people and log it."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from players.models import Club, FederationNumber, Player, Register


class ReadOnly(admin.ModelAdmin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ["name", "romanized", "country", "club", "register"]
    list_select_related = ["club", "register"]
    search_fields = ["name", "romanized", "federation_numbers__number"]


admin.site.register([Register, Club, FederationNumber], ReadOnly)
