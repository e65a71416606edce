"""The audit log of a competition."""

from collections.abc import Mapping

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.audit_log.words import chain_state, trail
from league.core.access import Can, enter
from league.core.messages import audit_action
from league.core.pages import show
from league.models import AuditEntry
from players.text import has_control_characters

AUDIT_PAGE = 50


@never_cache
@require_safe
def audit(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    entries = access.audit_entries()
    asked = {name: request.GET.get(name, "") for name in ("action", "person")}
    page = Paginator(_asked_for(entries, asked), AUDIT_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "lines": trail(list(page.object_list)),
        "chain": chain_state(access.competition),
        "asked": asked,
        "actions": _actions(entries),
        "actors": _actors(entries),
    }
    return show(request, access, "audit_log/index.html", context)


def _asked_for(entries: QuerySet[AuditEntry], asked: Mapping[str, str]) -> QuerySet[AuditEntry]:
    found = entries.order_by("-sequence")
    if asked["action"] and not has_control_characters(asked["action"]):
        found = found.filter(action=asked["action"])
    if asked["person"].isascii() and asked["person"].isdecimal():
        found = found.filter(actor=int(asked["person"][:18]))
    return found


def _actions(entries: QuerySet[AuditEntry]) -> list[tuple[str, str]]:
    codes = entries.order_by("action").values_list("action", flat=True).distinct()
    return sorted(((code, audit_action(code)) for code in codes), key=lambda pair: pair[1])


def _actors(entries: QuerySet[AuditEntry]) -> list[tuple[int, str]]:
    found = entries.filter(actor__isnull=False).order_by("actor__username")
    return list(found.values_list("actor_id", "actor__username").distinct())
