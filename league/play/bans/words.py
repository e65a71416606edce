from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import Ban


def ban_words(ban: Ban) -> str:
    """Return "陳大文 (until 31 Mar 2027)"."""
    name = {"name": ban.player.name}
    if ban.until is None:
        return _("%(name)s (permanently)") % name
    return _("%(name)s (until %(date)s)") % {**name, "date": date_format(ban.until)}
