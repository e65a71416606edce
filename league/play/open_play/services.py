import random
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import count, islice

from django.contrib.auth.models import User
from django.db.models import F, Max, Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.text import listed
from league.models import Call, Dispute, Entrant, Evening, Penalty, Presence, Round, Seat, Sheet, Stage, Table
from league.people.register.services import register_change
from league.play.bans.queries import banned_here
from league.play.bans.words import ban_words
from league.play.entrants.services import enter_by_name, set_facts
from league.play.open_play.queries import (
    draws_on_the_spot,
    evening_of,
    history_of_evening,
    open_tables,
    presences,
)
from league.play.results.services import record_in
from league.play.rounds import services as rounds
from league.play.substitutions.services.substitutions import revoke_given
from scoring.seating.rounds import SeatedRound, seat_at_random
from scoring.settlement import NO_CHIPS, Ending, Four, named_pairs

ORGANIZER_SEATS = gettext_lazy("The organizer seats the tables of this stage. Ask the organizer for a seat.")
DAYS_AROUND = 31  # around today, because tables are created about the day of play


def set_play(*, stage: Stage, play: str, by: User, form: Sent | None = None) -> Stage:
    with change(stage.competition, by=by, form=form) as done:
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
    form: Sent | None = None,
) -> Table:
    """Create a table of free play, open and published: east first, or with winds drawn with `seed`."""
    with change(stage.competition, by=by, form=form) as done:
        _check_day(stage, on, today)
        check_four(stage, four)
        seats = list(four) if seed is None else draw_winds(four, seed)
        table = make_in(done, stage, seats, on=on, seed=seed)
        done.answer = {"table": table.pk}
        return table


def make_in(
    done: Change, stage: Stage, seats: Sequence[int], *, on: date, seed: int | None, number: int | None = None
) -> Table:
    """Create a table within a change, in a round of its own."""
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
    rounds.refuse_strangers(round_, seats)
    _refuse_banned(done, seats, on, _("Banned: %(players)s. Choose other players, or have the ban lifted."))
    table = Table.objects.create(round=round_, number=number or _free_numbers(stage, on, 1)[0])
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, wind=wind, player_id=player) for wind, player in enumerate(seats)
    )
    after = {"players": seats, "date": on.isoformat(), **({} if seed is None else {"seed": seed})}
    done.log("table.make", f"table:{table.pk}", after=after)
    return table


def _free_numbers(stage: Stage, on: date, tables: int) -> list[int]:
    """Return the lowest numbers that no table without a result has on this day."""
    taken = set(Table.objects.filter(pk__in=open_tables(stage, on)).values_list("number", flat=True))
    return list(islice((number for number in count(1) if number not in taken), tables))


def _refuse_banned(done: Change, players: Collection[int], on: date, sentence: str) -> None:
    if bans := banned_here(done.competition, players, on=on):
        raise Refused(sentence % {"players": listed(map(ban_words, bans.values()))})


def _check_day(stage: Stage, on: date, today: date) -> None:
    if reread(Stage.objects.all(), pk=stage.pk).play != Stage.Play.OPEN:
        raise Refused(ORGANIZER_SEATS)
    _check_near(on, today)


def _check_near(on: date, today: date) -> None:
    if abs((on - today).days) > DAYS_AROUND:
        raise Refused(_("The day is more than a month from today. Check it."), field="date")


def draw_winds(four: Sequence[int], seed: int) -> list[int]:
    """Return the four, east first. The same players and the same seed give the same seats."""
    seats = sorted(four)
    random.Random(seed).shuffle(seats)  # noqa: S311 - a draw that can be repeated, no secret
    return seats


def check_four(stage: Stage, four: Sequence[int]) -> None:
    if len(four) != 4:
        raise Refused(_("A table needs four players."))
    if len(set(four)) != 4:
        raise Refused(_("A player is listed twice. Choose four different players."))
    entered = Entrant.objects.filter(competition=stage.division.competition_id, player__in=four)
    entrants = list(entered.select_related("player").order_by("pk"))
    if len(entrants) != 4:
        raise Refused(_("One of the four is not entered in the competition. Choose entered players."))
    if gone := [entrant.player.name for entrant in entrants if entrant.withdrawn_at is not None]:
        raise Refused(_("Withdrawn: %(names)s. Choose other players.") % {"names": listed(gone)})


def drop_table(*, table: Table, by: User, form: Sent | None = None) -> None:
    """Remove a table created by mistake."""
    with change(table.competition, by=by, form=form) as done:
        current_table = Table.objects.select_related("round__stage").filter(pk=table.pk).first()
        if current_table is None or current_table.round.stage.play != Stage.Play.OPEN:
            raise Refused(_("This table no longer exists."))
        if Sheet.objects.filter(table=current_table).exists():
            raise Refused(
                _("A table with a score sheet cannot be removed. Ask for the result to be voided instead.")
            )
        if any(records.objects.filter(table=current_table).exists() for records in (Penalty, Dispute, Call)):
            raise Refused(_("A table with referee records cannot be removed."))
        revoke_given(done, current_table.round)
        players = current_table.seats.order_by("wind").values_list("player_id", flat=True)
        done.log("round.delete", f"round:{current_table.round_id}", before={"players": list(players)})
        current_table.round.delete()


# --- an evening


def set_presence(
    *, stage: Stage, on: date, today: date, entrant: Entrant, here: bool, by: User, form: Sent | None = None
) -> None:
    """Save that a player came or went home. A player who neither played nor paid is deleted."""
    with change(stage.competition, by=by, form=form, public=False) as done:
        set_presence_in(done, stage, on, entrant, today=today, here=here)


def set_presence_in(
    done: Change, stage: Stage, on: date, entrant: Entrant, *, today: date, here: bool
) -> None:
    _check_near(on, today)
    if here:
        _check_may_come(stage, entrant)
        _come(stage, on, [entrant.player_id])
    else:
        if stage.play == Stage.Play.OPEN and entrant.player_id in _busy_players(stage, on):
            raise Refused(
                _("%(name)s sits at a table without a result. Enter the result, or remove the table.")
                % {"name": entrant.player.name}
            )
        presences = Presence.objects.filter(stage=stage, day=on, entrant=entrant)
        played = Seat.objects.filter(round__stage=stage, round__date=on, player=entrant.player_id)
        if played.exists() or presences.filter(paid=True).exists():
            presences.update(left=True)
        else:
            presences.delete()
    after = {"player": entrant.player_id, "date": on.isoformat(), "present": here}
    done.log("presence.set", f"stage:{stage.pk}", after=after)


def _busy_players(stage: Stage, on: date) -> set[int]:
    return {player for players in open_tables(stage, on).values() for player in players}


def _check_may_come(stage: Stage, entrant: Entrant) -> None:
    if Entrant.objects.withdrawn().filter(pk=entrant.pk).exists():
        raise Refused(
            _("%(name)s has withdrawn. Reinstate the player on the page “Players”.")
            % {"name": entrant.player.name}
        )
    rounds.refuse_outsiders(stage, [entrant.player_id])


def set_paid(
    *, stage: Stage, on: date, today: date, entrant: Entrant, paid: bool, by: User, form: Sent | None = None
) -> None:
    """Save that the fee of an evening was paid `today`, or was not paid. The first day of payment stays."""
    with change(stage.competition, by=by, form=form, public=False) as done:
        presence = reread(Presence.objects.all(), stage=stage, day=on, entrant=entrant)
        if presence.paid == paid:
            return
        presence.paid, presence.paid_on = paid, today if paid else None
        presence.save(update_fields=["paid", "paid_on"])
        after = {"player": entrant.player_id, "date": on.isoformat(), "paid": paid}
        done.log("presence.pay", f"stage:{stage.pk}", after=after)


def set_fee(
    *,
    stage: Stage,
    on: date,
    fee: Decimal | None,
    guest_fee: Decimal | None,
    by: User,
    form: Sent | None = None,
) -> None:
    """Set the table fee of this evening. Paid fees stay. Guests pay `fee` if `guest_fee` is None."""
    with change(stage.competition, by=by, form=form) as done:
        evening = evening_of(stage, on)
        before = {"fee": _plain(evening.fee), "guest_fee": _plain(evening.guest_fee)}
        evening.fee, evening.guest_fee = fee, guest_fee
        evening.save()
        open_ = Presence.objects.filter(stage=stage, day=on, paid=False)
        for guest in (False, True):
            open_.filter(entrant__is_guest=guest).update(fee=evening.fee_of(guest=guest))
        if not Evening.objects.filter(stage=stage, day__gt=on).exists():
            Stage.objects.filter(pk=stage.pk).update(fee=fee, guest_fee=guest_fee)
        after = {"fee": _plain(fee), "guest_fee": _plain(guest_fee), "date": on.isoformat()}
        done.log("stage.fee", f"stage:{stage.pk}", before=before, after=after)


def _plain(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def _come(stage: Stage, on: date, players: Collection[int]) -> None:
    """Add players to the list. Latecomers start with the least number of sit-outs."""
    evening = Presence.objects.filter(stage=stage, day=on)
    least = presences(stage, on).aggregate(least=Min("sat_out"))["least"] or 0
    evening.filter(entrant__player__in=players).update(left=False)
    entrants = Entrant.objects.filter(competition=stage.division.competition_id, player__in=players)
    fees = evening_of(stage, on)
    if fees._state.adding:
        fees.save()
    Presence.objects.bulk_create(
        Presence(stage=stage, day=on, entrant=entrant, sat_out=least, fee=fees.fee_of(guest=entrant.is_guest))
        for entrant in entrants.exclude(pk__in=evening.values("entrant"))
    )


def keep_attendance(stage: Stage, on: date, *, here: Collection[int], away: Collection[int]) -> None:
    """Save attendance within a change that seats a round. There is no list while everyone is present."""
    evening = Presence.objects.filter(stage=stage, day=on)
    if away or evening.exists():
        _come(stage, on, here)
        evening.filter(entrant__player__in=away).update(left=True)


def draw_tables(
    *, stage: Stage, on: date, today: date, seed: int, by: User, form: Sent | None = None
) -> list[Table]:
    """Seat everyone present without a table. Players who sat out most play first, and pairs that met this
    evening, then this season, are kept apart as far as possible. A stage of rounds gets one round.
    """
    with change(stage.competition, by=by, form=form) as done:
        if not draws_on_the_spot(reread(Stage.objects.all(), pk=stage.pk)):
            raise Refused(ORGANIZER_SEATS)
        _check_near(on, today)
        evening = presences(stage, on)
        free = evening.exclude(entrant__player__in=_busy_players(stage, on)).select_related("entrant")
        waiting = {presence.entrant.player_id: presence for presence in free}
        if len(waiting) < 4:
            raise Refused(
                _("Drawing tables needs four players who are present and not at a table. Mark who has come.")
            )
        history = history_of_evening(stage, on, waiting)
        numbers = _free_numbers(stage, on, len(waiting) // 4)
        seated = seat_at_random(sorted(waiting), history=history, seed=seed, tables=numbers)
        _refuse_banned(
            done,
            [player for four in seated.tables.values() for player in four],
            on,
            _("Banned: %(players)s. Mark them as not present, or have the ban lifted."),
        )
        if stage.play == Stage.Play.OPEN:
            tables = sorted(seated.tables.items())
            made = [make_in(done, stage, four, on=on, seed=seed, number=number) for number, four in tables]
        else:
            made = _make_round(done, stage, seated, waiting, on=on)
        out = [waiting[player].pk for player in seated.sitting_out]
        evening.filter(pk__in=out).update(sat_out=F("sat_out") + 1)
        done.answer = {"tables": len(made), "out": len(out)}
        return made


def _make_round(
    done: Change, stage: Stage, seated: SeatedRound, waiting: Collection[int], *, on: date
) -> list[Table]:
    """Open a round with these tables: the next one without tables, or a new one."""
    free = Round.objects.filter(stage=stage, status=Round.Status.PLANNED, tables__isnull=True)
    round_ = free.filter(Q(date=on) | Q(date=None), until=None).order_by("number").first()
    round_ = round_ or rounds.create_in(done, stage, None, on)
    round_ = rounds.seat_in(
        done, round_, seated.tables, seed=seated.seed, method=Round.Method.RANDOM, playing=waiting
    )
    before = {"status": str(round_.status), "visibility": str(round_.visibility)}
    round_.date, round_.status, round_.visibility = on, Round.Status.OPEN, Round.Visibility.RESULTS
    round_.save(update_fields=["date", "status", "visibility"])
    after = {"status": str(round_.status), "visibility": str(round_.visibility)}
    done.log("round.open", f"round:{round_.pk}", before=before, after=after, about=round_)
    return list(round_.tables.all())


def enter_slip(
    *,
    stage: Stage,
    on: date,
    today: date,
    four: Sequence[int],
    points: Sequence[int],
    sticks: int,
    last_dealer: int,
    sashiuma: Mapping[int, int],
    chips: Four = NO_CHIPS,
    by: User,
    form: Sent | None = None,
) -> Sheet:
    """Save a slip of paper with the players, east first, and their raw points. It is the sheet of the day's
    open table of these four, or of a new table.
    """
    with change(stage.competition, by=by, form=form) as done:
        _check_day(stage, on, today)
        check_four(stage, four)
        tables = open_tables(stage, on).items()
        same = next(((pk, seats) for pk, seats in tables if set(seats) == set(four)), None)
        if same:
            pk, seats = same
            played = reread(Table.objects.all(), pk=pk)
        else:
            seats, played = list(four), make_in(done, stage, four, on=on, seed=None)
            came = Presence.objects.filter(stage=stage, day=on).values_list("entrant__player", flat=True)
            _come(stage, on, set(four).difference(came))
        wind_of = [seats.index(player) for player in four]
        by_wind = [wind_of.index(wind) for wind in range(4)]
        named = {wind_of[one]: wind_of[other] for one, other in sashiuma.items()}
        east, south, west, north = (chips[line] for line in by_wind)
        ending = Ending(sticks, wind_of[last_dealer], named_pairs(named), (east, south, west, north))
        sheet = record_in(done, played, [points[line] for line in by_wind], ending, based_on=0)
        done.answer = {"table": played.pk}
        return sheet


# --- guests


def enter_guest(
    *, stage: Stage, on: date, today: date, name: str, by: User, form: Sent | None = None
) -> Entrant:
    """Mark a person as present at an evening of free play, and enter them as a guest if needed.

    The person is the sole player of the league with this name, or a new one. Raises ``Refused`` if several
    have the name and none is entered, or if the entrant has withdrawn or does not play in this stage.
    """
    competition = stage.competition
    with register_change(competition, by=by, form=form) as done:
        entered = competition.entrants.filter(player__name=name).first()
        if entered is None:
            entered = enter_by_name(done, name, stage.division)
            set_facts(done, entered, is_guest=True)
        set_presence_in(done, stage, on, entered, today=today, here=True)
        done.answer = {"entrant": entered.pk, "name": name}
        return entered
