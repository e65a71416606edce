from django.urls import path

from league.accounts import views

app_name = "accounts"
urlpatterns = [
    path("accounts/", views.index, name="index"),
    path("accounts/email/", views.email, name="email"),
    path("accounts/sessions/end/", views.sessions_end, name="sessions_end"),
    path("accounts/sessions/<slug:number>/end/", views.session_end, name="session_end"),
    path("first/", views.first, name="first"),
    path("security/", views.security, name="security"),
    path("security/allow/", views.security_allow, name="security_allow"),
]
