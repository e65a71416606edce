from django.urls import path

from league.core.urls import in_competition
from league.results import views

app_name = "results"
urlpatterns = [
    in_competition(
        path("tables/<int:pk>/result/", views.enter_own, name="own"),
        path("enter/", views.choose_round, name="enter"),
        path("rounds/<int:pk>/enter/", views.enter_round, name="enter_round"),
        path("rounds/<int:pk>/preview/", views.sheet_preview, name="preview"),
        path("stages/<int:stage>/evenings/<str:day>/slip/", views.slip, name="slip"),
        path("tables/<int:pk>/", views.table, name="table"),
        path("tables/<int:pk>/correct/", views.correct, name="correct"),
        path("tables/<int:pk>/undo/", views.undo, name="undo"),
        path("tables/<int:pk>/void/", views.void, name="void"),
        path("tables/<int:pk>/confirm/", views.confirm, name="confirm"),
    ),
]
