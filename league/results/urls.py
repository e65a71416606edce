from django.urls import path

from league.core.urls import in_competition
from league.results.views import own, results

app_name = "results"
urlpatterns = [
    in_competition(
        path("tables/<int:pk>/result/", own.enter_own, name="own"),
        path("enter/", results.choose_round, name="enter"),
        path("rounds/<int:pk>/enter/", results.enter_round, name="enter_round"),
        path("rounds/<int:pk>/preview/", results.sheet_preview, name="preview"),
        path("tables/<int:pk>/", results.table, name="table"),
        path("tables/<int:pk>/correct/", results.correct, name="correct"),
        path("tables/<int:pk>/void/", results.void, name="void"),
        path("tables/<int:pk>/confirm/", results.confirm, name="confirm"),
    ),
]
