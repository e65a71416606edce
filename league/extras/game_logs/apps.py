from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class GameLogs(Extra):
    name = "league.extras.game_logs"
    menu = (
        Item(
            "organizer.more",
            _("Game logs"),
            "game_logs:upload",
            note=_("games of Tenhou and Mahjong Soul, with their hands"),
            also=pgettext_lazy("found by", "online paifu replay import upload"),
        ),
    )
