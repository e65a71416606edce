"""Plan the penalties of an act by the rules and the players' records."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from league.core.errors import Refused
from league.core.numbers import number_tenths
from league.models import Dispute, Round, Seat, Stage, Table
from league.referees.penalties.queries.referee import hand_of_act, sanction_of
from league.referees.penalties.services.checks import check_player
from league.rules.penalty_rules.words.rulings import Sanction, penalty_rules_of
from scoring.escalation import Suggestion
from scoring.hand_codes import named_hand

MOST_UNITS = 60  # minutes late, or tiles


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
    return make_plan(stage, table, round_, (player_id, *others), act, hand=hand, at=at, limit=limit)


def plan_text(plan: Sequence[PlannedPenalty]) -> str:
    """Encode the plan for a form, so that the referee confirms exactly this plan."""
    return " ".join(f"{each.player}:{'+'.join(each.given.levels)}:{each.amount}" for each in plan)


def make_plan(
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


def check_review(plan: Sequence[PlannedPenalty], act: Act) -> None:
    """Several penalties, or an expulsion, are confirmed in a second step."""
    needed = len(plan) > 1 or any(each.given.expels for each in plan)
    if act.reviewed is not None and needed and act.reviewed != plan_text(plan):
        raise Refused(_("Check what each player gets, then confirm."), field="reviewed")


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


def _players_to_punish(
    stage: Stage, table: Table | None, round_: Round | None, offenders: Sequence[int], act: Act
) -> list[int]:
    for offender in offenders:
        check_player(stage, offender, round_, table, infraction=act.infraction, reason=act.reason)
    ruling = penalty_rules_of(stage.division.rule_set).rulings.get(f"{act.infraction}.{act.condition}")
    punished = list(offenders)
    if ruling is not None and ruling.variant.who == "all_four" and table is not None:
        punished += Seat.objects.filter(table=table).order_by("wind").values_list("player_id", flat=True)
    return list(dict.fromkeys(punished))
