from league.core.extras import first_answer
from league.models import Table


def calculator_at(table: Table) -> str:
    """Return the address of a calculator with the table's rules, and wind and honba of its hand if known.

    Return "" if no extra has one.
    """
    address: str = first_answer("hands.calculator", table, default="")
    return address
