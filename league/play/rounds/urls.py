from django.urls import path

from league.core.urls import in_competition
from league.play.rounds import views

app_name = "rounds"
urlpatterns = [
    in_competition(
        path("manage/stages/<int:stage>/rounds/new/", views.round_new, name="new"),
        path("manage/publish/", views.publish, name="publish"),
        path("manage/rounds/<int:pk>/status/", views.round_status, name="status"),
        path("manage/rounds/<int:pk>/visibility/", views.round_visibility, name="visibility"),
        path("manage/rounds/<int:pk>/delete/", views.round_delete, name="delete"),
        path("rounds/", views.rounds, name="index"),
        path("rounds/<int:pk>/", views.round_, name="round"),
    )
]
