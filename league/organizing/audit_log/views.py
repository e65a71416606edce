"""Pages of the audit logs, and the page that checks a printed code."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.access import Access, Can, own_league
from league.core.pages import SignedIn, number_in, page, paged, reads, takes
from league.models import Competition, League
from league.organizing.audit_log.queries import (
    actions_in,
    actors_in,
    audit_lines,
    chain_state,
    check_code,
    filter_entries,
    log_of,
    missing_triggers,
    seen_key,
)
from league.organizing.audit_log.tables import AuditTable

LONGEST_CODE = 60  # as it is typed


@reads(Can.ORGANIZE)
def index(request: HttpRequest, access: Access) -> HttpResponse:
    log = _show(request, access.audit_entries(), access.competition)
    return page(request, access, "audit_log/index.html", **log)


@takes(Can.ORGANIZE)
def seen(request: HttpRequest, access: Access) -> HttpResponse:
    """Remember for this browser's session up to which entry the person has read."""
    request.session[seen_key(access.competition)] = number_in(request.POST, "sequence") or 0
    return redirect(access.address("competitions:manage"))


@never_cache
@login_required
@require_safe
def league_index(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    log = _show(request, log_of(league).select_related("actor"), league)
    return page(request, None, "audit_log/league.html", league=league, **log)


def _show(request: HttpRequest, entries: QuerySet[Any], owner: Competition | League) -> dict[str, Any]:
    asked = {name: request.GET.get(name, "") for name in ("action", "person")}
    entries_page = paged(request, filter_entries(entries, **asked), AuditTable.per_page)
    lines = audit_lines(list(entries_page.object_list))
    return {
        "entries": AuditTable(lines, request=request, page=entries_page),
        "chain": chain_state(owner),
        "missing": missing_triggers(),
        "asked": asked,
        "actions": actions_in(entries),
        "actors": actors_in(entries),
    }


@reads()
def check(request: HttpRequest, access: Access) -> HttpResponse:
    typed = request.GET.get("code", "")[:LONGEST_CODE].strip()
    return page(
        request,
        access,
        "audit_log/check.html",
        typed=typed,
        report=check_code(access.competition, typed) if typed else None,
        missing=missing_triggers(),
    )
