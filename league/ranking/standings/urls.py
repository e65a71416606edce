from django.urls import path

from league.core.urls import in_competition
from league.ranking.standings import views

app_name = "standings"
urlpatterns = [
    in_competition(
        path("rankings/<slug:division>/<slug:stage>/", views.rankings_page, name="rankings"),
        path("rankings/<int:pk>/", views.rankings_keep, name="rankings_keep"),
        path("overall/<slug:division>/", views.overall_page, name="overall"),
        path("players/", views.players, name="players"),
        path("players/<int:pk>/", views.player, name="player"),
    )
]
