from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.extras import Extra, Item
from league.core.text import listed


def _services() -> str:
    return listed(["Tenhou", gettext("Mahjong Soul")])


class GameLogs(Extra):
    name = "league.extras.game_logs"
    menu = (Item("organizer.play", _("Game logs"), "game_logs:upload", note=lazy(_services, str)()),)
