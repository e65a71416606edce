"""Two players change seats, or two tables their results, before or after results.

Points belong to seats, so after a swap the result moves to the right people. Sheets get a new version, which
has to be confirmed again. Open disputes at the tables forbid all of this.
"""

import hashlib
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, canonical, change
from league.core.errors import OutOfDate, Refused
from league.core.rounds import reread_round, seating
from league.models import Penalty, Round, Seat, Sheet, Table
from league.play.hands.offences import follow_log
from league.play.hands.queries import table_game
from league.play.hands.services import reseat_hands
from league.play.results.services import place_facts
from league.play.substitutions.queries.substitutes import is_in_dispute
from league.play.substitutions.services.previews import Watch
from league.rules.penalty_rules.words.rulings import expels

FOLLOW, STAY = "follow", "stay"  # what becomes of penalties when their players change seats


def round_state(round_: Round) -> str:
    """Return a short digest of the seats and the versions of the sheets. Two queries."""
    seats = Seat.objects.filter(round=round_).order_by("table__number", "wind")
    sheets = Sheet.objects.current().filter(table__round=round_).order_by("table__number")
    facts = [
        [list(row) for row in seats.values_list("pk", "table_id", "wind", "player_id", "stands_for_id")],
        [list(row) for row in sheets.values_list("table_id", "version")],
    ]
    return hashlib.sha256(canonical(facts).encode()).hexdigest()[:16]


def swap_players(
    *,
    round_: Round,
    player: int,
    other_player: int,
    penalties: str = "",
    hands: str = "",
    reason: str,
    based_on: str,
    watch: Watch | None = None,
    by: User,
    form: Sent | None = None,
) -> list[Table]:
    """Swap the seats of two players (ids) and return their tables.

    ``penalties`` at these tables ``FOLLOW`` their players or ``STAY`` with the seats; required if there are
    any. The ``hands`` that their table keeps do the same if both sit there. Hands always stay with the seats
    of two tables. A substitute stays the substitute of the same player. ``based_on``: the ``round_state`` on
    the page. ``watch`` compares the recorded points with those after the swap.

    Raise ``OutOfDate`` if the state or the effect has changed since. Raise ``Refused`` in a closed round,
    without a reason, during a dispute, or if a penalty that stays caused a ban or expels.
    """
    with change(round_.competition, by=by, form=form) as done:
        round_ = _open_round(round_, reason=reason, based_on=based_on)
        one, other = _two_seats(round_, player, other_player)
        tables = _tables_of(round_, {one.table_id, other.table_id})
        _check_disputes(tables)
        before = _describe(round_, tables)
        with (watch or Watch()).over(done.competition, [table.pk for table in tables]):
            moved = _move_penalties(done, one, other, penalties)
            _swap(one, other)
            why = {"reason": reason.strip(), "penalties_moved": penalties if moved else ""}
            after = _describe(round_, tables) | why
            done.log("round.swap", f"round:{round_.pk}", before=before, after=after, about=round_)
            for table in tables:
                _renew_sheet(done, table, reason)
            if len(tables) == 1:
                (table,) = tables
                _move_hands(done, table, one, other, hands)
            for table in tables:
                follow_log(done, table)
        done.answer = {"round": round_.pk}
        return tables


def exchange_results(
    *,
    round_: Round,
    table: int,
    other_table: int,
    reason: str,
    based_on: str,
    watch: Watch | None = None,
    by: User,
    form: Sent | None = None,
) -> list[Table]:
    """Exchange the sheets of two tables (numbers). A table that gets no result keeps a void sheet."""
    with change(round_.competition, by=by, form=form) as done:
        round_ = _open_round(round_, reason=reason, based_on=based_on)
        by_number = {table.number: table for table in round_.tables.all()}
        if table == other_table or not by_number.keys() >= {table, other_table}:
            raise Refused(_("Choose two different tables of this round."), field="other_table")
        one, other = by_number[table], by_number[other_table]
        _check_disputes([one, other])
        sheets = {s.table_id: s for s in Sheet.objects.current().filter(table__in=[one, other])}
        if not any(sheet.status != Sheet.Status.VOID for sheet in sheets.values()):
            raise Refused(_("Neither of the two tables has a result."))
        after = {"tables": [one.number, other.number], "reason": reason.strip()}
        done.log("round.exchange", f"round:{round_.pk}", after=after)
        with (watch or Watch()).over(done.competition, [one.pk, other.pk]):
            for each, source in ((one, sheets.get(other.pk)), (other, sheets.get(one.pk))):
                each.round = round_
                place_facts(done, each, source, reason=reason)
        done.answer = {"round": round_.pk}
        return [one, other]


def keeps_hands(round_: Round, player: int, other_player: int) -> bool:
    """Return whether both sit at one table that keeps its hands, which then move with them or stay."""
    seats = Seat.objects.filter(round=round_, player__in=[player, other_player]).select_related("table")
    tables = {seat.table_id: seat.table for seat in seats}
    if len(seats) != 2 or len(tables) != 1:
        return False
    (table,) = tables.values()
    table.round = round_
    return bool(table_game(table).numbers)


# --- steps


def _swap(one: Seat, other: Seat) -> None:
    """Delete the seats first, because no player may have two in a round."""
    pair = (_in_place_of(one, other), _in_place_of(other, one))
    Seat.objects.filter(pk__in=[one.pk, other.pk]).delete()
    Seat.objects.bulk_create(pair)


def _in_place_of(seat: Seat, who: Seat) -> Seat:
    place = {"pk": seat.pk, "table": seat.table, "round": seat.round, "wind": seat.wind}
    return Seat(**place, player_id=who.player_id, **who.substitution)


def _move_penalties(done: Change, one: Seat, other: Seat, choice: str) -> bool:
    """Return whether these players have penalties at these tables."""
    pairs = ((one, other), (other, one))
    # Undecided requests of the log of hands follow the log. Withdrawn ones move nothing.
    settled = Q(logged_hand__isnull=False) | Q(revoked_at__isnull=False)
    moving = Penalty.objects.exclude(settled, status=Penalty.Status.REQUESTED)
    theirs = [list(moving.filter(table=a.table_id, player=a.player_id)) for a, _b in pairs]
    if not any(theirs):
        return False
    if choice not in (FOLLOW, STAY):
        raise Refused(
            _("These tables have penalties. Choose whether they move with the player or stay with the seat."),
            field="penalties",
        )
    for (_mine, seat), found in zip(pairs, theirs, strict=True):
        for penalty in found:
            _move_penalty(done, penalty, seat, choice)
    return True


def _move_penalty(done: Change, penalty: Penalty, to: Seat, choice: str) -> None:
    before = {"player": penalty.player_id, "table": penalty.table_id}
    if choice == FOLLOW:
        if penalty.table_id != to.table_id:
            penalty.table_id, penalty.logged_hand = to.table_id, None  # the hand stays in its table's log
    elif penalty.bans.exists():
        raise Refused(_("One of these penalties caused a ban. Lift the ban first."), field="penalties")
    elif penalty.status == Penalty.Status.IN_FORCE and penalty.revoked_at is None and expels(penalty):
        raise Refused(
            _("One of these penalties expelled its player. Revoke it, swap the players, then log it again."),
            field="penalties",
        )
    else:
        penalty.player_id = to.player_id
    after = {"player": penalty.player_id, "table": penalty.table_id}
    if before != after:
        penalty.save(update_fields=["player", "table", "logged_hand"])
        done.log("penalty.move", f"penalty:{penalty.pk}", before=before, after=after)


def _move_hands(done: Change, table: Table, one: Seat, other: Seat, choice: str) -> None:
    if not table_game(table).numbers or choice == STAY:
        return
    if choice != FOLLOW:
        raise Refused(
            _("This table keeps its hands. Choose whether they move with the player or stay with the seat."),
            field="hands",
        )
    swapped = {one.wind: other.wind, other.wind: one.wind}
    reseat_hands(done, table, [swapped.get(seat, seat) for seat in range(4)])


def _renew_sheet(done: Change, table: Table, reason: str) -> None:
    current = Sheet.objects.current().filter(table=table).first()
    if current is not None:
        place_facts(done, table, current, reason=reason)


def _describe(round_: Round, tables: Iterable[Table]) -> dict[str, object]:
    now = seating(round_)
    return {str(table.number): now[table.number] for table in tables}


# --- checks


def _open_round(round_: Round, *, reason: str, based_on: str) -> Round:
    now = reread_round(round_)
    if now.status == Round.Status.CLOSED:
        raise Refused(_("This round is closed. Reopen it to correct it."))
    if round_state(now) != based_on:
        raise OutOfDate(_("Someone else has changed this round. Check it, then repeat what is still needed."))
    if not reason.strip():
        raise Refused(_("Describe what went wrong. The reason is kept with the round."), field="reason")
    return now


def _two_seats(round_: Round, player: int, other_player: int) -> tuple[Seat, Seat]:
    two_seats = Seat.objects.filter(round=round_, player__in=[player, other_player])
    two_seats = two_seats.select_related("table", "round")
    seats = {seat.player_id: seat for seat in two_seats}
    if len(seats) != 2:
        raise Refused(_("Choose two different players of this round."), field="other_player")
    return seats[player], seats[other_player]


def _tables_of(round_: Round, ids: set[int]) -> list[Table]:
    tables = list(Table.objects.filter(pk__in=ids).order_by("number"))
    for table in tables:
        table.round = round_  # with its rules
    return tables


def _check_disputes(tables: Iterable[Table]) -> None:
    if is_in_dispute([table.pk for table in tables]):
        raise Refused(_("One of these tables has an open dispute. Close it first."))
