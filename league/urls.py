"""Addresses: the site's own, then those of every room."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from league.core import site
from league.server import log

ROOMS = (
    "standings",
    "statistics",
    "rounds",
    "hall",
    "results",
    "penalties",
    "calls",
    "hands",
    "disputes",
    "bans",
    "competitions",
    "roster",
    "registration",
    "people",
    "accounts",
    "audit_log",
    "personal_data",
    "substitutions",
    "seating",
    "stages",
    "seasons",
    "teams",
    "calendar",
    "open_play",
    "game_logs",
    "interchange",
    "reports",
    "api",
    "rule_sets",
    "penalty_rules",
    "calculator",
    "needs",
    "notices",
    "embeds",
    "webhooks",
)

urlpatterns = [
    path("admin/login/", RedirectView.as_view(pattern_name="login", query_string=True)),  # one door
    path("admin/", admin.site.urls),
    path("accounts/", include("league.accounts.plain_urls")),
    path("accounts/passkeys/", include("league.accounts.passkeys")),
    path("language/", site.set_language, name="set_language"),
    path("healthz", site.healthz, name="healthz"),
    path("worker.js", site.worker, name="worker"),
    path("metrics", log.metrics, name="metrics"),
    *(path("", include(f"league.{room}.urls")) for room in ROOMS),
]

handler403 = "league.core.site.permission_denied"
handler500 = "league.core.site.server_error"
