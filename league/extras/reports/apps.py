from django.utils.translation import gettext_lazy as _

from league.core.extras import Extra, Item


class Reports(Extra):
    name = "league.extras.reports"
    menu = (
        Item(
            "organizer.downloads",
            _("Downloads"),
            "reports:index",
            note=_("federations, certificates, divisions"),
        ),
        Item("league", _("Forms and logo"), "reports:forms"),
    )
