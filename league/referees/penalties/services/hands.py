"""Set the hand that a table plays, or move the table on with a penalty."""

from datetime import datetime

from django.contrib.auth.models import User

from league.core.changes import Change, Sent, change, reread
from league.core.rounds import check_hand
from league.models import Dispute, Table
from league.play.hands.queries import penalties_of_hand, table_game
from league.play.hands.services import name_hand
from league.referees.penalties.queries.referee import hand_of_act, is_over
from league.referees.penalties.services.checks import check_referee
from scoring.hand_codes import is_known, is_later, named_hand, next_unknown


def set_hand(
    *,
    table: Table,
    hand: str,
    by: User,
    same: bool = False,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Table:
    """Set the hand that a table plays and end earlier bans. ``same``: the unknown hand was this one."""
    with change(table, by=by, form=form, at=at, public=False) as done:
        check_referee(done, table)
        locked = read_table(table)
        if hand not in ([] if is_known(locked.hand) else [locked.hand, next_unknown(locked.hand)]):
            check_hand(table, hand)
        if same and not is_known(locked.hand):
            done.is_public = bool(penalties_of_hand(locked).update(hand=hand))
        name_hand(done, locked, hand)
        done.answer = {"table": table.pk}
        return locked


def play_hand(done: Change, table: Table | None, named: str, dispute: Dispute | None) -> str:
    """Return the hand in which the penalty is logged.

    A later hand than the table plays moves the table on, so that bans of the hands before end. A name for an
    unknown hand says nothing about its bans, so they stay. A table that keeps its hands moves on with them.
    """
    if table is None:
        return ""
    locked = read_table(table)
    usual = hand_of_act(locked, dispute)
    named = named_hand(named, usual)
    if named == usual:
        return named
    check_hand(table, named)
    if is_over(locked):
        return named
    if not is_known(locked.hand):
        penalties_of_hand(locked).filter(win_ban=True).update(hand=named)
        name_hand(done, locked, named)
    elif is_later(named, locked.hand, table.rules) and not table_game(locked).numbers:
        name_hand(done, locked, named)
    return named


def read_table(table: Table) -> Table:
    related = ("round__stage__division__competition", "round__stage__division__rule_set")
    return reread(Table.objects.select_related(*related), pk=table.pk)
