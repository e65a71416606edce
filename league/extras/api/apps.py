from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class Api(Extra):
    name = "league.extras.api"
    menu = (
        Item(
            "organizer.more",
            "API",
            "api:index",
            note=_("how other programs read results and enter them"),
            is_of_site=True,
            also=pgettext_lazy("found by", "program interface JSON OpenAPI developer"),
        ),
        Item(
            "organizer.more",
            _("API tokens"),
            "api:tokens",
            note=_("let a program in"),
            also=pgettext_lazy("found by", "key password program access"),
        ),
    )
    panels = {"standings.files": "api/_link.html"}
