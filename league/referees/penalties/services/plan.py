"""Plan the penalties of an act by the rules and the players' records."""

from collections.abc import Sequence
from copy import copy
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from league.core.errors import Refused
from league.core.numbers import number_tenths
from league.models import Penalty, Seat
from league.referees.penalties.queries.referee import has_hand, sanction_of
from league.referees.penalties.services.checks import check_player
from league.rules.penalty_rules.words.rulings import PenaltyRules, Ruling, penalty_rules_of
from scoring.escalation import Sanction
from scoring.infractions import JOINT

MOST_UNITS = 60  # minutes late, or tiles
Levels = tuple[str, ...]


def plan_penalties(
    draft: Penalty,
    offenders: Sequence[int],
    *,
    levels: Levels | None = None,
    asked: Levels | None = None,
    amount: int | None = None,
    at: datetime,
    limit: str,
) -> list[Penalty]:
    """Return an unsaved penalty for each player whom the rules punish.

    ``draft``: what the penalties share, from the place to the reason. ``levels``: None for those in the
    rules. ``asked``: the levels that the page showed, or None. ``amount``: tenths, None for the least in the
    rules. ``limit``: the lowest level that the chief referee decides, or empty.
    """
    rules = penalty_rules_of(draft.stage.division.rule_set)
    ruling = _read_ruling(draft, offenders, rules)
    plan: list[Penalty] = []
    for player in _players_to_punish(draft, offenders, ruling):
        by_rules = sanction_of(draft, ruling, player, at=at)
        if player == offenders[0]:
            _check_page(by_rules, asked)
        given, suggested = _decide_levels(draft, ruling, by_rules, levels)
        is_alike = not plan or given.level == plan[0].level
        penalty = copy(draft)
        penalty.player_id = player
        penalty.level, penalty.suggested = given.level, suggested
        penalty.score = -_amount(given, amount if is_alike else None, draft.reason)
        penalty.win_ban = given.win_ban and has_hand(draft.table, draft.hand)
        if limit and rules.reaches(given.level, limit):
            penalty.status = Penalty.Status.REQUESTED
        plan.append(penalty)
    return plan


def plan_text(plan: Sequence[Penalty]) -> str:
    """Encode the plan for a form, so that the referee confirms exactly this plan."""
    return " ".join(f"{each.player_id}:{each.level.replace(JOINT, '+')}:{-each.score}" for each in plan)


def check_review(plan: Sequence[Penalty], reviewed: str | None) -> None:
    """Several penalties, or an expulsion, are confirmed in a second step.

    ``reviewed``: the ``plan_text`` that the referee confirmed, or None without a page.
    """
    first = plan[0]
    rules = penalty_rules_of(first.stage.division.rule_set)
    is_needed = len(plan) > 1 or any(rules.expels(penalty.level) for penalty in plan)
    if reviewed is not None and is_needed and reviewed != plan_text(plan):
        raise Refused(_("Check what each player gets, then confirm."), field="reviewed")


def _read_ruling(draft: Penalty, offenders: Sequence[int], rules: PenaltyRules) -> Ruling:
    for offender in offenders:
        check_player(draft, offender)
    if not 1 <= draft.units <= MOST_UNITS:
        raise Refused(_("Enter a number from 1 to %(most)s.") % {"most": MOST_UNITS}, field="units")
    ruling = rules.ruling_of(draft)
    if ruling is None:
        raise Refused(
            _("This division’s penalty rules have no such offence. Choose another one, or enter a reason."),
            field="offence",
        )
    return ruling


def _check_page(by_rules: Sanction, asked: Levels | None) -> None:
    if asked is None or asked == by_rules.levels:
        return
    raise Refused(
        _(
            "This player’s record has changed, and the rules now say something else. Review the penalty, "
            "then log it."
        ),
        field="asked",
    )


def _decide_levels(
    draft: Penalty, ruling: Ruling, by_rules: Sanction, levels: Levels | None
) -> tuple[Sanction, str]:
    """Return the sanction, and the level in the rules if the referee departs from it."""
    if levels is None or levels == by_rules.levels:
        return by_rules, ""
    rules = penalty_rules_of(draft.stage.division.rule_set)
    if any(code not in rules.levels for code in levels):
        raise Refused(_("These rules have no such level. Choose one of the listed levels."), field="level")
    given = rules.sanction_with(ruling, levels, units=draft.units)
    if len(levels) == 1 and levels[0] in by_rules.options:  # left to the referee by the rules
        return given, ""
    if not draft.reason:
        raise Refused(_("Enter a remark that explains why you depart from the rules."), field="reason")
    return given, by_rules.level


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
    if not reason:
        raise Refused(_("The rules give no amount here. Enter a remark that explains yours."), field="reason")
    return chosen_amount


def _players_to_punish(draft: Penalty, offenders: Sequence[int], ruling: Ruling) -> list[int]:
    punished = list(offenders)
    if ruling.variant.who == "all_four" and draft.table is not None:
        seats = Seat.objects.filter(table=draft.table).order_by("wind")
        punished += seats.values_list("player_id", flat=True)
    return list(dict.fromkeys(punished))
