from django.urls import path

from league.core.urls import in_competition
from league.organizing.audit_log import views

app_name = "audit_log"
urlpatterns = [
    in_competition(
        path("manage/audit/", views.index, name="index"),
        path("manage/audit/seen/", views.seen, name="seen"),
        path("log/", views.check, name="check"),
    ),
    path("leagues/<slug:slug>/log/", views.league_index, name="league"),
]
