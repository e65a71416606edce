from django.utils.translation import gettext_lazy as _

from league.core.extras import Extra, Item


class Api(Extra):
    name = "league.extras.api"
    menu = (
        Item("organizer.programs", "API", "api:index", note=_("for other programs"), is_of_site=True),
        Item("organizer.administer", _("API tokens"), "api:tokens"),
    )
    panels = {"standings.files": "api/_link.html"}
