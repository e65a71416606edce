from django.urls import path

from league.core.urls import in_competition
from league.play.open_play import views

app_name = "open_play"
urlpatterns = [
    in_competition(
        path("manage/stages/<int:pk>/play/", views.stage_play, name="settings"),
        path("stages/<int:stage>/new-table/", views.new_table, name="new_table"),
        path("stages/<int:stage>/days/<str:day>/", views.day_tables, name="day"),
        path("stages/<int:stage>/fees/", views.fees, name="fees"),
        path("stages/<int:stage>/evenings.xlsx", views.evenings_file, name="file"),
        path("tables/<int:pk>/drop/", views.table_drop, name="remove"),
    )
]
