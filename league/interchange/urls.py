from django.urls import path

from league.core.urls import in_competition
from league.interchange import views

app_name = "interchange"
urlpatterns = [
    in_competition(
        path(
            "download/standings/<slug:division>/<slug:stage>.<slug:fmt>",
            views.standings,
            name="standings",
        ),
        path("download/teams/<slug:division>/<slug:stage>.<slug:fmt>", views.teams, name="teams"),
        path("download/results.<slug:fmt>", views.results, name="results"),
        path("download/workbook.xlsx", views.workbook, name="workbook"),
        path("download/penalties.xlsx", views.penalties, name="penalties"),
        path("download/competition.json", views.competition_file, name="competition_file"),
    ),
    path("leagues/<slug:slug>/import/", views.import_file, name="import"),
]
