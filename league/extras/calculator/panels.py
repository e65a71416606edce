from collections.abc import Mapping
from typing import Final

from django.urls import reverse
from django.utils.http import urlencode

from league.extras.calculator.forms import DEFAULTS, CalculatorForm
from league.models import Table
from league.rules.rule_sets.queries.rule_sets import division_key
from league.rules.rule_sets.typed import USUAL_RULES, short_address
from scoring.hand_codes import is_known, read_hand_code

USUAL: Final = {**DEFAULTS, "rules": USUAL_RULES}  # what an address may leave out


def hand_address(typed: Mapping[str, str]) -> str:
    fields = {name: typed.get(name, "") for name in CalculatorForm.base_fields}
    return short_address("calculator:hand", fields, USUAL)


def calculator_at(table: Table) -> str:
    """Return the calculator with the table's rules, and wind and honba of its hand if known."""
    typed = {"rules": division_key(table.round.stage.division)}
    if is_known(table.hand):
        hand = read_hand_code(table.hand)
        typed |= {"round": str(hand.round_wind), "honba": str(hand.honba)}
    return hand_address(typed)


def calculator_with(rules: str) -> str:
    """Return the calculator with the rule set of this name, also if it would be the usual one."""
    return f"{reverse('calculator:hand')}?{urlencode({'rules': rules})}"
