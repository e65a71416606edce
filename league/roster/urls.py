from django.urls import path

from league.core.urls import in_competition
from league.roster.views import merging, roster, roster_import

app_name = "roster"
urlpatterns = [
    in_competition(
        path("manage/players/merge/", merging.merge, name="merge"),
        path("manage/players/", roster.roster, name="index"),
        path("manage/players/new/", roster.entrant_new, name="new"),
        path("manage/players/<int:pk>/", roster.entrant_edit, name="edit"),
        path("manage/players/<int:pk>/withdraw/", roster.entrant_withdraw, name="withdraw"),
        path("manage/players/<int:pk>/reinstate/", roster.entrant_reinstate, name="reinstate"),
        path("manage/players/<int:pk>/remove/", roster.entrant_remove, name="remove"),
        path("manage/players/import/", roster_import.roster_import, name="import"),
        path("manage/players/import/preview/", roster_import.roster_preview, name="preview"),
    ),
]
