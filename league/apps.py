from django.apps import AppConfig
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from league.core.extras import FOLLOWERS

FOLLOWS = {  # action of the log → function of an extra
    "league.extras.notices.followers": {
        "round.open": "tell_of_round",
        "round.close": "tell_of_round",
        "round.take_back": "tell_of_round",
        "round.publish": "tell_of_round",
        "round.seat": "tell_of_seats",
        "round.swap": "tell_of_seats",
        "seat.substitute": "tell_of_seats",
        "seat.return": "tell_of_seats",
        "result.record": "tell_of_result",
        "table.propose": "tell_of_time",
        "table.meet": "tell_of_time",
        "table.set_time": "tell_of_time",
        "table.postpone": "tell_of_time",
        "table.restore": "tell_of_time",
        "call.close": "tell_of_objection",
        "dispute.close": "tell_of_ruling",
        "penalty.log": "tell_of_penalty",
        "penalty.approve": "tell_of_penalty",
        "penalty.revoke": "tell_of_revocation",
        "penalty.undo": "tell_of_revocation",
        "ban.set": "tell_of_ban",
        "ban.lift": "tell_of_lifted_ban",
    },
    "league.extras.webhooks.followers": {
        "competition.finish": "announce_final",
        "round.open": "announce_round",
        "round.close": "announce_round",
        "round.take_back": "announce_round",
        "round.publish": "announce_round",
        "penalty.log": "announce_penalty",
        "penalty.approve": "announce_penalty",
        "penalty.revoke": "announce_penalty",
        "penalty.undo": "announce_penalty",
    },
}


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        import league.extras.notices.senders
        import league.extras.registration.senders
        import league.extras.webhooks.senders
        import league.people.accounts.senders  # noqa: F401 - they register how messages are sent
        from league.core import checks  # noqa: F401
        from league.people.accounts import signals  # noqa: F401 - receivers are made when it is imported

        for module, follows in FOLLOWS.items():
            for action, name in follows.items():
                FOLLOWERS.setdefault(action, []).append(import_string(f"{module}.{name}"))
