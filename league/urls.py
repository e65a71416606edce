"""Addresses: the site's own, then those of every room."""

from importlib import import_module

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from league.core import site
from league.server import log

ROOMS = (
    "ranking.standings",
    "extras.statistics",
    "play.rounds",
    "extras.hall",
    "play.results",
    "referees.penalties",
    "play.calls",
    "play.hands",
    "play.disputes",
    "play.bans",
    "organizing.competitions",
    "organizing.roster",
    "extras.registration",
    "people.members",
    "people.accounts",
    "organizing.audit_log",
    "organizing.personal_data",
    "play.substitutions",
    "organizing.seating",
    "ranking.stages",
    "ranking.seasons",
    "ranking.teams",
    "play.calendar",
    "play.open_play",
    "extras.game_logs",
    "organizing.interchange",
    "extras.reports",
    "extras.api",
    "organizing.division_rules",
    "rules.rule_sets",
    "rules.penalty_rules",
    "extras.calculator",
    "extras.needs",
    "extras.notices",
    "extras.embeds",
    "extras.webhooks",
)


def room_urls() -> list[URLResolver]:
    """Return the addresses of every room. Rooms with the same ``app_name`` share one namespace."""
    namespaces: dict[str, list[URLPattern | URLResolver]] = {}
    for room in ROOMS:
        urls = import_module(f"league.{room}.urls")
        namespaces.setdefault(urls.app_name, []).extend(urls.urlpatterns)
    return [path("", include((patterns, name))) for name, patterns in namespaces.items()]


urlpatterns = [
    path("admin/login/", RedirectView.as_view(pattern_name="login", query_string=True)),  # one door
    path("admin/", admin.site.urls),
    path("accounts/", include("league.people.accounts.plain_urls")),
    path("accounts/passkeys/", include("league.people.accounts.passkeys")),
    path("language/", site.set_language, name="set_language"),
    path("healthz", site.healthz, name="healthz"),
    path("worker.js", site.worker, name="worker"),
    path("metrics", log.metrics, name="metrics"),
    *room_urls(),
]

handler403 = "league.core.site.permission_denied"
handler500 = "league.core.site.server_error"
