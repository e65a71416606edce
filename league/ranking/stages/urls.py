from django.urls import path

from league.core.urls import in_competition
from league.ranking.stages import views

app_name = "stages"
urlpatterns = [
    in_competition(
        path("manage/divisions/<slug:division>/stages/new/", views.new, name="new"),
        path("manage/stages/<int:pk>/numbers/", views.numbers, name="numbers"),
        path("manage/divisions/<slug:division>/team-cut/", views.team_cut, name="team_cut"),
        path("manage/divisions/<slug:division>/cut/", views.cut, name="cut"),
        path("manage/stages/<int:pk>/", views.stage, name="stage"),
        path("manage/stages/<int:pk>/undo/", views.undo, name="undo"),
        path("manage/stages/<int:pk>/lots/", views.lots, name="lots"),
    )
]
