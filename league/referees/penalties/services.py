"""Penalties: log, request, undo, decide and revoke. A logged penalty is never edited."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.access import Can
from league.core.changes import Change, Form, change, reread
from league.core.errors import Refused
from league.core.numbers import number_tenths
from league.core.own_table import leave_to_others
from league.core.rounds import check_hand, rules_at
from league.models import Dispute, Entrant, Penalty, Round, Seat, Stage, Table
from league.play.bans.services import expel, readmit
from league.play.disputes.services import check_ruling
from league.play.hands.offences import follow_log
from league.play.hands.queries import penalties_of_hand, table_game
from league.play.hands.services import name_hand
from league.play.results.proposals import count_signed_sheet
from league.referees.penalties.queries.referee import (
    UNDO,
    hand_of_act,
    has_hand,
    is_over,
    needs_chief,
    sanction_of,
)
from league.rules.penalty_rules.words.rulings import Sanction, expels, penalty_rules_of
from scoring.escalation import Suggestion
from scoring.hand_codes import is_known, is_later, named_hand, next_unknown

MOST_UNITS = 60  # minutes late, or tiles
SAME_ACT = timedelta(minutes=5)  # within which two referees log one act if the hand is unknown
NOT_STARTED = _("This round has not started, so nothing happened in it. Log the penalty without a table.")


@dataclass(frozen=True, kw_only=True)
class Act:
    """The referee's decision on an offence of the penalty rules.

    ``levels``: None for those in the rules. ``asked``: the levels that the page showed, or None. ``amount``:
    tenths, None for the least in the rules. ``hand``: empty for the current hand; a later one moves the table
    on. ``reviewed``: the ``plan_text`` that the referee confirmed, or None without a page. ``again``: the
    referee knows that the player already has this offence in this hand.
    """

    infraction: str
    condition: int
    levels: tuple[str, ...] | None = None
    asked: tuple[str, ...] | None = None
    amount: int | None = None
    units: int = 1
    hand: str = ""
    reason: str = ""
    reviewed: str | None = None
    again: bool = True


@dataclass(frozen=True, kw_only=True)
class PlannedPenalty:
    """One player's share of an act. ``suggested``: the level in the rules if the referee departs from it."""

    player: int
    given: Sanction
    suggested: str
    amount: int
    waits: bool


def log_offence(
    *,
    stage: Stage,
    player_id: int,
    act: Act,
    by: User,
    table: Table | None = None,
    round_: Round | None = None,
    others: Sequence[int] = (),
    dispute: Dispute | None = None,
    approves: bool = True,
    form: Form | None = None,
    at: datetime | None = None,
) -> list[Penalty]:
    """Log an offence for the player and for the ``others`` who did the same.

    ``table``: where it happened, None for away from all games. Then ``round_`` is the round with whose
    publication the penalty counts, or None if it counts at once.

    Some rules punish all four. Each record decides the levels; other levels need a reason. ``act.amount``
    applies to players with the first player's level, others get their least. Without ``approves`` a penalty
    becomes a request if the competition wants its level approved. ``dispute``: its ruling logs the penalty.

    Raise ``Refused`` if a player does not sit there, the hand is not played, the offence is unknown, the
    amount is out of range, the round is closed, the referee plays at the table, or a record has changed since
    the page was rendered.
    """
    round_ = table.round if table else round_
    with change(stage.division.competition, by=by, form=form, at=at) as done:
        _check_referee(done, table, player_id, *others)
        _check_open(table, round_, dispute)
        hand = _play_hand(done, table, act.hand, dispute)
        limit = "" if approves else done.competition.approval_from
        if not act.again:
            _ask_again(done, table, (player_id, *others), hand, infraction=act.infraction)
        plan = _plan(stage, table, round_, (player_id, *others), act, hand=hand, at=done.at, limit=limit)
        _check_review(plan, act)
        _refuse_second_request(stage, table, [each.player for each in plan], act, hand=hand)
        together = uuid.uuid4() if len(plan) > 1 else None
        logged: list[Penalty] = []
        for each in plan:
            penalty = Penalty(
                stage=stage,
                round=round_,
                table=table,
                player_id=each.player,
                infraction=act.infraction,
                condition=act.condition,
                level=each.given.level,
                suggested=each.suggested,
                units=act.units,
                score=-each.amount,
                hand=hand,
                win_ban=each.given.win_ban and has_hand(table, hand),
                reason=act.reason.strip(),
                together=together,
                dispute=dispute,
                status=Penalty.Status.REQUESTED if each.waits else Penalty.Status.IN_FORCE,
            )
            logged.append(_save(done, penalty))
        done.answer = {"penalties": [penalty.pk for penalty in logged]}
        return logged


def plan_offence(
    *,
    stage: Stage,
    player_id: int,
    act: Act,
    table: Table | None = None,
    round_: Round | None = None,
    others: Sequence[int] = (),
    dispute: Dispute | None = None,
    approves: bool = True,
    at: datetime,
) -> list[PlannedPenalty]:
    round_ = table.round if table else round_
    hand = named_hand(act.hand, hand_of_act(table, dispute))
    limit = "" if approves else stage.division.competition.approval_from
    return _plan(stage, table, round_, (player_id, *others), act, hand=hand, at=at, limit=limit)


def plan_text(plan: Sequence[PlannedPenalty]) -> str:
    """Encode the plan for a form, so that the referee confirms exactly this plan."""
    return " ".join(f"{each.player}:{'+'.join(each.given.levels)}:{each.amount}" for each in plan)


def _plan(
    stage: Stage,
    table: Table | None,
    round_: Round | None,
    offenders: Sequence[int],
    act: Act,
    *,
    hand: str,
    at: datetime,
    limit: str,
) -> list[PlannedPenalty]:
    """``limit``: the lowest level that the chief referee decides, or empty."""
    plan: list[PlannedPenalty] = []
    for player in _players_to_punish(stage, table, round_, offenders, act):
        asked = _ask(stage, table, player, act, hand=hand, at=at)
        if player == offenders[0]:
            _check_page(asked, act)
        given, suggested = _decide_levels(stage, asked, act)
        same = not plan or given.level == plan[0].given.level
        planned = PlannedPenalty(
            player=player,
            given=given,
            suggested=suggested,
            amount=_amount(given, act.amount if same else None, act.reason),
            waits=bool(limit) and penalty_rules_of(stage.division.rule_set).reaches(given.level, limit),
        )
        plan.append(planned)
    return plan


def _check_review(plan: Sequence[PlannedPenalty], act: Act) -> None:
    """Several penalties, or an expulsion, are confirmed in a second step."""
    needed = len(plan) > 1 or any(each.given.expels for each in plan)
    if act.reviewed is not None and needed and act.reviewed != plan_text(plan):
        raise Refused(_("Check what each player gets, then confirm."), field="reviewed")


def _refuse_second_request(
    stage: Stage, table: Table | None, players: Sequence[int], act: Act, *, hand: str
) -> None:
    same = Penalty.objects.filter(
        stage=stage,
        table=table,
        player__in=players,
        infraction=act.infraction,
        condition=act.condition,
        hand=hand,
        status=Penalty.Status.REQUESTED,
        revoked_at__isnull=True,
    )
    if found := same.select_related("player").first():
        raise Refused(
            _("This penalty of %(name)s already awaits the chief referee’s decision. Ask the chief referee.")
            % {"name": found.player.name}
        )


def _ask_again(done: Change, table: Table | None, players: Sequence[int], hand: str, **offence: str) -> None:
    """Refuse what another referee may have logged: the same offence in this hand, or a moment ago."""
    same = Penalty.objects.filter(
        competition=done.competition, table=table, player__in=players, hand=hand, **offence
    )
    if not is_known(hand):
        same = same.filter(created_at__gte=done.at - SAME_ACT)
    logged = same.filter(revoked_at__isnull=True).exclude(status=Penalty.Status.DECLINED)
    if found := logged.select_related("created_by").order_by("-created_at").first():
        minutes, seconds = divmod(max(0, int((done.at - found.created_at).total_seconds())), 60)
        words = {
            "ago": _("%(count)s min") % {"count": minutes}
            if minutes
            else _("%(count)s s") % {"count": seconds},
            "name": found.created_by.get_username() if found.created_by else "–",
        }
        raise Refused(_("Logged %(ago)s ago by %(name)s: once more?") % words, field="again")


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
    sure: bool = True,
    again: bool = True,
    form: Form | None = None,
    at: datetime | None = None,
) -> Penalty:
    """Log a penalty in the referee's own words. ``table`` and ``round_`` as of ``log_offence``."""
    round_ = table.round if table else round_
    with change(stage.division.competition, by=by, form=form, at=at) as done:
        _check_referee(done, table, player_id)
        _check_open(table, round_, dispute)
        _check_player(stage, player_id, round_, table, infraction=infraction, reason=reason)
        hand = hand_of_act(table, dispute)
        if not again:
            same = {"infraction": infraction, "level": level, "reason": reason.strip()}
            _ask_again(done, table, [player_id], hand, **same)
        rules = penalty_rules_of(stage.division.rule_set)
        penalty = Penalty(
            stage=stage,
            round=round_,
            table=table,
            player_id=player_id,
            infraction=infraction,
            level=level,
            score=score,
            hand=hand,
            win_ban=level in rules.levels and rules.levels[level].win_ban and has_hand(table, hand),
            reason=reason.strip(),
            dispute=dispute,
        )
        limit = "" if approves else done.competition.approval_from
        if limit and rules.reaches(level, limit):
            penalty.status = Penalty.Status.REQUESTED
        elif not sure and expels(penalty):
            raise Refused(_("This level expels the player. Confirm it."), field="sure")
        _save(done, penalty)
        done.answer = {"penalties": [penalty.pk]}
        return penalty


def undo_penalty(
    *, penalty: Penalty, by: User, form: Form | None = None, at: datetime | None = None
) -> list[Penalty]:
    """Undo what ``by`` logged within ``UNDO``, with all penalties of the same act."""
    at = at or timezone.now()
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _read(penalty)
        if penalty.is_of_hands:
            raise Refused(
                _("The log of hands asked for this penalty. Correct the hand, or decline the request.")
            )
        if penalty.created_by_id != by.pk:
            raise Refused(
                _("Only the referee who logged a penalty can undo it. Revoke it with a reason instead.")
            )
        if at - penalty.created_at > UNDO:
            raise Refused(_("It is too late to undo this penalty. Revoke it with a reason instead."))
        others = _same_act(penalty).filter(revoked_at__isnull=True).exclude(pk=penalty.pk)
        reason = str(_("undone at once"))
        undone = [_revoke(done, each, reason, "penalty.undo") for each in (penalty, *others)]
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
    """Revoke a penalty. It stays on record with the reason and no longer counts."""
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _read(penalty)
        _check_referee(done, penalty.table, penalty.player_id)
        if dispute is not None:
            check_ruling(dispute, penalty.table_id)
        if not reason.strip():
            raise Refused(_("Give a reason for revoking the penalty."), field="reason")
        _revoke(done, penalty, reason.strip(), "penalty.revoke", dispute=dispute)
        done.answer = {"penalty": penalty.pk}
        return penalty


def decide_request(
    *,
    penalty: Penalty,
    verdict: str,
    by: User,
    reason: str = "",
    form: Form | None = None,
    at: datetime | None = None,
) -> list[Penalty]:
    """Approve a request, or decline it with a reason, and all requests of the same act.

    A score sheet of its table that has all signatures then counts if nothing else holds it.
    """
    approves = verdict == "approve"
    reason = "" if approves else reason.strip()
    if not approves and not reason:
        raise Refused(_("Give a reason for declining the request."), field="reason")
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _read(penalty)
        if penalty.status != Penalty.Status.REQUESTED or penalty.revoked_at is not None:
            raise Refused(_("This request has already been decided or undone. Check the list."))
        decided = list(_same_act(penalty).filter(status=penalty.status, revoked_at__isnull=True))
        need = Can.APPROVE if needs_chief(penalty, done.competition.approval_from) else Can.REFEREE
        _check_referee(done, penalty.table, *(each.player_id for each in decided), need=need)
        for each in decided:
            each.status = Penalty.Status.IN_FORCE if approves else Penalty.Status.DECLINED
            each.decided_by, each.decided_at, each.decide_reason = by, done.at, reason
            each.save(update_fields=["status", "decided_by", "decided_at", "decide_reason"])
            after = describe(each) | ({"reason": reason} if reason else {})
            done.log(f"penalty.{verdict}", f"penalty:{each.pk}", after=after, about=each)
            expel(done, each)
        _count_sheet(done, penalty)
        done.answer = {"penalty": penalty.pk}
        return decided


def set_hand(
    *,
    table: Table,
    hand: str,
    by: User,
    same: bool = False,
    form: Form | None = None,
    at: datetime | None = None,
) -> Table:
    """Set the hand that a table plays and end earlier bans. ``same``: the unknown hand was this one."""
    with change(table, by=by, form=form, at=at, public=False) as done:
        _check_referee(done, table)
        locked = _read_table(table)
        if hand not in ([] if is_known(locked.hand) else [locked.hand, next_unknown(locked.hand)]):
            check_hand(table, hand)
        if same and not is_known(locked.hand):
            done.is_public = bool(penalties_of_hand(locked).update(hand=hand))
        name_hand(done, locked, hand)
        done.answer = {"table": table.pk}
        return locked


def describe(penalty: Penalty) -> dict[str, object]:
    """Describe a penalty for the audit log: ids, never names. Usual values are left out."""
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
        **({"logged_hand": penalty.logged_hand} if penalty.is_of_hands else {}),
        **({"dispute": penalty.dispute_id} if penalty.dispute_id else {}),
    }


# --- what the rules ask, and what was decided


def _ask(stage: Stage, table: Table | None, player_id: int, act: Act, *, hand: str, at: datetime) -> Sanction:
    if not 1 <= act.units <= MOST_UNITS:
        raise Refused(_("Enter a number from 1 to %(most)s.") % {"most": MOST_UNITS}, field="units")
    try:
        return sanction_of(
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
            _("This division’s penalty rules have no such offence. Choose another one, or enter a reason."),
            field="offence",
        ) from None


def _check_page(asked: Sanction, act: Act) -> None:
    if act.asked is None or act.asked == asked.levels:
        return
    raise Refused(
        _(
            "This player’s record has changed, and the rules now say something else. Review the penalty, "
            "then log it."
        ),
        field="asked",
    )


def _decide_levels(stage: Stage, asked: Sanction, act: Act) -> tuple[Sanction, str]:
    """Return the sanction, and the level in the rules if the referee departs from it."""
    levels = act.levels
    if levels is None or levels == asked.levels:
        return asked, ""
    rules = penalty_rules_of(stage.division.rule_set)
    if any(code not in rules.levels for code in levels):
        raise Refused(_("These rules have no such level. Choose one of the listed levels."), field="level")
    given = rules.sanction_for(asked.ruling, Suggestion(levels=levels), units=act.units)
    if len(levels) == 1 and levels[0] in asked.suggestion.options:  # left to the referee by the rules
        return given, ""
    if not act.reason.strip():
        raise Refused(_("Enter a remark that explains why you depart from the rules."), field="reason")
    return given, asked.level


def _amount(given: Sanction, chosen_amount: int | None, reason: str) -> int:
    if given.amounts is None:
        return _amount_without_range(chosen_amount, reason)
    least, most = given.amounts
    amount = least if chosen_amount is None else chosen_amount
    if least <= amount <= most:
        return amount
    words = {"least": number_tenths(least), "most": number_tenths(most)}
    if least == most:
        sentence = _("The rules deduct exactly %(least)s here. Choose another level for a different amount.")
    else:
        sentence = _(
            "The rules deduct %(least)s to %(most)s here. Choose an amount in this range, or another level."
        )
    raise Refused(sentence % words, field="amount")


def _amount_without_range(chosen_amount: int | None, reason: str) -> int:
    """Deduct nothing unless the referee gives an amount and a reason."""
    if chosen_amount is None or chosen_amount == 0:
        return 0
    if chosen_amount < 0:
        raise Refused(_("Enter the deduction without a minus, for example 2."), field="amount")
    if not reason.strip():
        raise Refused(_("The rules give no amount here. Enter a remark that explains yours."), field="reason")
    return chosen_amount


# --- who and where


def _players_to_punish(
    stage: Stage, table: Table | None, round_: Round | None, offenders: Sequence[int], act: Act
) -> list[int]:
    for offender in offenders:
        _check_player(stage, offender, round_, table, infraction=act.infraction, reason=act.reason)
    ruling = penalty_rules_of(stage.division.rule_set).rulings.get(f"{act.infraction}.{act.condition}")
    punished = list(offenders)
    if ruling is not None and ruling.variant.who == "all_four" and table is not None:
        punished += Seat.objects.filter(table=table).order_by("wind").values_list("player_id", flat=True)
    return list(dict.fromkeys(punished))


def _check_player(
    stage: Stage, player_id: int, round_: Round | None, table: Table | None, *, infraction: str, reason: str
) -> None:
    if not infraction and not reason.strip():
        raise Refused(_("Choose an offence or enter a reason."), field="reason")
    if round_ is not None and round_.stage_id != stage.pk:
        raise Refused(_("This round belongs to another stage."), field="round")
    seats = Seat.objects.filter(player_id=player_id)
    if table is not None and not seats.filter(table=table).exists():
        raise Refused(_("This player does not sit at this table."), field="player")
    if table is None and round_ is not None and not seats.filter(round=round_).exists():
        raise Refused(_("This player does not play in this round."), field="player")
    if not Entrant.objects.filter(competition=stage.division.competition, player_id=player_id).exists():
        raise Refused(_("This player is not entered in this competition."), field="player")


def _check_referee(done: Change, table: Table | None, *players: int, need: Can = Can.REFEREE) -> None:
    why = _("Referees cannot rule at their own table. Call another referee.")
    if table is None:
        why = _("Referees cannot decide their own penalties. Ask another referee.")
    leave_to_others(done, why, table=table, players=players, need=need)


def _check_open(table: Table | None, round_: Round | None, dispute: Dispute | None) -> None:
    """Read the status under the lock. Only a ruling logs a penalty at a table of a closed round.

    Nothing has happened in a round that has not started.
    """
    if dispute is not None:
        check_ruling(dispute, table.pk if table else None)
        return
    if round_ is None:
        return
    status = Round.objects.filter(pk=round_.pk).values_list("status", flat=True).first()
    if status == Round.Status.PLANNED:
        raise Refused(NOT_STARTED)
    if table is not None and status == Round.Status.CLOSED:
        raise Refused(
            _(
                "This round is closed. Log the penalty without a table, open a dispute about the table, or "
                "ask an organizer to reopen the round."
            )
        )


# --- the hand


def _play_hand(done: Change, table: Table | None, named: str, dispute: Dispute | None) -> str:
    """The hand in which the penalty is logged. A referee who names a later one than the table plays moves the
    table on: bans of the hands before have ended. Naming the hand of a table where it was unknown says
    nothing about its bans: they stay. A table that keeps its hands moves on with them.
    """
    if table is None:
        return ""
    locked = _read_table(table)
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
    elif is_later(named, locked.hand, rules_at(table)) and not table_game(locked).numbers:
        name_hand(done, locked, named)
    return named


def _read_table(table: Table) -> Table:
    related = ("round__stage__division__competition", "round__stage__division__rule_set")
    return reread(Table.objects.select_related(*related), pk=table.pk)


# --- writing


def _save(done: Change, penalty: Penalty) -> Penalty:
    penalty.competition = done.competition
    penalty.created_by, penalty.created_at = done.by, done.at
    penalty.save()
    requested = penalty.status == Penalty.Status.REQUESTED
    action = "penalty.request" if requested else "penalty.log"
    done.log(action, f"penalty:{penalty.pk}", after=describe(penalty), about=penalty)
    expel(done, penalty)
    _follow_log(done, penalty)
    _count_sheet(done, penalty)
    return penalty


def _follow_log(done: Change, penalty: Penalty) -> None:
    """Withdraw a request of the log of hands that a referee logged, or make it again after a revocation."""
    if penalty.table is not None and not penalty.is_of_hands:
        follow_log(done, _read_table(penalty.table))


def _count_sheet(done: Change, penalty: Penalty) -> None:
    if penalty.table is not None:
        count_signed_sheet(done, _read_table(penalty.table))


def _read(penalty: Penalty) -> Penalty:
    """Reads it again under the lock: two referees may act on the same penalty at once."""
    related = ("stage__division__competition", "stage__division__rule_set", "player", "table__round")
    return reread(Penalty.objects.select_related(*related), pk=penalty.pk)


def _same_act(penalty: Penalty) -> QuerySet[Penalty]:
    """Return the penalty and those logged for other players in the same act."""
    if penalty.together is None:
        return Penalty.objects.filter(pk=penalty.pk)
    same = Penalty.objects.filter(competition_id=penalty.competition_id, together=penalty.together)
    return same.order_by("pk")


def _revoke(
    done: Change, penalty: Penalty, reason: str, action: str, *, dispute: Dispute | None = None
) -> Penalty:
    if penalty.revoked_at is not None:
        raise Refused(_("This penalty has already been revoked. Log it again if it should count."))
    penalty.revoked_by, penalty.revoked_at, penalty.revoke_reason = done.by, done.at, reason
    penalty.revoked_in = dispute
    penalty.save(update_fields=["revoked_by", "revoked_at", "revoke_reason", "revoked_in"])
    after = {"reason": reason, **({"dispute": dispute.pk} if dispute else {})}
    done.log(action, f"penalty:{penalty.pk}", before=describe(penalty), after=after, about=penalty)
    readmit(done, penalty)
    _follow_log(done, penalty)
    _count_sheet(done, penalty)
    return penalty
