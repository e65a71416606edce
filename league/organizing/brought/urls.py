from django.urls import path

from league.core.urls import in_competition
from league.organizing.brought import views

app_name = "brought"
urlpatterns = [
    path("leagues/<slug:slug>/bring/", views.choose, name="choose"),
    in_competition(
        path("manage/results/bring/", views.bring, name="bring"),
        path("manage/results/bring/preview/", views.preview, name="preview"),
        path("manage/results/bring/saving/<uuid:key>/", views.saving, name="saving"),
        path("manage/results/bring/undo/", views.undo, name="undo"),
    ),
]
