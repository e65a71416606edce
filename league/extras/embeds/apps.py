from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class Embeds(Extra):
    name = "league.extras.embeds"
    menu = (
        Item(
            "organizer.more",
            _("For your site"),
            "embeds:site",
            note=_("standings and tables on the club’s own pages"),
            also=pgettext_lazy("found by", "embed frame website widget iframe"),
        ),
    )
    panels = {"competition.head": "embeds/_alternate.html"}
