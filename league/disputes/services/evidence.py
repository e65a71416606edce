"""Evidence of a dispute: notes and photographs, kept outside everything that is served."""

import uuid
from datetime import datetime
from typing import BinaryIO, Final

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.translation import gettext_lazy as _

from league.core.access import plays_at
from league.core.changes import Form, change
from league.core.errors import Refused
from league.core.photographs import CONTENT_TYPE, safe_picture
from league.models import Dispute, Evidence

MOST_PHOTOGRAPHS: Final = 12  # of one dispute


def add_evidence(
    *,
    dispute: Dispute,
    by: User,
    note: str = "",
    photograph: BinaryIO | None = None,
    form: Form | None = None,
    at: datetime | None = None,
) -> Evidence:
    """Add a note, a photograph, or a photograph with a note. The photograph is kept as ``safe_picture``
    writes it, under a name of our own.

    Raises ``Refused`` when there is neither, the matter is closed, it has ``MOST_PHOTOGRAPHS`` already, the
    file is none that is taken, and for somebody who plays at the table.
    """
    if not note.strip() and photograph is None:
        raise Refused(_("Write a note or choose a photograph."), field="note")
    content = None if photograph is None else safe_picture(photograph)  # slow: before anybody has to wait
    name = ""
    try:
        with change(dispute.competition, by=by, form=form, at=at) as done:
            _check(Dispute.objects.select_related("table__round__stage__division").get(pk=dispute.pk), by)
            evidence = Evidence(dispute=dispute, note=note.strip(), created_by=by, created_at=done.at)
            if content is not None:
                _check_count(dispute)
                name = default_storage.save(f"{dispute.pk}/{uuid.uuid4()}.jpg", ContentFile(content))
                evidence.file.name = name
                evidence.content_type, evidence.size = CONTENT_TYPE, len(content)
            evidence.save()
            done.log("evidence.add", f"dispute:{dispute.pk}", after=describe(evidence))
            done.answer = {"evidence": evidence.pk}
            return evidence
    except BaseException:
        if name:  # the database forgot it: so does the disk
            default_storage.delete(name)
        raise


def describe(evidence: Evidence) -> dict[str, object]:
    """As the audit log keeps it: the note, and how large the photograph is."""
    return {
        **({"note": evidence.note} if evidence.note else {}),
        **({"bytes": evidence.size} if evidence.file else {}),
    }


def _check(dispute: Dispute, by: User) -> None:
    if dispute.closed_at is not None:
        raise Refused(_("This matter is closed: no evidence is added any more."))
    if plays_at(by.pk, dispute.table):
        raise Refused(_("You play at this table: give what you have to the referee."))


def _check_count(dispute: Dispute) -> None:
    photographs = Evidence.objects.filter(dispute=dispute).exclude(file="").count()
    if photographs >= MOST_PHOTOGRAPHS:
        raise Refused(
            _("A dispute holds %(most)s photographs at most, and this one has them.")
            % {"most": MOST_PHOTOGRAPHS},
            field="photograph",
        )
