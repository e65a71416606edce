from django.urls import path

from league.core.urls import in_competition
from league.extras.needs.views import hand, race

app_name = "needs"
urlpatterns = [
    path("needs/", hand.needs, name="hand"),
    in_competition(
        path("seat/tables/<int:pk>/needs/", hand.at_table, name="at_table"),
        path("chances/<slug:division>/<slug:stage>/", race.chances, name="chances"),
        path("players/<int:pk>/needs/", race.player, name="player"),
        path("teams/<int:pk>/needs/", race.team, name="team"),
        path("tables/<int:pk>/last/", race.table, name="table"),
        path("manage/stages/<int:pk>/end/", race.stage_end, name="stage_end"),
    ),
]
