from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.tables import Column, Inside, MomentColumn, Rows


class AuditTable(Rows):
    """Entries of a log in words, newest first."""

    caption = _("Audit log")
    css = "align-top blocks audit-log"
    per_page = 50

    number = Column(pgettext_lazy("entry", "No."), accessor="entry__sequence", css="number")
    at = MomentColumn(pgettext_lazy("column", "Time"), form="H:i:s", accessor="entry__at")
    action = Inside("audit_log/_action.html", _("Audit log"))
    changes = Inside("audit_log/_changes.html", pgettext_lazy("heading", "Change"))
    hash = Inside("audit_log/_hash.html", _("Hash"))
