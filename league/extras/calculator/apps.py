from django.utils.translation import gettext_lazy as _

from league.core.extras import Extra, Item


class Calculator(Extra):
    name = "league.extras.calculator"
    menu = (Item("site", _("Hand calculator"), "calculator:hand"),)
    panels = {"rules.links": "calculator/_of_rules.html"}
    offers = {"hands.calculator": "panels.calculator_at", "rules.calculator": "panels.calculator_with"}
