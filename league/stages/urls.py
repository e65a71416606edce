from django.urls import path

from league.core.urls import in_competition
from league.stages import views

app_name = "stages"
urlpatterns = [
    in_competition(
        path("manage/divisions/<slug:division>/cut/", views.stage_cut, name="cut"),
        path("manage/stages/<int:pk>/", views.stage_page, name="stage"),
        path("manage/stages/<int:pk>/undo/", views.stage_undo, name="undo"),
        path("manage/stages/<int:pk>/lots/", views.stage_lots, name="lots"),
    ),
]
