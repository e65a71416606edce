from django.urls import path

from league.core.urls import in_competition
from league.play.entry.views import at_table, evening, practice, rounds, table

app_name = "results"
urlpatterns = [
    path("practice/", practice.practice, name="practice"),
    path("practice/preview/", practice.practice_preview, name="practice_preview"),
    in_competition(
        path("seat/tables/<int:pk>/sheet/", at_table.at_table, name="at_table"),
        path("seat/tables/<int:pk>/sheet/sign/", at_table.sign_sheet, name="sign"),
        path("seat/tables/<int:pk>/sheet/object/", at_table.object_to_sheet, name="object"),
        path("rounds/<int:pk>/approve/", at_table.approve, name="approve"),
        path("tables/<int:pk>/result/", table.enter_own, name="own"),
        path("enter/", rounds.choose_round, name="enter"),
        path("rounds/<int:pk>/enter/", rounds.enter_round, name="enter_round"),
        path("rounds/<int:pk>/preview/", rounds.sheet_preview, name="preview"),
        path("stages/<int:stage>/evenings/<str:day>/slip/", evening.slip, name="slip"),
        path("tables/<int:pk>/", table.table, name="table"),
        path("tables/<int:pk>/versions/", table.versions, name="table_versions"),
        path("tables/<int:pk>/correct/", table.correct, name="correct"),
        path("tables/<int:pk>/undo/", table.undo, name="undo"),
        path("tables/<int:pk>/void/", table.void, name="void"),
        path("tables/<int:pk>/confirm/", table.confirm, name="confirm"),
    ),
]
