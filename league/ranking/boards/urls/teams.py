from django.urls import path

from league.core.urls import in_competition
from league.ranking.boards.views import teams

app_name = "teams"
urlpatterns = [
    in_competition(
        path("teams/", teams.index, name="index"),
        path("teams/standings/<slug:division>/<slug:stage>/", teams.index, name="standings"),
    )
]
