"""The form that moves a played division to other rules. The proposal comes back signed."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, reason_field
from league.models import Division, RuleSet
from league.organizing.division_rules.services import WHY, Seen
from league.rules.rule_sets.services import fingerprint

SALT = "umaoka.division.rules"
LONGEST = 60_000  # characters of the signed proposal: several times what the largest rule set needs
SECONDS = 24 * 3600  # after a day it is previewed again


@dataclass(frozen=True)
class RulesProposal:
    """Rules for a division as previewed at a version of the competition."""

    division: Division
    to: RuleSet
    version: int

    @property
    def seen(self) -> Seen:
        return Seen(version=self.version, rules=fingerprint(self.to))

    def sign(self) -> str:
        """Return the signed proposal: the edition, or every value of a copy."""
        to = self.to
        about = {"division": self.division.pk, "version": self.version, "seen": self.seen.rules}
        if to.book_id is not None:
            return signing.dumps(about | {"edition": to.pk}, salt=SALT)
        copy = {
            name: getattr(to, name) for name in ("preset", "edition", "values", "readings", "created_by_id")
        }
        at = to.created_at.isoformat() if to.created_at else None
        return signing.dumps(about | {"copy": copy | {"created_at": at}}, salt=SALT, compress=True)


class MoveForm(KeyedForm):
    proposal = forms.CharField(widget=forms.HiddenInput, max_length=LONGEST)
    reason = reason_field(
        _("Kept in the audit log with the changes."), label=_("Reason for the change"), needed=WHY
    )

    def __init__(self, *args: Any, division: Division, **kwargs: Any) -> None:
        self.division = division
        super().__init__(*args, **kwargs)

    def clean_proposal(self) -> tuple[RuleSet, Seen]:
        """Return the rules and what was seen of them. Refuses a proposal that was not signed for this
        division.
        """
        try:
            said = signing.loads(self.cleaned_data["proposal"], salt=SALT, max_age=SECONDS)
        except signing.BadSignature:
            said = {}
        if said.get("division") != self.division.pk:
            raise ValidationError(_("This page is out of date. Choose the rules again."))
        return _read_rules(said), Seen(version=said["version"], rules=said["seen"])


def _read_rules(said: dict[str, Any]) -> RuleSet:
    if "edition" not in said:
        copy = said["copy"]
        at = parse_datetime(copy.pop("created_at") or "")
        return RuleSet(**copy, created_at=at)
    found = RuleSet.objects.select_related("book").filter(pk=said["edition"]).first()
    if found is None:
        raise ValidationError(_("This page is out of date. Choose the rules again."))
    return found
