"""Addresses: the site's own, then those of every room, then those of the extras."""

from importlib import import_module

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from league.core import site
from league.core.extras import installed
from league.server import log

ADDRESSES = (
    "ranking.boards.urls.standings",
    "ranking.standings.urls",
    "play.rounds.urls",
    "play.entry.urls",
    "referees.penalties.urls",
    "referees.desk.urls.bans",
    "referees.desk.urls.calls",
    "referees.desk.urls.desk",
    "referees.desk.urls.disputes",
    "play.hands.urls",
    "organizing.competitions.urls",
    "organizing.roster.urls",
    "organizing.brought.urls",
    "people.members.urls",
    "people.accounts.urls",
    "organizing.audit_log.urls",
    "organizing.personal_data.urls",
    "play.substitutions.urls",
    "organizing.seating.urls",
    "ranking.stages.urls",
    "ranking.seasons.urls",
    "ranking.boards.urls.teams",
    "ranking.teams.urls",
    "play.calendar.urls",
    "play.entry.evening_urls",
    "play.open_play.urls",
    "organizing.interchange.urls",
    "organizing.division_rules.urls.competitions",
    "organizing.division_rules.urls.rule_sets",
    "rules.rule_sets.urls",
    "rules.penalty_rules.urls",
)


def room_urls() -> list[URLResolver]:
    """Return the addresses of every room. Modules with the same ``app_name`` share one namespace."""
    namespaces: dict[str, list[URLPattern | URLResolver]] = {}
    for module in ADDRESSES:
        urls = import_module(f"league.{module}")
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
    *(each for extra in installed() for each in extra.addresses),
]

handler403 = "league.core.site.permission_denied"
handler500 = "league.core.site.server_error"
