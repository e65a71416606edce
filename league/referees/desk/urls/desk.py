from django.urls import path

from league.core.urls import in_competition
from league.referees.desk.views import day, desk

app_name = "penalties"
urlpatterns = [
    path("referees/", day.day, name="day"),
    in_competition(
        path("desk/", desk.desk, name="desk"),
        path("tables/<int:pk>/hand/", desk.table_hand, name="table_hand"),
        path("tables/<int:pk>/hand/name/", desk.table_hand_name, name="table_hand_name"),
        path("penalties/<int:pk>/undo/", desk.penalty_undo, name="undo"),
        path("penalties/<int:pk>/decide/", desk.penalty_decide, name="decide"),
    ),
]
