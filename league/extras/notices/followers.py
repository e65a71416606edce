"""Notices to players that follow the actions of the log, in the transaction of the change.

`tell` puts one message for each channel of the players concerned. The message holds numbers only. Its words
are made when it is sent, in the language of the channel, and only if the fact still holds and the player may
read it.
"""

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.core.changes import Change, Fact
from league.core.outbox import UNDOABLE, put
from league.extras.notices.about import PERSONAL, About, Target
from league.extras.notices.queries import usable_channels
from league.extras.notices.services import notice
from league.models import Call, Channel, Outgoing, Penalty, Role, Round, Seat, Sheet
from league.play.calls.services import REOPENABLE


def tell(
    done: Change, about: About, targets: Mapping[int, Target], *, after: timedelta = timedelta()
) -> None:
    """Put notices for these players (player → target) within a change. Queries: 1, and 1 to write.

    A channel gets one notice of the same target. `after`: the pause until the notice leaves.
    """
    if not targets:
        return
    channels = usable_channels().filter(entrant__competition=done.competition, entrant__player__in=targets)
    if about in PERSONAL:
        channels = channels.exclude(user=None)
    put(
        notice(channel, about, targets[channel.entrant.player_id], created_at=done.at, due_at=done.at + after)
        for channel in channels.select_related("entrant")
    )


# --- rounds


def tell_of_round(done: Change, fact: Fact) -> None:
    """Tell players about their seats and results that the former status and visibility did not show."""
    round_: Round = fact.about
    status = fact.before.get("status", round_.status)
    new = _shown(round_.status, round_.visibility)
    new -= _shown(status, fact.before.get("visibility", round_.visibility))
    if About.RESULT in new:
        _tell_results(done, {"table__round": round_})
    starts = (status, round_.status) == (Round.Status.PLANNED, Round.Status.OPEN)
    for about in new & {About.SEATED, About.NEXT}:
        _tell_seats(done, about, round_, again=starts)


def _shown(status: str, visibility: str) -> frozenset[About]:
    if visibility == Round.Visibility.HIDDEN:
        return frozenset()
    seats = {Round.Status.PLANNED: {About.NEXT}, Round.Status.OPEN: {About.SEATED}}.get(
        Round.Status(status), set()
    )
    results = {About.RESULT} if visibility == Round.Visibility.RESULTS else set()
    return frozenset(seats | results)


def tell_of_seats(done: Change, fact: Fact) -> None:
    """Tell players about seats that have changed in a round that visitors can see.

    If the same change starts the round, its start tells them.
    """
    round_: Round = fact.about
    if any(each.action == "round.open" and each.about == round_ for each in done.facts):
        return
    for about in _shown(round_.status, round_.visibility) - {About.RESULT}:
        _tell_seats(done, about, round_)


def _tell_seats(done: Change, about: About, round_: Round, *, again: bool = False) -> None:
    """Tell players about seats that no notice has named. `again`: also about the others, because a start that
    was taken back named them.
    """
    played = Sheet.objects.current().filter(table=OuterRef("table"))
    seats = Seat.objects.filter(~Exists(played), round=round_).values_list(
        "player_id", "table__number", "wind"
    )
    announced = _announced_seats(about, round_)
    targets = {}
    for player, number, wind in seats:
        seat, before = (round_.pk, number, wind), announced.get(player, [])
        newest = before[-1] if before and not again else ()
        targets[player] = newest if newest[:3] == seat else (*seat, len(before))
    tell(done, about, targets)


def _announced_seats(about: About, round_: Round) -> dict[int, list[Target]]:
    """Return player → the seats in the round that notices named, oldest first. Queries: 1."""
    here = Q(channel__entrant__competition=round_.stage.division.competition_id)
    outgoing = Outgoing.objects.filter(here, key__startswith=f"{about}:{round_.pk}:")
    announced: dict[int, list[Target]] = {}
    for player, target in outgoing.order_by("pk").values_list("channel__entrant__player", "payload__target"):
        seats = announced.setdefault(player, [])
        if not seats or seats[-1] != tuple(target):
            seats.append(tuple(target))
    return announced


# --- tables


def tell_of_result(done: Change, fact: Fact) -> None:
    """Tell the four about a sheet of a round with public results, once it can no longer be undone.

    If the sheet itself publishes its round, that tells them.
    """
    sheet: Sheet = fact.about
    if sheet.table.round.visibility == Round.Visibility.RESULTS:
        _tell_results(done, {"pk": sheet.pk}, after=UNDOABLE)


def _tell_results(done: Change, which: Mapping[str, object], *, after: timedelta = timedelta()) -> None:
    if not Channel.objects.filter(entrant__competition=done.competition).exists():
        return  # a scorer waits
    sheets = Sheet.objects.filter(is_current=True, **which).exclude(status=Sheet.Status.VOID)
    seats = sheets.values_list("table__seats__player_id", "pk")
    tell(done, About.RESULT, {player: (sheet,) for player, sheet in seats if player}, after=after)


def tell_of_time(done: Change, fact: Fact) -> None:
    """Tell the players of the table about a time, except those of the person who acts."""
    table = fact.about.table
    if table.round.visibility != Round.Visibility.HIDDEN:
        players = Seat.objects.filter(table=table).exclude(player__in=_own_players(done))
        targets = dict.fromkeys(players.values_list("player_id", flat=True), (fact.about.pk,))
        tell(done, About.TIME, targets)


def _own_players(done: Change) -> "QuerySet[Role, int | None]":
    own = Role.objects.filter(competition=done.competition, user=done.by, player__isnull=False)
    return own.values_list("player", flat=True)


# --- referees


def tell_of_objection(done: Change, fact: Fact) -> None:
    """Tell the player that a referee closed their objection, unless a dispute took its place."""
    call: Call | None = fact.about
    if call is not None and call.kind == Call.Kind.OBJECTION and call.player_id:
        tell(done, About.OBJECTION, {call.player_id: (call.pk,)}, after=REOPENABLE)


def tell_of_ruling(done: Change, fact: Fact) -> None:
    players = Seat.objects.filter(table=fact.about.table_id).values_list("player_id", flat=True)
    tell(done, About.RULING, dict.fromkeys(players, (fact.about.pk,)))


def tell_of_penalty(done: Change, fact: Fact) -> None:
    tell(done, About.PENALTY, {fact.about.player_id: (fact.about.pk,)}, after=UNDOABLE)


def tell_of_revocation(done: Change, fact: Fact) -> None:
    """Tell the player, unless the notice of the penalty has not left yet. That one is then dropped."""
    penalty: Penalty = fact.about
    left_at = (penalty.decided_at or penalty.created_at) + UNDOABLE
    if penalty.status == Penalty.Status.IN_FORCE and left_at <= done.at:
        tell(done, About.REVOKED, {penalty.player_id: (penalty.pk,)})


def tell_of_ban(done: Change, fact: Fact) -> None:
    tell(done, About.BAN, {fact.about.player_id: (fact.about.pk,)})


def tell_of_lifted_ban(done: Change, fact: Fact) -> None:
    tell(done, About.LIFTED, {fact.about.player_id: (fact.about.pk,)})
