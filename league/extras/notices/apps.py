from league.core.extras import Extra


class Notices(Extra):
    name = "league.extras.notices"
    panels = {"site.head": "notices/_manifest.html", "seat.actions": "notices/_own.html"}
    offers = {"seat.remembered": "services.forget_device"}
    follows = {
        "round.open": "followers.tell_of_round",
        "round.close": "followers.tell_of_round",
        "round.take_back": "followers.tell_of_round",
        "round.publish": "followers.tell_of_round",
        "round.seat": "followers.tell_of_seats",
        "round.swap": "followers.tell_of_seats",
        "seat.substitute": "followers.tell_of_seats",
        "seat.return": "followers.tell_of_seats",
        "result.record": "followers.tell_of_result",
        "table.propose": "followers.tell_of_time",
        "table.meet": "followers.tell_of_time",
        "table.set_time": "followers.tell_of_time",
        "table.postpone": "followers.tell_of_time",
        "table.restore": "followers.tell_of_time",
        "call.close": "followers.tell_of_objection",
        "dispute.close": "followers.tell_of_ruling",
        "penalty.log": "followers.tell_of_penalty",
        "penalty.approve": "followers.tell_of_penalty",
        "penalty.revoke": "followers.tell_of_revocation",
        "penalty.undo": "followers.tell_of_revocation",
        "ban.set": "followers.tell_of_ban",
        "ban.lift": "followers.tell_of_lifted_ban",
    }
