from django.urls import path

from league.core.urls import in_competition
from league.interchange import views

app_name = "interchange"
urlpatterns = [
    in_competition(
        path(
            "download/standings/<slug:division>/<slug:stage>.<slug:fmt>",
            views.download_standings,
            name="standings",
        ),
        path("download/teams/<slug:division>/<slug:stage>.<slug:fmt>", views.download_teams, name="teams"),
        path("download/results.<slug:fmt>", views.download_results, name="results"),
        path("download/workbook.xlsx", views.download_workbook, name="workbook"),
        path("download/penalties.xlsx", views.download_penalties, name="penalties"),
        path("download/competition.json", views.download_file, name="competition_file"),
    ),
    path("leagues/<slug:slug>/import/", views.import_file, name="import"),
]
