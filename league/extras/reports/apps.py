from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class Reports(Extra):
    name = "league.extras.reports"
    menu = (
        Item(
            "organizer.files",
            _("Forms and certificates"),
            "competitions:files",
            note=_("EMA’s form, your federation’s form, certificates"),
            also=pgettext_lazy("found by", "EMA MERS federation diploma PDF report logo"),
            query="#certificates",
        ),
        Item("league", _("Forms and logo"), "reports:forms"),
    )
    panels = {"organizer.files": "reports/_files.html"}
