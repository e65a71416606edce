"""The log of a table's hands. A device chooses the key of each entry, so that an entry sent twice is one."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils.translation import gettext_lazy as _

from league.core.changes import SENT_BEFORE, Change, change, reread
from league.core.errors import AlreadyDone, Refused
from league.core.rounds import check_hand
from league.core.text import labelled, sentences
from league.models import Competition, HandEntry, Round, Table
from league.play.hands.offences import follow_log
from league.play.hands.queries import (
    bell_at,
    entries_of,
    game_of,
    log_entries,
    penalties_of_hand,
    players_of,
    restrictions_at,
    table_game,
    takes_hands,
)
from league.play.hands.words.names import hand_words
from league.play.hands.words.problems import hanchan_problem, log_problem
from players.models import Player
from scoring.hanchan import Game, Hand, IllegalHand, Malformed, new_game
from scoring.hanchan.problems import problem
from scoring.hand_codes import hand_code, is_known
from scoring.hand_log import (
    CHANGES,
    CORRECT,
    FIRST_HAND,
    HAND,
    INSERT,
    NAME,
    REMOVE,
    RIICHI,
    START,
    STEP,
    BadEntry,
    LogEntry,
    TableGame,
    read_log,
    reseated,
)
from scoring.payments import DEPOSIT

RULING: Final = "ruling"
WITH_FACTS: Final = (HAND, CORRECT, INSERT)  # whose facts are a hand
LOGGED: Final = (*CHANGES, START)  # in the audit log, besides names of the hand
MOST_ENTRIES: Final = 1000  # of one table

Found = TypeVar("Found")


class Behind(Refused):
    """Others added entries since the device looked. `entries`: those."""

    def __init__(self, entries: Sequence[HandEntry]) -> None:
        super().__init__(_("Another phone entered something for this table first. Check it, then choose."))
        self.entries = entries


class Impossible(Refused):
    """An entry that does not fit. `reasons`: a sentence each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(sentences(reasons))
        self.reasons = reasons


@dataclass(frozen=True, slots=True)
class Plan:
    """An entry that fits: the game before and after it, and the `facts` to save."""

    before: TableGame
    after: TableGame
    facts: dict[str, Any]
    names: tuple[str, ...]
    target: int | None


def add_entry(
    *,
    table: Table,
    key: uuid.UUID,
    kind: str,
    facts: Mapping[str, Any],
    based_on: int,
    target: int | uuid.UUID | None = None,
    after: uuid.UUID | None = None,
    by: User | None,
    player: Player | None = None,
    is_staff: bool = False,
    at: datetime | None = None,
) -> HandEntry:
    """Add an entry to a table's log and return it, or return the same one if its key is saved already.

    `based_on`: number of the last entry that the device knew. `after`: key of an entry that it had sent or
    queued before, which it knew too. `target`: number or key of the hand to change. `at`: time of the press.

    Raise `Behind` if others have added entries, except riichi that the hand names. Raise `Impossible` or
    `Refused` if it does not fit, the round is not open, or the table has a score sheet, which only staff
    may change hands under.
    """
    if saved := _find_saved(table, key):
        return _same(saved, kind, facts)
    try:
        with change(table, by=by, public=False) as done:
            table = _read_table(table)
            if _find_saved(table, key):
                raise AlreadyDone({})
            _check_open(table, kind, is_staff=is_staff)
            done.is_public = kind in CHANGES and not takes_hands(table)  # statistics count finished tables
            known = max(based_on, _number_of(table, after) or 0)
            _check_known(entries_of([table])[table.pk], known, kind, facts)
            entries = _entries(done, table)
            plan = _plan(table, entries, kind, facts, target, at or done.at)
            _check_referee(plan, kind, is_staff=is_staff)
            entry = _write(done, table, entries, key, kind, plan, player=player, at=at)
            done.answer = {"entry": entry.number}
            return entry
    except (AlreadyDone, IntegrityError):
        saved = _find_saved(table, key)
        if saved is None:
            raise
        return _same(saved, kind, facts)


def plan_entry(
    *,
    table: Table,
    kind: str,
    facts: Mapping[str, Any],
    target: int | uuid.UUID | None = None,
    is_staff: bool = False,
    at: datetime,
) -> Plan:
    """Return what follows from an entry, without saving it. Raise as `add_entry`, but never `Behind`."""
    _check_open(table, kind, is_staff=is_staff)
    entries = entries_of([table])[table.pk] or _noted(table, at)
    plan = _plan(table, entries, kind, facts, target, at)
    _check_referee(plan, kind, is_staff=is_staff)
    return plan


def name_hand(done: Change, table: Table, hand: str) -> None:
    """Say within a change which hand the table plays, which ends the bans of the hand before.

    Raise `Refused` if the table keeps its hands and plays another one. Such a hand can only be dealt again.
    """
    if hand == table.hand and table_game(table).numbers:
        return
    entries = _entries(done, table)
    plan = _plan(table, entries, NAME, {"hand": hand}, None, done.at)
    _write(done, table, entries, uuid.uuid4(), NAME, plan)


def reseat_hands(done: Change, table: Table, seats: Sequence[int]) -> None:
    """Move the facts of all hands with players who change seats. `seats`: the new seat of each old seat.

    The log gets a correction for each hand. Raise `Impossible` if the hands cannot have happened so.
    """
    entries = _entries(done, table)
    now = game_of(table, entries)
    if now.game is None:
        return
    added: list[tuple[str, dict[str, Any], int | None]] = []
    if any(entry.kind == START for entry in entries):
        beginning = now.game.beginning
        start = {"points": list(beginning.points), "deposits": beginning.deposits}
        added.append((START, reseated(start, seats), None))
    for number, hand in zip(now.numbers, now.game.hands, strict=True):
        added.append((CORRECT, reseated(hand.as_values(), seats), number))
    if now.riichi:
        added.append((RIICHI, reseated({"seats": list(now.riichi)}, seats), None))
    rows = [_row(done, table, number, *each) for number, each in enumerate(added, now.number + 1)]
    names = list(players_of(table).values())
    after = _read(log_entries([*entries, *rows]), table, names)
    HandEntry.objects.bulk_create(rows)
    _move_on(done, table, after, was="")
    follow_log(done, table, after)


def keep_game(done: Change, table: Table, game: Game) -> None:
    """Save the hands of a whole game within a change, at a table without hands or a result.

    They are hands of `scoring.hanchan` under the rules of the table.
    """
    rows = [_row(done, table, number, HAND, hand.as_values()) for number, hand in enumerate(game.hands, 1)]
    HandEntry.objects.bulk_create(rows)
    played = read_log(log_entries(rows), table.rules)
    table.hand = played.hand
    table.save(update_fields=["hand"])
    follow_log(done, table, played)


def take_over_hands(competition: Competition, *, keep: int, gone: int) -> None:
    entries = HandEntry.objects.of(competition)
    entries.filter(player=gone).update(player=keep)


# --- what is refused


def _check_open(table: Table, kind: str, *, is_staff: bool) -> None:
    status = table.round.status
    if status == Round.Status.PLANNED:
        raise Refused(_("This round has not started yet."))
    if status == Round.Status.CLOSED:
        raise Refused(_("This round is closed. Reopen it to correct it."))
    if not takes_hands(table) and not (is_staff and kind in CHANGES):
        raise Refused(_("The score sheet of this table is entered. Ask a scorer to correct it."))


def _check_referee(plan: Plan, kind: str, *, is_staff: bool) -> None:
    """Refuse what only referees may say of the hands that a table keeps."""
    rules = kind in WITH_FACTS and plan.facts["outcome"]["kind"] == RULING
    renames = kind == NAME and plan.before.numbers
    if not is_staff and (rules or renames):
        raise Refused(_("Only a referee can correct the points, or have a hand dealt again. Call a referee."))


def _check_known(entries: Sequence[HandEntry], known: int, kind: str, facts: Mapping[str, Any]) -> None:
    """Refuse an entry of a device that does not know the present hand, or a riichi that its hand lacks."""
    new = [entry for entry in entries if entry.number > known]
    unknown = [entry for entry in new if entry.kind != RIICHI]
    if kind == HAND and not unknown:
        declared = facts.get("riichi")
        named = {each.get("seat") for each in declared or () if isinstance(each, Mapping)}
        last = [entry for entry in new if entry.kind == RIICHI][-1:]
        unknown = [entry for entry in last if not set(entry.facts["seats"]) <= named]
    if unknown:
        raise Behind(new)


def _find_saved(table: Table, key: uuid.UUID) -> HandEntry | None:
    return HandEntry.objects.filter(table=table, key=key).first()


def _number_of(table: Table, entry: int | uuid.UUID | None) -> int | None:
    """Return the number of an entry that is named by number or key. One query for a key."""
    if not isinstance(entry, uuid.UUID):
        return entry
    return HandEntry.objects.filter(table=table, key=entry).values_list("number", flat=True).first()


def _same(saved: HandEntry, kind: str, facts: Mapping[str, Any]) -> HandEntry:
    """Return the saved entry if it is the same. The record and the clock may have added to its facts."""
    if saved.kind != kind or _pressed(kind, saved.facts) != _pressed(kind, facts):
        raise Refused(SENT_BEFORE)
    return saved


def _pressed(kind: str, facts: Mapping[str, Any]) -> object:
    if kind not in WITH_FACTS:
        return dict(facts)
    try:
        hand = Hand.from_values(facts)
    except (Malformed, TypeError):
        return None
    return hand.outcome, hand.riichi


# --- what follows from an entry


def _plan(
    table: Table,
    entries: Sequence[HandEntry],
    kind: str,
    facts: Mapping[str, Any],
    target: int | uuid.UUID | None,
    at: datetime,
) -> Plan:
    players = players_of(table)
    names = tuple(players.values())
    before = game_of(table, entries)
    about = _number_of(table, target) if kind in CHANGES else None
    if kind in CHANGES and about is None:
        raise Impossible([log_problem("target")])
    if kind in WITH_FACTS:
        hand = _attempt(lambda: Hand.from_values(facts), names)
        facts = _with_record(table, before, kind, hand, about, list(players), at)
    if kind == RIICHI:
        _check_riichi(table, before, facts, names)
    if kind == NAME and is_known(str(facts.get("hand", ""))):
        check_hand(table, str(facts["hand"]))
    log = [*log_entries(entries), LogEntry(before.number + 1, kind, facts, about)]
    after = _read(log, table, names, _position(before, kind, about))
    return Plan(before, after, dict(facts), names, about)


def _position(before: TableGame, kind: str, target: int | None) -> int:
    """Return the index of the hand that an entry is about."""
    if kind == REMOVE or (kind == HAND and before.broken):  # a problem is one of another hand
        return -1
    return before.numbers.index(target) if target in before.numbers else len(before.numbers)


def _with_record(
    table: Table,
    before: TableGame,
    kind: str,
    hand: Hand,
    target: int | None,
    players: Sequence[int],
    at: datetime,
) -> dict[str, Any]:
    """Add to a hand what the referees' record and the clock say of it."""
    code = table.hand if kind == HAND else None
    if kind == CORRECT:
        code = dict(zip(before.numbers, before.codes, strict=True)).get(target or 0)
    restrictions = restrictions_at(table, players).get(code) if code is not None else None
    if restrictions:
        dead = {*hand.dead_hands, *restrictions.dead}
        east, south, west, north = map(max, hand.extra_tiles, restrictions.extra_tiles)
        hand = replace(
            hand,
            dead_hands=tuple(dead),
            win_bans=tuple({*hand.win_bans, *restrictions.bans} - dead),
            extra_tiles=(east, south, west, north),
        )
    if kind == HAND and not hand.bell and not _rang(before.game):
        bell = bell_at(table)
        hand = replace(hand, bell=bell is not None and at >= bell)
    return hand.as_values()


def _rang(game: Game | None) -> bool:
    return game is not None and any(step.hand.bell for step in game.steps)


def _check_riichi(table: Table, before: TableGame, facts: Mapping[str, Any], names: Sequence[str]) -> None:
    rules = table.rules
    game = before.game or new_game(rules)
    if game.over:
        raise Impossible([hanchan_problem(problem("game_over", why=game.over), names)])
    seats = facts.get("seats")
    if rules.riichi_below_1000 or not isinstance(seats, list):
        return
    poor = [
        problem("riichi_below_1000", seat=seat, points=game.points[seat])
        for seat in range(4)
        if seat in seats and game.points[seat] < DEPOSIT
    ]
    if poor:
        raise Impossible([hanchan_problem(each, names) for each in poor])


def _read(
    log: Sequence[LogEntry], table: Table, names: Sequence[str], position: int | None = None
) -> TableGame:
    return _attempt(lambda: read_log(log, table.rules), names, position)


def _attempt(read: Callable[[], Found], names: Sequence[str], position: int | None = None) -> Found:
    """Return what was read, or raise `Impossible`. `position`: index of the hand that the entry is about.
    Problems of another hand begin with its name.
    """
    try:
        return read()
    except Malformed as malformed:
        raise Impossible([hanchan_problem(problem("malformed", place=malformed.place))]) from None
    except BadEntry as bad:
        raise Impossible([log_problem(bad.code)]) from None
    except IllegalHand as illegal:
        reasons = [hanchan_problem(each, names) for each in illegal.problems]
        if illegal.index != position:
            reasons = [labelled(hand_words(hand_code(illegal.game.name)), reason) for reason in reasons]
        raise Impossible(reasons) from None


# --- writing


def _read_table(table: Table) -> Table:
    related = ("round__stage__division__competition", "round__stage__division__rule_set")
    return reread(Table.objects.select_related(*related), pk=table.pk)


def _entries(done: Change, table: Table) -> list[HandEntry]:
    """Return the log under the lock. A hand that was noted before the log began becomes its first entry."""
    entries = entries_of([table])[table.pk]
    if not entries:
        entries = HandEntry.objects.bulk_create(_noted(table, done.at))
    if len(entries) >= MOST_ENTRIES:
        raise Refused(_("This table has too many entries. Enter the score sheet."))
    return entries


def _noted(table: Table, at: datetime) -> list[HandEntry]:
    """Return the unsaved first entry of a table whose hand was noted before it had a log."""
    facts = {"hand": table.hand}
    first = HandEntry(table=table, number=1, key=uuid.uuid4(), kind=NAME, facts=facts, at=at)
    return [first] if table.hand else []


def _row(
    done: Change, table: Table, number: int, kind: str, facts: dict[str, Any], target: int | None = None
) -> HandEntry:
    entry = HandEntry(table=table, number=number, kind=kind, facts=facts, target=target)
    entry.key, entry.user, entry.at = uuid.uuid4(), done.by, done.at
    return entry


def _write(
    done: Change,
    table: Table,
    entries: Sequence[HandEntry],
    key: uuid.UUID,
    kind: str,
    plan: Plan,
    *,
    player: Player | None = None,
    at: datetime | None = None,
) -> HandEntry:
    entry = _row(done, table, plan.after.number, kind, plan.facts, plan.target)
    entry.key, entry.player, entry.at = key, player, at or done.at
    entry.save(force_insert=True)
    if kind in LOGGED:
        codes, numbers = plan.before.codes, plan.before.numbers
        hand = codes[numbers.index(plan.target)] if plan.target in numbers else plan.after.hand
        done.log(f"hands.{kind}", f"table:{table.pk}", after={"hand": hand})
    was = plan.after.codes[-1] if kind == HAND else FIRST_HAND if kind == STEP else plan.after.hand
    _move_on(done, table, plan.after, was="" if kind == NAME else was, is_named=kind == NAME)
    if kind in (HAND, *CHANGES):
        follow_log(done, table, plan.after)
    return entry


def _move_on(done: Change, table: Table, after: TableGame, *, was: str, is_named: bool = False) -> None:
    """Note the hand that the table plays now. `was`: the hand that was unknown until now, or ""."""
    before = table.hand
    if was and not is_known(before):
        penalties_of_hand(table).filter(win_ban=True).update(hand=was)
    table.hand = after.hand
    if before != after.hand or is_named:
        table.save(update_fields=["hand"])
    if is_named:
        done.log("table.hand", f"table:{table.pk}", before={"hand": before}, after={"hand": after.hand})
