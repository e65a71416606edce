from django.urls import path

from league.core.urls import in_competition
from league.play.bans import views

app_name = "bans"
urlpatterns = [
    in_competition(
        path("manage/bans/", views.bans, name="index"),
        path("manage/bans/<int:pk>/lift/", views.ban_lift, name="lift"),
        path("manage/departures/", views.departure_of, name="departure_of"),
        path("manage/departures/<int:pk>/", views.departure, name="departure"),
    )
]
