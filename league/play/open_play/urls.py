from django.urls import path

from league.core.urls import in_competition
from league.play.open_play import views

app_name = "open_play"
urlpatterns = [
    in_competition(
        path("manage/stages/<int:pk>/play/", views.stage_play, name="settings"),
        path("stages/<int:stage>/new-table/", views.new_table, name="new_table"),
        path("stages/<int:stage>/days/<str:day>/", views.day_tables, name="day"),
        path("stages/<int:stage>/evening/", views.tonight, name="tonight"),
        path("stages/<int:stage>/fees/", views.fees, name="fees"),
        path("stages/<int:stage>/evenings.xlsx", views.evenings_file, name="file"),
        path("stages/<int:stage>/evenings/<str:day>/", views.evening, name="evening"),
        path("stages/<int:stage>/evenings/<str:day>/presence/", views.presence, name="presence"),
        path("stages/<int:stage>/evenings/<str:day>/guest/", views.guest, name="guest"),
        path("stages/<int:stage>/evenings/<str:day>/fee/", views.fee, name="fee"),
        path("stages/<int:stage>/evenings/<str:day>/draw/", views.draw, name="draw"),
        path("tables/<int:pk>/drop/", views.table_drop, name="remove"),
    )
]
