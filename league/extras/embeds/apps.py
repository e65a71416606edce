from django.utils.translation import gettext_lazy as _

from league.core.extras import Extra, Item


class Embeds(Extra):
    name = "league.extras.embeds"
    menu = (Item("organizer.sites", _("For your site"), "embeds:site"),)
    panels = {"competition.head": "embeds/_alternate.html"}
