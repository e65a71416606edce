"""Addresses: the site's own, then those of every room."""

from django.contrib import admin
from django.urls import include, path
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
    "rules.rule_sets",
    "rules.penalty_rules",
    "extras.calculator",
    "extras.needs",
    "extras.notices",
    "extras.embeds",
    "extras.webhooks",
)

urlpatterns = [
    path("admin/login/", RedirectView.as_view(pattern_name="login", query_string=True)),  # one door
    path("admin/", admin.site.urls),
    path("accounts/", include("league.people.accounts.plain_urls")),
    path("accounts/passkeys/", include("league.people.accounts.passkeys")),
    path("language/", site.set_language, name="set_language"),
    path("healthz", site.healthz, name="healthz"),
    path("worker.js", site.worker, name="worker"),
    path("metrics", log.metrics, name="metrics"),
    *(path("", include(f"league.{room}.urls")) for room in ROOMS),
]

handler403 = "league.core.site.permission_denied"
handler500 = "league.core.site.server_error"
