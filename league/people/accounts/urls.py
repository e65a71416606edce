from django.urls import path

from league.people.accounts import views

app_name = "accounts"
urlpatterns = [
    path("accounts/", views.index, name="index"),
    path("accounts/email/", views.email, name="email"),
    path("accounts/sessions/end/", views.sessions_end, name="sessions_end"),
    path("accounts/sessions/<slug:number>/end/", views.session_end, name="session_end"),
    path("accounts/second/", views.second, name="second"),
    path("accounts/second/new/", views.set_up, name="set_up"),
    path("accounts/second/app/", views.app_new, name="app_new"),
    path("accounts/second/passkey/", views.passkey_new, name="passkey_new"),
    path("accounts/second/codes/", views.codes, name="codes"),
    path("accounts/second/<slug:kind>/<int:pk>/remove/", views.device_remove, name="device_remove"),
    path("first/", views.first, name="first"),
    path("security/", views.security, name="security"),
    path("security/allow/", views.security_allow, name="security_allow"),
]
