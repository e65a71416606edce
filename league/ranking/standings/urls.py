from django.urls import path

from league.core.urls import in_competition
from league.ranking.standings import views

app_name = "standings"
urlpatterns = [
    in_competition(
        path("", views.standings, name="competition"),
        path("standings.png", views.picture, name="picture"),
        path("standings/screen/", views.screen, name="screen"),
        path("standings/<slug:division>/<slug:stage>/", views.standings, name="stage"),
        path("rankings/<slug:division>/<slug:stage>/", views.rankings_page, name="rankings"),
        path("rankings/<int:pk>/", views.rankings_keep, name="rankings_keep"),
        path("overall/<slug:division>/", views.overall_page, name="overall"),
        path("players/", views.players, name="players"),
        path("players/<int:pk>/", views.player, name="player"),
        path("players/<int:pk>/standings.png", views.picture, name="player_picture"),
    )
]
