from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class Hall(Extra):
    name = "league.extras.hall"
    menu = (
        Item(
            "organizer.screens",
            _("Screens in the hall"),
            "hall:screens",
            note=_("choose here what each screen shows, with the clock"),
            also=pgettext_lazy("found by", "projector monitor TV beamer timer countdown"),
        ),
        Item(
            "organizer.screens",
            _("Award ceremony"),
            "hall:ceremony",
            note=_("reveal the places one by one"),
            also=pgettext_lazy("found by", "prize podium winner reveal"),
        ),
    )
    panels = {"competition.staff": "hall/_band.html"}
