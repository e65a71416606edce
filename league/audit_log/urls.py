from django.urls import path

from league.core.urls import in_competition
from league.people import views as people_views

app_name = "audit_log"
urlpatterns = [
    in_competition(
        path("manage/audit/", people_views.audit, name="index"),
    ),
]
