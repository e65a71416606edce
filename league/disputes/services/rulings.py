"""What rulings have in common. One may change a sheet or a penalty: whoever does names the dispute that it
comes from. Penalties and disputes are about a hand of the game.
"""

from django.utils.translation import gettext_lazy as _

from league.core.errors import Refused
from league.core.rounds import rules_at
from league.disputes.procedure import RULING
from league.models import Dispute, DisputeStep, Table
from scoring.hand_codes import parse_hand_code


def check_ruling(dispute: Dispute | None, table_id: int | None) -> None:
    """Raise ``Refused`` when the dispute is about another table, or nobody has ruled on it yet.

    A closed one is good too: its ruling is carried out after it was given.
    """
    if dispute is None:
        return
    if dispute.table_id != table_id:
        raise Refused(_("This dispute is about another table. Choose something of its own table."))
    if not DisputeStep.objects.filter(dispute=dispute, kind__in=RULING).exists():
        raise Refused(_("Nobody has ruled on this dispute yet. Write the ruling down, then carry it out."))


def check_hand(table: Table, hand: str) -> None:
    """Raise ``Refused`` for a hand that the rules of the table do not play."""
    try:
        parse_hand_code(hand, rules_at(table))
    except ValueError:
        raise Refused(
            _("These rules play no such hand. Choose the hand that the table plays."), field="hand"
        ) from None
