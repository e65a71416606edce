"""Repeated offences: the catalogue's level, raised by the player's earlier penalties, oldest first.

An earlier penalty sets the minimum level for the same reason while its scope lasts: level 2 is followed by
level 4 in the same hanchan (HKMA 罰則總則). The most severe level is suggested, and the referee may depart
from it. The same reason is the same entry, whatever its condition, also for offences of all four, on which
the rules (HKMA A-XI, D-V) are silent. A penalty without a level counts for conditions such as "again", but
raises no level.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from scoring.infractions import JOINT, Amounts, Catalogue, Escalation, Infraction, Level, Variant


@dataclass(frozen=True, slots=True)
class Act:
    """A player's offence by its `code`, and the levels that it was given. `key` identifies its penalty."""

    code: str
    levels: tuple[str, ...] = ()
    hanchan: Hashable = None
    hand: Hashable = None
    day: Hashable = None
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Sanction:
    """The cost of an act under one condition. `amounts` are in tenths, for all units.

    `because`: earlier acts that raised the levels within `scope`, newest first. `options`: other levels that
    the referee may choose. `unsure`: whether `because` was in the same hand is unknown, and the raised level
    is the last of the `options`.
    """

    levels: tuple[str, ...]
    amounts: Amounts
    win_ban: bool
    expels: bool
    because: tuple[Act, ...] = ()
    scope: str = ""
    options: tuple[str, ...] = ()
    unsure: bool = False

    @property
    def level(self) -> str:
        """Return the levels as a penalty stores them, or ""."""
        return JOINT.join(self.levels)


def sanction_with(
    catalogue: Catalogue, variant: Variant, levels: tuple[str, ...], *, units: int = 1
) -> Sanction:
    """Return the cost of these levels. The condition's own amount applies to its own levels only."""
    is_own = levels == variant.levels
    amounts = catalogue.amounts_of(variant) if is_own else catalogue.amounts(levels)
    if is_own and variant.unit and amounts:
        least, most = amounts
        amounts = least * units, most * units
    known = [catalogue.levels[code] for code in levels if code in catalogue.levels]
    return Sanction(
        levels=levels,
        amounts=amounts,
        win_ban=(is_own and variant.win_ban) or any(level.win_ban for level in known),
        expels=any(level.expels for level in known),
    )


def suggest(
    catalogue: Catalogue, variant: Variant, earlier: Sequence[Act], act: Act, *, units: int = 1
) -> Sanction:
    """Return the sanction of `act` after the player's `earlier` acts, oldest first."""
    plain = replace(sanction_with(catalogue, variant, variant.levels, units=units), options=variant.options)
    infraction = catalogue.infractions[act.code]
    if not infraction.escalates or not variant.levels:
        return plain
    raised = [
        (level.escalation, each)
        for each in earlier
        for level in _levels(catalogue, each)
        if level.escalation and _counts(catalogue, level.escalation, each, act)
    ]
    order = list(catalogue.levels)
    worst = max(order.index(code) for code in variant.levels)
    above = [(order.index(escalation.to), escalation, each) for escalation, each in raised]
    if not above or max(rank for rank, _, _ in above) <= worst:
        return _ask_for_hand(catalogue, plain, earlier, act)
    top = max(rank for rank, _, _ in above)
    decisive = [(escalation, each) for rank, escalation, each in above if rank == top]
    newest, _act = decisive[-1]
    return replace(
        sanction_with(catalogue, variant, (order[top],), units=units),
        because=tuple(each for _, each in reversed(decisive)),
        scope=newest.scope,
        options=newest.options or tuple(c for c in variant.options if order.index(c) >= top),
    )


def _ask_for_hand(catalogue: Catalogue, plain: Sanction, earlier: Sequence[Act], act: Act) -> Sanction:
    """Offer a choice if an earlier penalty would raise the level in the same, unknown, hand."""
    order = list(catalogue.levels)
    above = [
        (order.index(level.escalation.to), each)
        for each in earlier
        if each.code == act.code and each.hanchan == act.hanchan is not None
        if each.hand is None or act.hand is None
        for level in _levels(catalogue, each)
        if level.escalation and level.escalation.scope == "hand"
    ]
    top = max((rank for rank, _ in above), default=-1)
    if len(plain.levels) != 1 or top <= order.index(plain.levels[0]):
        return plain
    return replace(
        plain,
        because=tuple(each for rank, each in reversed(above) if rank == top),
        scope="hand",
        options=(*(plain.options or plain.levels), order[top]),
        unsure=True,
    )


def condition_by_history(infraction: Infraction, earlier: Sequence[Act], act: Act) -> tuple[Variant, ...]:
    """Return the conditions that fit how often the player committed the offence in this hanchan and hand."""
    same = [each for each in earlier if each.code == act.code and each.hanchan == act.hanchan]
    in_hand = [each for each in same if act.hand is not None and each.hand == act.hand]
    known = {variant.repeat for variant in infraction.variants}
    repeat = "first" if not same else "again"
    if in_hand and "again_in_hand" in known and any(each.levels for each in in_hand):
        repeat = "again_in_hand"
    return tuple(variant for variant in infraction.variants if not variant.repeat or variant.repeat == repeat)


def condition_of_repetition(infraction: Infraction, earlier: Sequence[Act], act: Act) -> tuple[Variant, ...]:
    """Return the conditions for a repetition whose first time is not on record.

    A first time that costs nothing (HKMA A-IX, D-III, D-IV) is often not logged.
    """
    if any(each.code == act.code and each.hanchan == act.hanchan for each in earlier):
        return ()
    return tuple(variant for variant in infraction.variants if variant.repeat == "again")


def same_before(scope: str, earlier: Sequence[Act], act: Act) -> tuple[Act, ...]:
    """Return earlier penalties for the same entry within `scope` (one of `SCOPES`), oldest first."""
    return tuple(each for each in earlier if each.code == act.code and _within(scope, each, act))


def _levels(catalogue: Catalogue, act: Act) -> list[Level]:
    return [catalogue.levels[code] for code in act.levels if code in catalogue.levels]


def _counts(catalogue: Catalogue, escalation: Escalation, before: Act, act: Act) -> bool:
    if not _within(escalation.scope, before, act):
        return False
    entry = catalogue.infractions.get(before.code)
    if entry is not None and not entry.escalates:
        return False
    return escalation.any_reason or before.code == act.code


def _within(scope: str, before: Act, act: Act) -> bool:
    if scope == "event":
        return True
    if scope == "day":
        return before.day is not None and before.day == act.day
    same_hanchan = before.hanchan is not None and before.hanchan == act.hanchan
    if scope == "hanchan":
        return same_hanchan
    return same_hanchan and before.hand is not None and before.hand == act.hand
