"""Notices to players: a service names the fact in its transaction, and `league.extras.notices` says it later.

`tell` puts one message for each channel of the players concerned. The message holds numbers only. Its words
are made when it is sent, in the language of the channel, and only if the fact still holds and the player may
read it.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from league.core.changes import Change
from league.core.outbox import message, put
from league.models import Channel, Competition, Outgoing, Role, Round, Seat, Sheet

UNDOABLE: Final = timedelta(seconds=15)  # while the author of a fact may undo it at once
Target = tuple[int, ...]


class About(StrEnum):
    """A kind of notice, with the numbers of its target."""

    SEATED = "seated"  # round, table number, wind, and how many other seats were announced before
    NEXT = "next"  # the same, before the round starts
    RESULT = "result"  # sheet
    TIME = "time"  # appointment
    PENALTY = "penalty"
    REVOKED = "revoked"  # penalty
    BAN = "ban"
    LIFTED = "lifted"  # ban
    OBJECTION = "objection"  # call
    RULING = "ruling"  # dispute
    TEST = "test"
    CONFIRM = "confirm"  # the mail that asks whether the address is right


# Only the player concerned may read these. They go to accounts that are linked to the player.
PERSONAL: Final = frozenset({About.PENALTY, About.REVOKED, About.BAN, About.LIFTED, About.RULING})


def usable_channels() -> QuerySet[Channel]:
    """Return channels that may be used now.

    A mail address must be confirmed and still be that of the account. An account must be active and still be
    linked to the player. Phones without an account get no notices of private competitions.
    """
    entered = {"competition": OuterRef("entrant__competition"), "player": OuterRef("entrant__player")}
    linked = Exists(Role.objects.filter(user=OuterRef("user"), **entered))
    public = Q(user=None, entrant__competition__visibility=Competition.Visibility.PUBLIC)
    own = Q(user__is_active=True) & Q(linked)
    sendable = Q(kind=Channel.Kind.PUSH) | Q(address=F("user__email"))
    return Channel.objects.filter(public | own, sendable, confirmed_at__isnull=False)


def tell(
    done: Change, about: About, targets: Mapping[int, Target], *, after: timedelta = timedelta()
) -> None:
    """Put notices for these players (player → target) within a change. Queries: 1, and 1 to write.

    A channel gets one notice of the same target. `after`: the pause until the notice leaves.
    """
    if not targets:
        return
    found = usable_channels().filter(entrant__competition=done.competition, entrant__player__in=targets)
    if about in PERSONAL:
        found = found.exclude(user=None)
    put(
        notice(each, about, targets[each.entrant.player_id], created_at=done.at, due_at=done.at + after)
        for each in found.select_related("entrant")
    )


def notice(channel: Channel, about: About, target: Target, **values: Any) -> Outgoing:
    """Return an unsaved message to this channel. `values`: fields of `Outgoing`."""
    return message(
        kind=channel.kind,
        key=":".join(map(str, (about, *target, channel.pk))),
        competition_id=channel.entrant.competition_id,
        channel=channel,
        payload={"about": about, "target": list(target)},
        **values,
    )


# --- rounds


def tell_of_round(done: Change, round_: Round, *, status: str, visibility: str) -> None:
    """Tell players about their seats and results that the former status and visibility did not show."""
    new = _shown(round_.status, round_.visibility) - _shown(status, visibility)
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


def tell_of_seats(done: Change, round_: Round) -> None:
    """Tell players about seats that have changed in a round that visitors can see."""
    for about in _shown(round_.status, round_.visibility) - {About.RESULT}:
        _tell_seats(done, about, round_)


def _tell_seats(done: Change, about: About, round_: Round, *, again: bool = False) -> None:
    """Tell players about seats that no notice has named. `again`: also about the others, because a start that
    was taken back named them.
    """
    played = Sheet.objects.filter(table=OuterRef("table"), is_current=True)
    seats = Seat.objects.filter(~Exists(played), round=round_).values_list(
        "player_id", "table__number", "wind"
    )
    announced = _announced_seats(about, round_)
    targets = {}
    for player, number, wind in seats:
        seat, before = (round_.pk, number, wind), announced.get(player, [])
        is_known = not again and bool(before) and before[-1][:3] == seat
        targets[player] = before[-1] if is_known else (*seat, len(before))
    tell(done, about, targets)


def _announced_seats(about: About, round_: Round) -> dict[int, list[Target]]:
    """Return player → the seats in the round that notices named, oldest first. Queries: 1."""
    here = Q(channel__entrant__competition=round_.stage.division.competition_id)
    found = Outgoing.objects.filter(here, key__startswith=f"{about}:{round_.pk}:")
    announced: dict[int, list[Target]] = {}
    for player, target in found.order_by("pk").values_list("channel__entrant__player", "payload__target"):
        seats = announced.setdefault(player, [])
        if not seats or seats[-1] != tuple(target):
            seats.append(tuple(target))
    return announced


def tell_of_result(done: Change, sheet: Sheet) -> None:
    """Tell the four about a sheet of a round with public results, once it can no longer be undone."""
    _tell_results(done, {"pk": sheet.pk}, after=UNDOABLE)


def _tell_results(done: Change, which: Mapping[str, object], *, after: timedelta = timedelta()) -> None:
    if not Channel.objects.filter(entrant__competition=done.competition).exists():
        return  # a scorer waits
    sheets = Sheet.objects.filter(is_current=True, **which).exclude(status=Sheet.Status.VOID)
    seats = sheets.values_list("table__seats__player_id", "pk")
    tell(done, About.RESULT, {player: (sheet,) for player, sheet in seats if player}, after=after)
