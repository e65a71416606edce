from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Extra, Item


class Webhooks(Extra):
    name = "league.extras.webhooks"
    menu = (
        Item(
            "organizer.more",
            _("Webhooks"),
            "webhooks:index",
            note=_("tell Discord, Slack and other programs of results"),
            also=pgettext_lazy("found by", "Discord Slack chat message bot"),
        ),
    )
    follows = {
        "competition.finish": "followers.announce_final",
        "round.open": "followers.announce_round",
        "round.close": "followers.announce_round",
        "round.take_back": "followers.announce_round",
        "round.publish": "followers.announce_round",
        "penalty.log": "followers.announce_penalty",
        "penalty.approve": "followers.announce_penalty",
        "penalty.revoke": "followers.announce_penalty",
        "penalty.undo": "followers.announce_penalty",
    }
