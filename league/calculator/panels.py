from collections.abc import Mapping
from typing import Final

from django.urls import reverse
from django.utils.http import urlencode

from league.calculator.forms import DEFAULTS, CalculatorForm
from league.models import Table
from league.rule_sets.queries.rule_sets import division_key
from scoring.hand_codes import is_known, read_hand_code

USUAL_RULES: Final = "ema-2025"  # clubs of most countries play by it; an address names any other
USUAL: Final = {**DEFAULTS, "rules": USUAL_RULES}  # what an address may leave out


def hand_address(typed: Mapping[str, str]) -> str:
    """Return the shortest address of a typed hand."""
    query = {
        name: typed[name]
        for name in CalculatorForm.base_fields
        if typed.get(name) and typed[name] != USUAL.get(name)
    }
    return f"{reverse('calculator:hand')}?{urlencode(query)}" if query else reverse("calculator:hand")


def calculator_at(table: Table) -> str:
    """Return the calculator with the table's rules, and wind and honba of its hand if known."""
    typed = {"rules": division_key(table.round.stage.division)}
    if is_known(table.hand):
        hand = read_hand_code(table.hand)
        typed |= {"round": str(hand.round_wind), "honba": str(hand.honba)}
    return hand_address(typed)
