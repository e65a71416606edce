"""What a ruling may change: a sheet, a penalty. Whoever changes one names the dispute that it comes from."""

from django.utils.translation import gettext_lazy as _

from league.models import Dispute, DisputeStep
from league.procedure import RULING
from league.services.errors import Refused


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
