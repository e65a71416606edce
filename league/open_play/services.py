"""Open play: four players make up a table, or take away one that they made by mistake."""

import random
from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext as _

from league.bans.services import admit
from league.core.changes import Form, change
from league.core.errors import Refused
from league.core.text import listed
from league.models import Call, Dispute, Entrant, Penalty, Round, Seat, Sheet, Stage, Table
from league.rounds.services import refuse_strangers

DAYS_AROUND = 31  # today: a table is made up around the day on which it is played


def set_play(*, stage: Stage, play: str, by: User, form: Form | None = None) -> Stage:
    """Sets whether the stage is played in rounds or freely (``Stage.Play``). Raises ``Refused`` once it has
    rounds.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        if Round.objects.filter(stage=stage).exists():
            raise Refused(_("This stage has rounds already. Delete them first, or add another stage."))
        before = {"play": stage.play}
        stage.play = Stage.Play(play)
        stage.save(update_fields=["play"])
        done.log("stage.play", f"stage:{stage.pk}", before=before, after={"play": stage.play})
        done.answer = {"stage": stage.pk}
        return stage


def make_table(
    *,
    stage: Stage,
    four: Sequence[int],
    on: date,
    today: date,
    seed: int | None = None,
    by: User,
    form: Form | None = None,
) -> Table:
    """Creates a table of open play: the players east first, or with ``seed`` their winds drawn from it.

    It is a round of its own, open and published. Raises ``Refused`` in a stage without open play, for a
    player who is named twice, not of the stage, withdrawn or banned, and for a day far from ``today``.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        if Stage.objects.values_list("play", flat=True).get(pk=stage.pk) != Stage.Play.OPEN:
            raise Refused(_("In this stage the organizer seats the tables. Ask them for a place."))
        if abs((on - today).days) > DAYS_AROUND:
            raise Refused(_("Check the day: it is more than a month from today."), field="date")
        _check_four(stage, four)
        seats = list(four) if seed is None else draw_winds(four, seed)
        last = Round.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
        round_ = Round.objects.create(
            stage=stage,
            number=last + 1,
            date=on,
            status=Round.Status.OPEN,
            visibility=Round.Visibility.RESULTS,
            method=Round.Method.HAND if seed is None else Round.Method.RANDOM,
            seed=seed,
        )
        refuse_strangers(round_, seats)
        admit(done, seats, despite="", on=on)
        table = Table.objects.create(round=round_, number=1)
        Seat.objects.bulk_create(
            Seat(table=table, round=round_, wind=wind, player_id=player) for wind, player in enumerate(seats)
        )
        after = {"players": seats, "date": on.isoformat(), **({} if seed is None else {"seed": seed})}
        done.log("table.make", f"table:{table.pk}", after=after)
        done.answer = {"table": table.pk}
        return table


def draw_winds(four: Sequence[int], seed: int) -> list[int]:
    """The four, east first; the same players and the same seed give the same seats."""
    seats = sorted(four)
    random.Random(seed).shuffle(seats)  # noqa: S311 - a draw that can be repeated, no secret
    return seats


def _check_four(stage: Stage, four: Sequence[int]) -> None:
    if len(four) != 4:
        raise Refused(_("A table needs four players."))
    if len(set(four)) != 4:
        raise Refused(_("Somebody is named twice. Choose four different players."))
    found = Entrant.objects.filter(competition=stage.division.competition_id, player__in=four)
    entrants = list(found.select_related("player").order_by("pk"))
    if len(entrants) != 4:
        raise Refused(_("Somebody of the four is not entered in the competition."))
    if gone := [each.player.name for each in entrants if each.withdrawn_at is not None]:
        raise Refused(_("Withdrawn: %(names)s. Choose somebody else.") % {"names": listed(gone)})
    others = [e.player.name for e in entrants if e.division_id != stage.division_id and not e.is_substitute]
    if others and not stage.cut:
        raise Refused(
            _("Not of this division: %(names)s. Choose players of %(division)s.")
            % {"names": listed(others), "division": stage.division.name}
        )


def drop_table(*, table: Table, by: User, form: Form | None = None) -> None:
    """Removes a table that was made up by mistake. Raises ``Refused`` when it has a sheet, a penalty, a
    dispute or a call.
    """
    with change(table.round.stage.division.competition, by=by, form=form) as done:
        found = Table.objects.select_related("round__stage").filter(pk=table.pk).first()
        if found is None or found.round.stage.play != Stage.Play.OPEN:
            raise Refused(_("This table is not there any more."))
        if Sheet.objects.filter(table=found).exists():
            raise Refused(_("This table has a score sheet: it stays. Have the result voided instead."))
        if any(kept.objects.filter(table=found).exists() for kept in (Penalty, Dispute, Call)):
            raise Refused(_("The referees keep something about this table: it stays."))
        players = found.seats.order_by("wind").values_list("player_id", flat=True)
        done.log("round.delete", f"round:{found.round_id}", before={"players": list(players)})
        found.round.delete()
