from django.urls import path

from league.core.urls import in_competition
from league.extras.game_logs import views

app_name = "game_logs"
urlpatterns = [
    in_competition(
        path("manage/game-logs/", views.upload, name="upload"),
        path("manage/game-logs/preview/", views.preview, name="preview"),
    )
]
