"""The round's clock. A table's time rests while a dispute keeps it from playing (``services.disputes``)."""

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Form, change
from league.core.errors import Refused
from league.core.rounds import round_again
from league.models import Round, Table


def start_clock(
    *, round_: Round, by: User, again: bool = False, form: Form | None = None, at: datetime | None = None
) -> Round:
    """Start the time of the round, as long as its rules say. ``again``: from the beginning, for all tables.

    Raises ``Refused`` when the round is not open, its rules know no time, or it runs and ``again`` is False.
    """
    with change(round_.stage.division.competition, by=by, form=form, at=at) as done:
        found = round_again(round_)
        if found.stage.division.rules.minutes is None:
            raise Refused(_("The rules of this division set no time: there is no clock to start."))
        if found.status != Round.Status.OPEN:
            raise Refused(_("This round is not open. Open it, then start its clock."))
        if found.clock_started_at is not None and not again:
            raise Refused(_("The clock of this round is running already."))
        before = {"started": _text(found.clock_started_at)}
        found.clock_started_at = done.at
        found.save(update_fields=["clock_started_at"])
        Table.objects.filter(round=found).update(extra_seconds=0)  # time lost before it began anew
        done.log("clock.start", f"round:{found.pk}", before=before, after={"started": _text(done.at)})
        done.answer = {"round": found.pk}
        return found


def _text(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""
