"""Open play: four players make up a table, or take away one that they made by mistake. An evening: who is
present, tables drawn among them, slips with names and scores.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal

from django.contrib.auth.models import User
from django.db.models import F, Max, Min
from django.utils.translation import gettext as _

from league.bans.queries import banned_here
from league.bans.words import ban_words
from league.core.changes import Change, Form, change, reread
from league.core.errors import Refused
from league.core.text import listed
from league.models import Call, Dispute, Entrant, Penalty, Presence, Round, Seat, Sheet, Stage, Table
from league.open_play.queries import history_of_evening, is_at_open_table, open_tables, presences
from league.results.services import record_in
from league.rounds.services import refuse_outsiders, refuse_strangers
from league.seating.engine.rounds import seat_at_random
from league.substitutions.services.substitutions import revoke_given
from scoring.settlement import NO_CHIPS, Ending, Four

DAYS_AROUND = 31  # today: a table is made up around the day on which it is played


def set_play(*, stage: Stage, play: str, by: User, form: Form | None = None) -> Stage:
    """Sets whether the stage is played in rounds or freely (``Stage.Play``). Raises ``Refused`` once it has
    rounds.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        if Round.objects.filter(stage=stage).exists():
            raise Refused(_("This stage already has rounds. Delete them first, or add another stage."))
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
        _check_day(stage, on, today)
        _check_four(stage, four)
        seats = list(four) if seed is None else draw_winds(four, seed)
        table = _make(done, stage, seats, on=on, seed=seed)
        done.answer = {"table": table.pk}
        return table


def _make(done: Change, stage: Stage, seats: Sequence[int], *, on: date, seed: int | None) -> Table:
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
    _refuse_banned(done, seats, on, _("Banned: %(players)s. Choose other players, or have the ban lifted."))
    table = Table.objects.create(round=round_, number=1)
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, wind=wind, player_id=player) for wind, player in enumerate(seats)
    )
    after = {"players": seats, "date": on.isoformat(), **({} if seed is None else {"seed": seed})}
    done.log("table.make", f"table:{table.pk}", after=after)
    return table


def _refuse_banned(done: Change, players: Collection[int], on: date, sentence: str) -> None:
    """No ban is waived at the table: ``sentence`` says what to do."""
    if held := banned_here(done.competition, players, on=on):
        raise Refused(sentence % {"players": listed(map(ban_words, held.values()))})


def _check_day(stage: Stage, on: date, today: date) -> None:
    if reread(Stage.objects.all(), pk=stage.pk).play != Stage.Play.OPEN:
        raise Refused(_("The organizer seats the tables of this stage. Ask the organizer for a seat."))
    _check_near(on, today)


def _check_near(on: date, today: date) -> None:
    if abs((on - today).days) > DAYS_AROUND:
        raise Refused(_("The day is more than a month from today. Check it."), field="date")


def draw_winds(four: Sequence[int], seed: int) -> list[int]:
    """The four, east first; the same players and the same seed give the same seats."""
    seats = sorted(four)
    random.Random(seed).shuffle(seats)  # noqa: S311 - a draw that can be repeated, no secret
    return seats


def _check_four(stage: Stage, four: Sequence[int]) -> None:
    if len(four) != 4:
        raise Refused(_("A table needs four players."))
    if len(set(four)) != 4:
        raise Refused(_("A player is listed twice. Choose four different players."))
    found = Entrant.objects.filter(competition=stage.division.competition_id, player__in=four)
    entrants = list(found.select_related("player").order_by("pk"))
    if len(entrants) != 4:
        raise Refused(_("One of the four is not entered in the competition. Choose entered players."))
    if gone := [each.player.name for each in entrants if each.withdrawn_at is not None]:
        raise Refused(_("Withdrawn: %(names)s. Choose other players.") % {"names": listed(gone)})


def drop_table(*, table: Table, by: User, form: Form | None = None) -> None:
    """Removes a table that was made up by mistake. Raises ``Refused`` when it has a sheet, a penalty, a
    dispute or a call, and as ``delete_round`` for points.
    """
    with change(table.round.stage.division.competition, by=by, form=form) as done:
        found = Table.objects.select_related("round__stage").filter(pk=table.pk).first()
        if found is None or found.round.stage.play != Stage.Play.OPEN:
            raise Refused(_("This table no longer exists."))
        if Sheet.objects.filter(table=found).exists():
            raise Refused(
                _("A table with a score sheet cannot be removed. Ask for the result to be voided instead.")
            )
        if any(kept.objects.filter(table=found).exists() for kept in (Penalty, Dispute, Call)):
            raise Refused(_("A table with referee records cannot be removed."))
        revoke_given(done, found.round)
        players = found.seats.order_by("wind").values_list("player_id", flat=True)
        done.log("round.delete", f"round:{found.round_id}", before={"players": list(players)})
        found.round.delete()


# --- an evening


def set_presence(
    *, stage: Stage, on: date, today: date, entrant: Entrant, here: bool, by: User, form: Form | None = None
) -> None:
    """Notes that a player has come to the evening, or has gone home; a player who came by mistake and neither
    played nor paid is not kept. Raises ``Refused`` for one who comes and may not sit down in this stage, and
    for one who goes home from a table of open play that has no result yet.
    """
    with change(stage.division.competition, by=by, form=form, public=False) as done:
        set_presence_in(done, stage, on, entrant, today=today, here=here)


def set_presence_in(
    done: Change, stage: Stage, on: date, entrant: Entrant, *, today: date, here: bool
) -> None:
    """Part of a change: notes that a player has come or gone home, as ``set_presence``."""
    _check_near(on, today)
    if here:
        _check_may_come(stage, entrant)
        _come(stage, on, [entrant.player_id])
    else:
        if stage.play == Stage.Play.OPEN and is_at_open_table(stage, on, entrant.player_id):
            raise Refused(
                _("%(name)s sits at a table without a result. Enter the result, or remove the table.")
                % {"name": entrant.player.name}
            )
        found = Presence.objects.filter(stage=stage, day=on, entrant=entrant)
        played = Seat.objects.filter(round__stage=stage, round__date=on, player=entrant.player_id)
        if played.exists() or found.filter(paid=True).exists():
            found.update(left=True)
        else:
            found.delete()
    after = {"player": entrant.player_id, "date": on.isoformat(), "present": here}
    done.log("presence.set", f"stage:{stage.pk}", after=after)


def _check_may_come(stage: Stage, entrant: Entrant) -> None:
    if Entrant.objects.filter(pk=entrant.pk, withdrawn_at__isnull=False).exists():
        raise Refused(
            _("%(name)s has withdrawn. Reinstate the player on the page “Players”.")
            % {"name": entrant.player.name}
        )
    refuse_outsiders(stage, [entrant.player_id])


def set_paid(
    *, stage: Stage, on: date, entrant: Entrant, paid: bool, by: User, form: Form | None = None
) -> None:
    """Notes whether a player who came has paid the fee of the evening."""
    with change(stage.division.competition, by=by, form=form, public=False) as done:
        Presence.objects.filter(stage=stage, day=on, entrant=entrant).update(paid=paid)
        after = {"player": entrant.player_id, "date": on.isoformat(), "paid": paid}
        done.log("presence.pay", f"stage:{stage.pk}", after=after)


def set_fee(
    *,
    stage: Stage,
    on: date,
    fee: Decimal | None,
    guest_fee: Decimal | None,
    by: User,
    form: Form | None = None,
) -> None:
    """Sets the table fee from this evening on; those who have paid keep what they paid. ``guest_fee`` None:
    guests pay ``fee``.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        stage.refresh_from_db(fields=["fee", "guest_fee"])
        before = {"fee": _plain(stage.fee), "guest_fee": _plain(stage.guest_fee)}
        stage.fee, stage.guest_fee = fee, guest_fee
        stage.save(update_fields=["fee", "guest_fee"])
        open_ = Presence.objects.filter(stage=stage, day__gte=on, paid=False)
        for guest in (False, True):
            open_.filter(entrant__is_guest=guest).update(fee=stage.fee_of(guest=guest))
        after = {"fee": _plain(fee), "guest_fee": _plain(guest_fee), "date": on.isoformat()}
        done.log("stage.fee", f"stage:{stage.pk}", before=before, after=after)


def _plain(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def _come(stage: Stage, on: date, players: Collection[int]) -> None:
    """Who comes late has sat out as often as those who did so least: they are not owed a seat."""
    evening = Presence.objects.filter(stage=stage, day=on)
    least = presences(stage, on).aggregate(least=Min("sat_out"))["least"] or 0
    evening.filter(entrant__player__in=players).update(left=False)
    entrants = Entrant.objects.filter(competition=stage.division.competition_id, player__in=players)
    stage.refresh_from_db(fields=["fee", "guest_fee"])
    Presence.objects.bulk_create(
        Presence(
            stage=stage, day=on, entrant=entrant, sat_out=least, fee=stage.fee_of(guest=entrant.is_guest)
        )
        for entrant in entrants.exclude(pk__in=evening.values("entrant"))
    )


def keep_attendance(stage: Stage, on: date, *, here: Collection[int], away: Collection[int]) -> None:
    """Part of a change that seats a round: players ``here`` are present on this day, those ``away`` are not.
    Keeps no list while all are there.
    """
    evening = Presence.objects.filter(stage=stage, day=on)
    if away or evening.exists():
        _come(stage, on, here)
        evening.filter(entrant__player__in=away).update(left=True)


def draw_tables(
    *, stage: Stage, on: date, today: date, seed: int, by: User, form: Form | None = None
) -> list[Table]:
    """Seats all who are present and at no table: those who sat out most play first, and pairs that met this
    evening, then this season, are kept apart as far as possible. Those left over sit out.

    Raises ``Refused`` for fewer than four, and as ``make_table``.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        _check_day(stage, on, today)
        evening = presences(stage, on)
        busy = {player for table in open_tables(stage, on) for player in table.players}
        free = evening.exclude(entrant__player__in=busy).select_related("entrant")
        waiting = {presence.entrant.player_id: presence for presence in free}
        if len(waiting) < 4:
            raise Refused(
                _("Drawing tables needs four players who are present and not at a table. Mark who has come.")
            )
        history = history_of_evening(stage, on, waiting)
        seated = seat_at_random(sorted(waiting), history=history, seed=seed)
        _refuse_banned(
            done,
            [player for four in seated.tables.values() for player in four],
            on,
            _("Banned: %(players)s. Mark them as not present, or have the ban lifted."),
        )
        made = [_make(done, stage, four, on=on, seed=seed) for _number, four in sorted(seated.tables.items())]
        out = [waiting[player].pk for player in seated.sitting_out]
        evening.filter(pk__in=out).update(sat_out=F("sat_out") + 1)
        done.answer = {"tables": len(made), "out": len(out)}
        return made


def enter_slip(
    *,
    stage: Stage,
    on: date,
    today: date,
    table: int | None = None,
    four: Sequence[int],
    points: Sequence[int],
    sticks: int,
    last_dealer: int,
    sashiuma: Mapping[int, int],
    chips: Four = NO_CHIPS,
    by: User,
    form: Form | None = None,
) -> Sheet:
    """Saves a slip of paper: who played, east first, and the raw points. It is the sheet of the table without
    a result at which these four sit that day, else of a new one. Raises ``Refused`` as ``make_table`` and
    ``record_result``, and when ``table``, for which the slip was opened, has these four and a sheet.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        _check_day(stage, on, today)
        _check_four(stage, four)
        saved = Seat.objects.filter(table=table, table__sheets__is_current=True)
        if saved.filter(player__in=four).count() == 4:
            raise Refused(_("This table already has a score sheet."))
        waiting = next((each for each in open_tables(stage, on) if set(each.players) == set(four)), None)
        if waiting is None:
            seats, played = list(four), _make(done, stage, four, on=on, seed=None)
            _come(stage, on, [p for p in four if not _came(stage, on, p)])
        else:
            seats, played = list(waiting.players), reread(Table.objects.all(), pk=waiting.table)
        wind_of = [seats.index(player) for player in four]
        by_wind = [wind_of.index(wind) for wind in range(4)]
        named = {wind_of[one]: wind_of[other] for one, other in sashiuma.items()}
        east, south, west, north = (chips[line] for line in by_wind)
        ending = Ending(sticks, wind_of[last_dealer], named, (east, south, west, north))
        sheet = record_in(done, played, (tuple(points[line] for line in by_wind), ending), based_on=0)
        done.answer = {"table": played.pk}
        return sheet


def _came(stage: Stage, on: date, player: int) -> bool:
    return Presence.objects.filter(stage=stage, day=on, entrant__player=player).exists()
