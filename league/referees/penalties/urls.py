from django.urls import path

from league.core.urls import in_competition
from league.referees.penalties.views import list as list_views
from league.referees.penalties.views import log

app_name = "penalties"
urlpatterns = [
    in_competition(
        path("penalties/", list_views.penalties, name="index"),
        path("players/<int:pk>/penalties/", list_views.player_record, name="record"),
        path("penalties/new/", log.penalty_new, name="new"),
        path("penalties/<int:pk>/revoke/", list_views.penalty_revoke, name="revoke"),
    ),
]
