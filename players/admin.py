"""Rescue work on people's records."""

from django.contrib import admin

from players.models import Club, FederationNumber, Player, Register


class FederationNumberInline(admin.TabularInline):
    model = FederationNumber
    extra = 0


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ["name", "romanized", "country", "club", "register"]
    list_select_related = ["club", "register"]
    search_fields = ["name", "romanized", "federation_numbers__number"]
    inlines = [FederationNumberInline]


admin.site.register([Register, Club])
