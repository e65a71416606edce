"""Addresses: the site's own, then those of every room."""

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from league.core import site

ROOMS = (
    "standings",
    "rounds",
    "results",
    "penalties",
    "calls",
    "disputes",
    "bans",
    "competitions",
    "roster",
    "people",
    "audit_log",
    "substitutions",
    "seating",
    "stages",
    "seasons",
    "teams",
    "calendar",
    "open_play",
    "interchange",
    "rule_sets",
    "penalty_rules",
    "calculator",
)

urlpatterns = [
    path("admin/", admin.site.urls),
    path(
        "accounts/login/",
        auth.LoginView.as_view(extra_context={"open_signup": settings.OPEN_SIGNUP}),
        name="login",
    ),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/password/", auth.PasswordChangeView.as_view(), name="password_change"),
    path("accounts/password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("language/", site.set_language, name="set_language"),
    path("healthz", site.healthz, name="healthz"),
    *(path("", include(f"league.{room}.urls")) for room in ROOMS),
]

handler403 = "league.core.site.permission_denied"
