from django.urls import path

from league.core.urls import in_competition
from league.ranking.boards.views import standings

app_name = "standings"
urlpatterns = [
    in_competition(
        path("", standings.standings, name="competition"),
        path("standings.png", standings.picture, name="picture"),
        path("standings/screen/", standings.screen, name="screen"),
        path("standings/<slug:division>/<slug:stage>/", standings.standings, name="stage"),
        path("players/<int:pk>/standings.png", standings.picture, name="player_picture"),
    )
]
