from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class Hall(Extra):
    name = "league.extras.hall"
    menu = (
        Item("organizer.hall", pgettext_lazy("room", "Hall"), "hall:index"),
        Item("organizer.screens", _("Screens in the hall"), "hall:screens"),
        Item("organizer.screens", _("Award ceremony"), "hall:ceremony"),
    )
    panels = {"competition.staff": "hall/_band.html"}
