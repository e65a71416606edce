from django.urls import path

from league.core.urls import in_competition
from league.organizing.roster import views

app_name = "roster"
urlpatterns = [
    in_competition(
        path("manage/players/merge/", views.merge, name="merge"),
        path("manage/players/", views.index, name="index"),
        path("manage/players/new/", views.new, name="new"),
        path("manage/players/<int:pk>/", views.edit, name="edit"),
        path("manage/players/<int:pk>/withdraw/", views.withdraw, name="withdraw"),
        path("manage/players/<int:pk>/reinstate/", views.reinstate, name="reinstate"),
        path("manage/players/<int:pk>/remove/", views.remove, name="remove"),
        path("manage/players/import/", views.import_list, name="import"),
        path("manage/players/import/preview/", views.preview, name="preview"),
    )
]
