from django.urls import path

from league.core.urls import in_competition
from league.stages.views import stages, team_cut

app_name = "stages"
urlpatterns = [
    in_competition(
        path("manage/divisions/<slug:division>/stages/new/", stages.stage_new, name="new"),
        path("manage/stages/<int:pk>/numbers/", stages.stage_numbers, name="numbers"),
        path("manage/divisions/<slug:division>/team-cut/", team_cut.team_cut, name="team_cut"),
        path("manage/divisions/<slug:division>/cut/", stages.stage_cut, name="cut"),
        path("manage/stages/<int:pk>/", stages.stage_page, name="stage"),
        path("manage/stages/<int:pk>/undo/", stages.stage_undo, name="undo"),
        path("manage/stages/<int:pk>/lots/", stages.stage_lots, name="lots"),
    ),
]
