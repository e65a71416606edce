from django.urls import path

from league.core.urls import in_competition
from league.referees.desk.views import bans

app_name = "bans"
urlpatterns = [
    in_competition(
        path("manage/bans/", bans.bans, name="index"),
        path("manage/bans/<int:pk>/lift/", bans.ban_lift, name="lift"),
        path("manage/departures/", bans.departure_of, name="departure_of"),
        path("manage/departures/<int:pk>/", bans.departure, name="departure"),
    )
]
