from django.contrib.auth.models import User

from league.core.changes import Sent, change, reread
from league.models import Entrant
from players.models import Player


def set_profile(*, entrant: Entrant, has_profile: bool, by: User | None, form: Sent | None = None) -> None:
    """Let visitors read the page of all competitions of this player, or no longer."""
    with change(entrant.competition, by=by, form=form, even_finished=True, public=False) as done:
        player = reread(Player.objects.all(), pk=entrant.player_id)
        before, player.profile_since = player.profile_since, done.at if has_profile else None
        player.save(update_fields=["profile_since"])
        done.log(
            "player.profile",
            f"player:{player.pk}",
            before={"has_profile": before is not None},
            after={"has_profile": has_profile},
        )
