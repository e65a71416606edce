from django.urls import path

from league.core.urls import in_competition
from league.rounds.views import manage, public

app_name = "rounds"
urlpatterns = [
    in_competition(
        path("manage/stages/<int:stage>/rounds/new/", manage.round_new, name="new"),
        path("manage/rounds/<int:pk>/status/", manage.round_status, name="status"),
        path("manage/rounds/<int:pk>/visibility/", manage.round_visibility, name="visibility"),
        path("manage/rounds/<int:pk>/delete/", manage.round_delete, name="delete"),
        path("rounds/", public.rounds, name="index"),
        path("rounds/<int:pk>/", public.round_, name="round"),
    ),
]
