from django.utils.translation import gettext_lazy as _

from league.core.extras import Extra, Item


class Registration(Extra):
    name = "league.extras.registration"
    menu = (Item("organizer.people", _("Registrations"), "registration:entries"),)
    panels = {"competition.front": "registration/_offers.html"}
    offers = {"home.cards": "panels.open_forms"}
