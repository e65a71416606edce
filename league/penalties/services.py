"""Penalties: logged by the book or freely, requested from the chief referee, undone, revoked with a reason.
Nothing about a logged penalty is ever edited.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.bans.services import expel, readmit
from league.core.access import plays_at
from league.core.changes import Change, Form, change
from league.core.errors import Refused
from league.core.numbers import number_tenths
from league.core.rounds import check_hand, hand_at, rules_at
from league.disputes.services import check_ruling
from league.models import Competition, Dispute, Entrant, Penalty, Round, Seat, Stage, Table
from league.penalties.queries.referee import UNDO, Advice, advice
from league.penalty_rules.words.rulings import PenaltyRules, Sanction, penalty_rules_of
from scoring.escalation import Suggestion
from scoring.hand_codes import is_later

MOST_UNITS = 60  # minutes late, or tiles


@dataclass(frozen=True, kw_only=True)
class Act:
    """What the referee decided on an offence of the book. ``levels`` None: as the book asks; ``amount`` in
    tenths, None: the least that the book gives. ``hand`` empty: the one that the table plays; a later one
    moves the table on. ``asked``: the levels that the referee was told the book asks for, None if not told.
    """

    infraction: str
    condition: int
    levels: tuple[str, ...] | None = None
    asked: tuple[str, ...] | None = None
    amount: int | None = None
    units: int = 1
    hand: str = ""
    reason: str = ""


def log_offence(
    *,
    stage: Stage,
    player_id: int,
    act: Act,
    by: User,
    table: Table | None = None,
    others: Sequence[int] = (),
    dispute: Dispute | None = None,
    approves: bool = True,
    form: Form | None = None,
    at: datetime | None = None,
) -> list[Penalty]:
    """Log an offence of the rule set's book: a penalty for the player and for each of the ``others`` who did
    the same, or for all four where the book punishes the whole table.

    The levels are those that the book asks for after what each player did before; departing from them needs a
    reason. An amount that was chosen is for those with the player's levels; others get the least of theirs.
    It counts at once, unless the competition wants the chief referee's approval for the level and
    ``approves`` is False: then it is a request. ``dispute``: the penalty belongs to its ruling.

    Raises ``Refused`` for a player who does not sit there, a hand that is not played, an unknown offence, an
    amount outside the book's range, a closed round, for a referee who plays at the table, and when the record
    changed since the referee was told what the book asks for.
    """
    with change(stage.division.competition, by=by, form=form, at=at) as done:
        _check_referee(table, by)
        _check_open(table, dispute)
        hand = _hand(table, act.hand)
        _move_on(done, table, hand)
        players = _punished(stage, table, (player_id, *others), act)
        together = uuid.uuid4() if len(players) > 1 else None
        logged: list[Penalty] = []
        for player in players:
            advised = _advice(stage, table, player, act, hand=hand, at=done.at).asked
            if player == player_id:
                _check_told(advised, act)
            asked, suggested = _decided(stage, advised, act)
            same = not logged or asked.level == logged[0].level
            score = -_amount(asked, act.amount if same else None, act.reason)
            penalty = Penalty(
                stage=stage,
                round=table.round if table else None,
                table=table,
                player_id=player,
                infraction=act.infraction,
                condition=act.condition,
                level=asked.level,
                suggested=suggested,
                units=act.units,
                score=score,
                hand=hand,
                win_ban=asked.win_ban and table is not None,
                reason=act.reason.strip(),
                together=together,
                dispute=dispute,
            )
            penalty.status = _status(done.competition, stage, asked.level, approves=approves)
            logged.append(_save(done, penalty))
        done.answer = {"penalty": logged[0].pk, "penalties": [penalty.pk for penalty in logged]}
        return logged


def log_penalty(
    *,
    stage: Stage,
    player_id: int,
    score: int,
    by: User | None,
    round_: Round | None = None,
    table: Table | None = None,
    infraction: str = "",
    level: str = "",
    reason: str = "",
    dispute: Dispute | None = None,
    approves: bool = True,
    form: Form | None = None,
    at: datetime | None = None,
) -> Penalty:
    """Log a penalty of ``score`` tenths (negative: a deduction) in the referee's own words, without the book.

    Raises ``Refused`` when the player is not entered, does not sit at ``table`` or in ``round_``, when
    neither an offence nor a reason is given, and as ``log_offence`` does.
    """
    round_ = table.round if table else round_
    with change(stage.division.competition, by=by, form=form, at=at) as done:
        _check_referee(table, by)
        _check_open(table, dispute)
        _check(stage, player_id, round_, table, infraction=infraction, reason=reason)
        penalty = Penalty(
            stage=stage,
            round=round_,
            table=table,
            player_id=player_id,
            infraction=infraction,
            level=level,
            score=score,
            hand=hand_at(table) if table else "",
            reason=reason.strip(),
            dispute=dispute,
            status=_status(done.competition, stage, level, approves=approves),
        )
        _save(done, penalty)
        done.answer = {"penalty": penalty.pk}
        return penalty


def undo_penalty(
    *, penalty: Penalty, by: User, form: Form | None = None, at: datetime | None = None
) -> list[Penalty]:
    """Take back what one logged a moment ago (``UNDO``), with all that was logged in the same act."""
    at = at or timezone.now()
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _locked(penalty)
        if penalty.created_by_id != by.pk:
            raise Refused(_("Only whoever logged it can take it back. Revoke it with a reason instead."))
        if at - penalty.created_at > UNDO:
            raise Refused(_("It is too late to take it back. Revoke it with a reason instead."))
        others = _act_of(penalty).filter(revoked_at__isnull=True).exclude(pk=penalty.pk)
        reason = str(_("taken back at once"))
        undone = [_revoked(done, each, reason, "penalty.undo") for each in (penalty, *others)]
        done.answer = {"penalty": penalty.pk}
        return undone


def revoke_penalty(
    *,
    penalty: Penalty,
    reason: str,
    by: User,
    dispute: Dispute | None = None,
    form: Form | None = None,
    at: datetime | None = None,
) -> Penalty:
    """Revoke a penalty: it stays on the record with who revoked it and why, and counts no more."""
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _locked(penalty)
        _check_referee(penalty.table, by)
        check_ruling(dispute, penalty.table_id)
        if not reason.strip():
            raise Refused(_("Say why the penalty is revoked."), field="reason")
        _revoked(done, penalty, reason.strip(), "penalty.revoke", dispute=dispute)
        done.answer = {"penalty": penalty.pk}
        return penalty


def approve_request(
    *, penalty: Penalty, by: User, form: Form | None = None, at: datetime | None = None
) -> list[Penalty]:
    """The chief referee lets a request count, with all that was requested in the same act."""
    return _decide(penalty, Penalty.Status.IN_FORCE, "penalty.approve", reason="", by=by, form=form, at=at)


def decline_request(
    *, penalty: Penalty, reason: str, by: User, form: Form | None = None, at: datetime | None = None
) -> list[Penalty]:
    """The chief referee declines a request, with a reason; it stays on the record and never counts."""
    if not reason.strip():
        raise Refused(_("Say why the request is declined."), field="reason")
    status = Penalty.Status.DECLINED
    return _decide(penalty, status, "penalty.decline", reason=reason.strip(), by=by, form=form, at=at)


def set_hand(
    *, table: Table, hand: str, by: User, form: Form | None = None, at: datetime | None = None
) -> Table:
    """The table plays this hand now: bans on winning of the one before have ended."""
    with change(table.round.stage.division.competition, by=by, form=form, at=at) as done:
        _check_referee(table, by)
        check_hand(table, hand)
        locked = Table.objects.get(pk=table.pk)
        _write_hand(done, locked, hand)
        done.answer = {"table": table.pk}
        return locked


def describe(penalty: Penalty) -> dict[str, object]:
    """The penalty as the audit log keeps it: ids, never names. What is usual is left out."""
    return {
        "player": penalty.player_id,
        "stage": penalty.stage_id,
        "round": penalty.round_id,
        "table": penalty.table_id,
        "infraction": penalty.infraction,
        "level": penalty.level,
        "score": penalty.score,
        "reason": penalty.reason,
        **({"condition": penalty.condition} if penalty.condition is not None else {}),
        **({"hand": penalty.hand} if penalty.hand and penalty.condition is not None else {}),
        **({"suggested": penalty.suggested} if penalty.suggested else {}),
        **({"win_ban": True} if penalty.win_ban else {}),
        **({"together": str(penalty.together)} if penalty.together else {}),
        **({"dispute": penalty.dispute_id} if penalty.dispute_id else {}),
    }


# --- what the book asks, and what was decided


def _decided(stage: Stage, asked: Sanction, act: Act) -> tuple[Sanction, str]:
    """What is given, and the levels that the book asked for where the referee departs from them."""
    levels = act.levels
    if levels is None or levels == asked.levels:
        return asked, ""
    book = penalty_rules_of(stage.division.rule_set)
    _check_levels(book, levels)
    given = book.sanction_for(asked.ruling, Suggestion(levels=levels), units=act.units)
    if _left_to_the_referee(asked, levels):
        return given, ""
    if not act.reason.strip():
        raise Refused(
            _("You depart from what the book asks for: write a remark that says why."), field="reason"
        )
    return given, asked.level


def _check_told(asked: Sanction, act: Act) -> None:
    """Somebody else may have logged or revoked a penalty since the referee's page was made."""
    if act.asked is None or act.asked == asked.levels:
        return
    raise Refused(
        _(
            "This player's record changed meanwhile, and the book asks for something else now. Look at it,"
            " then log it."
        ),
        field="asked",
    )


def _left_to_the_referee(asked: Sanction, levels: tuple[str, ...]) -> bool:
    """Is this one of the levels among which the book itself lets the referee choose?"""
    return len(levels) == 1 and levels[0] in asked.suggestion.options


def _advice(
    stage: Stage, table: Table | None, player_id: int, act: Act, *, hand: str, at: datetime
) -> Advice:
    if not 1 <= act.units <= MOST_UNITS:
        raise Refused(_("Give a number from 1 to %(most)s.") % {"most": MOST_UNITS}, field="units")
    try:
        return advice(
            stage=stage,
            table=table,
            player_id=player_id,
            infraction=act.infraction,
            condition=act.condition,
            hand=hand,
            at=at,
            units=act.units,
        )
    except KeyError:
        raise Refused(
            _("The rule book of this division has no such offence. Choose another one, or write the reason."),
            field="offence",
        ) from None


def _check_levels(book: PenaltyRules, levels: Sequence[str]) -> None:
    if any(code not in book.levels for code in levels):
        raise Refused(_("The rule book has no such level. Choose one of its levels."), field="level")


def _amount(asked: Sanction, chosen: int | None, reason: str) -> int:
    """Tenths to take off, within what the book gives."""
    if asked.amounts is None:
        return _amount_without_range(chosen, reason)
    least, most = asked.amounts
    amount = least if chosen is None else chosen
    if least <= amount <= most:
        return amount
    words = {"least": number_tenths(least), "most": number_tenths(most)}
    if least == most:
        sentence = _(
            "The book takes off exactly %(least)s here. Choose another level to take off more or less."
        )
    else:
        sentence = _(
            "The book takes off %(least)s to %(most)s here. Choose an amount between them, or another level."
        )
    raise Refused(sentence % words, field="amount")


def _amount_without_range(chosen: int | None, reason: str) -> int:
    """The book names no amount: none is taken off unless the referee says how much, and why."""
    if chosen is None or chosen == 0:
        return 0
    if chosen < 0:
        raise Refused(_("A deduction is a number such as 2, without a minus."), field="amount")
    if not reason.strip():
        raise Refused(_("The book names no amount here: write a remark that says why."), field="reason")
    return chosen


def _status(competition: Competition, stage: Stage, level: str, *, approves: bool) -> str:
    """A request, where the chief referee has to approve the level and this person may not."""
    severe = penalty_rules_of(stage.division.rule_set).reaches(level, competition.approval_from)
    return Penalty.Status.REQUESTED if severe and not approves else Penalty.Status.IN_FORCE


# --- who and where


def _punished(stage: Stage, table: Table | None, offenders: Sequence[int], act: Act) -> list[int]:
    """The players who are punished, each once: the offenders, or all four of the table."""
    round_ = table.round if table else None
    for offender in offenders:
        _check(stage, offender, round_, table, infraction=act.infraction, reason=act.reason)
    try:
        who = penalty_rules_of(stage.division.rule_set).ruling(act.infraction, act.condition).variant.who
    except KeyError:
        return list(offenders)  # refused when the book is asked
    punished = list(offenders)
    if who == "all_four" and table is not None:
        punished += Seat.objects.filter(table=table).order_by("wind").values_list("player_id", flat=True)
    return list(dict.fromkeys(punished))


def _check(
    stage: Stage, player_id: int, round_: Round | None, table: Table | None, *, infraction: str, reason: str
) -> None:
    if not infraction and not reason.strip():
        raise Refused(_("Choose an offence or write the reason."), field="reason")
    if round_ is not None and round_.stage_id != stage.pk:
        raise Refused(_("This round belongs to another stage."), field="round")
    seats = Seat.objects.filter(player_id=player_id)
    if table is not None and not seats.filter(table=table).exists():
        raise Refused(_("This player does not sit at this table."), field="player")
    if table is None and round_ is not None and not seats.filter(round=round_).exists():
        raise Refused(_("This player does not play in this round."), field="player")
    if not Entrant.objects.filter(competition=stage.division.competition, player_id=player_id).exists():
        raise Refused(_("This player is not entered in this competition."), field="player")


def _check_referee(table: Table | None, by: User | None) -> None:
    if table is not None and by is not None and plays_at(by.pk, table):
        raise Refused(_("You play at this table: another referee rules here. Call one."))


def _check_open(table: Table | None, dispute: Dispute | None) -> None:
    """Read again under the lock: a closed round takes a penalty only from the ruling of a dispute."""
    check_ruling(dispute, table.pk if table else None)
    if table is None or dispute is not None:
        return
    status = Round.objects.filter(pk=table.round_id).values_list("status", flat=True).first()
    if status == Round.Status.CLOSED:
        raise Refused(
            _(
                "This round is closed. Log the penalty away from any table, open a dispute about the table,"
                " or ask an organizer to open the round again."
            )
        )


def _hand(table: Table | None, typed: str) -> str:
    if table is None:
        return ""
    hand = typed or hand_at(table)
    check_hand(table, hand)
    return hand


def _move_on(done: Change, table: Table | None, hand: str) -> None:
    """A referee who names a later hand knows which one is played: bans of the hands before have ended."""
    if table is None:
        return
    locked = Table.objects.get(pk=table.pk)
    if is_later(hand, hand_at(locked), rules_at(table)):
        _write_hand(done, locked, hand)


def _write_hand(done: Change, locked: Table, hand: str) -> None:
    before = hand_at(locked)
    locked.hand = hand
    locked.save(update_fields=["hand"])
    done.log("table.hand", f"table:{locked.pk}", before={"hand": before}, after={"hand": hand})


# --- writing


def _save(done: Change, penalty: Penalty) -> Penalty:
    penalty.competition = done.competition
    penalty.created_by, penalty.created_at = done.by, done.at
    penalty.save()
    requested = penalty.status == Penalty.Status.REQUESTED
    action = "penalty.request" if requested else "penalty.log"
    done.log(action, f"penalty:{penalty.pk}", after=describe(penalty))
    expel(done, penalty)
    return penalty


def _locked(penalty: Penalty) -> Penalty:
    """Read again under the lock: two referees may act on the same penalty at once."""
    related = ("stage__division__competition", "stage__division__rule_set", "player", "table__round")
    return Penalty.objects.select_related(*related).get(pk=penalty.pk)


def _act_of(penalty: Penalty) -> QuerySet[Penalty]:
    """The penalty, and those of others that were logged in the same act."""
    if penalty.together is None:
        return Penalty.objects.filter(pk=penalty.pk)
    same = Penalty.objects.filter(competition_id=penalty.competition_id, together=penalty.together)
    return same.order_by("pk")


def _revoked(
    done: Change, penalty: Penalty, reason: str, action: str, *, dispute: Dispute | None = None
) -> Penalty:
    if penalty.revoked_at is not None:
        raise Refused(_("This penalty was revoked already. Log it again if it should count."))
    penalty.revoked_by, penalty.revoked_at, penalty.revoke_reason = done.by, done.at, reason
    penalty.revoked_in = dispute
    penalty.save(update_fields=["revoked_by", "revoked_at", "revoke_reason", "revoked_in"])
    after = {"reason": reason, **({"dispute": dispute.pk} if dispute else {})}
    done.log(action, f"penalty:{penalty.pk}", before=describe(penalty), after=after)
    readmit(done, penalty)
    return penalty


def _decide(
    penalty: Penalty,
    status: str,
    action: str,
    *,
    reason: str,
    by: User,
    form: Form | None,
    at: datetime | None,
) -> list[Penalty]:
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _locked(penalty)
        _check_referee(penalty.table, by)
        if penalty.status != Penalty.Status.REQUESTED or penalty.revoked_at is not None:
            raise Refused(_("This request was decided or taken back already. Look at the list."))
        decided = []
        for each in _act_of(penalty).filter(status=Penalty.Status.REQUESTED, revoked_at__isnull=True):
            each.status, each.decided_by, each.decided_at = status, by, done.at
            each.decide_reason = reason
            each.save(update_fields=["status", "decided_by", "decided_at", "decide_reason"])
            after = describe(each) | ({"reason": reason} if reason else {})
            done.log(action, f"penalty:{each.pk}", after=after)
            expel(done, each)
            decided.append(each)
        done.answer = {"penalty": penalty.pk}
        return decided
