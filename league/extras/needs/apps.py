from django.utils.translation import gettext_lazy as _

from league.core.extras import Extra, Item


class Needs(Extra):
    name = "league.extras.needs"
    menu = (Item("site", _("What do I need?"), "needs:hand"),)
    panels = {
        "hands.table": "needs/_at_table.html",
        "table.actions": "needs/_table.html",
        "stage.actions": "needs/_stage.html",
        "standings.links": "needs/_chances_link.html",
        "standings.marks": "needs/_marks_note.html",
        "player.actions": "needs/_player.html",
        "seat.actions": "needs/_player.html",
        "hall.commentary": "needs/_panel.html",
    }
    offers = {
        "standings.marks": "panels.race.standings_marks",
        "hall.commentary": "panels.hand.commentary",
        "standings.facts": "panels.race.chances_state",
    }
