"""Repeated offences: the catalogue's level, raised by the player's earlier penalties, oldest first.

An earlier penalty sets the minimum level for the same reason while its scope lasts: level 2 is followed by
level 4 in the same hanchan (HKMA 罰則總則). The most severe level is suggested, and the referee may depart
from it. The same reason is the same entry, whatever its condition, also for offences of all four, on which
the rules (HKMA A-XI, D-V) are silent. A penalty without a level counts for conditions such as "again", but
raises no level.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from scoring.infractions import Catalogue, Escalation, Infraction, Level, Variant


@dataclass(frozen=True, slots=True)
class Moment:
    hanchan: Hashable = None
    hand: Hashable = None
    day: Hashable = None


@dataclass(frozen=True, slots=True)
class Earlier:
    code: str
    levels: tuple[str, ...]
    moment: Moment
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The suggested `levels`. `because`: earlier penalties that raised them within `scope`, newest first.

    `options`: other levels that the referee may choose. `unsure`: whether `because` was in the same hand is
    unknown, and the raised level is the last of the `options`.
    """

    levels: tuple[str, ...]
    because: tuple[Earlier, ...] = ()
    scope: str = ""
    options: tuple[str, ...] = ()
    unsure: bool = False


def suggest(
    catalogue: Catalogue,
    infraction: Infraction,
    variant: Variant,
    earlier: Sequence[Earlier],
    now: Moment,
) -> Suggestion:
    plain = Suggestion(levels=variant.levels, options=variant.options)
    if not infraction.escalates or not variant.levels:
        return plain
    raised = [
        (level.escalation, each)
        for each in earlier
        for level in _levels(catalogue, each)
        if level.escalation and _counts(catalogue, level.escalation, each, infraction, now)
    ]
    order = list(catalogue.levels)
    worst = max(order.index(code) for code in variant.levels)
    above = [(order.index(escalation.to), escalation, each) for escalation, each in raised]
    if not above or max(rank for rank, _, _ in above) <= worst:
        return _ask_for_hand(catalogue, infraction, variant, earlier, now) or plain
    top = max(rank for rank, _, _ in above)
    decisive = [(escalation, each) for rank, escalation, each in above if rank == top]
    return Suggestion(
        levels=(order[top],),
        because=tuple(each for _, each in reversed(decisive)),
        scope=decisive[-1][0].scope,
        options=decisive[-1][0].options or tuple(c for c in variant.options if order.index(c) >= top),
    )


def _ask_for_hand(
    catalogue: Catalogue, infraction: Infraction, variant: Variant, earlier: Sequence[Earlier], now: Moment
) -> Suggestion | None:
    """Offer a choice if an earlier penalty would raise the level in the same, unknown, hand."""
    order = list(catalogue.levels)
    levels = variant.levels
    above = [
        (order.index(level.escalation.to), each)
        for each in earlier
        if each.code == infraction.code and each.moment.hanchan == now.hanchan is not None
        if each.moment.hand is None or now.hand is None
        for level in _levels(catalogue, each)
        if level.escalation and level.escalation.scope == "hand"
    ]
    top = max((rank for rank, _ in above), default=-1)
    if len(levels) != 1 or top <= order.index(levels[0]):
        return None
    return Suggestion(
        levels=levels,
        because=tuple(each for rank, each in reversed(above) if rank == top),
        scope="hand",
        options=(*(variant.options or levels), order[top]),
        unsure=True,
    )


def condition_by_history(
    infraction: Infraction, earlier: Sequence[Earlier], now: Moment
) -> tuple[Variant, ...]:
    """Return the conditions that fit how often the player committed the offence in this hanchan and hand."""
    same = [each for each in earlier if each.code == infraction.code and each.moment.hanchan == now.hanchan]
    in_hand = [each for each in same if now.hand is not None and each.moment.hand == now.hand]
    known = {variant.repeat for variant in infraction.variants}
    repeat = "first" if not same else "again"
    if in_hand and "again_in_hand" in known and any(each.levels for each in in_hand):
        repeat = "again_in_hand"
    return tuple(variant for variant in infraction.variants if not variant.repeat or variant.repeat == repeat)


def same_before(code: str, scope: str, earlier: Sequence[Earlier], now: Moment) -> tuple[Earlier, ...]:
    """Return earlier penalties for the same entry within `scope` (one of `SCOPES`), oldest first."""
    return tuple(each for each in earlier if each.code == code and _within(scope, each.moment, now))


def _levels(catalogue: Catalogue, each: Earlier) -> list[Level]:
    return [catalogue.levels[code] for code in each.levels if code in catalogue.levels]


def _counts(
    catalogue: Catalogue, escalation: Escalation, each: Earlier, infraction: Infraction, now: Moment
) -> bool:
    if not _within(escalation.scope, each.moment, now):
        return False
    before = catalogue.infractions.get(each.code)
    if before is not None and not before.escalates:
        return False
    return escalation.any_reason or each.code == infraction.code


def _within(scope: str, before: Moment, now: Moment) -> bool:
    if scope == "event":
        return True
    if scope == "day":
        return before.day is not None and before.day == now.day
    same_hanchan = before.hanchan is not None and before.hanchan == now.hanchan
    if scope == "hanchan":
        return same_hanchan
    return same_hanchan and before.hand is not None and before.hand == now.hand
