"""Propose, agree on and set the times of tables, postpone tables and undo that.

Appointments never change. `Table.meets_at` is the decided time. A postponed table does not keep its round
open, and a closed round takes its result, too.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.text import listed
from league.core.zones import day_of, zone_of
from league.models import Appointment, Competition, Consent, Round, Seat, Table
from league.play.calendar.queries.table_times import (
    POSTPONED,
    PROPOSED,
    SET,
    TableTimes,
    busy_players,
    hanchan_minutes,
    span_of,
    times_of,
)

MOST_PROPOSALS = 6  # of a table, waiting at once


def propose_time(
    *,
    table: Table,
    meets_at: datetime,
    place: str = "",
    player: int | None = None,
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Appointment:
    """Propose a time. `player` agrees to it, or None if the organizer proposes."""
    with change(table.competition, by=by, form=form, at=at) as done:
        table = _reread(table)
        times = _check_unplayed(table)
        if not times.is_window:
            raise Refused(
                _("This table plays on the day of its round. Only the organizer can set another time.")
            )
        _check_time(times, meets_at, now=done.at)
        if any(proposal.appointment.meets_at == meets_at for proposal in times.proposals):
            raise Refused(_("This time is already proposed. Agree to it instead."), field="meets_at")
        if sum(not proposal.declined for proposal in times.proposals) >= MOST_PROPOSALS:
            raise Refused(_("The maximum number of proposed times is reached. Agree to one of them first."))
        appointment = _appoint(done, table, PROPOSED, meets_at=meets_at, place=place)
        if player is not None:
            _add_consents(done, appointment, [player])
        return appointment


def agree_to_time(
    *,
    appointment: Appointment,
    players: Collection[int],
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Appointment:
    """Save an agreement. Return the proposal, or the decision once all four agree."""
    competition = appointment.table.competition
    with change(competition, by=by, form=form, at=at) as done:
        table = _reread(appointment.table)
        times = _check_unplayed(table)
        proposal = next((each for each in times.proposals if each.appointment.pk == appointment.pk), None)
        if proposal is None or appointment.meets_at is None:
            raise Refused(_("Another time has been decided. Check it."))
        missing = {player.pk for player in (*proposal.missing, *proposal.declined)}
        if not set(players) <= missing | {player.pk for player in proposal.agreed}:
            raise Refused(_("Only players of this table can agree on its time."))
        if not (new := missing & set(players)):
            raise Refused(_("You have already agreed to this time."))
        _check_time(times, appointment.meets_at, now=done.at)
        Consent.objects.filter(appointment=appointment, player__in=new).delete()
        _add_consents(done, appointment, sorted(new))
        after = {"players": sorted(new), "meets_at": _moment_text(appointment.meets_at, table)}
        done.log("table.agree", f"table:{table.pk}", after=after)
        if missing - new:
            return appointment
        return _appoint(
            done, table, Appointment.Kind.AGREED, meets_at=appointment.meets_at, place=appointment.place
        )


def disagree_with_time(
    *, appointment: Appointment, player: int, by: User, form: Sent | None = None, at: datetime | None = None
) -> None:
    """Save that the player cannot come at this time, also after agreeing to it."""
    competition = appointment.table.competition
    with change(competition, by=by, form=form, at=at) as done:
        times = _check_unplayed(_reread(appointment.table))
        if appointment.pk not in {proposal.appointment.pk for proposal in times.proposals}:
            raise Refused(_("Another time has been decided. Propose a new one."))
        answers = Consent.objects.filter(appointment=appointment, player=player)
        if answers.filter(declined=True).exists():
            raise Refused(_("You have already declined this time."))
        answers.delete()
        _add_consents(done, appointment, [player], declined=True)
        after = {"players": [player], "meets_at": _moment_text(appointment.meets_at, times.table)}
        done.log("table.disagree", f"table:{times.table.pk}", after=after)


def set_time(
    *,
    table: Table,
    meets_at: datetime,
    place: str = "",
    reason: str = "",
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Appointment:
    with change(table.competition, by=by, form=form, at=at) as done:
        table = _reread(table)
        times = _check_unplayed(table)
        _check_time(times, meets_at, now=done.at)
        kind = POSTPONED if times.postponed else SET
        reason = reason or (times.postponed.reason if times.postponed else "")
        return _appoint(
            done, table, kind, meets_at=meets_at, place=place, reason=reason, action="table.set_time"
        )


def postpone_tables(
    *,
    tables: Collection[Table],
    reason: str,
    meets_at: datetime | None = None,
    place: str = "",
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> list[Appointment]:
    """Postpone these tables of one round until `meets_at`, or without a new time."""
    competition = next(iter(tables)).competition
    with change(competition, by=by, form=form, at=at) as done:
        if not reason.strip():
            raise Refused(_("Give a reason for postponing, for example “typhoon”."), field="reason")
        postponements = []
        for each in sorted(tables, key=lambda table: table.number):
            table = _reread(each)
            times = _check_unplayed(table, closed_too=True)
            if meets_at is not None:
                _check_coming(meets_at, now=done.at)
                _check_free(times.table, meets_at)
            postponements.append(
                _appoint(done, table, POSTPONED, meets_at=meets_at, place=place, reason=reason)
            )
        done.answer = {"appointments": [postponement.pk for postponement in postponements]}
        return postponements


def restore_time(
    *, appointment: Appointment, by: User, form: Sent | None = None, at: datetime | None = None
) -> Appointment:
    """Undo a postponement: the table meets at its former time, which may be over by now, or else with its
    round. `appointment`: the last decision that this person saw.
    """
    competition = appointment.table.competition
    with change(competition, by=by, form=form, at=at) as done:
        table = _reread(appointment.table)
        times = _check_unplayed(table, closed_too=True)
        if times.postponement is None or times.decided != appointment:
            raise Refused(_("Another time has been decided. Check it."))
        if not times.may_be_restored:
            raise Refused(_("This round is closed. Reopen it first, or postpone the table."))
        before, former = times.postponement.before, times.postponement.former_time
        if former is not None:
            _check_span(table, span_of(table.round), former)
            _check_free(table, former)
        place = before.place if before else ""
        return _appoint(done, table, SET, meets_at=former, place=place, action="table.restore")


def note_made_up(done: Change, table: Table) -> None:
    """Note within a change that the first sheet of a postponed table makes it up."""
    when = reread(Table.objects.all(), pk=table.pk).meets_at
    known = when if when is not None and when <= done.at else None
    made_up = Appointment.Kind.MADE_UP
    Appointment.objects.create(
        table=table, kind=made_up, meets_at=known, created_by=done.by, created_at=done.at
    )


def forget_made_up(table: Table, *, at: datetime) -> None:
    """Undo `note_made_up` within a change that undoes the sheet saved at that time."""
    Appointment.objects.filter(table=table, kind=Appointment.Kind.MADE_UP, created_at=at).delete()


def forget_times(done: Change, round_: Round, before: Mapping[int, Sequence[int]]) -> None:
    """Drop the times of tables whose players have changed, within a change that seats a round.

    `before`: table number → its former players. New winds within a table keep its time.
    """
    has_appointments = Exists(Appointment.objects.filter(table=OuterRef("pk")))
    tables = round_.tables.filter(Q(meets_at__isnull=False) | has_appointments)
    for table in tables.prefetch_related("seats").order_by("number"):
        four = {seat.player_id for seat in table.seats.all()}
        if table.number not in before or four == set(before[table.number]):
            continue
        times = times_of(_reread(table))
        if times.table.meets_at is not None or times.proposals or times.postponed:
            reason = _("Other players have been seated here.")
            _appoint(done, times.table, SET, meets_at=None, reason=reason)
        if times.postponed:  # it still is, but without the time of the other players
            _appoint(done, times.table, POSTPONED, meets_at=None, reason=times.postponed.reason)


def move_times(done: Change, round_: Round, days: int) -> None:
    """Move the times of a round's tables by so many days of the clock on the wall, within a change."""
    for table in round_.tables.filter(meets_at__isnull=False).order_by("number"):
        times = times_of(_reread(table))
        local = times.table.meets_at and times.table.meets_at.astimezone(zone_of(done.competition))
        if local is None or times.has_sheet or times.postponed:
            continue
        place = times.decided.place if times.decided else ""
        reason = _("The days of the competition have changed.")
        _appoint(done, times.table, SET, meets_at=local + timedelta(days=days), place=place, reason=reason)


def forget_consents(competition: Competition, player: int) -> None:
    Consent.objects.filter(player=player, appointment__in=Appointment.objects.of(competition)).delete()


def take_over_consents(competition: Competition, *, keep: int, gone: int) -> None:
    consents = Consent.objects.filter(appointment__in=Appointment.objects.of(competition))
    both = consents.filter(player=keep).values("appointment")
    consents.filter(player=gone, appointment__in=list(both.values_list("appointment", flat=True))).delete()
    consents.filter(player=gone).update(player=keep)


def _reread(table: Table) -> Table:
    return reread(Table.objects.with_rules(), pk=table.pk)


def _check_unplayed(table: Table, *, closed_too: bool = False) -> TableTimes:
    """Return the times of a table, or raise `Refused` if they can no longer change."""
    times = times_of(table)
    if times.is_open_play:
        raise Refused(_("Tables in free play need no time: they are created when they are played."))
    if times.has_sheet:
        raise Refused(_("The time of a table with a result cannot be changed."))
    if not (times.may_change or closed_too):
        raise Refused(_("This round is closed. Postpone the table first to set a new time."))
    return times


def _check_time(times: TableTimes, meets_at: datetime, *, now: datetime) -> None:
    _check_span(times.table, times.span, meets_at)
    _check_coming(meets_at, now=now)
    _check_free(times.table, meets_at)


def _check_span(table: Table, span: tuple[date, date] | None, meets_at: datetime) -> None:
    if span is None:
        return
    first, last = span
    if not first <= day_of(table.competition, meets_at) <= last:
        raise Refused(_outside_sentence(span), field="meets_at")


def _outside_sentence(span: tuple[date, date]) -> str:
    first, last = map(date_format, span)
    if first == last:
        return _("This table plays on %(day)s. For another day, postpone it.") % {"day": first}
    return _("This table meets from %(first)s to %(last)s. Choose a time in between, or postpone it.") % {
        "first": first,
        "last": last,
    }


def _check_coming(meets_at: datetime, *, now: datetime) -> None:
    if meets_at <= now:
        raise Refused(_("This time has passed. Choose a later one."), field="meets_at")


def _check_free(table: Table, meets_at: datetime) -> None:
    busy = busy_players(table, meets_at)
    if not busy:
        return
    competition = table.competition
    minutes = hanchan_minutes(table.rules)
    who = sorted({player.name for player, _table in busy})
    sentence = ngettext(
        "%(names)s plays at another table then (round %(round)s, table %(table)s, %(time)s). "
        "A game takes %(minutes)s minutes. Choose another time.",
        "%(names)s play at other tables then (round %(round)s, table %(table)s, %(time)s). A "
        "game takes %(minutes)s minutes. Choose another time.",
        len(who),
    )
    (_player, other), *_others = busy
    said = {"names": listed(who), "round": other.round.number, "table": other.number, "minutes": minutes}
    assert other.meets_at is not None
    at = other.meets_at.astimezone(zone_of(competition))
    raise Refused(sentence % {**said, "time": date_format(at, "DATETIME_FORMAT")}, field="meets_at")


def _moment_text(at: datetime | None, table: Table) -> str:
    """Return local time for the audit log, such as "2026-05-03 19:30"."""
    if at is None:
        return ""
    return f"{at.astimezone(zone_of(table.competition)):%Y-%m-%d %H:%M}"


def _appoint(
    done: Change,
    table: Table,
    kind: Appointment.Kind,
    *,
    meets_at: datetime | None,
    place: str = "",
    reason: str = "",
    action: str = "",
) -> Appointment:
    """Add an appointment, and apply a decision at once. `action`: its name in the audit log, if special."""
    made = Appointment.objects.create(
        table=table,
        kind=kind,
        meets_at=meets_at,
        place=place.strip(),
        reason=reason.strip(),
        created_by=done.by,
        created_at=done.at,
    )
    before = {"meets_at": _moment_text(table.meets_at, table)}
    if kind != PROPOSED:
        table.meets_at = meets_at
        table.save(update_fields=["meets_at"])
    after = {"meets_at": _moment_text(meets_at, table), "place": made.place, "reason": made.reason}
    done.log(action or _ACTIONS[kind], f"table:{table.pk}", before=before, after=after, about=made)
    done.answer = {"appointment": made.pk}
    return made


_ACTIONS = {
    Appointment.Kind.PROPOSED: "table.propose",
    Appointment.Kind.AGREED: "table.meet",
    Appointment.Kind.SET: "table.set_time",
    Appointment.Kind.POSTPONED: "table.postpone",
}


def _add_consents(
    done: Change, appointment: Appointment, players: Sequence[int], *, declined: bool = False
) -> None:
    seated = set(Seat.objects.filter(table=appointment.table_id).values_list("player_id", flat=True))
    if not set(players) <= seated:
        raise Refused(_("Only players of this table can agree on its time."))
    Consent.objects.bulk_create(
        Consent(appointment=appointment, player_id=player, declined=declined, created_at=done.at)
        for player in players
    )
