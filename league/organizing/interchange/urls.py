from django.urls import path

from league.core.urls import in_competition
from league.organizing.interchange.views import files, imports

app_name = "interchange"
urlpatterns = [
    in_competition(
        path("download/standings/<slug:division>/<slug:stage>.<slug:fmt>", files.standings, name="standings"),
        path("download/teams/<slug:division>/<slug:stage>.<slug:fmt>", files.teams, name="teams"),
        path("download/results.<slug:fmt>", files.results, name="results"),
        path("download/workbook.xlsx", files.workbook, name="workbook"),
        path("download/divisions.xlsx", files.divisions, name="divisions"),
        path("download/penalties.xlsx", files.penalties, {"fmt": "xlsx"}, name="penalties"),
        path("download/penalties.csv", files.penalties, {"fmt": "csv"}, name="penalties_csv"),
        path("download/competition.json", files.competition_file, name="competition_file"),
    ),
    path("leagues/<slug:slug>/import/", imports.import_file, name="import"),
    path("leagues/<slug:slug>/import/<int:job>/", imports.import_job, name="job"),
    path("leagues/<slug:slug>/import/<int:job>/cancel/", imports.import_cancel, name="cancel"),
]
