"""Addresses: the house's own first, then the pages of `league.views`."""

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from league.views import site

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
    path("", include("league.views.urls")),
]

handler403 = "league.views.site.permission_denied"
