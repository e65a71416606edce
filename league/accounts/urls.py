from django.urls import path

from league.accounts import views

app_name = "accounts"
urlpatterns = [
    path("security/", views.security, name="security"),
    path("security/allow/", views.security_allow, name="security_allow"),
]
