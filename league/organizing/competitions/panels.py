from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.core.access import Access
from league.core.pages import page
from league.organizing.competitions.queries.doors import links_at


def files_page(request: HttpRequest, access: Access, **values: Any) -> HttpResponse:
    """Render the page of the files. ``values``: what the parts of extras on it need."""
    links = links_at(access.competition, "organizer.files")
    return page(request, access, "competitions/files.html", title=_("Files"), links=links, **values)
