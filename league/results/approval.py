"""Approve score sheets that the phones at tables typed and signed."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.access import plays_at
from league.core.changes import Change, Form, change
from league.core.errors import Refused
from league.models import Proposal, Round, Sheet
from league.results.release import release_if_complete
from league.results.services import record_in

REPLACED = _("This score sheet has been replaced. Read the new one, then sign.")


def approve_sheets(
    *, round_: Round, proposals: Sequence[int], by: User, form: Form | None = None
) -> dict[str, list[int]]:
    """Record and confirm these proposals. Return the numbers of tables as "approved" and "left".

    Left are tables with another proposal by now, an objection, and those that `by` typed or plays at. Raise
    `Refused` with the reason if none is approved.
    """
    with change(round_, by=by, form=form) as done:
        related = ("table__round__stage__division__rule_set", "table__round__stage__division__competition")
        found = Proposal.objects.filter(table__round=round_, pk__in=proposals).select_related(*related)
        result: dict[str, list[int]] = {"approved": [], "left": []}
        why: Refused | None = None
        for proposal in found.order_by("table__number"):
            try:
                _approve(done, proposal, by)
                result["approved"].append(proposal.table.number)
            except Refused as refusal:
                why = why or refusal
                result["left"].append(proposal.table.number)
        if not result["approved"]:
            raise why or Refused(REPLACED)
        done.answer = {**result}
        return result


def _approve(done: Change, proposal: Proposal, by: User) -> None:
    if not proposal.is_current or proposal.sheet_id is not None:
        raise Refused(REPLACED)
    if proposal.user_id == by.pk or plays_at(by.pk, proposal.table):
        raise Refused(_("You typed this score sheet or play at this table. Ask a second person."))
    sheet = record_in(done, proposal.table, (proposal.points, proposal.ending), based_on=0)
    sheet.entered_by, sheet.status = proposal.user, Sheet.Status.CONFIRMED
    sheet.confirmed_by, sheet.confirmed_at = by, done.at
    sheet.save(update_fields=["entered_by", "status", "confirmed_by", "confirmed_at"])
    release_if_complete(done, proposal.table)
    proposal.sheet = sheet
    proposal.save(update_fields=["sheet"])
