from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class Registration(Extra):
    name = "league.extras.registration"
    menu = (
        Item(
            "organizer.players",
            _("Registrations"),
            "registration:entries",
            note=_("a form for players, with a waiting list"),
            also=pgettext_lazy("found by", "sign up enrol fee payment waiting list"),
        ),
    )
    panels = {"competition.front": "registration/_offers.html"}
    offers = {"home.cards": "panels.open_forms"}
