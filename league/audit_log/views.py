"""The audit log of a competition."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from league.audit_log.queries import actions_in, actors_in, audit_lines, chain_state, filter_entries
from league.core.access import Access, Can
from league.core.pages import page, reads

PAGE_SIZE = 50


@reads(Can.ORGANIZE)
def index(request: HttpRequest, access: Access) -> HttpResponse:
    entries = access.audit_entries()
    asked = {name: request.GET.get(name, "") for name in ("action", "person")}
    shown = Paginator(filter_entries(entries, **asked), PAGE_SIZE).get_page(request.GET.get("page"))
    return page(
        request,
        access,
        "audit_log/index.html",
        page=shown,
        lines=audit_lines(list(shown.object_list)),
        chain=chain_state(access.competition),
        asked=asked,
        actions=actions_in(entries),
        actors=actors_in(entries),
    )
