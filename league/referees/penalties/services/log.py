"""Log a penalty, by the rules or in the referee's own words, or ask the chief referee for it."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Form, change
from league.core.errors import Refused
from league.models import Dispute, Penalty, Round, Stage, Table
from league.referees.penalties.queries.referee import hand_of_act, has_hand
from league.referees.penalties.services.checks import check_open, check_player, check_referee
from league.referees.penalties.services.hands import play_hand
from league.referees.penalties.services.plan import Act, check_review, make_plan
from league.referees.penalties.services.record import save_penalty
from league.rules.penalty_rules.words.rulings import expels, penalty_rules_of
from scoring.hand_codes import is_known

SAME_ACT = timedelta(minutes=5)  # within which two referees log one act if the hand is unknown


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
        check_referee(done, table, player_id, *others)
        check_open(table, round_, dispute)
        hand = play_hand(done, table, act.hand, dispute)
        limit = "" if approves else done.competition.approval_from
        if not act.again:
            _ask_again(done, table, (player_id, *others), hand, infraction=act.infraction)
        plan = make_plan(stage, table, round_, (player_id, *others), act, hand=hand, at=done.at, limit=limit)
        check_review(plan, act)
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
            logged.append(save_penalty(done, penalty))
        done.answer = {"penalties": [penalty.pk for penalty in logged]}
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
    sure: bool = True,
    again: bool = True,
    form: Form | None = None,
    at: datetime | None = None,
) -> Penalty:
    """Log a penalty in the referee's own words. ``table`` and ``round_`` as of ``log_offence``."""
    round_ = table.round if table else round_
    with change(stage.division.competition, by=by, form=form, at=at) as done:
        check_referee(done, table, player_id)
        check_open(table, round_, dispute)
        check_player(stage, player_id, round_, table, infraction=infraction, reason=reason)
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
        save_penalty(done, penalty)
        done.answer = {"penalties": [penalty.pk]}
        return penalty


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
