from django.urls import path

from league.core.urls import in_competition
from league.play.hands import practice, views

app_name = "hands"
urlpatterns = [
    path("practice/hands/", practice.practice, name="practice"),
    in_competition(
        path("seat/tables/<int:pk>/hands/", views.table, name="table"),
        path("seat/tables/<int:pk>/hands/state/", views.state, name="state"),
        path("seat/tables/<int:pk>/hands/write/", views.write, name="write"),
    ),
]
