"""Referees who also play leave decisions on their own table, penalties and bans to others.

EMA tournaments may have such referees, because the observer reports whether the referees play (requirements
and guidelines for MERS tournaments, 2018). No rule book names a deputy for a sole referee, whose word is
final in all rulings (HKMA 總則 §1: 對於一切裁決, 裁判有最終決定權).
"""

from collections.abc import Collection

from django.utils.functional import Promise

from league.core.access import Can, others_can, plays_at
from league.core.changes import Change
from league.core.errors import Refused
from league.models import Role, Table


def leave_to_others(
    done: Change,
    why: str | Promise,
    *,
    table: Table | None = None,
    players: Collection[int] = (),
    need: Can = Can.REFEREE,
    but: Collection[int | None] = (),
) -> None:
    """Refuse with ``why`` if the writer plays at the table or is one of the players.

    Without another person who has the right and is not in ``but``, the writer decides, and the log marks it.
    """
    if done.by is None:
        return
    linked = Role.objects.filter(user=done.by.pk, competition=done.competition, player__in=players)
    done.is_own = (table is not None and plays_at(done.by.pk, table)) or (bool(players) and linked.exists())
    if done.is_own and others_can(need, done.competition, table=table, but=[done.by.pk, *but]):
        raise Refused(why)
