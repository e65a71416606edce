from league.core.extras import answers
from league.models import Table


def calculator_at(table: Table) -> str:
    """Return the address of a calculator with the table's rules, and wind and honba of its hand if known.

    Return "" if no extra has one.
    """
    return next(iter(answers("hands.calculator", table)), "")
