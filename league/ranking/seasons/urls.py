from django.urls import path

from league.core.urls import in_competition
from league.ranking.seasons import views

app_name = "seasons"
urlpatterns = [
    in_competition(
        path("manage/season/movement/", views.movement, name="movement"),
        path("manage/copy/", views.copy, name="copy"),
        path("manage/season/", views.end, name="end"),
        path("manage/season/play-off/<slug:division>/", views.play_off, name="play_off"),
    )
]
