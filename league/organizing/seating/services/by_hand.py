from datetime import date
from typing import Any

from django.contrib.auth.models import User

from league.core.changes import Sent, change
from league.models import Round, Seat
from league.play.open_play.services import keep_attendance
from league.play.rounds.services import create_in, seat_in


def seat_by_hand(*, round_: Round, day: date, by: User, form: Sent | None = None, **how: Any) -> Round:
    """Seat a round, creating it if needed, and mark its players as present on this day."""
    with change(round_.competition, by=by, form=form) as done:
        made = round_ if round_.pk else create_in(done, round_.stage, round_.number, round_.date)
        seated = seat_in(done, made, **how)
        here = Seat.objects.filter(round=seated).values_list("player_id", flat=True)
        keep_attendance(round_.stage, day, here=list(here), away=())
        done.answer = {"round": seated.pk}
        return seated
