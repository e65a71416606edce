"""Log a penalty, by the rules or in the referee's own words, or ask the chief referee for it."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _

from league.core.changes import Change, Sent, change
from league.core.errors import Refused
from league.models import Dispute, Penalty, Round, Stage, Table
from league.play.hands.queries import RULES
from league.play.hands.words.penalties import Wordings
from league.referees.penalties.queries.referee import hand_of_act, has_hand
from league.referees.penalties.services.checks import check_open, check_player, check_referee
from league.referees.penalties.services.hands import play_hand
from league.referees.penalties.services.plan import Levels, check_review, plan_penalties
from league.referees.penalties.services.record import save_penalty
from league.rules.penalty_rules.words.rulings import expels, penalty_rules_of
from scoring.hand_codes import is_known

SAME_ACT = timedelta(minutes=5)  # within which two referees log one act if the hand is unknown


def log_offence(
    *,
    stage: Stage,
    player_id: int,
    infraction: str,
    condition: int,
    by: User,
    table: Table | None = None,
    round_: Round | None = None,
    others: Sequence[int] = (),
    levels: Levels | None = None,
    asked: Levels | None = None,
    amount: int | None = None,
    units: int = 1,
    hand: str = "",
    reason: str = "",
    dispute: Dispute | None = None,
    approves: bool = True,
    reviewed: str | None = None,
    again: bool = True,
    form: Sent | None = None,
    at: datetime | None = None,
) -> list[Penalty]:
    """Log an offence for the player and for the ``others`` who did the same.

    ``table``: where it happened, None for away from all games. Then ``round_`` is the round with whose
    publication the penalty counts, or None if it counts at once.

    Some rules punish all four. Each record decides the levels. Other ``levels`` need a reason. ``amount``
    applies to players with the first player's level, others get their least (``plan_penalties``). ``hand``:
    empty for the current hand. A later one moves the table on. ``reviewed``: see ``check_review``. ``again``:
    the referee knows that the player already has this offence in this hand. Without ``approves`` a penalty
    becomes a request if the competition wants its level approved. ``dispute``: its ruling logs the penalty.

    Raise ``Refused`` if a player does not sit there, the hand is not played, the offence is unknown, the
    amount is out of range, the round is closed, the referee plays at the table, or a record has changed since
    the page was rendered.
    """
    draft = Penalty(
        stage=stage,
        round=table.round if table else round_,
        table=table,
        infraction=infraction,
        condition=condition,
        units=units,
        reason=reason.strip(),
        dispute=dispute,
    )
    offenders = (player_id, *others)
    with change(stage.competition, by=by, form=form, at=at) as done:
        check_referee(done, table, *offenders)
        check_open(table, draft.round, dispute)
        draft.hand = play_hand(done, table, hand, dispute)
        if not again:
            _ask_again(done, draft, offenders, ("infraction",))
        limit = "" if approves else done.competition.approval_from
        plan = plan_penalties(
            draft, offenders, levels=levels, asked=asked, amount=amount, at=done.at, limit=limit
        )
        check_review(plan, reviewed)
        _refuse_second_request(draft, [penalty.player_id for penalty in plan])
        together = uuid.uuid4() if len(plan) > 1 else None
        for penalty in plan:
            penalty.together = together
            save_penalty(done, penalty)
        done.answer = {"penalties": [penalty.pk for penalty in plan]}
        return plan


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
    form: Sent | None = None,
    at: datetime | None = None,
) -> Penalty:
    """Log a penalty in the referee's own words. ``table`` and ``round_`` as of ``log_offence``."""
    penalty = Penalty(
        stage=stage,
        round=table.round if table else round_,
        table=table,
        player_id=player_id,
        infraction=infraction,
        level=level,
        score=score,
        reason=reason.strip(),
        dispute=dispute,
    )
    with change(stage.competition, by=by, form=form, at=at) as done:
        check_referee(done, table, player_id)
        check_open(table, penalty.round, dispute)
        check_player(penalty, player_id)
        penalty.hand = hand_of_act(table, dispute)
        if not again:
            _ask_again(done, penalty, [player_id], ("infraction", "level", "reason"))
        rules = penalty_rules_of(stage.division.rule_set)
        bans = level in rules.levels and rules.levels[level].win_ban
        penalty.win_ban = bans and has_hand(table, penalty.hand)
        limit = "" if approves else done.competition.approval_from
        if limit and rules.reaches(level, limit):
            penalty.status = Penalty.Status.REQUESTED
        elif not sure and expels(penalty):
            raise Refused(_("This level expels the player. Confirm it."), field="sure")
        save_penalty(done, penalty)
        done.answer = {"penalties": [penalty.pk]}
        return penalty


def _refuse_second_request(draft: Penalty, players: Sequence[int]) -> None:
    same = Penalty.objects.filter(
        stage=draft.stage,
        table=draft.table,
        player__in=players,
        infraction=draft.infraction,
        condition=draft.condition,
        hand=draft.hand,
        status=Penalty.Status.REQUESTED,
        revoked_at__isnull=True,
    )
    if waiting := same.select_related("player").first():
        raise Refused(
            _("This penalty of %(name)s already awaits the chief referee’s decision. Ask the chief referee.")
            % {"name": waiting.player.name}
        )


def _ask_again(done: Change, draft: Penalty, players: Sequence[int], same_in: Sequence[str]) -> None:
    """Refuse what another referee may have logged: the same offence in this hand, or any a moment ago.

    ``same_in``: the fields by which an offence is the same. Two referees may name one act differently.
    """
    same_offence = Q(**{name: getattr(draft, name) for name in same_in})
    a_moment_ago = Q(created_at__gte=done.at - SAME_ACT)
    if not is_known(draft.hand):
        same_offence &= a_moment_ago
    by_another = a_moment_ago & ~Q(created_by=done.by)
    in_hand = Penalty.objects.filter(
        same_offence | by_another,
        competition=done.competition,
        table=draft.table,
        player__in=players,
        hand=draft.hand,
        revoked_at__isnull=True,
    )
    logged = in_hand.exclude(status=Penalty.Status.DECLINED).select_related("created_by", "player", RULES)
    if newest := logged.order_by("-created_at", "-pk").first():
        raise Refused(_said_again(newest, draft, done), field="again")


def _said_again(newest: Penalty, draft: Penalty, done: Change) -> str:
    minutes, seconds = divmod(max(0, int((done.at - newest.created_at).total_seconds())), 60)
    words = {
        "ago": _("%(count)s min") % {"count": minutes} if minutes else _("%(count)s s") % {"count": seconds},
        "name": newest.created_by.get_username() if newest.created_by else "–",
    }
    if newest.infraction == draft.infraction:
        return _("Logged %(ago)s ago by %(name)s: once more?") % words
    line = Wordings().line(newest)
    words |= {"what": line.offence or newest.reason, "player": newest.player.name}
    return _("%(name)s logged %(what)s for %(player)s %(ago)s ago: once more?") % words
