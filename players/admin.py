"""Rescue work on people's records."""

from typing import ClassVar

from django.contrib import admin

from players.models import Club, FederationNumber, Player, Register


class FederationNumberInline(admin.TabularInline):  # type: ignore[type-arg]
    model = FederationNumber
    extra = 0


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display: ClassVar = ["name", "romanized", "country", "club", "register"]
    list_select_related: ClassVar = ["club", "register"]
    search_fields: ClassVar = ["name", "romanized", "federation_numbers__number"]
    inlines: ClassVar = [FederationNumberInline]


admin.site.register([Register, Club])
